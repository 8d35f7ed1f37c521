"""Finds the printed mat by its markers, any two of the four, in each picture anew; else asks other finders."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np

from vision.frames import Image
from vision.layout import MatLayout
from vision.lens import CameraFit, Lens, fit_camera
from vision.markers import LARGER_SIDE_PX, Array, Seen, find_markers, grouped
from vision.mat import Finder, FoundMat, from_fit
from vision.mat_print import by_print

LEAST_MARKERS = 2
"""Two markers are eight points in two places, enough for camera and mat."""
WORST_MISFIT = 0.08
"""Markers that lie further (root mean square, in marker sides) from where a camera sees them are not ours."""
LEAST_CORNERS = 7
"""Of so many marker corners none is left out any more."""
MOST_COVERED = 3
COVERED_PX = 1.5
"""A corner that is off by more than this, while the others agree without it, is covered or cut off."""
DOUBTED_MM, NEWLY_DOUBTED_MM = 0.4, 0.1
"""A mat whose worst corner may be further off is looked at for its print, too; of a camera whose lens is not known yet
the second holds, because what is learned of the lens is kept."""
SAME_PX = 1.5
"""A marker this near to where it was has not moved."""


class MatFinder:
    """Finds the mat by its markers, else asks further finders in turn."""

    def __init__(self, others: Sequence[Finder] = ()) -> None:
        self.others = tuple(others)

    def find(self, image: Image, previous: FoundMat | None = None) -> FoundMat | None:
        """Where the mat is in a picture (H, W, 3) uint8 BGR, None when it is not seen.

        previous: the same camera's last result; it makes the search quicker and its lens is kept.
        """
        found = self.by_markers(image, previous)
        if found is not None:
            return found
        for finder in self.others:
            found = finder.find(image, previous)
            if found is not None:
                return found
        return None

    def by_markers(self, image: Image, previous: FoundMat | None = None) -> FoundMat | None:
        """As `find`, by the markers alone: any two of the four are enough."""
        grey = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        size = (grey.shape[1], grey.shape[0])
        if previous is not None and (previous.size != size or not previous.layout.markers):
            previous = None
        known = previous.lens if previous is not None and previous.by == "markers" else None
        if previous is not None:
            seen = _look_again(grey, {}, previous)
            if len(seen) >= LEAST_MARKERS:
                found = _fitted(previous.layout, seen, size, previous.mirrored, known)
                if found is not None:
                    return _sharpened(grey, seen, _completed(grey, seen, found, known), known)
        larger = min(2.0, LARGER_SIDE_PX / max(size))
        looks = [(1.0, False), (1.0, True)]
        if larger > 1.2:
            looks += [(larger, False), (larger, True)]
        if previous is not None and previous.mirrored:
            looks.sort(key=lambda look: not look[1])
        for scale, mirrored in looks:
            for layout, seen in grouped(find_markers(grey, scale, mirrored)):
                found = _fitted(layout, seen, size, mirrored, known)
                if found is not None:
                    found = _completed(grey, seen, found, known)
                    if len(seen) >= LEAST_MARKERS:
                        return _sharpened(grey, seen, found, known)
                    if previous is not None and _agrees(seen, previous):
                        return previous
        return None


def _fitted(
    layout: MatLayout, seen: Seen, size: tuple[int, int], mirrored: bool, known: Lens | None
) -> FoundMat | None:
    """The mat that these markers show, None when they contradict each other; a wrong one is dropped from `seen`."""
    fit = fit_markers(layout, seen, size, mirrored, known)
    if fit is None or not _credible(fit, seen):
        if len(seen) <= LEAST_MARKERS:
            return None
        tries = []
        for number in seen:
            rest = {other: corners for other, corners in seen.items() if other != number}
            fit = fit_markers(layout, rest, size, mirrored, known)
            if fit is not None and _credible(fit, rest):
                tries.append((fit.residual_px, number, fit))
        if not tries:
            return None
        _, wrong, fit = min(tries, key=lambda each: each[0])
        del seen[wrong]
    return from_fit(fit, layout, mirrored)


def fit_markers(
    layout: MatLayout, seen: Seen, size: tuple[int, int], mirrored: bool, known: Lens | None
) -> CameraFit | None:
    """The camera that sees these markers; a corner that something covers is left out."""
    points, at = _corners(layout, seen)
    if mirrored:
        at = np.column_stack([size[0] - at[:, 0], at[:, 1]])
    fit = fit_camera(points, at, size, known)
    for _ in range(MOST_COVERED):
        if fit is None or len(points) <= LEAST_CORNERS:
            break
        worst = int(fit.misfits.argmax())
        others = np.delete(fit.misfits, worst)
        if fit.misfits[worst] < max(COVERED_PX, 2 * float(np.median(others))):
            break
        fewer = fit_camera(np.delete(points, worst, 0), np.delete(at, worst, 0), size, known)
        if fewer is None or fewer.residual_px > 0.8 * fit.residual_px:
            break
        points, at, fit = np.delete(points, worst, 0), np.delete(at, worst, 0), fewer
    return fit


def _corners(layout: MatLayout, seen: Seen) -> tuple[Array, Array]:
    """The corners of the markers that are seen: mm on the mat and px of the picture, (N, 2) each."""
    points = np.array([layout.markers[number] for number in seen], np.float64).reshape(-1, 2)
    return points, np.array(list(seen.values()), np.float64).reshape(-1, 2)


def _credible(fit: CameraFit, seen: Seen) -> bool:
    """Whether the markers lie where one camera sees them, and the mat is seen from above."""
    sides = [
        math.sqrt(abs(cv2.contourArea(corners.astype(np.float32)))) for corners in seen.values()
    ]
    return (
        fit.residual_px <= WORST_MISFIT * float(np.median(sides))
        and float(np.linalg.det(fit.to_px)) > 0
    )


def _completed(grey: Image, seen: Seen, found: FoundMat, known: Lens | None) -> FoundMat:
    """Look more closely for the markers that were not seen where they must be; `seen` grows."""
    if len(seen) == len(found.layout.markers):
        return found
    more = _look_again(grey, seen, found)
    if not more:
        return found
    all_seen = {**seen, **more}
    better = _fitted(found.layout, all_seen, found.size, found.mirrored, known)
    if better is None:
        return found
    seen.update({number: more[number] for number in more if number in all_seen})
    return better


def _sharpened(grey: Image, seen: Seen, found: FoundMat, known: Lens | None) -> FoundMat:
    """The mat brought closer by its print where markers alone leave it in doubt."""
    if found.error_mm <= (NEWLY_DOUBTED_MM if known is None else DOUBTED_MM):
        return found
    fit = by_print(grey, found, *_corners(found.layout, seen), known)
    if fit is None:
        return found
    better = from_fit(fit, found.layout, found.mirrored)
    return better if better.error_mm < found.error_mm else found


def _look_again(grey: Image, seen: Seen, found: FoundMat) -> Seen:
    """The markers of a found mat that are not in `seen`, each looked for, enlarged, where it must be."""
    height, width = grey.shape
    more: Seen = {}
    for number, corners in found.layout.markers.items():
        if number in seen:
            continue
        outline = found.to_px(np.array(corners))
        side = math.sqrt(abs(cv2.contourArea(outline.astype(np.float32))))
        margin = 0.6 * side + 4
        x0, y0 = np.floor(np.maximum(outline.min(0) - margin, 0)).astype(int)
        x1, y1 = np.ceil(np.minimum(outline.max(0) + margin, (width, height))).astype(int)
        if side < 8 or x1 - x0 < side or y1 - y0 < side or side > max(width, height):
            continue
        scale = float(np.clip(72 / side, 1.0, 4.0))
        part = np.ascontiguousarray(grey[y0:y1, x0:x1])
        again = find_markers(part, scale, found.mirrored).get(number)
        if again is not None:
            again = again + np.array([x0, y0])
            if np.abs(again - outline).max() < margin:
                more[number] = again
    return more


def _agrees(seen: Seen, previous: FoundMat) -> bool:
    """Whether a single marker is where it was, so that the camera has not moved."""
    for number, corners in seen.items():
        there = previous.layout.markers.get(number)
        if there is None or np.abs(previous.to_px(np.array(there)) - corners).max() > SAME_PX:
            return False
    return bool(seen)
