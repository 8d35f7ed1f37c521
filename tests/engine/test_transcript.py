"""A game as plain facts, and two accounts of it side by side."""

from __future__ import annotations

from typing import Any

from engine.actions import Elect, Rolled
from engine.alignment import aligned, differences, told
from engine.game_turns import cut_into_turns
from engine.match import Match
from engine.match_log import Entry
from engine.record import Record
from engine.transcript import facts_of

GAME = """
players: red Anna, blue Ben
red big roll 6 6 6 6 6 5 5 1
blue big roll 22334455
red low -> 6, place 6 left
blue low -> 61, place 6 right
red low -> 26, place 6 left, push -> 3
blue high -> 15, place 5 right
red low -> 2, place 6 left
blue low -> 46, place 3 left
red low -> 6
"""


def facts(match: Match) -> list[dict[str, Any]]:
    here = Match.start(colours=match.colours, options=match.options)
    found: list[dict[str, Any]] = []
    for piece in cut_into_turns(here, match.log):
        found += facts_of(here, piece)
        here = here.played(piece)
    return found


def test_every_turn_is_told_with_its_roll_place_push_and_what_came_of_it() -> None:
    found = facts(Record.from_string(GAME).match)
    assert [each["type"] for each in found] == [
        *("big_roll", "big_roll", "turn", "turn", "turn", "turn", "turn", "capture", "lock"),
        *("turn", "turn"),
    ]
    roll, push, capture, lost = found[0], found[4], found[6], found[-1]
    assert roll["faces"] == [1, 5, 5, 6, 6, 6, 6, 6]
    assert (roll["base"], roll["bonus"], roll["total"]) == (
        *(41, {"category": "five of a kind", "points": 30}, 71),
    )
    assert (push["player"], push["edge"], push["rolled"]) == ("red", 5, [2, 6])
    assert (push["row"], push["side"], push["pushed"], push["reentry"]) == (6, "left", "blue", 3)
    assert (capture["pushed"], capture["captured"], capture["locks"]) == ("neutral", 6, "red")
    assert found[7] == {"type": "capture", "player": "red", "face": 6}
    assert found[8] == {"type": "lock", "player": "red", "row": 6}
    assert (lost["lost"], lost["row"], lost["rolled"]) == (True, None, [6])  # rule 6:1


def test_an_elected_bonus_is_told_with_its_points() -> None:
    roll = Rolled((1, 1, 1, 1, 1, 2, 2, 2))  # five of a kind, or no orphan
    match = Match.start(2).apply(roll).apply(Rolled((1, 1, 2, 3, 4, 4, 5, 5)))
    (claimed,) = [
        each
        for each in facts_of(match, (Entry(Elect("fully matched"), "red"),))
        if each["type"] == "bonus"
    ]
    assert claimed["bonus"] == {"category": "fully matched", "points": 11}  # rule 3:2.D


def test_accounts_that_agree_have_no_difference() -> None:
    steps = told(Record.from_string(GAME).match)
    assert len(steps) == 9
    assert not differences(aligned(steps, steps))


def test_a_turn_left_out_and_one_told_otherwise_are_found_and_nothing_else() -> None:
    theirs = told(Record.from_string(GAME).match)
    ours = [dict(each) for each in theirs if each is not theirs[3]]
    ours[3]["reentry"] = 5
    found = differences(aligned(ours, theirs))
    assert [(pair.ours is None, pair.differs) for pair in found] == [
        (True, ()),
        (False, ("reentry",)),
    ]


def test_a_game_that_goes_on_from_a_ruling_is_told_on_both_sides_of_it() -> None:
    match = Record.from_string(GAME).match
    before = match.undo(1, past_others=True)
    ruled = before.ruled(_next_up(before), "They agreed.")
    again = ruled.played(match.log[_next_at(match) :])
    assert told(again)[-1] == told(match)[-1]


def _next_at(match: Match) -> int:
    """How many entries there are before the last turn."""
    return match.length - len(cut_into_turns(Match.start(colours=match.colours), match.log)[-1])


def _next_up(match: Match) -> Any:
    """The position before the turn that was begun last, for a ruling."""
    while match.position.phase != "boundary-choice":
        match = match.undo(1, past_others=True)
    return match.position
