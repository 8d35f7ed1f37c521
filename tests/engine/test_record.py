"""Match records: read, written anew, kept with what people wrote; golden records; the manual."""

from __future__ import annotations

import pytest

from engine.errors import RecordError
from engine.match import Match
from engine.record import Record
from engine.record_lines import Note, Turn, read_line
from engine.tell import checked
from tests.engine.matches import (
    FORMAT,
    FOUR_TURNS,
    HEAD,
    LOCKED,
    TIED,
    TWO_BONUSES,
    documented,
    golden,
    play,
    random_match,
    refused,
)

# --- reading ---------------------------------------------------------------------------------


def test_a_record_is_the_match_it_tells() -> None:
    record = Record.from_string(HEAD + FOUR_TURNS)
    assert record.match == play(
        Match.start(2),
        "rolled 1 5 5 6 6 6 6 6", "rolled 2 2 3 3 4 4 5 5",
        "boundary low", "rolled 6", "place 6 left",
        "boundary low", "rolled 1 6", "place 6 right",
        "boundary low", "rolled 2 6", "place 6 left", "rolled 3",
        "boundary high", "rolled 1 5", "place 5 right",
    )  # fmt: skip


def test_case_spaces_blank_lines_and_signs_do_not_matter() -> None:
    untidy = (
        "\ufeff\r\n  PLAYERS :Red,  BLUE \r\n\tround\r\n"
        "RED Big  Roll 6 6 66 651 5;score 71\r\rblue BIG-ROLL 5544 3322, BONUS Fully Matched\n"
        "ORDER:red>blue\n1 Red LOW 1=>6,places 6 at left flank\n\n"
        " 2) blue low 2 2 → 61 , place 6 right\n"
        "3. red low > 62; place 6 left, pushes->3\n"
        "blue high 55->5 1,place 5 right"
    )
    assert Record.from_string(untidy).match == Record.from_string(HEAD + FOUR_TURNS).match


def test_what_follows_from_the_rest_may_be_left_out() -> None:
    text = HEAD + LOCKED + "red low -> 6\n"
    bare = text
    for redundant in ("low 1 ", "low 22 ", "low 55 ", "high 55 ", "low 2 ", "low 11 "):
        bare = bare.replace(redundant, redundant.split(" ")[0] + " ")
    bare = bare.replace("push blue", "push").replace(", capture 6, lock 6", "")
    assert "22 ->" not in bare
    assert "capture" not in bare
    assert Record.from_string(bare).to_string() == Record.from_string(text).to_string()


def test_what_was_left_out_is_written() -> None:
    lines = Record.from_string(HEAD + LOCKED + "red low -> 6\n").to_string().splitlines()
    assert lines == [
        "Players: red, blue",
        "Threshold: 500",
        "Result: unfinished, red 95, blue 56",
        "",
        "Round 1",
        "red big roll 15566666, bonus five of a kind, score 71",
        "blue big roll 22334455, bonus fully matched, score 56",
        "Order: red, blue",
        "  1. red low 1 -> 6, place 6 left",
        "  2. blue low 22 -> 16, place 6 right",
        "  3. red low 55 -> 26, place 6 left, push blue -> 3",
        "  4. blue high 55 -> 15, place 5 right",
        "  5. red low 2 -> 2, place 6 left, capture 6, lock 6",
        "  6. blue low 11 -> 46, place 3 left",
        "  7. red low 2 -> 6, lost turn",
    ]


@pytest.mark.parametrize(
    ("more", "phase"),
    [
        ("", "boundary-choice"),
        ("red low", "boundary-roll"),
        ("red low 1", "boundary-roll"),
        ("red low 1 -> 6", "placement"),
        ("red low 1 -> 6, place 6 left", "boundary-choice"),
        (FOUR_TURNS.partition(" -> 3")[0], "re-entry"),
    ],
)
def test_the_last_turn_may_be_incomplete(more: str, phase: str) -> None:
    record = Record.from_string(HEAD + more)
    assert record.match.phase == phase
    assert Record.from_string(record.to_string()) == record


