"""The Lawn drawn over a picture: its grid and row numbers, where the mat was found."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.layout import PLACES, ROWS

Image = NDArray[np.uint8]

GRID, DARK = (170, 255, 120), (20, 60, 20)
SHIFT = 4
"""Lines are drawn at a sixteenth of a pixel."""


def draw_lawn(
    canvas: Image,
    corners: Sequence[Sequence[float]],
    scale: tuple[float, float],
    capital: float,
    dice: Sequence[tuple[int, int, int, int]] = (),
) -> None:
    """Draw the Lawn's grid onto a picture (H, W, 3) uint8 BGR, in place; dice hide it.

    corners: the Lawn's, px: row 1 left, row 1 right, row 6 right, row 6 left; scale: canvas px per px of
    those, across and down; capital: height of the row numbers, px; dice: boxes x0 y0 x1 y1, canvas px.
    """
    outline = (np.array(corners, np.float64) * scale).astype(np.float32)
    unit = np.array([[0, 0], [PLACES, 0], [PLACES, ROWS], [0, ROWS]], np.float32)
    to_px = cv2.getPerspectiveTransform(unit, outline)
    thin = max(1, round(capital / 9))
    lines = [((0.0, float(row)), (float(PLACES), float(row))) for row in range(ROWS + 1)]
    lines += [((float(place), 0.0), (float(place), float(ROWS))) for place in range(PLACES + 1)]
    plain = canvas.copy()
    for width, colour in ((thin + 2, DARK), (thin, GRID)):
        for start, end in lines:
            a, b = _spots(to_px, [start, end])
            cv2.line(canvas, _fine(a), _fine(b), colour, width, cv2.LINE_AA, SHIFT)
    font, size = cv2.FONT_HERSHEY_DUPLEX, capital / 22
    for row in range(ROWS):
        for x in (-0.22, PLACES + 0.22):
            ((u, v),) = _spots(to_px, [(x, row + 0.5)])
            spot = (round(float(u) - 0.36 * capital), round(float(v) + capital / 2))
            middle = (round(float(u)), round(float(v)))
            cv2.circle(canvas, middle, round(0.95 * capital), DARK, -1, cv2.LINE_AA)
            cv2.putText(canvas, str(row + 1), spot, font, size, GRID, thin, cv2.LINE_AA)
    for x0, y0, x1, y1 in dice:
        box = np.s_[max(y0, 0) : max(y1, 0), max(x0, 0) : max(x1, 0)]
        canvas[box] = plain[box]


def _spots(to_px: NDArray[np.float64], points: list[tuple[float, float]]) -> NDArray[np.float64]:
    moved = cv2.perspectiveTransform(np.array([points], np.float64), to_px)
    return np.asarray(moved[0], np.float64)


def _fine(point: NDArray[np.float64]) -> tuple[int, int]:
    x, y = np.clip((point - 0.5) * 2**SHIFT, -(2**26), 2**26)
    return round(float(x)), round(float(y))
