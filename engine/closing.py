"""The end of a round that was not final yet when its dice are picked up: nothing will tell any better."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from engine.questions import guesses
from engine.referee_state import Look, Trail
from engine.story_parts import Story, marks_of
from engine.verdict import Unsure, Verdict
from engine.weighing import Reading, shared

if TYPE_CHECKING:
    from engine.referee import Referee

_PICKED_UP = 0.8  # of the dice are left when players begin to pick them up
_SAME_END = 0.9  # share of the stories that end a round alike
_LAST_ROLL = 1e-3  # chance that dice are picked up in mid-round just where a last roll would end it
_PERHAPS = 0.1  # of that, and it is asked whether there was a last roll
_HARDLY_LIKELIER = 1.5
"""Odds below which it is asked how the round ended: a question holds up the next round, which has begun by now."""
_ANSWER_S = 8.0  # for so long an answer is waited for


def closed(referee: Referee, look: Look) -> tuple[Referee, tuple[Verdict, ...]] | None:
    """The round may be over as far as could be seen, and now the dice are picked up: how it came to that
    is final as the likeliest story has it; where that is hardly likelier than another it is asked, and final
    when nobody answers. Where it may have ended in one way or another it is only asked."""
    trail = referee.trail
    if trail is None or trail.tracks.seen is None:
        return None
    if len(look.seen.dice) > _PICKED_UP * len(trail.tracks.seen.dice):
        return None
    over, alike = _ends(trail)
    if not over:
        return None
    best, done = over[0], trail.marks
    if shared(marks_of(best.steps), done) < len(done):
        return None
    odds = Reading.of(over, done).odds[len(done) :]
    question = None
    if not alike or (odds and min(odds) < _HARDLY_LIKELIER):
        question = guesses(referee.position, over, look.sights()[0], len(done))
    asked = question and _asked(referee, look, question)
    return asked or (referee.ending(best, over) if alike else None)


def _ends(trail: Trail) -> tuple[list[Story], bool]:
    """The stories that end the round, the likeliest first, and whether they end it alike; none where that is
    too unlikely. Where it is as likely that it was broken off, that is among them."""
    told = [
        Story(track.prior * track.likelihood, 1.0, track.steps, track.position)
        for track in trail.tracks.tracks
    ]
    over = sorted(
        (story for story in told if story.position.is_over), key=lambda story: -story.weight
    )
    if not over:
        return [], False
    total = sum(story.weight for story in over)
    same = sum(story.weight for story in over if story.position == over[0].position)
    # Before, a last roll that shows the faces it had could not be told from none at all.
    best = max(told, key=lambda story: story.weight)
    if over[0].weight >= _LAST_ROLL * best.weight:
        return over, same >= _SAME_END * total
    if over[0].weight >= _PERHAPS * _LAST_ROLL * best.weight:
        return [*over, replace(best, weight=_LAST_ROLL * best.weight)], False
    return [], False


def _asked(
    referee: Referee, look: Look, question: Unsure
) -> tuple[Referee, tuple[Verdict, ...]] | None:
    """None once nobody has answered for long, while the dice are picked up."""
    asked, since = referee.standing, referee.waiting.closing_s
    same = isinstance(asked, Unsure) and asked.guesses == question.guesses
    if since is not None and look.view.time_s - since >= _ANSWER_S:
        return None
    if since is None:
        since = look.view.time_s
    waiting = replace(referee.waiting, closing_s=since)
    asking = replace(referee, standing=asked if same else question, waiting=waiting)
    return asking, () if same else (question,)
