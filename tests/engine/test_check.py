"""Positions that break a rule cannot be made: one test for each thing that is checked."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from engine.actions import Rolled
from engine.errors import PositionError
from engine.position import Position
from tests.engine.tables import PLAIN_ROLL, play, table

ROWS = {"red": "11235566", "blue": "11223344"}
PLAIN = f"rolled {' '.join(PLAIN_ROLL)}"
TWICE = "rolled 2 2 4 4 4 4 4 4"


def changed(position: Position, *swaps: tuple[str, str]) -> Position:
    """The position with pieces of its line replaced."""
    text = position.to_string()
    for old, new in swaps:
        assert old in text, f"{old!r} is not in {text!r}"
        text = text.replace(old, new, 1)
    return Position.from_string(text)


def refused(position: Position, rule: str, message: str, *swaps: tuple[str, str]) -> None:
    with pytest.raises(PositionError, match=message) as caught:
        changed(position, *swaps)
    assert caught.value.rule == rule


def test_big_rolls_come_in_seat_order() -> None:
    # rule 3:1.A
    position = play(Position.start(3), PLAIN)
    rolled = f"red {PLAIN_ROLL}, blue -"
    swapped = f"red -, blue {PLAIN_ROLL}"
    refused(position, "3:1.A", "seat order", (rolled, swapped), (rolled, swapped))
    refused(position, "3:1.A", "not that player's turn", ("big-roll blue", "big-roll green"))


def test_a_row_is_the_big_roll_until_a_tie_is_broken() -> None:
    # rule 3:3.A
    position = play(Position.start(3), PLAIN)
    refused(
        position,
        "3:3.A",
        "the row is not the Big Roll",
        (f"rows red {PLAIN_ROLL}", "rows red 11111111"),
    )
    tied = play(Position.start(3), PLAIN, "rolled 1 1 1 2 3 3 4 5", PLAIN)
    assert tied.phase == "tie-break"
    refused(
        tied,
        "3:3.A",
        "the row is not the Big Roll",
        ("blue 11123345, green", "blue 11123344, green"),
    )
    assert changed(tied, (f"rows red {PLAIN_ROLL}", "rows red 11111111"))


def test_elections_wait_for_all_big_rolls_and_come_in_seat_order() -> None:
    # rule 3:2.D
    position = play(Position.start(2), TWICE)
    early = "big-rolls red 22444444"
    refused(position, "3:2.D", "when all have rolled", (early, f"{early} fully matched"))
    position = play(position, TWICE)
    late = "big-rolls red 22444444, blue 22444444"
    refused(position, "3:2.D", "in seat order", (late, f"{late} fully matched"))


def test_every_bonus_is_claimed_before_the_first_turn() -> None:
    # rule 3:2.D
    position = play(Position.start(2), TWICE, PLAIN, "claim fully matched")
    refused(position, "3:2.D", "one of the bonuses must be claimed", (" fully matched", ""))


def test_the_best_bonus_is_the_only_one_when_nobody_elects() -> None:
    # R6 option best
    position = play(Position.start(2), TWICE, PLAIN, "claim six of a kind")
    with pytest.raises(PositionError, match="the best bonus is fully matched"):
        Position.from_string(f"{position}; options bonus best")


def test_the_turn_order_follows_the_scores_and_names_ties_in_seat_order() -> None:
    # rule 3:4
    tied = play(Position.start(2), PLAIN, PLAIN)
    refused(tied, "3:4.B", "in seat order", ("red=blue", "blue=red"))
    refused(tied, "3:4.B", "ties and the phase", ("red=blue", "red>blue"))
    refused(tied, "3:4.A", "once", ("red=blue", "red=red"))
    refused(tied, "3:4.A", "once", ("red=blue", "red>red"))
    refused(tied, "3:4.A", "once", ("red=blue", "red"))
    refused(tied, "3:4.A", "once", ("red=blue", "-"))
    settled = play(Position.start(2), PLAIN, "rolled 1 1 1 2 3 3 4 5")
    refused(settled, "3:4.A", "does not follow", ("red>blue", "blue>red"))
    refused(settled, "3:4.B", "not tied", ("red>blue", "red=blue"))
    refused(Position.start(2), "3:4.A", "before all Big Rolls", ("order -", "order red>blue"))


def test_the_lawn_waits_for_the_turn_order() -> None:
    # rule 3:4.A
    rolled = play(Position.start(2), PLAIN)
    swaps = (f"rows red {PLAIN_ROLL}", "rows red 1233455"), ("1 .w.", "1 rw.")
    refused(rolled, "3:4.A", "only when the turn order is settled", *swaps)


@pytest.mark.parametrize(
    ("players", "lawn", "rule", "message"),
    [
        (2, "www", "1:2.C", "one neutral die for each row"),
        (2, "rrr", "5:3.B", "without a neutral die are 1, but captured are none"),
        (2, "rb.", "5:1.A", "only leave the center by a push"),
        (2, "...", "1:2.C", "the center is empty"),
        (2, "r.w", "4:3.B", "a flank is taken while the center is empty"),
        (3, "r..", "4:3.B", "a flank is taken while the center is empty"),
        (3, ".w.", "1:1.A", "no neutral dice in a three-player round"),
    ],
)
def test_lawn_rows_that_no_play_can_make(players: int, lawn: str, rule: str, message: str) -> None:
    # rules 1:2, 4:3, 5:1, 5:3
    rows: Mapping[str, str] = ROWS if players == 2 else {**ROWS, "green": "11223344"}
    with pytest.raises(PositionError, match=message) as caught:
        table("boundary-choice red", rows, {1: lawn})
    assert caught.value.rule == rule
    assert caught.value.field.startswith(("lawn", "captured"))


def test_dice_in_the_air_fit_the_phase() -> None:
    # rule 4:1.A, 5:2.A
    position = table("boundary-roll red low", {**ROWS, "red": "22222222"})
    refused(position, "4:1.A", "a row of one face has one edge", ("red low", "red high"))
    position = play(
        table("placement red", {"red": "112356", "blue": "1122334"}, {6: "rwb", 1: "rw."}),
        "place 6 left",
    )
    refused(position, "1:1.B", "red has 9 dice", ("rolls blue", "rolls red"))


def test_a_run_of_lost_turns_is_only_kept_where_it_counts() -> None:
    # R4
    lawn = {1: "rrr", 6: "rrr", 2: "bbb"}
    rows = {"red": "16", "blue": "12345", "green": "11223344"}
    table("boundary-choice blue", rows, lawn, lost=2)
    with pytest.raises(PositionError, match="a placement ends a run of lost turns"):
        table("placement blue", rows, lawn, lost=1)
    pushed = {"red": "1", "blue": "1234", "green": "112233"}
    with pytest.raises(PositionError, match="a placement ends a run of lost turns"):
        table("re-entry red rolls blue", pushed, {**lawn, 3: "rgg"}, lost=1)
    with pytest.raises(PositionError, match="the round is over: gridlock"):
        table("boundary-choice blue", rows, lawn, lost=3)
    with pytest.raises(PositionError, match="only in a three-player gridlock"):
        table("boundary-choice red", ROWS, lost=1)


def test_a_turn_belongs_to_somebody_until_the_round_is_over() -> None:
    # rule 7:1.A
    data = table("placement red", ROWS).to_json()
    with pytest.raises(PositionError, match="somebody's turn"):
        Position.from_json({**data, "turn": None})
    over = table(
        "round-over",
        {"red": "", "blue": ""},
        {1: "rrr", 2: "rrr", 3: "bbb", 4: "bbb", 5: "rbr", 6: ".wb"},
        captured={"red": "125", "blue": "34"},
    )
    with pytest.raises(PositionError, match="not over yet"):
        Position.from_json({**over.to_json(), "turn": "red"})


def test_lost_turns_of_an_earlier_circuit_are_not_told_again() -> None:
    # R2 before-roll with R4 gridlock: two turns were lost before, only green's is lost now
    rows = {"red": "16", "blue": "12", "green": "1266"}
    lawn = {1: "rrr", 6: "rrr", 2: "bbb", 3: "ggg", 4: ".g.", 5: "bbb"}
    option = "endgame-block before-roll"
    position = table("boundary-roll green high", rows, lawn, lost=2, options=option)
    effects = position.effects(Rolled((6, 6)))
    assert (effects.over, effects.lost_turns) == ("gridlock", ("green",))
