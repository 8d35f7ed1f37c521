"""What is known of dice that are read wrong: a die that nothing touches stays what it is.

Where all likely tracks agree what lies at a place of the Lawn, or in a Player Row of which every die is
seen, a die that is read otherwise is misread. While it lies untouched it stays so, whatever is read: it
casts no doubt on later stories, nor on anybody's play.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from engine.dice import Faces
from engine.evidence import Die
from engine.lawn import EMPTY
from engine.position import Position
from engine.sight import Seen, Sight

_AGREE = 0.999  # of the weight of all tracks

Known = tuple[tuple[int, tuple[int, int]], ...]
"""(ident, (owner, face)) of each die that is read otherwise than it is."""


def known_dice(
    weighed: Sequence[tuple[Position, float]],
    sight: Sight,
    before: Position | None,
    lay: frozenset[int],
) -> Known:
    """The dice of a view that are read wrong, given the positions it may show, with their weights.

    before: the position of the view before, None if there was none: then nothing is known yet, for while
    nobody looked anything may have been done. lay: idents of its dice, but for the doubted. A die that was
    moved without a play since may have been turned: nothing is known of it.
    """
    total = sum(weight for _, weight in weighed)
    best = max(weighed, key=lambda each: each[1])[0]
    found: list[tuple[int, tuple[int, int]]] = []

    def agreed(same: Sequence[bool]) -> bool:
        share = sum(w for (_, w), alike in zip(weighed, same, strict=True) if alike)
        return share >= _AGREE * total

    for spot in range(18):
        at, side = divmod(spot, 3)
        owner, lying = best.lawn[at][side], sight.lying(spot)
        face = sight.tolerated.get(spot, at + 1)
        if len(lying) != 1 or owner == EMPTY or lying[0].read == (owner, face):
            continue
        if before is None or (before.lawn[at] == best.lawn[at] and lying[0].ident not in lay):
            continue
        if agreed([p.lawn[at][side] == owner for p, _ in weighed]):
            found.append((lying[0].ident, (owner, face)))
    for seat, row in enumerate(best.rows):
        dice = sight.off_lawn(seat)
        if not best.order:
            continue  # a roll is logged in its turn, so that others may lie there already (3:4.B)
        if len(dice) != len(row) or sorted(die.read[1] for die in dice) == list(row):
            continue
        if agreed([p.rows[seat] == row and p.phase != "re-entry" for p, _ in weighed]):
            for die, face in zip(dice, shared_out(dice, row), strict=True):
                if die.read[1] == face:
                    continue
                stays = before is not None and before.rows[seat] == row
                # A row that has changed tells no more of a die that lies untouched than was known.
                lies = die.ident in lay
                if lies == stays or (lies and die.known == (seat, face)):
                    found.append((die.ident, (seat, face)))
    return tuple(found)


def doubted_dice(
    position: Position,
    sight: Sight,
    known: Known,
    before: Position | None,
    lay: frozenset[int],
    doubted: frozenset[int],
) -> frozenset[int]:
    """Idents of dice that are read otherwise than they should lie, and of which nothing is known.

    They may have been turned, or rolled; that they go on lying so proves nothing. Those of a Player Row were
    moved without a play, or lay there before others of that row were rolled: perhaps it was not those.

    before, lay: as of `known_dice`. doubted: the dice doubted in the view before.
    """
    sure = dict(known)
    found = {
        die.ident
        for spot in range(18)
        for die in sight.lying(spot)
        if die.ident not in sure
        and die.read
        != (position.lawn[spot // 3][spot % 3], sight.tolerated.get(spot, spot // 3 + 1))
    }
    for seat, row in enumerate(position.rows):
        dice = sight.off_lawn(seat)
        if before is None or not position.order or len(dice) != len(row):
            found |= doubted & {die.ident for die in dice}
            continue
        changed = before.rows[seat] != row
        for die, face in zip(dice, shared_out(dice, row), strict=True):
            moved = (die.ident in lay) == changed
            if die.ident not in sure and die.read[1] != face and (moved or die.ident in doubted):
                found.add(die.ident)
    return frozenset(found)


def with_known(seen: Seen, known: Known) -> Seen:
    """A later view with what is known of dice that lie untouched since."""
    if not known:
        return seen
    by_ident = dict(known)
    return replace(
        seen,
        dice=tuple(
            replace(die, known=by_ident[die.ident])
            if die.ident in by_ident and not die.pinned
            else die
            for die in seen.dice
        ),
    )


def shared_out(dice: list[Die], row: Faces) -> Faces:
    """Which of the row's faces each die most likely has; some are left over where not all of its dice are seen."""
    ways: dict[Faces, tuple[float, Faces]] = {row: (1.0, ())}
    for die in dice:
        grown: dict[Faces, tuple[float, Faces]] = {}
        for left, (weight, given) in ways.items():
            for face in set(left):
                at = left.index(face)
                rest = left[:at] + left[at + 1 :]
                way = prod((weight, die.face[face - 1])), (*given, face)
                if rest not in grown or way > grown[rest]:
                    grown[rest] = way
        ways = grown
    return max(ways.values(), key=lambda way: way[0])[1]
