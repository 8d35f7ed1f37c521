"""Match records: the first line that cannot be is named, with its rule, its reasons and the position."""

from __future__ import annotations

import random

import pytest

from engine.match import Match
from engine.options import Options
from engine.position import Position
from engine.record import Record
from engine.record_header import result_text, wrong_result
from engine.record_lines import FormError
from tests.engine.matches import (
    FOUR_TURNS,
    HEAD,
    LOCKED,
    TIED,
    TWO_BONUSES,
    golden,
    last_die,
    play,
    random_action,
    random_match,
    refused,
)

# --- what is refused, and by which rule --------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "rules", "said"),
    [
        ("blue low -> 1, place 1 left", {"3:4.A"}, "It is red's turn, not blue's"),
        ("pink low -> 1, place 1 left", {"1:1"}, "'pink' is no player here"),
        ("red low 5 -> 6, place 6 left", {"4:1.A"}, "is 1, not 5"),
        ("red high 6 -> 6", {"4:1.B"}, "is 66666, and all of it is rolled, not 6"),
        ("red high -> 6", {"4:1.B"}, "The whole boundary set is rolled, 5 dice, not 1"),
        ("red place 5 left", {"4:1"}, "Red must choose an edge"),
        ("red low -> 2, place 5 left", {"4:2.A"}, "The 5 is an inner die"),
        ("red low -> 6, place 6 center", {"4:3.C"}, "The center of row 6 is taken"),
        ("red low -> 6, place 6 left, push blue -> 1", {"5:1.A"}, "Nothing is pushed off"),
        ("red low -> 6, place 6 left, capture 6", {"5:3.A"}, "No neutral die is pushed off"),
        ("red low -> 6, place 6 left, lock 6", {"4:3.D"}, "No row is locked"),
        ("red low -> 6, lost turn", {"6:1.A"}, "Red can place a die, so no turn is lost"),
        ("red low -> 6, place 6 left, lost turn", {"6:1.A"}, "Red has not been blocked"),
        ("red low, lost turn", {"6:1.A"}, "Red has not been blocked"),
        ("red lost turn", {"6:2.A"}, "Red loses no turn here without a boundary roll"),
        ("red grind -> 6", {"6:2.B"}, "only for the last player with dice"),
        ("red low -> 6, grind -> 11111111", {"6:2.B"}, "only for the last player with dice"),
        ("red claims fully matched", {"3:1.A", "3:2.D", "4:1"}, "Red must choose an edge"),
        ("red big roll 11111111", {"3:1.A"}, "The Big Rolls and tie-breaks of this round are done"),
        ("blue tie-break 11111111", {"3:1.A", "3:4.A"}, "It is red's turn"),
        ("Round 2", {"7:1.A"}, "Round 1 is not over"),
        ("Order: blue, red", {"3:4.A"}, "The turn order is red, blue"),
        ("End: gridlock", {"7:1.A"}, "The round is not over"),
        ("Scores: red 5", {"7:1.A"}, "The round is not over"),
    ],
)
def test_an_illegal_line_is_refused_by_its_rule(line: str, rules: set[str], said: str) -> None:
    error = refused(HEAD + line + "\nred nonsense")
    assert error.line == 4
    assert error.text == line
    assert error.rules
    assert error.rules <= rules
    assert said in str(error)
    before = Record.from_string(HEAD).match.position
    assert Position.from_string(error.before_turn) == before
    Position.from_string(error.position)


def test_who_is_no_player_is_told_who_plays_and_how_players_are_written() -> None:
    # rule 1:1
    error = refused("Players: Anna red, Ben blue\nred big roll 11223344")
    assert (error.line, error.rules) == (2, {"1:1"})
    assert error.reasons[0].text == (
        "'red' is no player here; the players are anna and ben. A player is written colour first, "
        "as in 'Players: red Anna, blue Ben', and a turn begins with the colour"
    )


