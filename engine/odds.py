"""Exact odds of the Big Roll, counted over all 6^8 throws of eight dice."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import sqrt

from engine.big_roll import CATEGORIES, score
from engine.dice import DICE_PER_PLAYER, throws


@dataclass(frozen=True, slots=True)
class BonusOdds:
    """Chances for one player's Big Roll (3:2).

    Attributes:
        qualifies: per category the chance that the roll qualifies for it.
        best: per category the chance that it is the best bonus, the one proposed (R6).
        any_bonus: the chance of any bonus.
        several: the chance of more than one, so that there is an election (3:2.D).
        bonus: expected points of the best bonus, 0 where there is none.
        total: expected base plus best bonus.
        total_spread: standard deviation of that total.
        tie: the chance that two such totals are equal, so that two players break a tie (3:4.B).
    """

    qualifies: dict[str, float]
    best: dict[str, float]
    any_bonus: float
    several: float
    bonus: float
    total: float
    total_spread: float
    tie: float


@cache
def bonus_odds() -> BonusOdds:
    """All odds of the Big Roll, from every throw of eight dice with its probability."""
    rolls = [(score(faces), chance) for faces, chance in throws(DICE_PER_PLAYER)]
    qualifies = dict.fromkeys(CATEGORIES, 0.0)
    best = dict.fromkeys(CATEGORIES, 0.0)
    totals: dict[int, float] = {}
    for roll, chance in rolls:
        for bonus in roll.bonuses:
            qualifies[bonus.category] += chance
        if roll.best:
            best[roll.best.category] += chance
        totals[roll.total] = totals.get(roll.total, 0.0) + chance
    mean = sum(total * chance for total, chance in totals.items())
    return BonusOdds(
        qualifies=qualifies,
        best=best,
        any_bonus=sum(chance for roll, chance in rolls if roll.bonuses),
        several=sum(chance for roll, chance in rolls if len(roll.bonuses) > 1),
        bonus=sum(roll.best.points * chance for roll, chance in rolls if roll.best),
        total=mean,
        total_spread=sqrt(sum((total - mean) ** 2 * p for total, p in totals.items())),
        tie=sum(chance * chance for chance in totals.values()),
    )
