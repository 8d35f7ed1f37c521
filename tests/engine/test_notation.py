"""The one-line form of a position: round-trip, and errors with place and reason."""

from __future__ import annotations

import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.errors import LawnError, PositionError
from engine.notation import letters
from engine.options import Options
from engine.position import Position, playout
from tests.engine.tables import table

LINE = (
    "players red,blue; phase placement red; order red>blue; rows red 12356, blue 112234; "
    "lawn 1 rbr, 2 .w., 3 .w., 4 .w., 5 .w., 6 wrb; captured red -, blue 1; "
    "big-rolls red 11223344 fully matched, blue 11233455; options own-push keep-face"
)


def test_the_line_reads_as_it_prints() -> None:
    position = Position.from_string(LINE)
    assert position.to_string() == str(position) == LINE
    assert eval(repr(position), {"Position": Position}) == position
    assert position.turn_colour == "red"
    assert position.options == Options(own_push="keep-face")
    assert position.score(0).lead == 20 + 20


def test_the_start_of_a_round_reads_plainly() -> None:
    assert Position.start(3).to_string() == (
        "players red,blue,green; phase big-roll red; order -; rows red -, blue -, green -; "
        "lawn 1 ..., 2 ..., 3 ..., 4 ..., 5 ..., 6 ...; big-rolls red -, blue -, green -"
    )


def test_dice_in_the_air_are_part_of_the_line() -> None:
    rows = {"red": "11235566", "blue": "11223344"}
    assert "; phase boundary-roll blue high; " in table("boundary-roll blue high", rows).to_string()
    rows = {"red": "1123566", "blue": "112233"}
    text = table("re-entry red rolls blue", rows, {6: "rwb"}).to_string()
    assert "; phase re-entry red rolls blue; " in text


def test_letters_on_the_lawn_never_clash() -> None:
    assert letters(("red", "blue", "green")) == {".": -1, "w": 3, "r": 0, "b": 1, "g": 2}
    for colours in (("blue", "black"), ("w", "ww", "www"), ("a", "aa", "aaa"), ("violet", "wine")):
        assert len(letters(colours)) == len(colours) + 2
        start = Position.start(colours=colours)
        assert Position.from_string(start.to_string()) == start


@pytest.mark.parametrize(
    ("old", "new", "place", "message"),
    [
        ("players red,blue", "players red", "red;", "two or three players"),
        (
            "players red,blue",
            "players red,white",
            "red,white",
            "white is the colour of the neutral",
        ),
        ("placement red", "resting red", "resting", "a phase is one of"),
        ("placement red", "placement pink", "pink", "a player is red or blue, not 'pink'"),
        ("placement red", "placement", "placement", "this phase is written 'placement COLOUR'"),
        ("placement red", "boundary-roll red top", "top", "an edge is low or high"),
        ("placement red", "re-entry red throws blue", "throws", "here 'rolls' is expected"),
        ("red>blue", "red>pink", "pink", "a player is red or blue"),
        ("red>blue", "blue>red", "order", "does not follow the Big Roll scores"),
        ("red>blue", "red", "order", "every player stands in the turn order once"),
        ("red 12356,", "red 12376,", "76,", "a face from 1 to 6, not '7'"),
        ("red 12356,", "red 12365,", "rows", "not in ascending order"),
        ("red 12356,", "red 1235,", "rows", "red has 7 dice"),
        ("red 12356,", "red ,", ", blue 112234", "faces are expected"),
        ("red 12356,", "green 12356,", "green 12356", "here red is expected, not 'green'"),
        ("rows red 12356, ", "rows ", "blue 112234", "2 entries are needed"),
        ("6 wrb", "6 wxb", "xb;", "a place is one of . w r b, not 'x'"),
        ("6 wrb", "6 wr", "wr;", "a row of the Lawn has three places"),
        ("5 .w., 6 wrb", "6 wrb", "1 rbr", "the Lawn has six rows"),
        ("5 .w., 6 wrb", "6 wrb, 5 .w.", "6 wrb", "here row 5 is expected"),
        ("5 .w.", "5 w..", "lawn", "a flank is taken while the center is empty"),
        ("blue 1;", "blue 2;", "captured", "without a neutral die are 1, but captured are 2"),
        ("11223344 fully", "1122334 fully", "1122334 fully", "a Big Roll is eight faces"),
        ("fully matched", "fully mashed", "fully mashed", "a bonus is one of"),
        ("fully matched", "six-dice straight", "big-rolls", "does not qualify for six-dice"),
        (" fully matched", "", "big-rolls", "the bonus fully matched is not claimed"),
        ("own-push keep-face", "own-push drop", "own-push drop", "takes reroll or keep-face"),
        ("own-push keep-face", "own-pull x", "own-pull", "here is no option"),
        ("; options", "; lost 4; options", "4;", "lost turns in a row are 1, 2 or 3"),
        ("; options", "; lost 1; options", "lost", "count only in a three-player gridlock"),
        ("; options", "; captured red -, blue 1; options", "captured red -, blue 1; opt", "twice"),
        ("; options", "; colour red; options", "colour", "there is no field 'colour'"),
    ],
)
def test_a_wrong_line_is_refused_with_the_place_and_the_reason(
    old: str, new: str, place: str, message: str
) -> None:
    assert old in LINE
    text = LINE.replace(old, new, 1)
    with pytest.raises(PositionError, match=message) as caught:
        Position.from_string(text)
    assert caught.value.at is not None
    assert text[caught.value.at :].startswith(place)
    assert str(caught.value).startswith(f"at character {caught.value.at + 1}")


