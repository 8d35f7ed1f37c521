"""Of whom a die is overlooked, as the likely tracks of a view tell it, and who has dice in the hand."""

from __future__ import annotations

from collections.abc import Sequence

from engine.fitting import Fit
from engine.lawn import EMPTY
from engine.pools import contains, packed, size, unpacked
from engine.position import Position
from engine.sight import Seen, Sight
from engine.story_parts import Story, staying
from engine.touches import faces_of

_LOST = 0.002  # share of the tracks


def lost_dice(
    weighed: Sequence[tuple[Position, float]], sight: Sight, lost: frozenset[int]
) -> tuple[frozenset[int], frozenset[int]]:
    """Owners and places of whom a die is overlooked as likely tracks tell it.

    weighed: their positions, with weights. lost: owners of whom one was in the view before.
    """
    owners, spots = dict[int, float](), dict[int, float]()
    total = 0.0
    counts = off_lawn(sight)
    shown = [faces_of(sight.off_lawn(seat)) for seat in range(sight.seen.seats)]
    for position, weight in weighed:
        total += weight
        for seat, lies in enumerate(lie_at_least(position, lost)):
            if counts[seat] < lies or _lacks_inner(position, seat, shown[seat]):
                owners[seat] = owners.get(seat, 0.0) + weight
        for spot, owner in enumerate(owner for row in position.lawn for owner in row):
            if owner != EMPTY and not sight.lying(spot):
                spots[spot] = spots.get(spot, 0.0) + weight
    return (
        frozenset(owner for owner, weight in owners.items() if weight > _LOST * total),
        frozenset(spot for spot, weight in spots.items() if weight > _LOST * total),
    )


def _lacks_inner(position: Position, seat: int, shown: int) -> bool:
    """Whether the one die that is not seen of who is about to place lies within the row: it is in no hand."""
    if position.phase != "placement" or seat != position.turn:
        return False
    row = packed(position.rows[seat])
    if size(shown) + 1 != size(row) or not contains(row, shown):
        return False
    return unpacked(row - shown)[0] not in (position.rows[seat][0], position.rows[seat][-1])


def overlooking(sight: Sight, looked: Seen, told: Sequence[Story]) -> list[float]:
    """Of each story of a view, what it costs that dice are overlooked in it which the view before showed, or had
    no reason to: it is paid once, for when they are overlooked again they are those, and that costs little.

    looked: the same view, with what is overlooked in it.
    """
    before = sight.seen
    seats = [owner for owner in looked.lost_of - before.lost_of if owner < before.seats]
    spots = looked.lost_at - before.lost_at
    if not seats and not spots:
        return [1.0] * len(told)
    anew = Fit(sight)
    again = Fit(Sight(looked, sight.spots, sight.weight, sight.tolerated))
    prices = []
    for story in told:
        position, price = story.position, 1.0
        if seats:
            as_ = position, story.pushed, story.unseen
            once, more = anew.rows(*as_), again.rows(*as_)
            for seat in seats:
                price *= once[seat] / more[seat] if more[seat] > 0 else 1.0
        for spot in spots:
            owner = position.lawn[spot // 3][spot % 3]
            if owner != EMPTY:
                face = sight.tolerated.get(spot, spot // 3 + 1)
                price *= anew.sight.cell(spot, owner, face) / again.sight.cell(spot, owner, face)
        prices.append(min(price, 1.0) or 1.0)
    return prices


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
