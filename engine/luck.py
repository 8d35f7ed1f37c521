"""Luck: what the dice gave, against what they give on average, from exact odds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from math import erfc, sqrt
from typing import Any

from engine.big_roll import score
from engine.dice import DICE_PER_PLAYER, Faces, throws
from engine.odds import bonus_odds

EXACT_ROLLS = 12
"""Up to so many Big Rolls the chance is counted exactly; of more, the sum is close to normally distributed."""


@dataclass(frozen=True, slots=True)
class BigRollLuck:
    """Big Rolls against their expectation; bonuses are the best ones, whatever was claimed (3:2.D).

    Attributes:
        rolls: how many.
        points: base plus best bonus of all of them.
        expected: what as many rolls bring on average.
        bonuses: how many had a bonus; bonuses_expected: how many have one on average.
        as_much: chance that as many rolls bring at least so many points; 1 without rolls.
    """

    rolls: int
    points: int
    expected: float
    bonuses: int
    bonuses_expected: float
    as_much: float

    @property
    def above(self) -> float:
        """Points above (or below, negative) the expectation."""
        return self.points - self.expected

    def to_json(self) -> dict[str, Any]:
        return {
            "rolls": self.rolls,
            "points": self.points,
            "expected": round(self.expected, 3),
            "above": round(self.above, 3),
            "bonuses": self.bonuses,
            "bonuses_expected": round(self.bonuses_expected, 3),
            "as_much": self.as_much,
        }


def big_roll_luck(rolls: Iterable[Faces]) -> BigRollLuck:
    """What these Big Rolls of eight dice brought, and how lucky that is."""
    scored = [score(faces) for faces in rolls]
    points = sum(roll.total for roll in scored)
    odds = bonus_odds()
    return BigRollLuck(
        len(scored),
        points,
        len(scored) * odds.total,
        sum(bool(roll.bonuses) for roll in scored),
        len(scored) * odds.any_bonus,
        chance_of(points, len(scored)),
    )


def chance_of(points: int, rolls: int) -> float:
    """The chance that so many Big Rolls bring at least these points."""
    if rolls <= 0:
        return 1.0 if points <= 0 else 0.0
    if rolls <= EXACT_ROLLS:
        return min(1.0, sum(p for total, p in enumerate(_sums(rolls)) if total >= points))
    odds = bonus_odds()
    spread = odds.total_spread * sqrt(rolls)
    # Points are whole numbers, so the normal curve is cut half a point below.
    return erfc((points - 0.5 - rolls * odds.total) / (spread * sqrt(2))) / 2


@cache
def _sums(rolls: int) -> tuple[float, ...]:
    """The chance of every sum of totals, by sum from 0."""
    one = _totals()
    if rolls == 1:
        return one
    before = _sums(rolls - 1)
    sums = [0.0] * (len(before) + len(one) - 1)
    for total, p in enumerate(one):
        if p:
            for earlier, q in enumerate(before):
                sums[total + earlier] += p * q
    return tuple(sums)


@cache
def _totals() -> tuple[float, ...]:
    """The chance of every total of one Big Roll, by total from 0."""
    chances: dict[int, float] = {}
    for faces, chance in throws(DICE_PER_PLAYER):
        total = score(faces).total
        chances[total] = chances.get(total, 0.0) + chance
    return tuple(chances.get(total, 0.0) for total in range(max(chances) + 1))
