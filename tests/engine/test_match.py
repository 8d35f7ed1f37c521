"""Matches: rounds up to the threshold, score sheets, standings, undo and redo, JSON."""

from __future__ import annotations

import copy
import json
import pickle
from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from engine.actions import Place
from engine.errors import IllegalAction, LawnError, MatchError, PastOthers, PositionError
from engine.match import Match, Standing
from engine.match_log import Entry
from engine.options import Options
from engine.position import Position
from tests.engine.matches import last_die, play, random_match

LOCKED = {1: "rrr", 2: "bbr", 3: ".wb", 4: "bwr", 5: "bbr", 6: "brb"}
OPENING = ("rolled 1 5 5 6 6 6 6 6", "rolled 2 2 3 3 4 4 5 5")  # red leads with 71 to 56


# --- rounds and the threshold ----------------------------------------------------------------


def test_a_match_starts_with_everybody_at_nothing() -> None:
    # rule 2:1
    match = Match.start(3)
    assert (match.phase, match.position) == ("big-roll", Position.start(3))
    assert (match.totals, match.winners, match.rounds, match.log) == ((0, 0, 0), (), (), ())
    assert match.threshold == 500  # rule 2:2
    assert match.standings() == tuple(Standing(1, c, 0) for c in ("red", "blue", "green"))


def test_dominance_is_points_from_placing_pushing_capturing_and_locking() -> None:
    # rule 2:1: what a round scores is what these four brought, and nothing else
    match = play(last_die({"red": "12", "blue": "56"}, LOCKED, threshold=500), "place 3 left")
    (sheet,) = match.rounds
    assert sheet.end.lawn[2] == (0, 3, 1)
    red, blue = sheet.scores
    assert (red.captured, red.lawn) == (1 + 2, 3 * 1)
    assert (blue.captured, blue.lawn) == (5 + 6, 0)


def test_a_score_sheet_has_the_three_components_for_each_player() -> None:
    # rule 7:2.A, 7:2.B, 7:2.C
    match = play(last_die({"red": "12", "blue": "56"}, LOCKED, threshold=500), "place 3 left")
    (sheet,) = match.rounds
    assert (sheet.number, sheet.end_reason, sheet.totals) == (1, "all dice placed", (30, 35))
    assert sheet.to_json() == {
        "round": 1,
        "end": "all dice placed",
        "scores": {
            "red": {
                "base": 24, "bonus": 0, "category": None, "captured": 3, "lawn": 3, "total": 30
            },
            "blue": {
                "base": 24, "bonus": 0, "category": None, "captured": 11, "lawn": 0, "total": 35
            },
        },
        "totals": {"red": 30, "blue": 35},
    }  # fmt: skip
    assert json.loads(json.dumps(sheet.to_json())) == sheet.to_json()


def test_points_add_up_over_rounds_until_the_threshold_is_met() -> None:
    # rule 2:2
    match = random_match(1, threshold=150)
    assert len(match.rounds) > 1
    totals = (0, 0)
    for sheet in match.rounds:
        assert max(totals) < 150
        red, blue = (score.total for score in sheet.scores)
        totals = (totals[0] + red, totals[1] + blue)
        assert sheet.totals == totals
    assert max(totals) >= 150
    assert match.totals == totals


def test_below_the_threshold_the_next_round_is_set_up() -> None:
    # rule 2:2, 1:2.C
    match = play(last_die({"red": "26", "blue": "15"}, threshold=33), "place 3 left")
    assert match.totals == match.running_totals == (32, 30)
    assert (match.is_over, match.winners, match.current) == (False, (), ())
    assert match.position == Position.start(2)
    assert match.standings() == (Standing(1, "red", 32), Standing(2, "blue", 30))
    assert play(match, "rolled 1 1 1 1 2 2 3 3").running_totals == (32 + 14 + 14, 30)


def test_meeting_the_threshold_exactly_wins() -> None:
    # rule 2:2: "meets or exceeds"
    match = play(last_die({"red": "26", "blue": "15"}, threshold=32), "place 3 left")
    assert (match.phase, match.winners) == ("match-over", ("red",))
    assert match.position.is_over
    assert match.position.legal_actions() == ()
    assert match.running_totals == (32, 30)


