"""The display list of a mat: shapes in mm on the mat's frame, for every painter the same. Records only."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Literal, TypeAlias

from vision.layout import Point, Rect

Colour: TypeAlias = str
"""sRGB as six hexadecimal digits."""
Font: TypeAlias = Literal["Caladea-Regular", "Caladea-Italic"]

CAPITAL = 0.644
"""Height of a capital letter of Caladea as a share of its size."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle, filled or outlined or both; the outline straddles its edge."""

    rect: Rect
    fill: Colour | None = None
    line: Colour | None = None
    line_mm: float = 0.3
    radius_mm: float = 0.0


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line with flat ends."""

    start: Point
    end: Point
    colour: Colour
    width_mm: float


@dataclass(frozen=True, slots=True)
class Polygon:
    """A filled polygon."""

    points: tuple[Point, ...]
    fill: Colour


@dataclass(frozen=True, slots=True)
class Text:
    """Words whose baseline's middle is at `at`.

    size_mm: of the font (its em); turn: quarter turns clockwise as seen with row 1 at the top.
    """

    at: Point
    words: str
    size_mm: float
    colour: Colour
    font: Font = "Caladea-Regular"
    turn: int = 0


Shape: TypeAlias = Box | Line | Polygon | Text


def font_file(font: Font) -> Path:
    """The TrueType file of a font that comes with the product."""
    return Path(str(resources.files("vision") / "fonts" / f"{font}.ttf"))


def rgb(colour: Colour) -> tuple[int, int, int]:
    """Red, green, blue 0..255 of six hexadecimal digits."""
    return int(colour[0:2], 16), int(colour[2:4], 16), int(colour[4:6], 16)