def test_elections_and_tie_breaks_are_lines_of_their_own() -> None:
    # rule 3:2.D, 3:4.B
    elected = Record.from_string(TWO_BONUSES + "red claims six of a kind, score 26")
    assert elected.match.position.score(0).lead == 14 + 12
    assert "red claims six of a kind, score 26\nOrder: red, blue" in elected.to_string()
    broken = Record.from_string(TIED + "red tie-break 11111234\nblue tie break 66666543")
    assert broken.match.position.order == (1, 0)
    assert "red tie-break 11111234\nblue tie-break 34566666\nOrder: blue, red" in broken.to_string()


def test_a_single_bonus_needs_no_election() -> None:
    # rule 3:2
    text = "Players: red, blue\nred big roll 12345666, bonus six-dice straight, score 54\n"
    assert Record.from_string(text).match.position.score(0).bonus == 21


def test_keeping_the_face_of_an_own_die_needs_no_roll() -> None:
    # R1
    head = "Options: own-push keep-face\n" + HEAD
    pushing = FOUR_TURNS.replace("place 6 right", "place 1 left").replace(
        "place 6 left, push blue -> 3", "place 6 right"
    )
    pushing = pushing.replace("blue high 55 -> 15", "blue high 6 -> 5")
    pushing += "red low 2 -> 3, place 6 right, push red -> 6\n"
    record = Record.from_string(head + pushing)
    assert record.match.position.rows[0] == (3, 6, 6, 6, 6, 6)
    assert "push red -> 6" in record.to_string()
    assert refused(head + pushing.replace("red -> 6", "red -> 5")).rules == {"R1"}


# --- what people write around it ---------------------------------------------------------------

COMMENTED = """# first
Players: red Anna, blue Ben
Mood: fine: # really
# after the tags

Round 1  # begins
# before the rolls
red big roll 11233456, bonus six-dice straight, score 46  #no space
blue big roll 22334455, bonus fully matched, score 56
# settled?
Order: blue, red  # yes
# two in a row
#
  1. blue low 22 -> 16, place 1 left
# thinking
  2. red high 6 -> 3, place 1 right  # hm
# the end
"""


def test_comments_and_unknown_tags_survive_a_rewrite() -> None:
    record = Record.from_string(COMMENTED)
    written = COMMENTED.replace(
        "really\n", "really\nThreshold: 500\nResult: unfinished, red 46, blue 56\n"
    )
    assert record.to_string() == written
    assert Record.from_string(written) == record
    # Older records leave the round being played out of the totals.
    assert Record.from_string(written.replace("red 46, blue 56", "red 0, blue 0")) == record
    assert record.tag("mood") == "fine: # really"
    assert record.tag("date") is None
    assert record.names == ("Anna", "Ben")


def test_comments_stay_with_the_end_of_a_round() -> None:
    text = golden("two-players")
    marked = []
    for number, line in enumerate(text.splitlines()):
        body = number > text[: text.index("Round 1")].count("\n")
        tail = f"  # {number}" if body and line else ""
        marked.append(f"{line}{tail}\n# below {number}\n" if tail else f"{line}\n")
    commented = "".join(marked)
    written = Record.from_string(commented).to_string()
    assert sorted(written.splitlines()) == sorted(commented.splitlines())
    assert Record.from_string(written).to_string() == written
    assert Record.from_string(written) == Record.from_string(commented)
    lines = written.splitlines()
    for number, line in enumerate(lines):
        if line.startswith("# below"):
            assert lines[number - 1].endswith(f"# {line.split()[-1]}")


def test_a_round_that_has_not_begun_keeps_its_comments() -> None:
    text = golden("two-players")
    text = text[: text.index("Round 2")].replace("Result: blue wins, red 144, blue 182\n", "")
    record = Record.from_string(text + "# pause\nRound 2 # tomorrow\n# bring cake\n")
    written = record.to_string()
    assert written.endswith("# pause\n\nRound 2  # tomorrow\n# bring cake\n")
    assert Record.from_string(written) == record


def test_a_record_is_made_of_a_match() -> None:
    match = random_match(4, 3)
    record = Record.of(match, names=("Anna", "", "C. D."), tags=[("date", "May"), ("Event", "")])
    lines = record.to_string().splitlines()
    assert lines[:4] == [
        "Players: red Anna, blue, green C. D.",
        "Date: May",
        "Event:",
        "Threshold: 100",
    ]
    assert record.tag("Date") == "May"
    assert Record.from_string(record.to_string()) == record


