"""Where a die lies, with how sure that is; and which places something covers."""

from __future__ import annotations

from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.table import ELSEWHERE, Place
from vision.layout import MatLayout, Rect, lawn_places
from vision.mat import FoundMat
from vision.motion import Mask

Point: TypeAlias = tuple[float, float]

SPREAD_MM = 1.2
"""Deviation of a located die's centre along each axis: an error of 3 mm at 95 %, as issue 5 asks
(95 % of a circular normal lie within 2.45 deviations)."""
LEAST_P = 0.01
HIDDEN_SHARE = 0.12
"""A place of which more is covered than this may hide a die's top face."""

# Gauss-Hermite quadrature with five nodes for a normal deviate, exact for polynomials of degree 9.
_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(5)
_WEIGHTS = _WEIGHTS / _WEIGHTS.sum()


def place_p(xy_mm: Point, layout: MatLayout) -> tuple[tuple[Place, float], ...]:
    """(place, probability), likeliest first, summing to 1, of a die located at a point with SPREAD_MM."""
    place, clearance = layout.place_of(xy_mm)
    if clearance > 3 * SPREAD_MM:
        return ((place, 1.0),)
    chances: dict[Place, float] = {}
    for dx, wx in zip(_NODES, _WEIGHTS, strict=True):
        for dy, wy in zip(_NODES, _WEIGHTS, strict=True):
            spot = (xy_mm[0] + SPREAD_MM * float(dx), xy_mm[1] + SPREAD_MM * float(dy))
            there = layout.place_of(spot)[0]
            chances[there] = chances.get(there, 0.0) + float(wx * wy)
    # Between the nodes the share jumps; along the nearest line the normal distribution is exact.
    kept = {each: p for each, p in chances.items() if p >= LEAST_P or each == place}
    total = sum(kept.values())
    return tuple(
        sorted(
            ((each, p / total) for each, p in kept.items()),
            key=lambda pair: (-pair[1], pair[0] != place, str(pair[0])),
        )
    )


def hidden_places(
    hidden: Mask, scale: float, mat: FoundMat | None, die_px: float
) -> frozenset[Place]:
    """The places that a mask (h, w) of the small picture covers; scale: its px per picture px.

    Without a mat all that is covered is ELSEWHERE; with one ELSEWHERE is what is covered of the table
    beside the printed places, if a die could lie there.
    """
    if not hidden.any():
        return frozenset()
    if mat is None:
        return frozenset({ELSEWHERE})
    covered = hidden.astype(np.uint8)
    places: set[Place] = set()
    rest = covered.copy()
    for place, rect in _rects(mat.layout):
        outline = _outline(rect, mat, scale)
        spot = np.zeros_like(covered)
        cv2.fillConvexPoly(spot, np.round(outline).astype(np.int32), 1)
        rest[spot > 0] = 0
        x0, y0, w, h = cv2.boundingRect(outline.astype(np.float32))
        area = max(float(cv2.contourArea(outline.astype(np.float32))), 1.0)
        inside = float(cv2.countNonZero(covered & spot))
        off_picture = x0 < 0 or y0 < 0 or x0 + w > hidden.shape[1] or y0 + h > hidden.shape[0]
        seen_area = float(cv2.countNonZero(spot)) if off_picture else area
        # A row is long: as much as hides one die of it counts.
        if inside > min(HIDDEN_SHARE * seen_area, 0.5 * (die_px * scale) ** 2):
            places.add(place)
    side = max(3, int(die_px * scale))
    if cv2.erode(rest, np.ones((side, side), np.uint8)).any():
        places.add(ELSEWHERE)
    return frozenset(places)


def _rects(layout: MatLayout) -> list[tuple[Place, Rect]]:
    lawn: list[tuple[Place, Rect]] = [(place, layout.cell(place)) for place in lawn_places()]
    return lawn + [(area.area, area.rect) for area in layout.areas]


def _outline(rect: Rect, mat: FoundMat, scale: float) -> NDArray[np.float64]:
    """The corners (4, 2) px of the small picture of a rectangle on the mat."""
    return mat.to_px(np.array(rect.corners, np.float64)) * scale