@pytest.mark.parametrize(
    ("old", "new", "line", "rules"),
    [
        ("blue -> 3", "red -> 3", 6, {"5:1.B"}),
        ("push blue -> 3", "capture 6", 6, {"5:3.A"}),
        ("capture 6", "capture 5", 8, {"5:3.B"}),
        ("capture 6", "push blue -> 6", 8, {"5:3.A"}),
        ("lock 6", "lock 5", 8, {"4:3.D"}),
        ("low 11 -> 46, place 3 left", "low 11 -> 46, place 6 left", 9, {"4:3.D"}),
        (", place 5 right", "", 7, {"4", "4:2"}),
        (", push blue -> 3", "", 6, {"4", "5:2.A"}),
        (" -> 26, place 6 left, push blue -> 3", "", 6, {"4", "4:1.B"}),
        ("15566666", "1556666", 2, {"3:1.A"}),
    ],
)
def test_what_did_not_happen_so_is_refused_where_it_stands(
    old: str, new: str, line: int, rules: set[str]
) -> None:
    text = HEAD + LOCKED
    assert old in text
    error = refused(text.replace(old, new, 1))
    assert (error.line, error.rules) == (line, rules)


def test_all_reasons_are_given_not_only_the_first() -> None:
    error = refused(HEAD + "red low 5 -> 66, place 6 left")
    assert [reason.rule for reason in error.reasons] == ["4:1.A", "4:1.B"]
    error = refused(HEAD + "red low -> 6, place 6 left\nred low -> 6, place 6 left")
    assert error.rules == {"3:4.A"}
    error = refused(HEAD + "red low -> 2, place 6 left\nblue low -> 26, place 6 left")
    assert [reason.rule for reason in error.reasons] == ["4:3.C", "5:1.A"]


def test_the_position_at_the_refused_step_follows_the_legal_ones() -> None:
    error = refused(HEAD + "red low -> 6, place 6 center")
    assert Position.from_string(error.before_turn).phase == "boundary-choice"
    there = Position.from_string(error.position)
    assert (there.phase, there.rows[0]) == ("placement", (5, 5, 6, 6, 6, 6, 6, 6))


