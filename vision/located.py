"""Where the dice of a reading lie on the mat, and what a person should know about the mat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.table import LawnPlace, Place
from vision.footprint import edge_for, footprints_mm
from vision.mat import FoundMat
from vision.orientation import LyingDie, oriented, settled
from vision.reading import DieReading

SAME_AS_MARKER = 0.6
"""Overlap (IoU) of a box with a marker from which on it is that marker."""
WORST_MM = 3.0
"""A mat that is located less exactly than this is said to be."""


def placed(
    dice: Sequence[DieReading], mat: FoundMat, numbered: bool = False
) -> tuple[tuple[DieReading, ...], FoundMat]:
    """The dice with their places, without what was a marker, and the mat.

    A grid that was found without a person, markers or numbers beside its rows is turned so that the dice on it show
    their rows. numbered: there were numbers.
    """
    boxes = np.array([die.box for die in dice], np.float64).reshape(-1, 4)
    real = ~on_markers(boxes, mat)
    dice, boxes = [die for die, kept in zip(dice, real, strict=True) if kept], boxes[real]
    edge = edge_for(boxes, mat)
    if mat.by == "grid" and not numbered:
        mat = _with_row_1_first(mat, dice, boxes, edge)
    located = []
    for die, (x, y) in zip(dice, footprints_mm(boxes, mat, edge), strict=True):
        place, _ = mat.layout.place_of((float(x), float(y)))
        located.append(replace(die, place=place_shown(place)))
    return tuple(located), mat


def _with_row_1_first(
    mat: FoundMat, dice: Sequence[DieReading], boxes: NDArray[np.float64], edge: float
) -> FoundMat:
    """The mat turned by half a turn if the dice on it surely say so."""
    feet = mat.to_px(footprints_mm(boxes, mat, edge))
    lying = [
        LyingDie((float(x), float(y)), die.face_p) for die, (x, y) in zip(dice, feet, strict=True)
    ]
    best = settled(oriented(mat.corners, lying))
    if best is not None and np.allclose(best.corners, np.roll(mat.corners, 2, axis=0)):
        return mat.turned(2)
    return mat


def on_markers(boxes: NDArray[np.float64], mat: FoundMat) -> NDArray[np.bool_]:
    """Which boxes (N, 4) px are no dice but markers of the mat: a marker fills them, as no die on it would."""
    taken = np.zeros(len(boxes), bool)
    for corners in mat.layout.markers.values():
        outline = mat.to_px(np.array(corners))
        low, high = outline.min(0), outline.max(0)
        both = np.minimum(boxes[:, 2:], high) - np.maximum(boxes[:, :2], low)
        shared = np.prod(np.maximum(both, 0), axis=1)
        areas = np.prod(boxes[:, 2:] - boxes[:, :2], axis=1) + float(np.prod(high - low))
        taken |= shared > SAME_AS_MARKER * (areas - shared)
    return taken


def place_shown(place: Place) -> dict[str, Any]:
    """{"row": 1-6, "side": ...} on the Lawn, {"area": ...} off it."""
    if isinstance(place, LawnPlace):
        return {"row": place.row, "side": place.side}
    return {"area": place.kind}


def mat_notices(mat: FoundMat) -> tuple[str, ...]:
    """Plain sentences about how the mat was found."""
    notices = []
    if mat.mirrored:
        notices.append("This picture is mirrored; places are told as they are on the table.")
    if mat.error_mm > WORST_MM:
        notices.append(
            f"The mat is located only to about {mat.error_mm:.0f} mm; "
            "move the camera closer or let it see more of the mat."
        )
    return tuple(notices)
