"""The table told from earlier positions than the last final one: perhaps what was taken for final was misread.

Nobody is accused of what the log's own mistake may explain: the players are asked instead.
"""

from __future__ import annotations

from engine.actions import Rolled
from engine.going_on import go_on
from engine.match import Match
from engine.questions import told_otherwise
from engine.referee_state import Look, Trail
from engine.sight import Sight
from engine.story_parts import Steps, Story, chance_of, ends_of, marks_of
from engine.tracks import Track, Tracks
from engine.verdict import Unsure
from engine.weighing import shared

FITS_WELL = 0.004
"""From this share on nothing speaks against a story."""

_FARTHER = 0.1  # how much less likely it is that one more mark that is final was misread
_TURNS = 2
_LIKELY = 1e-4  # chance, but for the dice's luck, from which on a log may be wrong


def retold(trail: Trail, look: Look, sights: list[Sight]) -> list[Story]:
    """The stories that explain a view from the root and from each final mark on, the heaviest first."""
    if not trail.done or look.view.hidden:
        return []
    ends = [0, *ends_of(trail.done)]
    positions = [trail.matches[0].position, *trail.marks]
    tracks = tuple(
        Track(trail.done[:end], position, _FARTHER**back)
        for back, (end, position) in enumerate(
            zip(reversed(ends), reversed(positions), strict=True)
        )
    )
    told = go_on(Tracks(tracks), look.seen, sights, look.tolerated, _TURNS)
    return told if told and told[0].fit >= FITS_WELL else []


def misread(match: Match, trail: Trail, look: Look, sights: list[Sight]) -> Unsure | None:
    """A question in the place of an accusation, where it is not too unlikely that the log is wrong.

    match: with all that is final.
    """
    told = retold(trail, look, sights)
    if not told:
        return None
    steps = told[0].steps
    agreed = shared(marks_of(steps), trail.marks)
    begun = ends_of(steps)[agreed - 1] if agreed else 0
    if agreed == len(trail.marks) or told[0].prior < _LIKELY * _luck(steps[begun:]):
        return None
    before = trail.matches[agreed]
    denied = match.length - before.length
    return told_otherwise(before.position, told, sights[0], agreed, denied)


def _luck(steps: Steps) -> float:
    """The chance of what was thrown."""
    luck = 1.0
    for action, _ in steps:
        if isinstance(action, Rolled):
            luck *= chance_of(action.faces)
    return luck