@pytest.mark.parametrize(
    ("text", "line", "rules"),
    [
        (TIED + "red big roll 11111111", 4, {"3:4.B"}),
        (HEAD.replace("red big roll", "red tie-break"), 2, {"3:4.B"}),
        (HEAD.replace("15566666", "15566666, bonus fully matched"), 2, {"3:2"}),
        (HEAD.replace("15566666", "15566666, bonus none"), 2, {"3:2"}),
        (HEAD.replace("15566666", "15566666, score 70"), 2, {"7:2.A"}),
        (TWO_BONUSES.replace("11222222", "11222222, bonus fully matched"), 2, {"3:2.D"}),
        (TWO_BONUSES.replace("11222222", "11222222, score 28"), 2, {"3:2.D"}),
        (TWO_BONUSES + "red claims five of a kind", 4, {"3:2"}),
        (TWO_BONUSES + "red claims six of a kind, score 28", 4, {"7:2.A"}),
        (TWO_BONUSES + "red low -> 1, place 1 left", 4, {"3:2.D"}),
        (TIED + "Order: red, blue", 4, {"3:4.A"}),
        (HEAD + FOUR_TURNS + "Order: red, blue", 8, {"3:4.A"}),
    ],
)
def test_big_rolls_elections_and_ties_are_checked(text: str, line: int, rules: set[str]) -> None:
    # rule 3
    error = refused(text)
    assert (error.line, error.rules) == (line, rules)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("red", "what the player did is expected"),
        ("red flies", "'flies' is nothing a player can do"),
        ("red low -> 7", "a die shows a face from 1 to 6, not '7'"),
        ("red low ->", "what the dice show is expected in 'red low ->', but nothing follows"),
        ("red low 1 -> 6 place 6 left", "'place' is one word too many"),
        ("red low 1 -> 6, place 6", "left, center or right is expected"),
        ("red low 1 -> 6, place 6 top", "left, center or right is expected"),
        ("red low 1 -> 6, place 66 left", "one die is meant"),
        ("red low 1 -> 6, place left", "what the dice show is expected in 'place left'"),
        ("red low 1 -> 6, low 1 -> 6", "something stands twice"),
        ("red low 1 -> 6, place 6 left, grind -> 6", "rolls come before the placement"),
        ("red low 1 -> 6, score 5", "lines of their own"),
        ("red low 1 -> 6, push blue -> 1", "a push follows a placement"),
        ("red push blue -> 1", "a push follows a placement"),
        ("red lock 6", "a lock follows a placement"),
        ("red low 111111111 -> 6", "a player has 8 dice, not 9"),
        ("red low 1 -> 6, place 6 left!", "'!' has no meaning in 'place 6 left!'"),
        ("2. red low 1 -> 6, place 6 left", "this is turn 1 of the round, not 2"),
        ("Round 2 now", "what the player did is expected"),
        ("Date: today", "'Date' is no note between turns"),
        ("Order: ", "3:4.A"),
        ("red claims seven", "a bonus is one of five of a kind"),
        ("red low\x00 1", "does not belong in a text"),
        ("red low \x1b[31m", "does not belong in a text"),
        ("# " + "x" * 5000, "a line has at most 4000 characters"),
    ],
)
def test_a_line_of_wrong_form_is_refused_with_its_number(line: str, said: str) -> None:
    error = refused(HEAD + line)
    assert error.line == 4
    assert said in str(error)


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("", 1, "the record is empty; it begins with a line such as 'Players: red Anna, blue"),
        ("\n \n\t\r\n", 1, "the record is empty"),
        ("# nothing\n\n", 3, "the players are missing"),
        ("Date: today\nred big roll 11111111", 2, "the players are missing"),
        ("Players: red", 1, "two or three players"),
        ("Players: red Anna blue Ben", 1, "not 1; players are separated by commas: 'red Anna, "),
        ("Players: red An\u2028na, blue", 1, r"'\u2028' does not belong in a text"),
        ("Players: red, blue Ben\u2029", 1, r"'\u2029' does not belong in a text"),
        ("Players: red, blue Ben\x85", 1, r"'\x85' does not belong in a text"),
        ("Players: red, blue\nPlace: a\x0bb", 2, r"'\x0b' does not belong in a text"),
        ("\x0cPlayers: red, blue", 1, r"'\x0c' does not belong in a text"),
        ("Players: red, white", 1, "white is the colour of the neutral dice"),
        ("Players: red, , blue", 1, "players are written 'red Anna, blue Ben'"),
        ("Players: Änne, blue", 1, "a colour is one word"),
        ("Players: red, blue\nPlayers: red, blue", 2, "the tag Players stands twice"),
        ("Players: red, blue\nDATE: a\nDate: b", 3, "the tag Date stands twice"),
        ("Players: red, blue\nThreshold: many", 2, "the threshold is a whole number"),
        ("Players: red, blue\nThreshold: 0", 2, "the threshold is a whole number"),
        ("Players: red, blue\nThreshold: ٥٠٠", 2, "the threshold is a whole number"),
        ("Players: red, blue\nOptions: ending soon", 2, "Option ending takes"),
        ("Players: red, blue\nOptions: quick", 2, "an option is written"),
        ("Options: bonus best, bonus elect", 1, "the option bonus stands twice"),
        ("Players: red, blue\nResult: red is best", 2, "a result is written"),
        ("Players: red, blue\nResult: ", 2, "a result is written"),
        ("Players: red, blue\n???", 2, "'?' has no meaning"),
    ],
)
def test_a_header_of_wrong_form_is_refused_with_its_line(text: str, line: int, said: str) -> None:
    error = refused(text)
    assert error.line == line
    assert said in str(error)
    assert error.reasons == ()


# --- whole rounds ------------------------------------------------------------------------------


def test_several_rounds_are_scored_and_totalled() -> None:
    # rule 7:2, 2:2
    record = Record.from_string(golden("two-players"))
    sheets = record.match.rounds
    # Added up by hand from the lines of the file: leads, captures, locks of round 1.
    assert [s.lead for s in sheets[0].scores] == [1 + 2 + 2 + 4 + 4 + 5 + 6 + 6, 34 + 5 * 6]
    assert [s.captured for s in sheets[0].scores] == [1 + 2, 5 + 3]
    assert [s.lawn for s in sheets[0].scores] == [3 * 5, 0]
    assert [sheet.totals for sheet in sheets] == [(48, 72), (95, 110), (144, 182)]
    assert record.match.winners == ("blue",)


