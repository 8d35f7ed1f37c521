"""How much anything that follows a position can weigh at most, so that the search for stories leaves out
what is certainly far worse than the best, and only that.

A story's weight factorises: its prior step by step, the Lawn, and per seat what is seen of its dice and
which of them were touched. For each seat the best that one turn can make of its row is tabled once; the
Lawn follows exactly for the next placement, and with any rows made to fit for those after it. What cannot be
tabled (a seat that acts twice within a view) is bounded by its prior, with dice that fit as well as any.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from engine.actions import Place, Side
from engine.fitting import LATER_TURN, MOST_TURNS, UNSEEN_ROLL, Fit
from engine.lawn import EMPTY, NEUTRAL, Lawn, lock_owner, placements
from engine.parts import is_solo
from engine.pools import ONE, packed, unpacked
from engine.position import Position
from engine.reach_seat import AGAIN, BACK, THROW, TWICE, Edges, SeatReach, Six, Turn, edges_of
from engine.story_parts import common
from engine.touches import Touched

_NO_MORE = 1 + 1e-9  # sums may be rounded otherwise than the stories' weights


class _Placed(NamedTuple):
    """The same by the face of the die that it places: as such, where a die of its own is pushed off too, and
    where the seat may come to act again; 0 where that cannot be. ways: of each (face, side), and whether it
    may act again then."""

    place: Six
    own: Six
    again: Six
    ways: dict[tuple[int, Side], tuple[float, bool]]


@dataclass(slots=True)
class _Rest:
    """What is to be multiplied with the best of the seat that acts.

    stop: for all else as it is. anything: whatever follows. over: where its turn is over without a
    placement. sides: in how many ways a die of a face 1..6 can be placed. own: whether a die of its own can
    be pushed off with it. placed: None as long as nobody has asked.
    """

    stop: float
    anything: float
    over: float
    sides: tuple[int, ...]
    own: tuple[bool, ...]
    placed: _Placed | None = None


class Reach:
    """Upper bounds for one search: from a start, in one sorting of a view.

    turns: how many turns with a placement the view may lag behind the start. usual: the rules of the
    round are such that a turn's best is known; else `Fit.bound` stands for it.
    """

    __slots__ = ("_fit", "_rests", "_seats", "_turns", "usual")

    def __init__(self, fit: Fit, touched: Touched, start: Position, turns: int) -> None:
        self._fit = fit
        self._turns = turns
        begun, keeps = bool(start.order), start.options.own_push == "keep-face"
        self.usual = begun and start.options.grind != "at-once"
        self._seats = [
            SeatReach.of(pool, seat, touched, begun, keeps) for seat, pool in enumerate(fit.pools)
        ]
        self._rests: dict[object, _Rest] = {}

    def later(
        self,
        position: Position,
        kept: tuple[int, ...],
        acted: Sequence[bool],
        turns: int,
        begun: bool,
        floor: float = 0.0,
    ) -> float:
        """What any story that goes on from a position can weigh at most, prior aside.

        kept, acted: per seat as of `touch_factor`. turns: how many placements may still follow.
        begun: steps lead to the position. floor: what is not above it need not be known.
        """
        phase = position.phase
        if phase == "round-over":
            return 0.0
        if not self.usual or not position.order or phase == "grind-roll":
            return self._fit.bound(position, turns, 0.0)
        if phase == "re-entry":
            return self._back(position, kept, acted, turns) * _NO_MORE
        seat = position.turn
        if phase == "boundary-choice":
            if turns == 0 and self._turns != 1:
                return 0.0
            prior = LATER_TURN * (UNSEEN_ROLL if acted[seat] else 1.0) if begun else 1.0
            lies = packed(position.rows[seat])
            turn = self._seats[seat].turn(lies, kept[seat], acted[seat])
            edges = edges_of(lies, kept[seat])
            floor = floor / prior
            return prior * self._most(position, kept, acted, turns, turn, edges, floor) * _NO_MORE
        if phase == "boundary-roll":
            row = position.rows[seat]
            edge = row[0] if position.edge == "low" else row[-1]
            turn = self._seats[seat].rolled(packed(row), kept[seat], acted[seat], edge)
            # That the dice are in the air is the position itself.
            turn, edges = turn._replace(air=0.0), ((edge, kept[seat]),)
            return self._most(position, kept, acted, turns, turn, edges, floor) * _NO_MORE
        if phase == "placement":
            lies = packed(position.rows[seat])
            return self.placing(position, kept, acted, turns, lies, floor=floor)
        return self._fit.bound(position, turns, 0.0)

    def placing(
        self,
        position: Position,
        kept: tuple[int, ...],
        acted: Sequence[bool],
        turns: int,
        row: int,
        still: bool = False,
        floor: float = 0.0,
    ) -> float:
        """What can follow once the seat in turn has rolled its row.

        still: that its dice lie so, or one of them is in the hand, counts too. floor: as of `later`.
        """
        seat, faces = position.turn, unpacked(row)
        pool = self._fit.pools[seat]
        rest = self._rest(position, kept, acted, turns)
        best = 0.0
        if still:
            best = self._seats[seat].still(row, kept[seat]) * max(rest.stop, rest.over)
        if not turns or pool.best * rest.anything <= max(best, floor):
            return best * _NO_MORE
        low, high = faces[0], faces[-1]
        ways = rest.sides[low - 1] + (rest.sides[high - 1] if high != low else 0)
        for face in (low, high) if high != low else (low,):
            if not rest.sides[face - 1]:
                continue
            left = row - ONE[face - 1]
            lies = common(kept[seat], left)
            each = pool.likelihood(left) * rest.anything
            if each > best and each > floor:
                each *= self._seats[seat].touch(lies, left, acted[seat]) / ways
                if each > best and each > floor:
                    each *= self._placed(rest, position, kept, acted, turns).place[face - 1]
                    best = max(best, each / rest.anything)
            if rest.own[face - 1]:
                each = self._seats[seat].own_pushed(left, lies, acted[seat], face, turns) / ways
                if each * rest.anything > max(best, floor):
                    by = self._placed(rest, position, kept, acted, turns).own[face - 1]
                    best = max(best, each * by)
            if AGAIN * pool.best * rest.anything / ways > max(best, floor):
                by = self._placed(rest, position, kept, acted, turns).again[face - 1]
                best = max(best, AGAIN * pool.best * by / ways)
        if (
            still and position.locked
        ):  # the turn is lost, and a die is pushed off then, or all are ground
            each = self._seats[seat].pushed(row, kept[seat], True)
            best = max(best, max(each, UNSEEN_ROLL * THROW * pool.best) * rest.over)
        return best * _NO_MORE

    def placed(
        self,
        position: Position,
        kept: tuple[int, ...],
        acted: Sequence[bool],
        turns: int,
        action: Place,
    ) -> float:
        """What the position after a placement, or one that follows it, can weigh at most."""
        seat, face = position.turn, action.face
        rest = self._rest(position, kept, acted, turns)
        by, twice = self._placed(rest, position, kept, acted, turns).ways[face, action.side]
        left = packed(position.rows[seat]) - ONE[face - 1]
        lies, here = common(kept[seat], left), self._seats[seat]
        best = here.lies(left, lies, acted[seat])
        if rest.own[face - 1]:
            best = max(best, here.own_pushed(left, lies, acted[seat], face, turns))
        if twice:
            best = max(best, AGAIN * here.pool.best)
        return best * by * _NO_MORE

    # --- the seat that acts -----------------------------------------------------------------

    def _most(
        self,
        position: Position,
        kept: tuple[int, ...],
        acted: Sequence[bool],
        turns: int,
        turn: Turn,
        edges: Edges,
        floor: float,
    ) -> float:
        """The most that a turn and what follows it can weigh. edges: of which one is rolled."""
        seat = position.turn
        rest = self._rest(position, kept, acted, turns)
        best = max(turn.air * rest.stop, turn.still * max(rest.stop, rest.over))
        pool = self._fit.pools[seat]
        if position.locked:
            best = max(best, TWICE * pool.best * rest.over)
        if not turns:
            return best
        again = TWICE * pool.best
        if max(again, *turn.place) * rest.anything > max(best, floor):
            by = self._placed(rest, position, kept, acted, turns)
            for at, ways in enumerate(rest.sides):
                if ways:
                    each = max(turn.place[at] * by.place[at], again * by.again[at])
                    best = max(best, each / ways)
        pushes = any(rest.own) or position.locked
        if pushes and THROW * pool.best * rest.anything > max(best, floor):
            row = packed(position.rows[seat])
            own, lost = self._seats[seat].then_pushed(row, edges, turns)
            best = max(best, lost * rest.over if position.locked else 0.0)
            by = self._placed(rest, position, kept, acted, turns)
            for at, ways in enumerate(rest.sides):
                if ways:
                    best = max(best, own[at] * by.own[at] / ways)
        return best

    # --- a die that is pushed off ---------------------------------------------------------------
    def _back(
        self, position: Position, kept: tuple[int, ...], acted: Sequence[bool], turns: int
    ) -> float:
        """A die that was pushed off comes back, and what follows."""
        seat = position.displaced
        row, lies = packed(position.rows[seat]), kept[seat]
        pool, off = self._fit.pools[seat], _may_be_off(position.lawn, turns)
        own = 0.0
        for one in ONE:
            each = pool.likelihood(row + one) * self._seats[seat].touch(lies, row + one, True)
            if seat in off:
                each = max(each, self._seats[seat].pushed(row + one, lies, True))
            own = max(own, each)
        if turns > 1:  # others after that
            own = max(own, BACK * pool.best)
        can_act = turns > 0 or self._turns == 1
        if can_act:
            own = max(own, AGAIN * pool.best)
        lawn = self._fit.lawn(position.lawn)[turns + MOST_TURNS + 1]
        others = 1.0
        for other in range(len(position.rows)):
            if other != seat:
                pushed = other in off
                others *= self._any(position, other, kept, acted, turns, can_act, pushed)
        return BACK * own * lawn * others * self._neutral(position, turns)

    # --- the others -----------------------------------------------------------------------------

    def _any(
        self,
        position: Position,
        seat: int,
        kept: tuple[int, ...],
        acted: Sequence[bool],
        turns: int,
        can_act: bool,
        off: bool,
    ) -> float:
        row = packed(position.rows[seat])
        return self._seats[seat].anything(row, kept[seat], acted[seat], turns, can_act, off)

    def _neutral(self, position: Position, turns: int) -> float:
        neutral = self._fit.neutral
        if not neutral:
            return 1.0
        return neutral.best if turns else self._fit.captured(position)

    def _rest(
        self, position: Position, kept: tuple[int, ...], acted: Sequence[bool], turns: int
    ) -> _Rest:
        seat, rows = position.turn, position.rows
        others = tuple(each for each in range(len(rows)) if each != seat)
        key = (
            seat,
            position.lawn,
            position.captured,
            position.locked,
            turns,
            tuple((rows[each], kept[each], acted[each]) for each in others),
        )
        known = self._rests.get(key)
        if known is None:
            known = self._rests[key] = self._rest_of(position, kept, acted, turns, others)
        return known

    def _rest_of(
        self,
        position: Position,
        kept: tuple[int, ...],
        acted: Sequence[bool],
        turns: int,
        others: tuple[int, ...],
    ) -> _Rest:
        fit, seat, lawn = self._fit, position.turn, position.lawn
        stop = fit.lawn(lawn)[0] * fit.captured(position)
        for each in others:
            stop *= self._seats[each].lies(packed(position.rows[each]), kept[each], acted[each])
        can_act = turns > 0 or self._turns == 1
        off = _may_be_off(lawn, turns)
        anything = fit.lawn(lawn)[turns + MOST_TURNS + 1] * self._neutral(position, turns)
        for each in others:
            anything *= self._any(position, each, kept, acted, turns, can_act, each in off)
        sides: tuple[int, ...] = (0,) * 6
        own: tuple[bool, ...] = (False,) * 6
        if turns:
            ways = [placements(row, seat) for row in lawn]
            sides = tuple(len(each) for each in ways)
            # With more turns to come it may be pushed off again, or another one of that seat.
            more = turns > 1 and seat in off
            own = tuple(more or any(o == seat for _, o in each.values()) for each in ways)
        over = anything if position.locked else stop
        return _Rest(stop, anything, over, sides, own)

    def _placed(
        self,
        rest: _Rest,
        position: Position,
        kept: tuple[int, ...],
        acted: Sequence[bool],
        turns: int,
    ) -> _Placed:
        if rest.placed is None:
            seat, lawn = position.turn, position.lawn
            place, own, again = [0.0] * 6, [0.0] * 6, [0.0] * 6
            ways: dict[tuple[int, Side], tuple[float, bool]] = {}
            # With so few placements only who plays alone, or after a lost turn, comes to act again.
            may = bool(turns > 1 or position.locked or is_solo(seat, position.rows))
            may = may or position.options.endgame_block == "before-roll"
            for at in range(6):
                for side, (row, off) in placements(lawn[at], seat).items():
                    after = (*lawn[:at], row, *lawn[at + 1 :])
                    each = self._after(position, kept, acted, turns - 1, after, off, at)
                    twice = may or lock_owner(row) != EMPTY
                    ways[at + 1, side] = each, twice
                    if twice:
                        again[at] = max(again[at], each)
                    if off == seat:
                        own[at] = max(own[at], each)
                    else:
                        place[at] = max(place[at], each)
                        if turns > 1:
                            own[at] = max(own[at], each)
            rest.placed = _Placed(tuple(place), tuple(own), tuple(again), ways)
        return rest.placed

    def _after(
        self,
        position: Position,
        kept: tuple[int, ...],
        acted: Sequence[bool],
        turns: int,
        lawn: Lawn,
        off: int,
        at: int,
    ) -> float:
        """All but the row of the seat that has placed a die on row `at` + 1 of what is then `lawn`.

        off: the owner of the die pushed off. turns: placements that may still follow.
        """
        fit, seat = self._fit, position.turn
        each = fit.lawn(lawn)[turns + MOST_TURNS + 1 if turns else 0]
        if fit.neutral:
            if turns:
                each *= fit.neutral.best
            elif off == NEUTRAL:
                taken = sum(packed(faces) for faces in position.captured) + ONE[at]
                each *= fit.neutral.likelihood(taken)
            else:
                each *= fit.captured(position)
        can_act = turns > 0 or self._turns == 1
        others = [other for other in range(len(position.rows)) if other != seat]
        locked = position.locked or lock_owner(lawn[at]) != EMPTY
        if turns or locked or position.options.endgame_block == "before-roll":
            pushed = _may_be_off(lawn, turns)
            for other in others:
                best = self._any(position, other, kept, acted, turns, can_act, other in pushed)
                if other == off:
                    best = max(best, self._off(position, other, kept, acted))
                    if turns and other in pushed:  # twice
                        best = max(best, self._any(position, other, kept, acted, 2, can_act, True))
                each *= best
            return each
        # Nobody can lose a turn: only the next one can have begun to act.
        cycle = position.opening.cycles[seat]
        after = next((o for o in cycle if position.rows[o] or o == off), seat)
        for other in others:
            if other == off:
                each *= self._off(position, other, kept, acted)
            elif other == after:
                each *= self._any(position, other, kept, acted, turns, can_act, False)
            else:
                row = packed(position.rows[other])
                each *= self._seats[other].lies(row, kept[other], acted[other])
        return each

    def _off(
        self, position: Position, seat: int, kept: tuple[int, ...], acted: Sequence[bool]
    ) -> float:
        """A die of another seat was pushed off, which may act again even so."""
        row = packed(position.rows[seat])
        pushed = self._seats[seat].pushed(row, kept[seat], acted[seat])
        return max(pushed, BACK * AGAIN * self._fit.pools[seat].best)


@lru_cache(maxsize=4096)
def _may_be_off(lawn: Lawn, turns: int) -> frozenset[int]:
    """The owners of whom a die may be pushed off in so many turns with a placement."""
    if not turns:
        return frozenset()
    if turns > 1:
        full = any(row.count(EMPTY) < 2 for row in lawn)
        return frozenset((0, 1, 2, NEUTRAL)) if full else frozenset()
    return frozenset(row[side] for row in lawn if EMPTY not in row for side in (0, 2))
