"""Random, greedy and the interface that every bot keeps."""

from __future__ import annotations

import random
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.actions import Place
from engine.bots import Bot, BotError, bot_named, greedy_bot, points_now
from engine.options import Ending, Options
from engine.planner import Planner
from engine.position import Position, playout
from tests.engine.tables import play, table

NAMES = ("random", "greedy", "planner")
CHOICE_PHASES = {"bonus-choice", "boundary-choice", "placement"}


@settings(max_examples=15, deadline=None)
@given(st.sampled_from((2, 3)), st.sampled_from(get_args(Ending)), st.integers(0, 2**32))
def test_every_choice_is_legal(players: int, ending: Ending, seed: int) -> None:
    rng = random.Random(seed)
    start = Position.start(players, options=Options(ending=ending))
    positions = [position for position, _ in playout(start, rng) if not position.is_chance]
    bots: list[Bot] = [*map(bot_named, NAMES[:2]), Planner(nodes=20), Planner(nodes=2000)]
    for position in rng.sample(positions, min(6, len(positions))):
        assert position.phase in CHOICE_PHASES
        for bot in bots:
            assert bot(position, rng) in position.legal_actions()


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_gives_the_same_choices(name: str) -> None:
    def choices() -> list[str]:
        rng, position, chosen = random.Random(5), Position.start(3), []
        while not position.is_over and len(chosen) < 12:
            if position.is_chance:
                position = position.apply(position.throw(rng))
                continue
            chosen.append(str(bot_named(name)(position, rng)))
            position = play(position, chosen[-1])
        return chosen

    assert choices() == choices()


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_chosen_while_dice_are_in_the_air_or_after_the_round(name: str) -> None:
    bot = bot_named(name)
    with pytest.raises(BotError, match="dice are in the air"):
        bot(Position.start(2), random.Random(0))
    *_, (last, action) = playout(Position.start(2), random.Random(0))
    with pytest.raises(BotError, match="round is over"):
        bot(last.apply(action), random.Random(0))


def test_an_unknown_bot_is_refused_with_the_list() -> None:
    with pytest.raises(BotError, match="'chess'; the bots are random, greedy, planner"):
        bot_named("chess")


@pytest.mark.parametrize("name", NAMES[1:])
def test_the_best_bonus_is_claimed(name: str) -> None:
    # rule 3:2.D, R6: 24 points for six 4s, 28 for all eight dice
    position = play(Position.start(2), "rolled 2 2 4 4 4 4 4 4", "rolled 1 2 3 4 5 5 5 6")
    assert position.phase == "bonus-choice"
    assert str(bot_named(name)(position, random.Random(0))) == "claim fully matched"


def before_red(phase: str, edges: str, lawn: dict[int, str]) -> Position:
    """Red to act with these edge dice and 3s between them; blue holds what is not on the Lawn."""
    placed = "".join(lawn.values())
    between = "3" * (8 - placed.count("r") - len(edges))
    rows = {"red": "".join(sorted(edges + between)), "blue": "12345566"[placed.count("b") :]}
    return table(f"{phase} red", rows, lawn)


def test_points_now_are_locks_and_captures() -> None:
    # rule 7:2.B and 7:2.C: the third die at the left pushes the white 1 off and locks row 1
    position = before_red("placement", "16", {1: "rrw", 6: "bwr"})
    points = {
        str(action): points_now(position, action)
        for action in position.legal_actions()
        if isinstance(action, Place)
    }
    assert points == {
        "place 1 left": 3 * 1 + 1,
        "place 1 right": 0,
        "place 6 left": 0,
        "place 6 right": 0,
    }


@pytest.mark.parametrize(
    ("lawn", "expected"),
    [
        # a lock with a capture, before anything else
        ({1: "rrw", 6: "bwr"}, "place 1 left"),
        # no points: no own die is pushed off, and row 6 is the highest
        ({1: "bwr", 6: "rwb"}, "place 6 left"),
        # no points: the row with an own die in it
        ({1: ".wr", 6: ".wb"}, "place 1 left"),
    ],
)
def test_greedy_takes_points_then_keeps_its_own_dice(lawn: dict[int, str], expected: str) -> None:
    position = before_red("placement", "16", lawn)
    assert len(position.legal_actions()) > 1
    assert {str(greedy_bot(position, random.Random(seed))) for seed in range(8)} == {expected}


def test_greedy_rolls_the_edge_that_is_worth_less_where_it_lies() -> None:
    # rule 4:1: the other one can then be placed and lock its row
    for row, edge in ((1, "boundary high"), (6, "boundary low")):
        position = before_red("boundary-choice", "16", {row: "rrw"})
        assert str(greedy_bot(position, random.Random(0))) == edge
