"""A mat that its markers place badly, brought closer by all that is printed on it.

Where dice cover markers, or a lens bends what lies far from them, the markers alone leave millimetres open; where none
are in sight, a likeness tells but roughly (`vision.print_finder`). The mat's print is known: the picture is laid flat
as the mat is believed to lie, spots of the print are looked for near where they must be, and the camera is fitted to
all that agree (a known plane tracked by patches: Lepetit and Fua, "Monocular model-based 3D tracking of rigid
objects", 2005, section 4).
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Image
from vision.layout import layout_of_marker
from vision.lens import CameraFit, Lens, fit_camera
from vision.mat import FoundMat, from_fit, mapped
from vision.mat_design import Style
from vision.mat_drawing import draw_mat

Array = NDArray[np.float64]

PX_PER_MM = 2.0
"""The picture is laid flat so finely."""
HALF_MM = 6.0
"""Half the side of a spot."""
FURTHEST = 0.4
"""No spot is looked for further away than this share of a place, since the Lawn's lines repeat."""
MOST_SPOTS = 160
APART_MM = 7.0
"""Between spots."""
ALIKE = 0.6
"""A spot whose print and picture correlate by less was covered."""
AGREES_MM = 1.0
"""Spots, and corners of markers, that are this near to where the others put them agree with these."""
FEWEST = 12
"""Spots that must agree."""
STYLES: tuple[Style, ...] = ("colour", "ink-saving")
ROUNDS = 2


def by_print(
    image: Image, found: FoundMat, points: Array, seen: Array, known: Lens | None
) -> CameraFit | None:
    """The camera by markers' corners and print together; None when too little of the print is seen as it must be.

    image (H, W) or (H, W, 3) uint8 BGR; found: where the mat roughly lies; points, seen: corners of its markers (N, 2),
    mm and px of the picture, N of 0 where none are in sight; known: the camera's lens if it was fitted before. In a
    mirrored picture the camera is that of the flipped one.
    """
    grey = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    mat, fit = found, None
    for turn in range(ROUNDS):
        spots, there = _spots_seen(np.asarray(grey, np.uint8), mat)
        agreeing = _agreeing(spots, there)
        if agreeing is None:
            return fit
        inliers, moved = agreeing
        # A corner that a die covers is where the die's edge crosses the marker's.
        at = mat.to_mm(seen)
        kept = np.hypot(*(mapped(moved, points) - at).T) < AGREES_MM
        all_points = np.concatenate([points[kept], spots[inliers]])
        all_seen = np.concatenate([seen[kept], mat.to_px(there[inliers])])
        if mat.mirrored:
            all_seen[:, 0] = mat.size[0] - all_seen[:, 0]
        better = fit_camera(all_points, all_seen, mat.size, known)
        if better is None:
            return fit
        fit = better
        if turn + 1 < ROUNDS:
            mat = from_fit(fit, mat.layout, mat.mirrored)
    return fit


def _spots_seen(grey: Image, mat: FoundMat) -> tuple[Array, Array]:
    """Spots of the print (N, 2) mm that are seen, and where they are, (N, 2) mm as the mat is believed to lie."""
    flat = _laid_flat(grey, mat)
    within = round(FURTHEST * min(mat.layout.cell_mm) * PX_PER_MM)
    half = round(HALF_MM * PX_PER_MM)
    best: tuple[Array, Array] = (np.zeros((0, 2)), np.zeros((0, 2)))
    for style in STYLES:
        drawn, corners = _print_of(next(iter(mat.layout.markers)), style)
        spots, there = [], []
        for x, y in corners:
            reach = half + within
            window = flat[max(y - reach, 0) : y + reach + 1, max(x - reach, 0) : x + reach + 1]
            patch = drawn[y - half : y + half + 1, x - half : x + half + 1]
            # Beyond the picture nothing was laid flat.
            if min(window.shape) <= 2 * half + 2 or (window == 0).mean() > 0.05:
                continue
            score = cv2.matchTemplate(window, patch, cv2.TM_CCOEFF_NORMED)
            _, alike, _, (column, row) = cv2.minMaxLoc(score)
            if alike < ALIKE:
                continue
            across = column + _between(score[row], column) + half + max(x - reach, 0)
            down = row + _between(score[:, column], row) + half + max(y - reach, 0)
            spots.append((x, y))
            there.append((across, down))
        if len(spots) > len(best[0]):
            origin = np.array([mat.layout.extent.x0, mat.layout.extent.y0])
            to_mm = [(np.array(each) + 0.5) / PX_PER_MM + origin for each in (spots, there)]
            best = (to_mm[0], to_mm[1])
    return best


