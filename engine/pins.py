"""A person's corrections of dice: which die of a view they mean, and what the camera then counts.

A die keeps its key while nothing touches it, so a correction goes with the key. Two more things
must not bring the question back: a hand that passed over the die (it gets a new key but lies as
it lay and looks as it looked), and another run of the camera, which numbers all dice anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine.dice import FACES
from engine.errors import TableError, shown
from engine.table import (
    OWNERS,
    LawnPlace,
    Place,
    SeenDie,
    TableView,
    place_from_json,
    place_to_json,
)

SAME_SPOT_MM = 4.0
"""A die whose centre is so near to where a corrected one lay has not been moved: a quarter of a
die's edge, above the jitter of a found mat and far below what a hand that takes a die leaves."""

OTHER_DIE_MM = 10.0
"""Nearer than this two dice of 16 mm cannot both lie."""

SURE = 1.0 - 1e-6
"""How sure a person is: no camera outweighs it, and no probability is 0."""


@dataclass(frozen=True, slots=True)
class DiePin:
    """What a person says of one die.

    Attributes:
        key: of the die in the view of the correction, in that run of the camera; None for a die
            that the camera did not see.
        run: number of the journal entry with which that run of the camera began.
        face, owner, place: what it is; None leaves the camera's belief. All are given for a die
            that the camera did not see.
        absent: there is no die at all.
        seen_face, seen_owner, seen_place, xy_mm: what the camera said.
        number: of the journal entry that made it; 0 before it is written.
    """

    key: int | None
    run: int
    face: int | None = None
    owner: int | None = None
    place: Place | None = None
    absent: bool = False
    seen_face: int | None = None
    seen_owner: int | None = None
    seen_place: Place | None = None
    xy_mm: tuple[float, float] | None = None
    number: int = 0

    @classmethod
    def on(
        cls,
        die: SeenDie,
        run: int,
        *,
        face: int | None = None,
        owner: int | None = None,
        place: Place | None = None,
        absent: bool = False,
    ) -> DiePin:
        """A correction of a die as the camera, uncorrected, saw it."""
        return cls(
            *(die.key, run, face, owner, place, absent),
            *(die.face, die.owner, die.place, die.xy_mm),
        )

    def __post_init__(self) -> None:
        if self.face is not None and self.face not in FACES:
            raise TableError(f"A die shows a face from 1 to 6, not {shown(self.face)}.")
        if self.owner is not None and self.owner not in OWNERS:
            raise TableError(f"An owner is one of {OWNERS}, not {shown(self.owner)}.")
        if self.key is None and (self.absent or None in (self.face, self.owner, self.place)):
            raise TableError(
                "A die that the camera does not see needs a face, an owner and a place."
            )
        if not self.absent and (self.face, self.owner, self.place) == (None,) * 3:
            raise TableError(
                "A correction says a face, an owner, a place, or that no die is there."
            )

    def to_json(self) -> dict[str, Any]:
        data = {name: getattr(self, name) for name in self.__slots__ if name != "number"}
        for name in ("place", "seen_place"):
            data[name] = None if data[name] is None else place_to_json(data[name])
        data["xy_mm"] = None if self.xy_mm is None else list(self.xy_mm)
        return data

    @classmethod
    def from_json(cls, data: object) -> DiePin:
        """Read `to_json` back. Raises TableError."""
        if not isinstance(data, Mapping):
            raise TableError(f"A correction is given as a mapping, not {shown(data)}.")
        try:
            fields = {name: data[name] for name in cls.__slots__ if name != "number"}
            for name in ("place", "seen_place"):
                fields[name] = None if fields[name] is None else place_from_json(fields[name])
            if fields["xy_mm"] is not None:
                x, y = fields["xy_mm"]
                fields["xy_mm"] = (float(x), float(y))
            return cls(**fields)
        except (KeyError, TypeError) as error:
            raise TableError(f"A correction has a faulty field ({error}).") from None


@dataclass(frozen=True, slots=True)
class Pinned:
    """A view with the corrections in it.

    view: what is believed now. holding: the pins that found their die, by its key. lapsed: numbers
    of the pins whose spot shows another die now. missing: numbers of those whose die is not seen.
    """

    view: TableView
    holding: tuple[tuple[DiePin, int], ...]
    lapsed: tuple[int, ...]
    missing: tuple[int, ...]


def pinned(view: TableView, pins: Iterable[DiePin], run: int) -> Pinned:
    """Put the corrections into a view of this run of the camera; later ones win."""
    dice = {die.key: die for die in view.dice}
    added: list[SeenDie] = []
    holding: list[tuple[DiePin, int]] = []
    lapsed: list[int] = []
    missing: list[int] = []
    for pin in pins:
        if pin.key is None:
            if any(_takes_the_spot(pin, die) for die in view.dice):
                lapsed.append(pin.number)  # the camera sees it now
            else:
                added.append(_unseen(pin))
            continue
        die = _die_of(pin, view, run)
        if die is not None:
            holding.append((pin, die.key))
            if pin.absent:
                dice.pop(die.key, None)
            elif die.key in dice:
                dice[die.key] = _corrected(dice[die.key], pin)
        elif any(_takes_the_spot(pin, other) for other in view.dice):
            lapsed.append(pin.number)
        elif pin.seen_place not in view.hidden:
            missing.append(pin.number)
    believed = replace(view, dice=(*dice.values(), *added))
    return Pinned(believed, tuple(holding), tuple(lapsed), tuple(missing))


def _die_of(pin: DiePin, view: TableView, run: int) -> SeenDie | None:
    if pin.run == run:
        for die in view.dice:
            if die.key == pin.key:
                return die
    for die in view.dice:
        looks = (die.face, die.owner) == (pin.seen_face, pin.seen_owner)
        if looks and _is_at(pin, die, SAME_SPOT_MM):
            return die
    return None


def _is_at(pin: DiePin, die: SeenDie, within_mm: float) -> bool:
    if pin.xy_mm is not None and die.xy_mm is not None:
        (x, y), (u, v) = pin.xy_mm, die.xy_mm
        return (x - u) ** 2 + (y - v) ** 2 <= within_mm**2
    return isinstance(die.place, LawnPlace) and die.place == pin.seen_place


def _takes_the_spot(pin: DiePin, die: SeenDie) -> bool:
    if pin.key is None:
        return isinstance(pin.place, LawnPlace) and die.place == pin.place
    return _is_at(pin, die, OTHER_DIE_MM)


def _corrected(die: SeenDie, pin: DiePin) -> SeenDie:
    rest = 1.0 - SURE
    changes: dict[str, Any] = {"found_p": max(die.found_p, SURE)}
    if pin.face is not None:
        changes["face_p"] = tuple(SURE if face == pin.face else rest / 5 for face in FACES)
    if pin.owner is not None:
        changes["owner_p"] = tuple(SURE if owner == pin.owner else rest / 3 for owner in OWNERS)
    if pin.place is not None:
        changes["place_p"] = ((pin.place, 1.0),)
    return replace(die, **changes)


def _unseen(pin: DiePin) -> SeenDie:
    assert pin.place is not None
    blank = SeenDie(-pin.number, (1 / 6,) * 6, (0.25,) * 4, ((pin.place, 1.0),))
    return _corrected(blank, pin)
