"""Was the camera bumped? Told from the whole small picture: everything has moved alike.

This only says that it happened; where the mat is now is for `vision.mat` to find.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

LEAST_PX = 0.7
"""Least shift of the picture's corners, px of the small picture, that counts (2 px at 1280 px)."""
LEAST_INLIERS = 14
LEAST_SHARE = 0.35
"""Share of the matched points that must have moved alike: a hand's points are fewer."""
FEATURES = 500

Array = NDArray[np.float32]


@dataclass(frozen=True)
class Shift:
    """How the picture moved: a similarity (2, 3) from old to new px, and the farthest corner's way, px."""

    matrix: NDArray[np.float64]
    most_px: float

    @property
    def turn_deg(self) -> float:
        return math.degrees(math.atan2(self.matrix[1, 0], self.matrix[0, 0]))


def camera_shift(old: Array, new: Array) -> Shift | None:
    """The shift of the camera between two small pictures, (h, w, 3) float32 logs, or None for none.

    Matched ORB features (Rublee et al. 2011) and a similarity by RANSAC.
    """
    orb = cv2.ORB.create(FEATURES, fastThreshold=8)
    points_old, marks_old = orb.detectAndCompute(_grey(old), None)
    points_new, marks_new = orb.detectAndCompute(_grey(new), None)
    if marks_old is None or marks_new is None:
        return None
    matches = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(marks_old, marks_new)
    if len(matches) < LEAST_INLIERS:
        return None
    before = np.array([points_old[m.queryIdx].pt for m in matches])
    after = np.array([points_new[m.trainIdx].pt for m in matches])
    matrix, inliers = cv2.estimateAffinePartial2D(before, after, ransacReprojThreshold=2.0)
    if matrix is None or inliers is None:
        return None
    if int(inliers.sum()) < max(LEAST_INLIERS, LEAST_SHARE * len(matches)):
        return None
    return _shift(matrix, old.shape)


def _shift(matrix: NDArray[np.float64], shape: tuple[int, ...]) -> Shift | None:
    height, width = shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
    moved = corners @ matrix[:, :2].T + matrix[:, 2]
    most = float(np.linalg.norm(moved - corners, axis=1).max())
    scale = math.hypot(matrix[0, 0], matrix[1, 0])
    if most < LEAST_PX or not 0.7 < scale < 1.4:
        return None
    return Shift(np.asarray(matrix, np.float64), most)


def _grey(logs: Array) -> NDArray[np.uint8]:
    """8 bits (h, w) of logs, stretched over the middle of their range."""
    light = logs[..., 1]
    low, high = np.percentile(light[::4, ::4], [1, 99])
    return np.asarray(np.clip((light - low) / max(high - low, 1e-3) * 255, 0, 255), np.uint8)
