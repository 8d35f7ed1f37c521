"""Whole matches of bots: fair seats, the same result however many processes, honest counts."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence

import pytest

from engine import simulate
from engine.actions import Place
from engine.bots import BotError
from engine.errors import MatchError, OptionsError, PositionError
from engine.options import Options
from engine.position import Position
from engine.simulate import Plan, SimulationError, parse_options, play, play_match, run
from engine.simulation_report import summary, summary_text
from engine.tally import Tally


def total(plan: Plan, jobs: int) -> Tally:
    tally = Tally()
    for part in run(plan, jobs):
        tally.add(part)
    return tally


def test_two_processes_find_what_one_finds() -> None:
    plan = Plan(3, 9, ("random", "greedy", "random"), threshold=100, seed=11)
    alone = total(plan, jobs=1)
    assert total(plan, jobs=2) == alone
    assert alone.matches == 9
    assert total(Plan(3, 9, plan.bots, threshold=100, seed=12), jobs=1) != alone


def test_a_match_ends_at_the_threshold() -> None:
    # rule 2:2, R9
    match = play_match(Plan(2, 1, ("random", "greedy"), threshold=170), 0, Tally())
    assert max(match.totals) >= 170
    assert len(match.winners) == 1
    assert all(max(each.totals) < 170 for each in match.rounds[:-1])


def test_a_shared_victory_is_nobodys() -> None:
    # R9
    options = Options(match_tie="shared")
    tally = play(Plan(2, 150, ("random", "random"), options, threshold=1), range(150))
    assert tally.match_wins[-1] > 0
    assert sum(tally.match_wins.values()) == tally.matches == tally.rounds == 150


def test_bots_change_seats_and_keep_their_names() -> None:
    for bots in (("greedy", "random"), ("random", "greedy")):
        for numbers in ((0, 2, 4, 6), (1, 3, 5, 7)):
            wins = play(Plan(2, 8, bots, threshold=200), numbers).match_wins
            assert wins[bots.index("greedy")] >= 3


def test_every_bot_sits_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    seats: list[tuple[str, int]] = []

    def named(name: str) -> simulate.Bot:
        def bot(position: Position, _: object) -> simulate.Action:
            seats.append((name, position.turn))
            return position.legal_actions()[0]

        return bot

    monkeypatch.setattr(simulate, "bot_named", named)
    plan = Plan(3, 3, ("a", "b", "c"), threshold=30)
    for number in range(3):
        seats.clear()
        play_match(plan, number, Tally())
        assert set(seats) == {("abc"[(seat - number) % 3], seat) for seat in range(3)}


@pytest.mark.parametrize(
    "options",
    [Options(), Options(endgame_block="before-roll", grind="at-once", ending="lawn-locked")],
    ids=["default", "before-roll"],
)
def test_turns_and_lost_turns_are_those_of_the_log(options: Options) -> None:
    # rule 6:1, R2
    tally = Tally()
    match = play_match(Plan(3, 1, ("random",) * 3, options, threshold=60, seed=2), 0, tally)
    turns, lost, ends = [], [], []
    for each in match.rounds:
        position, placed, names = Position.start(3, options=options), 0, 0
        for entry in each.log:
            names += len(position.effects(entry.action).lost_turns)
            placed += isinstance(entry.action, Place)
            position = position.apply(entry.action)
        turns.append(placed + names)
        lost.append(names)
        ends.append(position.end_reason)
    assert sorted(tally.turns.elements()) == sorted(turns)
    assert sorted(tally.lost.elements()) == sorted(lost)
    assert sorted(tally.ends.elements()) == sorted(ends)
    assert sum(lost) > 0
    assert sum(tally.actions.values()) == len(match.log)


def test_the_summary_is_plain_json_and_its_text_names_every_bot() -> None:
    plan = Plan(3, 2, ("random", "greedy", "random"), threshold=60)
    tally = total(plan, 1)
    found = summary(plan, tally)
    assert json.loads(json.dumps(found)) == found
    assert [each["bot"] for each in found["bots"]] == list(plan.bots)
    assert sum(each["match_wins"]["count"] for each in found["bots"]) == found["matches"] == 2
    assert found["rounds"]["count"] == tally.rounds
    assert sum(each["share"] for each in found["rounds"]["ends"].values()) == pytest.approx(1)
    for each in (*found["bots"], *found["turn_order"]):
        assert each["rounds"] == tally.rounds
        low, high = each["round_wins"]["interval"]
        assert 0 <= low <= each["round_wins"]["share"] <= high <= 1
    text = summary_text(found)
    for name in ("random (1)", "greedy ", "random (3)", "third", "six-dice straight"):
        assert f"  {name}" in text


def test_one_round_without_close_rolls_is_still_summed_up() -> None:
    plan = Plan(2, 1, ("random", "random"), threshold=1, seed=1)
    tally = total(plan, 1)
    assert (tally.rounds, tally.played["close", 0]) == (1, 0)
    found = summary(plan, tally)
    assert found["turn_order"][0]["play_margin"]["interval"] is None
    assert "no such round" in summary_text(found)
    assert "nan" not in summary_text(found)


def test_options_are_read_as_people_type_them() -> None:
    assert parse_options("") == Options()
    assert parse_options(" ending=first-out, grind = at-once ") == Options(
        ending="first-out", grind="at-once"
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("ending", "name=value, not 'ending'"),
        ("ending=never", "Option ending takes gridlock or lawn-locked or first-out, not 'never'"),
        ("end=first-out", "There is no option 'end'"),
        ("grind=at-once,grind=at-once", "Option grind is given twice"),
    ],
)
def test_options_that_are_none_are_refused(text: str, said: str) -> None:
    with pytest.raises(OptionsError, match=said):
        parse_options(text)


def test_a_plan_that_cannot_be_played_is_refused() -> None:
    with pytest.raises(SimulationError, match="2 players need 2 bots, not 3"):
        Plan(2, 1, ("random",) * 3)
    with pytest.raises(SimulationError, match="At least one match"):
        Plan(2, 0, ("random",) * 2)
    with pytest.raises(BotError, match="There is no bot ''"):
        Plan(2, 1, ("random", ""))
    with pytest.raises(PositionError, match="Two or three players"):
        Plan(4, 1, ("random",) * 4)
    with pytest.raises(MatchError, match="threshold"):
        Plan(2, 1, ("random",) * 2, threshold=0)


def test_bots_that_play_in_circles_are_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    # R1, R4: with the ending lawn-locked, a round goes on as long as no row is locked
    def never_locks(position: Position, _: object) -> simulate.Action:
        return min(
            position.legal_actions(),
            key=lambda action: position.apply(action).locked,
        )

    monkeypatch.setattr(simulate, "bot_named", lambda _: never_locks)
    monkeypatch.setattr(simulate, "_LONGEST_ROUND", 3000)
    with pytest.raises(SimulationError, match="after 3000 actions: these bots play in circles"):
        play(Plan(3, 1, ("a",) * 3, Options(ending="lawn-locked")), [0])


def fall_over(_plan: Plan, _numbers: Sequence[int]) -> Tally:
    """Ends the process it runs in, as the system does when memory runs out."""
    os._exit(1)


def test_a_process_that_dies_is_said_and_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulate, "play", fall_over)
    with pytest.raises(SimulationError, match="fewer --jobs"):
        list(run(Plan(2, 8, ("random",) * 2), jobs=2))
