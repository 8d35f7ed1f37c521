"""Luck of Big Rolls against exact odds."""

from __future__ import annotations

import random

import pytest

from engine.big_roll import score
from engine.luck import EXACT_ROLLS, big_roll_luck, chance_of
from engine.odds import bonus_odds


def test_one_roll_is_as_rare_as_all_throws_say() -> None:
    assert chance_of(0, 1) == pytest.approx(1)
    assert chance_of(96, 1) == pytest.approx(6**-8)  # eight sixes: 48 and 48
    assert chance_of(97, 1) == 0
    assert chance_of(8, 1) == pytest.approx(1)  # a base alone is at least eight


def test_two_rolls_are_the_convolution_of_one() -> None:
    p = [chance_of(total, 1) - chance_of(total + 1, 1) for total in range(98)]
    at_least = sum(p[a] * p[b] for a in range(98) for b in range(98) if a + b >= 80)
    assert chance_of(80, 2) == pytest.approx(at_least)


def test_exact_and_normal_chances_meet() -> None:
    odds = bonus_odds()
    for rolls in (EXACT_ROLLS, EXACT_ROLLS + 1):
        for points in (-1, 0, 1):
            total = round(rolls * odds.total + points * odds.total_spread * rolls**0.5)
            exact = {-1: 0.84, 0: 0.49, 1: 0.16}[points]
            assert chance_of(total, rolls) == pytest.approx(exact, abs=0.02)


def test_luck_adds_up_over_many_rolls() -> None:
    rng = random.Random(3)
    rolls = [tuple(sorted(rng.choices(range(1, 7), k=8))) for _ in range(3000)]
    luck = big_roll_luck(rolls)
    assert luck.points == sum(score(faces).total for faces in rolls)
    assert luck.above == pytest.approx(luck.points - 3000 * bonus_odds().total)
    assert luck.bonuses == pytest.approx(luck.bonuses_expected, rel=0.1)
    assert 0.01 < luck.as_much < 0.99
    assert big_roll_luck([]).as_much == 1.0