def test_the_higher_total_wins_when_both_are_past_the_threshold() -> None:
    # R9
    match = play(last_die({"red": "15", "blue": "26"}, threshold=20), "place 3 left")
    assert match.winners == ("blue",)


def test_tied_highest_totals_past_the_threshold_play_another_round() -> None:
    # R9
    match = play(last_die({"red": "16", "blue": "25"}, threshold=31), "place 3 left")
    assert match.totals == (31, 31)
    assert not match.is_over
    assert match.position == Position.start(2)
    assert match.standings() == (Standing(1, "red", 31), Standing(1, "blue", 31))


def test_tied_highest_totals_may_share_the_victory_by_option() -> None:
    # R9
    shared = last_die({"red": "16", "blue": "25"}, threshold=31, options="match-tie shared")
    assert play(shared, "place 3 left").winners == ("red", "blue")
    below = last_die({"red": "16", "blue": "25"}, threshold=32, options="match-tie shared")
    assert not play(below, "place 3 left").is_over


def test_a_tie_behind_the_winner_does_not_matter() -> None:
    # R9
    for seed in range(8):
        match = random_match(seed, 3, threshold=40)
        best = max(match.totals)
        assert match.totals.count(best) == 1
        assert match.winners == (match.colours[match.totals.index(best)],)


def test_tied_players_share_a_place_and_the_next_one_is_left_free() -> None:
    # the match's own words: 1, 1, 3
    match = last_die({"red": "16", "blue": "25"}, threshold=31)
    tied = play(match, "place 3 left").standings()
    assert [each.place for each in tied] == [1, 1]
    places = [each.place for each in random_match(3, 3).standings()]
    assert places[0] == 1
    assert places == sorted(places)


def test_nothing_can_be_played_after_the_match() -> None:
    # rule 2:2
    match = play(last_die({"red": "26", "blue": "15"}, threshold=32), "place 3 left")
    with pytest.raises(IllegalAction, match="The match is over: red won with 32") as caught:
        play(match, "rolled 1 1 1 1 1 1 1 1")
    assert caught.value.rules == {"2:2"}


def test_a_refused_action_says_what_the_position_says() -> None:
    match = play(Match.start(2), *OPENING)
    with pytest.raises(IllegalAction) as caught:
        match.apply(Place(4, "left"), by="blue")
    assert caught.value.reasons == match.position.why_not(Place(4, "left"), by="blue")
    assert "3:4.A" in caught.value.rules


def test_entries_carry_who_made_them() -> None:
    match = play(Match.start(2), *OPENING, "boundary low", "rolled 6", "place 6 left")
    assert [entry.by for entry in match.log] == ["red", "blue", "red", "red", "red"]
    assert str(match.log[-1]) == "red: place 6 left"


@pytest.mark.parametrize(
    "threshold", [0, -5, 2_000_000, True, 1.5, "500", None, pytest.param(10**5000, id="huge")]
)
def test_a_threshold_that_is_none_is_refused(threshold: Any) -> None:
    with pytest.raises(MatchError, match="The threshold is a whole number"):
        Match.start(2, threshold=threshold)


def test_players_are_checked_as_for_a_position() -> None:
    with pytest.raises(PositionError, match="white"):
        Match.start(colours=("red", "white"))


def test_a_match_never_changes_and_can_be_copied() -> None:
    match = play(Match.start(2), *OPENING)
    with pytest.raises(FrozenInstanceError):
        match.threshold = 1  # type: ignore[misc]
    assert copy.deepcopy(match) == match
    assert pickle.loads(pickle.dumps(match)) == match
    assert hash(match) == hash(play(Match.start(2), *OPENING))
    assert match != play(Match.start(2, threshold=400), *OPENING)


