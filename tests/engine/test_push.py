"""The push, the re-entry of the displaced die, and the capture of neutral dice."""

from __future__ import annotations

import pytest

from engine.errors import PositionError
from engine.lawn import EMPTY, NEUTRAL, placements
from tests.engine.tables import names, play, rules, table

RED, BLUE, GREEN = 0, 1, 2


def test_a_play_on_a_row_of_three_pushes() -> None:
    # rule 5:1.A
    rows = {"red": "1123566", "blue": "112233", "green": "11223344"}
    position = table("placement red", rows, {6: "brb"})
    assert names(position)[-2:] == [
        "place 6 at left flank, pushes blue",
        "place 6 at right flank, pushes blue",
    ]


def test_playing_on_the_left_slides_the_row_right_and_drops_the_right_die() -> None:
    # rule 5:1.B
    assert placements((RED, BLUE, GREEN), RED)["left"] == ((RED, RED, BLUE), GREEN)


def test_playing_on_the_right_slides_the_row_left_and_drops_the_left_die() -> None:
    # rule 5:1.B
    assert placements((RED, BLUE, GREEN), GREEN)["right"] == ((BLUE, GREEN, GREEN), RED)


def test_the_center_cannot_be_played_on_a_full_row() -> None:
    # rule 4:3.C, 5:1.B
    rows = {"red": "1123566", "blue": "112233", "green": "11223344"}
    assert rules(table("placement red", rows, {6: "brb"}), "place 6 center") == ["4:3.C"]


def test_the_pusher_rolls_the_displaced_die() -> None:
    # rule 5:2.A
    rows = {"red": "1123566", "blue": "112233", "green": "11223344"}
    position = play(table("placement red", rows, {6: "brb"}), "place 6 left")
    assert (position.phase, position.turn_colour) == ("re-entry", "red")
    assert position.displaced == BLUE
    assert position.dice_in_the_air == 1
    assert len(position.chance_outcomes()) == 6
    assert rules(position, "rolled 1 2") == ["5:2.A"]
    assert rules(position, "boundary low") == ["5:2.A"]


def test_the_owner_puts_the_displaced_die_back_in_sequence() -> None:
    # rule 5:2.B
    rows = {"red": "1123566", "blue": "112244", "green": "11223344"}
    position = play(table("placement red", rows, {6: "brb"}), "place 6 left", "rolled 3")
    assert position.rows[BLUE] == (1, 1, 2, 2, 3, 4, 4)
    assert position.lawn[5] == (RED, BLUE, RED)
    assert (position.phase, position.turn_colour) == ("boundary-choice", "blue")


def test_a_pushed_own_die_is_rolled_and_goes_back_to_the_own_row() -> None:
    # R1
    rows = {"red": "112566", "blue": "1122334", "green": "11223344"}
    position = table("placement red", rows, {6: "rbr"})
    assert names(position)[-2] == "place 6 at left flank, pushes the own die"
    position = play(position, "place 6 left")
    assert (position.phase, position.displaced) == ("re-entry", RED)
    position = play(position, "rolled 4")
    assert position.rows[RED] == (1, 1, 2, 4, 5, 6)


def test_a_pushed_own_die_can_keep_its_face() -> None:
    # R1, option own-push keep-face
    rows = {"red": "112566", "blue": "1122334", "green": "11223344"}
    position = table("placement red", rows, {6: "rbr"}, options="own-push keep-face")
    position = play(position, "place 6 left")
    assert position.rows[RED] == (1, 1, 2, 5, 6, 6)
    assert (position.phase, position.turn_colour) == ("boundary-choice", "blue")


def test_pushing_a_neutral_die_off_captures_it() -> None:
    # rule 5:3.A
    rows = {"red": "1123566", "blue": "1122334"}
    position = table("placement red", rows, {6: "wrb"})
    assert names(position)[-1] == "place 6 at right flank, captures white 6"
    position = play(position, "place 6 right")
    assert position.captured == ((6,), ())
    assert position.lawn[5] == (RED, BLUE, RED)


def test_a_captured_die_keeps_its_face_and_scores_it() -> None:
    # rule 5:3.B, 7:2.B
    rows = {"red": "12356", "blue": "112234"}
    position = table("placement red", rows, {1: "rbr", 6: "wrb"}, captured={"blue": "1"})
    position = play(position, "place 6 right")
    assert position.captured == ((6,), (1,))
    assert [score.captured for score in position.scores()] == [6, 1]


def test_a_captured_die_does_not_re_enter_play() -> None:
    # rule 5:3.B
    rows = {"red": "1123566", "blue": "1122334"}
    position = play(table("placement red", rows, {6: "wrb"}), "place 6 right")
    assert (position.phase, position.turn_colour) == ("boundary-choice", "blue")
    assert NEUTRAL not in position.lawn[5]
    assert [len(row) for row in position.rows] == [6, 7]


def test_a_push_shifts_the_neutral_die_to_a_flank_before_it_can_be_captured() -> None:
    # rule 5:1.B, 5:3.A
    rows = {"red": "1123566", "blue": "1122336"}
    position = play(table("placement red", rows, {6: "rwb"}), "place 6 left")
    assert position.lawn[5] == (RED, RED, NEUTRAL)
    assert position.displaced == BLUE
    position = play(position, "rolled 3")
    position = play(position, "boundary low", "rolled 1 1", "place 6 left")
    assert position.captured == ((), (6,))
    assert position.lawn[5] == (BLUE, RED, RED)


def test_a_push_can_lock_a_row() -> None:
    # rule 4:3.D after 5:1.B
    rows = {"red": "112356", "blue": "1122334", "green": "11223344"}
    position = table("placement red", rows, {6: "brr"})
    assert names(position)[-1] == "place 6 at right flank, pushes blue, locks row 6"
    position = play(position, "place 6 right")
    assert position.locked_rows == (6,)
    assert position.phase == "re-entry"
    assert play(position, "rolled 2").locked_rows == (6,)


def test_a_capture_can_lock_a_row() -> None:
    # rule 4:3.D after 5:3.A
    position = table("placement red", {"red": "112356", "blue": "11223344"}, {6: "rrw"})
    assert names(position)[-2] == "place 6 at left flank, captures white 6, locks row 6"
    position = play(position, "place 6 left")
    assert position.lawn[5] == (RED, RED, RED)
    assert position.score(RED).lawn == 18


def test_a_die_re_enters_the_row_of_a_player_who_was_out() -> None:
    # rule 5:2.B, R10
    lawn = {1: "rwb", 2: "rwb", 3: "rwb", 4: "rwb", 5: "bwb", 6: "bwb"}
    position = table("placement red", {"red": "1356", "blue": ""}, lawn)
    position = play(position, "place 6 left", "rolled 4")
    assert position.rows[BLUE] == (4,)
    assert position.turn_colour == "blue"


def test_the_sides_of_an_empty_place_are_no_pushes() -> None:
    # rule 5:1.A
    for row in ((EMPTY, RED, BLUE), (RED, BLUE, EMPTY), (EMPTY, RED, EMPTY)):
        assert all(pushed == EMPTY for _, pushed in placements(row, GREEN).values())


def test_a_die_in_the_air_needs_a_push_to_have_come_from() -> None:
    # rule 5:2.A
    rows = {"red": "1123566", "blue": "1123344"}
    with pytest.raises(PositionError, match="no row of the Lawn shows that player's push"):
        table("re-entry red rolls blue", rows, {1: "rw."})
