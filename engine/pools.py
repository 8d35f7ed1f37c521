"""How well the dice seen off the Lawn fit a Player Row: exact sums over all ways to match them.

A pool is the multiset of an owner's dice off the Lawn, packed into an integer, five bits a face.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb, factorial, perm
from typing import Any

from engine.dice import Faces
from engine.evidence import Die

ONE: tuple[int, ...] = tuple(1 << (5 * f) for f in range(6))
"""One die of the faces 1..6."""

_GUARD = sum(16 << (5 * f) for f in range(6))
_PRUNE = 3e-6  # relative weight below which a reading of a pool counts as impossible
_MISSED = (1.0, 1.2e-2, 4e-3, 1.5e-3, 8e-4, 4e-4, 2e-4, 1e-4, 1e-4)
_MISSED_HIDDEN = (1.0, 0.5, 0.3, 0.2, 0.15, 0.1, 0.1, 0.1, 0.1)
_MISSED_AGAIN = (1.0, *(0.5 * each for each in _MISSED[:-1]))
"""Chance that 0, 1, 2 ... of an owner's dice off the Lawn are unseen: overlooked, or in a hand; and
where one was overlooked in the view before."""


MISSED_ANEW = _MISSED[1] / _MISSED_AGAIN[1]
"""How much less likely a die is overlooked when none of that owner's was before."""


@lru_cache(maxsize=65536)
def packed(faces: Faces) -> int:
    """A multiset of faces as an integer; adding a die of face f is adding ONE[f - 1]."""
    return sum(ONE[face - 1] for face in faces)


@lru_cache(maxsize=65536)
def unpacked(pool: int) -> Faces:
    """The sorted faces of a packed multiset."""
    return tuple(f for f in range(1, 7) for _ in range(pool >> (5 * (f - 1)) & 31))


@lru_cache(maxsize=65536)
def size(pool: int) -> int:
    """How many dice a packed multiset has."""
    return sum(pool >> (5 * f) & 31 for f in range(6))


def contains(pool: int, part: int) -> bool:
    """Whether `part` is a sub-multiset of `pool`."""
    return ((pool | _GUARD) - part) & _GUARD == _GUARD


@lru_cache(maxsize=65536)
def excess(part: int, pool: int) -> int:
    """How many dice of `part` are not in `pool`."""
    return sum(max(0, (part >> (5 * f) & 31) - (pool >> (5 * f) & 31)) for f in range(6))


@lru_cache(maxsize=65536)
def arrangements(pool: int) -> int:
    """In how many orders equal dice can stand for each other: the product of the counts' n!."""
    ways = 1
    for f in range(6):
        ways *= factorial(pool >> (5 * f) & 31)
    return ways


@lru_cache(maxsize=65536)
def _choices(pool: int, part: int) -> int:
    """In how many ways the dice of `part` can be chosen from those of `pool`."""
    ways = 1
    for f in range(6):
        ways *= comb(pool >> (5 * f) & 31, part >> (5 * f) & 31)
    return ways


@lru_cache(maxsize=65536)
def chosen(pool: int, shown: int) -> float:
    """The chance that the die which is missing, one of `pool`, is just the one that is not shown."""
    count = size(pool)
    if size(shown) + 1 != count or not contains(pool, shown):
        return 1 / max(1, count)
    return _choices(pool, pool - shown) / count


@lru_cache
def any_of(count: int) -> tuple[int, ...]:
    """Every multiset of so many dice, packed."""
    pools = {0}
    for _ in range(count):
        pools = {pool + one for pool in pools for one in ONE}
    return tuple(sorted(pools))