def test_matches_that_part_ways_do_not_disturb_each_other() -> None:
    start = play(Match.start(2), *OPENING, "boundary low")
    low, high = play(start, "rolled 6"), play(start, "rolled 2")
    assert [str(match.log[-1]) for match in (start, low, high)] == [
        "red: boundary low",
        "red: rolled 6",
        "red: rolled 2",
    ]
    assert (start.length, low.length, high.length) == (3, 4, 4)
    assert low != high
    assert play(high, "place 2 left").log[:4] == high.log
    assert play(low, "place 6 left").log[:4] == low.log
    assert play(start, "rolled 6") == low
    assert hash(play(start, "rolled 6")) == hash(low)


def test_a_match_is_between_rounds_before_the_first_roll_only() -> None:
    start = Match.start(2)
    assert start.is_between_rounds
    assert not play(start, OPENING[0]).is_between_rounds
    assert play(
        last_die({"red": "26", "blue": "15"}, threshold=33), "place 3 left"
    ).is_between_rounds


# --- taking back -----------------------------------------------------------------------------


def turn_of_red_then_of_blue() -> Match:
    match = play(Match.start(2), *OPENING, "boundary low", "rolled 6", "place 6 left")
    return play(match, "boundary high", "rolled 1 5")


def test_undo_is_the_replay_of_the_rest_of_the_log() -> None:
    match = turn_of_red_then_of_blue()
    back = match.undo(2)
    assert back == play(Match.start(2), *OPENING, "boundary low", "rolled 6", "place 6 left")
    assert back.undone == match.log[-2:]
    assert back.undo(1).undone == match.log[-3:]


def test_undo_never_goes_silently_past_what_another_player_has_answered() -> None:
    match = turn_of_red_then_of_blue()
    with pytest.raises(PastOthers) as caught:
        match.undo(3)
    assert caught.value.by == "red"
    assert caught.value.others == (("blue", "boundary high"), ("blue", "rolled 1 5"))
    assert str(caught.value) == (
        "This undo by red would also take back blue's 'boundary high', blue's 'rolled 1 5'; "
        "ask first, then undo past others."
    )
    back = match.undo(3, past_others=True)
    assert len(back.log) == 4
    assert back.position.phase == "placement"


def test_who_asks_for_an_undo_may_be_named() -> None:
    match = turn_of_red_then_of_blue()
    assert match.undo(2, by="blue") == match.undo(2, by=1) == match.undo(2)
    with pytest.raises(PastOthers) as caught:
        match.undo(1, by="red")
    assert caught.value.others == (("blue", "rolled 1 5"),)
    with pytest.raises(PastOthers):
        match.undo(3, by="blue")
    assert len(match.undo(1, by=0, past_others=True).log) == 6


def test_undo_crosses_the_end_of_a_round_and_of_the_match() -> None:
    match = random_match(1, threshold=150)
    last = match.rounds[-1]
    back = match.undo(1)
    assert (back.is_over, len(back.rounds)) == (False, len(match.rounds) - 1)
    assert back.current == last.log[:-1]
    assert back.position.apply(last.log[-1].action) == last.end
    far = match.undo(len(last.log) + 3, past_others=True)
    assert far.rounds == match.rounds[:-2]
    assert far.current == match.rounds[-2].log[:-3]
    between = match.undo(len(last.log), past_others=True)
    assert between.position == Position.start(2)
    assert between.rounds == match.rounds[:-1]


def test_redo_brings_back_what_was_undone() -> None:
    match = turn_of_red_then_of_blue()
    back = match.undo(4, past_others=True)
    assert back.redo().log == match.log[:-3]
    assert back.redo().undone == match.log[-3:]
    assert back.redo(4) == match
    assert back.redo(4).undone == ()


def test_playing_on_after_an_undo_forgets_what_was_undone() -> None:
    back = turn_of_red_then_of_blue().undo(2)
    assert play(back, "boundary low").undone == ()


@pytest.mark.parametrize("count", [0, -1, 8, True, 1.0, "1", None])
def test_what_cannot_be_undone_or_redone_is_refused(count: Any) -> None:
    match = turn_of_red_then_of_blue()
    with pytest.raises(MatchError, match="7 entries can be undone"):
        match.undo(count, past_others=True)
    with pytest.raises(MatchError):
        match.undo(2).redo(count)