@pytest.mark.parametrize(
    "text", ["", " ", ";", "; " * 9, "players", "x" * 2000, None, 5, b"players"]
)
def test_what_is_no_line_at_all_is_refused(text: object) -> None:
    with pytest.raises(PositionError):
        Position.from_string(text)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["hello", "", "Position before it:", "rows red 1"])
def test_a_text_that_is_no_position_is_told_what_to_give(text: str) -> None:
    with pytest.raises(PositionError) as caught:
        Position.from_string(text)
    assert str(caught.value) == (
        f"at character {len(text) * text.startswith('Position') + 1}: this is no position; give "
        "the line that 'lawn check' prints after 'Position before it:', it begins with 'players'."
    )


@pytest.mark.parametrize(
    "before", [" \n", "Position before it: ", "  Position where it was refused:  "]
)
def test_what_is_pasted_around_a_line_is_skipped_and_places_count_from_its_start(
    before: str,
) -> None:
    assert Position.from_string(f"{before}{LINE} \r\n") == Position.from_string(LINE)
    text = before + LINE.replace("6 wrb", "6 wxb", 1)
    with pytest.raises(PositionError, match="a place is one of") as caught:
        Position.from_string(text)
    assert caught.value.at == text.index("xb")


def test_a_missing_field_is_named() -> None:
    start = LINE.index("; lawn")
    end = LINE.index("; captured")
    with pytest.raises(PositionError, match="the field lawn is missing"):
        Position.from_string(LINE[:start] + LINE[end:])
    end = LINE.index("; captured")
    with pytest.raises(PositionError, match="the captured dice are missing"):
        Position.from_string(LINE[:end] + LINE[LINE.index("; big-rolls") :])


# --- fuzzing ------------------------------------------------------------------------------


def lines_of_rounds() -> list[str]:
    found = []
    for seed in range(6):
        ending = ("gridlock", "first-out")[seed % 2]
        options = Options(ending=ending)  # type: ignore[arg-type]
        start = Position.start(2 + seed % 2, options=options)
        found += [position.to_string() for position, _ in playout(start, random.Random(seed))]
    return found


LINES = lines_of_rounds()
SCRAPS = ["; ", ", ", ">", "=", "-", " ", ".", "w", "r", "b", "1", "6", "red", "blue", "low"]


def survives(text: str) -> None:
    """Either the engine's own error, or a sound position whose print is stable and playable."""
    try:
        position = Position.from_string(text)
    except LawnError:
        return
    again = Position.from_string(position.to_string())
    assert again == position
    assert again.to_string() == position.to_string()
    rng = random.Random(text)
    for _ in range(12):
        if position.is_over:
            break
        action = position.throw(rng) if position.is_chance else rng.choice(position.legal_actions())
        position.effects(action)
        position = position.apply(action)
        assert Position.from_string(position.to_string()) == position


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=200))
@example("players a,b; phase big-roll a; order -; rows a -, b -; lawn 1 ; captured ; big-rolls ")
def test_any_text_is_read_or_refused(text: str) -> None:
    survives(text)


@settings(max_examples=600, deadline=None)
@given(st.sampled_from(LINES), st.data())
def test_a_damaged_line_is_read_or_refused(line: str, data: st.DataObject) -> None:
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(line)))
        cut = data.draw(st.integers(0, 3))
        scrap = data.draw(st.sampled_from(["", *SCRAPS]) | st.characters())
        line = line[:at] + scrap + line[at + cut :]
    survives(line)


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(LINES), st.sampled_from(LINES), st.integers(0, 8))
def test_two_lines_grafted_together_are_read_or_refused(one: str, two: str, field: int) -> None:
    ours, theirs = one.split("; "), two.split("; ")
    for at, body in enumerate(ours):
        name = body.partition(" ")[0]
        if at == field:
            ours[at] = next((b for b in theirs if b.partition(" ")[0] == name), body)
    survives("; ".join(ours))


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(LINES), st.data())
def test_digits_and_letters_swapped_within_a_line_are_read_or_refused(
    line: str, data: st.DataObject
) -> None:
    spots = [at for at, letter in enumerate(line) if letter in "123456.wrbg"]
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.sampled_from(spots))
        line = line[:at] + data.draw(st.sampled_from("123456.wrbg")) + line[at + 1 :]
    survives(line)
