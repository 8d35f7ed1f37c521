"""Step 1, the boundary roll, and step 2, the choice of the die."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import IllegalAction
from tests.engine.tables import names, play, rules, table, texts

ROWS = {"red": "11235566", "blue": "11223344"}


def test_the_turn_starts_with_a_boundary_roll() -> None:
    # rule 4:1 (strict sequence)
    position = table("boundary-choice red", ROWS)
    assert rules(position, "place 1 left") == ["4:1"]
    assert rules(position, "rolled 3 3") == ["4:1.A"]


def test_the_player_chooses_the_low_or_the_high_edge() -> None:
    # rule 4:1.A
    position = table("boundary-choice red", {**ROWS, "red": "11235556"})
    assert names(position) == ["boundary roll low: the 1s", "boundary roll high: the 6"]


def test_the_whole_matching_set_is_rolled() -> None:
    # rule 4:1.B
    position = play(table("boundary-choice red", {**ROWS, "red": "11135566"}), "boundary low")
    assert position.dice_in_the_air == 3
    assert rules(position, "rolled 4 4") == ["4:1.B"]
    with pytest.raises(IllegalAction, match="The whole boundary set is rolled, 3 dice, not 2"):
        play(position, "rolled 4 4")
    assert play(table("boundary-choice red", ROWS), "boundary high").dice_in_the_air == 2


def test_the_row_is_re_sequenced() -> None:
    # rule 4:1.C
    position = play(table("boundary-choice red", ROWS), "boundary low", "rolled 6 4")
    assert position.rows[0] == (2, 3, 4, 5, 5, 6, 6, 6)
    position = play(table("boundary-choice red", ROWS), "boundary high", "rolled 1 4")
    assert position.rows[0] == (1, 1, 1, 2, 3, 4, 5, 5)


def test_a_row_of_one_face_has_one_edge() -> None:
    # rule 4:1.A, 4:1.B
    position = table("boundary-choice red", {**ROWS, "red": "22222222"})
    assert names(position) == ["boundary roll low: the 2s"]
    low, high = play(position, "boundary low"), play(position, "boundary high")
    assert low == high
    assert low.dice_in_the_air == 8


def test_a_single_die_is_its_own_boundary() -> None:
    # rule 4:1.B
    lawn = {1: "rwr", 2: "rwr", 3: "rwr", 4: "rw."}
    position = table("boundary-choice red", {"red": "5", "blue": "11223344"}, lawn)
    assert names(position) == ["boundary roll low: the 5"]
    assert play(position, "boundary low").dice_in_the_air == 1


def test_only_edge_dice_may_be_placed() -> None:
    # rule 4:2.A
    position = table("placement red", ROWS)
    assert texts(position.legal_actions()) == [
        *("place 1 left", "place 1 right", "place 6 left", "place 6 right")
    ]
    assert rules(position, "place 5 left") == ["4:2.A"]
    assert "inner die" in str(position.why_not(position.action_named("place 5 left"))[0])
    assert rules(position, "place 4 left") == ["4:2.A"]
    assert "Red has no 4" in str(position.why_not(position.action_named("place 4 left"))[0])


def test_exactly_one_die_is_placed_and_then_the_turn_passes() -> None:
    # rule 4:2.A
    position = play(table("placement red", ROWS), "place 1 left")
    assert position.rows[0] == (1, 2, 3, 5, 5, 6, 6)
    assert (position.phase, position.turn_colour) == ("boundary-choice", "blue")


def test_a_player_may_not_pass() -> None:
    # rule 4: turns are mandatory
    for phase in ("boundary-choice red", "placement red"):
        position = table(phase, ROWS)
        assert all(position.apply(action) != position for action in position.legal_actions())
        assert not any("pass" in name for name in names(position))


def test_boundary_outcomes_are_merged_with_their_probabilities() -> None:
    # rule 4:1.B
    position = play(table("boundary-choice red", ROWS), "boundary low")
    outcomes = {str(action): chance for action, chance in position.chance_outcomes()}
    assert len(outcomes) == 21
    assert outcomes["rolled 3 5"] == pytest.approx(1 / 18)
    assert outcomes["rolled 3 3"] == pytest.approx(1 / 36)
    assert table("placement red", ROWS).chance_outcomes() == ()


def test_out_of_turn_play_is_named() -> None:
    # rule 3:4.A
    position = table("placement red", ROWS)
    action = position.action_named("place 1 left")
    assert position.is_legal(action, by="red")
    assert position.is_legal(action, by=0)
    (reason,) = position.why_not(action, by="blue")
    assert (reason.rule, reason.text) == ("3:4.A", "It is red's turn, not blue's")
    strangers: list[Any] = ["pink", 7, True, 0.0, [1]]
    for stranger in strangers:
        assert [r.rule for r in position.why_not(action, by=stranger)] == ["1:1"]
    with pytest.raises(IllegalAction):
        position.apply(action, by="blue")
