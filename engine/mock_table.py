"""A simulated table: dice with an identity that lie, are lifted, rolled and put somewhere.

It knows no rules. `engine.mock_turns` moves the dice as people do who play a legal round,
`engine.mock_cheats` as people do who do not, `engine.mock_camera` looks at it. A table never
changes; whatever is done to it gives a new one. All chance comes from the rng that is handed in.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import TypeAlias

from engine.actions import SIDES
from engine.dice import DICE_PER_PLAYER, FACES, NEUTRAL_DICE, Faces
from engine.lawn import EMPTY, NEUTRAL, Owner
from engine.mock_layout import SLOTS, MockLayout, Spot
from engine.position import Position
from engine.table import Area, LawnPlace, Place

DIE_MM = 16.0
_APART = DIE_MM + 3.0  # closer than this two dice do not come to lie
_SLOPPY = 0.04  # share of dice that are put down near a line
_OFF = 2.2  # mm, how far off the middle of its place a die is put, each way (sigma)
_INSIDE = 1.5  # mm, at least so far from a line: beyond it nobody could say where the die lies


@dataclass(frozen=True, slots=True)
class MockDie:
    """A die.

    Attributes:
        number: its identity, its index in `MockTable.dice`.
        owner: a seat or NEUTRAL, by its colour.
        face: what it shows, or showed before it was lifted.
        spot: its centre in mm, or None while it is in somebody's hand or off the table.
        touches: how often it has been touched so far.
    """

    number: int
    owner: Owner
    face: int
    spot: Spot | None = None
    touches: int = 0


Dice: TypeAlias = tuple[MockDie, ...]

Canonical: TypeAlias = tuple[
    tuple[tuple[tuple[Owner, int], ...], ...], tuple[Faces, ...], tuple[Faces, ...]
]


@dataclass(frozen=True, slots=True)
class MockTable:
    """All dice of a game and where they lie."""

    layout: MockLayout
    dice: Dice
    _at: dict[int, Place] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        at = {die.number: self.layout.place_at(die.spot) for die in self.dice if die.spot}
        object.__setattr__(self, "_at", at)

    # --- reading --------------------------------------------------------------------------

    def place(self, number: int) -> Place | None:
        """Where a die lies, None in a hand."""
        return self._at.get(number)

    def on(self, place: LawnPlace) -> tuple[MockDie, ...]:
        """The dice at a place of the Lawn: none, one, or more where somebody has erred."""
        return tuple(self.dice[number] for number, at in self._at.items() if at == place)

    def lawn_row(self, row: int) -> tuple[MockDie | None, ...]:
        """The first die at each place of a row of the Lawn."""
        places = (self.on(LawnPlace(row, side)) for side in SIDES)
        return tuple(dice[0] if dice else None for dice in places)

    def off_lawn(self, owner: Owner) -> tuple[MockDie, ...]:
        """The owner's dice that lie off the Lawn, wherever."""
        return tuple(
            die
            for die in self.dice
            if die.owner == owner
            and die.spot is not None
            and not isinstance(self._at[die.number], LawnPlace)
        )

    def in_hand(self, owner: Owner) -> tuple[MockDie, ...]:
        """The owner's dice that do not lie on the table."""
        return tuple(die for die in self.dice if die.owner == owner and die.spot is None)

    def canonical(self, seats: int) -> Canonical:
        """What lies where as the rules see it: per Lawn place (owner, face), per seat the row as
        sorted faces, and the captured faces (by seat; all in one where areas are not marked)."""
        lawn = tuple(
            tuple((d.owner, d.face) if d else (EMPTY, 0) for d in self.lawn_row(row))
            for row in FACES
        )
        rows = tuple(tuple(sorted(d.face for d in self.off_lawn(seat))) for seat in range(seats))
        neutral = self.off_lawn(NEUTRAL)
        if not self.layout.areas:
            return lawn, rows, (tuple(sorted(d.face for d in neutral)),)
        captured = tuple(
            tuple(sorted(d.face for d in neutral if self.place(d.number) == Area("captured", seat)))
            for seat in range(seats)
        )
        return lawn, rows, captured

    # --- touching -------------------------------------------------------------------------

    def with_dice(self, changed: Iterable[MockDie]) -> MockTable:
        """With these dice in place of those of the same numbers, touched once more."""
        dice = list(self.dice)
        for die in changed:
            dice[die.number] = replace(die, touches=self.dice[die.number].touches + 1)
        return MockTable(self.layout, tuple(dice))

    def lifted(self, dice: Iterable[MockDie]) -> MockTable:
        """With the dice in a hand."""
        return self.with_dice(replace(die, spot=None) for die in dice)

    def put(self, die: MockDie, spot: Spot, face: int | None = None) -> MockTable:
        """With the die at that spot, showing `face` if one is given."""
        return self.with_dice([replace(die, spot=spot, face=die.face if face is None else face)])

    def touched_since(self, before: MockTable) -> frozenset[int]:
        """The numbers of the dice that were touched between two tables of the same game."""
        return frozenset(
            now.number
            for now, then in zip_longest(self.dice, before.dice)
            if now and (then is None or now.touches != then.touches)
        )

    # --- finding spots --------------------------------------------------------------------

    def free(self, spot: Spot, besides: Iterable[int] = ()) -> bool:
        """Whether a die fits there."""
        skipped = set(besides)
        return all(
            die.spot is None
            or die.number in skipped
            or abs(die.spot[0] - spot[0]) >= _APART
            or abs(die.spot[1] - spot[1]) >= _APART
            for die in self.dice
        )

    def scattered(self, box: tuple[float, float, float, float], rng: random.Random) -> Spot:
        """Any free spot in a box, for a die that is rolled there."""
        spot = (0.0, 0.0)
        for attempt in range(200):
            wider = attempt // 20 * 6.0
            spot = (
                rng.uniform(box[0] + 8, box[2] - 8),
                rng.uniform(box[1] + 8 - wider, box[3] - 8 + wider),
            )
            on_lawn = isinstance(self.layout.place_at(spot), LawnPlace)
            if self.free(spot) and not on_lawn:
                return spot
        return spot


