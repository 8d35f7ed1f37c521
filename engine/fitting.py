"""How well a view, in one sorting of its dice, shows a position, and how well anything that follows
it could be shown at most.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from engine.dice import DICE_PER_PLAYER
from engine.lawn import NEUTRAL, Lawn
from engine.order import lies_beside
from engine.pools import ONE, packed, unpacked
from engine.position import Position
from engine.sight import Sight
from engine.story_parts import any_dice, in_limbo, picked, row_reach, staying

MOST_TURNS = 3
"""Turns with a placement that a view may lag behind at most."""

NEW_TURN = 0.05
"""No turn to come can have a prior above this: one throw in six, and it was begun unseen."""

UNSEEN_ROLL = 1e-3
"""Chance that a roll is rolled over before it was seen."""

LATER_TURN = 0.3
"""Prior of each turn begun after the first."""

IN_HAND = 0.2
"""Chance that the dice that are rolled, or the one that is placed, are in a hand."""

_CHANGE = 1 / 6  # nor can a row that has been played from change without a throw
_ELSEWHERE = 0.05  # a pushed die lies anywhere else than beside its row before it is rolled
_IN_ITS_ROW = 1e-5  # a pushed die that lies in its owner's row is not rolled yet

Levels: TypeAlias = tuple[float, ...]

Lay: TypeAlias = tuple[Sequence[tuple[int, float]], int]
"""Of a seat's dice, as Fit takes it."""


