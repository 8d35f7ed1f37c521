"""Counting simulated rounds, and the intervals that are printed with the counts."""

from __future__ import annotations

import random
from collections import Counter
from statistics import mean as plain_mean
from statistics import median as plain_median
from statistics import stdev

import pytest

from engine.simulate import Plan, play
from engine.tally import Tally, mean, median, wilson


def test_wilson_intervals_are_those_of_the_textbook() -> None:
    assert wilson(50, 100) == pytest.approx((0.40383, 0.59617), abs=1e-5)
    assert wilson(0, 10) == pytest.approx((0.0, 0.27753), abs=1e-5)
    assert wilson(10, 10) == pytest.approx((0.72247, 1.0), abs=1e-5)
    assert wilson(0, 0) == (0.0, 1.0)


def test_a_wilson_interval_holds_the_truth_about_as_often_as_it_says() -> None:
    rng, held = random.Random(3), 0
    for _ in range(2000):
        low, high = wilson(sum(rng.random() < 0.9 for _ in range(60)), 60)
        held += low <= 0.9 <= high
    assert 0.93 < held / 2000 < 0.98


def test_medians_and_means_of_a_histogram_are_those_of_its_values() -> None:
    for values in ([4], [1, 2], [5, 1, 1, 9], [2, 2, 3, 8, 8]):
        assert median(Counter(values)) == plain_median(values)
        assert mean(Counter(values)) == pytest.approx(plain_mean(values))


def test_margins_have_the_interval_of_their_mean() -> None:
    tally, margins = Tally(), [3, -5, 8, 1]
    tally.played["bot", 0] = len(margins)
    tally.points["play margin", "bot", 0] = sum(margins)
    tally.points["play margin squared", "bot", 0] = sum(margin**2 for margin in margins)
    reach = 1.959964 * stdev(margins) / 2
    assert tally.margin_interval("bot", 0) == pytest.approx((1.75 - reach, 1.75 + reach))
    assert tally.margin_interval("bot", 1) is None


def test_tallies_add_up_in_any_order() -> None:
    plan = Plan(2, 4, ("random", "greedy"), threshold=100)
    whole = play(plan, range(4))
    backwards = Tally()
    for number in (3, 1, 2, 0):
        backwards.add(play(plan, [number]))
    assert backwards == whole
    assert whole.matches == 4


def test_points_add_up_and_what_one_is_ahead_the_other_is_behind() -> None:
    # rule 7:2
    tally = play(Plan(2, 6, ("greedy", "random"), threshold=120), range(6))
    points, rounds = tally.points, tally.rounds
    for who in (("bot", 0), ("bot", 1), ("place", 0), ("place", 1)):
        parts = sum(points[part, *who] for part in ("base", "bonus", "captured", "lawn"))
        assert parts == points["total", *who]
        assert points["play", *who] == points["captured", *who] + points["lawn", *who]
        assert tally.played[who] == rounds
    assert points["play margin", "bot", 0] == -points["play margin", "bot", 1] > 0
    assert points["base", "place", 0] > points["base", "place", 1]  # rule 3:4.A
    assert sum(tally.bonuses.values()) == 2 * rounds
    assert 0 < tally.played["close", 0] < rounds
