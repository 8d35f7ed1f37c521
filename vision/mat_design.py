"""How the mat looks: a mown lawn in a white fence, stone paths for the Player Rows, beds for captures.

No round dots and no squares with dots are drawn, since dice are found by their pips.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import cv2
import numpy as np

from vision.layout import PLACES, ROWS, MatArea, MatLayout, Point, Rect
from vision.mat_shapes import CAPITAL, Box, Colour, Font, Line, Polygon, Shape, Text

Style: TypeAlias = Literal["colour", "ink-saving"]
STYLES: tuple[Style, ...] = get_args(Style)

DICTIONARY = cv2.aruco.DICT_4X4_250
MODULES = 6
"""A marker is six modules wide: four of code and a black border."""
PLACE_NAMES = ("Left Flank", "Center", "Right Flank")
RULER_MM = 100.0


@dataclass(frozen=True)
class Palette:
    """The colours of a style; None is not painted."""

    sheet: Colour | None
    mown: tuple[Colour, ...] | None
    """The four greens of the Lawn: by parity of row and place."""
    lines: Colour
    line_mm: float
    edge: Colour
    edge_mm: float
    hedge: Colour | None
    stone: Colour | None
    stone_line: Colour
    bed: Colour | None
    bed_line: Colour
    fence: Colour
    fence_line: Colour
    ink: Colour
    soft_ink: Colour
    numeral: Colour | None


PALETTES: dict[str, Palette] = {
    "colour": Palette(
        sheet="f1f4e8",
        mown=("a5c590", "b2cf9e", "98bb83", "a5c590"),
        lines="f6f9ef",
        line_mm=0.7,
        edge="f6f9ef",
        edge_mm=1.4,
        hedge="4f7a4a",
        stone="e6e1d3",
        stone_line="fbf9f3",
        bed="ddd2c0",
        bed_line="fbf9f3",
        fence="ffffff",
        fence_line="b9c4a8",
        ink="2f4a33",
        soft_ink="6d8268",
        numeral="8fb37b",
    ),
    "ink-saving": Palette(
        sheet=None,
        mown=None,
        lines="333333",
        line_mm=0.5,
        edge="333333",
        edge_mm=0.9,
        hedge=None,
        stone=None,
        stone_line="9a9a9a",
        bed=None,
        bed_line="9a9a9a",
        fence="ffffff",
        fence_line="b0b0b0",
        ink="222222",
        soft_ink="666666",
        numeral=None,
    ),
}


def shapes(layout: MatLayout, style: Style = "colour") -> tuple[Shape, ...]:
    """Everything on the mat from the bottom up, mm in the mat's frame.

    A layout without markers gives the Lawn alone.
    """
    palette = PALETTES[style]
    drawn: list[Shape] = []
    if layout.markers:
        if palette.sheet:
            drawn.append(Box(_printable(layout), fill=palette.sheet))
            drawn += [_pad(corners) for corners in layout.markers.values()]
        drawn += _bands(layout, palette)
    drawn += _lawn(layout, palette)
    for area in layout.areas:
        drawn += _area(area, layout, palette)
    for number, corners in layout.markers.items():
        drawn += _marker(number, corners)
    return tuple(drawn)


def _pad(corners: tuple[Point, Point, Point, Point]) -> Box:
    """White ground that gives a marker its border of one module."""
    square = Rect(*corners[0], *corners[2])
    module = square.width / MODULES
    return Box(square.grown(module, module), fill="ffffff", radius_mm=2.0)


def marker_bits(number: int) -> np.ndarray:
    """The modules of a marker, (6, 6) bool, True where it is white."""
    dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    return np.asarray(cv2.aruco.generateImageMarker(dictionary, number, MODULES)) > 127


def _marker(number: int, corners: tuple[Point, Point, Point, Point]) -> list[Shape]:
    """A black square with its white modules."""
    square = Rect(*corners[0], *corners[2])
    module = square.width / MODULES
    drawn: list[Shape] = [Box(square, fill="000000")]
    bits = marker_bits(number)
    for row in range(MODULES):
        # Neighbouring modules are one box, so that no hairline shows between them.
        start = None
        for column in range(MODULES + 1):
            white = column < MODULES and bits[row, column]
            if white and start is None:
                start = column
            elif not white and start is not None:
                x0, y0 = square.x0 + start * module, square.y0 + row * module
                right, below = square.x0 + column * module, y0 + module
                overlap = 0.02 if row + 1 < MODULES and bits[row + 1, start:column].all() else 0.0
                drawn.append(Box(Rect(x0, y0, right, below + overlap), fill="ffffff"))
                start = None
    return drawn


def _printable(layout: MatLayout) -> Rect:
    points = np.array(list(layout.markers.values())).reshape(-1, 2)
    (x0, y0), (x1, y1) = points.min(0), points.max(0)
    return Rect(float(x0), float(y0), float(x1), float(y1))


def _lawn(layout: MatLayout, palette: Palette) -> list[Shape]:
    lawn = layout.lawn
    w, h = layout.cell_mm
    drawn: list[Shape] = []
    if palette.hedge:
        hedge = Rect(lawn.x0 - 2.2, lawn.y0 - 2.2, lawn.x1 + 2.2, lawn.y1 + 2.2)
        drawn.append(Box(hedge, fill=palette.hedge, radius_mm=2.2))
    if palette.mown:
        drawn += [
            Box(
                Rect(column * w, row * h, (column + 1) * w, (row + 1) * h),
                fill=palette.mown[2 * (row % 2) + column % 2],
            )
            for row in range(ROWS)
            for column in range(PLACES)
        ]
    if palette.numeral:
        size = 0.5 * h
        drawn += [
            Text(
                ((column + 0.5) * w, (row + 0.5) * h + size * CAPITAL / 2),
                str(row + 1),
                size,
                palette.numeral,
            )
            for row in range(ROWS)
            for column in range(PLACES)
        ]
    drawn += [
        Line((0, row * h), (lawn.x1, row * h), palette.lines, palette.line_mm)
        for row in range(1, ROWS)
    ]
    drawn += [
        Line((column * w, 0), (column * w, lawn.y1), palette.lines, palette.line_mm)
        for column in range(1, PLACES)
    ]
    drawn.append(Box(lawn, line=palette.edge, line_mm=palette.edge_mm))
    return drawn + _names(layout, palette)


def _names(layout: MatLayout, palette: Palette) -> list[Shape]:
    """Row numbers at both sides and names of the places at both ends, each for the nearer reader."""
    lawn = layout.lawn
    w, h = layout.cell_mm
    size, gap = 7.5, 4.0
    drawn: list[Shape] = []
    for row in range(ROWS):
        y = (row + 0.5) * h
        up, down = y + size * CAPITAL / 2, y - size * CAPITAL / 2
        drawn.append(Text((-gap - 1.6, up), str(row + 1), size, palette.ink))
        drawn.append(Text((lawn.x1 + gap + 1.6, down), str(row + 1), size, palette.ink, turn=2))
    for column, name in enumerate(PLACE_NAMES):
        x = (column + 0.5) * w
        font: Font = "Caladea-Italic"
        small = 4.2
        below = lawn.y1 + 3.2 + small * CAPITAL
        drawn.append(Text((x, below), name, small, palette.ink, font))
        drawn.append(Text((x, lawn.y0 - 3.2 - small * CAPITAL), name, small, palette.ink, font, 2))
    return drawn


def _area(area: MatArea, layout: MatLayout, palette: Palette) -> list[Shape]:
    """A row of stones or a bed, its spots, and its name where its owner reads it."""
    row = area.area.kind == "row"
    fill, line = (palette.stone, palette.stone_line) if row else (palette.bed, palette.bed_line)
    drawn: list[Shape] = [Box(area.rect, fill=fill, line=line, line_mm=0.5, radius_mm=3.0)]
    for spot in area.spots:
        side = layout.dice_mm + 1.0
        (x, y), half = spot.centre, side / 2
        stone = Rect(x - half, y - half, x + half, y + half)
        drawn.append(Box(stone, line=line, line_mm=0.35, radius_mm=2.0))
    size = 3.0
    (x, y), rect = area.rect.centre, area.rect
    off = 0.9 + size * CAPITAL
    if area.area.kind == "captured":
        # Between the two beds, each name at its own.
        if area.up == "bottom":
            at, turn = (x, rect.y0 - 1.2), 0
        else:
            at, turn = (x, rect.y1 + 1.2), 2
        return [*drawn, Text(at, "Captured", size, palette.soft_ink, "Caladea-Italic", turn)]
    spots: dict[str, tuple[Point, int]] = {
        "bottom": ((x, rect.y1 + off), 0),
        "top": ((x, rect.y0 - off), 2),
        "right": ((rect.x1 + off, y), 3),
    }
    at, turn = spots[area.up]
    words = "lowest      Player Row      highest"
    return [*drawn, Text(at, words, size, palette.soft_ink, "Caladea-Italic", turn)]


def _bands(layout: MatLayout, palette: Palette) -> list[Shape]:
    """Between the markers: the name and a fence at the top, the ruler and a fence at the bottom."""
    whole = _printable(layout)
    first = next(iter(layout.markers.values()))
    side = first[1][0] - first[0][0]
    pad = side / MODULES + 3.0
    x0, x1 = whole.x0 + side + pad, whole.x1 - side - pad
    middle = (x0 + x1) / 2
    top = Rect(x0, whole.y0, x1, whole.y0 + side)
    bottom = Rect(x0, whole.y1 - side, x1, whole.y1)
    size = min(13.0, side * 0.42)
    drawn = _fence(Rect(x0, top.y1 - 8.5, x1, top.y1 - 1.5), palette)
    title = top.y0 + 2.0 + size * CAPITAL
    drawn += [
        Text((middle, title), "Get Off My Lawn", size, palette.ink, "Caladea-Italic"),
        Text(
            (middle, title + 5.8),
            "The Tactical Dice Game of Lawn Dominance",
            3.2,
            palette.soft_ink,
        ),
    ]
    return [*drawn, *_ruler(layout, bottom, palette)]


def _ruler(layout: MatLayout, band: Rect, palette: Palette) -> list[Shape]:
    """The 100 mm check ruler and what to do with it."""
    x0 = (band.x0 + band.x1 - RULER_MM) / 2
    y = band.y1 - 9.5
    drawn: list[Shape] = []
    for mm in range(int(RULER_MM) + 1):
        length = 4.0 if mm % 10 == 0 else 2.8 if mm % 5 == 0 else 1.6
        width = 0.3 if mm % 5 == 0 else 0.18
        drawn.append(Line((x0 + mm, y), (x0 + mm, y - length), palette.ink, width))
        if mm % 10 == 0:
            drawn.append(Text((x0 + mm, y - 5.0), str(mm), 2.9, palette.ink))
    drawn.append(Line((x0 - 0.15, y), (x0 + RULER_MM + 0.15, y), palette.ink, 0.3))
    middle = (band.x0 + band.x1) / 2
    how = "Print at 100 % (“actual size”): this ruler must be 100 mm long."
    what = f"{layout.name} · keep all four corners in the camera’s view"
    drawn.append(Text((middle, y + 4.2), how, 3.2, palette.ink))
    drawn.append(Text((middle, y + 8.2), what, 2.8, palette.soft_ink, "Caladea-Italic"))
    fence = Rect(band.x0, band.y0 + 0.5, band.x1, y - 8.6)
    return [*drawn, *(_fence(fence, palette) if fence.height > 5 else [])]


def _fence(band: Rect, palette: Palette) -> list[Shape]:
    """A picket fence as wide as the band, at most 7 mm high, at its bottom edge."""
    high, pitch, wide = min(band.height, 7.0), 4.0, 2.5
    base, top = band.y1, band.y1 - high
    count = int((band.width + pitch - wide) / pitch)
    start = (band.x0 + band.x1 - (count * pitch - (pitch - wide))) / 2
    drawn: list[Shape] = []
    for share in (0.35, 0.75):
        y = top + share * high
        end = start + count * pitch - (pitch - wide)
        bar = Rect(start - 1.2, y - 0.45, end + 1.2, y + 0.45)
        drawn.append(Box(bar, fill=palette.fence, line=palette.fence_line, line_mm=0.2))
    for index in range(count):
        x = start + index * pitch
        points = (
            (x, base),
            (x, top + 1.3),
            (x + wide / 2, top),
            (x + wide, top + 1.3),
            (x + wide, base),
        )
        drawn.append(Polygon(points, palette.fence))
        edges = zip(points, (*points[1:], points[0]), strict=True)
        drawn += [Line(a, b, palette.fence_line, 0.2) for a, b in edges]
    return drawn
