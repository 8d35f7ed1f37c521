"""The Lawn (1:2): six rows of three places, what a placement does to a row, and locks.

A Lawn row is a tuple (left, center, right) of owners: a seat number (0, 1, 2), NEUTRAL or EMPTY.
A die on the Lawn always shows the number of its row (4:3.A), so faces need not be stored.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

from engine.actions import Place, Side
from engine.dice import FACES, Faces

Owner: TypeAlias = int
LawnRow: TypeAlias = tuple[Owner, Owner, Owner]
Lawn: TypeAlias = tuple[LawnRow, ...]
"""Six rows; row of face f is lawn[f - 1]."""

EMPTY: Owner = -1
NEUTRAL: Owner = 3

EMPTY_ROW: LawnRow = (EMPTY, EMPTY, EMPTY)
ANCHORED_ROW: LawnRow = (EMPTY, NEUTRAL, EMPTY)

ALL_LOCKED = 0b111111
"""A locked mask: bit f - 1 stands for row f."""


def starting_lawn(players: int) -> Lawn:
    """The set-up: neutral dice in the centers for two (1:2.C), nothing for three (1:2.D)."""
    return (ANCHORED_ROW if players == 2 else EMPTY_ROW,) * len(FACES)


def lock_owner(row: LawnRow) -> Owner:
    """The seat that owns all three dice of the row and so locks it (4:3.D), or EMPTY."""
    left, center, right = row
    # R8: neutral dice never lock.
    return left if left == center == right and left != NEUTRAL else EMPTY


def locked_mask(lawn: Lawn) -> int:
    """The locked rows as a bit mask."""
    mask = 0
    for bit, row in enumerate(lawn):
        if lock_owner(row) != EMPTY:
            mask |= 1 << bit
    return mask


@lru_cache(maxsize=1024)
def placements(row: LawnRow, seat: int) -> dict[Side, tuple[LawnRow, Owner]]:
    """Where `seat` may place on `row`: side -> (row afterwards, owner of the die pushed off).

    The owner is EMPTY when nothing is pushed off. A locked row gives an empty dict.
    The dict is shared; do not change it.
    """
    left, center, right = row
    if lock_owner(row) != EMPTY:  # 4:3.D
        return {}
    if center == EMPTY:  # 4:3.B
        return {"center": ((EMPTY, seat, EMPTY), EMPTY)}
    moves: dict[Side, tuple[LawnRow, Owner]] = {}
    if EMPTY in row:  # 4:3.C; with one free flank only that one (R7)
        if left == EMPTY:
            moves["left"] = ((seat, center, right), EMPTY)
        if right == EMPTY:
            moves["right"] = ((left, center, seat), EMPTY)
        return moves
    # 5:1.B: the whole row slides away from the flank that is played on.
    moves["left"] = ((seat, left, center), right)
    moves["right"] = ((center, right, seat), left)
    return moves


@lru_cache(maxsize=65536)
def placement_actions(
    low: int, low_row: LawnRow, high: int, high_row: LawnRow, seat: int
) -> tuple[Place, ...]:
    """All placements of the two edge dice (4:2.A); equal faces are one die's worth of actions."""
    actions = [Place(low, side) for side in placements(low_row, seat)]
    if high != low:
        actions += [Place(high, side) for side in placements(high_row, seat)]
    return tuple(actions)


def is_blocked(row: Faces, locked: int) -> bool:
    """Whether both edge dice of a Player Row belong to locked rows (6:1.A)."""
    return bool(locked >> (row[0] - 1) & 1 and locked >> (row[-1] - 1) & 1)


def all_on_locked(row: Faces, locked: int) -> bool:
    """Whether every die of a Player Row belongs to a locked row."""
    return all(locked >> (face - 1) & 1 for face in row)