def _between(scores: NDArray[np.float32], at: int) -> float:
    """Where between the places of a row of scores the highest one lies: a parabola's top, -0.5 to 0.5."""
    if not 0 < at < len(scores) - 1:
        return 0.0
    before, top, after = (float(each) for each in scores[at - 1 : at + 2])
    bend = before - 2 * top + after
    return 0.0 if bend > -1e-9 else float(np.clip((before - after) / (2 * bend), -0.5, 0.5))


def _laid_flat(grey: Image, mat: FoundMat) -> Image:
    """The sheet as the picture (H, W) shows it, as large as its drawing; 0 beyond the picture, else at least 1."""
    extent = mat.layout.extent
    wide, high = (max(1, round(side * PX_PER_MM)) for side in (extent.width, extent.height))
    # Where a coarse grid of points is seen says where all others are.
    step = 16
    columns, rows = (np.arange(-step, size + step + 1, step) for size in (wide, high))
    x, y = np.meshgrid(columns, rows)
    mm = np.column_stack([x.ravel() + 0.5, y.ravel() + 0.5]) / PX_PER_MM
    px = mat.to_px(mm + np.array([extent.x0, extent.y0])).reshape(*x.shape, 2).astype(np.float32)
    across = (np.arange(wide, dtype=np.float32) + step) / step
    down = (np.arange(high, dtype=np.float32) + step) / step
    fine = np.meshgrid(across, down)
    spots = cv2.remap(px, fine[0], fine[1], cv2.INTER_LINEAR) - np.float32(0.5)
    shown = cv2.remap(np.maximum(grey, 1), spots, None, cv2.INTER_LINEAR, borderValue=0)
    return np.asarray(shown, np.uint8)


@lru_cache(maxsize=8)
def _print_of(marker: int, style: Style) -> tuple[Image, NDArray[np.int64]]:
    """The print in grey of the mat that has this marker, as a camera blurs it, and its spots (N, 2) px.

    Spots are corners of it, well apart and away from the sheet's edge.
    """
    layout = layout_of_marker(marker)
    assert layout is not None, "only printed mats are looked at so"
    grey = cv2.cvtColor(draw_mat(layout, PX_PER_MM, style), cv2.COLOR_BGR2GRAY)
    grey = np.asarray(cv2.GaussianBlur(grey, (0, 0), 0.4 * PX_PER_MM), np.uint8)
    half = round(HALF_MM * PX_PER_MM)
    mask = np.zeros(grey.shape, np.uint8)
    mask[half + 1 : -half - 1, half + 1 : -half - 1] = 255
    for corners in layout.markers.values():  # these have told what they know
        low, high = np.min(corners, 0) - 1.0, np.max(corners, 0) + 1.0
        (x0, y0), (x1, y1) = (
            np.rint((np.array(each) - [layout.extent.x0, layout.extent.y0]) * PX_PER_MM).astype(int)
            for each in (low, high)
        )
        mask[max(y0, 0) : y1, max(x0, 0) : x1] = 0
    found = cv2.goodFeaturesToTrack(
        grey, MOST_SPOTS, 0.02, APART_MM * PX_PER_MM, mask=mask, blockSize=half
    )
    return grey, np.rint(found.reshape(-1, 2)).astype(np.int64)


def _agreeing(spots: Array, there: Array) -> tuple[NDArray[np.bool_], Array] | None:
    """Which spots (N, 2) moved as one plane to where they are seen, and that movement (3, 3); None when too few did."""
    if len(spots) < FEWEST:
        return None
    moved, inliers = cv2.findHomography(spots, there, cv2.RANSAC, AGREES_MM, confidence=0.999)
    if moved is None or inliers.sum() < FEWEST:
        return None
    kept = inliers.ravel().astype(bool)
    # Spots of one corner of the sheet say little of the others.
    hull = cv2.contourArea(cv2.convexHull(spots[kept].astype(np.float32)))
    if hull < 0.1 * cv2.contourArea(cv2.convexHull(spots.astype(np.float32))):
        return None
    return kept, np.asarray(moved, np.float64)