def near_middle(layout: MockLayout, place: LawnPlace, rng: random.Random) -> Spot:
    """Where a person puts a die that belongs on a place of the Lawn: rarely near its line."""
    x, y = layout.cell(place)
    most_x, most_y = layout.cell_w / 2 - _INSIDE, layout.cell_h / 2 - _INSIDE
    if rng.random() < _SLOPPY:
        return x + rng.uniform(-most_x, most_x), y + rng.uniform(-most_y, most_y)
    dx, dy = rng.gauss(0, _OFF), rng.gauss(0, _OFF)
    return x + max(-most_x, min(most_x, dx)), y + max(-most_y, min(most_y, dy))


def arranged(table: MockTable, seat: int, rng: random.Random, tidy: float = 0.3) -> MockTable:
    """With the seat's dice off the Lawn in ascending order along its Player Row (3:3.A, 4:1.C).

    Dice that lie in order already stay untouched, unless the player tidies the whole row (chance
    `tidy`) or there is no gap for a die that comes between.
    """
    dice = sorted(table.off_lawn(seat), key=lambda die: (die.face, _along(seat, die)))
    wobble = [(rng.uniform(-1, 1), rng.uniform(-1.5, 1.5)) for _ in dice]
    slots = None if rng.random() < tidy else _slots_kept(table, seat, dice)
    if slots is None:
        first = (SLOTS - len(dice)) // 2
        slots = list(range(first, first + len(dice)))
    moved = []
    for die, slot, (dx, dy) in zip(dice, slots, wobble, strict=True):
        x, y = table.layout.slot(seat, slot)
        assert die.spot is not None
        if abs(die.spot[0] - x) > 5 or abs(die.spot[1] - y) > 5:
            moved.append(replace(die, spot=(x + dx, y + dy)))
    return table.with_dice(moved)