@pytest.mark.parametrize("by", ["pink", 2, -1, True, 1.0])
def test_an_undo_by_nobody_is_refused(by: Any) -> None:
    with pytest.raises(MatchError, match="A player is red or blue"):
        turn_of_red_then_of_blue().undo(by=by)


def test_there_is_nothing_to_take_back_or_bring_back_at_the_start() -> None:
    with pytest.raises(MatchError, match="0 entries can be undone"):
        Match.start(2).undo()
    with pytest.raises(MatchError, match="0 entries can be redone"):
        Match.start(2).redo()


# --- JSON ------------------------------------------------------------------------------------


def test_json_keeps_set_up_log_and_what_can_be_redone() -> None:
    start = Match.start(2, options=Options(own_push="keep-face"), threshold=90)
    match = play(start, *OPENING, "boundary low", "rolled 6").undo()
    data = json.loads(json.dumps(match.to_json()))
    assert data["log"][0] == {
        "by": "red", "action": "rolled", "faces": [1, 5, 5, 6, 6, 6, 6, 6]
    }  # fmt: skip
    twin = Match.from_json(data)
    assert twin == match
    assert [str(entry) for entry in twin.undone] == ["red: rolled 6"]


def test_json_needs_only_the_players_and_the_log() -> None:
    data = {
        "players": ["red", "blue"],
        "log": [{"action": "rolled", "faces": [1, 5, 5, 6, 6, 6, 6, 6]}],
    }
    assert Match.from_json(data) == play(Match.start(2), OPENING[0])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"players": None}, "The players are a list of colours"),
        ({"players": ["red"]}, "two or three players"),
        ({"players": [["red"], "blue"]}, "a colour is one word"),
        ({"threshold": "500"}, "The threshold is a whole number"),
        ({"options": {"ending": "never"}}, "Option ending takes"),
        ({"options": 5}, "Options are given as names"),
        ({"winner": "red"}, "A match has no entry 'winner'"),
        ({"log": None}, "The log is a list of actions"),
        ({"log": "rolled 1"}, "The log is a list of actions"),
        ({"log": [5]}, "Entry 1 of the log: An action is given as an object"),
        ({"log": [{"action": "fly"}]}, "Entry 1 of the log: There is no action 'fly'"),
        ({"log": [{"action": "rolled", "faces": [7] * 8}]}, "Entry 1 of the log: A die shows"),
        ({"log": [{"action": "rolled", "faces": [1] * 7}]}, r"Entry 1 .*\(rule 3:1.A\)"),
        ({"log": [{"by": "blue", "action": "rolled", "faces": [1] * 8}]}, "It is red's turn"),
        ({"log": [{"by": 0, "action": "rolled", "faces": [1] * 8}]}, "named by colour"),
        ({"undone": [{"action": "place", "face": 1, "side": "left"}]}, "Entry 1 of the log"),
        ({"undone": 1}, "The undone is a list"),
    ],
)
def test_json_that_is_no_match_is_refused_with_place_and_reason(
    change: dict[str, Any], message: str
) -> None:
    data = {"players": ["red", "blue"], "log": [], **change}
    with pytest.raises(MatchError, match=message):
        Match.from_json(data)


@pytest.mark.parametrize("data", [None, 5, "match", [], {}, {1: 2}])
def test_what_is_no_match_at_all_is_refused(data: object) -> None:
    with pytest.raises(LawnError):
        Match.from_json(data)


def test_the_entry_that_cannot_be_replayed_is_numbered() -> None:
    match = turn_of_red_then_of_blue()
    data = match.to_json()
    data["log"][4] = {"by": "red", "action": "place", "face": 6, "side": "center"}
    with pytest.raises(MatchError) as caught:
        Match.from_json(data)
    assert caught.value.at == 4
    entries = (*match.log[:4], Entry(Place(6, "center"), "red"))
    with pytest.raises(MatchError, match="Entry 5 of the log: 'place 6 center'") as caught:
        Match.start(2).played(entries)
    assert caught.value.at == 4
