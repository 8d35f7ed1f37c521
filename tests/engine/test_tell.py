"""What `lawn check` and `lawn legal` say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.errors import RecordFileError
from engine.position import Position
from engine.record import Record
from engine.record_file import MAX_BYTES, read_text
from engine.tell import Checked, checked, legal_json, legal_text
from tests.engine.matches import HEAD, golden, last_die, play
from tests.engine.tables import table

ROWS = {"red": "11256", "blue": "112233"}
LAWN = {1: "bw.", 2: "rwb", 6: "rrw"}


def test_a_fine_record_is_told_with_its_score_sheets_and_standings() -> None:
    # rule 7:2, 2:2
    lines = checked("game.lawn", golden("two-players")).text().splitlines()
    assert lines[0] == "game.lawn: every turn is legal. Ben (blue) wins with 182 after 3 rounds."
    assert lines[1:4] == [
        "  Round 1 (all dice placed)",
        "    Anna (red)    48 = 30 Big Roll +  3 captured + 15 Lawn",
        "    Ben (blue)    72 = 64 Big Roll +  8 captured +  0 Lawn with five of a kind",
    ]
    assert lines[-3:] == ["  Standings", "    1. Ben (blue)   182", "    2. Anna (red)   144"]
    three = checked("-", golden("three-players"))
    assert three.name == "standard input"
    assert "captured" not in three.text()  # rule 7:2.B: two players only
    assert three.exit_code == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            HEAD,
            "not over: 0 rounds played, round 1 has begun (red chooses an edge of the Player Row and rolls it).",
        ),
        ("Players: red, blue", "not over after 0 rounds: nobody has reached 500 alone."),
    ],
)
def test_an_unfinished_match_says_where_it_stands(text: str, said: str) -> None:
    assert checked("a", text).text() == f"a: every turn is legal. The match is {said}"


def test_a_shared_victory_names_all_winners() -> None:
    # R9
    match = last_die({"red": "16", "blue": "25"}, threshold=31, options="match-tie shared")
    record = Record(play(match, "place 3 left"), ("Anna", ""), ())
    first = Checked("a", record, None).text().splitlines()[0]
    assert first.endswith("Anna (red) and blue share the victory with 31 after 1 round.")


def test_the_json_of_a_fine_record_has_the_promised_shape() -> None:
    answer = checked("game.lawn", golden("two-players")).to_json()
    assert json.loads(json.dumps(answer)) == answer
    assert list(answer) == [
        "record", "ok", "players", "options", "threshold", "over", "winners", "rounds",
        "standings", "phase", "position",
    ]  # fmt: skip
    assert answer["players"][0] == {"colour": "red", "name": "Anna"}
    assert (answer["over"], answer["winners"], answer["phase"]) == (True, ["blue"], "match-over")
    assert answer["standings"][0] == {"place": 1, "colour": "blue", "name": "Ben", "total": 182}
    assert [each["totals"]["red"] for each in answer["rounds"]] == [48, 95, 144]
    assert Position.from_string(answer["position"]).is_over


def test_the_json_of_a_refused_record_names_line_rules_and_positions() -> None:
    answer = checked("a", HEAD + "red low 1 -> 6, place 6 center").to_json()
    assert (answer["ok"], answer["line"]) == (False, 4)
    assert answer["text"] == "red low 1 -> 6, place 6 center"
    assert answer["reasons"] == [
        {"rule": "4:3.C", "text": "The center of row 6 is taken; a die is played to a flank"}
    ]
    assert Position.from_string(answer["position"]).phase == "boundary-choice"
    assert Position.from_string(answer["step_position"]).phase == "placement"
    form = checked("a", "nonsense").to_json()
    assert form["reasons"][0]["rule"] is None
    assert (form["position"], form["step_position"]) == (None, None)
    assert checked("a", "nonsense").exit_code == 1


def test_the_refusal_of_a_form_is_told_in_two_lines() -> None:
    lines = checked("a", "Players: a, b, c, d\n").text().splitlines()
    assert lines == [
        "a: line 1 cannot be read: Players: a, b, c, d",
        "  Two or three players can play, not 4.",
    ]


def test_an_empty_record_is_told_without_an_empty_quote() -> None:
    assert checked("a", "\n\n").text().splitlines() == [
        "a: line 1 cannot be read.",
        "  The record is empty; it begins with a line such as 'Players: red Anna, blue Ben'.",
    ]


def test_a_long_line_is_shortened_for_people_only() -> None:
    fits, long = "Players: " + "x" * 71, "Players: " + "x" * 72
    assert checked("a", fits).text().splitlines()[0] == f"a: line 1 cannot be read: {fits}"
    told = checked("a", long)
    assert told.text().splitlines()[0] == f"a: line 1 cannot be read: {long[:77]}..."
    assert told.to_json()["text"] == long


def test_a_refused_control_character_is_not_printed() -> None:
    told = checked("a", "Players: red\x1b[31m, blue\u2028Ben").text().splitlines()
    assert told == [
        "a: line 1 cannot be read: Players: red\ufffd[31m, blue\ufffdBen",
        r"  The character '\x1b' does not belong in a text.",
    ]


def test_the_position_is_read_as_it_was_told() -> None:
    told = checked("a", HEAD + "red low -> 2, place 5 left").text().splitlines()[-2:]
    before, refused_at = (Position.from_string(line + "\n") for line in told)
    assert before == Record.from_string(HEAD).match.position
    assert before.phase == "boundary-choice"
    assert refused_at.phase == "placement"
    assert told[0].endswith(before.to_string())
    assert told[1].endswith(refused_at.to_string())


def test_every_legal_action_is_told_with_what_it_does() -> None:
    # rule 5:1.B, 5:3.A, 4:3.D
    position = table("placement red", ROWS, LAWN)
    assert legal_text(position).splitlines() == [
        "Red places a die from an edge of the Player Row: 3 choices.",
        "  place the 1 on the right flank of row 1  [place 1 right]",
        "      Red places a 1 at the right flank of row 1. Blue chooses an edge.",
        "  place the 6 on the left flank of row 6, captures white 6, locks row 6  [place 6 left]",
        "      Red places a 6 at the left flank of row 6. Red captures the white 6. Red locks "
        "row 6. Blue chooses an edge.",
        "  place the 6 on the right flank of row 6, pushes the own die  [place 6 right]",
        "      Red places a 6 at the right flank of row 6. An own die is pushed off the Lawn. "
        "Red rolls the die that was pushed off.",
    ]


def test_the_json_of_a_position_has_an_outcome_for_each_action() -> None:
    position = table("placement red", ROWS, LAWN)
    answer = legal_json(position)
    assert json.loads(json.dumps(answer)) == answer
    assert (answer["phase"], answer["turn"], answer["chance"]) == ("placement", "red", False)
    assert [each["action"] for each in answer["actions"]] == [
        "place 1 right", "place 6 left", "place 6 right"
    ]  # fmt: skip
    locks = answer["actions"][1]
    assert (locks["effects"]["captured"], locks["effects"]["locks"]) == (6, 6)
    assert locks["effects"]["next"] == "blue"
    assert "probability" not in locks
    for action, each in zip(position.legal_actions(), answer["actions"], strict=True):
        assert Position.from_string(each["position"]) == position.apply(action)


def test_dice_in_the_air_are_listed_with_their_probabilities() -> None:
    # rule 4:1.B
    position = table("boundary-roll red low", {"red": "11233455", "blue": "11233455"})
    answer = legal_json(position)
    assert answer["chance"]
    assert len(answer["actions"]) == 21
    assert sum(each["probability"] for each in answer["actions"]) == pytest.approx(1)
    assert answer["actions"][0]["probability"] == pytest.approx(1 / 36)
    lines = legal_text(position).splitlines()
    assert lines[:2] == [
        "Red rolls the low edge: 21 possible rolls.",
        "     2.7778 %  the dice show 1 1  [rolled 1 1]",
    ]


def test_a_lost_turn_is_told_with_who_moves_next() -> None:
    # rule 6:1.A
    rows = {"red": "6", "blue": "112233"}
    lawn = {6: "rrr", 5: "rwr", 4: "rwb", 3: "rwb"}
    position = table("boundary-roll red low", rows, lawn, captured={"red": "6"})
    answer = legal_json(position)
    assert [each["effects"]["lost_turns"] for each in answer["actions"]] == [[]] * 5 + [["red"]]
    assert "Red is blocked and loses the turn. Blue chooses an edge." in legal_text(position)


def test_a_round_that_is_over_has_no_actions_but_scores() -> None:
    # rule 7:1.A
    over = play(last_die({"red": "26", "blue": "15"}, threshold=9), "place 3 left").position
    assert legal_text(over) == "The round is over (all dice placed): red 32, blue 30."
    answer = legal_json(over)
    assert (answer["over"], answer["actions"]) == ("all dice placed", [])
    assert answer["scores"]["red"]["total"] == 32


def test_a_single_legal_action_is_one() -> None:
    lawn = {1: "rbr", 2: "brb", 3: "rwb", 4: "bwr", 5: "rwb", 6: "bwr"}
    rows = {"red": "1", "blue": "1"}
    position = table("boundary-choice red", rows, lawn, captured={"red": "1", "blue": "2"})
    assert legal_text(position).startswith(
        "Red chooses an edge of the Player Row and rolls it: 1 choice.\n"
    )


# --- files -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\x89PNG\r\n\0\0", "it is a binary file, no match record."),
        (b"Players: red, blue\n# \xff\n", "line 2 is not UTF-8 text; save the file as UTF-8."),
        ("Players: red".encode("utf-16"), "it is text in UTF-16; save it as UTF-8."),
        (b"#" * (MAX_BYTES + 1), "it is larger than 1 MB, so it is no match record."),
    ],
)
def test_a_file_that_is_no_text_is_one_sentence(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "a.lawn"
    path.write_bytes(content)
    with pytest.raises(RecordFileError) as caught:
        read_text(str(path))
    assert str(caught.value) == f"{path}: {said}"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("missing.lawn", "missing.lawn: there is no such file."),
        ("", "The file name is empty; give a record file, or - for standard input."),
        (".", ".: it is a folder; give the record file in it."),
        ("a\0b", "a\0b: it cannot be read (embedded null byte)."),
    ],
)
def test_a_file_that_is_none_is_one_sentence(name: str, said: str) -> None:
    with pytest.raises(RecordFileError) as caught:
        read_text(name)
    assert str(caught.value) == said


def test_a_file_of_any_line_endings_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.lawn"
    path.write_bytes("\ufeff".encode() + golden("by-hand").replace("\n", "\r\n").encode())
    assert checked("a", read_text(str(path))).exit_code == 0
