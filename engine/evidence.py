"""What is known of each seen die: the camera's beliefs fused over the views in which it lay untouched.

A view's own beliefs are fused over its frames already, so a belief that comes again is no new
evidence; different readings of one die are, up to three. How far a sharp belief is trusted (the
floor that a misread die needs) grows with the number of views that say the same.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache

from engine.table import OWNERS, CameraState, LawnPlace, Place, SeenDie, TableView

MOST_READINGS = 3
"""The average of several readings of a die weighs as much as so many, at most."""

FLOOR = 2e-3
"""Chance that a sharp belief is wrong altogether, after one view of a die."""

_AGAIN = 0.3  # of that, when the same belief is seen again, three times at most
AGREES = 0.1  # when another reading says the same

LEAST_FLOOR = 1e-5
SPURIOUS_FLOOR = 2e-4
_SAME = 0.05  # a belief whose doubt differs by a smaller share is the reading of the view before
_CLIP = 1e-6  # so that no single view outvotes several
_FORGET_VIEWS = 8  # a die not seen for so many views is forgotten
_SAME_SPOT_MM = 0.5
"""A newly found die so near to where one lay that looked alike is that one, passed over by a hand:
above the jitter of a found mat, far below what a hand that takes a die leaves."""
NEAR_MM = 1.5
"""The same, where it shows the same face: in reviews of 13 made recordings 98 % of 2,729 untouched dice
that had lost their key were found again within that, and 4 % of 1,316 dice that were moved."""
_MAY_BE = 0.3  # so likely at least it shows the face that the other one showed
_ANOTHER = 0.01  # even so it is another die, which was put there


@dataclass(frozen=True, slots=True)
class Pin:
    """A person's correction of one die: it overrides the camera while the die lies untouched.

    key: the die (SeenDie.key). face, owner, place: what it is; None leaves the camera's belief.
    absent: there is no die at all.
    """

    key: int
    face: int | None = None
    owner: int | None = None
    place: Place | None = None
    absent: bool = False


@dataclass(frozen=True, slots=True)
class Memory:
    """What the views of one die say together.

    views: their number. readings: how many different readings were among them; a belief that comes
    again is the same mistake or the same truth, and counts once. faces, owners: sums of logs over the
    readings. last: the newest one. seen_at: number of the last view. ident: the key that the die had
    at first. xy_mm: where it lies. anew: the same without what was seen before it was last
    taken for a die that lay there; None where it has kept its key. lay: what was believed of that
    die's face.
    """

    views: int
    readings: int
    faces: tuple[float, ...]
    owners: tuple[float, ...]
    last: tuple[float, ...]
    seen_at: int
    ident: int
    xy_mm: tuple[float, float] | None
    anew: Memory | None = None
    lay: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Die:
    """A seen die as the stories weigh it.

    face, owner: likelihoods of the faces 1..6 and of OWNERS, none of them zero.
    places: the view's place beliefs.
    spurious: chance that it is no die of the game.
    ident: the key of the die that has lain just there and looked alike; its own if there was none.
    xy_mm: where it lies, or None.
    known: its (owner, face) where it lies untouched since the referee knew that, though it is read
        otherwise.
    """

    key: int
    face: tuple[float, ...]
    owner: tuple[float, ...]
    places: tuple[tuple[Place, float], ...]
    spurious: float
    pinned: bool = False
    ident: int = -1
    xy_mm: tuple[float, float] | None = None
    known: tuple[int, int] | None = None

    @property
    def read(self) -> tuple[int, int]:
        """The likeliest (owner, face) as it is seen, whatever is known of it."""
        owner = max(range(len(OWNERS)), key=self.owner.__getitem__)
        return OWNERS[owner], 1 + max(range(6), key=self.face.__getitem__)

    @property
    def likeliest_face(self) -> int:
        """1 to 6; what is known of it counts more than how it is read."""
        return self.known[1] if self.known else 1 + max(range(6), key=self.face.__getitem__)

    @property
    def likeliest_owner(self) -> int:
        """One of OWNERS."""
        if self.known:
            return self.known[0]
        return OWNERS[max(range(len(OWNERS)), key=self.owner.__getitem__)]

    @property
    def place(self) -> Place:
        """The likeliest place."""
        return self.places[0][0]


@dataclass(frozen=True, slots=True)
class Evidence:
    """The memory of all dice, and the pins; `seen` takes in one more view.

    count: views so far. clear: number of the last one in which nothing was hidden; a die that it did
    not show had been taken away, so that what lies in its place since is another one.
    """

    count: int = 0
    dice: tuple[tuple[int, Memory], ...] = ()
    pins: tuple[Pin, ...] = ()
    clear: int = 0

    def pinned(self, pins: tuple[Pin, ...]) -> Evidence:
        """With these pins, newer ones of a die in the place of older ones."""
        kept = {pin.key: pin for pin in (*self.pins, *pins)}
        return replace(self, pins=tuple(kept.values()))

    def seen(self, view: TableView) -> tuple[Evidence, tuple[Die, ...]]:
        """The memory with the view, and its dice weighed."""
        memory = dict(self.dice)
        count = self.count + 1
        by_key = {pin.key: pin for pin in self.pins}
        now = {die.key for die in view.dice}
        gone = [
            (key, known)
            for key, known in memory.items()
            if key not in now and known.seen_at >= self.clear
        ]
        for die in view.dice:
            known = memory.get(die.key)
            anew = known.anew if known else None
            lay = known.lay if known else ()
            passed = False
            if known is None:
                old = _lay_there(die, gone, view.camera)
                if old is not None:
                    known, passed = memory[old], True
                    lay = _fused(known.faces, known)
                    if old in by_key:
                        by_key.setdefault(die.key, replace(by_key[old], key=die.key))
            if anew is not None or passed:
                anew = _added(anew, die, count)
            memory[die.key] = replace(_added(known, die, count), anew=anew, lay=lay)
        kept = {k: m for k, m in memory.items() if m.seen_at > count - _FORGET_VIEWS}
        dice = tuple(
            weighed
            for die in view.dice
            if (weighed := _weighed(die, kept[die.key], by_key.get(die.key))) is not None
        )
        clear = self.clear if view.hidden else count
        return Evidence(count, tuple(kept.items()), tuple(by_key.values()), clear), dice


def _lay_there(die: SeenDie, gone: list[tuple[int, Memory]], camera: CameraState) -> int | None:
    """The key of a die that is not seen any more but lay just there and looked alike."""
    if die.xy_mm is None:
        return None
    x, y = die.xy_mm
    for key, known in reversed(gone):
        if known.xy_mm is None:
            continue
        u, v = known.xy_mm
        off = max(abs(x - u), abs(y - v))
        faces, owners = known.last[:6], known.last[6:]
        face = _first(faces)
        # When it was the camera that moved, and nobody's hand, a die that reads otherwise is the same.
        alike = off <= NEAR_MM and (face == _first(die.face_p) or camera == "re-found")
        alike = alike or (off <= _SAME_SPOT_MM and die.face_p[face] >= _MAY_BE)
        if alike and _first(owners) == _first(die.owner_p):
            return key
    return None


def _first(beliefs: tuple[float, ...]) -> int:
    return max(range(len(beliefs)), key=beliefs.__getitem__)


def turned(dice: tuple[Die, ...]) -> tuple[Die, ...]:
    """The dice with the Lawn turned by 180 degrees; places off the Lawn stay."""
    return tuple(
        replace(die, places=tuple((turned_place(place), p) for place, p in die.places))
        for die in dice
    )


def turned_place(place: Place) -> Place:
    """Where a place comes to lie when the Lawn is turned by 180 degrees."""
    if not isinstance(place, LawnPlace):
        return place
    if place.side == "left":
        return LawnPlace(7 - place.row, "right")
    return LawnPlace(7 - place.row, "left" if place.side == "right" else "center")


def _added(memory: Memory | None, die: SeenDie, count: int) -> Memory:
    if (
        memory is not None
        and _same_reading(memory.last[:6], die.face_p)
        and _same_reading(memory.last[6:], die.owner_p)
    ):
        return replace(memory, views=memory.views + 1, seen_at=count, xy_mm=die.xy_mm)
    faces = tuple(math.log(max(p, _CLIP)) for p in die.face_p)
    owners = tuple(math.log(max(p, _CLIP)) for p in die.owner_p)
    last = (*die.face_p, *die.owner_p)
    if memory is None:
        return Memory(1, 1, faces, owners, last, count, die.key, die.xy_mm)
    return Memory(
        memory.views + 1,
        memory.readings + 1,
        tuple(a + b for a, b in zip(memory.faces, faces, strict=True)),
        tuple(a + b for a, b in zip(memory.owners, owners, strict=True)),
        last,
        count,
        memory.ident,
        die.xy_mm,
    )


def _same_reading(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    at = _first(one)
    if at != _first(other):
        return False
    return abs(math.log(max(1 - one[at], _CLIP) / max(1 - other[at], _CLIP))) < _SAME


def _weighed(die: SeenDie, memory: Memory, pin: Pin | None) -> Die | None:
    if pin is not None and pin.absent:
        return None
    face, owner = _fused(memory.faces, memory), _fused(memory.owners, memory)
    if memory.anew is not None:
        anew = _fused(memory.anew.faces, memory.anew)
        another = _another(memory.lay, anew)
        face = _mixed(face, anew, another)
        owner = _mixed(owner, _fused(memory.anew.owners, memory.anew), another)
    places = die.place_p
    spurious = 1 - die.found_p + max(0.0, 1 - sum(die.owner_p)) + SPURIOUS_FLOOR
    if pin is not None:
        spurious = 1e-9
        if pin.face is not None:
            face = tuple(1.0 if f == pin.face else 1e-9 for f in range(1, 7))
        if pin.owner is not None:
            owner = tuple(1.0 if o == pin.owner else 1e-9 for o in OWNERS)
        if pin.place is not None:
            places = ((pin.place, 1.0),)
    return Die(
        die.key,
        face,
        owner,
        places,
        min(spurious, 1.0),
        pin is not None,
        memory.ident,
        die.xy_mm,
    )


def _another(lay: tuple[float, ...], anew: tuple[float, ...]) -> float:
    """How likely a die that was taken for one that lay there is another, which was put there. What is read
    since tells: another one has only happened to be read as that one was, and need not be so again."""
    alike = sum(a * b for a, b in zip(lay, anew, strict=True))
    return _ANOTHER / (_ANOTHER + (1 - _ANOTHER) * alike)


def _mixed(same: tuple[float, ...], another: tuple[float, ...], share: float) -> tuple[float, ...]:
    return tuple((1 - share) * a + share * b for a, b in zip(same, another, strict=True))


def _fused(logs: tuple[float, ...], memory: Memory) -> tuple[float, ...]:
    return _beliefs(logs, memory.readings, min(memory.views - memory.readings, 3))


@lru_cache(maxsize=1024)
def _beliefs(logs: tuple[float, ...], readings: int, again: int) -> tuple[float, ...]:
    """Of so many different readings, the last of which came again so often."""
    weight = min(readings, MOST_READINGS) / readings
    best = max(logs)
    raw = [math.exp(weight * (each - best)) for each in logs]
    total = sum(raw)
    floor = max(FLOOR * _AGAIN**again * AGREES ** (readings - 1), LEAST_FLOOR)
    share = floor / len(raw)
    return tuple((1 - floor) * each / total + share for each in raw)
