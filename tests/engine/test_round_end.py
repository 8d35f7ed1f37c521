"""When a round is over, and what it scores."""

from __future__ import annotations

import pytest

from engine.errors import IllegalAction, PositionError
from engine.scoring import RoundScore
from tests.engine.tables import play, rules, table


def test_the_round_goes_on_while_a_player_holds_dice() -> None:
    # rule 7:1.A
    lawn = {1: "rwr", 2: "rwr", 3: "rwr", 4: "bwb", 5: "bwb", 6: "bw."}
    position = table("boundary-choice red", {"red": "36", "blue": "166"}, lawn)
    assert not position.is_over
    assert position.end_reason == ""


def test_the_exact_moment_is_the_last_placement() -> None:
    # rule 7:1.A
    lawn = {1: "rrr", 2: "rrr", 3: "bbb", 4: "bbb", 5: "bw.", 6: ".wb"}
    captured = {"red": "12", "blue": "34"}
    rows = {"red": "56", "blue": ""}
    position = table("placement red", rows, lawn, captured=captured)
    position = play(position, "place 5 right")
    assert not position.is_over
    position = play(position, "boundary low", "rolled 6", "place 6 left")
    assert position.is_over
    assert position.end_reason == "all dice placed"
    assert position.legal_actions() == ()
    assert position.turn_colour is None


def test_a_last_die_that_pushes_an_opponent_does_not_end_the_round() -> None:
    # rule 7:1.A with 5:2
    lawn = {1: "rrr", 2: "rrr", 3: "bbb", 4: "bbb", 5: "rwb", 6: ".wb"}
    captured = {"red": "12", "blue": "34"}
    position = table("placement red", {"red": "5", "blue": ""}, lawn, captured=captured)
    position = play(position, "place 5 left")
    assert position.phase == "re-entry"
    position = play(position, "rolled 6")
    assert (position.turn_colour, position.rows) == ("blue", ((), (6,)))


def test_a_last_die_that_captures_ends_the_round() -> None:
    # rule 7:1.A with 5:3
    lawn = {1: "rrr", 2: "rrr", 3: "bbb", 4: "bbb", 5: "wrb", 6: ".wb"}
    captured = {"red": "12", "blue": "34"}
    position = table("placement red", {"red": "5", "blue": ""}, lawn, captured=captured)
    position = play(position, "place 5 right")
    assert position.is_over
    assert position.captured == ((1, 2, 5), (3, 4))


def test_a_round_score_has_three_components() -> None:
    # rule 7:2.A, 7:2.B, 7:2.C
    lawn = {1: "rrr", 2: "rrr", 3: "bbb", 4: "bbb", 5: "wrb", 6: ".wb"}
    captured = {"red": "12", "blue": "34"}
    position = table("placement red", {"red": "5", "blue": ""}, lawn, captured=captured)
    red, blue = play(position, "place 5 right").scores()
    assert red == RoundScore(base=24, bonus=0, category="", captured=8, lawn=3 + 6)
    assert (red.total, blue.total) == (24 + 8 + 9, 24 + 7 + 21)
    assert red.to_json() == {
        "base": 24,
        "bonus": 0,
        "category": None,
        "captured": 8,
        "lawn": 9,
        "total": 41,
    }


def test_only_complete_rows_of_one_colour_score() -> None:
    # rule 7:2.C
    rows = {"red": "1123", "blue": "112344", "green": "112233"}
    position = table("placement red", rows, {5: "rr.", 6: "rbr", 4: "gbg"})
    assert [score.lawn for score in position.scores()] == [0, 0, 0]


def test_nothing_can_be_played_after_the_round() -> None:
    # rule 7:1.A
    lawn = {1: "rrr", 2: "rrr", 3: "bbb", 4: "bbb", 5: "rbr", 6: ".wb"}
    position = table(
        "round-over", {"red": "", "blue": ""}, lawn, captured={"red": "125", "blue": "34"}
    )
    for text in ("boundary low", "place 1 left", "rolled 1", "claim fully matched"):
        assert rules(position, text) == ["7:1.A"]
        with pytest.raises(IllegalAction, match="The round is over"):
            play(position, text)
    assert position.why_not(position.action_named("rolled 1"), by="red")[0].rule == "7:1.A"


# --- the three endings of a three-player round (R4) -----------------------------------------

LOCKS = {1: "rrr", 6: "rrr", 2: "bbb"}
THREE = {"red": "16", "blue": "12345", "green": "11223344"}


def test_gridlock_a_full_circuit_of_lost_turns_ends_the_round() -> None:
    # R4 gridlock
    position = table("boundary-choice red", THREE, LOCKS)
    position = play(position, "boundary low", "rolled 1")
    assert (position.lost, position.turn_colour) == (1, "blue")
    position = play(position, "boundary high", "rolled 6")
    assert (position.lost, position.turn_colour) == (2, "green")
    position = play(position, "boundary high", "rolled 6 6")
    assert position.is_over
    assert position.end_reason == "gridlock"


