"""The small picture of a decisive moment: the table alone, at most 320 px wide, as a JPEG."""

from __future__ import annotations

import math
from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.table import SeenDie
from vision.mat import FoundMat

WIDTH = 320
"""Widest picture, px."""
QUALITY = 80
MARGIN = 0.06
"""Around the table, as a share of the longer side of what is shown."""

Image = NDArray[np.uint8]


def moment_jpeg(image: Image, mat: FoundMat | None, dice: Iterable[SeenDie]) -> bytes:
    """The JPEG of the table in a picture, (H, W, 3) uint8 BGR.

    Cropped to the mat and every die; the whole picture when there is neither.
    """
    x0, y0, x1, y1 = table_box(image.shape, mat, dice)
    table = image[y0:y1, x0:x1]
    height, width = table.shape[:2]
    if width > WIDTH:
        size = (WIDTH, max(1, round(height * WIDTH / width)))
        table = np.asarray(cv2.resize(table, size, interpolation=cv2.INTER_AREA), np.uint8)
    encoded, jpeg = cv2.imencode(".jpg", table, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    if not encoded:
        raise RuntimeError("The picture could not be made a JPEG.")
    return bytes(jpeg)


def table_box(
    shape: tuple[int, ...], mat: FoundMat | None, dice: Iterable[SeenDie]
) -> tuple[int, int, int, int]:
    """The part of a picture of that shape that shows the table: x0, y0, x1, y1 px."""
    height, width = shape[:2]
    points = [corner for die in dice for corner in (die.box[:2], die.box[2:]) if any(die.box)]
    if mat is not None:
        points += [(float(x), float(y)) for x, y in np.asarray(mat.corners, np.float64)]
    points = [(x, y) for x, y in points if math.isfinite(x) and math.isfinite(y)]
    if not points:
        return 0, 0, width, height
    xs, ys = [x for x, _ in points], [y for _, y in points]
    margin = MARGIN * max(max(xs) - min(xs), max(ys) - min(ys))
    x0, y0 = (max(0, math.floor(min(at) - margin)) for at in (xs, ys))
    x1, y1 = min(width, math.ceil(max(xs) + margin)), min(height, math.ceil(max(ys) + margin))
    if x1 - x0 < 2 or y1 - y0 < 2:
        return 0, 0, width, height
    return x0, y0, x1, y1
