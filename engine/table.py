"""What the camera believes about the table at one settled moment: records only, no pixels.

Owners are those of `engine.lawn`: the seats 0, 1, 2 and NEUTRAL (3). Vision makes a TableView, the
referee explains it, the journal keeps it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, get_args

from engine.actions import SIDES, Side
from engine.dice import FACES, Face
from engine.errors import TableError, shown
from engine.lawn import NEUTRAL, Owner

AreaKind: TypeAlias = Literal["row", "captured", "elsewhere"]
Flag: TypeAlias = Literal["cocked", "stacked", "cut-off", "occluded", "too-small"]
CameraState: TypeAlias = Literal["steady", "re-found"]

AREAS: tuple[AreaKind, ...] = get_args(AreaKind)
FLAGS: tuple[Flag, ...] = get_args(Flag)
CAMERA_STATES: tuple[CameraState, ...] = get_args(CameraState)

OWNERS: tuple[Owner, ...] = (0, 1, 2, NEUTRAL)
"""The order of `SeenDie.owner_p`."""


@dataclass(frozen=True, slots=True, order=True)
class LawnPlace:
    """A place on the Lawn: its row 1..6 and its side (1:2.B)."""

    row: int
    side: Side

    def __str__(self) -> str:
        return f"{self.row} {self.side}"


@dataclass(frozen=True, slots=True)
class Area:
    """A part of the table off the Lawn.

    kind: a Player Row's place, the place of captured dice, or anywhere else.
    seat: whose it is, or None where that is not known or makes no sense.
    """

    kind: AreaKind
    seat: int | None = None

    def __str__(self) -> str:
        return self.kind if self.seat is None else f"{self.kind} of seat {self.seat + 1}"


Place: TypeAlias = LawnPlace | Area

ELSEWHERE = Area("elsewhere")


@dataclass(frozen=True, slots=True)
class SeenDie:
    """One die as it is believed to lie.

    Attributes:
        key: the same number as in the view before exactly when nothing has touched the die since;
            a die that was moved, covered by a moving hand or newly found has a new one.
        face_p: probabilities of the faces 1..6, summing to 1.
        owner_p: probabilities of OWNERS; they sum to 1 at most, the rest is "of no one's set".
        place_p: (place, probability), likeliest first, summing to 1.
        xy_mm: centre of its footprint on the mat plane, or None without a mat. x runs from the left
            to the right flank, y from row 1 to row 6; the origin is the outer corner of row 1's
            left place.
        box: x0, y0, x1, y1 px in the picture of this view.
        found_p: probability that there is a die at all.
        flags: what makes its reading doubtful.
    """

    key: int
    face_p: tuple[float, ...]
    owner_p: tuple[float, ...]
    place_p: tuple[tuple[Place, float], ...]
    xy_mm: tuple[float, float] | None = None
    box: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    found_p: float = 1.0
    flags: frozenset[Flag] = frozenset()

    @property
    def face(self) -> Face:
        """The likeliest face."""
        return FACES[max(range(6), key=self.face_p.__getitem__)]

    @property
    def owner(self) -> Owner:
        """The likeliest owner."""
        return OWNERS[max(range(len(OWNERS)), key=self.owner_p.__getitem__)]

    @property
    def place(self) -> Place:
        """The likeliest place."""
        return self.place_p[0][0]

    def to_json(self) -> dict[str, Any]:
        """A dict of plain JSON types; `die_from_json` reads it back."""
        return {
            "key": self.key,
            "face_p": list(self.face_p),
            "owner_p": list(self.owner_p),
            "place_p": [[place_to_json(place), p] for place, p in self.place_p],
            "xy_mm": None if self.xy_mm is None else list(self.xy_mm),
            "box": list(self.box),
            "found_p": self.found_p,
            "flags": sorted(self.flags),
        }


@dataclass(frozen=True, slots=True)
class TableView:
    """The table at one settled moment, fused over the still frames since it settled.

    Attributes:
        time_s: time of the newest frame in it, seconds by the source's clock.
        dice: every die that is seen.
        hidden: the places that something covers (a hand, a head, a cup): what lies there is not
            known. `ELSEWHERE` means that table outside the printed places is covered.
        still_since_s: when the table last came to rest, by the same clock.
        frames: how many still frames are fused.
        camera: "re-found" when the camera was bumped since the view before and found the mat again.
    """

    time_s: float
    dice: tuple[SeenDie, ...]
    hidden: frozenset[Place] = frozenset()
    still_since_s: float = 0.0
    frames: int = 1
    camera: CameraState = field(default="steady")

    @property
    def still_s(self) -> float:
        """How long the table has been at rest, s."""
        return self.time_s - self.still_since_s

    def on_lawn(self) -> dict[LawnPlace, tuple[SeenDie, ...]]:
        """The dice whose likeliest place is on the Lawn, by place."""
        lying: dict[LawnPlace, tuple[SeenDie, ...]] = {}
        for die in self.dice:
            if isinstance(die.place, LawnPlace):
                lying[die.place] = (*lying.get(die.place, ()), die)
        return lying

    def to_json(self) -> dict[str, Any]:
        """A dict of plain JSON types; `view_from_json` reads it back."""
        return {
            "time_s": self.time_s,
            "still_since_s": self.still_since_s,
            "frames": self.frames,
            "camera": self.camera,
            "hidden": [place_to_json(place) for place in sorted(self.hidden, key=str)],
            "dice": [die.to_json() for die in self.dice],
        }


def place_to_json(place: Place) -> dict[str, Any]:
    """{"row": 1-6, "side": ...} on the Lawn, {"area": ..., "seat": 0-2 or null} off it."""
    if isinstance(place, LawnPlace):
        return {"row": place.row, "side": place.side}
    return {"area": place.kind, "seat": place.seat}


def place_from_json(data: object) -> Place:
    """Read `place_to_json` back. Raises TableError."""
    fields = _mapping(data, "a place")
    if "row" in fields:
        row, side = fields["row"], fields.get("side")
        if row not in FACES or isinstance(row, bool) or side not in SIDES:
            raise TableError(f"A place on the Lawn has a row 1 to 6 and a side, not {shown(data)}.")
        return LawnPlace(row, side)
    kind, seat = fields.get("area"), fields.get("seat")
    if kind not in AREAS or isinstance(seat, bool) or seat not in (None, 0, 1, 2):
        raise TableError(f"An area is one of {', '.join(AREAS)}, with a seat, not {shown(data)}.")
    return Area(kind, seat)


def die_from_json(data: object) -> SeenDie:
    """Read `SeenDie.to_json` back. Raises TableError."""
    fields = _mapping(data, "a die")
    places = fields.get("place_p")
    if not isinstance(places, list) or not places:
        raise TableError(f"A die needs a list of places in place_p, not {shown(places)}.")
    placed = []
    for pair in places:
        if not isinstance(pair, list) or len(pair) != 2:
            raise TableError(f"An entry of place_p is a place and its chance, not {shown(pair)}.")
        placed.append((place_from_json(pair[0]), _number(pair[1], "a chance in place_p")))
    key, flags, xy_mm = fields.get("key"), fields.get("flags", []), fields.get("xy_mm")
    if not isinstance(key, int) or isinstance(key, bool):
        raise TableError(f"A die's key is a whole number, not {shown(key)}.")
    if not isinstance(flags, list) or any(flag not in FLAGS for flag in flags):
        raise TableError(f"A die's flags are among {', '.join(FLAGS)}, not {shown(flags)}.")
    centre = None if xy_mm is None else _numbers(xy_mm, 2, "xy_mm")
    box = _numbers(fields.get("box"), 4, "box")
    return SeenDie(
        key=key,
        face_p=_numbers(fields.get("face_p"), 6, "face_p"),
        owner_p=_numbers(fields.get("owner_p"), len(OWNERS), "owner_p"),
        place_p=tuple(placed),
        xy_mm=None if centre is None else (centre[0], centre[1]),
        box=(box[0], box[1], box[2], box[3]),
        found_p=_number(fields.get("found_p"), "found_p"),
        flags=frozenset(flags),
    )


def view_from_json(data: object) -> TableView:
    """Read `TableView.to_json` back. Raises TableError."""
    fields = _mapping(data, "a view of the table")
    dice, hidden = fields.get("dice"), fields.get("hidden", [])
    frames, camera = fields.get("frames", 1), fields.get("camera", "steady")
    if not isinstance(dice, list) or not isinstance(hidden, list):
        raise TableError("A view of the table has the lists dice and hidden.")
    if not isinstance(frames, int) or isinstance(frames, bool) or frames < 1:
        raise TableError(f"A view's frames are a whole number from 1 up, not {shown(frames)}.")
    if camera not in CAMERA_STATES:
        raise TableError(f"A view's camera is steady or re-found, not {shown(camera)}.")
    return TableView(
        time_s=_number(fields.get("time_s"), "time_s"),
        dice=tuple(die_from_json(die) for die in dice),
        hidden=frozenset(place_from_json(place) for place in hidden),
        still_since_s=_number(fields.get("still_since_s"), "still_since_s"),
        frames=frames,
        camera=camera,
    )


def _mapping(data: object, what: str) -> Mapping[str, Any]:
    if not isinstance(data, Mapping):
        raise TableError(f"The form of {what} is a mapping, not {shown(data)}.")
    return data


def _number(value: object, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise TableError(f"{name} is a number, not {shown(value)}.")
    return float(value)


def _numbers(values: object, count: int, name: str) -> tuple[float, ...]:
    if not isinstance(values, list) or len(values) != count:
        raise TableError(f"{name} is a list of {count} numbers, not {shown(values)}.")
    return tuple(_number(value, name) for value in values)
