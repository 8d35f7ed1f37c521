"""Dice that a track takes to be misread, and that go on lying as they lay: they are paid for once.

A track by which a die shows another face than is read weighs less for it. While that die lies untouched it is
read so again and again, which is no new evidence: where the rest of its Player Row is moved, it must neither
count again nor be taken for another die of the row that shows what is read.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import prod
from typing import TypeAlias

from engine.dice import Faces
from engine.evidence import Die
from engine.known_dice import shared_out
from engine.pools import excess, packed, unpacked
from engine.position import Position
from engine.sight import Seen, Sight
from engine.story_parts import staying

Paid: TypeAlias = tuple[tuple[int, int, float], ...]
"""(ident, face, how likely it is read as it is beside what it is read as) of each such die."""

_MOST = 2  # of one row, at most
_BY_THEM = 3.0  # times the price of the dice that are misread, at most


def paid_for(position: Position, old: Sight, seen: Seen, paid: Paid) -> Paid:
    """The dice that a track takes to be misread and that lie in a view as in the one before.

    position: of the track. old: the view before, with those replaced that were paid for already.
    """
    there = {die.ident for die in seen.dice}
    kept = [each for each in paid if each[0] in there]
    if not position.order:
        return tuple(kept)
    known = {ident for ident, _, _ in kept}
    new = {die.likeliest_owner for die in seen.dice if die.ident not in _idents(old.seen.dice)}
    for seat in range(len(position.rows)):
        if seat == position.displaced and position.phase == "re-entry":
            continue  # the die that was pushed off may have tumbled, and none be misread
        dice, lie = old.off_lawn(seat), _lying(position, seat)
        # One may be overlooked besides: more hide whether any is misread.
        if not 0 <= len(lie) - len(dice) <= 1 or not any(die.ident in there for die in dice):
            continue
        if seat not in new and all(die.ident in there for die in dice):
            continue  # nothing of the row is moved: the next view says it all again
        if not 0 < excess(packed(_read(dice)), packed(lie)) <= _MOST:
            continue
        found = tuple(
            (die.ident, face, die.face[face - 1] / max(die.face))
            for die, face in zip(dice, shared_out(dice, lie), strict=True)
            if die.ident in there and die.ident not in known and die.face[face - 1] < max(die.face)
        )
        if found and _pays(old, seat, packed(lie), found):
            kept += found
    return tuple(kept)


def _pays(old: Sight, seat: int, lie: int, found: Paid) -> bool:
    """Whether it is by these dice that the view before shows less of what lies there: not where one may as
    well be overlooked, and another be no die at all."""
    free = as_paid(old, found).pool(seat).likelihood(lie)
    return old.pool(seat).likelihood(lie) <= _BY_THEM * price(found) * free


def price(paid: Paid) -> float:
    """What it has cost that these dice are misread."""
    return prod(share for _, _, share in paid)


def as_paid(sight: Sight, paid: Paid) -> Sight:
    """A sorting of a view with the dice that have been paid for as likely as any."""
    if not paid:
        return sight
    made = {ident: (face, share) for ident, face, share in paid}
    dice = tuple(
        _told(die, *made[die.ident]) if die.ident in made else die for die in sight.seen.dice
    )
    return sight.with_dice(replace(sight.seen, dice=dice))


def _told(die: Die, face: int, share: float) -> Die:
    beliefs = (p / share if n == face else p for n, p in enumerate(die.face, 1))
    return replace(die, face=tuple(beliefs))


def _lying(position: Position, seat: int) -> Faces:
    """The faces of a seat's dice that lie off the Lawn."""
    row = position.rows[seat]
    if seat == position.turn and position.phase == "boundary-roll":
        return unpacked(staying(position))
    return row


def _read(dice: Iterable[Die]) -> Faces:
    return tuple(sorted(die.likeliest_face for die in dice))


def _idents(dice: Iterable[Die]) -> set[int]:
    return {die.ident for die in dice}
