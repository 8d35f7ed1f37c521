"""Cut dice out of labelled pictures, with a soft edge, so that they can be pasted elsewhere (datasets.paste).

Labels give boxes, not outlines. GrabCut (Rother, Kolmogorov and Blake, SIGGRAPH 2004, as in OpenCV) finds the outline
inside the box; a cut-out whose outline is no die's (ragged, or far from filling its box) is not used.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

WORK_PX = 112
"""A die is cut out at this size of its box's longer side at most, px."""
MARGIN = 0.3
"""How far around the box GrabCut looks for the background, in sides of the box."""
ROUNDS = 4
LEAST_FILL, MOST_FILL = 0.5, 0.97
"""Share of its box that a die's outline fills; a cube seen anywhere between a face and a corner fills 0.6 to 0.95."""
LEAST_SOLID = 0.93
"""Area of the outline by that of its convex hull: dice are convex."""
LEAST_PX = 40
"""Smaller dice are too coarse to be shown elsewhere."""


@dataclass(frozen=True)
class CutOut:
    """A die without its surroundings.

    bgra: (h, w, 4) uint8, colours as they were, the last channel how much of the pixel is die; face: 1..6;
    light: BGR (3,) float32, 0..255, the brightness of what surrounded it (upper quartile), for matching light.
    """

    bgra: NDArray[np.uint8]
    face: int
    light: NDArray[np.float32]

    @property
    def size_px(self) -> float:
        """The square root of the outline's box."""
        height, width = self.bgra.shape[:2]
        return float(np.sqrt(height * width))


def cut_out(image: NDArray[np.uint8], box: NDArray[np.float32], face: int) -> CutOut | None:
    """The die in that box x0 y0 x1 y1 px of a picture, (H, W, 3) uint8 BGR; None when its outline is not found."""
    x0, y0, x1, y1 = (float(v) for v in box)
    side = max(x1 - x0, y1 - y0)
    if min(x1 - x0, y1 - y0) < LEAST_PX:
        return None
    scale = min(WORK_PX / side, 1.0)
    left, top = max(int(x0 - MARGIN * side), 0), max(int(y0 - MARGIN * side), 0)
    right = min(int(x1 + MARGIN * side) + 1, image.shape[1])
    below = min(int(y1 + MARGIN * side) + 1, image.shape[0])
    if x0 - left < 3 or y0 - top < 3 or right - x1 < 3 or below - y1 < 3:
        return None  # at the picture's edge: part of it may be missing
    region = image[top:below, left:right]
    region = cv2.resize(region, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    inner = np.rint(np.array([x0 - left, y0 - top, x1 - x0, y1 - y0]) * scale).astype(int)
    mask = _outline(np.asarray(region, np.uint8), inner)
    if mask is None:
        return None
    ring = np.ones(mask.shape, bool)
    ring[inner[1] : inner[1] + inner[3], inner[0] : inner[0] + inner[2]] = False
    light = np.percentile(region[ring], 75, axis=0).astype(np.float32)
    # The rim of an outline holds a little of the old background: take a pixel off and blur what is left.
    alpha = cv2.GaussianBlur(cv2.erode(mask, np.ones((3, 3), np.uint8)) * 255, (0, 0), 0.8)
    rows, columns = np.flatnonzero(alpha.max(1) > 8), np.flatnonzero(alpha.max(0) > 8)
    whole = np.dstack([region, alpha])[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    return CutOut(np.ascontiguousarray(whole, np.uint8), face, light)


def _outline(region: NDArray[np.uint8], inner: NDArray[np.int_]) -> NDArray[np.uint8] | None:
    """0/1 (h, w) of the die in the box `inner` (x, y, w, h) of a region; None when that is no die's outline."""
    state = np.zeros(region.shape[:2], np.uint8)
    cv2.setRNGSeed(0)  # GrabCut starts from random clusters
    rectangle = (int(inner[0]), int(inner[1]), int(inner[2]), int(inner[3]))
    try:
        background, foreground = np.zeros((1, 65)), np.zeros((1, 65))
        cv2.grabCut(region, state, rectangle, background, foreground, ROUNDS, cv2.GC_INIT_WITH_RECT)
    except cv2.error:
        return None  # one colour only
    inside = np.isin(state, (cv2.GC_FGD, cv2.GC_PR_FGD)).astype(np.uint8)
    inside = np.asarray(cv2.morphologyEx(inside, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)))
    contours, _ = cv2.findContours(inside, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not contours:
        return None
    largest = max(contours, key=cv2.contourArea)
    area, hull = cv2.contourArea(largest), cv2.contourArea(cv2.convexHull(largest))
    fill = area / float(inner[2] * inner[3])
    if not (LEAST_FILL <= fill <= MOST_FILL) or area < LEAST_SOLID * hull:
        return None
    mask = np.zeros(region.shape[:2], np.uint8)
    cv2.drawContours(mask, [largest], -1, 1, cv2.FILLED)  # pips that look like the table are filled
    return mask
