"""The best that one seat's dice off the Lawn can weigh, now and after what may be done to its row.

Upper bounds: prior times likelihood, and how likely the dice were touched so. `engine.reach` puts those of
all seats and of the Lawn together.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

from engine.fitting import IN_HAND, LATER_TURN, UNSEEN_ROLL
from engine.pools import ONE, Pool, packed, unpacked
from engine.story_parts import common, throws_of, without
from engine.touches import Touched, seat_touch

THROW = 1 / 6
"""No throw is likelier."""

AGAIN = LATER_TURN * UNSEEN_ROLL * THROW
"""A seat that has acted acts again."""

TWICE = THROW * UNSEEN_ROLL * THROW
"""A seat acts twice, or grinds after its roll."""

BACK = 0.9 * THROW
"""A die that was pushed off comes back with a given face."""

Six: TypeAlias = tuple[float, ...]
"""Of a die placed, by its face 1..6."""

Edges: TypeAlias = tuple[tuple[int, int], ...]
"""Edges of a row that may be rolled, each with the packed faces of the dice that are left lying then."""


class Turn(NamedTuple):
    """The best that a turn can make of a row.

    air: the dice are in the air. still: they are rolled. place: a die is placed then.
    """

    air: float
    still: float
    place: Six


class SeatReach:
    """A seat's dice in one sorting of a view. Answers are remembered.

    Rows, and `kept` as of `touch_factor`, are packed; acted: the seat's dice were rolled since the view before.
    begun: the turn order is settled. keeps: who pushes off an own die keeps its face.
    """

    __slots__ = ("_begun", "_keeps", "_known", "_seat", "_touched", "pool")

    def __init__(self, pool: Pool, seat: int, touched: Touched, begun: bool, keeps: bool) -> None:
        self.pool = pool
        self._seat = seat
        self._touched = touched
        self._begun = begun
        self._keeps = keeps
        self._known: dict[object, Any] = {}

    @classmethod
    def of(cls, pool: Pool, seat: int, touched: Touched, begun: bool, keeps: bool) -> SeatReach:
        """What the pool remembers: a seat's dice are mostly sorted alike in all sortings of a view, and told of
        alike from all positions in which its row is the same."""
        key = seat, touched.of(seat), begun, keeps
        known: SeatReach | None = pool.reaches.get(key)
        if known is None:
            known = pool.reaches[key] = cls(pool, seat, touched, begun, keeps)
        return known

    def touch(self, kept: int, row: int, acted: bool) -> float:
        if not self._touched.same:
            return 1.0
        key = "touch", kept, row, acted
        known: float | None = self._known.get(key)
        if known is None:
            known = seat_touch(self._touched, self._seat, kept, row, acted, self._begun)
            self._known[key] = known
        return known

    def lies(self, row: int, kept: int, acted: bool) -> float:
        """The row as it is."""
        return self.pool.likelihood(row) * self.touch(kept, row, acted)

    def turn(self, row: int, kept: int, acted: bool) -> Turn:
        """As `rolled`, the edge yet to be chosen."""
        key = "turn", row, kept, acted
        known: Turn | None = self._known.get(key)
        if known is None:
            each = [self.rolled(row, left, acted, edge) for edge, left in edges_of(row, kept)]
            chance = 1 / len(each)
            known = self._known[key] = Turn(
                chance * max(turn.air for turn in each),
                chance * max(turn.still for turn in each),
                tuple(chance * max(turn.place[at] for turn in each) for at in range(6)),
            )
        return known

    def rolled(self, row: int, kept: int, acted: bool, edge: int) -> Turn:
        """The best that rolling one edge of a row can make of it; kept: without that edge."""
        key = row, kept, acted, edge
        known: Turn | None = self._known.get(key)
        if known is not None:
            return known
        pool = self.pool
        count = unpacked(row).count(edge)
        stays = row - count * ONE[edge - 1]
        air = IN_HAND * pool.likelihood(stays) * self.touch(kept, row, acted)
        still, place = 0.0, [0.0] * 6
        for thrown, chance in throws_of(pool, stays, count):
            after = stays + packed(thrown)
            still = max(still, chance * self.still(after, kept))
            faces = unpacked(after)
            for face in {faces[0], faces[-1]}:
                left = after - ONE[face - 1]
                each = chance * pool.likelihood(left)
                if each > place[face - 1]:
                    each *= self.touch(common(kept, left), left, True)
                    place[face - 1] = max(place[face - 1], each)
        known = self._known[key] = Turn(air, still, tuple(place))
        return known

    def still(self, row: int, kept: int) -> float:
        """A row that was just rolled, a die of which may be in the hand, or all where they are ground."""
        key = "still", row, kept
        known: float | None = self._known.get(key)
        if known is None:
            pool, faces = self.pool, unpacked(row)
            lifted = max(pool.likelihood(row - ONE[face - 1]) for face in {faces[0], faces[-1]})
            each = max(pool.likelihood(row), IN_HAND * lifted)
            each = max(each, IN_HAND * UNSEEN_ROLL * pool.likelihood(0))
            known = self._known[key] = each * self.touch(kept, row, True)
        return known

    def pushed(self, row: int, kept: int, acted: bool) -> float:
        """A die of that seat is pushed off besides its row, and may have come back."""
        key = "pushed", row, kept, acted
        known: float | None = self._known.get(key)
        if known is None:
            pool = self.pool
            more = [pool.likelihood(row + one) for one in ONE]
            # As engine.story_parts.in_limbo, whatever face the die had.
            known = 0.25 * pool.likelihood(row) + 0.53 * max(more)
            known *= self.touch(kept, row, acted)
            for one, each in zip(ONE, more, strict=True):
                if BACK * each > known:
                    back = BACK * each * self.touch(kept, row + one, True)
                    known = max(known, back)
            self._known[key] = known
        return known

    def own_pushed(self, row: int, kept: int, acted: bool, face: int, turns: int) -> float:
        """The same of a seat that has placed a die of a face; it may push off its own."""
        best = self.pushed(row, kept, acted)
        if turns > 1:  # and another one after that
            best = max(best, *(BACK * self.pushed(row + one, kept, True) for one in ONE))
        if self._keeps:
            row += ONE[face - 1]
            each = self.pool.likelihood(row) * self.touch(kept, row, acted)
            best = max(best, each, self.pushed(row, kept, acted) if turns > 1 else 0.0)
        return best

    def then_pushed(self, row: int, edges: Edges, turns: int) -> tuple[Six, float]:
        """The seat rolls an edge and places a die, or loses its turn, and a die of its own is pushed off in
        or after that."""
        key = "own", row, edges, turns
        known: tuple[Six, float] | None = self._known.get(key)
        if known is not None:
            return known
        own, lost = [0.0] * 6, 0.0
        pool = self.pool
        for edge, lies in edges:
            count = unpacked(row).count(edge)
            stays = row - count * ONE[edge - 1]
            for thrown, chance in throws_of(pool, stays, count):
                after = stays + packed(thrown)
                lost = max(lost, chance * self.pushed(after, lies, True))
                faces = unpacked(after)
                for face in {faces[0], faces[-1]}:
                    left = after - ONE[face - 1]
                    each = self.own_pushed(left, common(lies, left), True, face, turns)
                    own[face - 1] = max(own[face - 1], chance * each)
        known = self._known[key] = tuple(own), lost
        return known

    def anything(
        self, row: int, kept: int, acted: bool, turns: int, can_act: bool, off: bool
    ) -> float:
        """Whatever is done to the row after somebody else's turn.

        turns: how many placements may still follow. can_act: the seat may act. off: a die of it may be
        pushed off.
        """
        key = "anything", row, kept, acted, turns, can_act, off
        known: float | None = self._known.get(key)
        if known is not None:
            return known
        pool = self.pool
        best = self.lies(row, kept, acted)
        if can_act and row:
            if acted:
                best = max(best, AGAIN * pool.best)
            else:
                turn = self.turn(row, kept, acted)
                each = max(turn.air, turn.still, max(turn.place) if turns else 0.0)
                best = max(best, LATER_TURN * each, TWICE * pool.best)
                if off and LATER_TURN * THROW * pool.best > best:
                    own, lost = self.then_pushed(row, edges_of(row, kept), turns)
                    best = max(best, LATER_TURN * max(lost, *own))
        if off:
            best = max(best, self.pushed(row, kept, acted), BACK * AGAIN * pool.best)
            if turns > 1:
                best = max(best, *(BACK * self.pushed(row + one, kept, True) for one in ONE))
        self._known[key] = best
        return best


def edges_of(row: int, kept: int) -> Edges:
    """Both edges of a row, or the only one. kept: the packed faces of the dice that have not been touched."""
    faces = unpacked(row)
    return tuple(
        (edge, without(kept, ONE[edge - 1] * faces.count(edge)))
        for edge in dict.fromkeys((faces[0], faces[-1]))
    )
