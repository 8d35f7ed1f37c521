"""The JSON form of a position."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import LawnError, PositionError
from engine.parts import PHASES
from engine.position import Position, playout
from tests.engine.tables import table

GOOD = table("placement red", {"red": "112356", "blue": "1122334"}, {6: "wrb", 1: ".wr"}).to_json()

SAMPLES = [
    position.to_json()
    for players in (2, 3)
    for position, _ in playout(Position.start(players), random.Random(players))
]


def test_the_dict_names_everything_in_plain_words() -> None:
    assert GOOD["players"] == ["red", "blue"]
    assert (GOOD["phase"], GOOD["turn"], GOOD["edge"], GOOD["displaced"]) == (
        *("placement", "red"),
        *(None, None),
    )
    assert GOOD["lawn"]["1"] == [None, "white", "red"]
    assert GOOD["rows"]["blue"] == [1, 1, 2, 2, 3, 3, 4]
    assert GOOD["order"] == [["red"], ["blue"]]
    assert GOOD["options"]["ending"] == "gridlock"
    assert GOOD["big_rolls"]["red"] == {"faces": [1, 1, 2, 3, 3, 4, 5, 5], "bonus": None}
    assert Position.from_json(GOOD).to_json() == GOOD


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (["players"], ["red"], "two or three players"),
        (["players"], "red", "sequence of words"),
        (["options"], [], "Options are given as names"),
        (["options", "ending"], 3, "Option ending takes"),
        (["phase"], "resting", "a phase is one of"),
        (["phase"], {}, "a phase is one of"),
        (["turn"], "pink", "a player is red or blue"),
        (["turn"], ["red"], "a player is red or blue"),
        (["turn"], None, "somebody's turn"),
        (["edge"], "low", "an edge is in the air"),
        (["edge"], 1, "an edge is low or high"),
        (["displaced"], "blue", "blue has 9 dice"),
        (["order"], [["red"], []], "at least one player"),
        (["order"], [["red"], [None]], "at least one player"),
        (["rows"], None, "an object is expected"),
        (["rows", "red"], "112356", "a list is expected"),
        (["rows", "red", 0], 0, "a face from 1 to 6"),
        (["rows", "red", 0], True, "a whole number from 1 to 6"),
        (["rows", "red", 0], 1.0, "a whole number from 1 to 6"),
        (["rows", "pink"], [], "there is no entry 'pink'"),
        (["lawn", "1"], [None, "white"], "a list of 3"),
        (["lawn", "1", 0], "pink", "a place holds a colour or null"),
        (["lawn", "1", 0], [], "a place holds a colour or null"),
        (["captured", "red"], [6], "captured are 6"),
        (["big_rolls", "red"], [1] * 8, "an object is expected"),
        (["big_rolls", "red", "faces", 0], 6, "eight faces in ascending order"),
        (["big_rolls", "red", "bonus"], "luck", "a bonus is one of"),
        (["big_rolls", "red", "bonus"], "fully matched", "does not qualify"),
        (["big_rolls", "red"], None, "the Big Roll is missing"),
        (["lost_turns"], -1, "0 to 3"),
        (["lost_turns"], True, "0 to 3"),
        (["lost_turns"], 1, "three-player gridlock"),
    ],
)
def test_a_wrong_entry_is_refused_with_field_and_reason(
    path: list[Any], value: object, message: str
) -> None:
    data = copy.deepcopy(GOOD)
    spot: Any = data
    for key in path[:-1]:
        spot = spot[key]
    spot[path[-1]] = value
    with pytest.raises(PositionError, match=message):
        Position.from_json(data)


@pytest.mark.parametrize("key", list(GOOD))
def test_a_missing_entry_is_named(key: str) -> None:
    data = {name: value for name, value in GOOD.items() if name != key}
    with pytest.raises(PositionError, match=f"{key} is missing"):
        Position.from_json(data)


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["red", "blue", "white", "low", "placement", "1"]),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=6,
)


@settings(max_examples=200, deadline=None)
@given(json_values)
def test_any_json_is_read_or_refused(data: object) -> None:
    with pytest.raises(LawnError):
        Position.from_json(data)


@settings(max_examples=500, deadline=None)
@given(st.sampled_from(SAMPLES), json_values, st.data())
def test_damaged_json_is_read_or_refused(
    sample: dict[str, Any], value: object, data: st.DataObject
) -> None:
    damaged = copy.deepcopy(sample)
    spot: Any = damaged
    while True:
        keys = list(spot) if isinstance(spot, dict) else list(range(len(spot)))
        if not keys:
            return
        key = data.draw(st.sampled_from(keys))
        if not isinstance(spot[key], dict | list) or data.draw(st.integers(0, 3)) == 0:
            break
        spot = spot[key]
    spot[key] = value
    try:
        position = Position.from_json(damaged)
    except LawnError:
        return
    assert Position.from_json(position.to_json()) == position


# --- tables that somebody rearranged --------------------------------------------------------


def rearranged(data: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """A position that is well formed but may break any rule: dice, phase, turn moved about."""
    data = copy.deepcopy(data)
    players = data["players"]
    for _ in range(rng.randint(1, 4)):
        player, face = rng.choice(players), rng.randint(1, 6)
        row, lawn_row = data["rows"][player], data["lawn"][str(face)]
        place = rng.randrange(3)
        kind = rng.randrange(9)
        if kind == 0:
            data["phase"] = rng.choice(PHASES)
            data["edge"] = rng.choice(["low", "high"]) if data["phase"] == "boundary-roll" else None
        elif kind == 1:
            data["turn"] = rng.choice([*players, None])
        elif kind == 2 and row:
            row[rng.randrange(len(row))] = face
            row.sort()
        elif kind == 3 and row:
            row.pop(rng.randrange(len(row)))
            old, lawn_row[place] = lawn_row[place], player
            if old in players:
                data["rows"][old] = sorted([*data["rows"][old], face])
            elif old is not None:
                data["captured"][player] = sorted([*data["captured"][player], face])
        elif kind == 4:
            rng.shuffle(lawn_row)
        elif kind == 5:
            data["order"] = [[each] for each in rng.sample(players, len(players))]
        elif kind == 6:
            data["options"][rng.choice(["endgame-block", "grind", "own-push", "ending"])] = (
                rng.choice(
                    ["before-roll", "at-once", "keep-face", "first-out", "lawn-locked", "gridlock"]
                )
            )
        elif kind == 7:
            data["lost_turns"] = rng.randint(0, 3)
        elif row:
            row.pop()
            data["phase"], data["displaced"], data["edge"] = "re-entry", player, None
    return data


def test_rearranged_tables_are_refused_or_sound() -> None:
    # rule 1:1: whatever is let in keeps its dice, prints back and can be played on
    rng = random.Random(7)
    accepted = 0
    for _ in range(2000):
        try:
            position = Position.from_json(rearranged(rng.choice(SAMPLES), rng))
        except LawnError:
            continue
        accepted += 1
        for _ in range(10):
            assert Position.from_string(position.to_string()) == position
            assert Position.from_json(position.to_json()) == position
            if position.is_over:
                break
            action = (
                position.throw(rng) if position.is_chance else rng.choice(position.legal_actions())
            )
            position.effects(action)
            position = position.apply(action)
    assert accepted > 200