@pytest.mark.parametrize(
    ("old", "new", "rules"),
    [
        ("red 30 + 3 + 15 = 48", "red 30 + 3 + 14 = 47", {"7:2"}),
        ("red 30 + 3 + 15 = 48", "red 31 + 2 + 15 = 48", {"7:2"}),
        ("red 30 + 3 + 15 = 48, blue 64 + 8 + 0 = 72", "red 49, blue 71", {"7:2"}),
        ("Totals: red 95, blue 110", "Totals: red 95, blue 111", {"2:2"}),
        ("End: all dice placed", "End: gridlock", {"7:1.A"}),
        ("blue wins,", "red wins,", {"2:2"}),
        ("blue wins,", "unfinished,", {"2:2"}),
        ("blue wins, red 144", "blue wins, red 145", {"7:2"}),
        ("Threshold: 150", "Threshold: 200", {"2:2"}),
        ("Threshold: 150", "Threshold: 100", {"2:2"}),
    ],
)
def test_scores_totals_and_the_result_are_checked(old: str, new: str, rules: set[str]) -> None:
    # rule 7:2, 2:2
    text = golden("two-players")
    error = refused(text.replace(old, new, 1))
    assert error.rules == rules
    position = Position.from_string(error.position)
    assert position.phase in ("big-roll", "round-over")


def test_only_the_sums_of_the_scores_may_be_written() -> None:
    text = golden("two-players").replace("red 30 + 3 + 15 = 48", "red 48")
    assert Record.from_string(text) == Record.from_string(golden("two-players"))


def test_a_tied_match_has_no_winner_yet() -> None:
    # R9
    match = play(last_die({"red": "16", "blue": "25"}, threshold=31), "place 3 left")
    assert result_text(match) == "unfinished, red 31, blue 31"
    (reason,) = wrong_result(match, "red wins")
    assert "tied at 31, so another round is played (R9)" in reason.text


@pytest.mark.parametrize(
    ("value", "rules"),
    [
        ("red and blue share the victory, red 31, blue 31", []),
        ("BLUE and red share the victory", []),
        ("red 31", []),
        ("red wins", ["2:2"]),
        ("unfinished, blue 30", ["2:2", "7:2"]),
    ],
)
def test_a_shared_victory_is_a_result(value: str, rules: list[str]) -> None:
    # R9
    tied = last_die({"red": "16", "blue": "25"}, threshold=31, options="match-tie shared")
    match = play(tied, "place 3 left")
    assert [reason.rule for reason in wrong_result(match, value)] == rules


@pytest.mark.parametrize(
    "value",
    ["red", "red blue", "red wins wins", "pink wins", "pink 5", "red 5 6", "and", "red and"],
)
def test_what_is_no_result_is_refused(value: str) -> None:
    match = play(last_die({"red": "26", "blue": "15"}, threshold=32), "place 3 left")
    with pytest.raises(FormError, match="a result is written"):
        wrong_result(match, value)


def test_players_may_be_called_like_words_of_the_record() -> None:
    for colours in (("wins", "and"), ("round", "low"), ("push", "end"), ("unfinished", "share")):
        start = Match.start(colours=colours, threshold=60)
        rng = random.Random(7)
        while not start.is_over:
            start = start.apply(random_action(start.position, rng))
        record = Record.of(start)
        assert Record.from_string(record.to_string()) == record


def test_lines_after_the_match_are_refused() -> None:
    # rule 2:2
    text = golden("two-players")
    for more in ("red big roll 11111111", "Round 4", "1. red low -> 5"):
        error = refused(text + more + "\n")
        assert error.line == text.count("\n") + 1
        assert error.rules == {"2:2"}


def test_score_lines_stand_once_and_in_order() -> None:
    text = golden("two-players")
    first = text.index("Scores:")
    line = text[first : text.index("\n", first) + 1]
    assert "stands twice or too late" in str(refused(text.replace(line, line + line, 1)))
    late = text.replace(line, "", 1).replace("Totals: red 48, blue 72\n", "", 1)
    late = late.replace("Round 2", f"Totals: red 48, blue 72\n{line}Round 2")
    assert "Scores stands twice or too late" in str(refused(late))
    assert "this is round 2, not 3" in str(refused(text.replace("Round 2", "Round 3")))


def test_turns_lost_without_a_roll_may_be_written_where_they_happen() -> None:
    # R2 with before-roll
    match = random_match(0, 3, options=Options(endgame_block="before-roll", ending="lawn-locked"))
    text = Record.of(match).to_string()
    assert "\n     red lost turn\n" in text
    bare = "".join(f"{line}\n" for line in text.splitlines() if not line.startswith("     "))
    assert Record.from_string(bare) == Record.from_string(text)
    error = refused(text.replace("     red lost turn\n", "     red lost turn\n" * 4, 1))
    assert error.rules == {"6:2.A"}
