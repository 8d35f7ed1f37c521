"""Find the mat again without markers: by what the table and the mat look like, once the camera was bumped.

When the mat is known, the picture's features and where they lie on the table's plane are kept. In a later picture the
same features show where that plane is now; then the table's texture is laid over itself and followed to a fraction of
a pixel. What does not prove itself is refused: a plain table has nothing to go by.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.feature_points import FeaturePoints, alike, feature_points
from vision.frames import Image
from vision.mat import FoundMat, MatError, mapped, mat_of_corners

Array: TypeAlias = NDArray[np.float64]

LONGEST_PX = 960
"""Pictures are looked at in at most this size, px: features are found to a tenth of a px, which is a quarter mm."""
FEATURES, CONTRAST = 1400, 0.015
"""So many features of a picture are taken, and none fainter than this."""
NEAR_PX = 3.0
"""A match further than this from where the plane has it is not on the plane, px of the looked-at picture."""
LEAST_MATCHES = 14
TRACKED = 400
BACK_PX = 0.5
"""A point that is not followed back to where it came from, within this, is not followed."""
LEAST_TRACKED = 24
LEAST_SHARE = 0.35
"""Share of the points in view that must be found again where the plane has them; chance finds far fewer."""
WORST_ERROR_MM = 3.0
"""A mat that could be further off than this is not given."""
AROUND = 1.0
"""So many lawns' sizes of table around the lawn are used; what is far away is seen too obliquely."""


