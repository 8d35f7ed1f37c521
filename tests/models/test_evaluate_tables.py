"""Whole tables are judged strictly: every face, colour and place right, and nothing else read."""

from __future__ import annotations

from typing import Any

import pytest

from models.evaluate_tables import TableTally, _judge, _same_place, can_be_judged
from vision.reading import DieReading

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
        (read_die(3, "pink", {"area": "row"}), ["a 4 read as 3", "red named pink", "a red 4 misplaced"]),
    ],
)  # fmt: skip
def test_every_fault_of_a_reading_is_said(read: DieReading | None, wrong: list[str]) -> None:
    assert _judge(TableTally(), true_die(), read, has_lawn=True) == wrong


def test_off_the_lawn_it_only_counts_that_it_is_off() -> None:
    assert _same_place({"area": "row", "player": "red"}, {"area": "elsewhere"})
    assert not _same_place({"area": "row", "player": "red"}, {"row": 3, "side": "left"})


def test_shares_are_of_what_was_counted() -> None:
    tally = TableTally(tables=4, exact=1, dice=10, found=8, faces_right=6)
    data = tally.to_json()
    assert (data["exact_percent"], data["found_percent"], data["faces_right_percent"]) == (
        25,
        80,
        75,
    )
    assert data["places_right_percent"] is None
