"""The Big Roll's exact odds against formulas that count in another way."""

from __future__ import annotations

from math import comb, factorial, perm, sqrt

import pytest

from engine.big_roll import CATEGORIES
from engine.odds import bonus_odds

THROWS = 6**8


def test_of_a_kind_by_choosing_the_dice() -> None:
    # rule 3:2.A: two sets of five or more do not fit into eight dice
    for number, name in enumerate(CATEGORIES[:4], 5):
        ways = 6 * comb(8, number) * 5 ** (8 - number)
        assert bonus_odds().qualifies[name] == pytest.approx(ways / THROWS)


def test_the_straight_by_inclusion_and_exclusion() -> None:
    # rule 3:2.B
    ways = sum((-1) ** missing * comb(6, missing) * (6 - missing) ** 8 for missing in range(7))
    assert bonus_odds().qualifies["six-dice straight"] == pytest.approx(ways / THROWS)


def test_no_orphan_by_inclusion_and_exclusion_of_orphans() -> None:
    # rule 3:2.C
    ways = sum(
        (-1) ** orphans * comb(6, orphans) * perm(8, orphans) * (6 - orphans) ** (8 - orphans)
        for orphans in range(7)
    )
    assert bonus_odds().qualifies["fully matched"] == pytest.approx(ways / THROWS)


def test_several_bonuses_are_a_large_set_beside_a_small_one_or_eight_alike() -> None:
    # rule 3:2.D: five and a triple, six and a pair, eight alike (seven leave an orphan)
    ways = 6 * 5 * (comb(8, 5) + comb(8, 6)) + 6
    odds = bonus_odds()
    assert odds.several == pytest.approx(ways / THROWS)
    assert odds.any_bonus == pytest.approx(sum(odds.qualifies.values()) - ways / THROWS)
    assert odds.any_bonus == pytest.approx(sum(odds.best.values()))


def test_the_expected_total_is_eight_dice_and_the_bonus() -> None:
    odds = bonus_odds()
    assert odds.total == pytest.approx(8 * 3.5 + odds.bonus)
    assert odds.total_spread > sqrt(8 * 35 / 12)  # that of the dice alone
    assert 0 < odds.tie < 1
    assert factorial(8) / (factorial(3) * THROWS) < odds.qualifies["six-dice straight"]