class Refinder:
    """The mat of a reference picture, found again in later pictures of the same table by the same camera.

    A `Finder`: give it to `MatFinder(others=...)`.
    """

    def __init__(self, image: Image, mat: FoundMat, dice: Array | None = None) -> None:
        """image: (H, W, 3) uint8 BGR in which `mat` was found; dice: boxes (N, 4) px, which will move."""
        self._mat = mat
        self._scale = min(1.0, LONGEST_PX / max(image.shape[:2]))
        self._grey = self._shown(image)
        table = self._table_mask(dice)
        self._points = self._features(self._grey, table)
        corners = cv2.goodFeaturesToTrack(self._grey, TRACKED, 0.004, 7, mask=table)
        self._track = np.zeros((0, 2), np.float32) if corners is None else corners.reshape(-1, 2)

    @property
    def hopeless(self) -> bool:
        """Whether the table shows too little to find it again by."""
        return len(self._points) < LEAST_MATCHES or len(self._track) < LEAST_TRACKED

    def find(self, image: Image, previous: FoundMat | None = None) -> FoundMat | None:  # noqa: ARG002
        """Where the mat is now in a picture (H, W, 3) uint8 BGR, None when that is not proven; by "features".

        Half a second of one core at most, for pictures of any size.
        """
        if self.hopeless or (image.shape[1], image.shape[0]) != self._mat.size:
            return None
        grey = self._shown(image)
        moved = self._matched(self._features(grey, None))
        if moved is None:
            return None
        return self._refined(grey, moved)

    def followed(self, image: Image, rough: FoundMat) -> FoundMat | None:
        """As `find`, where another way has told roughly, by some mm, where the mat is now."""
        if self.hopeless or rough.size != self._mat.size:
            return None
        moved = rough.homography @ np.linalg.inv(self._mat.homography)
        return self._refined(self._shown(image), np.asarray(moved, np.float64))

    def _shown(self, image: Image) -> Image:
        grey = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        if self._scale < 1:
            grey = cv2.resize(
                grey, None, fx=self._scale, fy=self._scale, interpolation=cv2.INTER_AREA
            )
        # Faint grain is all that a wooden or felt table has; light may change between the pictures.
        even: Any = cv2.createCLAHE(clipLimit=6.0, tileGridSize=(8, 8))
        return np.asarray(even.apply(np.ascontiguousarray(grey, np.uint8)), np.uint8)

    def _table_mask(self, dice: Array | None) -> Image:
        """Where (h, w) the table around the lawn is, without the dice that lie on it."""
        layout = self._mat.layout
        wide, high = layout.lawn.width, layout.lawn.height
        reach = AROUND * max(wide, high)
        height, width = self._grey.shape
        y, x = np.mgrid[0:height:8, 0:width:8].astype(np.float64)
        px = (np.column_stack([x.ravel(), y.ravel()]) + 0.5) / self._scale
        ahead = self._straightened(px)
        depth = (
            np.column_stack([ahead, np.ones(len(ahead))]) @ np.linalg.inv(self._mat.homography)[2]
        )
        mm = self._mat.to_mm(px)
        near = (
            (mm[:, 0] > -reach) & (mm[:, 0] < wide + reach) & (mm[:, 1] > -reach) & (mm[:, 1] < high + reach)
        )  # fmt: skip
        inner = np.linalg.inv(self._mat.homography)[2] @ np.append(
            self._straightened(self._mat.corners).mean(0), 1
        )
        near &= depth * np.sign(inner) > 0  # this side of the horizon
        mask = near.reshape(y.shape).astype(np.uint8) * 255
        mask = cv2.resize(mask, (width, height), interpolation=cv2.INTER_NEAREST)
        for box in dice if dice is not None else ():
            x0, y0, x1, y1 = box * self._scale
            grow = 0.15 * (x1 - x0) + 2
            low, top = (round(x0 - grow), round(y0 - grow)), (round(x1 + grow), round(y1 + grow))
            cv2.rectangle(mask, low, top, 0, -1)
        return np.asarray(mask, np.uint8)

    def _straightened(self, px: Array) -> Array:
        return self._mat.lens.straight(px)

    def _features(self, grey: Image, mask: Image | None) -> FeaturePoints:
        """Points in px of the undistorted picture."""
        found = feature_points(grey, mask, FEATURES, CONTRAST)
        return replace(found, at=self._straightened(found.at / self._scale))

    def _matched(self, points: FeaturePoints) -> Array | None:
        """(3, 3) from the reference's undistorted px to the new picture's, by the features alone."""
        before, after = alike(self._points, points)
        if len(before) < LEAST_MATCHES:
            return None
        moved, inliers = cv2.findHomography(
            before, after, cv2.USAC_MAGSAC, NEAR_PX / self._scale, maxIters=4000, confidence=0.9999
        )
        if moved is None or inliers is None or int(inliers.sum()) < LEAST_MATCHES:
            return None
        return np.asarray(moved, np.float64)

    def _refined(self, grey: Image, moved: Array) -> FoundMat | None:
        """The mat where the table's texture lies over itself; None unless enough of it does."""
        height, width = grey.shape
        before_px = (self._track.astype(np.float64) + 0.5) / self._scale
        before = self._straightened(before_px)
        after = before
        for _ in range(2):
            # The new picture as the old camera saw it, so that little is left to follow.
            across, down = np.meshgrid(np.arange(width) + 0.5, np.arange(height) + 0.5)
            grid = np.column_stack([across.ravel(), down.ravel()]) / self._scale
            source = self._mat.lens.bent(mapped(moved, self._straightened(grid)))
            source = source * self._scale - 0.5
            at = source.astype(np.float32).reshape(height, width, 2)
            back = cv2.remap(grey, at, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            tracks, seen = _followed(self._grey, np.asarray(back, np.uint8), self._track)
            there = at[
                np.clip(np.round(self._track[:, 1]).astype(int), 0, height - 1),
                np.clip(np.round(self._track[:, 0]).astype(int), 0, width - 1),
            ]
            in_view = ((there > 4) & (there < [width - 5, height - 5])).all(1)
            seen &= in_view
            if seen.sum() < LEAST_TRACKED or seen.sum() < LEAST_SHARE * in_view.sum():
                return None
            in_old = self._straightened((tracks[seen].astype(np.float64) + 0.5) / self._scale)
            after = mapped(moved, in_old)
            better, inliers = cv2.findHomography(
                before[seen], after, cv2.USAC_MAGSAC, 1.5 / self._scale, maxIters=2000
            )
            if better is None or inliers is None:
                return None
            good = inliers.ravel() > 0
            if good.sum() < LEAST_TRACKED or good.sum() < LEAST_SHARE * in_view.sum():
                return None
            kept_before, kept_after = before[seen][good], after[good]
            moved = np.asarray(better, np.float64)
        found = self._mat_at(moved)
        if found is None:
            return None
        error = error_mm(moved, kept_before, kept_after, found)
        error = float(np.hypot(error, self._mat.error_mm))
        return None if error > WORST_ERROR_MM else replace(found, error_mm=error)

    def _mat_at(self, moved: Array) -> FoundMat | None:
        """The mat when the plane has moved so, None when no camera could see it so."""
        corners = self._mat.lens.bent(mapped(moved, self._straightened(self._mat.corners)))
        try:
            found = mat_of_corners(
                corners, self._mat.size, self._mat.layout, "features", self._mat.lens
            )
        except MatError:
            return None
        return found if found.mirrored == self._mat.mirrored else None


def _followed(
    old: Image, new: Image, points: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Where points (N, 2) of one picture are in another that is nearly the same, and which were found (N,)."""
    start = np.ascontiguousarray(points.reshape(-1, 1, 2))
    setting: Any = {"winSize": (15, 15), "maxLevel": 2}
    there, ok, _ = cv2.calcOpticalFlowPyrLK(old, new, start, None, **setting)
    again, back_ok, _ = cv2.calcOpticalFlowPyrLK(new, old, there, None, **setting)
    apart = np.linalg.norm((again - start).reshape(-1, 2), axis=1)
    seen = (ok.ravel() > 0) & (back_ok.ravel() > 0) & (apart < BACK_PX)
    return np.asarray(there.reshape(-1, 2), np.float32), seen


def error_mm(moved: Array, before: Array, after: Array, found: FoundMat) -> float:
    """Expected error at the lawn's worst corner, mm, of a homography (3, 3) fitted to points (N, 2) px.

    Twice the points' scatter as the fit's covariance carries it to the corners (Hartley and Zisserman 2004, 5.2), and
    half of the scatter, since neighbouring points err together.
    """
    rest = after - mapped(moved, before)
    spread = float(np.sqrt((rest**2).sum() / max(2 * len(rest) - 8, 1)))
    middle, reach = before.mean(0), float(before.std()) or 1.0
    inverse = np.linalg.inv(np.array([[reach, 0, middle[0]], [0, reach, middle[1]], [0, 0, 1.0]]))
    unit = mapped(inverse, before)
    local = mapped(moved, before)
    design = _design(unit, (local - local.mean(0)) / reach)
    covariance = np.linalg.pinv(design.T @ design) * spread**2
    corners = found.lens.straight(found.corners)
    back: Array = np.asarray(np.linalg.inv(moved), np.float64)
    old = mapped(back, corners)
    at = _design(mapped(inverse, old), (corners - local.mean(0)) / reach)
    carried = at @ covariance @ at.T
    worst = 0.0
    for corner in range(4):
        px = float(
            np.sqrt(np.trace(carried[2 * corner : 2 * corner + 2, 2 * corner : 2 * corner + 2]))
        )
        steps = found.corners[corner] + np.array([[0, 0], [1, 0], [0, 1.0]])
        mm = found.to_mm(steps)
        scale = float(np.linalg.norm(mm[1:] - mm[0], axis=1).max())
        worst = max(worst, (2 * px + spread / 2) * scale)
    return worst


def _design(points: Array, seen: Array) -> Array:
    """(2 N, 8): how the unknowns of a homography move points (N, 2) that are seen at (N, 2)."""
    x, y = points.T
    u, v = seen.T
    zero, one = np.zeros(len(x)), np.ones(len(x))
    rows = np.empty((2 * len(x), 8))
    rows[0::2] = np.column_stack([x, y, one, zero, zero, zero, -x * u, -y * u])
    rows[1::2] = np.column_stack([zero, zero, zero, x, y, one, -x * v, -y * v])
    return rows
