"""The bare state of a round: storage that never changes, made fast, compared and hashed."""

from __future__ import annotations

from typing import Any, Literal, NoReturn, TypeVar

from engine.dice import Faces
from engine.lawn import Lawn
from engine.opening import Opening
from engine.parts import Parts, Phase

_put = object.__setattr__


class State:
    """What a Position stores.

    Attributes:
        opening: colours, options, Big Rolls, claimed bonuses, turn order.
        phase: see the module.
        turn: seat of the player who rolls or chooses; NOBODY (-1) when the round is over.
        edge: "low" or "high" while a boundary set is in the air, else "".
        displaced: owner of the die in the air in phase re-entry, else NOBODY.
        lawn: six rows (left, center, right) of owners: a seat, lawn.NEUTRAL or lawn.EMPTY.
        rows: per seat the Player Row, sorted. Dice in the air after a boundary choice or in the
            grind still count here with their old faces.
        captured: per seat the faces of captured neutral dice, sorted.
        locked: bit mask of locked rows, bit f - 1 for row f.
        lost: turns lost in a row, counted only for three players with the ending gridlock.
    """

    __slots__ = (
        "_hash",
        "captured",
        "displaced",
        "edge",
        "lawn",
        "locked",
        "lost",
        "opening",
        "phase",
        "rows",
        "turn",
    )

    opening: Opening
    phase: Phase
    turn: int
    edge: Literal["", "low", "high"]
    displaced: int
    lawn: Lawn
    rows: tuple[Faces, ...]
    captured: tuple[Faces, ...]
    locked: int
    lost: int
    _hash: int

    def __init__(self) -> None:
        raise TypeError("Make a Position with Position.start, from_string or from_json.")

    @property
    def parts(self) -> Parts:
        """The contents as a named tuple."""
        return Parts(
            self.opening,
            self.phase,
            self.turn,
            self.edge,
            self.displaced,
            self.lawn,
            self.rows,
            self.captured,
            self.lost,
        )

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, State):
            return NotImplemented
        if self._hash != other._hash and self._hash and other._hash:
            return False
        return (
            self.rows == other.rows
            and self.phase == other.phase
            and self.turn == other.turn
            and self.parts == other.parts
        )

    def __hash__(self) -> int:
        if self._hash == 0:
            _put(self, "_hash", hash(self.parts) or 1)
        return self._hash

    def __setattr__(self, key: str, value: object) -> NoReturn:
        raise AttributeError("A Position never changes; apply an action to get the next one.")

    def __delattr__(self, key: str) -> NoReturn:
        raise AttributeError("A Position never changes; apply an action to get the next one.")

    def __copy__(self: S) -> S:
        return self

    def __deepcopy__(self: S, memo: object) -> S:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return make, (type(self), *self.parts[:8], self.locked, self.lost)


S = TypeVar("S", bound=State)


def make(
    cls: type[S],
    opening: Opening,
    phase: Phase,
    turn: int,
    edge: Literal["", "low", "high"],
    displaced: int,
    lawn: Lawn,
    rows: tuple[Faces, ...],
    captured: tuple[Faces, ...],
    locked: int,
    lost: int,
) -> S:
    """A state of class `cls` with these contents, unchecked: for the engine alone."""
    made = cls.__new__(cls)
    _put(made, "opening", opening)
    _put(made, "phase", phase)
    _put(made, "turn", turn)
    _put(made, "edge", edge)
    _put(made, "displaced", displaced)
    _put(made, "lawn", lawn)
    _put(made, "rows", rows)
    _put(made, "captured", captured)
    _put(made, "locked", locked)
    _put(made, "lost", lost)
    _put(made, "_hash", 0)
    return made
