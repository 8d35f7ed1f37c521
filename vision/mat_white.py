"""What the light over a printed mat makes of white paper, seen by the white of its markers."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Image
from vision.linear_light import linear_of
from vision.mat import FoundMat
from vision.mat_design import MODULES, marker_bits
from vision.overlap import Box

Array = NDArray[np.float64]

SHARES = (0.3, 0.5, 0.7)
"""Where a module is looked at along each side: not at its edge, where black shines in."""
LEAST_POINTS = 40
"""A marker of whose white fewer points are in sight tells nothing."""
BRIGHTER = 0.6
"""A marker's white is the middle of what is brighter than this share of it: shadows, ink and blur are darker."""
DARKEST = 0.003
"""Of linear light, 0..1: below it a camera shows noise."""


def white_of_markers(image: Image, mat: FoundMat, boxes: Iterable[Box] = ()) -> Array | None:
    """L*a*b* (3,) of white paper on a mat in a picture (H, W, 3) uint8 BGR: the geometric mean of its markers.

    A lamp that shines on one end of the mat is met in the middle. boxes: px of dice, which are not paper. None where
    no marker's white is in sight, or the mat has none.
    """
    whites = []
    for number, corners in mat.layout.markers.items():
        at = mat.to_px(_white_points(number, np.array(corners)))
        seen = _free(at, image.shape, boxes)
        if seen.sum() < LEAST_POINTS:
            continue
        x, y = np.floor(at[seen]).astype(int).T
        light = linear_of(image[y, x])
        bright = light.sum(1) >= np.quantile(light.sum(1), BRIGHTER)
        whites.append(np.median(light[bright], axis=0))
    if not whites:
        return None
    mean = np.exp(np.log(np.maximum(whites, DARKEST)).mean(0))
    colour = cv2.cvtColor(mean.astype(np.float32).reshape(1, 1, 3), cv2.COLOR_LBGR2Lab)
    return np.asarray(colour[0, 0], np.float64)


def _white_points(number: int, corners: Array) -> Array:
    """Mm (N, 2) on the white of a marker with these corners (4, 2): its white modules and its border of one module."""
    along, down = (corners[1] - corners[0]) / MODULES, (corners[3] - corners[0]) / MODULES
    white = np.ones((MODULES + 2, MODULES + 2), bool)
    white[1:-1, 1:-1] = marker_bits(number)
    rows, columns = np.nonzero(white)
    v, u = (axis.ravel() for axis in np.meshgrid(SHARES, SHARES))
    u, v = (columns[:, None] - 1 + u).reshape(-1, 1), (rows[:, None] - 1 + v).reshape(-1, 1)
    return np.asarray(corners[0] + u * along + v * down)


def _free(at: Array, shape: tuple[int, ...], boxes: Iterable[Box]) -> NDArray[np.bool_]:
    """Which points px (N, 2) lie in a picture of that shape (H, W, ...) and in none of the boxes."""
    x, y = at.T
    free = (x >= 1) & (x < shape[1] - 1) & (y >= 1) & (y < shape[0] - 1)
    for x0, y0, x1, y1 in boxes:
        free &= ~((x > x0) & (x < x1) & (y > y0) & (y < y1))
    return np.asarray(free)
