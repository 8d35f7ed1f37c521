"""The records that pass from the camera to the referee go into JSON and come back the same."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.actions import SIDES
from engine.errors import TableError
from engine.table import (
    AREAS,
    CAMERA_STATES,
    FLAGS,
    Area,
    LawnPlace,
    SeenDie,
    TableView,
    view_from_json,
)

numbers = st.floats(0, 1)
places = st.builds(LawnPlace, st.integers(1, 6), st.sampled_from(SIDES)) | st.builds(
    Area, st.sampled_from(AREAS), st.none() | st.integers(0, 2)
)
dice = st.builds(
    SeenDie,
    key=st.integers(0, 10**6),
    face_p=st.tuples(*[numbers] * 6),
    owner_p=st.tuples(*[numbers] * 4),
    place_p=st.lists(st.tuples(places, numbers), min_size=1, max_size=3).map(tuple),
    xy_mm=st.none() | st.tuples(numbers, numbers),
    box=st.tuples(numbers, numbers, numbers, numbers),
    found_p=numbers,
    flags=st.frozensets(st.sampled_from(FLAGS)),
)
views = st.builds(
    TableView,
    time_s=numbers,
    dice=st.lists(dice, max_size=4).map(tuple),
    hidden=st.frozensets(places, max_size=4),
    still_since_s=numbers,
    frames=st.integers(1, 99),
    camera=st.sampled_from(CAMERA_STATES),
)


@given(views)
def test_a_view_comes_back_from_its_json(view: TableView) -> None:
    assert view_from_json(json.loads(json.dumps(view.to_json()))) == view


def lying(row: int, face: int) -> SeenDie:
    sure = tuple(float(f == face) for f in range(1, 7))
    return SeenDie(7, sure, (0.1, 0.8, 0.0, 0.1), ((LawnPlace(row, "left"), 1.0),))


def test_a_die_tells_its_likeliest_face_owner_and_place() -> None:
    die = lying(3, 4)
    assert (die.face, die.owner, die.place) == (4, 1, LawnPlace(3, "left"))


def test_two_dice_on_one_place_are_both_told() -> None:
    view = TableView(1.0, (lying(3, 4), lying(3, 3), lying(2, 2)))
    assert {str(place): len(found) for place, found in view.on_lawn().items()} == {
        "3 left": 2,
        "2 left": 1,
    }


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"face_p": [1.0]}, "face_p is a list of 6 numbers"),
        ({"face_p": [True] * 6}, "face_p is a number"),
        ({"box": None}, "box is a list of 4 numbers"),
        ({"key": "7"}, "key is a whole number"),
        ({"flags": ["bent"]}, "flags are among"),
        ({"place_p": []}, "needs a list of places"),
        ({"place_p": [[{"row": 7, "side": "left"}, 1.0]]}, "row 1 to 6"),
        ({"place_p": [[{"area": "moon"}, 1.0]]}, "An area is one of"),
        ({"found_p": float("nan")}, "found_p is a number"),
    ],
)
def test_a_damaged_die_is_refused_in_a_sentence(change: dict[str, Any], said: str) -> None:
    data = TableView(1.0, (lying(3, 4),)).to_json()
    data["dice"][0].update(change)
    with pytest.raises(TableError, match=said):
        view_from_json(data)


@pytest.mark.parametrize("data", [None, [], {"dice": 3}, {"dice": [], "time_s": "now"}])
def test_what_is_no_view_is_refused(data: object) -> None:
    with pytest.raises(TableError):
        view_from_json(data)