@pytest.mark.parametrize(
    ("names", "tags"),
    [
        (("Anna",), []),
        (("Anna, the first", "Ben"), []),
        ((), [("Result", "red wins")]),
        ((), [("", "x")]),
        ((), [("a:b", "x")]),
        ((), [("Date", "a\nRound 1")]),
        ((), [("Date", "a"), ("date", "b")]),
        ((), [("Place", "x" * 5000)]),
        (("A\x07", ""), []),
    ],
)
def test_what_cannot_be_read_back_is_not_written(
    names: tuple[str, ...], tags: list[tuple[str, str]]
) -> None:
    with pytest.raises(RecordError):
        Record.of(Match.start(2), names=names, tags=tags)


# --- golden records ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["two-players", "three-players"])
def test_a_golden_record_is_written_as_it_was(name: str) -> None:
    assert Record.from_string(golden(name)).to_string() == golden(name)


@pytest.mark.parametrize(
    ("name", "seed", "players"), [("two-players", 364, 2), ("three-players", 448, 3)]
)
def test_a_golden_record_is_the_playout_of_its_seed(name: str, seed: int, players: int) -> None:
    threshold = {2: 150, 3: 120}[players]
    assert Record.from_string(golden(name)).match == random_match(
        seed, players, threshold=threshold
    )


def test_the_golden_records_show_what_can_happen() -> None:
    two, three = golden("two-players"), golden("three-players")
    for words in ("tie-break", "grind", "lost turn", "push red", "capture", "lock"):
        assert words in two
    for words in ("claims", "tie-break", "lost turn", "center", "End: gridlock"):
        assert words in three


def test_a_record_typed_by_hand_is_understood() -> None:
    # The position was worked out with dice on a table, not by the engine.
    record = Record.from_string(golden("by-hand"))
    assert record.match.position.to_string() == (
        "players red,blue; phase boundary-choice red; order red>blue; rows red 1466, blue 44456; "
        "lawn 1 rw., 2 .w., 3 wbb, 4 .w., 5 .wb, 6 rrr; captured red 6, blue -; "
        "big-rolls red 15566666 five of a kind, blue 22334455 fully matched"
    )
    assert record.names == ("Anna Lee", "Ben")
    assert record.tag("Weather") == "rain   # unknown tags stay"
    written = record.to_string()
    assert Record.from_string(written) == record
    for comment in ("# all matched", "# Anna begins.", "# Ben's 6 goes"):
        assert comment in written


# --- documentation -----------------------------------------------------------------------------


def test_the_documented_record_is_written_as_it_stands() -> None:
    (tidy,) = documented("lawn tidy")
    assert Record.from_string(tidy).to_string() == tidy


def test_the_documented_record_in_a_hurry_is_the_same_game() -> None:
    (tidy,), (typed,) = documented("lawn tidy"), documented("lawn typed")
    assert Record.from_string(typed).match == Record.from_string(tidy).match


def test_the_documented_refusal_is_what_is_said() -> None:
    (wrong,) = documented("lawn wrong")
    assert checked("wrong.lawn", wrong).text() + "\n" == documented("text")[-1]


def test_the_documented_lines_are_all_understood() -> None:
    rows = FORMAT.read_text(encoding="utf-8").split("## Rounds")[1].split("## Grammar")[0]
    examples = [line.split("`")[1] for line in rows.splitlines() if line.startswith("| `")]
    assert len(examples) == 18
    for example in examples:
        known = ("red ", "Round", "Order", "End", "Scores", "Totals", "Ruling", "3. ")
        line = read_line(example if example.startswith(known) else f"red {example}")
        assert not isinstance(line, Note) or line.value
        assert not isinstance(line, Turn) or line.clauses


def test_the_record_in_the_readme_is_fine() -> None:
    text = (FORMAT.parent.parent / "README.md").read_text(encoding="utf-8")
    block = text.split("## Check a game record")[1].split("The third turn")[0]
    record = "\n".join(line[4:] for line in block.splitlines() if line.startswith("    "))
    match = Record.from_string(record).match
    assert match.position.lawn[5] == (0, 0, 3)
    assert match.position.turn_colour == "blue"


@pytest.mark.parametrize("arrow", ["=>", ">", "\u2192", "\u2013>", "\u2014>"])
def test_an_arrow_may_be_typed_as_a_phone_makes_it(arrow: str) -> None:
    text = HEAD + FOUR_TURNS
    assert Record.from_string(text.replace("->", arrow)) == Record.from_string(text)
