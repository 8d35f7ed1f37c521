"""What a table shows, held against the position that is expected, and how a proposed fault is weighed by it.

A fault is weighed with the same likelihoods as a legal story: of the Lawn as it lies, of every Player
Row, of the neutral dice, and of which dice were touched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from engine.actions import chance_table
from engine.fault_parts import PRIOR, Fault, is_inner
from engine.fault_words import said
from engine.lawn import EMPTY, NEUTRAL
from engine.pools import ONE, contains, packed
from engine.position import Position
from engine.sight import Sight
from engine.touches import Touched, seat_touch
from engine.verdict import Kind

RARER = 3e-4  # of a die turned, moved or changed without a play
_DIFFERS = 0.05  # a place or row is not as expected below this share of what would fit best

Rolls: TypeAlias = Sequence[tuple[float, int]]
"""(prior, packed row) after each boundary roll."""


class Court:
    """One position and one view: what differs, and the faults that have been proposed so far."""

    def __init__(
        self,
        position: Position,
        sight: Sight,
        untouched: tuple[int, ...],
        seen_rolls: Rolls,
        touched: Touched,
        overlooked: frozenset[int] = frozenset(),
        gone: frozenset[int] = frozenset(),
        lie: tuple[int, ...] = (),
    ) -> None:
        """overlooked: places of the Lawn whose die is there though nothing shows it; gone: from which it has been
        taken, though it may be overlooked. The rest as for `engine.faults.faults`."""
        self.lie = lie
        self.position = position
        self.sight = sight
        self.untouched = untouched
        self.seen_rolls = seen_rolls
        self.touched = touched.since(position.rows)
        self.found: list[Fault] = []
        self.seats = range(sight.seen.seats)
        self.pools = [sight.pool(seat) for seat in self.seats]
        self.rows = [packed(row) for row in position.rows]
        self.still = [pool.likelihood(row) for pool, row in zip(self.pools, self.rows, strict=True)]
        self.moved = {s for s in self.seats if self.still[s] < _DIFFERS * self.pools[s].best}
        self.taken = packed(tuple(sorted(f for faces in position.captured for f in faces)))
        self.neutral = sight.pool(NEUTRAL) if len(self.seats) == 2 else None
        self.old = [owner for row in position.lawn for owner in row]
        self.new: list[tuple[int, int]] = []
        self.unseen: list[int] = []
        self.lawn = 1.0
        self.as_read: dict[int, float] = {}
        for spot, owner in enumerate(self.old):
            face = sight.tolerated.get(spot, spot // 3 + 1)
            expected = (owner, face if owner != EMPTY else 0)
            likeliest = sight.likeliest_cell(spot)
            there = sight.cell(spot, owner, face)
            other = sight.cell(spot, likeliest[0], likeliest[1] or 1)
            same = there >= _DIFFERS * other or spot in overlooked
            shown = expected if same and spot not in gone else likeliest
            if shown == expected and owner != EMPTY == likeliest[0]:
                self.unseen.append(spot)
            self.new.append(shown)
            turned = shown != expected and shown[0] == owner
            if turned:
                # A die that is read wrong costs every fault but that of turning it the same.
                self.as_read[spot] = other / max(there, 1e-12)
            self.lawn *= max(there if shown == expected or turned else other, 1e-12)
        self.gained = self._spots(lambda old, new: old == EMPTY != new[0])
        self.lost = self._spots(lambda old, new: old != EMPTY == new[0])
        self.swapped = self._spots(lambda old, new: EMPTY not in (old, new[0]) and old != new[0])
        self._rolled: dict[int, Rolls] = {}
        turn = position.turn
        self.lies = [each * self.touch(s, self.rows[s]) for s, each in enumerate(self.still)]
        # The chance that the player in turn is yet to roll, as far as views before have shown.
        self.unrolled = max(0.0, 1.0 - sum(share for share, _ in seen_rolls))
        self.lies[turn] *= self.unrolled
        for share, row in seen_rolls:
            self.lies[turn] = max(self.lies[turn], share * self.pools[turn].likelihood(row))

    def _spots(self, differs: Callable[[int, tuple[int, int]], bool]) -> list[int]:
        return [s for s, owner in enumerate(self.old) if differs(owner, self.new[s])]

    def touch(self, seat: int, kept: int, rolled: bool = False) -> float:
        """P(which dice of the seat's row were touched | those of `kept` lie where they lay, and the others
        were rolled, or played); 1 where the view before did not show the row, so that nobody knows."""
        row = self.rows[seat]
        if not self.touched.same or not contains(self.touched.before[seat], row):
            return 1.0
        return seat_touch(self.touched, seat, kept, row, rolled, True)

    def add(
        self,
        kind: Kind,
        seat: int | None,
        rows: dict[int, float],
        *,
        neutral: float | None = None,
        prior: float = PRIOR,
        turned: Iterable[int] = (),
        **words: Any,
    ) -> None:
        """Propose a fault: `rows` gives prior times likelihood of the rows that are not as
        expected; `turned` the places whose die shows what is read, and not its row."""
        likelihood = self.lawn
        for spot in turned:
            likelihood *= self.as_read.get(spot, 1.0)
        for each in self.seats:
            likelihood *= rows.get(each, self.lies[each])
        if self.neutral:
            likelihood *= self.neutral.likelihood(self.taken) if neutral is None else neutral
        if kind != "captured-die-altered":
            likelihood *= self.touched.moved_captured(int(neutral is not None))
        if likelihood > 0:
            verdict = said(kind, self.position, seat, **words)
            self.found.append(Fault(prior * likelihood, self.sight.fit(likelihood), verdict))

    def rolls(self, seat: int) -> Rolls:
        """The seat's row after each boundary roll."""
        known = self._rolled.get(seat)
        if known is None:
            known = []
            row = self.position.rows[seat]
            seen = self.seen_rolls if seat == self.position.turn else ()
            known += seen
            yet = self.unrolled if seat == self.position.turn else 1.0
            for edge in dict.fromkeys((row[0], row[-1])) if row else ():
                count = row.count(edge)
                stays = packed(row) - count * ONE[edge - 1]
                untouched = 0.5 * yet * self.touch(seat, stays, rolled=True)
                known += [
                    (untouched * chance, stays + packed(thrown.faces))
                    for thrown, chance in chance_table(count)
                ]
            self._rolled[seat] = known
        return known

    def rolled(self, seat: int) -> float:
        """The seat has done a boundary roll."""
        pool = self.pools[seat]
        return max((p * pool.likelihood(row) for p, row in self.rolls(seat)), default=0.0)

    def placed(self, seat: int, face: int, inner: bool | None = None) -> float:
        """The seat has rolled and placed a die of that face, an inner one or an edge one."""
        one, pool = ONE[face - 1], self.pools[seat]
        return max(
            (
                p * pool.likelihood(row - one)
                for p, row in self.rolls(seat)
                if contains(row, one) and inner in (None, is_inner(row, face))
            ),
            default=0.0,
        )

    def pushed(self, owner: int, face: int, rows: dict[int, float]) -> float | None:
        """Put into `rows` that a die of that owner is off the Lawn, wherever it lies; for a neutral
        one, the likelihood of the neutral dice."""
        if owner == NEUTRAL:
            assert self.neutral
            return max(
                self.neutral.likelihood(self.taken + ONE[face - 1]),
                0.3 * self.neutral.likelihood(self.taken),
            )
        if owner != EMPTY and owner not in rows:
            row = self.rows[owner]
            rows[owner] = self.with_pushed(owner, row) * self.come_home(owner, row)
        return None

    def come_home(self, owner: int, row: int) -> float:
        """P(which dice were touched | a pushed die has been brought to that packed row, which else lies as it
        lay): then it is put in order, as any row that a rolled die has come to."""
        if not self.touched.same or not contains(self.touched.before[owner], row):
            return 1.0
        return max(
            seat_touch(self.touched, owner, row, row, ordered, True) for ordered in (False, True)
        )

    def with_pushed(self, owner: int, row: int) -> float:
        """P(what is seen of the owner's dice | a row, and one more die that was pushed off)."""
        pool = self.pools[owner]
        other = sum(pool.likelihood(row + one) for one in ONE)
        return 0.2 * pool.likelihood(row) + 0.15 * other

    def own_pushed(self, owner: int, face: int, inner: bool | None = None) -> float:
        """As `placed`, where the seat has pushed off a die of its own."""
        pool, one = self.pools[owner], ONE[face - 1]
        return max(
            (
                p * pool.likelihood(row - one + again) / 6
                for p, row in self.rolls(owner)
                if contains(row, one) and inner in (None, is_inner(row, face))
                for again in (0, *ONE)
            ),
            default=0.0,
        )

    def keys(self, *spots: int) -> tuple[int, ...]:
        return tuple(die.key for spot in spots for die in self.sight.lying(spot))
