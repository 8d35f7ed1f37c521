"""What is final of the stories, from a root on that moves along as the game goes on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.actions import parse_action
from engine.going_on import go_on
from engine.match import Match
from engine.referee import Referee
from engine.referee_state import Trail
from engine.story_parts import Steps
from engine.tracks import Track, Tracks
from tests.engine.tables import table
from tests.engine.watched import Table

LAWN = {1: "bwb", 2: "bwb", 3: "bbb", 4: "rwr", 5: "rrr", 6: "rrb"}


def grown(match: Match, *actions: str) -> Trail:
    """The trail in which all these actions are final."""
    position, steps = match.position, Steps(())
    for text in actions:
        action = parse_action(text)
        position = position.apply(action)
        steps = (*steps, (action, position))
    trail = Trail(Tracks((Track(steps, position, 1.0),)))
    return trail.grown(match, steps, 0)[0]


def test_a_grind_roll_that_changes_nothing_makes_no_mark_at_the_root_either() -> None:  # 6:2.B
    start = table(
        "boundary-choice red", {"red": "5", "blue": ""}, LAWN, captured={"red": "56", "blue": "3"}
    )
    match = Referee.start(start).match
    faces = (3, 3, 5, 3, 5, 3, 5, 3, 5, 3, 5)
    trail = grown(match, "boundary low", *(f"rolled {face}" for face in faces))
    assert len(trail.marks) == len(faces) - 1
    trimmed = trail.trimmed()
    assert trimmed.done == trail.done[3:]
    assert trimmed.tracks.tracks[0].steps == trimmed.done
    assert trimmed.marks == trail.marks[1:]
    assert len(trimmed.matches) == len(trimmed.marks)
    assert trimmed.matches[0].length == match.length + 3


@pytest.mark.parametrize("share", [1e-2, 1.5e-4, 1e-5])
def test_what_goes_on_from_an_unlikely_track_is_told_as_from_a_likely_one(share: float) -> None:
    rows = {"red": "5", "blue": "2", "green": "3445"}
    lawn = {1: "bbr", 2: "bbr", 3: "ggg", 4: "rrb", 5: "rrr", 6: "bgb"}
    seen = Table(table("boundary-choice green", rows, lawn))
    seen.look()
    seen.scene.take(2, 3)  # overlooked: it lies there
    seen.look()
    seen.act("boundary high", "rolled 2")
    seen.look(3)
    trail = seen.referee.trail
    assert trail is not None
    # Either the 3 was rolled, and the 5 is overlooked or in a hand now; or it is as it is.
    by_green = {each.position.rows[2]: each for each in trail.tracks.tracks}
    likely, true = by_green[2, 4, 4, 5], by_green[2, 3, 4, 4]
    weighed = (replace(likely, prior=1.0), replace(true, prior=share))
    tracks = replace(trail.tracks, tracks=weighed, lost_of=frozenset())
    seen.act("place 2 left", "rolled 1")
    referee = replace(seen.referee, trail=replace(trail, tracks=tracks))
    _, look = referee._looked(seen.scene.view())
    told = go_on(tracks, look.seen, look.sights())
    assert any(story.position == seen.position for story in told)
