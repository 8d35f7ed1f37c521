"""Boxes that may hold two dice: a detector takes dice that touch, in a row seen at a slant, for one that is too high.

In a picture that it sees shrunk it cannot part them. Such a box is too long for its neighbours, and seen from closer
the same detector finds both dice (vision.find).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.box_refiner import due_by_neighbours
from vision.overlap import Box

TOO_LONG = 1.15
"""A box that is so many times higher (or wider) than its neighbours say may hold two dice: in a recording that is seen
at 25 degrees all 15 that did were, and one other in each picture."""
OTHER_SIDE = 1.15
"""How much larger than its neighbours say the other side of such a box may be."""
FEWEST = 5
"""Among fewer boxes nothing says how large a die is."""
LIKE_SIZES = 0.1
"""Nor do boxes whose sides differ by more from what their neighbours say (the median, in logarithms)."""
AROUND = 1.0
"""How far around such a box is looked, in die sizes."""
APART = 0.45
"""Boxes of halves of such a box that overlap (IoU) by more are not of two dice."""


@dataclass(frozen=True)
class Suspect:
    """Box number `at` may hold two dice; size: of a die there, the square root of its box's area, px."""

    at: int
    size: float


def suspects(boxes: Sequence[Box]) -> list[Suspect]:
    """Those of a detector's boxes, px, that may hold two dice one above or beside the other."""
    if len(boxes) < FEWEST:
        return []
    known = np.array(boxes, np.float64)
    sides = np.maximum(known[:, 2:] - known[:, :2], 1.0)
    due = np.stack([due_by_neighbours(known, sides[:, axis]) for axis in (0, 1)], axis=1)
    share = sides / due
    if np.median(np.abs(np.log(share)), axis=0).max() > LIKE_SIZES:
        return []
    long = (share.max(1) > TOO_LONG) & (share.min(1) < OTHER_SIDE)
    return [Suspect(int(at), float(np.sqrt(due[at].prod()))) for at in np.flatnonzero(long)]


def window_around(box: Box, size: float, shape: tuple[int, ...]) -> tuple[int, int, int, int]:
    """The part x0 y0 x1 y1 px of a picture of that shape (H, W, ...) to look at from closer."""
    reach = AROUND * size
    x0, y0 = (max(0, int(value - reach)) for value in box[:2])
    return x0, y0, min(shape[1], int(box[2] + reach)), min(shape[0], int(box[3] + reach))
