"""All that the Big Roll settles before the first turn (rule 3), and what stays fixed after it.

It is kept apart from the Position so that the thousands of positions of a round share one Opening.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TypeVar

from engine.big_roll import BigRoll, order_of_totals, score
from engine.dice import Faces
from engine.options import Options

T = TypeVar("T")
Groups = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Opening:
    """Players, options, Big Rolls, claimed bonuses and the turn order of a round.

    Attributes:
        colours: one a player, in seat order.
        options: the rulings that are played by.
        big_rolls: per seat the eight faces, or () before that player's roll.
        bonuses: per seat the claimed category, or "" for none or not yet elected.
        groups: seats in turn order, tied seats together; () until all Big Rolls are scored.
    """

    colours: tuple[str, ...]
    options: Options
    big_rolls: tuple[Faces, ...]
    bonuses: tuple[str, ...]
    groups: Groups = ()
    # Derived, for the hot path:
    order: tuple[int, ...] = field(init=False, compare=False, repr=False)
    cycles: tuple[tuple[int, ...], ...] = field(init=False, compare=False, repr=False)
    three: bool = field(init=False, compare=False, repr=False)
    counts_lost_turns: bool = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        order = tuple(seat for group in self.groups for seat in group)
        cycles: tuple[tuple[int, ...], ...] = ()
        everybody = list(range(len(self.colours)))
        # What a reader brings may name a player twice; engine.check then says so.
        if sorted(order) == everybody and all(len(group) == 1 for group in self.groups):
            cycles = tuple(
                order[order.index(seat) + 1 :] + order[: order.index(seat) + 1]
                for seat in everybody
            )
        else:
            order = ()
        three = len(self.colours) == 3
        put = object.__setattr__
        put(self, "order", order)
        put(self, "cycles", cycles)
        put(self, "three", three)
        put(self, "counts_lost_turns", three and self.options.ending == "gridlock")

    @classmethod
    def fresh(cls, colours: tuple[str, ...], options: Options) -> Opening:
        """Before any die is rolled."""
        return cls(colours, options, ((),) * len(colours), ("",) * len(colours))

    def roll(self, seat: int) -> BigRoll:
        """The scored Big Roll of a seat that has rolled."""
        return score(self.big_rolls[seat])

    def lead(self, seat: int) -> int:
        """The Lead-In Base Score with the claimed bonus (7:2.A); 0 before the roll."""
        if not self.big_rolls[seat]:
            return 0
        return self.roll(seat).total_with(self.bonuses[seat] or None)

    def elections(self, seat: int) -> tuple[str, ...]:
        """The categories between which the seat must still elect (3:2.D, R6), best first."""
        if not self.big_rolls[seat] or self.bonuses[seat]:
            return ()
        categories = tuple(bonus.category for bonus in self.roll(seat).bonuses)
        return categories if len(categories) > 1 and self.options.bonus == "elect" else ()

    def rolled(self, seat: int, thrown: Faces) -> Opening:
        """With the seat's Big Roll; a bonus without alternative is claimed at once."""
        big_rolls = _put(self.big_rolls, seat, thrown)
        opening = replace(self, big_rolls=big_rolls)
        best = opening.roll(seat).best
        if best is None or opening.elections(seat):
            return opening
        return opening.claimed(seat, best.category)

    def claimed(self, seat: int, category: str) -> Opening:
        """With the bonus that the seat claims."""
        return replace(self, bonuses=_put(self.bonuses, seat, category))

    def ordered(self) -> Opening:
        """With the turn order by total Big Roll score, ties kept as groups (3:4.A)."""
        totals = {seat: self.lead(seat) for seat in range(len(self.colours))}
        return replace(self, groups=order_of_totals(totals))

    def tied(self) -> tuple[int, ...]:
        """The first group that must re-roll for order (3:4.B), or ()."""
        return next((group for group in self.groups if len(group) > 1), ())

    def tie_broken(self, rows: tuple[Faces, ...]) -> Opening:
        """With the first tied group split by its re-rolled rows (3:4.B, R5)."""
        tied = self.tied()
        rolls = {seat: score(rows[seat]) for seat in tied}
        with_bonus = self.options.tie_break == "base-and-bonus"
        totals = {seat: roll.total if with_bonus else roll.base for seat, roll in rolls.items()}
        at = self.groups.index(tied)
        split = order_of_totals(totals)
        return replace(self, groups=self.groups[:at] + split + self.groups[at + 1 :])


def _put(values: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    return (*values[:seat], value, *values[seat + 1 :])
