"""Which end of a lawn is row 1, told by the dice on it: a die on the Lawn shows its row's number (4:3.A)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.table import LawnPlace
from vision.footprint import footprints_mm
from vision.mat import FoundMat

LEAST_P = 0.02
"""No reading counts as less likely than this: a single misread or misplaced die must not decide."""
MARGIN = math.log(20)
"""How much likelier one way round must be to be taken."""


def oriented(
    found: FoundMat,
    boxes: NDArray[np.float64],
    face_p: Sequence[Sequence[float]],
    dice_mm: float | None = None,
) -> tuple[FoundMat, bool]:
    """The lawn the right way round, and whether the dice settle it.

    boxes: (N, 4) px of dice; face_p: their six probabilities each. Where the dice do not tell, it is as it was.
    """
    ways = [found, found.turned(2)]
    fits = [_fit(way, boxes, face_p, dice_mm) for way in ways]
    best = int(np.argmax(fits))
    settled = fits[best] - fits[1 - best] >= MARGIN
    return (ways[best] if settled else found), settled


def _fit(
    found: FoundMat,
    boxes: NDArray[np.float64],
    face_p: Sequence[Sequence[float]],
    dice_mm: float | None,
) -> float:
    """Log likelihood of the faces on the Lawn this way round, up to a constant."""
    total = 0.0
    for (x, y), chances in zip(footprints_mm(boxes, found, dice_mm), face_p, strict=True):
        place, _ = found.layout.place_of((float(x), float(y)))
        if isinstance(place, LawnPlace):
            total += math.log(max(chances[place.row - 1], LEAST_P))
    return total
