"""Whether what differs in a watched picture is only one of the mat's corner markers, seen again."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Image
from vision.markers import find_markers
from vision.mat import FoundMat

AROUND = 0.4
"""How far around a marker what differs may reach, in sides of it: its white rim and a shadow's rest."""
WITHIN = 0.9
"""Share of what differs that must lie there."""
READABLE_PX = 48.0
"""A marker with shorter sides is enlarged to this for reading."""

Array = NDArray[np.float64]


def is_seen_marker(image: Image, spots: Array, mat: FoundMat) -> bool:
    """Whether spots (N, 2) px of a picture (H, W, 3) uint8 BGR lie on a corner marker that is seen whole in it.

    A hand or a thing on a marker keeps it from being read, be it only over a part of it.
    """
    for number, corners in mat.layout.markers.items():
        quad = mat.to_px(np.array(corners, np.float64))
        middle = quad.mean(0)
        area = (quad - middle) * (1 + 2 * AROUND) + middle
        low, high = area.min(0), area.max(0)
        if ((spots >= low) & (spots <= high)).all(1).mean() < WITHIN:
            continue
        x0, y0 = np.maximum(low, 0).astype(int)
        x1, y1 = np.ceil(high).astype(int)
        part = np.ascontiguousarray(image[y0:y1, x0:x1])
        if not part.size:
            continue
        side = float(np.sqrt(cv2.contourArea(quad.astype(np.float32))))
        seen = find_markers(part, max(1.0, READABLE_PX / max(side, 1.0)), mat.mirrored)
        if number in seen:
            return True
    return False
