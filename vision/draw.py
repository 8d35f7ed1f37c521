"""What was read, drawn over the picture: the Lawn, a box, face and colour for every die, and any doubt."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.lawn import Owner
from engine.table import LawnPlace, SeenDie, TableView
from vision.draw_hidden import draw_hidden
from vision.draw_lawn import draw_lawn
from vision.drawing_folder import DrawingError, DrawingFolder
from vision.reading import UNSURE_COLOUR, UNSURE_FACE, DieReading, Reading
from vision.report import doubts

Image = NDArray[np.uint8]
Box = tuple[int, int, int, int]

LEAST_SIDE_PX = 900
"""A picture whose longer side is shorter is enlarged first, so that words on it can be read."""
FONT = cv2.FONT_HERSHEY_DUPLEX
CAPITAL_PX = 22.0
"""Height of a capital letter of FONT at scale 1, px."""

BLACK, WHITE, AMBER = (0, 0, 0), (255, 255, 255), (0, 191, 255)
SWATCHES = {
    "white": (255, 255, 255), "black": (25, 25, 25), "grey": (140, 140, 140),
    "red": (40, 30, 205), "orange": (20, 125, 240), "yellow": (40, 220, 250),
    "green": (50, 140, 30), "blue": (200, 80, 20), "purple": (140, 35, 110),
    "pink": (180, 130, 255), "brown": (30, 65, 110),
}  # fmt: skip
"""What a label's ground looks like for each name of vision.reading.COLOURS, BGR."""


@dataclass(frozen=True)
class Mark:
    """A die as it is drawn: box x0 y0 x1 y1 px of the picture, words, a name of SWATCHES for the label's
    ground, and whether there is doubt."""

    box: tuple[float, float, float, float]
    text: str
    colour: str
    unsure: bool


def annotate(image: Image, reading: Reading) -> Image:
    """Return a copy of the picture with every die of the reading drawn on it.

    `image` is (H, W, 3) uint8 BGR, the picture that was read, at any size: boxes are scaled to it.
    The copy is as large, or a whole number of times larger when the longer side is below
    LEAST_SIDE_PX. A die that is unsure has a dashed amber outline and question marks where the
    doubt is.
    """
    marks = [Mark(die.box, label_text(die), die.colour, die.unsure) for die in reading.dice]
    found = reading.mat is not None and reading.mat["found"]
    corners = reading.mat["corners"] if reading.mat is not None and found else None
    return draw_marks(image, (reading.width, reading.height), marks, corners)


def annotate_view(
    image: Image,
    view: TableView,
    size: tuple[int, int],
    *,
    corners: Sequence[Sequence[float]] | None = None,
    hidden: Sequence[NDArray[np.float32]] = (),
    colours: Mapping[Owner, str] | None = None,
) -> Image:
    """As `annotate`, for a view of a watched table.

    size: width and height px of the picture that the view is of; corners: the Lawn's in it, if the
    mat is found; hidden: outlines (N, 2) px of what was covered; colours: a name of SWATCHES for each
    owner, the others' labels are white.
    """
    marks = [
        Mark(
            die.box,
            view_label(die),
            (colours or {}).get(die.owner, "white") if max(die.owner_p) > 0 else "white",
            _doubted(die),
        )
        for die in view.dice
    ]
    return draw_marks(image, size, marks, corners, hidden)


def draw_marks(
    image: Image,
    size: tuple[int, int],
    marks: Sequence[Mark],
    corners: Sequence[Sequence[float]] | None = None,
    hidden: Sequence[NDArray[np.float32]] = (),
) -> Image:
    """A copy of a picture (H, W, 3) uint8 BGR with all that is given drawn on it: see `annotate_view`."""
    height, width = image.shape[:2]
    grown = max(1, math.ceil(LEAST_SIDE_PX / max(height, width)))
    canvas = cv2.resize(image, None, fx=grown, fy=grown, interpolation=cv2.INTER_CUBIC)
    canvas = np.ascontiguousarray(canvas, np.uint8)
    scale = (width * grown / size[0], height * grown / size[1]) * 2
    boxes: list[Box] = []
    for mark in marks:
        x0, y0, x1, y1 = (
            round(edge * factor) for edge, factor in zip(mark.box, scale, strict=True)
        )
        boxes.append((x0, y0, x1, y1))
    capital = _capital_px(boxes, max(canvas.shape[:2]))
    if corners is not None:
        draw_lawn(canvas, corners, scale[:2], capital, boxes)
    draw_hidden(canvas, hidden, scale[:2], capital)
    for mark, box in zip(marks, boxes, strict=True):
        _outline(canvas, box, mark.unsure, max(1, round(capital / 7)))
    labels: list[Box] = []
    for mark, box in zip(marks, boxes, strict=True):
        labels.append(_label(canvas, mark, box, boxes, labels, capital))
    return canvas


def view_label(die: SeenDie) -> str:
    """The words on the label of a view's die: face, place on the Lawn, flags, question marks for doubt."""
    face = f"{die.face}{'?' * (max(die.face_p) < UNSURE_FACE)}"
    place = die.place
    words = [face]
    if isinstance(place, LawnPlace):
        words.append(f"{place.row}{place.side[0].upper()}{'?' * (die.place_p[0][1] < UNSURE_FACE)}")
    return " ".join([*words, *sorted(die.flags)])


