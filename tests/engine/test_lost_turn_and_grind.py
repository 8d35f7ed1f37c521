"""Lost turns, and the endgame grind."""

from __future__ import annotations

import pytest

from engine.actions import Place
from engine.errors import PositionError
from engine.position import Position
from tests.engine.tables import play, rules, table, texts

THREE_LOCKED = {1: "rrr", 6: "rrr"}


def test_both_edges_on_locked_rows_lose_the_turn() -> None:
    # rule 6:1.A
    rows = {"red": "35", "blue": "12345666", "green": "11223344"}
    position = table("boundary-roll blue high", rows, THREE_LOCKED)
    assert play(position, "rolled 2 3 6").turn_colour == "green"
    assert play(position, "rolled 2 3 6").phase == "boundary-choice"
    assert play(position, "rolled 2 3 5").phase == "placement"


def test_one_open_edge_keeps_the_turn_and_must_be_played() -> None:
    # rule 6:1.A, 4
    rows = {"red": "35", "blue": "12345666", "green": "11223344"}
    position = play(table("boundary-roll blue high", rows, THREE_LOCKED), "rolled 2 3 5")
    assert position.phase == "placement"
    assert texts(position.legal_actions()) == ["place 5 center"]


def test_the_re_rolled_row_is_kept_after_a_lost_turn() -> None:
    # rule 4:1.C, 6:1.A
    rows = {"red": "35", "blue": "12345666", "green": "11223344"}
    position = play(table("boundary-roll blue high", rows, THREE_LOCKED), "rolled 2 3 6")
    assert position.rows[1] == (1, 2, 2, 3, 3, 4, 5, 6)


STUCK_BLUE = {"red": "35", "blue": "16", "green": "11223344"}
"""Blue's last two dice lie on rows that are locked in STUCK_LAWN."""
STUCK_LAWN = {1: "rrr", 6: "rrr", 2: "bbb", 3: ".b.", 4: ".b.", 5: ".b."}


def test_the_last_two_dice_are_rolled_before_they_are_judged() -> None:
    # rule 6:2.A, R2
    position = play(table("placement red", STUCK_BLUE, STUCK_LAWN), "place 3 left")
    assert (position.phase, position.turn_colour) == ("boundary-choice", "blue")
    position = play(position, "boundary low")
    assert play(position, "rolled 5").phase == "placement"
    lost = play(position, "rolled 2")
    assert (lost.phase, lost.turn_colour) == ("boundary-choice", "green")


def test_the_last_two_dice_can_be_judged_before_the_roll() -> None:
    # rule 6:2.A, R2 option before-roll
    option = "endgame-block before-roll"
    with pytest.raises(PositionError, match="the turn is forfeited"):
        table("boundary-choice blue", STUCK_BLUE, STUCK_LAWN, options=option)
    position = table("placement red", STUCK_BLUE, STUCK_LAWN, options=option)
    assert position.effects(Place(3, "left")).lost_turns == ("blue",)
    position = play(position, "place 3 left")
    assert (position.phase, position.turn_colour) == ("boundary-choice", "green")
    assert position.lost == 1


def test_three_blocked_dice_are_rolled_even_when_judged_before_the_roll() -> None:
    # rule 6:2.A is about the final one or two dice
    rows = {**STUCK_BLUE, "red": "3", "blue": "126"}
    lawn = {1: "rrr", 6: "rrr", 2: "bbb", 3: ".b.", 4: ".br"}
    position = table("placement red", rows, lawn, options="endgame-block before-roll")
    assert play(position, "place 3 left").turn_colour == "blue"


def test_all_stuck_before_the_roll_is_a_deadlock_that_ends_the_round() -> None:
    # R2 option before-roll: nobody may ever roll again
    lawn = {1: "rrr", 2: "rrr", 3: "bbb", 4: "bbb", 6: ".w."}
    rows = {"red": "26", "blue": "12"}
    captured = {"red": "12", "blue": "34"}
    option = "endgame-block before-roll"
    over = play(
        table("placement red", rows, lawn, captured=captured, options=option), "place 6 left"
    )
    assert (over.is_over, over.end_reason) == (True, "deadlock")
    # By the house's ruling the same table plays on.
    on = play(table("placement red", rows, lawn, captured=captured), "place 6 left")
    assert on.turn_colour == "blue"


