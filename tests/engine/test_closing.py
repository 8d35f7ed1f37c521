"""A round whose dice are picked up before it was clear how it came to its end."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.actions import Action, parse_action
from engine.position import Position
from engine.referee_state import Trail
from engine.story_parts import Steps
from engine.table import LawnPlace
from engine.tracks import Track, Tracks
from engine.verdict import Happened, Unsure
from tests.engine.tables import table
from tests.engine.watched import Table

LAWN = {1: "rrr", 2: "bbb", 3: "bbb", 4: "rw.", 5: "rrr", 6: "bwb"}


def steps_of(position: Position, *actions: str) -> Steps:
    made: list[tuple[Action, Position]] = []
    for text in actions:
        action = parse_action(text)
        position = position.apply(action)
        made.append((action, position))
    return tuple(made)


@pytest.fixture
def ground() -> Table:
    """Red alone has a 2, whose row is locked, and grinds (6:2.B)."""
    rows, captured = {"red": "2", "blue": "-"}, {"red": "1235", "blue": "-"}
    seen = Table(table("boundary-choice red", rows, LAWN, captured=captured))
    seen.look()
    return seen


def picked_up(seen: Table, share: float) -> Table:
    """Nobody has seen whether red's first roll was a 3 or, so much less likely, a 5; red placed a 4 then."""
    assert seen.referee.trail is not None
    ways = [
        steps_of(seen.position, "boundary low", first, "rolled 4", "place 4 right")
        for first in ("rolled 3", "rolled 5")
    ]
    tracks = tuple(
        Track(steps, steps[-1][1], weight) for steps, weight in zip(ways, (1.0, share), strict=True)
    )
    lay = replace(seen.referee.trail.tracks, tracks=tracks)
    seen.referee = replace(seen.referee, trail=Trail(Tracks(tracks, lay.seen, lay.lines)))
    for owner in (0, 1):
        seen.scene.dice = [die for die in seen.scene.dice if die.owner != owner]
    return seen


def test_what_is_sure_is_final_when_the_dice_are_picked_up(ground: Table) -> None:
    said = picked_up(ground, 1e-3).look(1)
    assert isinstance(said[0], Happened)
    assert "rolled 3" in [str(entry.action) for entry in said[0].actions]


def test_what_is_not_sure_is_asked_and_the_likeliest_is_final_when_nobody_answers(
    ground: Table,
) -> None:
    seen = picked_up(ground, 0.8)
    (asked,) = seen.look(1)
    assert isinstance(asked, Unsure)
    assert len(asked.guesses) == 2
    assert seen.final() == []
    seen.look(20)
    assert "rolled 3" in seen.final()


@pytest.mark.parametrize(
    ("share", "ended", "questions"), [(2e-3, True, 0), (2e-4, False, 1), (2e-5, False, 0)]
)
def test_who_picks_up_the_dice_has_more_likely_rolled_last_than_left_a_round_in_the_middle(
    ground: Table, share: float, ended: bool, questions: int
) -> None:
    assert ground.referee.trail is not None
    steps = steps_of(ground.position, "boundary low", "rolled 3", "rolled 4", "place 4 right")
    tracks = (Track((), ground.position, 1.0), Track(steps, steps[-1][1], share))
    lay = replace(ground.referee.trail.tracks, tracks=tracks)
    ground.referee = replace(ground.referee, trail=Trail(lay))
    ground.scene.dice = [die for die in ground.scene.dice if die.owner not in (0, 1)]
    ground.look(1)
    assert ("rolled 4" in ground.final()) == ended
    assert len(ground.questions()) == questions


def test_a_last_roll_that_nobody_saw_is_asked_and_never_guessed() -> None:  # rule 7:1
    rows = {"red": "24", "blue": "2", "green": "266"}
    lawn = {1: "gbr", 2: "ggg", 3: "bbb", 4: "bbb", 5: "rrg", 6: "rrr"}
    order = "green>red>blue"
    seen = Table(table("boundary-choice blue", rows, lawn, order=order, lost=2))
    seen.look()
    assert seen.referee.trail is not None
    ways = [steps_of(seen.position, "boundary low", rolled) for rolled in ("rolled 6", "rolled 2")]
    assert all(steps[-1][1].is_over for steps in ways)
    tracks = tuple(Track(steps, steps[-1][1], 0.5) for steps in ways)
    lay = replace(seen.referee.trail.tracks, tracks=tracks)
    seen.referee = replace(seen.referee, trail=Trail(lay))
    seen.scene.dice = [die for die in seen.scene.dice if die.owner != 0]
    (asked,) = seen.look(1)
    assert isinstance(asked, Unsure)
    assert {str(guess.actions[-1].action) for guess in asked.guesses} == {"rolled 6", "rolled 2"}
    seen.look(20)
    assert seen.final() == []


def test_a_last_turn_of_which_a_part_was_hidden_is_not_taken_back() -> None:  # rule 7:1
    rows = {"red": "24", "blue": "2", "green": "266"}
    lawn = {1: "gbr", 2: "ggg", 3: "bbb", 4: "bbb", 5: "rrg", 6: "rrr"}
    order = "green>red>blue"
    seen = Table(table("boundary-choice green", rows, lawn, order=order))
    seen.look()
    for actions in (
        ("boundary low", "rolled 4"),
        ("boundary low", "rolled 6"),
        ("boundary low", "rolled 6"),
    ):
        seen.act(*actions)
        if seen.position.is_over:
            for _ in range(8):  # a hand lies on a row of the Lawn
                view = seen.scene.view(2.0, after_s=0.5, hidden=(LawnPlace(3, "left"),))
                seen.referee, said = seen.referee.see(view)
                seen.said += said
        else:
            seen.look(6)
    assert seen.final().count("rolled 6") == 2
    trail = seen.referee.trail
    assert trail is not None
    track = max(trail.tracks.tracks, key=lambda each: each.prior * each.likelihood)
    assert not track.position.is_over, "the tracks were not gone on"
    # A story by which blue's die was misread before, and has shown all the time what it shows now, does not deny it.
    rows = {"red": "46", "blue": "6", "green": "466"}
    other = table("boundary-choice blue", rows, lawn, order=order, lost=2)
    steps = (*track.steps[:-1], (track.steps[-1][0], other))
    rival = replace(track, steps=steps, position=other, prior=1e3)
    lay = replace(trail.tracks, tracks=(track, rival))
    seen.referee = replace(seen.referee, trail=replace(trail, tracks=lay))
    said = list(seen.look(8))
    assert not any(isinstance(each, Happened) for each in said)
    assert seen.referee.position.is_over or seen.referee.ended
