"""Faults as records, those that need no search, and how a push can have gone wrong."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

from engine.evidence import Die
from engine.fault_words import said
from engine.lawn import EMPTY, LawnRow
from engine.pools import contains, packed, unpacked
from engine.position import Position
from engine.sight import Sight
from engine.table import Area
from engine.verdict import Infringement, Kind

PRIOR = 1e-3  # of a turn with a fault of a given kind

_GHOST = 0.2  # what is so doubtful may be no die
_SURE = 0.9


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault, its weight (comparable with those of stories) and its fit (as a story's).

    what: the owner and face of a die that is missing, else None.
    """

    weight: float
    fit: float
    said: Infringement
    what: tuple[int, int] | None = None


def missing_dice(
    position: Position, sight: Sight, before: tuple[int, int] | None = None
) -> Fault | None:
    """A die that is missing from a table that else shows the position, if nobody may hold it.

    before: the (owner, face) of the one that was missing in the view before; others that are not seen now
    do not hide it.
    """
    if not position.order or position.is_over or position.phase == "re-entry":
        return None
    for seat, row in enumerate(position.rows):
        seen = sight.off_lawn(seat)
        shown = packed(tuple(sorted(die.likeliest_face for die in seen)))
        if len(seen) >= len(row) or not contains(packed(row), shown):
            continue
        face, *others = unpacked(packed(row) - shown)
        if others:
            if before is None or before[0] != seat or before[1] not in (face, *others):
                continue
            face = before[1]
        edge = seat == position.turn and face in (row[0], row[-1])
        if edge:
            continue  # it may be in the hand, to be rolled or placed
        verdict = said("die-missing", position, seat, face=face, owner=seat)
        return Fault(PRIOR, 1.0, verdict, (seat, face))
    return None


def may_lack(position: Position, sight: Sight, owner: int) -> bool:
    """Whether fewer of an owner's dice are seen off the Lawn than the position has there, unless something is a
    die that is hardly taken for one."""
    sure = sum(die.spurious <= _GHOST for die in sight.off_lawn(owner))
    return sure < len(position.rows[owner])


def surely_off_lawn(sight: Sight, owner: int) -> int:
    """How many dice are seen off the Lawn that are surely dice, and surely this owner's."""
    return sum(_is_surely(die, owner) for die in sight.off_lawn(owner))


def _is_surely(die: Die, owner: int) -> bool:
    return die.spurious <= _GHOST and die.owner[owner] > _SURE * sum(die.owner)


def is_inner(row: int, face: int) -> bool:
    """Whether a die of that face is none of the edges of a packed row."""
    faces = unpacked(row)
    return face not in (faces[0], faces[-1])


def wrong_owner(position: Position, sight: Sight) -> Fault | None:
    """A pushed die that lies in the row of a player who does not own it (5:2.B)."""
    if position.phase != "re-entry":
        return None
    owner = position.displaced
    there = sight.in_own_row(owner)
    if there is not None and there > len(position.rows[owner]) + 0.5:
        return None  # it has come home; what lies elsewhere is none of the owner's
    for die in sight.off_lawn(owner):
        place, p = die.places[0]
        other = isinstance(place, Area) and place.kind == "row" and place.seat != owner
        if other and _is_surely(die, owner) and p > _SURE:
            verdict = said(
                "wrong-owner-re-entry", position, position.turn, keys=(die.key,), owner=owner
            )
            return Fault(PRIOR, 1.0, verdict, (owner, 0))
    return None


def patterns(old: LawnRow, new: tuple[int, ...], owner: int) -> list[tuple[Kind | None, int, bool]]:
    """How a row can have become another when `owner` brings one die: (kind or None for a legal
    slide, owner of the die that is off, whether the new die must show the row's number)."""
    found: list[tuple[Kind | None, int, bool]] = []
    lying = [n for n in range(3) if old[n] != EMPTY]
    if len(lying) == 2:
        two = (EMPTY in new, sorted(o for o in new if o != EMPTY))
        for off in (None, *lying):
            left = sorted([owner, *(old[n] for n in lying if n != off)])
            if two == (off is not None, left):
                found.append(("push-with-room", EMPTY if off is None else old[off], False))
    if len(lying) != 3 or EMPTY in new:
        return found
    dice = (*old, owner)
    for order in permutations(range(4), 3):
        if 3 not in order or tuple(dice[n] for n in order) != new:
            continue
        (off,) = {0, 1, 2} - set(order)
        found.append((_named(order, off), old[off], False))
    legal = [each for each in found if each[0] is None]
    # A replaced flank die or a lifted center die is called that, whatever else it looks like.
    return legal or sorted(found, key=lambda each: each[0] == "push-wrong-way")


def _named(order: tuple[int, ...], off: int) -> Kind | None:
    if order in ((3, 0, 1), (1, 2, 3)):
        return None
    if off == 1 and order in ((3, 0, 2), (0, 2, 3), (0, 3, 2)):
        return "middle-die-lifted"
    if order in ((3, 1, 2), (0, 1, 3)):
        return "push-not-slid"
    return "push-wrong-way"
