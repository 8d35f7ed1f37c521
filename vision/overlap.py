"""How much boxes share: intersection over union (IoU), and which boxes are then of one thing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Box = tuple[float, float, float, float]


def iou(a: Box, b: Box) -> float:
    """Shared area over united area of two boxes x0 y0 x1 y1."""
    across = min(a[2], b[2]) - max(a[0], b[0])
    down = min(a[3], b[3]) - max(a[1], b[1])
    if across <= 0 or down <= 0:
        return 0.0
    shared = across * down
    areas = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1])
    return shared / (areas - shared)


def overlaps(ours: NDArray[Any], theirs: NDArray[Any]) -> NDArray[np.float32]:
    """IoU (N, M) of boxes (N, 4) and (M, 4), x0 y0 x1 y1."""
    low = np.maximum(ours[:, None, :2], theirs[None, :, :2])
    high = np.minimum(ours[:, None, 2:], theirs[None, :, 2:])
    both = np.prod(np.maximum(high - low, 0), axis=2)
    area = [np.prod(np.maximum(b[:, 2:] - b[:, :2], 0), axis=1) for b in (ours, theirs)]
    return np.asarray(both / np.maximum(area[0][:, None] + area[1][None] - both, 1e-9), np.float32)


def apart(boxes: Sequence[Box], most: float, taken: Sequence[Box] = ()) -> list[int]:
    """Numbers of boxes, the best found first, that overlap (IoU) none before them and none of the taken by more than
    `most`."""
    left: list[int] = []
    for at, box in enumerate(boxes):
        others = [*taken, *(boxes[each] for each in left)]
        if all(iou(box, other) <= most for other in others):
            left.append(at)
    return left


def holds(box: Box, other: Box) -> bool:
    """Whether the middle of the other box lies in this one."""
    x, y = (other[0] + other[2]) / 2, (other[1] + other[3]) / 2
    return box[0] < x < box[2] and box[1] < y < box[3]