class Pool:
    """The dice seen off the Lawn of one owner, asked for the likelihood of what they really are.

    again: one of the dice was overlooked in the view before. Then it is that one again that is unseen, of
    which it is known already which it is; where it is another one, `engine.touches` weighs which.
    best: the greatest likelihood that any multiset has.
    par: the same where what is known of the dice is true. reaches: what `engine.reach_seat` remembers.
    """

    __slots__ = (
        "_again",
        "_asked",
        "_by_size",
        "_doubtful",
        "_missed",
        "_table",
        "best",
        "par",
        "reaches",
        "seen",
    )

    def __init__(self, dice: tuple[Die, ...], hidden: bool, again: bool = False) -> None:
        self.seen = len(dice)
        self._again = again and not hidden
        self._doubtful = any(die.spurious > 0.02 for die in dice)
        self._table = _table(tuple((die.face, die.spurious) for die in dice))
        self._by_size: dict[int, list[tuple[int, float]]] = {}
        for part, weight in self._table.items():
            self._by_size.setdefault(size(part), []).append((part, weight))
        self._missed = _MISSED_HIDDEN if hidden else _MISSED_AGAIN if again else _MISSED
        self._asked: dict[int, float] = {}
        self.reaches: dict[object, Any] = {}
        ways = factorial(self.seen)
        self.best = max(w * arrangements(part) / ways for part, w in self._table.items())
        self.par = self.best
        if any(die.known for die in dice):
            known = _table(tuple((_as_known(die), die.spurious) for die in dice))
            self.par = max(w * arrangements(part) / ways for part, w in known.items())

    def likelihood(self, pool: int) -> float:
        """P(what is seen | the dice are `pool`), for dice in no special order."""
        known = self._asked.get(pool)
        if known is None:
            known = self._asked[pool] = self._likelihood(pool)
        return known

    def likeliest(self, count: int, at_least: float) -> list[tuple[int, float]]:
        """(multiset, weight) of readings with exactly `count` dice, weighing at least that share
        of the best of them."""
        found = self._by_size.get(count, [])
        least = at_least * max((w for _, w in found), default=0.0)
        return [(part, w) for part, w in found if w >= least]

    def readings(self) -> list[tuple[int, float]]:
        """Every (multiset, weight) that is possible without unseen dice."""
        return list(self._table.items())

    def part_of(self, pool: int) -> float:
        """P(what is seen | each of these dice is another one of `pool`, and nothing is known of the
        rest of it), for telling pools of one size apart."""
        count, total = size(pool), 0.0
        for matched, parts in self._by_size.items():
            if matched > count:
                continue
            ways = sum(
                weight * _choices(pool, part) * arrangements(part)
                for part, weight in parts
                if contains(pool, part)
            )
            total += ways / perm(count, matched)
        return total

    def _likelihood(self, pool: int) -> float:
        count = size(pool)
        spurious = max(0, self.seen - count)
        total = 0.0
        for extra in range(2 if self._doubtful else 1):
            matched = self.seen - spurious - extra
            if matched < 0:
                break
            missing = count - matched
            if missing >= len(self._missed):
                break
            if missing == 0:
                total += self._table.get(pool, 0.0) * arrangements(pool)
                continue
            known = missing == 1 and self._again
            ways = sum(
                weight * (1 if known else _choices(pool, part)) * arrangements(part)
                for part, weight in self._by_size.get(matched, ())
                if contains(pool, part)
            )
            total += ways * self._missed[missing] / (1 if known else comb(count, missing))
        return total / factorial(self.seen)


def _as_known(die: Die) -> tuple[float, ...]:
    if die.known is None:
        return die.face
    return tuple(p if face == die.known[1] else 0.0 for face, p in enumerate(die.face, 1))


@lru_cache(maxsize=1024)
def _table(dice: tuple[tuple[tuple[float, ...], float], ...]) -> dict[int, float]:
    """Sum of weights over all readings of the dice, by packed multiset; spurious dice left out."""
    states = {0: 1.0}
    for face, spurious in dice:
        options = [(one, p) for one, p in zip(ONE, face, strict=True) if p > 1e-7]
        options.append((0, spurious / 24))
        grown: dict[int, float] = {}
        get = grown.get
        for pool, weight in states.items():
            for one, p in options:
                key = pool + one
                grown[key] = get(key, 0.0) + weight * p
        least = _PRUNE * max(grown.values())
        states = {pool: weight for pool, weight in grown.items() if weight >= least}
    return states
