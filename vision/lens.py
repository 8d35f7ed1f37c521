"""The camera model: a pinhole with one radial term, fitted to points of the mat.

Px run from the picture's upper left corner: the middle of its first pixel is 0.5, 0.5. The picture's
middle is taken for the optical axis and pixels for square, as they are in webcams and phones.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

TYPICAL_FOCAL = 0.85
"""Focal length in picture widths (the longer side) expected of a webcam or phone: 61 degrees across."""
FOCAL_SPREAD = 0.25
"""Deviation of its logarithm: 45 to 82 degrees across are within one and a half deviations."""
BEND_SPREAD = 0.08
"""Deviation of the radial term expected of a camera that nobody has calibrated."""
KNOWN_FOCAL_SPREAD, KNOWN_BEND_SPREAD = 0.01, 0.01
"""The same for a camera that was fitted before."""
POINT_PX = 0.3
"""Deviation of a well-seen marker corner along each axis, px."""
ITERATIONS = 25


@dataclass(frozen=True)
class Lens:
    """focal and centre in px; bend: the radial term k1 of OpenCV's model; size: width, height px."""

    focal: float
    size: tuple[int, int]
    bend: float = 0.0

    @cached_property
    def centre(self) -> Array:
        return np.array(self.size, np.float64) / 2

    @property
    def matrix(self) -> Array:
        """K, (3, 3)."""
        cx, cy = self.centre
        return np.array([[self.focal, 0, cx], [0, self.focal, cy], [0, 0, 1.0]])

    def bent(self, points: Array) -> Array:
        """Px (N, 2) of the undistorted picture to px of the picture."""
        if self.bend == 0:
            return points
        rays = (points - self.centre) / self.focal
        r2 = np.minimum((rays**2).sum(1, keepdims=True), self._reach)
        return np.asarray(rays * (1 + self.bend * r2) * self.focal + self.centre)

    def straight(self, points: Array) -> Array:
        """Px (N, 2) of the picture to px of the undistorted picture."""
        if self.bend == 0:
            return points
        seen = (points - self.centre) / self.focal
        distance = np.sqrt((seen**2).sum(1, keepdims=True))
        r = distance.copy()
        for _ in range(8):  # Newton on r + k r^3 = distance
            r -= (r + self.bend * r**3 - distance) / np.maximum(1 + 3 * self.bend * r**2, 0.2)
        scale = np.where(distance > 1e-9, r / np.maximum(distance, 1e-9), 1.0)
        return np.asarray(seen * scale * self.focal + self.centre)

    @property
    def _reach(self) -> float:
        """Squared radius beyond which a barrel's bend would fold the picture over."""
        return 1 / (3 * -self.bend) if self.bend < 0 else math.inf


@dataclass(frozen=True)
class CameraFit:
    """A camera that sees points of the mat.

    to_px: (3, 3), mat mm to px of the undistorted picture, scaled so that its third row gives the
    depth in mm; residual_px: root mean square of the distances along an axis; spread: (8, 8)
    covariance of `parameters` (rotation vector, shift mm, log focal, bend).
    """

    to_px: Array
    lens: Lens
    residual_px: float
    parameters: Array
    spread: Array
    misfits: Array
    """(N,) distance px of each point from where the camera would see it."""

    def errors_mm(self, points: Array) -> Array:
        """Expected error (N,), mm, of located points (N, 2) mm on the mat: root mean square."""
        size = self.lens.size
        base, moved = projected(self.parameters, points, size)
        along = np.stack(
            [projected(self.parameters, points + shift, size)[0] - base for shift in np.eye(2)],
            axis=-1,
        )
        jacobian = np.linalg.solve(along, moved)
        covariance = jacobian @ self.spread @ jacobian.transpose(0, 2, 1)
        return np.asarray(np.sqrt(np.trace(covariance, axis1=1, axis2=2)))


def projected(parameters: Array, points: Array, size: tuple[int, int]) -> tuple[Array, Array]:
    """Where a camera of these parameters sees points (N, 2) mm of the mat, px (N, 2).

    Also how that changes with each parameter, (N, 2, 8).
    """
    focal = math.exp(parameters[6])
    flat = np.column_stack([points, np.zeros(len(points))])
    seen, all_slopes = cv2.projectPoints(
        flat,
        parameters[:3],
        parameters[3:6],
        Lens(focal, size).matrix,
        np.array([parameters[7], 0.0, 0.0, 0.0]),
    )
    # OpenCV's columns: rotation, shift, fx, fy, cx, cy, k1 and further terms.
    slopes = all_slopes.reshape(len(points), 2, -1)
    log_focal = (slopes[..., 6:7] + slopes[..., 7:8]) * focal
    kept = np.concatenate([slopes[..., :6], log_focal, slopes[..., 10:11]], axis=-1)
    return np.asarray(seen[:, 0], np.float64), np.asarray(kept, np.float64)


