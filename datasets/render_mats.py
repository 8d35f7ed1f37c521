"""Printed mats of many designs for path-traced tables.

`draw_mat` is the one entry: it paints the mat of a plan as seen from above with row 1 at the top. A design of the
product's own (as `lawn mat` will print it) is one more entry of DESIGNS.
"""

from __future__ import annotations

import colorsys
import math
from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.render_records import Mat
from vision.layout import LayoutError, MatLayout, printed
from vision.mat_design import Style
from vision.mat_drawing import draw_mat as draw_own_mat

PX_PER_MM = 2.5
Picture = NDArray[np.float32]
Colour = tuple[float, float, float]


def _tone(
    rng: np.random.Generator,
    hue: tuple[float, float],
    sat: tuple[float, float],
    val: tuple[float, float],
) -> Colour:
    return colorsys.hsv_to_rgb(rng.uniform(*hue) % 1, rng.uniform(*sat), rng.uniform(*val))


class Canvas:
    """A picture that is drawn on in mm, from the mat's upper left corner."""

    def __init__(self, mat: Mat, ground: Colour) -> None:
        self.mat = mat
        half = mat.half_mm
        self.size_mm = (2 * half[0], 2 * half[1])
        shape = (round(self.size_mm[1] * PX_PER_MM), round(self.size_mm[0] * PX_PER_MM))
        self.picture: Picture = np.full((*shape, 3), ground, np.float32)

    def px(self, x: float, y: float) -> tuple[int, int]:
        return round(x * PX_PER_MM), round(y * PX_PER_MM)

    def box(
        self, x: float, y: float, w: float, h: float, colour: Colour, line_mm: float = 0
    ) -> None:
        thick = -1 if line_mm == 0 else max(1, round(line_mm * PX_PER_MM))
        cv2.rectangle(
            self.picture, self.px(x, y), self.px(x + w, y + h), colour, thick, cv2.LINE_AA
        )

    def disc(self, x: float, y: float, radius: float, colour: Colour, line_mm: float = 0) -> None:
        thick = -1 if line_mm == 0 else max(1, round(line_mm * PX_PER_MM))
        cv2.circle(
            self.picture,
            self.px(x, y),
            max(1, round(radius * PX_PER_MM)),
            colour,
            thick,
            cv2.LINE_AA,
        )

    def text(self, x: float, y: float, words: str, height_mm: float, colour: Colour) -> None:
        """Words centred on x, y."""
        ink = np.zeros(self.picture.shape[:2], np.uint8)  # OpenCV 5 writes text into 8 bits only
        font, scale = cv2.FONT_HERSHEY_DUPLEX, height_mm * PX_PER_MM / 22
        thick = max(1, round(scale * 1.5))
        (w, h), _ = cv2.getTextSize(words, font, scale, thick)
        u, v = self.px(x, y)
        cv2.putText(ink, words, (u - w // 2, v + h // 2), font, scale, 255, thick, cv2.LINE_AA)
        share = (ink / 255.0).astype(np.float32)[..., None]
        self.picture[:] = self.picture * (1 - share) + np.array(colour, np.float32) * share

    def grain(self, rng: np.random.Generator, cells_mm: float, strength: float) -> None:
        h, w = self.picture.shape[:2]
        small = rng.normal(
            0, 1, (max(2, int(self.size_mm[1] / cells_mm)), max(2, int(self.size_mm[0] / cells_mm)))
        )
        field = cv2.resize(small.astype(np.float32), (w, h), interpolation=cv2.INTER_CUBIC)
        self.picture *= (1 + strength * field)[..., None]

    def places(self) -> list[tuple[int, int, float, float]]:
        """Row 1..6, place 0..2 and the middle (mm) of each place."""
        (w, h), (m, n) = self.mat.pitch_mm, self.mat.margin_mm
        return [(r, p, m + (p + 0.5) * w, n + (r - 0.5) * h) for r in range(1, 7) for p in range(3)]

    def corners(self, rng: np.random.Generator, dark: Colour, light: Colour) -> None:
        """Square markers of 6 x 6 cells in the four corners, like those that cameras find a mat by."""
        side = min(*(v * 0.8 for v in self.mat.margin_mm), 22.0)
        cell = side / 6
        for x in (1.5, self.size_mm[0] - side - 1.5):
            for y in (1.5, self.size_mm[1] - side - 1.5):
                self.box(x - 1, y - 1, side + 2, side + 2, light)
                self.box(x, y, side, side, dark)
                for i in range(1, 5):
                    for j in range(1, 5):
                        if rng.random() < 0.5:
                            self.box(x + i * cell, y + j * cell, cell, cell, light)

    def numbers(self, rng: np.random.Generator, ink: Colour) -> None:
        (w, h), (m, n) = self.mat.pitch_mm, self.mat.margin_mm
        for row in range(1, 7):
            self.text(m * 0.5, n + (row - 0.5) * h, str(row), min(m * 0.5, h * 0.5), ink)
            if rng.random() < 0.3:
                self.text(
                    m * 1.5 + 3 * w, m + (row - 0.5) * h, str(row), min(m * 0.5, h * 0.5), ink
                )


def lawn_stripes(canvas: Canvas, rng: np.random.Generator) -> None:
    """A mown lawn: rows alternately light and dark, white lines."""
    (w, h), (m, n) = canvas.mat.pitch_mm, canvas.mat.margin_mm
    hue = rng.uniform(0.24, 0.4)
    tones = [_tone(rng, (hue, hue), (0.4, 0.8), (low, low + 0.2)) for low in (0.3, 0.5)]
    canvas.box(0, 0, *canvas.size_mm, tones[0])
    for row in range(6):
        canvas.box(m, n + row * h, 3 * w, h, tones[row % 2])
    canvas.grain(rng, 1.0, 0.08)
    white = (0.93, 0.95, 0.9)
    for _, _, x, y in canvas.places():
        canvas.box(x - w * 0.44, y - h * 0.44, w * 0.88, h * 0.88, white, 0.6)
    canvas.numbers(rng, white)
    if rng.random() < 0.6:
        canvas.corners(rng, (0.05, 0.05, 0.05), (0.97, 0.97, 0.97))


def lawn_cells(canvas: Canvas, rng: np.random.Generator) -> None:
    """Light paper with a green square a place."""
    w, h = canvas.mat.pitch_mm
    canvas.box(0, 0, *canvas.size_mm, _tone(rng, (0.1, 0.2), (0, 0.1), (0.85, 0.98)))
    grass = _tone(rng, (0.25, 0.4), (0.3, 0.7), (0.45, 0.8))
    for _, _, x, y in canvas.places():
        canvas.box(x - w * 0.42, y - h * 0.42, w * 0.84, h * 0.84, grass)
    canvas.numbers(rng, (0.1, 0.15, 0.1))
    if rng.random() < 0.7:
        canvas.corners(rng, (0.03, 0.03, 0.03), (1.0, 1.0, 1.0))


def grass_cloth(canvas: Canvas, rng: np.random.Generator) -> None:
    """Artificial grass with painted lines between the rows."""
    (w, h), (m, n) = canvas.mat.pitch_mm, canvas.mat.margin_mm
    canvas.box(0, 0, *canvas.size_mm, _tone(rng, (0.22, 0.36), (0.5, 0.9), (0.25, 0.55)))
    canvas.grain(rng, 0.9, 0.28)
    canvas.grain(rng, 3.0, 0.12)
    line = _tone(rng, (0, 1), (0, 0.2), (0.75, 1))
    for row in range(7):
        canvas.box(m, n + row * h, 3 * w, 0, line, 1.0)
    if rng.random() < 0.7:
        for place in range(4):
            canvas.box(m + place * w, n, 0, 6 * h, line, 1.0)


def plain_grid(canvas: Canvas, rng: np.random.Generator) -> None:
    """Hand-ruled or printed lines on plain paper or card."""
    (w, h), n = canvas.mat.pitch_mm, canvas.mat.margin_mm[1]
    canvas.box(0, 0, *canvas.size_mm, _tone(rng, (0, 1), (0, 0.25), (0.7, 0.98)))
    ink = _tone(rng, (0, 1), (0, 0.8), (0.05, 0.5))
    thick = rng.uniform(0.4, 1.4)
    for _, _, x, y in canvas.places():
        canvas.box(x - w / 2, y - h / 2, w, h, ink, thick)
    if rng.random() < 0.8:
        canvas.numbers(rng, ink)
    if rng.random() < 0.4:
        canvas.text(canvas.size_mm[0] / 2, n * 0.4, "GET OFF MY LAWN", n * 0.4, ink)


def chalk_board(canvas: Canvas, rng: np.random.Generator) -> None:
    """A dark slate with chalk lines."""
    w, h = canvas.mat.pitch_mm
    canvas.box(0, 0, *canvas.size_mm, _tone(rng, (0, 1), (0, 0.35), (0.08, 0.25)))
    canvas.grain(rng, 4.0, 0.15)
    chalk = _tone(rng, (0, 1), (0, 0.25), (0.7, 0.95))
    for _, _, x, y in canvas.places():
        x, y = x + rng.normal(0, 0.5), y + rng.normal(0, 0.5)
        canvas.box(x - w * 0.46, y - h * 0.46, w * 0.92, h * 0.92, chalk, rng.uniform(0.5, 1.2))
    canvas.numbers(rng, chalk)


def dot_marks(canvas: Canvas, rng: np.random.Generator) -> None:
    """Each place is a dot or a ring on cloth."""
    w, h = canvas.mat.pitch_mm
    canvas.box(0, 0, *canvas.size_mm, _tone(rng, (0, 1), (0.1, 0.7), (0.15, 0.9)))
    canvas.grain(rng, 0.8, 0.06)
    ink = _tone(rng, (0, 1), (0, 0.4), (0.0, 1.0))
    ring = rng.random() < 0.5
    for _, _, x, y in canvas.places():
        canvas.disc(x, y, min(w, h) * (0.42 if ring else 0.12), ink, 0.8 if ring else 0)


def pip_rows(canvas: Canvas, rng: np.random.Generator) -> None:
    """Rows are named by printed pips, which must not be read as dice."""
    (w, h), (m, n) = canvas.mat.pitch_mm, canvas.mat.margin_mm
    canvas.box(0, 0, *canvas.size_mm, _tone(rng, (0, 1), (0, 0.5), (0.4, 0.95)))
    ink = _tone(rng, (0, 1), (0, 0.6), (0.0, 0.3))
    for _, _, x, y in canvas.places():
        canvas.box(x - w * 0.45, y - h * 0.45, w * 0.9, h * 0.9, ink, 0.6)
    side = min(m * 0.8, h * 0.8)
    spots = {1: [(0, 0)], 2: [(-1, -1), (1, 1)], 4: [(-1, -1), (1, 1), (-1, 1), (1, -1)]}
    spots[3], spots[5] = spots[2] + spots[1], spots[4] + spots[1]
    spots[6] = [*spots[4], (-1, 0), (1, 0)]
    for row in range(1, 7):
        y = n + (row - 0.5) * h
        if rng.random() < 0.5:
            canvas.box(m * 0.5 - side / 2, y - side / 2, side, side, ink, 0.5)
        for i, j in spots[row]:
            canvas.disc(m * 0.5 + i * side * 0.27, y + j * side * 0.27, side * 0.08, ink)


def leather_inlay(canvas: Canvas, rng: np.random.Generator) -> None:
    """A brown playing surface with golden lines."""
    w, h = canvas.mat.pitch_mm
    canvas.box(0, 0, *canvas.size_mm, _tone(rng, (0, 0.1), (0.4, 0.8), (0.15, 0.45)))
    canvas.grain(rng, 1.5, 0.1)
    gold = _tone(rng, (0.1, 0.14), (0.4, 0.7), (0.6, 0.85))
    for _, _, x, y in canvas.places():
        canvas.box(x - w * 0.45, y - h * 0.43, w * 0.9, h * 0.86, gold, 0.5)
    canvas.box(2, 2, canvas.size_mm[0] - 4, canvas.size_mm[1] - 4, gold, 1.0)


def blocks(canvas: Canvas, rng: np.random.Generator) -> None:
    """Rows in six colours."""
    (w, h), (m, n) = canvas.mat.pitch_mm, canvas.mat.margin_mm
    canvas.box(0, 0, *canvas.size_mm, _tone(rng, (0, 1), (0, 0.2), (0.1, 0.95)))
    start = rng.random()
    for row in range(6):
        tone = _tone(rng, (start + row / 6, start + row / 6), (0.2, 0.6), (0.5, 0.9))
        canvas.box(m, n + row * h + 1, 3 * w, h - 2, tone)
    canvas.numbers(rng, (0.1, 0.1, 0.1) if canvas.picture[0, 0].mean() > 0.5 else (0.9, 0.9, 0.9))


def garden_path(canvas: Canvas, rng: np.random.Generator) -> None:
    """Paving stones in grass, one a place."""
    w, h = canvas.mat.pitch_mm
    canvas.box(0, 0, *canvas.size_mm, _tone(rng, (0.2, 0.33), (0.4, 0.8), (0.3, 0.6)))
    canvas.grain(rng, 1.2, 0.2)
    for _, _, x, y in canvas.places():
        tone = _tone(rng, (0.05, 0.12), (0.05, 0.25), (0.5, 0.75))
        canvas.box(x - w * 0.43, y - h * 0.42, w * 0.86, h * 0.84, tone)
    canvas.numbers(rng, (0.95, 0.9, 0.7))


def ring_spots(canvas: Canvas, rng: np.random.Generator) -> None:
    """Double rings, the middle place marked by a star of lines."""
    w, h = canvas.mat.pitch_mm
    canvas.box(0, 0, *canvas.size_mm, _tone(rng, (0, 1), (0.1, 0.5), (0.5, 0.95)))
    ink = _tone(rng, (0, 1), (0.3, 0.9), (0.1, 0.5))
    for _, place, x, y in canvas.places():
        canvas.disc(x, y, min(w, h) * 0.46, ink, 0.8)
        canvas.disc(x, y, min(w, h) * 0.38, ink, 0.4)
        if place == 1:
            canvas.box(x - 3, y, 6, 0, ink, 0.6)
            canvas.box(x, y - 3, 0, 6, ink, 0.6)
    canvas.numbers(rng, ink)


def night_lawn(canvas: Canvas, rng: np.random.Generator) -> None:
    """A dark green lawn with glowing lines and corner markers."""
    w, h = canvas.mat.pitch_mm
    canvas.box(0, 0, *canvas.size_mm, _tone(rng, (0.3, 0.5), (0.5, 0.9), (0.08, 0.25)))
    canvas.grain(rng, 2.0, 0.15)
    line = _tone(rng, (0.2, 0.5), (0.3, 0.8), (0.7, 1))
    for _, _, x, y in canvas.places():
        canvas.box(x - w * 0.47, y - h * 0.47, w * 0.94, h * 0.94, line, 0.8)
    canvas.corners(rng, (0.02, 0.02, 0.02), (0.9, 0.95, 0.9))
    canvas.numbers(rng, line)


DESIGNS: dict[str, Callable[[Canvas, np.random.Generator], None]] = {
    "lawn-stripes": lawn_stripes,
    "lawn-cells": lawn_cells,
    "grass-cloth": grass_cloth,
    "plain-grid": plain_grid,
    "wavy-paper": plain_grid,
    "chalk-board": chalk_board,
    "dot-marks": dot_marks,
    "pip-rows": pip_rows,
    "leather-inlay": leather_inlay,
    "blocks": blocks,
    "garden-path": garden_path,
    "wavy-blueprint": chalk_board,
    "ring-spots": ring_spots,
    "night-lawn": night_lawn,
}


def own_layout(edge_mm: float, larger: bool) -> MatLayout:
    """The product's own mat for dice of that edge, on A4 or the larger A3 (which takes any dice)."""
    dice = min(max(math.ceil(edge_mm), 12), 25)
    try:
        return printed("A3" if larger else "A4", dice)
    except LayoutError:
        return printed("A3", dice)


def _own(mat: Mat) -> Picture:
    """The product's own mat, as `lawn mat` prints it."""
    width = 2 * mat.half_mm[0]
    sizes = [(p, d) for p in ("A4", "A3") for d in range(12, 26)]
    for paper, dice in sizes:
        try:
            layout = printed(paper, dice)
        except LayoutError:
            continue
        if layout.cell_mm == mat.pitch_mm and abs(layout.extent.width - width) < 0.01:
            style: Style = "ink-saving" if mat.design == "own-ink-saving" else "colour"
            painted = draw_own_mat(layout, PX_PER_MM, style)[..., ::-1]
            return np.asarray(painted, np.float32) / np.float32(255)
    raise AssertionError("a mat of the product's own comes from own_layout")


def draw_mat(mat: Mat) -> Picture:
    """The mat's picture, sRGB (H, W, 3) float 0..1, seen from above with row 1 at the top."""
    if mat.design.startswith("own"):
        return _own(mat)
    rng = np.random.default_rng([mat.seed, 5])
    canvas = Canvas(mat, (0.8, 0.8, 0.8))
    DESIGNS[mat.design](canvas, rng)
    return np.asarray(np.clip(canvas.picture, 0, 1), np.float32)
