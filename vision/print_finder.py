"""The printed mat by what is printed on it, where its markers are out of sight: beyond the picture's edge, or covered.

Which mat it is is not known then. Features of its drawings (SIFT: Lowe 2004) are compared with those of the picture:
words and numbers are much alike on all sizes, so that one size of a paper tells whether there is such a mat at all, and
then its other sizes are tried. What is found so is proven, and made exact, by the print itself (`vision.mat_print`).
Where only the Lawn is in view, a mat of another size fits as well: its places are told rightly, its millimetres are a
few in a hundred off.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.feature_points import FeaturePoints, alike, feature_points, in_the_mirror
from vision.frames import Image
from vision.layout import MatLayout, layout_of_marker, layouts_of_papers
from vision.lens import CameraFit, fit_camera
from vision.markers import find_markers, grouped
from vision.mat import FoundMat, from_fit
from vision.mat_design import Style
from vision.mat_drawing import draw_mat
from vision.mat_print import STYLES, by_print
from vision.slices import Slices, at_once

Array: TypeAlias = NDArray[np.float64]

LONGEST_PX = 1280
"""Larger pictures are looked at in this size, px."""
FEATURES, CONTRAST = 3000, 0.01
"""So many features of the picture are taken, and none fainter than this, of a drawing neither."""


class Drawn(NamedTuple):
    """How finely mats are drawn, but no higher than so many px, and how many features are taken of a drawing."""

    px_per_mm: float
    highest_px: int
    features: int


FINE, HINTING = Drawn(3.0, 900, 1500), Drawn(2.5, 740, 900)
"""To compare sizes; to see whether there is such a mat at all, as quickly as that can be told."""
NEAR_PX = 4.0
"""A feature further from where the others put it does not agree with them."""
HINTS = 6
"""So many features that agree with one drawing of a paper are worth trying its other sizes."""
STEP = 3
"""Every so many mm of dice a size is tried first, then those between."""
TRIED = 8
"""So many of the likeliest sizes are compared by their print."""
PROVEN, PROVEN_PX = 24, 0.45
"""So many spots of the print must be seen where it has them, to this many px (root mean square)."""
CERTAIN, CERTAIN_PX = 40, 0.3
"""What fits that well needs no comparison."""
ALIKE = 0.85
"""Of sizes of which about as many spots are seen, within this ratio, the one that fits best is taken."""
WORST_ERROR_MM = 6.0
"""A mat whose worst corner may be further off is not given: a place is some 30 mm wide."""


@dataclass(frozen=True, eq=False)
class _Likeness:
    """Features of a drawing, or corners of markers, (N, 2) mm that agree on where it is seen, (N, 2) px."""

    layout: MatLayout
    points: Array
    seen: Array


class PrintFinder:
    """Finds our mats by their print: in some seconds where there may be one, else in one."""

    def find_among(self, image: Image, boxes: Array) -> FoundMat | None:
        """The mat in a picture (H, W, 3) uint8 BGR, None when none is proven; by "print".

        boxes: (N, 4) px of the dice, which are no print.
        """
        return at_once(self.search(image, boxes))

    def search(self, image: Image, boxes: Array) -> Slices[FoundMat | None]:
        """As `find_among`, in slices of some tenths of a second; the picture may change meanwhile."""
        grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
        upright = _features_of_picture(grey, boxes)
        for mirrored in (False, True):
            yield
            seen = in_the_mirror(upright, grey.shape[1]) if mirrored else upright
            markers = _lone_markers(grey, mirrored)
            likely = _of_markers(seen, markers) if markers else (yield from _likely(seen))
            fits: list[tuple[CameraFit, MatLayout]] = []
            for like in likely[:TRIED]:
                fit = _fitted(grey, like, mirrored)
                yield
                if fit is not None:
                    fits.append((fit, like.layout))
                if fit is not None and _certain(fit, grey):
                    break
            if fits:
                most = max(len(fit.misfits) for fit, _ in fits)
                enough = [each for each in fits if len(each[0].misfits) >= ALIKE * most]
                fit, layout = min(enough, key=lambda each: each[0].residual_px)
                found = from_fit(fit, layout, mirrored, by="print")
                return found if found.error_mm <= WORST_ERROR_MM else None
        return None


def _certain(fit: CameraFit, grey: Image) -> bool:
    return len(fit.misfits) >= CERTAIN and fit.residual_px <= CERTAIN_PX * _scale_of(grey)


def _lone_markers(grey: Image, mirrored: bool) -> list[_Likeness]:
    """Mats of which markers are seen in a picture (H, W), with their corners, px of it or of the flipped one."""
    found = []
    for layout, seen in grouped(find_markers(grey, 1.0, mirrored)):
        at = np.concatenate([np.asarray(corners, np.float64) for corners in seen.values()])
        if mirrored:
            at[:, 0] = grey.shape[1] - at[:, 0]
        points = np.concatenate([np.array(layout.markers[number]) for number in seen])
        found.append(_Likeness(layout, points, at))
    return found


def _of_markers(seen: FeaturePoints, markers: list[_Likeness]) -> list[_Likeness]:
    """The same, with the features of the picture that agree with their drawings."""
    return [
        _Likeness(
            marked.layout,
            np.concatenate([marked.points, like.points]),
            np.concatenate([marked.seen, like.seen]),
        )
        for marked in markers
        for like in (_agreeing(seen, marked.layout, style) for style in STYLES)
    ]


def _likely(seen: FeaturePoints) -> Slices[list[_Likeness]]:
    """In slices: mats that the features of a picture show, likeliest first."""
    found: list[_Likeness] = []
    for sizes in layouts_of_papers():
        middle = sizes[len(sizes) // 2]
        hints = [(_agreeing(seen, middle, style, HINTING), style) for style in STYLES]
        yield
        hint, style = max(hints, key=lambda each: len(each[0].points))
        if len(hint.points) < HINTS:
            continue
        tried: dict[int, _Likeness] = {}
        for at in _coarse_to_fine(len(sizes), tried):
            tried[at] = _agreeing(seen, sizes[at], style)
            yield
        found += tried.values()
    found.sort(key=lambda like: -len(like.points))
    return [like for like in found if len(like.points) >= HINTS]


def _coarse_to_fine(count: int, tried: dict[int, _Likeness]) -> Iterator[int]:
    """Which of so many sizes to try next, given how well those were that have been tried."""
    yield from range(0, count, STEP)
    best = max(tried, key=lambda at: len(tried[at].points))
    yield from (
        at for at in range(best - STEP + 1, best + STEP) if 0 <= at < count and at not in tried
    )


def _agreeing(seen: FeaturePoints, layout: MatLayout, style: Style, how: Drawn = FINE) -> _Likeness:
    """What features of a drawing agree with those of a picture."""
    none = _Likeness(layout, np.zeros((0, 2)), np.zeros((0, 2)))
    if len(seen) < HINTS:
        return none
    at, points = alike(seen, _features_of_drawing(next(iter(layout.markers)), style, how))
    if len(points) < HINTS:
        return none
    _, agree = cv2.findHomography(points, at, cv2.RANSAC, NEAR_PX, maxIters=2000, confidence=0.999)
    if agree is None:
        return none
    kept = agree.ravel().astype(bool)
    # Several features of the picture that are all like one of the drawing agree for nothing.
    if len(np.unique(points[kept], axis=0)) < HINTS:
        return none
    return _Likeness(layout, points[kept], at[kept])


def _fitted(grey: Image, like: _Likeness, mirrored: bool) -> CameraFit | None:
    """The camera that sees this mat so, by its print; None when the print is not there."""
    size = (grey.shape[1], grey.shape[0])
    rough = fit_camera(like.points, like.seen, size)
    if rough is None or np.linalg.det(rough.to_px) <= 0:
        return None
    nothing = np.zeros((0, 2))
    fit = by_print(grey, from_fit(rough, like.layout, mirrored), nothing, nothing, None)
    if fit is None or len(fit.misfits) < PROVEN or fit.residual_px > PROVEN_PX * _scale_of(grey):
        return None
    return fit


def _scale_of(grey: Image) -> float:
    """How much larger a picture (H, W) is than it is looked at."""
    return float(max(1.0, max(grey.shape) / LONGEST_PX))


def _features_of_picture(grey: Image, boxes: Array) -> FeaturePoints:
    """Features beside dice, px of the picture."""
    scale = 1 / _scale_of(grey)
    shown = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    mask = np.full(shown.shape, 255, np.uint8)
    for x0, y0, x1, y1 in boxes * scale:
        cv2.rectangle(mask, (round(x0), round(y0)), (round(x1), round(y1)), 0, -1)
    even: Any = cv2.createCLAHE(clipLimit=4.0, tileGridSize=(8, 8))
    found = feature_points(np.asarray(even.apply(shown), np.uint8), mask, FEATURES, CONTRAST)
    return replace(found, at=found.at / scale)


@lru_cache(maxsize=128)
def _features_of_drawing(marker: int, style: Style, how: Drawn) -> FeaturePoints:
    """Features of the drawing of the mat that has this marker, mm."""
    layout = layout_of_marker(marker)
    assert layout is not None, "only printed mats are drawn"
    px_per_mm = min(how.px_per_mm, how.highest_px / layout.extent.height)
    grey = cv2.cvtColor(draw_mat(layout, px_per_mm, style), cv2.COLOR_BGR2GRAY)
    soft = np.asarray(cv2.GaussianBlur(grey, (0, 0), 0.8), np.uint8)
    found = feature_points(soft, None, how.features, CONTRAST)
    return replace(found, at=found.at / px_per_mm + [layout.extent.x0, layout.extent.y0])
