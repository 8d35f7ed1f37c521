"""A fault at a simulated table in the making: legal half-steps first, then the illegal ones."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

from engine.bots import random_bot
from engine.dice import Faces
from engine.errors import LawnError
from engine.mock_legality import explained
from engine.mock_table import MockDie, MockTable
from engine.mock_turns import HalfSteps, Manners, Moment, play_turn, turn_of
from engine.position import Position
from engine.verdict import Kind


@dataclass(frozen=True, slots=True)
class Infringed:
    """A fault at the table.

    Attributes:
        kind: what it is.
        seats: who may be named for it; None in it where it is right to name nobody.
        moments: the half-steps, legal ones first; the table of the last one is at fault.
        since: index of the first moment that is no longer legal.
        mended: the table put right.
        resumes: what is expected once it is mended.
        uncovered: dice that no moving hand covers, for the proof hangs on them.
    """

    kind: Kind
    seats: tuple[int | None, ...]
    moments: tuple[Moment, ...]
    since: int
    mended: MockTable
    resumes: Position
    uncovered: frozenset[int] = frozenset()

    @property
    def table(self) -> MockTable:
        """The table at fault."""
        return self.moments[-1].table


class Misfit(Exception):
    """The fault does not fit here."""


class FaultInTheMaking:
    """A fault in the making: legal half-steps first, then the illegal ones."""

    def __init__(
        self, table: MockTable, position: Position, manners: Manners, rng: random.Random
    ) -> None:
        self.steps = HalfSteps(table, position, rng, manners)
        self.start = position
        self.rng = rng
        self.uncovered: frozenset[int] = frozenset()
        self.after_legal()

    def after_legal(self) -> None:
        """What was done so far is legal."""
        self.good = self.steps.table
        self.since = len(self.steps.moments)

    @property
    def table(self) -> MockTable:
        return self.steps.table

    @property
    def position(self) -> Position:
        return self.steps.position

    @property
    def seat(self) -> int:
        return self.steps.position.turn

    def legal_roll(self) -> None:
        """The player whose turn it is does the boundary roll, and is not blocked by it."""
        position, rng = self.position, self.rng
        need(position.phase == "boundary-choice")
        action = random_bot(position, rng)
        seat = self.seat
        self.steps.act(action)
        self.steps.act(self.position.throw(rng))
        need(self.position.phase == "placement" and self.position.turn == seat)
        if self.steps.moments[-1].step != "arranged":
            self.steps.arrange(seat)
        self.steps.last(must_see=True)
        self.after_legal()

    def edge_dice(self) -> list[MockDie]:
        """One die of each edge of the row of who is to place."""
        row = self.position.rows[self.seat]
        faces = dict.fromkeys((row[0], row[-1]))
        dice = self.table.off_lawn(self.seat)
        return [next(die for die in dice if die.face == face) for face in faces]

    def any_edge_die(self, fits: Callable[[int], bool]) -> MockDie:
        """An edge die whose face fits."""
        dice = [die for die in self.edge_dice() if fits(die.face)]
        need(dice)
        return self.rng.choice(dice)

    def whole_turn(self, seat: int, rows: tuple[Faces, ...]) -> None:
        """A seat plays a turn that is not its own."""
        parts = self.position.parts._replace(
            phase="boundary-choice", turn=seat, edge="", displaced=-1, rows=rows, lost=0
        )
        try:
            as_if = Position.from_parts(parts)
        except LawnError:
            raise Misfit from None
        _, actions = play_turn(as_if, [random_bot] * len(rows), self.rng)
        moments = turn_of(self.table, as_if, actions, self.steps.manners, self.rng)
        self.steps.moments += [replace(m, position=self.position, actions=()) for m in moments]
        self.steps.table = moments[-1].table

    def done(self, kind: Kind, *seats: int | None) -> Infringed:
        """The finished fault; it must not be explained by a legal story."""
        self.steps.last(must_see=True)
        need(kind == "part-of-set-rolled" or not explained(self.start, self.table))
        if self.position is not self.start and kind != "wrong-owner-re-entry":
            need(not explained(self.position, self.table))
        return Infringed(
            kind,
            seats,
            tuple(self.steps.moments),
            self.since,
            put_back(self.table, self.good),
            self.position,
            self.uncovered,
        )


def need(condition: object) -> None:
    if not condition:
        raise Misfit


def put_back(table: MockTable, good: MockTable) -> MockTable:
    """The table with every die as it lay on the good one; what was added is taken away."""
    same = MockTable(table.layout, table.dice[: len(good.dice)])
    wrong = [die.number for die in same.dice if _lies(die) != _lies(good.dice[die.number])]
    return same.with_dice(
        replace(same.dice[n], spot=good.dice[n].spot, face=good.dice[n].face) for n in wrong
    )


def _lies(die: MockDie) -> object:
    return die.spot, die.face
