"""What is final of the stories, from a root on that moves along as the game goes on."""

from __future__ import annotations

from engine.actions import parse_action
from engine.match import Match
from engine.referee import Referee
from engine.referee_state import Trail
from engine.story_parts import Steps
from engine.tracks import Track, Tracks
from tests.engine.tables import table

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
