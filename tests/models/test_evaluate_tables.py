"""Whole tables are judged strictly: every face, colour and place right, and nothing else read."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from models.evaluate_tables import (
    TableTally,
    _judge,
    _misnamed,
    _owners_right,
    _right_place,
    can_be_judged,
)
from vision.layout import lawn_only
from vision.reading import DieReading

LAWN = lawn_only((40.0, 40.0))
SQUARE = [[0, 0], [24, 0], [24, 24], [0, 24]]


def true_die(**change: Any) -> dict[str, Any]:
    die = {
        "face": 4,
        "colour": "red",
        "top": SQUARE,
        "top_visible": 1.0,
        "cut_off": False,
        "place": {"area": "lawn", "row": 4, "side": "left", "player": None},
    }
    return {**die, **change}


@pytest.mark.parametrize(
    ("change", "judged"),
    [
        ({}, True),
        ({"top": [[0, 0], [19, 0], [19, 19], [0, 19]]}, False),  # smaller than 20 px
        ({"top_visible": 0.89}, False),
        ({"cut_off": True}, False),
        ({"top": []}, False),
    ],
)
def test_only_large_and_clear_tops_are_judged(change: dict[str, Any], judged: bool) -> None:
    assert can_be_judged(true_die(**change)) is judged


def read_die(face: int, colour: str, place: dict[str, Any] | None) -> DieReading:
    return DieReading((0, 0, 30, 30), face, (1 / 6,) * 6, colour, {colour: 1.0}, 0.9, place)


@pytest.mark.parametrize(
    ("read", "wrong"),
    [
        (read_die(4, "red", {"row": 4, "side": "left"}), []),
        (None, ["a red 4 not seen"]),
        (read_die(5, "red", {"row": 4, "side": "left"}), ["a 4 read as 5"]),
        (read_die(4, "orange", {"row": 4, "side": "left"}), ["red named orange"]),
        (read_die(4, "red", {"row": 4, "side": "right"}), ["a red 4 misplaced"]),
        (read_die(4, "red", None), ["a red 4 misplaced"]),
        (read_die(3, "pink", {"area": "row"}), ["a 4 read as 3", "a red 4 misplaced", "red named pink"]),
    ],
)  # fmt: skip
def test_every_fault_of_a_reading_is_said(read: DieReading | None, wrong: list[str]) -> None:
    tally = TableTally()
    assert [*_judge(tally, true_die(), read, LAWN), *_misnamed(tally, true_die(), read)] == wrong
    assert tally.names_right == (read is not None and read.colour == "red")


def rolled(x: float, y: float) -> dict[str, Any]:
    """A die that was rolled and not laid in a place; its middle mm from the corner of row 1."""
    return true_die(
        place={"area": "elsewhere", "row": None, "side": None, "player": "red"}, xy_mm=[x, y]
    )


ROW_2_LEFT = {"area": None, "row": 2, "side": "left"}


@pytest.mark.parametrize(
    ("xy", "read", "right"),
    [
        ((-40, 20), {"area": "elsewhere", "row": None, "side": None}, True),  # beside the Lawn
        ((-40, 20), ROW_2_LEFT, False),
        ((-40, 20), {"area": "row", "row": None, "side": None}, True),  # it only counts that it is off
        ((20, 60), ROW_2_LEFT, True),  # rolled onto the Lawn
        ((20, 60), {"area": "elsewhere", "row": None, "side": None}, False),
        ((20, 60), None, False),
        ((20, 79), ROW_2_LEFT, None),  # 1 mm beside the line to row 3
        ((-2, 60), ROW_2_LEFT, None),  # 2 mm beside the Lawn's edge
    ],
)  # fmt: skip
def test_a_die_that_was_rolled_is_right_where_it_lies(
    xy: tuple[float, float], read: dict[str, Any] | None, right: bool | None
) -> None:
    assert _right_place(rolled(*xy), read, LAWN) is right


def test_shares_are_of_what_was_counted() -> None:
    tally = TableTally(tables=4, exact=1, dice=10, found=8, faces_right=6)
    data = tally.to_json()
    assert (data["exact_percent"], data["found_percent"], data["faces_right_percent"]) == (
        25,
        80,
        75,
    )
    assert data["places_right_percent"] is None


def test_two_sets_without_a_neutral_one_are_not_the_dice_of_a_match() -> None:  # rule 1:1.A
    image = np.full((40, 40, 3), (30, 30, 200), np.uint8)
    truth = {"players": ["red", "blue"], "neutral": None, "dice": [true_die()]}
    read = {0: read_die(4, "red", None)}
    assert _owners_right(image, truth, read) is None
    assert _owners_right(image, {**truth, "neutral": "white"}, read) == {0: True}
