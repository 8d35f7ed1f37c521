"""Whatever is in a record: it is read and written stably, or refused with its line and reason."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.errors import RecordError
from engine.record import Record
from engine.tell import checked
from tests.engine.matches import HEAD, golden

WORDS = (
    *("red", "blue", "white", "Players:", "Options:", "Result:", "Order:", "End:", "Scores:"),
    *("Totals:", "Round", "low", "high", "->", "place", "left", "center", "right", "push", "lock"),
    *("capture", "grind", "lost", "turn", "big", "roll", "tie-break", "claims", "bonus", "score"),
    *("fully", "matched", "1", "22", "345", "6", "15566666", ",", ";", ".", "#", "\n", "\n", "+"),
)
soup = st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join)
goldens = st.sampled_from(("two-players", "three-players", "by-hand")).map(golden)


def problem(text: str) -> RecordError | None:
    """Why a record is refused, or None."""
    try:
        Record.from_string(text)
    except RecordError as error:
        return error
    return None


def check(text: str) -> None:
    """The one property of reading: stable, or the engine's own error in full."""
    error = problem(text)
    if error is None:
        record = Record.from_string(text)
        written = record.to_string()
        assert Record.from_string(written) == record
        assert Record.from_string(written).to_string() == written
    else:
        assert 1 <= error.line <= len(text.splitlines()) + 1
        assert bool(error.reason) != bool(error.reasons)
        assert str(error).startswith(f"Line {error.line}: ")
        assert all(reason.rule and reason.text for reason in error.reasons)
        assert bool(error.reasons) <= bool(error.before_turn)
    answer = checked("a.lawn", text)
    assert answer.text().startswith("a.lawn: ")
    assert answer.to_json()["ok"] == (answer.exit_code == 0) == (error is None)


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=200))
@example("Players: red, blue\nResult: red 99999999999999999999999")
@example("Players: red, blue\n99999999999999999999 red low")
@example("Players: red, blue\nRound 9999999999999")
@example("Players: red, blue\nScores: red " + "1" * 3000)
@example("Players: wins, and\nResult: wins wins")
@example("Players: low, push\nlow big roll 11111111\npush big roll 11111112\nlow low -> 1")
def test_any_text_is_read_or_refused(text: str) -> None:
    check(text)


@settings(max_examples=150, deadline=None)
@given(soup)
def test_words_of_a_record_in_any_order_are_read_or_refused(text: str) -> None:
    check(HEAD + text)


@settings(max_examples=100, deadline=None)
@given(goldens, st.integers(0, 700), st.integers(0, 12), st.sampled_from((*WORDS, "", "\x00")))
def test_a_record_with_a_slip_of_the_pen_is_read_or_refused(
    text: str, at: int, length: int, slip: str
) -> None:
    check(text[:at] + slip + text[at + length :])


@settings(max_examples=40, deadline=None)
@given(goldens, st.data())
def test_a_record_with_a_line_missing_moved_or_doubled_is_read_or_refused(
    text: str, data: st.DataObject
) -> None:
    lines = text.splitlines()
    numbers = st.integers(0, len(lines) - 1)
    line = lines.pop(data.draw(numbers))
    for _ in range(data.draw(st.integers(0, 2))):
        lines.insert(data.draw(numbers), line)
    check("\n".join(lines))


@settings(max_examples=25, deadline=None)
@given(goldens, st.data())
def test_comments_anywhere_stay_and_change_nothing(text: str, data: st.DataObject) -> None:
    plain = Record.from_string(text)
    lines = text.splitlines()
    texts = st.text(st.characters(exclude_categories=("Cc", "Cs")), max_size=10)
    notes = data.draw(st.lists(st.tuples(st.integers(0, len(lines)), texts), max_size=6))
    for at, note in notes:
        lines.insert(at, f"# {note}")
    commented = "\n".join(lines)
    record = Record.from_string(commented)
    assert record.match == plain.match
    written = record.to_string()
    assert Record.from_string(written) == record
    for _, note in notes:
        assert f"# {note}".rstrip() in written
