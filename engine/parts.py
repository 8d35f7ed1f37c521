"""The plain contents of a Position, and the question whether the round is over."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias, get_args

from engine.dice import Faces
from engine.lawn import ALL_LOCKED, Lawn, all_on_locked
from engine.opening import Opening

Phase: TypeAlias = Literal[
    "big-roll",
    "bonus-choice",
    "tie-break",
    "boundary-choice",
    "boundary-roll",
    "grind-roll",
    "placement",
    "re-entry",
    "round-over",
]
PHASES: tuple[Phase, ...] = get_args(Phase)

CHANCE_PHASES: frozenset[Phase] = frozenset(
    ("big-roll", "tie-break", "boundary-roll", "grind-roll", "re-entry")
)
"""The phases in which dice are in the air; in the others, but for round-over, a player chooses."""

EndReason: TypeAlias = Literal[
    "", "all dice placed", "lawn locked", "first out", "gridlock", "deadlock"
]

NOBODY = -1


class Parts(NamedTuple):
    """What a position consists of.

    Attributes:
        opening: players, options, Big Rolls, turn order.
        phase: see Position.
        turn: the seat that rolls or chooses; NOBODY when the round is over.
        edge: the edge whose dice are in the air in phase boundary-roll, else "".
        displaced: the owner of the die in the air in phase re-entry, else NOBODY.
        lawn: six rows of owners.
        rows: per seat the Player Row, sorted; dice in the air after a boundary choice or in the
            grind still count here with their old faces.
        captured: per seat the faces of the neutral dice captured, sorted (5:3.B).
        lost: turns lost in a row, counted only where the gridlock ending needs it (R4).
    """

    opening: Opening
    phase: Phase
    turn: int
    edge: Literal["", "low", "high"]
    displaced: int
    lawn: Lawn
    rows: tuple[Faces, ...]
    captured: tuple[Faces, ...]
    lost: int


def is_stuck(row: Faces, locked: int) -> bool:
    """The standard condition of 6:2.A: the final one or two dice, all on locked-out rows."""
    return 0 < len(row) <= 2 and all_on_locked(row, locked)


def round_end(opening: Opening, locked: int, rows: tuple[Faces, ...], lost: int) -> EndReason:
    """Why the round is over once a turn is complete (7:1.A, R4), or "" when it goes on."""
    if not any(rows):
        return "all dice placed"
    if opening.three:
        # Whatever the ending: with six rows locked nobody can ever play again.
        if locked == ALL_LOCKED:
            return "lawn locked"
        if opening.options.ending == "first-out" and not all(rows):
            return "first out"
        if lost and lost >= sum(map(bool, rows)):
            return "gridlock"
    if opening.options.endgame_block == "before-roll":
        holders = [row for row in rows if row]
        if len(holders) > 1 and all(is_stuck(row, locked) for row in holders):
            return "deadlock"
    return ""


def is_solo(seat: int, rows: tuple[Faces, ...]) -> bool:
    """Whether every other player's row is empty (6:2.B)."""
    return not any(row for other, row in enumerate(rows) if other != seat)


def dice_in_the_air(parts: Parts) -> int:
    """How many dice are being rolled; 0 when a player chooses or the round is over."""
    phase = parts.phase
    if phase in ("big-roll", "tie-break"):
        return 8
    if phase == "re-entry":
        return 1
    if phase == "grind-roll":
        return len(parts.rows[parts.turn])
    if phase == "boundary-roll":
        row = parts.rows[parts.turn]
        return row.count(row[0] if parts.edge == "low" else row[-1])
    return 0


def lawn_count(lawn: Lawn, owner: int) -> int:
    """How many dice of that owner (a seat, or NEUTRAL) lie on the Lawn."""
    return sum(row.count(owner) for row in lawn)
