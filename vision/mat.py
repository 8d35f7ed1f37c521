"""Where the mat is in a picture: from px to mm on it and back. Found by a finder, or told by a person.

Px run from the picture's upper left corner: the middle of its first pixel is 0.5, 0.5.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, Protocol, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Image
from vision.layout import MatLayout, lawn_only
from vision.lens import CameraFit, Lens, likely_focal, pose_of

Array: TypeAlias = NDArray[np.float64]
By: TypeAlias = Literal["markers", "print", "grid", "corners", "features"]

CORNER_PX = 2.0
"""How exactly a person points at a corner, px."""


class MatError(ValueError):
    """Corners that are no picture of a lawn; the message is one sentence."""


@dataclass(frozen=True, eq=False)
class FoundMat:
    """A mat as a picture shows it.

    Attributes:
        homography: (3, 3) float64, mm on the mat to px of the undistorted picture, as it was given: its
            determinant is negative in a mirrored picture. The third row is the depth, positive.
        by: what it was found by.
        corners: (4, 2) px of the Lawn's corners: row 1 left, row 1 right, row 6 right, row 6 left.
        error_mm: expected error of a point at the Lawn's worst corner, root mean square.
        mirrored: the picture shows the table as a mirror does.
        lens: the camera's, fitted or usual.
        layout: which mat it is.
    """

    homography: Array
    by: By
    corners: Array
    error_mm: float
    mirrored: bool
    lens: Lens
    layout: MatLayout

    @property
    def size(self) -> tuple[int, int]:
        """Width and height px of the picture."""
        return self.lens.size

    @cached_property
    def rise(self) -> Array:
        """(3,) what a mm of height above the mat adds to a homogeneous point of the undistorted picture."""
        mirror = flip(self.lens.size[0]) if self.mirrored else np.eye(3)
        upright = mirror @ self.homography
        pose = pose_of(upright, self.lens)
        if pose is None:
            return np.zeros(3)
        plain = np.linalg.solve(self.lens.matrix, upright)
        scale = math.sqrt(np.linalg.norm(plain[:, 0]) * np.linalg.norm(plain[:, 1]))
        # The mat's third axis points away from the camera, heights towards it.
        return np.asarray(-scale * mirror @ self.lens.matrix @ pose[0][:, 2])

    @cached_property
    def _projection(self) -> Array:
        """(3, 3): what mm along the mat's two axes and upwards add to a homogeneous point."""
        return np.column_stack([self.homography[:, :2], self.rise])

    @cached_property
    def camera_mm(self) -> Array:
        """(3,) where the camera is: x, y on the mat and its height above it, mm."""
        return np.asarray(-np.linalg.solve(self._projection, self.homography[:, 2]))

    def to_mm(self, points: Array, height_mm: float = 0.0) -> Array:
        """Px (N, 2) of the picture to mm (N, 2), of what lies that high above the mat."""
        back = np.asarray(np.linalg.inv(self._raised(height_mm)), np.float64)
        return mapped(back, self.lens.straight(points))

    def to_px(self, points: Array, height_mm: float = 0.0) -> Array:
        """Mm (N, 2) that high above the mat to px (N, 2) of the picture."""
        return self.lens.bent(mapped(self._raised(height_mm), points))

    def raised_px(self, points: Array) -> Array:
        """Mm (N, 3), the third one the height, to px (N, 2) of the picture."""
        homogeneous = points @ self._projection.T + self.homography[:, 2]
        return self.lens.bent(homogeneous[:, :2] / homogeneous[:, 2:])

    def _raised(self, height_mm: float) -> Array:
        if height_mm == 0:
            return self.homography
        raised = self.homography.copy()
        raised[:, 2] += height_mm * self.rise
        return raised

    def turned(self, quarters: int) -> FoundMat:
        """The same lawn, read with row 1 at another side: turned by half turns (2) on its own plane."""
        if quarters % 4 not in (0, 2):
            raise MatError(
                "A lawn of six rows and three places fits on itself only after a half turn."
            )
        if quarters % 4 == 0:
            return self
        lawn = self.layout.lawn
        around = np.array([[-1, 0, lawn.x1], [0, -1, lawn.y1], [0, 0, 1.0]])
        homography = self.homography @ around
        return replace(self, homography=homography, corners=np.roll(self.corners, 2, axis=0))

    def to_json(self) -> dict[str, Any]:
        """What `lawn read --json` prints as `mat`."""
        return {
            "found": True,
            "by": self.by,
            "corners": [[round(float(x), 1), round(float(y), 1)] for x, y in self.corners],
            "error_mm": round(self.error_mm, 2),
        }


