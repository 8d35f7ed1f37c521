"""What a hand or a cup covers, hatched over a picture: there the table is not known."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

VEIL = (110, 110, 110)
STRIPE = (235, 235, 235)
SHARE = 0.35
"""How much of the picture the veil takes."""


def draw_hidden(
    canvas: Image,
    outlines: Sequence[NDArray[np.float32]],
    scale: tuple[float, float],
    capital: float,
) -> None:
    """Veil and hatch regions of a picture (H, W, 3) uint8 BGR, in place.

    outlines: (N, 2) px each; scale: canvas px per px of those, across and down; capital: height of
    capital letters in the drawing, px, by which the hatching is spaced.
    """
    if not outlines:
        return
    shapes = [np.round(each * np.array(scale)).astype(np.int32) for each in outlines]
    inside = np.zeros(canvas.shape[:2], np.uint8)
    cv2.fillPoly(inside, shapes, 1)
    veiled = canvas.astype(np.float32) * (1 - SHARE) + np.array(VEIL, np.float32) * SHARE
    height, width = canvas.shape[:2]
    rows, columns = np.arange(height).reshape(-1, 1), np.arange(width).reshape(1, -1)
    step = max(6, round(2 * capital))
    stripes = (rows + columns) % step < max(1, step // 8)
    veiled[stripes] = STRIPE
    covered = inside > 0
    canvas[covered] = veiled[covered].astype(np.uint8)
    cv2.polylines(canvas, shapes, True, STRIPE, max(1, round(capital / 8)), cv2.LINE_AA)


__all__ = ["draw_hidden"]
