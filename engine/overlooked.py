"""Of whom a die is overlooked, as the likely tracks of a view tell it, and who has dice in the hand."""

from __future__ import annotations

from collections.abc import Sequence

from engine.lawn import EMPTY
from engine.pools import packed, size
from engine.position import Position
from engine.sight import Sight
from engine.story_parts import staying

_LOST = 0.02  # share of the tracks


def lost_dice(
    weighed: Sequence[tuple[Position, float]], sight: Sight, lost: frozenset[int]
) -> tuple[frozenset[int], frozenset[int]]:
    """Owners and places of whom a die is overlooked as likely tracks tell it.

    weighed: their positions, with weights. lost: owners of whom one was in the view before.
    """
    owners, spots = dict[int, float](), dict[int, float]()
    total = 0.0
    counts = off_lawn(sight)
    for position, weight in weighed:
        total += weight
        for seat, lies in enumerate(lie_at_least(position, lost)):
            if counts[seat] < lies:
                owners[seat] = owners.get(seat, 0.0) + weight
        for spot, owner in enumerate(owner for row in position.lawn for owner in row):
            if owner != EMPTY and not sight.lying(spot):
                spots[spot] = spots.get(spot, 0.0) + weight
    return (
        frozenset(owner for owner, weight in owners.items() if weight > _LOST * total),
        frozenset(spot for spot, weight in spots.items() if weight > _LOST * total),
    )


def in_hand(position: Position) -> int:
    """Whose dice are taken up to be rolled; -1 if nobody's are."""
    return position.turn if position.phase in ("boundary-roll", "grind-roll") else -1


def off_lawn(sight: Sight) -> tuple[int, ...]:
    """Per seat how many of its dice are seen off the Lawn."""
    return tuple(len(sight.off_lawn(seat)) for seat in range(sight.seen.seats))


def lie_at_least(position: Position, lost: frozenset[int] = frozenset()) -> list[int]:
    """Per seat how many dice surely lie off the Lawn.

    lost: owners of whom a die was overlooked before; what is still missing is that one, and not in a hand.
    """
    counts = []
    for seat, row in enumerate(position.rows):
        lies = len(row)
        if seat == position.turn and position.phase in ("boundary-roll", "grind-roll"):
            lies = size(staying(position))
        elif seat == position.turn and position.phase == "placement" and seat not in lost:
            lies -= 1  # it may be in the hand
        counts.append(lies)
    return counts


def lies_off_lawn(position: Position) -> tuple[int, ...]:
    """Per seat the packed faces of the dice off the Lawn that nobody has taken up to roll them."""
    return tuple(
        staying(position) if seat == in_hand(position) else packed(row)
        for seat, row in enumerate(position.rows)
    )
