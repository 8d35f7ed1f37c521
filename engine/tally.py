"""Counting simulated rounds: only whole numbers, so that tallies add up alike in any order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from math import sqrt

from engine.position import Position

PARTS = ("base", "bonus", "captured", "lawn", "total")
"""The components of a round score (7:2) and their sum."""

CLOSE = 3
"""Big Rolls are called close when their totals are at most so many points apart."""

Interval = tuple[float, float]

_Z = 1.959964  # 95 % of a normal distribution lie within


@dataclass
class Tally:
    """Counts and sums over rounds and matches.

    The keys of `who` counters are ("bot", number) and, by place in the turn order from 0,
    ("place", k) and ("close", k): the same, in rounds with close Big Rolls only.

    Attributes:
        match_wins: matches won alone, by bot; -1 for a shared victory (R9).
        match_rounds: matches by their number of rounds.
        turns, lost: rounds by their number of turns, and of lost turns among these.
        ends: rounds by why they ended.
        bonuses: Big Rolls by the claimed category, "" for none.
        actions: actions applied, by phase.
        played: per who the rounds.
        round_wins: per who the rounds won alone.
        points: per part and who the sum of points; "play" is captured plus lawn, "play margin"
            the same minus the best of the others', and "play margin squared" its square.
    """

    match_wins: Counter[int] = field(default_factory=Counter)
    match_rounds: Counter[int] = field(default_factory=Counter)
    turns: Counter[int] = field(default_factory=Counter)
    lost: Counter[int] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)
    bonuses: Counter[str] = field(default_factory=Counter)
    actions: Counter[str] = field(default_factory=Counter)
    played: Counter[tuple[str, int]] = field(default_factory=Counter)
    round_wins: Counter[tuple[str, int]] = field(default_factory=Counter)
    points: Counter[tuple[str, str, int]] = field(default_factory=Counter)

    def add(self, other: Tally) -> None:
        """Take the other's counts in too."""
        for each in fields(self):
            getattr(self, each.name).update(getattr(other, each.name))

    @property
    def matches(self) -> int:
        return sum(self.match_rounds.values())

    @property
    def rounds(self) -> int:
        return sum(self.turns.values())

    def count_round(self, end: Position, bots: Sequence[int], turns: int, lost: int) -> None:
        """Count a round by its last position; `bots` holds the bot's number per seat."""
        self.turns[turns] += 1
        self.lost[lost] += 1
        self.ends[end.end_reason] += 1
        leads = [end.opening.lead(seat) for seat in end.order]
        close = max(leads) - min(leads) <= CLOSE
        scores = end.scores()
        for seat, score in enumerate(scores):
            self.bonuses[score.category] += 1
            others = [other for each, other in enumerate(scores) if each != seat]
            play = score.captured + score.lawn
            margin = play - max(other.captured + other.lawn for other in others)
            won = score.total > max(other.total for other in others)
            place = end.order.index(seat)
            for group, number in (("bot", bots[seat]), ("place", place), ("close", place)):
                if group == "close" and not close:
                    continue
                who = group, number
                self.played[who] += 1
                self.round_wins[who] += won
                for part in PARTS:
                    self.points[part, *who] += getattr(score, part)
                self.points["play", *who] += play
                self.points["play margin", *who] += margin
                self.points["play margin squared", *who] += margin * margin

    def mean(self, part: str, group: str, number: int) -> float | None:
        """Mean points a round of that part, or None when there was no such round."""
        played = self.played[group, number]
        return self.points[part, group, number] / played if played else None

    def margin_interval(self, group: str, number: int) -> Interval | None:
        """95 % interval of the mean play margin (normal approximation)."""
        played = self.played[group, number]
        if played < 2:
            return None
        mean = self.points["play margin", group, number] / played
        squares = self.points["play margin squared", group, number]
        error = sqrt(max(squares / played - mean * mean, 0.0) / (played - 1))
        return mean - _Z * error, mean + _Z * error


def wilson(successes: int, trials: int) -> Interval:
    """The 95 % score interval of a share (E. B. Wilson, 1927); (0, 1) without trials."""
    if trials == 0:
        return 0.0, 1.0
    share, z2 = successes / trials, _Z * _Z
    middle = share + z2 / (2 * trials)
    reach = _Z * sqrt(share * (1 - share) / trials + z2 / (4 * trials * trials))
    scale = 1 + z2 / trials
    return max(0.0, (middle - reach) / scale), min(1.0, (middle + reach) / scale)


def median(histogram: Counter[int]) -> float:
    """The median of the values that a histogram counts; it must not be empty."""
    total = sum(histogram.values())
    wanted = ((total - 1) // 2, total // 2)
    found, passed = [], 0
    for value in sorted(histogram):
        found += [value for at in wanted if passed <= at < passed + histogram[value]]
        passed += histogram[value]
    return sum(found) / 2


def mean(histogram: Counter[int]) -> float:
    """The mean of the values that a histogram counts; it must not be empty."""
    return sum(value * count for value, count in histogram.items()) / sum(histogram.values())
