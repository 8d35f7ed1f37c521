"""Where things lie on a simulated table: millimetres of the mat's plane, no pictures.

The frame is that of `engine.table.SeenDie.xy_mm`. As on the printed mat, the Player Rows lie below
row 6 (seat 0), above row 1 (seat 1) and right of the right flanks (seat 2), the captured dice left
of the Lawn. `areas=False` is a plain table: the same spots, but nothing tells whose they are.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from math import erf, sqrt
from typing import TypeAlias

from engine.actions import SIDES
from engine.table import ELSEWHERE, Area, LawnPlace, Place

Spot: TypeAlias = tuple[float, float]
"""x, y in mm."""

Box: TypeAlias = tuple[float, float, float, float]
"""x0, y0, x1, y1 in mm."""

SLOTS = 12
"""Spots for dice along a Player Row: more than eight, for people leave gaps."""

_PITCH = 21.0
_DEEP = 34.0  # of a Player Row's area
_GAP = 34.0  # between the Lawn and what lies around it: room for a die that was pushed off
_LEAST = 0.004  # a place less likely than this is left out of a belief


@dataclass(frozen=True, slots=True)
class MockLayout:
    """A table with a Lawn of 6 x 3 cells.

    Attributes:
        cell_w, cell_h: mm of one place of the Lawn.
        areas: whether the Player Rows and the place of captured dice are marked on the table.
        boxes: the marked areas.
    """

    cell_w: float = 30.0
    cell_h: float = 26.0
    areas: bool = True
    boxes: tuple[tuple[Area, Box], ...] = field(init=False)

    def __post_init__(self) -> None:
        marked = [(Area("row", seat), self.row_box(seat)) for seat in range(3)]
        marked += [(Area("captured", seat), self.captured_box(seat)) for seat in range(2)]
        object.__setattr__(self, "boxes", tuple(marked) if self.areas else ())

    @property
    def size(self) -> Spot:
        """Width and height of the Lawn, mm."""
        return 3 * self.cell_w, 6 * self.cell_h

    def cell(self, place: LawnPlace) -> Spot:
        """The middle of a place of the Lawn."""
        return (SIDES.index(place.side) + 0.5) * self.cell_w, (place.row - 0.5) * self.cell_h

    def row_box(self, seat: int) -> Box:
        """Where the dice of a Player Row lie."""
        width, height = self.size
        if seat == 2:
            middle = height / 2
            half = SLOTS * _PITCH / 2
            left = width / 2 + half + 8.0  # clear of the ends of the other rows
            return left, middle - half, left + _DEEP, middle + half
        middle = width / 2
        half = SLOTS * _PITCH / 2
        top = height + _GAP if seat == 0 else -_GAP - _DEEP
        return middle - half, top, middle + half, top + _DEEP

    def slot(self, seat: int, number: int) -> Spot:
        """Spot 0 to SLOTS - 1 of a Player Row, lowest faces first."""
        x0, y0, x1, y1 = self.row_box(seat)
        along = (number + 0.5) * _PITCH
        return ((x0 + x1) / 2, y0 + along) if seat == 2 else (x0 + along, (y0 + y1) / 2)

    def captured_box(self, seat: int) -> Box:
        """Where the dice lie that a seat has captured: left of the Lawn, the lower half for seat 0."""
        height = self.size[1]
        left = -_GAP - 40.0 - 44.0
        top = height / 2 + 2 if seat == 0 else 2.0
        return left, top, left + 40.0, top + height / 2 - 4

    def captured_spot(self, seat: int, number: int) -> Spot:
        """Spot 0 to 5 of the place of captured dice."""
        x0, y0, x1, y1 = self.captured_box(seat)
        return x0 + (x1 - x0) * (0.25 + 0.5 * (number % 2)), y0 + (y1 - y0) * (
            number // 2 + 0.5
        ) / 3

    def beside(self, row: int, side: str, number: int = 0) -> Spot:
        """Where a die lies that was pushed off at that side of a Lawn row."""
        width = self.size[0]
        out = 12.0 + 20.0 * number
        return (-out if side == "left" else width + out), (row - 0.5) * self.cell_h

    def place_at(self, spot: Spot) -> Place:
        """The place in which a die's centre lies."""
        width, height = self.size
        x, y = spot
        if 0 <= x < width and 0 <= y < height:
            return LawnPlace(int(y // self.cell_h) + 1, SIDES[int(x // self.cell_w)])
        for area, (x0, y0, x1, y1) in self.boxes:
            if x0 <= x < x1 and y0 <= y < y1:
                return area
        return ELSEWHERE

    def belief(self, spot: Spot, sigma: float) -> tuple[tuple[Place, float], ...]:
        """`SeenDie.place_p` of a centre that was measured to `sigma` mm in x and in y."""
        return _belief(self, round(spot[0], 1), round(spot[1], 1), sigma)


@lru_cache(maxsize=65536)
def _belief(
    layout: MockLayout, x: float, y: float, sigma: float
) -> tuple[tuple[Place, float], ...]:
    found: list[tuple[Place, float]] = []
    width, height = layout.size
    far = 4 * sigma
    if -far < x < width + far and -far < y < height + far:
        for column, side in enumerate(SIDES):
            across = _between(x, column * layout.cell_w, (column + 1) * layout.cell_w, sigma)
            if across < _LEAST:
                continue
            for row in range(6):
                along = _between(y, row * layout.cell_h, (row + 1) * layout.cell_h, sigma)
                found.append((LawnPlace(row + 1, side), across * along))
    for area, (x0, y0, x1, y1) in layout.boxes:
        found.append((area, _between(x, x0, x1, sigma) * _between(y, y0, y1, sigma)))
    found.append((ELSEWHERE, 1.0 - sum(p for _, p in found)))
    kept = sorted(
        ((place, p) for place, p in found if p >= _LEAST), key=lambda pair: (-pair[1], str(pair[0]))
    )
    total = sum(p for _, p in kept)
    return tuple((place, p / total) for place, p in kept)


def _between(at: float, low: float, high: float, sigma: float) -> float:
    """The chance that what was measured as `at` lies in low..high."""
    return 0.5 * (erf((high - at) / (sigma * sqrt(2))) - erf((low - at) / (sigma * sqrt(2))))
