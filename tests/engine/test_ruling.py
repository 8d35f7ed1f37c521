"""Table rulings: a match goes on from a position that no turn leads to, and its record says so."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from engine.errors import MatchError, PositionError, RecordError
from engine.lawn import EMPTY
from engine.match import Match
from engine.position import Position
from engine.record import Record
from engine.record_writer import line_of
from tests.engine.matches import random_action, random_match


def ruled_match(seed: int, *, until_over: bool = False) -> Match:
    """A match in which the table was accepted as it lay, mid-round or mid-turn."""
    rng = random.Random(seed)
    match = Match.start(2, threshold=150)
    ruled = 0
    while not match.is_over and (until_over or ruled < 1 or match.length < 60):
        match = match.apply(random_action(match.position, rng))
        if match.position.order and rng.random() < 0.08 and not match.is_over:
            match = match.ruled(passed_on(match.position), f"Accepted as played ({ruled}).")
            ruled += 1
    return match


def passed_on(position: Position) -> Position:
    """The same table with the other player to begin a turn, if that player can."""
    parts = position.parts
    other = 1 - parts.turn
    if not parts.rows[other]:
        other = parts.turn
    lawn, rows = [list(row) for row in parts.lawn], list(parts.rows)
    if parts.phase == "re-entry":  # the die in the air is put down
        rows[parts.displaced] = tuple(sorted((*rows[parts.displaced], 3)))
    assert any(EMPTY in row or row for row in lawn)
    return Position.from_parts(
        parts._replace(phase="boundary-choice", turn=other, edge="", displaced=-1, rows=tuple(rows))
    )


@pytest.mark.parametrize("seed", range(6))
def test_the_match_goes_on_from_the_ruling_and_its_json_and_record_read_back(seed: int) -> None:
    match = ruled_match(seed)
    assert match.rulings
    assert Match.from_json(match.to_json()) == match
    record = Record.of(match, names=("Anna", "Ben"))
    text = record.to_string()
    assert text.count("Ruling: Accepted as played") == len(match.rulings)
    again = Record.from_string(text)
    assert again.match == match
    assert again.to_string() == text


def test_a_whole_match_with_rulings_is_scored_by_where_it_went() -> None:
    match = ruled_match(11, until_over=True)
    assert match.is_over
    assert len(match.rulings) > 2
    assert Record.from_string(Record.of(match).to_string()).match == match
    assert Match.from_json(match.to_json()).totals == match.totals


def test_taking_back_and_playing_again_keeps_the_rulings_before() -> None:
    match = ruled_match(3)
    (first, *_) = match.rulings
    shorter = match.undo(match.length - first.at - 1, past_others=True)
    assert shorter.rulings[0] == first
    assert shorter.position == match.rulings[0].position.apply(match.log[first.at].action)


@pytest.mark.parametrize("players", [2, 3])
def test_a_round_whose_end_nobody_saw_is_left_with_its_points_and_the_next_one_begins(
    players: int,
) -> None:
    rng = random.Random(players)
    match = Match.start(
        players, threshold=30
    )  # passed by the Big Rolls alone: no win without an end
    start = match.position
    while match.length < 30:
        match = match.apply(random_action(match.position, rng))
    left = match.ruled(start, "The end of round 1 was not seen.")
    assert left.is_between_rounds
    assert not left.is_over
    assert left.totals == match.running_totals
    assert left.rounds[0].end_reason == ""
    later = left
    while later.length < 60:
        later = later.apply(random_action(later.position, rng))
    assert Match.from_json(later.to_json()) == later
    assert later.undo(10, past_others=True).rulings == left.rulings
    assert not later.undo(40, past_others=True).rulings
    text = Record.of(later).to_string()
    assert "End:" not in text
    again = Record.from_string(text)
    assert again.match == later
    assert again.to_string() == text
    with pytest.raises(MatchError, match="turn order"):
        left.ruled(start, "There is no round to leave.")


def test_a_match_without_rulings_is_written_as_before() -> None:
    match = random_match(1)
    assert "rulings" not in match.to_json()
    assert "Ruling" not in Record.of(match).to_string()


def test_rulings_that_cannot_be_are_refused() -> None:
    match = ruled_match(0)
    good = passed_on(match.position)
    fresh = Match.start(2)
    with pytest.raises(MatchError, match="turn order"):
        fresh.ruled(fresh.position, "no")
    for sentence in ("two\nlines", "a # sign"):
        with pytest.raises(MatchError, match="one line"):
            match.ruled(good, sentence)
    with pytest.raises(MatchError, match="players and options"):
        Match.start(3).ruled(good, "no")
    in_the_air = good.apply(good.legal_actions()[0])
    with pytest.raises(MatchError, match="in the air"):
        match.ruled(in_the_air, "no")
    data = match.to_json()
    for wrong in (
        {"rulings": 3},
        {"rulings": [{"at": 10_000, "position": good.to_string()}]},
        {"rulings": [{"at": match.length, "position": 7}]},
        {"rulings": [{"at": match.length, "position": "players red"}]},
    ):
        with pytest.raises(MatchError) as refused:
            Match.from_json({**data, **wrong})
        assert str(refused.value).endswith(".")


@pytest.mark.parametrize(
    "line",
    ["Ruling: because", "Ruling: because => nonsense", "Ruling: => players red,blue"],
)
def test_a_ruling_that_cannot_be_read_names_its_line(line: str) -> None:
    text = "Players: red, blue\nred big roll 15566666\nblue big roll 22334455\n" + line + "\n"
    with pytest.raises(RecordError) as refused:
        Record.from_string(text)
    assert refused.value.line == 4


def test_a_ruling_keeps_the_big_rolls_of_the_round() -> None:
    match = ruled_match(2)
    other = ruled_match(5).position
    try:
        after = match.ruled(other, "the table of another match")
    except PositionError:
        return
    assert after.position.opening == match.position.opening


def test_the_line_of_a_turn_is_the_one_in_the_record() -> None:
    match = random_match(4)
    text = Record.of(match).to_string()
    start = Match.start(2, threshold=100)
    for entry in match.log[:2]:
        line = line_of(start.position, (entry,))
        assert line in text
        start = start.apply(entry.action)
    assert replace(start, undone=()) == start