def fit_camera(
    points: Array, seen: Array, size: tuple[int, int], known: Lens | None = None
) -> CameraFit | None:
    """Fit a camera to points (N, 2) mm, N >= 4, seen at (N, 2) px; None when they are no picture of the mat.

    Minimises reprojection errors and, weighed by what is usual, the departure of focal length and
    bend from a usual lens, so that few points do not invent a lens (maximum a posteriori,
    Levenberg-Marquardt). known: the lens of this camera as fitted before.
    """
    start = _start(points, seen, size, known)
    if start is None:
        return None
    longest = max(size)
    if known is None:
        wanted = np.array([math.log(TYPICAL_FOCAL * longest), 0.0])
        spread = np.array([FOCAL_SPREAD, BEND_SPREAD])
    else:
        wanted = np.array([math.log(known.focal), known.bend])
        spread = np.array([KNOWN_FOCAL_SPREAD, KNOWN_BEND_SPREAD])

    def misfit(p: Array) -> tuple[Array, Array]:
        """(2 N + 2,) in deviations, and its slopes (2 N + 2, 8)."""
        at, slopes = projected(p, points, size)
        off = np.concatenate([((at - seen) / POINT_PX).ravel(), (p[6:] - wanted) / spread])
        usual = np.hstack([np.zeros((2, 6)), np.diag(1 / spread)])
        return off, np.vstack([slopes.reshape(-1, 8) / POINT_PX, usual])

    p, damping = start, 1e-3
    now, jacobian = misfit(p)
    for _ in range(ITERATIONS):
        normal, slope = jacobian.T @ jacobian, jacobian.T @ now
        if not np.isfinite(normal).all():
            return None
        for _ in range(8):
            step = np.linalg.solve(normal + damping * np.diag(normal.diagonal() + 1e-12), slope)
            after, after_slopes = misfit(p - step)
            if after @ after <= now @ now:
                break
            damping *= 10
        else:
            break
        gain = float(now @ now - after @ after)
        p, now, jacobian, damping = p - step, after, after_slopes, max(damping / 10, 1e-9)
        if gain < 1e-4:
            break
    off = now[:-2].reshape(-1, 2) * POINT_PX
    misfits = np.sqrt((off**2).sum(1))
    free = max(2 * len(points) - 6, 1)
    excess = max(float((now[:-2] ** 2).sum()) / free, 1.0)
    lens = Lens(math.exp(p[6]), size, float(p[7]))
    turn, _ = cv2.Rodrigues(p[:3])
    to_px = lens.matrix @ np.column_stack([turn[:, 0], turn[:, 1], p[3:6]])
    covariance = np.asarray(np.linalg.pinv(normal) * excess, np.float64)
    residual = float(np.sqrt((off**2).mean()))
    return CameraFit(to_px, lens, residual, p, covariance, misfits)


def _start(points: Array, seen: Array, size: tuple[int, int], known: Lens | None) -> Array | None:
    """Parameters to start from: the homography taken apart with the likeliest focal length."""
    straight = known.straight(seen) if known else seen
    homography, _ = cv2.findHomography(points, straight, 0)
    if homography is None or not np.isfinite(homography).all():
        return None
    focal = known.focal if known else likely_focal(homography, size)
    lens = Lens(focal, size, known.bend if known else 0.0)
    pose = pose_of(homography, lens)
    if pose is None:
        return None
    turn, shift = pose
    return np.concatenate([cv2.Rodrigues(turn)[0].ravel(), shift, [math.log(focal), lens.bend]])


def pose_of(homography: Array, lens: Lens) -> tuple[Array, Array] | None:
    """Rotation (3, 3) and shift (3,) mm of a homography mm to undistorted px; None of a degenerate one.

    The camera's axes are x right, y down, z ahead, and the mat's third axis points away from the camera.
    """
    columns = np.linalg.solve(lens.matrix, homography)
    scale = math.sqrt(np.linalg.norm(columns[:, 0]) * np.linalg.norm(columns[:, 1]))
    if scale < 1e-12:
        return None
    columns = columns / (scale if columns[2, 2] > 0 else -scale)
    first, second = columns[:, 0], columns[:, 1]
    rough = np.column_stack([first, second, np.cross(first, second)])
    u, _, vt = np.linalg.svd(rough)
    turn = u @ np.diag([1.0, 1.0, float(np.sign(np.linalg.det(u @ vt)))]) @ vt
    return np.asarray(turn, np.float64), np.asarray(columns[:, 2], np.float64)


def likely_focal(homography: Array, size: tuple[int, int]) -> float:
    """The focal length px that makes the mat's axes square, or the usual one where that says too little.

    Zhang, "A flexible new technique for camera calibration" (2000), with the optical axis in the middle:
    the two axes' directions are at right angles and of one length.
    """
    longest = max(size)
    usual = TYPICAL_FOCAL * longest
    cx, cy = np.array(size) / 2
    shifted = np.array([[1, 0, -cx], [0, 1, -cy], [0, 0, 1.0]]) @ homography
    (a, b, c), (d, e, f) = shifted[:, 0], shifted[:, 1]
    # (a d + b e) / f^2 + c f = 0 and (a^2 + b^2 - d^2 - e^2) / f^2 + c^2 - f^2 = 0, by least squares
    left = np.array([a * d + b * e, a * a + b * b - d * d - e * e])
    right = -np.array([c * f, c * c - f * f])
    down = float(left @ left)
    inverse = float(left @ right) / down if down > 0 else 0.0
    if inverse <= 0:
        return usual
    return float(np.clip(1 / math.sqrt(inverse), 0.55 * longest, 1.6 * longest))