def _along(seat: int, die: MockDie) -> float:
    assert die.spot is not None
    return die.spot[1 if seat == 2 else 0]


def _slots_kept(table: MockTable, seat: int, dice: list[MockDie]) -> list[int] | None:
    """A slot for each of the ordered dice in which dice that lie in one stay, or None."""
    lies: list[int | None] = []
    for die in dice:
        assert die.spot is not None
        x, y = die.spot
        spots = (table.layout.slot(seat, number) for number in range(SLOTS))
        near = [n for n, (sx, sy) in enumerate(spots) if abs(sx - x) <= 5 and abs(sy - y) <= 5]
        lies.append(near[0] if near else None)
    slots: list[int] = []
    for at, slot in enumerate(lies):
        least = slots[-1] + 1 if slots else 0
        if slot is None:
            later = [(n, s) for n, s in enumerate(lies[at:]) if s is not None]
            most = min((s - n for n, s in later), default=SLOTS - len(lies) + at)
            slot = max(least, most) if not slots else min(least, most)
            if slots and slot < least:
                return None
        if slot < least:
            return None
        slots.append(slot)
    return slots if not slots or slots[-1] < SLOTS else None


# --- setting up -------------------------------------------------------------------------------


def in_the_box(position: Position, layout: MockLayout) -> MockTable:
    """All dice of the game, none on the table; all show 1 except the neutral ones, one a face."""
    dice: list[MockDie] = []
    for seat in range(len(position.rows)):
        dice += [MockDie(len(dice) + n, seat, 1) for n in range(DICE_PER_PLAYER)]
    if len(position.rows) == 2:  # 1:1.B
        first = len(dice)
        dice += [MockDie(first + n, NEUTRAL, n + 1) for n in range(NEUTRAL_DICE)]
    return MockTable(layout, tuple(dice))


def laid(position: Position, layout: MockLayout, rng: random.Random) -> MockTable:
    """A table at rest that shows a position in which no dice are in the air."""
    table = in_the_box(position, layout)
    taken = iter(_shuffled_stock(table, rng))
    stock: dict[Owner, list[MockDie]] = {}
    for die in taken:
        stock.setdefault(die.owner, []).append(die)
    neutral = {die.face: die for die in stock.get(NEUTRAL, [])}
    put: list[MockDie] = []
    for row, owners in zip(FACES, position.lawn, strict=True):
        for side, owner in zip(SIDES, owners, strict=True):
            if owner == EMPTY:
                continue
            die = neutral[row] if owner == NEUTRAL else stock[owner].pop()
            spot = near_middle(layout, LawnPlace(row, side), rng)
            put.append(replace(die, spot=spot, face=row))
    for seat, faces in enumerate(position.captured):
        for number, face in enumerate(faces):
            spot = layout.captured_spot(seat, number)
            put.append(replace(neutral[face], spot=spot))
    for seat, faces in enumerate(position.rows):
        first = (SLOTS - len(faces)) // 2
        for number, face in enumerate(faces, first):
            put.append(replace(stock[seat].pop(), spot=layout.slot(seat, number), face=face))
    return table.with_dice(put)


def _shuffled_stock(table: MockTable, rng: random.Random) -> list[MockDie]:
    dice = list(table.dice)
    rng.shuffle(dice)
    return dice


def shows(table: MockTable, position: Position) -> bool:
    """Whether a table at rest is what the position says."""
    lawn, rows, captured = table.canonical(len(position.rows))
    wanted = tuple(
        tuple((owner, row) if owner != EMPTY else (EMPTY, 0) for owner in owners)
        for row, owners in zip(FACES, position.lawn, strict=True)
    )
    held = position.captured
    if not table.layout.areas:
        held = (tuple(sorted(face for faces in held for face in faces)),)
    return lawn == wanted and rows == position.rows and captured == held
