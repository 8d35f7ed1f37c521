"""Small parts of the search for stories: what dice in the air leave lying, how far a row can reach."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import factorial
from typing import TypeAlias

from engine.actions import Action, BoundaryRoll, Rolled
from engine.dice import DICE_PER_PLAYER, Faces
from engine.pools import ONE, Pool, arrangements, packed, unpacked
from engine.position import Position

Steps: TypeAlias = tuple[tuple[Action, Position], ...]
"""Actions, each with the position after it."""


@dataclass(frozen=True, slots=True)
class Story:
    """A legal continuation and how well it explains the view.

    Attributes:
        weight: prior times likelihood; only comparable with others of the same view.
        fit: its likelihood as a share of that of the table that would fit best, 1 at most.
        steps: each action with the position after it.
        position: the last one.
        prior: the weight without what the view says.
    """

    weight: float
    fit: float
    steps: Steps
    position: Position
    prior: float = 1.0


NOT_YET = 2e-3
"""Eight dice lie there, but are not a Big Roll yet."""


def staying(position: Position) -> int:
    """The dice of a row that lie while its others are in the air."""
    if position.phase == "grind-roll":
        return 0
    row = position.rows[position.turn]
    edge = row[0] if position.edge == "low" else row[-1]
    return packed(row) - row.count(edge) * ONE[edge - 1]


def rolled_eight(steps: Steps, position: Position) -> bool:
    """Whether the rolls that a tie-break would cover up are themselves only guessed at."""
    tied = position.opening.tied()
    return any(after.phase != "tie-break" for _, after in steps) or len(steps) >= len(tied)


def rolled_in(steps: Steps, seat: int) -> bool:
    """Whether a die of that seat's row has been rolled before, as far as the steps tell."""
    before: Position | None = None
    for action, after in steps:
        if isinstance(action, Rolled):
            if before is None:
                return seat == after.turn  # a re-entry opens the steps: the owner may be next
            if seat == (before.displaced if before.phase == "re-entry" else before.turn):
                return True
        before = after
    return False


def only_face(action: Action) -> int:
    assert isinstance(action, Rolled)
    return action.faces[0]


def was_grind(steps: Steps) -> bool:
    return len(steps) > 1 and not isinstance(steps[-2][0], BoundaryRoll)


@lru_cache(maxsize=8192)
def chance_of(thrown: Faces) -> float:
    """The chance that so many dice show just these faces."""
    return factorial(len(thrown)) / arrangements(packed(thrown)) / 6.0 ** len(thrown)


def replaced(kept: tuple[int, ...], seat: int, pool: int) -> tuple[int, ...]:
    return (*kept[:seat], pool, *kept[seat + 1 :])


def without(pool: int, part: int) -> int:
    return pool - common(pool, part)


def common(pool: int, part: int) -> int:
    """The multiset that both have."""
    return sum(min(pool >> shift & 31, part >> shift & 31) << shift for shift in range(0, 30, 5))


def any_dice(pool: Pool) -> float:
    """P(what is seen | the owner's dice lie there before they are rolled)."""
    return float(6.0**-pool.seen) * (NOT_YET if pool.seen >= DICE_PER_PLAYER else 0.5)


def in_limbo(pool: Pool, row: int, pushed: int) -> float:
    """P(what is seen | besides the row there is one die that was pushed off and not yet rolled)."""
    likelihood = 0.25 * pool.likelihood(row)
    other = 0.004 if pushed else 0.05  # it has tumbled when it was pushed
    if pushed:
        likelihood += 0.5 * pool.likelihood(row + ONE[pushed - 1])
    return likelihood + sum(other * pool.likelihood(row + one) for one in ONE)


def row_reach(pool: Pool, row: int) -> float:
    """The best likelihood of a row as it is, or with an edge die placed."""
    faces = unpacked(row)
    return max(
        pool.likelihood(row),
        pool.likelihood(row - ONE[faces[0] - 1]),
        pool.likelihood(row - ONE[faces[-1] - 1]),
    )


def picked(pool: Pool, row: Faces) -> float:
    """The likelihood of a row whose edge die is in the hand that will place it."""
    return max(pool.likelihood(packed(row) - ONE[face - 1]) for face in {row[0], row[-1]})
