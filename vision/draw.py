"""What was read, drawn over the picture: the Lawn, a box, face and colour for every die, and any doubt."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import count, pairwise
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.draw_lawn import draw_lawn
from vision.reading import DieReading, Reading
from vision.report import doubts

Image = NDArray[np.uint8]
Box = tuple[int, int, int, int]

LEAST_SIDE_PX = 900
"""A picture whose longer side is shorter is enlarged first, so that words on it can be read."""
JPEG_LONGEST_PX = 65_500
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


class DrawingError(ValueError):
    """A drawing cannot be kept; the message names the file or folder and says what to do."""


class DrawingFolder:
    """The folder that drawings of some photos go to, as JPEG files named NAME-read.jpg.

    Drawings of earlier runs are replaced; the photos themselves never are, and photos of the same
    name from different folders get numbers.
    """

    def __init__(self, folder: Path, photos: Iterable[Path]) -> None:
        """Make the folder if need be. Raises DrawingError when that is not possible."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise DrawingError(
                f"{folder}: this folder cannot be made ({error.strerror}); name another one."
            ) from error
        self.folder = folder
        self._photos = {identity for photo in photos if (identity := _identity(photo))}
        self._taken: set[str] = set()

    def write(self, photo: Path, drawing: Image) -> Path:
        """Write the drawing (H, W, 3) uint8 BGR of a photo and return its file.

        Raises DrawingError when it cannot be written.
        """
        path = self._free_path(photo.stem)
        if max(drawing.shape) > JPEG_LONGEST_PX:
            raise DrawingError(
                f"{path}: a picture as long as this cannot be drawn as JPEG; crop it first."
            )
        _, packed = cv2.imencode(".jpg", drawing, [cv2.IMWRITE_JPEG_QUALITY, 92])
        try:
            path.write_bytes(packed.tobytes())
        except OSError as error:
            raise DrawingError(
                f"{path}: this drawing cannot be written ({error.strerror}); name another folder."
            ) from error
        return path

    def _free_path(self, stem: str) -> Path:
        for number in count(1):
            name = f"{stem}-read.jpg" if number == 1 else f"{stem}-read-{number}.jpg"
            path = self.folder / name
            # Names that differ only in case are one file on Windows and macOS.
            if name.casefold() not in self._taken and _identity(path) not in self._photos:
                self._taken.add(name.casefold())
                break
        return path


def _identity(path: Path) -> tuple[int, int] | None:
    """What two names of one file have in common, or None when there is no such file."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino


def annotate(image: Image, reading: Reading) -> Image:
    """Return a copy of the picture with every die of the reading drawn on it.

    `image` is (H, W, 3) uint8 BGR, the picture that was read, at any size: boxes are scaled to it.
    The copy is as large, or a whole number of times larger when the longer side is below
    LEAST_SIDE_PX. A die that is unsure has a dashed amber outline and question marks where the
    doubt is.
    """
    height, width = image.shape[:2]
    grown = max(1, math.ceil(LEAST_SIDE_PX / max(height, width)))
    canvas = cv2.resize(image, None, fx=grown, fy=grown, interpolation=cv2.INTER_CUBIC)
    canvas = np.ascontiguousarray(canvas, np.uint8)
    scale = (width * grown / reading.width, height * grown / reading.height) * 2
    boxes: list[Box] = []
    for die in reading.dice:
        x0, y0, x1, y1 = (round(edge * factor) for edge, factor in zip(die.box, scale, strict=True))
        boxes.append((x0, y0, x1, y1))
    capital = _capital_px(boxes, max(canvas.shape[:2]))
    if reading.mat is not None and reading.mat["found"]:
        draw_lawn(canvas, reading.mat["corners"], scale[:2], capital, boxes)
    for die, box in zip(reading.dice, boxes, strict=True):
        _outline(canvas, box, die.unsure, max(1, round(capital / 7)))
    labels: list[Box] = []
    for die, box in zip(reading.dice, boxes, strict=True):
        labels.append(_label(canvas, die, box, boxes, labels, capital))
    return canvas


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
    die: DieReading,
    box: Box,
    boxes: Sequence[Box],
    labels: Sequence[Box],
    capital: float,
) -> Box:
    """Write the die's label where it hides least of the dice and labels; return where it went."""
    text = label_text(die)
    scale = capital / CAPITAL_PX
    thickness = max(1, round(capital / 12))
    (text_width, _), _ = cv2.getTextSize(text, FONT, scale, thickness)
    pad = max(2, round(capital * 0.35))
    width, height = text_width + 2 * pad, round(capital * 1.25) + 2 * pad
    x, y = _free_place(canvas, box, (width, height), boxes, labels)
    ground = SWATCHES.get(die.colour, WHITE)
    # Rec. 601 luma decides whether black or white ink stands out more.
    luma = 0.114 * ground[0] + 0.587 * ground[1] + 0.299 * ground[2]
    ink = BLACK if luma > 110 else WHITE
    edge = AMBER if die.unsure else ink
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


__all__ = ["DrawingError", "DrawingFolder", "annotate", "label_text"]
