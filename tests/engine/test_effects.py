"""What an action does, told in facts and sentences."""

from __future__ import annotations

import pytest

from engine.actions import Place, Rolled, parse_action
from engine.errors import IllegalAction
from engine.position import Position
from tests.engine.tables import play, table

PUSH = table("placement red", {"red": "112356", "blue": "1122334", "green": "11223344"}, {6: "brr"})


def test_a_push_that_locks() -> None:
    # rule 5:1, 4:3.D
    effects = PUSH.effects(Place(6, "right"))
    assert effects.actor == "red"
    assert effects.placed == (6, "right")
    assert (effects.pushed, effects.captured, effects.locks) == ("blue", None, 6)
    assert effects.row == (1, 1, 2, 3, 5)
    assert (effects.next, effects.next_phase, effects.over) == ("red", "re-entry", "")
    assert effects.sentences() == (
        "Red places a 6 at the right flank of row 6.",
        "A blue die is pushed off the Lawn.",
        "Red locks row 6.",
        "Red rolls the die that was pushed off.",
    )


def test_a_re_entry_shows_the_owners_row() -> None:
    # rule 5:2.B
    effects = play(PUSH, "place 6 left").effects(Rolled((4,)))
    assert effects.re_enters == ("red", 4)
    assert effects.row == (1, 1, 2, 3, 4, 5)
    effects = play(PUSH, "place 6 right").effects(Rolled((4,)))
    assert effects.re_enters == ("blue", 4)
    assert effects.row == (1, 1, 2, 2, 3, 3, 4, 4)
    assert effects.next == "blue"


def test_an_own_die_that_keeps_its_face() -> None:
    # R1
    rows = {"red": "112356", "blue": "1122334", "green": "11223344"}
    position = table("placement red", rows, {6: "brr"}, options="own-push keep-face")
    effects = position.effects(Place(6, "left"))
    assert (effects.pushed, effects.re_enters) == ("red", ("red", 6))
    assert "An own die is pushed off the Lawn." in effects.sentences()


def test_a_capture() -> None:
    # rule 5:3
    position = table("placement red", {"red": "1123566", "blue": "1122334"}, {6: "wrb"})
    effects = position.effects(Place(6, "right"))
    assert (effects.pushed, effects.captured) == (None, 6)
    assert "Red captures the white 6." in effects.sentences()
    assert effects.to_json()["placed"] == [6, "right"]


def test_a_lost_turn() -> None:
    # rule 6:1.A
    rows = {"red": "35", "blue": "12345666", "green": "11223344"}
    position = table("boundary-roll blue high", rows, {1: "rrr", 6: "rrr"})
    effects = position.effects(Rolled((2, 3, 6)))
    assert effects.lost_turns == ("blue",)
    assert effects.sentences() == (
        "Blue is blocked and loses the turn.",
        "Green chooses an edge.",
    )
    assert position.effects(Rolled((2, 3, 5))).lost_turns == ()


def test_the_grind_is_no_lost_turn() -> None:
    # rule 6:2.B
    lawn = {1: "bbb", 6: "bbb", 2: "rwb", 3: "rwb"}
    position = table(
        "boundary-roll red low", {"red": "112346", "blue": ""}, lawn, captured={"blue": "16"}
    )
    effects = position.effects(Rolled((1, 1)))
    assert (effects.lost_turns, effects.next, effects.next_phase) == ((), "red", "grind-roll")


def test_the_end_of_a_round() -> None:
    # rule 7:1.A, R4
    rows = {"red": "16", "blue": "12345", "green": "1266"}
    lawn = {1: "rrr", 6: "rrr", 2: "bbb", 3: "ggg", 4: ".g."}
    position = table("boundary-roll green high", rows, lawn, lost=2)
    effects = position.effects(Rolled((6, 6)))
    assert (effects.lost_turns, effects.over, effects.next) == (("green",), "gridlock", None)
    assert effects.sentences()[-1] == "The round is over: gridlock."


def test_lost_turns_before_the_roll_are_told_up_to_the_gridlock() -> None:
    # R2 before-roll with R4 gridlock
    rows = {"red": "16", "blue": "12", "green": "1266"}
    lawn = {1: "rrr", 6: "rrr", 2: "bbb", 3: "ggg", 4: ".g.", 5: "bbb"}
    position = table("boundary-roll green high", rows, lawn, options="endgame-block before-roll")
    effects = position.effects(Rolled((6, 6)))
    assert effects.lost_turns == ("green", "red", "blue")
    assert effects.over == "gridlock"


def test_the_big_roll_and_the_turn_order() -> None:
    # rule 3:2, 3:4
    start = Position.start(2)
    effects = start.effects(parse_action("rolled 1 2 3 4 5 6 6 6"))
    assert effects.claimed == ("six-dice straight", 21)
    assert effects.order == ()
    position = play(start, "rolled 1 2 3 4 5 6 6 6")
    effects = position.effects(parse_action("rolled 1 1 2 3 3 4 5 5"))
    assert effects.claimed is None
    assert effects.order == ("red", "blue")
    assert effects.sentences()[0] == "The turn order is red, blue."
    position = play(start, "rolled 2 2 4 4 4 4 4 4", "rolled 1 1 2 3 3 4 5 5")
    effects = position.effects(parse_action("claim six of a kind"))
    assert effects.claimed == ("six of a kind", 24)
    assert effects.sentences()[0] == "Red scores six of a kind: 24 points."


def test_an_illegal_action_has_no_effects() -> None:
    with pytest.raises(IllegalAction):
        PUSH.effects(Place(2, "center"))
