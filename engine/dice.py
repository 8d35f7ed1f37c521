"""Dice: faces, how many there are of each kind, and how many ways a handful can fall."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations_with_replacement
from math import factorial
from operator import index
from typing import TypeAlias

from engine.errors import DiceError, shown

Face: TypeAlias = int
"""A face value, 1 to 6."""

Faces: TypeAlias = tuple[int, ...]
"""Faces of several dice; sorted ascending wherever it stands for a row or a handful."""

FACES: tuple[Face, ...] = (1, 2, 3, 4, 5, 6)

DICE_PER_PLAYER = 8
"""Rules 1:1.A and 1:1.B."""

NEUTRAL_DICE = 6
"""Rule 1:1.B: the neutral Center Anchors of a two-player game."""

MIN_PLAYERS = 2
MAX_PLAYERS = 3

NEUTRAL_COLOUR = "white"
"""Rule 1:1.B prefers white for the neutral dice, so no player may use it."""

DEFAULT_COLOURS = ("red", "blue", "green")


def face(value: object) -> Face:
    """Return `value` as a face; anything with `__index__` (a numpy integer too) is taken.

    Raises:
        DiceError: it is not a whole number from 1 to 6.
    """
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise DiceError(f"A die shows a whole number from 1 to 6, not {shown(value)}.")
    number = index(value)
    if not 1 <= number <= 6:
        raise DiceError(f"A die shows a face from 1 to 6, not {shown(number)}.")
    return number


def faces(values: object, count: int | None = None) -> Faces:
    """Return `values` as a sorted tuple of faces, optionally of exactly `count` dice.

    Raises:
        DiceError: `values` is no sequence of faces, or their number is not `count`.
    """
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise DiceError(f"Dice are given as a sequence of faces, not {shown(values)}.")
    checked = sorted(face(value) for value in values)
    if count is not None and len(checked) != count:
        raise DiceError(f"Exactly {count} dice are needed here, not {len(checked)}.")
    return tuple(checked)


@lru_cache(maxsize=32)
def throws(count: int) -> tuple[tuple[Faces, float], ...]:
    """All ways `count` dice can fall, as sorted handfuls with their probabilities (sum 1).

    Equal handfuls are merged: two dice give 21 entries, eight give 1287.
    """
    ways = factorial(count)
    total = 6**count
    table = []
    for handful in combinations_with_replacement(FACES, count):
        orders = ways
        for value in set(handful):
            orders //= factorial(handful.count(value))
        table.append((handful, orders / total))
    return tuple(table)
