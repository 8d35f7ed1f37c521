"""Points of a picture that are known again in another picture of the same thing: SIFT, with rooted marks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Image

Array: TypeAlias = NDArray[np.float64]

RATIO = 0.8
"""A match whose second best is nearer than this ratio tells nothing (Lowe 2004)."""


@dataclass(frozen=True, eq=False)
class FeaturePoints:
    """Where points are, (N, 2), and their marks (N, 128), of length 1 each.

    at: px as `feature_points` gives them; whoever knows a better place, on a mat in mm or without the lens's
        distortion, replaces it.
    """

    at: Array
    marks: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.at)


def feature_points(grey: Image, mask: Image | None, count: int, contrast: float) -> FeaturePoints:
    """The clearest points of a picture (H, W) uint8, at most about `count`, px.

    SIFT (Lowe 2004), its marks rooted (Arandjelović 2012). mask: (H, W) uint8, 0 where none are wanted. contrast:
    fainter ones are left out, a share of the full range.
    """
    # Without precise upscaling all points lie a quarter of a px too far right and down.
    sift: Any = cv2.SIFT.create(
        nfeatures=count, contrastThreshold=contrast, enable_precise_upscale=True
    )
    found, marks = sift.detectAndCompute(grey, mask)
    if marks is None or not found:
        return FeaturePoints(np.zeros((0, 2)), np.zeros((0, 128), np.float32))
    at = np.array([point.pt for point in found], np.float64) + 0.5
    return FeaturePoints(at, np.sqrt(marks / np.maximum(marks.sum(1, keepdims=True), 1e-6)))


def in_the_mirror(points: FeaturePoints, width: int) -> FeaturePoints:
    """The same points as they would be found in the flipped picture, whose width is given, px.

    A mark is 4 x 4 places, laid along the point's own direction, of 8 directions each; a mirror turns the rows of
    places and the sense of the directions round.
    """
    turned = points.marks.reshape(-1, 4, 4, 8)[:, ::-1, :, -np.arange(8) % 8]
    at = np.column_stack([width - points.at[:, 0], points.at[:, 1]])
    return FeaturePoints(at, np.ascontiguousarray(turned.reshape(-1, 128)))


def alike(ours: FeaturePoints, theirs: FeaturePoints) -> tuple[Array, Array]:
    """Where points of ours are, and where those of theirs that are like them and like no other: (N, 2) each."""
    if len(ours) == 0 or len(theirs) < 2:
        return np.zeros((0, 2)), np.zeros((0, 2))
    like = ours.marks @ theirs.marks.T
    rows = np.arange(len(like))
    nearest = like.argmax(1)
    best = like[rows, nearest]
    like[rows, nearest] = -1
    # Marks have length 1, so that their squared distance is 2 - 2 x likeness.
    told = 2 - 2 * best < RATIO**2 * (2 - 2 * like.max(1))
    return ours.at[told], theirs.at[nearest[told]]
