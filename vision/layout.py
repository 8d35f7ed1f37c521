"""Where everything lies on the mat, in millimetres: the Lawn, its markers, Player Rows, captured dice.

The mat's frame: the origin is the outer corner of row 1's left place, x runs from the left to the
right flank, y from row 1 to row 6, z from the mat towards the camera. So the Lawn is
0..3 cells by 0..6 cells, and what is printed above row 1 has a negative y.

A printed mat says with its markers which mat it is: paper and dice size follow from their numbers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeAlias, get_args

from engine.actions import SIDES
from engine.table import ELSEWHERE, Area, LawnPlace, Place

Paper: TypeAlias = Literal["A4", "Letter", "A3", "tiles"]
Point: TypeAlias = tuple[float, float]

PAPERS: tuple[Paper, ...] = get_args(Paper)
SHEETS_MM: dict[str, Point] = {"A4": (210.0, 297.0), "Letter": (215.9, 279.4), "A3": (297.0, 420.0)}
"""Width and height, upright (ISO 216, ANSI/ASME Y14.1). `tiles` is the A3 mat on several sheets."""
DICE_MM = (12, 25)
"""Least and largest edge of dice that mats are made for, mm."""
MARGIN_MM = 6.0
"""Nothing is printed nearer to the sheet's edge: home printers leave 3 to 6 mm white."""
DICE_A_ROW = 8  # rule 1:1.A
MOST_CAPTURED = 6  # rule 1:2.C: there are six neutral dice
ROWS, PLACES = 6, 3  # rule 1:2.A, B

_SIZES = DICE_MM[1] - DICE_MM[0] + 1
_CORNERS = 4
ASSUMED_CELL_MM = (30.0, 26.0)
"""Place size taken for a lawn that nobody has measured, mm."""
ASSUMED_DICE_MM = 16.0
"""The usual edge of a die, mm."""


