"""The fairness of dice, against published values and against a second way to compute."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.fairness import (
    FEWEST,
    NONCENTRALITY,
    chi_square,
    fairness,
    holm,
    noticeable_share,
    tail,
)

COUNTS = st.tuples(*[st.integers(0, 500)] * 6)


@pytest.mark.parametrize(
    ("statistic", "p"),
    # Critical values of chi-square with five degrees of freedom, as in every printed table.
    [(1.145, 0.95), (4.351, 0.5), (9.236, 0.1), (11.070, 0.05), (15.086, 0.01), (20.515, 0.001)],
)
def test_the_tail_agrees_with_printed_tables(statistic: float, p: float) -> None:
    assert tail(statistic) == pytest.approx(p, rel=2e-3)


def density(x: float) -> float:
    return x**1.5 * math.exp(-x / 2) / (2**2.5 * math.gamma(2.5))


@pytest.mark.parametrize("statistic", [0.3, 2.0, 5.0, 11.07, 30.0, 80.0])
def test_the_tail_is_the_integral_of_the_density(statistic: float) -> None:
    steps, reach = 20_000, 120.0  # Simpson's rule as far as the density matters
    h = reach / steps
    area = sum(
        (1 if at in (0, steps) else 4 if at % 2 else 2) * density(statistic + at * h)
        for at in range(steps + 1)
    )
    assert tail(statistic) == pytest.approx(area * h / 3, rel=1e-6)


def test_weldons_dice_are_found_loaded() -> None:
    # Pearson 1900 tested W. F. R. Weldon's 26 306 throws of twelve dice: 106 602 of 315 672 showed 5 or 6, for
    # which he computed odds of 62 499 to 1 against fair dice. Spread evenly over their faces here.
    low = 315_672 - 106_602
    counts = (low // 4 + 2, low // 4, low // 4, low // 4, 53_301, 53_301)
    (weldon,) = fairness({"white": counts})
    assert weldon.rolls == 315_672
    assert weldon.finding == "loaded"
    assert chi_square((5, 8, 9, 8, 10, 20)) == pytest.approx(13.4)  # the textbook example


@given(COUNTS)
def test_the_statistic_does_not_care_which_face_is_which(counts: tuple[int, ...]) -> None:
    assert chi_square(counts) >= 0
    assert chi_square(counts) == pytest.approx(chi_square(tuple(reversed(counts))))
    assert chi_square((7,) * 6) == 0 == chi_square((0,) * 6)


@given(st.floats(0, 200), st.floats(0, 200))
def test_a_more_uneven_result_is_never_more_probable(one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert 0 <= tail(high) <= tail(low) <= 1


@given(st.lists(st.floats(0, 1), max_size=8))
def test_holms_correction_lies_between_none_and_bonferronis(chances: list[float]) -> None:
    for p, corrected in zip(chances, holm(chances), strict=True):
        assert p <= corrected <= min(1.0, len(chances) * p) + 1e-12
    ranks = sorted(range(len(chances)), key=lambda at: chances[at])
    assert sorted(holm(chances)) == [holm(chances)[at] for at in ranks]


def test_holms_correction_of_a_known_example() -> None:
    assert holm((0.01, 0.04, 0.03, 0.005)) == pytest.approx((0.03, 0.06, 0.06, 0.02))


def test_too_few_rolls_get_no_answer_and_do_not_burden_the_others() -> None:
    few, many = (0, 0, 0, 0, 0, FEWEST - 1), (30, 20, 20, 20, 20, 40)
    red, blue = fairness({"red": few, "blue": many})
    assert (red.finding, red.p, red.p_corrected) == ("too-few", 1.0, 1.0)
    assert blue.p_corrected == blue.p == tail(blue.statistic)
    assert blue.finding == "doubtful"
    assert fairness({}) == ()


def test_fair_dice_are_rarely_suspected_and_one_of_three_colours_not_more_often() -> None:
    rng = random.Random(20261130)
    suspected = 0
    for _ in range(400):
        colours = {}
        for colour in ("red", "blue", "green"):
            rolls = rng.choices(range(6), k=120)
            colours[colour] = tuple(rolls.count(face) for face in range(6))
        suspected += any(each.finding != "fair" for each in fairness(colours))
    assert 5 <= suspected <= 36  # 20 are expected


def test_what_would_be_noticed_has_the_power_that_is_said() -> None:
    # Noncentral chi-square as Poisson's mixture of central ones with 5 + 2 j degrees of freedom.
    half, critical = NONCENTRALITY / 2, 11.0705
    power, term, step = 0.0, tail(critical), math.exp(-critical / 2) * (critical / 2) ** 2.5
    step /= math.gamma(3.5)
    for j in range(80):
        power += math.exp(-half) * half**j / math.factorial(j) * term
        term += step  # Q(x; k + 2) = Q(x; k) + (x/2)^(k/2) e^(-x/2) / gamma(k/2 + 1)
        step *= (critical / 2) / (3.5 + j)
    assert power == pytest.approx(0.80, abs=0.001)
    assert noticeable_share(300) == pytest.approx(0.2437, abs=1e-4)
    assert noticeable_share(0) == noticeable_share(1) == 1.0
    rng, noticed = random.Random(7), 0
    share = noticeable_share(600)
    for _ in range(300):
        rolls = rng.choices(range(6), [(1 - share) / 5] * 5 + [share], k=600)
        counts = tuple(rolls.count(face) for face in range(6))
        noticed += fairness({"red": counts})[0].finding != "fair"
    assert 0.72 <= noticed / 300 <= 0.88