def test_gridlock_a_placement_breaks_the_run_of_lost_turns() -> None:
    # R4 gridlock
    position = table("boundary-choice blue", THREE, LOCKS, lost=1)
    position = play(position, "boundary high", "rolled 5")
    assert (position.phase, position.lost) == ("placement", 0)
    assert play(position, "place 5 center").lost == 0


def test_gridlock_players_who_are_passed_over_have_no_turn_to_lose() -> None:
    # R4 gridlock with R10: two players hold dice, so two lost turns are a full circuit
    lawn = {1: "bbb", 6: "bbb", 2: "rgr", 3: "brb"}
    rows = {"red": "11266", "blue": "", "green": "1122366"}
    position = table("boundary-choice red", rows, lawn)
    position = play(position, "boundary low", "rolled 1 6")
    assert (position.lost, position.turn_colour) == (1, "green")
    position = play(position, "boundary low", "rolled 1 6")
    assert position.end_reason == "gridlock"


def test_lawn_locked_does_not_end_by_lost_turns() -> None:
    # R4 lawn-locked
    position = table("boundary-choice red", THREE, LOCKS, options="ending lawn-locked")
    for edge, thrown in (("low", "1"), ("high", "6"), ("high", "6 6"), ("low", "1")):
        position = play(position, f"boundary {edge}", f"rolled {thrown}")
    assert (position.turn_colour, position.lost) == ("blue", 0)


@pytest.mark.parametrize("ending", ["gridlock", "lawn-locked", "first-out"])
def test_six_locked_rows_end_the_round_whatever_the_ending(ending: str) -> None:
    # R4
    lawn = {1: "rrr", 2: "rrr", 3: "bbb", 4: "bbb", 5: "ggg", 6: "gg."}
    rows = {"red": "11", "blue": "22", "green": "336"}
    options = "" if ending == "gridlock" else f"ending {ending}"
    position = table("placement green", rows, lawn, options=options)
    position = play(position, "place 6 right")
    assert position.end_reason == "lawn locked"
    assert [score.lawn for score in position.scores()] == [9, 21, 33]


def test_a_push_that_locks_the_sixth_row_is_completed_first() -> None:
    # R4, 5:2: the displaced die is rolled and re-enters before the end is judged
    lawn = {1: "rrr", 2: "rrr", 3: "bbb", 4: "bbb", 5: "ggg", 6: "bgg"}
    rows = {"red": "11", "blue": "2", "green": "336"}
    position = play(table("placement green", rows, lawn), "place 6 right")
    assert position.phase == "re-entry"
    position = play(position, "rolled 5")
    assert position.end_reason == "lawn locked"
    assert position.rows == ((1, 1), (2, 5), (3, 3))


def test_first_out_ends_when_a_row_is_empty_at_the_end_of_a_turn() -> None:
    # R4 first-out
    lawn = {1: "rrr", 2: "rgr", 3: "rb.", 6: "rb."}
    rows = {"red": "6", "blue": "113344", "green": "1122344"}
    on = play(table("placement red", rows, lawn), "place 6 right")
    assert on.turn_colour == "blue"
    over = play(table("placement red", rows, lawn, options="ending first-out"), "place 6 right")
    assert over.end_reason == "first out"


def test_first_out_waits_for_an_own_die_that_comes_back() -> None:
    # R4 first-out with R1
    lawn = {1: "rrr", 2: "rgr", 3: ".b.", 6: "rbr"}
    rows = {"red": "6", "blue": "113344", "green": "1122344"}
    position = table("placement red", rows, lawn, options="ending first-out")
    position = play(position, "place 6 right", "rolled 2")
    assert not position.is_over
    assert position.rows[0] == (2,)


@pytest.mark.parametrize("ending", ["lawn-locked", "first-out"])
def test_the_ending_is_for_three_players_only(ending: str) -> None:
    # R4, rule 7:1.A
    lawn = {1: "rwr", 2: "rwr", 3: "rwr", 4: "rw.", 6: ".w."}
    rows = {"red": "6", "blue": "11223344"}
    position = table("placement red", rows, lawn, options=f"ending {ending}")
    assert play(position, "place 6 left").turn_colour == "blue"


def test_a_round_is_not_over_before_its_end_and_not_going_on_after_it() -> None:
    # rule 7:1.A
    with pytest.raises(PositionError, match="not over yet"):
        table("round-over", {"red": "11223344", "blue": "11223344"})
    lawn = {1: "rrr", 2: "rrr", 3: "bbb", 4: "bbb", 5: "ggg", 6: "ggg"}
    with pytest.raises(PositionError, match="the round is over: lawn locked"):
        table("boundary-choice red", {"red": "11", "blue": "22", "green": "33"}, lawn)