class Fit:
    """A sighting, asked how well it shows positions. Answers are remembered.

    thrown: per seat what eight dice off the Lawn showed before they were last moved, packed, with shares,
    and how many of them were not moved then; () where that does not matter.
    """

    __slots__ = (
        "_beside",
        "_far",
        "_lawns",
        "_likelihoods",
        "_thrown",
        "bests",
        "neutral",
        "pools",
        "sight",
    )

    def __init__(self, sight: Sight, thrown: Sequence[Lay] = ()) -> None:
        self.sight = sight
        self._thrown = thrown
        self.pools = [sight.pool(seat) for seat in range(sight.seen.seats)]
        self.bests = 1.0
        for pool in self.pools:
            self.bests *= pool.best
        self.neutral = sight.pool(NEUTRAL) if sight.seen.seats == 2 else None
        if self.neutral:
            self.bests *= self.neutral.best
        self._lawns: dict[Lawn, Levels] = {}
        self._beside: dict[tuple[int, int], bool | None] = {}
        self._far: dict[tuple[int, int], float] = {}
        self._likelihoods: dict[tuple[Position, int, bool], float] = {}

    def likelihood(self, position: Position, pushed: int, unseen: bool = False) -> float:
        """P(view | the table shows this position).

        pushed: in phase re-entry the face that the displaced die had on the Lawn, 0 if unknown.
        unseen: nobody has seen yet what was rolled to reach it.
        """
        key = position, pushed, unseen and position.phase == "grind-roll"
        known = self._likelihoods.get(key)
        if known is None:
            known = self._likelihoods[key] = self._likelihood(*key)
        return known

    def _likelihood(self, position: Position, pushed: int, unseen: bool) -> float:
        likelihood = self.lawn(position.lawn)[0] * self.captured(position)
        for each in self.rows(position, pushed, unseen):
            likelihood *= each
        return likelihood

    def rows(self, position: Position, pushed: int, unseen: bool) -> tuple[float, ...]:
        """Per seat P(its dice off the Lawn as they are seen | this position); arguments as of `likelihood`."""
        opening, phase = position.opening, position.phase
        factors = []
        for seat, faces in enumerate(position.rows):
            pool, row = self.pools[seat], packed(faces)
            if phase == "big-roll" and not opening.big_rolls[seat]:
                each = self._unrolled(position, seat)
            elif phase == "re-entry" and seat == position.displaced:
                beside = 1.0
                if pushed and self.lies_beside(seat, pushed) is False:
                    beside = _ELSEWHERE
                each = in_limbo(pool, row, pushed, beside)
                there = self.sight.in_own_row(seat)
                if there is not None and there > len(faces) + 0.5:
                    each *= _IN_ITS_ROW
            else:
                each = pool.likelihood(row)
                if seat == position.turn and phase in ("boundary-roll", "grind-roll"):
                    lies = 1.0 if phase == "grind-roll" else 0.0
                    hand = IN_HAND * UNSEEN_ROLL if unseen else IN_HAND
                    each = max(hand * pool.likelihood(staying(position)), lies * each)
                if seat == position.turn and phase == "placement" and row:
                    each = max(each, IN_HAND * picked(pool, faces))
                if phase == "tie-break" and seat >= position.turn and seat in opening.tied():
                    each = max(each, self._unrolled(position, seat))
            factors.append(each)
        return tuple(factors)

    def captured(self, position: Position) -> float:
        """P(the neutral dice off the Lawn as they are seen | this position)."""
        if not self.neutral:
            return 1.0
        taken = [face for faces in position.captured for face in faces]
        return self.neutral.likelihood(packed(tuple(sorted(taken))))

    def share(self, position: Position, likelihood: float) -> float:
        """A likelihood as a share of that of the table that would fit best. Dice that may show
        anything, for they are yet to be rolled or logged, fit as well as any."""
        share = self.sight.fit(likelihood)
        if position.phase in ("big-roll", "tie-break"):
            for seat, faces in enumerate(position.rows):
                if self._is_unrolled(position, seat):
                    free, pool = self._unrolled(position, seat), self.pools[seat]
                    if not faces or free > pool.likelihood(packed(faces)):
                        share *= pool.par / free
        return share

    def _is_unrolled(self, position: Position, seat: int) -> bool:
        """Whether the rules have that seat roll eight dice that are not in the position yet."""
        opening = position.opening
        if position.phase == "big-roll":
            return not opening.big_rolls[seat]
        return seat >= position.turn and seat in opening.tied()

    def _unrolled(self, position: Position, seat: int) -> float:
        """P(what is seen of a seat's dice | they are yet to be rolled or, out of turn, are already)."""
        pool = self.pools[seat]
        if position.phase != "tie-break" or seat <= position.turn:
            return any_dice(pool)
        free = float(6.0**-pool.seen)  # seats roll in any order, but are logged in one
        if self._thrown:
            before, same = self._thrown[seat]
            if same < DICE_PER_PLAYER:  # what was rolled is only moved
                moved = sum(share * pool.likelihood(each) for each, share in before)
                free = max(free, 6.0**-same * moved)
        return 0.5 * free

    def shown(self, position: Position, part: int) -> float:
        """How surely the seat in turn had rolled these eight dice, out of turn, before they were moved."""
        if not self._thrown or part == packed(position.rows[position.turn]):
            return 0.0
        return sum(share for each, share in self._thrown[position.turn][0] if each == part)

    def lies_beside(self, owner: int, row: int) -> bool | None:
        """As `engine.order.lies_beside`."""
        key = owner, row
        if key not in self._beside:
            self._beside[key] = lies_beside(self.sight, owner, row)
        return self._beside[key]

    def bound(self, position: Position, turns: int, least: float) -> float:
        """What anything that follows a position can weigh at most, prior aside; 0 below `least`.

        turns: how many placements may still follow.
        """
        lawn = self.lawn(position.lawn)
        free = lawn[turns + MOST_TURNS + 1]
        if free * self.bests < least:
            return 0.0
        phase, turn = position.phase, position.turn
        here = phase == "placement"
        costly = max(lawn[k] * NEW_TURN ** max(0, k - here) for k in range(turns + 1))
        if phase in ("boundary-choice", "boundary-roll") and turns:
            costly = max(costly, *(lawn[k] for k in range(min(turns, 1) + 1)))
        if phase in ("big-roll", "bonus-choice", "tie-break"):
            return free * self._opening_bound(position)
        bound = 1.0
        for seat, faces in enumerate(position.rows):
            pool = self.pools[seat]
            if seat == turn and phase not in ("re-entry", "placement"):
                bound *= pool.best
            elif seat == turn and phase == "placement":
                bound *= max(row_reach(pool, packed(faces)), _CHANGE * pool.best)
            else:
                bound *= max(pool.likelihood(packed(faces)), _CHANGE * pool.best)
        if self.neutral:
            bound *= self.neutral.best
        return min(costly * self.bests, free * bound)

    def _opening_bound(self, position: Position) -> float:
        """As `_bound`, of the rows alone, while eight dice at a time are rolled."""
        bound = 1.0
        for seat, faces in enumerate(position.rows):
            pool = self.pools[seat]
            to_roll = seat >= position.turn and position.phase != "bonus-choice"
            each = pool.likelihood(packed(faces)) if faces else self._unrolled(position, seat)
            if to_roll and (position.phase == "big-roll" or seat in position.opening.tied()):
                weights = [weight for _, weight in pool.likeliest(DICE_PER_PLAYER, 1.0)]
                rolled = max(weights, default=0.0) / 6.0**DICE_PER_PLAYER
                each = max(each, self._unrolled(position, seat), rolled)
                each = max(each, pool.best if self._thrown else 0.0)
            bound *= each
        return bound * (self.neutral.best if self.neutral else 1.0)

    def lawn(self, lawn: Lawn) -> tuple[float, ...]:
        """Of a Lawn, the likelihood with its 0, 1, 2, 3 worst rows made to fit, and then the same
        again with the best of "up to so many"."""
        known = self._lawns.get(lawn)
        if known is None:
            bests = self.sight.row_bests
            ratios = sorted(
                self.sight.row(at, row) / best
                for (at, row), best in zip(enumerate(lawn), bests, strict=True)
            )
            whole = 1.0
            for best in bests:
                whole *= best
            values = []
            for k in range(MOST_TURNS + 1):
                value = whole
                for ratio in ratios[k:]:
                    value *= ratio
                values.append(value)
            most = [max(values[: k + 1]) for k in range(MOST_TURNS + 1)]
            known = self._lawns[lawn] = (*values, *most)
        return known

    def far_reach(self, seat: int, row: int) -> float:
        """The best likelihood of a row that a pushed die enters again, after or without a
        placement."""
        known = self._far.get((seat, row))
        if known is None:
            pool, faces = self.pools[seat], unpacked(row)
            bases = {row, row - ONE[faces[0] - 1], row - ONE[faces[-1] - 1]}
            known = max(pool.likelihood(base + one) for base in bases for one in ONE)
            self._far[seat, row] = known
        return known