def test_a_player_with_an_empty_row_is_passed_over() -> None:
    # R10
    lawn = {1: "bbb", 2: "bbb", 3: "brb", 6: ".r."}
    rows = {"red": "133456", "blue": "", "green": "11223344"}
    position = play(table("placement red", rows, lawn), "place 6 left")
    assert position.turn_colour == "green"
    with pytest.raises(PositionError, match="passed over"):
        table("boundary-choice blue", rows, lawn)


# --- the grind ----------------------------------------------------------------------------

CAUGHT = {"blue": "16"}
SOLO_LAWN = {1: "bbb", 6: "bbb", 2: "rwb", 3: "rwb"}


def solo(phase: str, red: str, options: str = "") -> Position:
    """Blue has placed all eight dice."""
    return table(phase, {"red": red, "blue": ""}, SOLO_LAWN, captured=CAUGHT, options=options)


def test_the_grind_starts_with_a_boundary_roll() -> None:
    # rule 6:2.B, R3
    position = solo("boundary-choice red", "112346")
    position = play(position, "boundary low", "rolled 1 2")
    assert position.phase == "grind-roll"
    assert position.turn_colour == "red"
    assert position.dice_in_the_air == 6
    assert rules(position, "rolled 1 2") == ["6:2.B"]


def test_the_grind_goes_on_until_a_boundary_die_is_playable() -> None:
    # rule 6:2.B, R3
    position = solo("grind-roll red", "112346")
    again = play(position, "rolled 1 2 3 4 5 6")
    assert again.phase == "grind-roll"
    assert again.rows[0] == (1, 2, 3, 4, 5, 6)
    position = play(again, "rolled 1 1 1 1 1 5")
    assert position.phase == "placement"
    assert texts(position.legal_actions()) == ["place 5 left", "place 5 right"]


def test_the_last_player_never_loses_a_turn() -> None:
    # rule 6:2.B
    position = solo("boundary-choice red", "223344")
    position = play(position, "boundary low", "rolled 2 2", "place 4 left")
    assert (position.phase, position.turn_colour) == ("boundary-choice", "red")


def test_a_push_that_gives_an_opponent_a_die_ends_the_grind() -> None:
    # R3
    position = solo("placement red", "233446")
    position = play(position, "place 2 left", "rolled 5")
    assert position.rows[1] == (5,)
    assert position.turn_colour == "blue"
    lost = play(position, "boundary low", "rolled 1")
    assert (lost.phase, lost.turn_colour) == ("boundary-choice", "red")
    assert lost.rows[1] == (1,)


def test_with_an_opponent_in_play_a_blocked_player_loses_the_turn() -> None:
    # rule 6:2.A against 6:2.B
    lawn = {**SOLO_LAWN, 3: ".wr"}
    position = table("boundary-roll red low", {"red": "112346", "blue": "3"}, lawn, captured=CAUGHT)
    position = play(position, "rolled 1 2")
    assert (position.phase, position.turn_colour) == ("boundary-choice", "blue")


def test_the_grind_can_replace_the_boundary_roll() -> None:
    # R3 option at-once
    option = "grind at-once"
    position = solo("placement red", "233446", option)
    position = play(position, "place 2 right", "rolled 5")  # pushes the own die
    assert position.phase == "grind-roll"
    assert position.dice_in_the_air == 6
    assert play(position, "rolled 2 2 2 3 3 3").phase == "placement"
    with pytest.raises(PositionError, match="grinds at once"):
        solo("boundary-choice red", "233446", option)


@pytest.mark.parametrize(
    ("phase", "rows", "message"),
    [
        ("grind-roll red", {"red": "222346", "blue": ""}, "an edge die can be placed"),
        ("placement red", {"red": "122346", "blue": ""}, "nothing can be placed"),
        ("boundary-choice blue", {"red": "122346", "blue": ""}, "passed over"),
    ],
)
def test_phases_that_cannot_be_are_no_positions(
    phase: str, rows: dict[str, str], message: str
) -> None:
    # rule 6:1.A, 6:2.B, R3, R10
    with pytest.raises(PositionError, match=message):
        table(phase, rows, SOLO_LAWN, captured=CAUGHT)
