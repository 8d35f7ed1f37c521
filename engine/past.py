"""What the view before said that the view now does not say again.

Beliefs are fused by die, so what a view says of a die that still lies there is in the next view's beliefs
too, and must not count twice; nor must it that one of an owner's dice is not seen in either. A track is
weighed by the dice that have gone since, and by the places and rows in which dice are seen only now.
"""

from __future__ import annotations

from engine.fitting import Fit
from engine.lawn import EMPTY, NEUTRAL
from engine.misread import Paid, as_paid
from engine.pools import ONE, packed
from engine.position import Position
from engine.sight import Seen, Sight, spot_of
from engine.table import LawnPlace


class Past:
    """One sorting of the view before, asked how well what is gone of it fits tracks. Answers are remembered.

    fit: of the view before. now: the view now. paid: dice that lie in both, are misread by the tracks that are
    asked about, and are not to count again.
    """

    def __init__(self, fit: Fit, now: Seen, paid: Paid = ()) -> None:
        sight, seen = fit.sight, fit.sight.seen
        there = {die.ident for die in now.dice}
        kept = [
            (die, spot)
            for die, spot in zip(seen.dice, sight.spots, strict=True)
            if die.ident in there
        ]
        self._fit = fit
        left = Sight(
            Seen(
                tuple(die for die, _ in kept), seen.hidden, seen.seats, seen.lost_of, seen.lost_at
            ),
            tuple(spot for _, spot in kept),
            sight.weight,
            sight.tolerated,
        )
        self._left = as_paid(left, paid)
        old = {die.ident for die in seen.dice}
        new = {die.likeliest_owner for die in now.dice if die.ident not in old}
        self._changed = [
            owner
            for owner in seen.owners
            if owner in new or len(sight.off_lawn(owner)) != len(self._left.off_lawn(owner))
        ]
        came = {
            spot_of(die.place)
            for die in now.dice
            if die.ident not in old and isinstance(die.place, LawnPlace)
        }
        self._gone = [
            spot
            for spot in range(18)
            if not self._left.lying(spot) and (sight.lying(spot) or spot in came)
        ]
        self._known: dict[tuple[Position, int, bool], float] = {}

    def gone(self, position: Position, pushed: int, unseen: bool) -> float:
        """P(what is gone was seen so | the table showed this position, and what still lies was seen so).

        pushed, unseen: as of Fit.likelihood.
        """
        key = position, pushed, unseen
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._gone_as(*key)
        return known

    def _gone_as(self, position: Position, pushed: int, unseen: bool) -> float:
        sight = self._fit.sight
        likelihood = sight.weight
        for spot in self._gone:
            owner = position.lawn[spot // 3][spot % 3]
            face = sight.tolerated.get(spot, spot // 3 + 1)
            likelihood *= sight.cell(spot, owner, face if owner != EMPTY else 0)
        rows = self._fit.rows(position, pushed, unseen)
        for owner in self._changed:
            left = _left_of(position, owner, pushed, self._left)
            was = self._fit.captured(position) if owner == NEUTRAL else rows[owner]
            likelihood *= was / left if left > 0 else 0.0
        return likelihood


def _left_of(position: Position, owner: int, pushed: int, look: Sight) -> float:
    """P(how an owner's dice off the Lawn are seen | the position, and nothing is known of the others)."""
    pool = look.pool(owner)
    if not pool.seen:
        return 1.0
    if owner == NEUTRAL:
        taken = tuple(sorted(face for faces in position.captured for face in faces))
        return pool.part_of(packed(taken))
    row = packed(position.rows[owner])
    if position.phase == "big-roll" and not position.opening.big_rolls[owner]:
        return float(6.0**-pool.seen)
    if position.phase == "tie-break" and owner in position.opening.tied():
        return max(pool.part_of(row), 6.0**-pool.seen)
    if position.phase == "re-entry" and owner == position.displaced:
        with_it = pool.part_of(row + ONE[pushed - 1]) if pushed else 0.0
        return max(pool.part_of(row), with_it, 0.05 * max(pool.part_of(row + one) for one in ONE))
    return pool.part_of(row)