class LayoutError(ValueError):
    """No such mat can be made; the message is one sentence that says which would."""


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle along the mat's axes, mm."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def width(self) -> float:
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        return self.y1 - self.y0

    @property
    def centre(self) -> Point:
        return (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2

    @property
    def corners(self) -> tuple[Point, Point, Point, Point]:
        """Clockwise from the corner of least x and y, as seen with row 1 at the top."""
        return (self.x0, self.y0), (self.x1, self.y0), (self.x1, self.y1), (self.x0, self.y1)

    def grown(self, dx: float, dy: float) -> Rect:
        """Wider by dx at both sides and higher by dy at both ends."""
        return Rect(self.x0 - dx, self.y0 - dy, self.x1 + dx, self.y1 + dy)

    def clearance(self, point: Point) -> float:
        """How far inside the rectangle a point lies, mm: to the nearest edge, negative outside."""
        dx = max(self.x0 - point[0], point[0] - self.x1)
        dy = max(self.y0 - point[1], point[1] - self.y1)
        return -math.hypot(dx, dy) if dx > 0 and dy > 0 else -max(dx, dy)

    def split(self, columns: int, rows: int) -> tuple[Rect, ...]:
        """Equal parts, row by row."""
        w, h = self.width / columns, self.height / rows
        return tuple(
            Rect(self.x0 + c * w, self.y0 + r * h, self.x0 + (c + 1) * w, self.y0 + (r + 1) * h)
            for r in range(rows)
            for c in range(columns)
        )


@dataclass(frozen=True, slots=True)
class MatArea:
    """A printed place off the Lawn.

    spots: one for each die, in no binding order; up: from which side of the mat its owner looks at
    it ("bottom": row 6 is nearest to the owner, "top": row 1, "right": the right flanks).
    """

    rect: Rect
    area: Area
    spots: tuple[Rect, ...]
    up: Literal["bottom", "top", "right"]


@dataclass(frozen=True)
class MatLayout:
    """A mat: sizes and places in its own frame, mm.

    Attributes:
        name: for people ("A4 mat for 16 mm dice"); the same name is the same layout.
        dice_mm: edge of the dice it is made for.
        cell_mm: width and height of a place of the Lawn.
        markers: ArUco number -> the black square's corners, clockwise from the marker's own top left.
        areas: Player Rows and places of captured dice; none on a mat that is only a lawn.
        extent: the sheet, or the Lawn alone where the sheet is not known.
    """

    name: str
    dice_mm: float
    cell_mm: Point
    markers: dict[int, tuple[Point, Point, Point, Point]]
    areas: tuple[MatArea, ...]
    extent: Rect

    @property
    def lawn(self) -> Rect:
        """The Lawn's outline."""
        return Rect(0.0, 0.0, PLACES * self.cell_mm[0], ROWS * self.cell_mm[1])

    @property
    def corners(self) -> tuple[Point, Point, Point, Point]:
        """The Lawn's outer corners: row 1 left, row 1 right, row 6 right, row 6 left."""
        return self.lawn.corners

    def cell(self, place: LawnPlace) -> Rect:
        """The rectangle of a place on the Lawn."""
        w, h = self.cell_mm
        column, row = SIDES.index(place.side), place.row - 1
        return Rect(column * w, row * h, (column + 1) * w, (row + 1) * h)

    def place_of(self, xy_mm: Point) -> tuple[Place, float]:
        """Where a point lies, and how far (mm) from the nearest spot where it would lie elsewhere."""
        inside = self.lawn.clearance(xy_mm)
        if inside >= 0:
            w, h = self.cell_mm
            column = min(int(xy_mm[0] / w), PLACES - 1)
            row = min(int(xy_mm[1] / h), ROWS - 1)
            place = LawnPlace(row + 1, SIDES[column])
            return place, max(self.cell(place).clearance(xy_mm), 0.0)
        depths = [(area.rect.clearance(xy_mm), area.area) for area in self.areas]
        best = max(depths, key=lambda pair: pair[0], default=(-math.inf, ELSEWHERE))
        if best[0] >= 0:
            return best[1], best[0]
        return ELSEWHERE, -max(inside, best[0])


def lawn_places() -> tuple[LawnPlace, ...]:
    """The eighteen places, row by row from the left (1:2.A)."""
    return tuple(LawnPlace(row, side) for row in range(1, ROWS + 1) for side in SIDES)


def lawn_only(cell_mm: Point = ASSUMED_CELL_MM, dice_mm: float = ASSUMED_DICE_MM) -> MatLayout:
    """Any other mat: six rows of three places and nothing else that is known.

    cell_mm: size of a place, known or assumed; dice_mm: edge of the dice.
    """
    w, h = cell_mm
    lawn = Rect(0.0, 0.0, PLACES * w, ROWS * h)
    return MatLayout(f"lawn of {w:g} x {h:g} mm places", dice_mm, (w, h), {}, (), lawn)


@cache
def printed(paper: str = "A4", dice_mm: int = 16) -> MatLayout:
    """The mat that `lawn mat` prints on that paper for dice of that edge (whole mm).

    Raises LayoutError when there is no such paper or it is too small for such dice.
    """
    if paper not in PAPERS:
        raise LayoutError(f"There is no mat for the paper {paper}; take {', '.join(PAPERS)}.")
    if not DICE_MM[0] <= dice_mm <= DICE_MM[1]:
        raise LayoutError(
            f"Mats are made for dice of {DICE_MM[0]} to {DICE_MM[1]} mm, not {dice_mm} mm."
        )
    layout = _fitted(paper, dice_mm)
    if layout is None:
        fitting = [name for name in PAPERS if _fitted(name, dice_mm)]
        raise LayoutError(
            f"A mat for dice of {dice_mm} mm does not fit on {paper}; take {' or '.join(fitting)}."
        )
    return layout


@cache
def layouts_of_papers() -> tuple[tuple[MatLayout, ...], ...]:
    """Every mat that can be printed, by paper, each from the smallest dice to the largest."""
    sizes = range(DICE_MM[0], DICE_MM[1] + 1)
    fitted = ([_fitted(paper, dice) for dice in sizes] for paper in SHEETS_MM)
    return tuple(tuple(mat for mat in mats if mat is not None) for mats in fitted)


def layout_of_marker(number: int) -> MatLayout | None:
    """The mat on which a marker of that number is printed, None if there is none."""
    if number not in MARKER_NUMBERS:
        return None
    paper, dice = divmod(MARKER_NUMBERS.index(number) // _CORNERS, _SIZES)
    return _fitted(tuple(SHEETS_MM)[paper], DICE_MM[0] + dice)


_PLAIN = frozenset((17, 37, 62, 85, 105, 106, 110, 118, 145, 190))
"""Numbers of DICT_4X4_250 whose picture is a single blob or nearly one colour: easily mistaken."""
MARKER_NUMBERS = tuple(number for number in range(250) if number not in _PLAIN)[
    : len(SHEETS_MM) * _SIZES * _CORNERS
]
"""The ArUco numbers (DICT_4X4_250) that mats use: four for each paper and dice size."""


@cache
def _fitted(paper: str, dice: int) -> MatLayout | None:
    """As `printed`, None when it does not fit.

    Every size lies between the least that is playable and the best that is worth its room; the
    share of the way that the sheet allows is the same for all sizes along an axis.
    """
    paper = "A3" if paper == "tiles" else paper
    wide, high = SHEETS_MM[paper]
    room = high - 2 * MARGIN_MM
    # (least, best): marker, Player Row, place of the Lawn, gap at a marker, gap at the Lawn
    row, cell = (dice + 4.0, dice + 12.0), (dice + 8.0, dice + 16.0)
    sizes = ((24.0, 38.0), row, cell, (3.0, 5.0), (7.0, 11.0))
    counts = (2, 2, ROWS, 2, 2)
    least = sum(n * size[0] for n, size in zip(counts, sizes, strict=True))
    best = sum(n * size[1] for n, size in zip(counts, sizes, strict=True))
    share = min((room - least) / (best - least), 1.0)
    if share < 0:
        return None
    marker, row_h, cell_h, gap, lawn_gap = (
        math.floor(2 * (low + share * (top - low))) / 2 for low, top in sizes
    )
    spot = dice + 2.0
    tray = 2 * spot
    numbers = 9.0
    cell_w = math.floor(4 / 3 * (wide / 2 - MARGIN_MM - tray - numbers)) / 2
    cell_w = min(cell_w, math.floor(2.34 * cell_h) / 2)
    if cell_w < dice + 9 or DICE_A_ROW * spot > wide - 2 * MARGIN_MM:
        return None
    slack = (room - 2 * (marker + row_h + gap + lawn_gap) - ROWS * cell_h) / 2
    lawn_gap += min(slack, 4.0)
    origin = (wide / 2 - PLACES * cell_w / 2, high / 2 - ROWS * cell_h / 2)
    lawn = Rect(0.0, 0.0, PLACES * cell_w, ROWS * cell_h)
    sheet = Rect(-origin[0], -origin[1], wide - origin[0], high - origin[1])
    return MatLayout(
        name=f"{paper} mat for {dice} mm dice",
        dice_mm=float(dice),
        cell_mm=(cell_w, cell_h),
        markers=_markers(paper, dice, sheet, marker),
        areas=_areas(lawn, sheet, spot, row_h, lawn_gap, numbers),
        extent=sheet,
    )


def _markers(
    paper: str, dice: int, sheet: Rect, side: float
) -> dict[int, tuple[Point, Point, Point, Point]]:
    """One in each corner of the sheet, upright, numbered clockwise from the corner at row 1 left."""
    first = _CORNERS * (tuple(SHEETS_MM).index(paper) * _SIZES + dice - DICE_MM[0])
    left, top = sheet.x0 + MARGIN_MM, sheet.y0 + MARGIN_MM
    right, bottom = sheet.x1 - MARGIN_MM - side, sheet.y1 - MARGIN_MM - side
    spots = ((left, top), (right, top), (right, bottom), (left, bottom))
    return {
        MARKER_NUMBERS[first + corner]: Rect(x, y, x + side, y + side).corners
        for corner, (x, y) in enumerate(spots)
    }


def _areas(
    lawn: Rect, sheet: Rect, spot: float, row_h: float, lawn_gap: float, numbers: float
) -> tuple[MatArea, ...]:
    """Player Rows at the bottom, the top and the right, captured dice of seats 1 and 2 at the left."""
    middle_x, middle_y = lawn.centre
    half = DICE_A_ROW * spot / 2
    x0, x1 = middle_x - half, middle_x + half
    ends = 2.0  # the panel reaches a little beyond the outer dice
    bottom = Rect(x0, lawn.y1 + lawn_gap, x1, lawn.y1 + lawn_gap + row_h)
    top = Rect(x0, lawn.y0 - lawn_gap - row_h, x1, lawn.y0 - lawn_gap)
    free = sheet.x1 - MARGIN_MM - lawn.x1
    side_x = lawn.x1 + (free - row_h) / 2
    side = Rect(side_x, middle_y - half, side_x + row_h, middle_y + half)
    areas = [
        MatArea(bottom.grown(ends, 0), Area("row", 0), bottom.split(DICE_A_ROW, 1), "bottom"),
        MatArea(top.grown(ends, 0), Area("row", 1), top.split(DICE_A_ROW, 1), "top"),
        MatArea(side.grown(0, ends), Area("row", 2), side.split(1, DICE_A_ROW), "right"),
    ]
    # A player may capture all six (5:3.B): two columns of three.
    tray_x1 = lawn.x0 - numbers
    tray_x0 = max(tray_x1 - 2 * (spot + 1), sheet.x0 + MARGIN_MM)
    tray_h = 3 * (spot + 1)
    lower = Rect(tray_x0, lawn.y1 - tray_h, tray_x1, lawn.y1)
    upper = Rect(tray_x0, lawn.y0, tray_x1, lawn.y0 + tray_h)
    areas += [
        MatArea(lower, Area("captured", 0), lower.split(2, MOST_CAPTURED // 2), "bottom"),
        MatArea(upper, Area("captured", 1), upper.split(2, MOST_CAPTURED // 2), "top"),
    ]
    return tuple(areas)
