"""What a round is still worth to each player: an estimate from the table, without looking ahead.

For every player the points still to be won on the Lawn (locks and captures, 7:2.B and 7:2.C) are
a weighted sum over the six rows. A row counts with its face times a weight that depends on who
owns its three places as this player sees them; further weights tell how much that changes with
the dice this player holds, with those the others hold, and when an edge die that can be kept in
the next turn has the row's face. There is a set of weights for each number of players and for how
many turns off this player's next turn is. The weights are fitted to played rounds by
`lawn train-planner` (models/train_planner.py) and lie in planner.json.
"""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

from engine.dice import DICE_PER_PLAYER, FACES, Faces
from engine.lawn import EMPTY, NEUTRAL, Lawn, LawnRow, lock_owner
from engine.parts import NOBODY
from engine.position import Position

OUT = -1
"""Stands for "no next turn": the player's row is empty."""

Weights = tuple[float, float, float, float]
"""Of a row: always, times own dice, times the others' dice, times the chance to keep an edge die."""

Totals = tuple[float, ...]
"""Per seat the points of captures and locks (7:2.B, 7:2.C), won or expected."""

_NO_WEIGHTS: Weights = (0.0, 0.0, 0.0, 0.0)


class View(NamedTuple):
    """The table as one player sees it, in what the estimate depends on.

    Attributes:
        wait: how many turns of others come before the player's next, or OUT.
        own: the dice in the player's row, as a share of eight.
        others: the dice in all other rows, as a share of eight.
        rows: per row its `pattern`.
        edges: per edge that can be kept, the face and the chance that it stays an edge.
    """

    wait: int
    own: float
    others: float
    rows: tuple[str, ...]
    edges: tuple[tuple[int, float], ...]


class _LawnWorth(NamedTuple):
    """A whole Lawn for one player: points won by locks, and the summed weights of its rows."""

    won: int
    always: float
    with_own: float
    with_others: float
    with_edge: tuple[float, ...]


@lru_cache(maxsize=4096)
def pattern(row: LawnRow, seat: int, order: tuple[int, ...]) -> str:
    """A Lawn row as the seat sees it, read from either side: "." free, "w" neutral, "m" mine,
    "x" of the player who comes after me in turn order, "y" of the one after that."""
    after = order.index(seat)
    letters = {order[(after + step) % len(order)]: "mxy"[step] for step in range(len(order))}
    letters |= {EMPTY: ".", NEUTRAL: "w"}
    text = "".join(letters[owner] for owner in row)
    return min(text, text[::-1])


@lru_cache(maxsize=8192)
def kept_edges(row: Faces) -> tuple[tuple[int, float], ...]:
    """The edge dice of a row with the chance that each is still an edge after the other edge is
    rolled; none when all dice show one face, as they are then rolled together (4:1.B)."""
    if not row or row[0] == row[-1]:
        return ()
    low, high = row[0], row[-1]
    keeps_low = ((7 - low) / 6) ** row.count(high)
    keeps_high = (high / 6) ** row.count(low)
    return ((low, keeps_low), (high, keeps_high))


def waits(position: Position) -> tuple[int, ...]:
    """Per seat how many turns of others come before its next turn, or OUT.

    A die in the air after a push counts as back in its owner's row, and that turn as over.
    """
    cycle = position.opening.cycles[position.turn]
    if position.phase != "re-entry":
        cycle = (position.turn, *cycle[:-1])
    found = [OUT] * len(position.rows)
    wait = 0
    for seat in cycle:
        if position.rows[seat] or seat == position.displaced:
            found[seat] = wait
            wait += 1
    return tuple(found)


def views(position: Position) -> tuple[View, ...]:
    """The table as each seat sees it; the turn order must be settled and the round not over."""
    held = _held(position)
    dice = sum(held)
    return tuple(
        View(
            wait,
            held[seat] / DICE_PER_PLAYER,
            (dice - held[seat]) / DICE_PER_PLAYER,
            tuple(pattern(row, seat, position.order) for row in position.lawn),
            kept_edges(position.rows[seat]),
        )
        for seat, wait in enumerate(waits(position))
    )


def _held(position: Position) -> list[int]:
    """Per seat the dice in its row, one on its way there included."""
    held = [len(row) for row in position.rows]
    if position.displaced != NOBODY:
        held[position.displaced] += 1
    return held


_Set = tuple[dict[str, Weights], tuple[float, float, float]]
"""Weights of each pattern, and those of nothing, own dice and others' dice."""

_NOTHING: _Set = ({}, (0.0, 0.0, 0.0))  # a wait that no round showed

_tables: dict[tuple[int, int], _Set] = {}
"""By number of players and wait."""


def use(players: dict[str, Any]) -> None:
    """Take these weights from now on: for the fit, which plays with what it has learned so far."""
    for count, sets in players.items():
        for wait, weights in sets.items():
            rows: dict[str, Weights] = {key: tuple(row) for key, row in weights["rows"].items()}
            _tables[int(count), int(wait)] = rows, tuple(weights["plain"])
    _lawn_worth.cache_clear()


def _weights(players: int, wait: int) -> _Set:
    if not _tables:
        use(json.loads((files("engine") / "planner.json").read_text(encoding="utf-8"))["players"])
    return _tables.get((players, wait), _NOTHING)


# The leaves of a search share a handful of Lawns, so what depends on those alone is remembered.
@lru_cache(maxsize=65536)
def _lawn_worth(lawn: Lawn, seat: int, wait: int, order: tuple[int, ...]) -> _LawnWorth:
    rows = _weights(len(order), wait)[0]
    worth = [rows.get(pattern(row, seat, order), _NO_WEIGHTS) for row in lawn]
    always, with_own, with_others = (
        sum(face * weights[kind] for face, weights in zip(FACES, worth, strict=True))
        for kind in range(3)
    )
    locks = sum(3 * f for f, row in zip(FACES, lawn, strict=True) if lock_owner(row) == seat)
    with_edge = tuple(face * weights[3] for face, weights in zip(FACES, worth, strict=True))
    return _LawnWorth(locks, always, with_own, with_others, with_edge)


def estimate(position: Position) -> Totals:
    """Per seat the points of captures and locks at the end of the round, as far as can be told.

    The turn order must be settled.
    """
    if position.is_over:
        return won(position)
    order, lawn, rows = position.order, position.lawn, position.rows
    held = _held(position)
    dice = sum(held)
    totals = []
    for seat, wait in enumerate(waits(position)):
        worth = _lawn_worth(lawn, seat, wait, order)
        plain, by_own, by_others = _weights(len(rows), wait)[1]
        points = (
            worth.won
            + sum(position.captured[seat])
            + plain
            + worth.always
            + (by_own + worth.with_own) * held[seat] / DICE_PER_PLAYER
            + (by_others + worth.with_others) * (dice - held[seat]) / DICE_PER_PLAYER
        )
        for face, chance in kept_edges(rows[seat]):
            points += chance * worth.with_edge[face - 1]
        totals.append(points)
    return tuple(totals)


def won(position: Position) -> Totals:
    """Per seat the points of captures and locks so far."""
    return tuple(score.captured + score.lawn for score in position.scores())


def margin(totals: Totals, seat: int) -> float:
    """By how much the seat is ahead of the best of the others; negative when behind."""
    return totals[seat] - max(total for other, total in enumerate(totals) if other != seat)
