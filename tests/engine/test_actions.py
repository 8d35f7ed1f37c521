"""Actions, their text and JSON forms, and their readable names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.actions import (
    SIDES,
    Action,
    BoundaryRoll,
    Elect,
    Place,
    Rolled,
    action_from_json,
    action_to_json,
    parse_action,
)
from engine.big_roll import CATEGORIES
from engine.errors import ActionError, IllegalAction, LawnError
from engine.position import Position
from tests.engine.tables import play, table

actions: st.SearchStrategy[Action] = st.one_of(
    st.builds(BoundaryRoll, st.sampled_from(("low", "high"))),
    st.builds(Place, st.integers(1, 6), st.sampled_from(SIDES)),
    st.builds(Elect, st.sampled_from(CATEGORIES)),
    st.builds(Rolled, st.lists(st.integers(1, 6), min_size=1, max_size=8).map(tuple)),
)


@given(actions)
def test_text_and_json_bring_back_the_same_action(action: Action) -> None:
    assert parse_action(str(action)) == action
    assert action_from_json(action_to_json(action)) == action
    assert hash(parse_action(str(action))) == hash(action)


def test_a_throw_has_no_order() -> None:
    # rule 4:1.C: the dice of a set are alike
    assert Rolled((5, 3)) == Rolled((3, 5))
    assert str(Rolled((5, 3))) == "rolled 3 5"


NO_TEXTS = """
place | place 5 | place 7 left | place 5 top | place five left | place 5 left  | Place 5 left | pass
rolled | rolled 7 | rolled 1  2 | rolled 1 1 1 1 1 1 1 1 1 | rolled ² | rolled ٣ | claim luck
boundary | boundary up |
"""


@pytest.mark.parametrize(
    "text", [*NO_TEXTS.strip().replace("\n", " | ").split(" | "), 5, None, b"pass"]
)
def test_what_is_no_action_is_refused(text: Any) -> None:
    with pytest.raises(ActionError):
        parse_action(text)


NO_JSON: list[object] = [
    *(None, [], {}, {"action": "pass"}, {"action": []}, {"action": "place", "face": 5}),
    *({"action": "place", "face": face, "side": "left"} for face in ("5", 0, 1.5, None, [5], True)),
    {"action": "place", "face": 5, "side": "top"},
    {"action": "place", "face": 5, "side": []},
    {"action": "place", "face": 5, "side": None},
    {"action": "place", "face": 5, "side": "left", "by": "red"},
    *({"action": "rolled", "faces": faces} for faces in (5, "345", [], [1, [2]], [0], [1] * 9)),
    *({"action": "boundary", "edge": {}}, {"action": "claim", "category": None}),
]


@pytest.mark.parametrize("data", NO_JSON, ids=str)
def test_what_is_no_json_action_is_refused(data: object) -> None:
    with pytest.raises(ActionError):
        action_from_json(data)


@given(st.recursive(st.none() | st.integers() | st.text(max_size=8), st.lists, max_leaves=4))
def test_no_entry_of_any_kind_escapes_the_engine_error(value: object) -> None:
    makers: list[Callable[[Any], object]] = [
        lambda v: Place(v, "left"),
        lambda v: Place(3, v),
        BoundaryRoll,
        Elect,
        Rolled,
        parse_action,
        lambda v: action_from_json({"action": "rolled", "faces": v}),
    ]
    for make in makers:
        try:
            made = make(value)
        except LawnError:
            continue
        assert isinstance(made, BoundaryRoll | Place | Elect | Rolled)


def test_an_action_is_found_by_its_name_or_its_text() -> None:
    rows = {"red": "1123566", "blue": "112233", "green": "11223344"}
    position = table("placement red", rows, {6: "brb"})
    action = Place(6, "right")
    assert position.name(action) == "place 6 at right flank, pushes blue"
    assert position.action_named("place 6 at right flank, pushes blue") == action
    assert position.action_named("place 6 right") == action
    with pytest.raises(ActionError, match="legal is 'place 1 at the center', 'place 6 at left"):
        position.action_named("place six somewhere")
    with pytest.raises(ActionError, match="what 8 dice show, such as 'rolled 1 1 1"):
        Position.start(2).action_named("roll")


def test_throws_are_named_by_what_they_are_for() -> None:
    start = Position.start(2)
    eight = Rolled((1, 1, 2, 3, 3, 4, 5, 5))
    assert start.name(eight) == "red's Big Roll: 1 1 2 3 3 4 5 5"
    tied = start.apply(eight).apply(eight)
    assert tied.name(eight) == "red's tie-break roll: 1 1 2 3 3 4 5 5"
    rows = {"red": "1123566", "blue": "112233", "green": "11223344"}
    position = play(table("placement red", rows, {6: "brb"}), "place 6 left")
    assert position.name(Rolled((4,))) == "blue's die re-enters as 4"
    position = play(table("boundary-choice red", {"red": "1" * 8, "blue": "2" * 8}), "boundary low")
    assert position.name(eight) == "boundary roll shows 1 1 2 3 3 4 5 5"
    assert position.name(Rolled((4,))) == "rolled 4"  # not legal: named by its text


def test_something_else_is_no_action() -> None:
    position = Position.start(2)
    strangers: list[Any] = [None, "place 5 left", (1, 2), object]
    for stranger in strangers:
        with pytest.raises(IllegalAction, match="is no action of this game"):
            position.apply(stranger)
        assert not position.is_legal(stranger)
