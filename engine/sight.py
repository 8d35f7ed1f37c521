"""How well a view fits a table: likelihoods of lawn places and pools, for each sorting of the dice.

A sorting says of every seen die at which place of the Lawn, or in whose pool off it, it lies.
Mostly there is one; a die between two places or of a doubtful colour gives several.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from engine.dice import DICE_PER_PLAYER, NEUTRAL_DICE
from engine.evidence import Die
from engine.lawn import EMPTY, NEUTRAL, LawnRow
from engine.pools import Pool
from engine.table import ELSEWHERE, OWNERS, Area, LawnPlace, Place

SIDES_AT = {"left": 0, "center": 1, "right": 2}

_UNSEEN = 8e-3  # an open lawn place looks empty although a die lies there
_UNSEEN_HIDDEN = 0.9
_UNSEEN_AGAIN = 0.5
_DOUBT = 0.02  # beliefs below this do not start a sorting of their own
_LEAST_SORTING = 1e-4
_MOST_SORTINGS = 12

Spot = int
"""0..17: a place of the Lawn, row by row. -1 - owner: off the Lawn, in that owner's pool."""


def spot_of(place: LawnPlace) -> Spot:
    """0 for row 1 left to 17 for row 6 right."""
    return 3 * (place.row - 1) + SIDES_AT[place.side]


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """A view as it is weighed: its dice, what is hidden, and for how many seats. Each is one of its own, so that
    what has been worked out of it is quickly found again.

    lost_of, lost_at: owners of whom a die off the Lawn, and places of the Lawn (as Spot) at which
    one was overlooked in the view before: what is overlooked once mostly is so again.
    """

    dice: tuple[Die, ...]
    hidden: frozenset[Place]
    seats: int
    lost_of: frozenset[int] = frozenset()
    lost_at: frozenset[int] = frozenset()

    @property
    def owners(self) -> tuple[int, ...]:
        """The owners whose dice are in the game."""
        return (0, 1, NEUTRAL) if self.seats == 2 else (0, 1, 2)

    def hides(self, owner: int) -> bool:
        """Whether dice of that owner off the Lawn may lie where nothing can be seen."""
        return ELSEWHERE in self.hidden or any(
            isinstance(place, Area) and place.seat in (None, owner) for place in self.hidden
        )

    @property
    def is_whole(self) -> bool:
        """Whether every die of the game is seen."""
        counts = Counter(die.likeliest_owner for die in self.dice)
        return all(counts[owner] >= _full(owner) for owner in self.owners)