NOT_FOUND: dict[str, Any] = {"found": False, "by": None, "corners": None, "error_mm": None}
"""What `lawn read --json` prints as `mat` without one."""


class Finder(Protocol):
    """What finds a mat in a picture (H, W, 3) uint8 BGR, given where it was in the picture before."""

    def find(self, image: Image, previous: FoundMat | None = None) -> FoundMat | None: ...


def mat_of_corners(
    corners: Array,
    size: tuple[int, int],
    layout: MatLayout | None = None,
    by: By = "corners",
    lens: Lens | None = None,
    corner_px: float = CORNER_PX,
) -> FoundMat:
    """The mat whose Lawn has these corners (4, 2) px: row 1 left, row 1 right, row 6 right, row 6 left.

    size: of the picture, px. layout: default a lawn whose places have the shape that the corners show.
    lens: the camera's, if known. corner_px: how exact the corners are. Corners that go round the other way show
    a mirrored picture. Raises MatError when they are no picture of a rectangle.
    """
    corners = np.asarray(corners, np.float64)
    _check_corners(corners)
    mirrored = cv2.contourArea(corners.astype(np.float32), oriented=True) < 0
    mirror = flip(size[0]) if mirrored else np.eye(3)
    unit = np.array([[0, 0], [3, 0], [3, 6], [0, 6]], np.float64)
    straight = lens.straight(corners) if lens else corners
    to_px = mirror @ _four_points(unit, straight)
    if lens is None:
        lens = Lens(likely_focal_of_lawn(to_px, size), size)
    if layout is None:
        layout = _lawn_of_shape(to_px, lens)
    w, h = layout.cell_mm
    homography = mirror @ to_px @ np.diag([1 / w, 1 / h, 1.0])
    # The third row shall be the depth in mm.
    plain = np.linalg.solve(lens.matrix, homography)
    homography = homography / math.sqrt(
        float(np.linalg.norm(plain[:, 0]) * np.linalg.norm(plain[:, 1]))
    )
    found = FoundMat(homography, by, corners, 0.0, mirrored, lens, layout)
    return replace(found, error_mm=_corner_error(found, corner_px))


def from_fit(fit: CameraFit, layout: MatLayout, mirrored: bool, by: By = "markers") -> FoundMat:
    """The mat by a camera that was fitted to what is seen of it, in the flipped picture if it is mirrored."""
    homography = flip(fit.lens.size[0]) @ fit.to_px if mirrored else fit.to_px
    corners = np.array(layout.corners)
    return FoundMat(
        homography=homography,
        by=by,
        corners=fit.lens.bent(mapped(homography, corners)),
        error_mm=float(fit.errors_mm(corners).max()),
        mirrored=mirrored,
        lens=fit.lens,
        layout=layout,
    )


def likely_focal_of_lawn(to_px: Array, size: tuple[int, int]) -> float:
    """The focal length px that the right angles of a lawn show, unit places to px.

    Only the angle counts, since the places' shape is not known; kept near the usual lens.
    """
    longest = max(size)
    usual = likely_focal(np.eye(3), size)
    cx, cy = np.array(size) / 2
    shifted = np.array([[1, 0, -cx], [0, 1, -cy], [0, 0, 1.0]]) @ to_px
    (a, b, c), (d, e, f) = shifted[:, 0], shifted[:, 1]
    if abs(c * f) < 1e-12:
        return usual
    squared = -(a * d + b * e) / (c * f)
    if not (0.6 * longest) ** 2 < squared < (1.3 * longest) ** 2:
        return usual
    return math.sqrt(squared)


