"""Advice: prospects of each legal action, with honest errors."""

from __future__ import annotations

import json
import random
from math import sqrt

import pytest

from engine.advice import AdviceError, advice
from engine.bots import BotError, random_bot
from engine.position import Position, playout
from tests.engine.tables import table

FULL = {1: "bbb", 2: "bbr", 3: "rwb", 4: "bwr", 5: "rrb", 6: "rrw"}
"""Seven red dice, eight blue ones: red's last die decides the round."""

LAST_DIE = table(
    "placement red", {"red": "6", "blue": ""}, FULL, captured={"red": "2", "blue": "15"}
)


def midgame() -> Position:
    positions = [
        position
        for position, _ in playout(Position.start(2), random.Random(7))
        if position.phase == "placement" and len(position.legal_actions()) > 2
    ]
    return positions[len(positions) // 2]


def test_a_forced_win_is_shown_as_one() -> None:
    # rule 7:2: locking row 6 with the capture of the white 6 wins 24 points at once
    best, other = advice(LAST_DIE, playouts=20)
    assert str(best.action) == "place 6 left"
    red, blue = LAST_DIE.scores()
    assert best.margin == red.total + 18 + 6 - blue.total > 0
    assert (best.win, best.margin_error) == (1.0, 0.0)
    assert 0 < best.win_error < 0.15
    assert other.margin < best.margin


def test_every_legal_action_is_advised_on_best_first() -> None:
    position = midgame()
    found = advice(position, playouts=8)
    assert {each.action for each in found} == set(position.legal_actions())
    assert [each.margin for each in found] == sorted((e.margin for e in found), reverse=True)
    for each in found:
        assert each.name == position.name(each.action)
        assert 0 <= each.win <= 1
        assert each.margin_error > 0
        assert each.win_error > 0
        assert each.playouts == 8
        assert json.loads(json.dumps(each.to_json()))["action"] == str(each.action)


def test_the_same_seed_gives_the_same_advice_and_another_one_other() -> None:
    position = midgame()
    assert advice(position, playouts=6, seed=1) == advice(position, playouts=6, seed=1)
    assert advice(position, playouts=6, seed=1) != advice(position, playouts=6, seed=2)


def test_the_standard_error_tells_how_far_advice_scatters() -> None:
    position = midgame()
    actions = position.legal_actions()
    runs = [
        {each.action: each for each in advice(position, playouts=20, seed=seed, bot=random_bot)}
        for seed in range(30)
    ]
    for action in actions:
        means = [run[action].margin for run in runs]
        middle = sum(means) / len(means)
        scatter = sqrt(sum((mean - middle) ** 2 for mean in means) / (len(means) - 1))
        claimed = sum(run[action].margin_error for run in runs) / len(runs)
        assert 0.6 < scatter / claimed < 1.5


def test_too_few_playouts_and_nothing_to_choose_are_refused() -> None:
    with pytest.raises(AdviceError, match="at least two playouts, not 1"):
        advice(midgame(), playouts=1)
    with pytest.raises(BotError, match="dice are in the air"):
        advice(Position.start(2))
