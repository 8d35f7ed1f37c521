"""Tracks that each have one turn right are put together where the likeliest one has neither."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.actions import Action, parse_action
from engine.crossing import crossed
from engine.position import Position
from engine.story_parts import Steps
from engine.tracks import Track
from tests.engine.tables import table

START = table("boundary-choice red", {"red": "1334455", "blue": "1334466"}, {2: ".wb", 4: "rw."})
BEFORE = ("boundary low", "rolled 2", "place 2 left")
"""Red's turn, of which nobody doubts."""


def track(weight: float, *texts: str, likelihood: float = 0.5) -> Track:
    position, steps = START, list[tuple[Action, Position]]()
    for text in (*BEFORE, *texts):
        action = parse_action(text)
        position = position.apply(action)
        steps.append((action, position))
    return Track(tuple(steps), position, weight / likelihood, likelihood=likelihood)


def told(steps: Steps) -> list[str]:
    return [str(action) for action, _ in steps]


BLUE_3 = ("boundary low", "rolled 3", "place 3 left")
BLUE_5 = ("boundary low", "rolled 5", "place 3 left")
RED_1 = ("boundary low", "rolled 1 1")
RED_2 = ("boundary low", "rolled 1 2")


def test_two_turns_that_were_misread_at_once_are_put_together() -> None:
    tracks = (track(1.0, *BLUE_3, *RED_1), track(1e-3, *BLUE_5, *RED_1))
    (made,) = crossed((*tracks, track(1e-4, *BLUE_3, *RED_2)))
    assert told(made.steps) == [*BEFORE, *BLUE_5, *RED_2]
    assert made.position == made.steps[-1][1] != START
    assert made.prior * made.likelihood == pytest.approx(1e-7)


def test_tracks_that_tell_the_same_turn_otherwise_are_not_put_together() -> None:
    third = track(1e-4, "boundary low", "rolled 6", "place 3 left", *RED_1)
    assert crossed((track(1.0, *BLUE_3, *RED_1), track(1e-3, *BLUE_5, *RED_1), third)) == ()


def test_what_is_followed_already_is_not_made_again() -> None:
    each = (track(1.0, *BLUE_3, *RED_1), track(1e-3, *BLUE_5, *RED_1))
    assert crossed((*each, track(1e-4, *BLUE_3, *RED_2), track(1e-6, *BLUE_5, *RED_2))) == ()


def test_what_the_rules_do_not_allow_is_not_put_together() -> None:  # rule 4:1.B
    # Where blue has rolled a 6 there is a single 3 left: nobody rolls two of them.
    later = ("boundary low", "rolled 1 3", "place 1 left", "boundary low")
    blue_6 = ("boundary low", "rolled 6", "place 3 left")
    usual = track(1.0, *BLUE_3, *later, "rolled 2 2")
    one = track(1e-3, *blue_6, *later, "rolled 2")
    assert crossed((usual, one, track(1e-3, *BLUE_3, *later, "rolled 1 2"))) == ()


def test_dice_that_one_of_them_has_paid_for_stay_paid() -> None:
    usual = track(1.0, *BLUE_3, *RED_1)
    first = replace(track(1e-3, *BLUE_5, *RED_1), paid=((7, 5, 1e-3),))
    second = replace(track(1e-4, *BLUE_3, *RED_2), paid=((9, 2, 1e-4),))
    (made,) = crossed((usual, first, second))
    assert set(made.paid) == {(7, 5, 1e-3), (9, 2, 1e-4)}