def _lawn_of_shape(to_px: Array, lens: Lens) -> MatLayout:
    """A lawn whose places are as wide to high as seen; their size is assumed."""
    plain = np.linalg.solve(lens.matrix, to_px)
    ratio = float(np.linalg.norm(plain[:, 0]) / np.linalg.norm(plain[:, 1]))
    assumed = lawn_only()
    area = assumed.cell_mm[0] * assumed.cell_mm[1]
    ratio = float(np.clip(ratio, 0.5, 2.5))
    return lawn_only((math.sqrt(area * ratio), math.sqrt(area / ratio)))


def _corner_error(found: FoundMat, corner_px: float) -> float:
    """Error in mm of a point at the worst corner when the corners err by `corner_px` along each axis."""
    worst = 0.0
    for corner in found.corners:
        steps = corner + np.array([[0, 0], [1, 0], [0, 1.0]])
        at = found.to_mm(steps)
        worst = max(worst, float(np.sqrt(((at[1:] - at[0]) ** 2).sum())))
    return corner_px * worst


def _check_corners(corners: Array) -> None:
    if corners.shape != (4, 2) or not np.isfinite(corners).all():
        raise MatError("A lawn has four corners, each with an x and a y.")
    turns = []
    for corner in range(4):
        a, b, c = corners[corner - 1], corners[corner], corners[(corner + 1) % 4]
        one, two = b - a, c - b
        if min(np.linalg.norm(one), np.linalg.norm(two)) < 3:
            raise MatError(
                "Two corners of the lawn are at the same point; give four different ones."
            )
        turns.append(float(one[0] * two[1] - one[1] * two[0]))
    if not (min(turns) > 0 or max(turns) < 0):
        raise MatError(
            "The corners cross or lie on one line; give them round the lawn: "
            "row 1 left, row 1 right, row 6 right, row 6 left."
        )


def parse_corners(text: str, size: tuple[int, int]) -> Array:
    """The four corners (4, 2) px that a person wrote as 'x,y x,y x,y x,y' for a picture of that size.

    Raises MatError with one sentence that says what is wrong.
    """
    words = text.replace(";", " ").split()
    points = []
    for word in words:
        try:
            x, y = (float(part) for part in word.split(","))
        except ValueError:
            raise MatError(
                f"The corner {word!r} is not an x and a y with a comma between, like 320,180."
            ) from None
        points.append((x, y))
    if len(points) != 4:
        raise MatError(
            f"The lawn has four corners, not {len(points)}: "
            "row 1 left, row 1 right, row 6 right, row 6 left, as 'x,y x,y x,y x,y'."
        )
    for word, (x, y) in zip(words, points, strict=True):
        if not (0 <= x <= size[0] and 0 <= y <= size[1]):
            raise MatError(
                f"The corner {word} is outside the picture, which is {size[0]} x {size[1]} px."
            )
    corners = np.array(points, np.float64)
    _check_corners(corners)
    return corners


def _four_points(points: Array, seen: Array) -> Array:
    return np.asarray(
        cv2.getPerspectiveTransform(points.astype(np.float32), seen.astype(np.float32)), np.float64
    )


def flip(width: int) -> Array:
    """(3, 3) px to px of the mirrored picture."""
    return np.array([[-1, 0, width], [0, 1, 0], [0, 0, 1.0]])


def mapped(homography: Array, points: Array) -> Array:
    homogeneous = points @ homography[:, :2].T + homography[:, 2]
    return np.asarray(homogeneous[:, :2] / homogeneous[:, 2:])