class Sight:
    """One sorting of a view's dice, asked for likelihoods. Answers are remembered.

    weight: of this sorting among all.
    spots: per die of `seen.dice`.
    best: the likelihood of whatever table would fit best (an upper bound).
    par: the same where what is known of dice that lie untouched is true, however they are read.

    pools: shared with other sortings of the same view, by owner and dice.
    """

    __slots__ = (
        "_cells",
        "_lying",
        "_pools",
        "_rows",
        "_shared",
        "best",
        "par",
        "row_bests",
        "seen",
        "spots",
        "tolerated",
        "weight",
    )

    def __init__(
        self,
        seen: Seen,
        spots: tuple[Spot, ...],
        weight: float,
        tolerated: dict[int, int] | None = None,
        pools: dict[object, Pool] | None = None,
    ) -> None:
        self.seen = seen
        self.spots = spots
        self.weight = weight
        self.tolerated = tolerated or {}
        self._cells: dict[tuple[int, int, int], float] = {}
        self._rows: dict[tuple[int, LawnRow], float] = {}
        self._pools: dict[int, Pool] = {}
        self._shared = {} if pools is None else pools
        self._lying: dict[int, list[Die]] = {}
        for die, spot in zip(seen.dice, spots, strict=True):
            if spot >= 0:
                self._lying.setdefault(spot, []).append(die)
        self.row_bests = tuple(
            self._cell_best(3 * row) * self._cell_best(3 * row + 1) * self._cell_best(3 * row + 2)
            for row in range(6)
        )
        self.best = 1.0
        for each in self.row_bests:
            self.best *= each
        for owner in seen.owners:
            self.best *= self.pool(owner).best
        self.par = self.best
        if any(die.known for die in seen.dice):
            self.par = 1.0
            for spot in range(18):
                self.par *= self._cell_par(spot)
            for owner in seen.owners:
                self.par *= self.pool(owner).par

    def with_dice(self, seen: Seen) -> Sight:
        """The same sorting of a view in which some dice are believed to show other faces."""
        # A copy: what is remembered by dice that are gone again would be taken for what others show.
        return Sight(seen, self.spots, self.weight, self.tolerated, dict(self._shared))

    def lying(self, spot: Spot) -> list[Die]:
        """The dice at a place of the Lawn."""
        return self._lying.get(spot, [])

    def off_lawn(self, owner: int) -> list[Die]:
        """The dice sorted into an owner's pool."""
        return [
            die for die, spot in zip(self.seen.dice, self.spots, strict=True) if spot == -1 - owner
        ]

    def cell(self, spot: Spot, owner: int, face: int) -> float:
        """P(what is seen at a place of the Lawn | that owner's die lies there with that face);
        with owner EMPTY that it is empty."""
        key = (spot, owner, face)
        known = self._cells.get(key)
        if known is None:
            known = self._cells[key] = self._cell(spot, owner, face)
        return known

    def row(self, at: int, row: LawnRow) -> float:
        """P(what is seen on row at + 1 | its owners), its dice showing the row's number or what is
        tolerated there."""
        key = (at, row)
        known = self._rows.get(key)
        if known is None:
            known = 1.0
            for side, owner in enumerate(row):
                spot = 3 * at + side
                known *= self.cell(spot, owner, self.tolerated.get(spot, at + 1))
            self._rows[key] = known
        return known

    def pool(self, owner: int) -> Pool:
        """The owner's dice off the Lawn."""
        known = self._pools.get(owner)
        if known is None:
            hidden = self.seen.hides(owner)
            again = owner in self.seen.lost_of
            dice = tuple(self.off_lawn(owner))
            key = owner, tuple(map(id, dice))
            known = self._shared.get(key)
            if known is None:
                known = self._shared[key] = Pool(dice, hidden, again)
            self._pools[owner] = known
        return known

    def in_own_row(self, owner: int) -> float | None:
        """How many of the owner's dice lie in the owner's Player Row area; None where no area is
        marked, so that it says nothing."""
        if not any(
            isinstance(place, Area) and place.kind == "row"
            for die in self.seen.dice
            for place, _ in die.places
        ):
            return None
        own = Area("row", owner)
        return sum(p for die in self.off_lawn(owner) for place, p in die.places if place == own)

    def likeliest_cell(self, spot: Spot) -> tuple[int, int]:
        """(owner, face) of the likeliest content of a place, (EMPTY, 0) when nothing is seen."""
        lying = self.lying(spot)
        if not lying:
            return EMPTY, 0
        die = max(lying, key=lambda each: max(each.owner) * (1 - each.spurious))
        return die.likeliest_owner, die.likeliest_face

    def _cell(self, spot: Spot, owner: int, face: int) -> float:
        lying = self.lying(spot)
        if owner == EMPTY:
            likelihood = 1.0
            for die in lying:
                likelihood *= die.spurious / 24
            return likelihood
        if not lying:
            place = LawnPlace(spot // 3 + 1, ("left", "center", "right")[spot % 3])
            again = _UNSEEN_AGAIN if spot in self.seen.lost_at else _UNSEEN
            return _UNSEEN_HIDDEN if place in self.seen.hidden else again
        if len(lying) == 1:
            return lying[0].owner[owner] * lying[0].face[face - 1]
        likelihood = 0.0
        for die in lying:
            each = die.owner[owner] * die.face[face - 1]
            for other in lying:
                each *= other.spurious / 24 if other is not die else 1.0
            likelihood += each
        return likelihood

    def _cell_best(self, spot: Spot) -> float:
        lying = self.lying(spot)
        return max(
            (max(die.owner) * max(die.face) for die in lying),
            default=1.0,
        )

    def _cell_par(self, spot: Spot) -> float:
        for die in self.lying(spot):
            if die.known:
                owner, face = die.known
                return die.owner[owner] * die.face[face - 1]
        return self._cell_best(spot)

    def fit(self, likelihood: float) -> float:
        """A likelihood as a share of par, 1 at most."""
        return min(likelihood / self.par, 1.0) if self.par > 0 else 0.0


def sightings(seen: Seen, tolerated: dict[int, int] | None = None) -> list[Sight]:
    """Every sorting of the dice that weighs anything, the likeliest first."""
    return list(_sightings(seen, tuple((tolerated or {}).items())))


@lru_cache(maxsize=8)
def _sightings(seen: Seen, tolerated: tuple[tuple[int, int], ...]) -> tuple[Sight, ...]:
    sortings: list[tuple[float, tuple[Spot, ...]]] = [(1.0, ())]
    lacking = _lacking(seen)
    for die in seen.dice:
        options = _options(die, seen, lacking)
        sortings = [(w * p, (*spots, spot)) for w, spots in sortings for spot, p in options]
        sortings.sort(reverse=True)
        least = _LEAST_SORTING * sortings[0][0]
        sortings = [each for each in sortings[:_MOST_SORTINGS] if each[0] >= least]
    pools: dict[object, Pool] = {}
    faces = dict(tolerated)
    return tuple(Sight(seen, spots, weight, faces, pools) for weight, spots in sortings)


def _options(
    die: Die, seen: Seen, lacking: tuple[frozenset[int], frozenset[int]]
) -> list[tuple[Spot, float]]:
    options: list[tuple[Spot, float]] = []
    off = 0.0
    for place, p in die.places:
        if isinstance(place, LawnPlace):
            if p >= _DOUBT:
                options.append((spot_of(place), p))
        else:
            off += p
    if off >= _DOUBT:
        over, under = lacking
        best = max(seen.owners, key=lambda owner: die.owner[owner])
        for owner in seen.owners:
            p = die.owner[owner]
            if owner == best or p >= _DOUBT or (best in over and owner in under):
                options.append((-1 - owner, off * p))
    if not options:
        place = die.place
        spot = spot_of(place) if isinstance(place, LawnPlace) else -1 - die.likeliest_owner
        options.append((spot, 1.0))
    return options


def _full(owner: int) -> int:
    return NEUTRAL_DICE if owner == NEUTRAL else DICE_PER_PLAYER


def _lacking(seen: Seen) -> tuple[frozenset[int], frozenset[int]]:
    """Owners of whom too many dice are seen, and those of whom some are missing."""
    counts = dict.fromkeys(OWNERS, 0)
    for die in seen.dice:
        counts[max(seen.owners, key=lambda owner: die.owner[owner])] += 1
    full = {owner: _full(owner) for owner in seen.owners}
    return (
        frozenset(owner for owner in seen.owners if counts[owner] > full[owner]),
        frozenset(owner for owner in seen.owners if counts[owner] < full[owner]),
    )
