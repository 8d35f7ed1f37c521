"""The planner: what it sees, what it estimates, and that searching pays."""

from __future__ import annotations

import random

import pytest

from engine.planner import Planner
from engine.position import Position, playout
from engine.simulate import Plan, play
from engine.tally import Tally
from engine.value import OUT, estimate, kept_edges, margin, pattern, views, waits, won
from tests.engine.tables import table

LOCKS_AT_ONCE = table(
    "placement red",
    {"red": "1236", "blue": "123466"},
    {1: "bwr", 5: "bwr", 6: "rrw"},
)


def test_a_lawn_row_is_seen_from_either_side_by_each_player() -> None:
    order = (2, 0, 1)  # after seat 0 comes 1, then 2
    assert pattern((0, 1, 2), 0, order) == pattern((2, 1, 0), 0, order) == "mxy"
    assert pattern((0, 1, 2), 2, order) == "myx"
    assert pattern((-1, 3, 0), 1, (0, 1)) == ".wx"


def test_an_edge_die_is_kept_unless_the_roll_goes_past_it() -> None:
    # rule 4:1.B, 4:1.C: a 6 stays highest whatever is rolled, a 5 with chance 5/6 a die
    assert kept_edges((1, 2, 6)) == ((1, 1.0), (6, 1.0))
    assert dict(kept_edges((2, 2, 3, 5))) == pytest.approx({2: 5 / 6, 5: (5 / 6) ** 2})
    assert kept_edges((4, 4)) == kept_edges(()) == ()


def test_waits_count_the_turns_in_between() -> None:
    # rule 3:4.A and R10
    rows = {"red": "12", "blue": "", "green": "13456666"}
    lawn = {1: "rbr", 2: "rbr", 3: "rbr", 4: "bbb", 5: "bb."}
    position = table("boundary-choice green", rows, lawn, order="red>green>blue")
    assert waits(position) == (1, OUT, 0)


def test_a_die_in_the_air_counts_for_its_owner_and_ends_the_turn() -> None:
    # rule 5:2
    position = table(
        "re-entry red rolls blue",
        {"red": "12345", "blue": "123456"},
        {1: "rrw", 6: "brw"},
    )
    assert waits(position) == (1, 0)
    assert [view.own for view in views(position)] == [5 / 8, 7 / 8]


def test_an_estimate_is_exact_when_the_round_is_over() -> None:
    *_, (last, action) = playout(Position.start(2), random.Random(4))
    end = last.apply(action)
    assert estimate(end) == won(end) == tuple(s.captured + s.lawn for s in end.scores())
    assert margin((10, 4, 7), 0) == 3
    assert margin((10, 4, 7), 1) == -6


@pytest.mark.parametrize("players", [2, 3])
def test_estimates_are_near_what_players_still_win(players: int) -> None:
    """Halfway through rounds of the planner, against no estimate at all."""
    planner, with_estimate, without = Planner(nodes=20), 0.0, 0.0
    for seed in range(12):
        rng, position = random.Random(seed), Position.start(players)
        halfway: Position | None = None
        while not position.is_over:
            dice = sum(map(len, position.rows))
            if halfway is None and position.phase == "boundary-choice" and dice <= 4 * players:
                halfway = position
            action = position.throw(rng) if position.is_chance else planner(position, rng)
            position = position.apply(action)
        assert halfway is not None
        for guess, before, after in zip(
            estimate(halfway), won(halfway), won(position), strict=True
        ):
            with_estimate += (guess - after) ** 2
            without += (before - after) ** 2
    assert with_estimate < 0.8 * without


def test_a_lock_that_wins_much_is_taken() -> None:
    # rule 4:3.D: 18 points and a captured 6
    for nodes in (10, 200, 3000):
        assert str(Planner(nodes)(LOCKS_AT_ONCE, random.Random(0))) == "place 6 left"


def test_a_grind_without_end_in_sight_is_not_searched_for_ever() -> None:
    # rule 6:2.B: only row 1 is open, so most throws keep the grind going
    lawn = {1: "rw.", 2: "bbb", 3: "rrr", 4: "bbb", 5: "rrr", 6: "bb."}
    lawn[6] = "bbw"
    position = table(
        "boundary-choice red", {"red": "2", "blue": ""}, lawn, captured={"red": "23", "blue": "45"}
    )
    assert Planner(nodes=5000)(position, random.Random(0)) in position.legal_actions()


def test_a_player_alone_comes_to_an_end_though_it_could_play_on() -> None:
    # rule 6:2.B and R1: a last die that pushes an own one off is followed by that one
    lawn = {1: "rrw", 2: "bbb", 3: "bwr", 4: "bwr", 5: "bbb", 6: "rrr"}
    position = table(
        "boundary-choice red", {"red": "4", "blue": ""}, lawn, captured={"red": "6", "blue": "25"}
    )
    for seed in range(20):
        rng, now, steps = random.Random(seed), position, 0
        while not now.is_over:
            now = now.apply(now.throw(rng) if now.is_chance else Planner(100)(now, rng))
            steps += 1
            assert steps < 2000


def test_the_time_limit_is_asked_after_each_deepening_and_obeyed() -> None:
    rng = random.Random(1)
    position = next(
        position
        for position, _ in playout(Position.start(2), rng)
        if position.phase == "boundary-choice" and len(position.legal_actions()) == 2
    )
    asked = []

    def up_after(times: int) -> Planner:
        def time_is_up() -> bool:
            asked.append(times)
            return len(asked) >= times

        asked.clear()
        return Planner(nodes=1600, time_is_up=time_is_up)

    assert up_after(1)(position, random.Random(0)) == Planner(100)(position, random.Random(0))
    assert len(asked) == 1
    up_after(99)(position, random.Random(0))
    assert len(asked) == 3  # 100, 400, 1600


@pytest.mark.parametrize(("players", "least"), [(2, 8), (3, 5)])
def test_the_planner_beats_greedy(players: int, least: int) -> None:
    """Ten short matches, where chance gives 5 or 3; the 400 of docs/balance.md are `lawn simulate`'s."""
    bots = ("planner", *["greedy"] * (players - 1))
    tally: Tally = play(Plan(players, 10, bots, threshold=200, seed=1), range(10))
    assert tally.match_wins[0] >= least
    assert tally.points["play margin", "bot", 0] > 0
