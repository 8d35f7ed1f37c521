"""Find the mat's corner markers in a picture, to a fraction of a pixel, also in a mirrored one.

Px run from the picture's upper left corner: the middle of its first pixel is 0.5, 0.5.
"""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Image
from vision.layout import MatLayout, layout_of_marker
from vision.mat_design import DICTIONARY, MODULES

Array = NDArray[np.float64]
Seen = dict[int, Array]
"""Marker number -> its corners (4, 2) px, in the order of the layout's."""

BORDER_PX = 2.0
"""A corner this near to the picture's edge may be where the edge cuts the marker."""
LARGER_SIDE_PX = 2600
"""A picture is not enlarged beyond this longer side, px."""


@cache
def _detector() -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    parameters.minMarkerPerimeterRate = 0.02
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_NONE
    parameters.minDistanceToBorder = 1
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY), parameters)


def find_markers(image: Image, scale: float = 1.0, mirrored: bool = False) -> Seen:
    """Markers of any of our mats in a picture (H, W) or (H, W, 3) uint8 BGR.

    scale: enlarge it first, for small markers. mirrored: look in the flipped picture; the corners are
    still those in the picture as it is. Wrong ones may be among them: `grouped` and a fit tell.
    """
    grey = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    width = grey.shape[1]
    if mirrored:
        grey = np.ascontiguousarray(grey[:, ::-1])
    shown = grey
    if scale != 1.0:
        shown = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    quads, numbers, _ = _detector().detectMarkers(shown)
    found: Seen = {}
    doubled: set[int] = set()
    for quad, number in zip(quads, [] if numbers is None else numbers.ravel(), strict=True):
        corners = (quad[0].astype(np.float64) + 0.5) / scale
        if (corners < BORDER_PX).any() or (corners > np.array(grey.shape[::-1]) - BORDER_PX).any():
            continue
        if int(number) in found:
            doubled.add(int(number))
        found[int(number)] = refined(grey, corners)
    for number in doubled:  # a number that is there twice says nothing
        del found[number]
    if mirrored:
        for corners in found.values():
            corners[:, 0] = width - corners[:, 0]
    return found


def grouped(seen: Seen) -> list[tuple[MatLayout, Seen]]:
    """The markers by the mat that they are printed on, most markers first."""
    mats: dict[str, tuple[MatLayout, Seen]] = {}
    for number, corners in seen.items():
        layout = layout_of_marker(number)
        if layout is not None:
            mats.setdefault(layout.name, (layout, {}))[1][number] = corners
    return sorted(mats.values(), key=lambda mat: -len(mat[1]))


def refined(grey: Image, corners: Array) -> Array:
    """Corners (4, 2) px of a black square on white, from straight lines fitted to its sides.

    Better than looking for the corners themselves, which blur rounds off. What cannot be refined stays.
    """
    best = corners
    for _ in range(2):
        lines = []
        for side in range(4):
            line = _side(grey, best, side)
            if line is None:
                return best
            lines.append(line)
        better = np.empty((4, 2))
        for corner in range(4):
            (point, along), (other, beside) = lines[corner - 1], lines[corner]
            matrix = np.column_stack([along, -beside])
            if abs(np.linalg.det(matrix)) < 0.1:
                return best
            step = np.linalg.solve(matrix, other - point)
            better[corner] = point + along * step[0]
        reach = 0.1 * np.sqrt(abs(cv2.contourArea(corners.astype(np.float32)))) + 1.5
        if np.abs(better - corners).max() > reach:
            return best
        best = better
    return best


def _side(grey: Image, corners: Array, side: int) -> tuple[Array, Array] | None:
    """A point and the direction of the line from corner `side` to the next, fitted to the steepest rise outwards."""
    start, end = corners[side], corners[(side + 1) % 4]
    length = float(np.linalg.norm(end - start))
    if length < 6:
        return None
    along = (end - start) / length
    out = np.array([along[1], -along[0]])
    opposite = corners[(side + 2) % 4]
    depth = -float((opposite - start) @ out)
    if depth < 0:
        out, depth = -out, -depth
    reach = float(np.clip(0.75 * depth / MODULES, 1.5, 6.0))
    stations = np.linspace(0.1, 0.9, int(np.clip(length * 0.8, 8, 48)))
    offsets = np.arange(-reach, reach + 0.01, 0.25)
    spots = (start + (end - start) * stations[:, None, None] + out * offsets[None, :, None]).astype(
        np.float32
    ) - 0.5
    profile = cv2.remap(
        grey, spots[..., 0], spots[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    ).astype(np.float64)
    rise = np.maximum(np.diff(profile, axis=1), 0)
    middle = (offsets[1:] + offsets[:-1]) / 2
    steepest = middle[cv2.GaussianBlur(rise, (5, 1), 1.0).argmax(1)]
    # The centre of the rise near its steepest part, once with a window as wide as the reach allows.
    near = np.abs(middle[None, :] - steepest[:, None]) <= min(1.5, reach)
    weight = rise * near
    total = weight.sum(1)
    usable = total > 12  # grey levels
    if usable.sum() < 5:
        return None
    where = (weight @ middle)[usable] / total[usable]
    position = stations[usable] * length
    keep = np.ones(len(where), bool)
    slope = base = 0.0
    for _ in range(3):
        if keep.sum() < 4:
            return None
        slope, base = np.polyfit(position[keep], where[keep], 1)
        off = np.abs(where - slope * position - base)
        keep = off <= max(2.5 * float(np.median(off[keep])), 0.1)
    direction = along + out * slope
    return start + out * base, np.asarray(direction / np.linalg.norm(direction))