def _doubted(die: SeenDie) -> bool:
    owned = max(die.owner_p)
    return (
        bool(die.flags)
        or max(die.face_p) < UNSURE_FACE
        or die.place_p[0][1] < UNSURE_FACE
        or 0 < owned < UNSURE_COLOUR
    )


def label_text(die: DieReading) -> str:
    """The words on a die's label: face and colour, with a question mark at what is in doubt."""
    doubted = doubts(die)
    face = "?" if die.face is None else f"{die.face}{'?' * ('face' in doubted)}"
    text = f"{'die? ' * ('die' in doubted)}{face} {die.colour}{'?' * ('colour' in doubted)}"
    return text if doubted or not die.unsure else f"{text} ?"


def _capital_px(boxes: Sequence[Box], longest: int) -> float:
    """Height of capital letters: fit for the dice, yet legible with the whole picture on show."""
    sides = [math.sqrt(max(1, (x1 - x0) * (y1 - y0))) for x0, y0, x1, y1 in boxes]
    wanted = 0.2 * float(np.median(sides)) if sides else 0.0
    return float(np.clip(wanted, longest / 90, longest / 40))


def _outline(canvas: Image, box: Box, unsure: bool, thickness: int) -> None:
    """A light line between dark ones: one of them shows on any ground."""
    x0, y0, x1, y1 = box
    cv2.rectangle(canvas, (x0, y0), (x1, y1), BLACK, thickness * 3)
    if not unsure:
        cv2.rectangle(canvas, (x0, y0), (x1, y1), WHITE, thickness)
        return
    corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0)]
    for (ax, ay), (bx, by) in pairwise(corners):
        dashes = max(2, round(math.hypot(bx - ax, by - ay) / (thickness * 8)))
        for dash in range(dashes):
            start, end = dash / dashes, (dash + 0.6) / dashes
            cv2.line(
                canvas,
                (round(ax + (bx - ax) * start), round(ay + (by - ay) * start)),
                (round(ax + (bx - ax) * end), round(ay + (by - ay) * end)),
                AMBER,
                thickness,
            )


def _label(
    canvas: Image,
    mark: Mark,
    box: Box,
    boxes: Sequence[Box],
    labels: Sequence[Box],
    capital: float,
) -> Box:
    """Write the die's label where it hides least of the dice and labels; return where it went."""
    text = mark.text
    scale = capital / CAPITAL_PX
    thickness = max(1, round(capital / 12))
    (text_width, _), _ = cv2.getTextSize(text, FONT, scale, thickness)
    pad = max(2, round(capital * 0.35))
    width, height = text_width + 2 * pad, round(capital * 1.25) + 2 * pad
    x, y = _free_place(canvas, box, (width, height), boxes, labels)
    ground = SWATCHES.get(mark.colour, WHITE)
    # Rec. 601 luma decides whether black or white ink stands out more.
    luma = 0.114 * ground[0] + 0.587 * ground[1] + 0.299 * ground[2]
    ink = BLACK if luma > 110 else WHITE
    edge = AMBER if mark.unsure else ink
    cv2.rectangle(canvas, (x, y), (x + width, y + height), ground, -1)
    cv2.rectangle(canvas, (x, y), (x + width, y + height), edge, max(1, thickness))
    origin = (x + pad, y + pad + round(capital))
    cv2.putText(canvas, text, origin, FONT, scale, ink, thickness, cv2.LINE_AA)
    return x, y, x + width, y + height


def _free_place(
    canvas: Image,
    box: Box,
    size: tuple[int, int],
    boxes: Sequence[Box],
    labels: Sequence[Box],
) -> tuple[int, int]:
    """The top left corner, inside the picture, for a label of that size beside the box."""
    x0, y0, x1, y1 = box
    width, height = size
    middle = (x0 + x1 - width) // 2
    candidates = [
        (x0, y0 - height),
        (x0, y1),
        (middle, y0 - height),
        (middle, y1),
        (x1 - width, y0 - height),
        (x1 - width, y1),
        (x1, y0),
        (x0 - width, y0),
    ]
    room = (max(0, canvas.shape[1] - width - 1), max(0, canvas.shape[0] - height - 1))
    inside = [(min(max(0, x), room[0]), min(max(0, y), room[1])) for x, y in candidates]

    def hidden(corner: tuple[int, int]) -> float:
        spot = (*corner, corner[0] + width, corner[1] + height)
        return _overlap(spot, boxes) + 2 * _overlap(spot, labels)

    return min(inside, key=hidden)


def _overlap(spot: Box, others: Sequence[Box]) -> float:
    """How many pixels of the others lie under the spot."""
    if not others:
        return 0.0
    x0, y0, x1, y1 = np.array(others).T
    across = np.minimum(x1, spot[2]) - np.maximum(x0, spot[0])
    down = np.minimum(y1, spot[3]) - np.maximum(y0, spot[1])
    return float((across.clip(0) * down.clip(0)).sum())


__all__ = [
    "DrawingError",
    "DrawingFolder",
    "Mark",
    "annotate",
    "annotate_view",
    "draw_marks",
    "label_text",
]
