"""What makes a die's reading doubtful, and what a person can do about it.

What can be told with a mat, whose scale and slant give the outline of a die that lies flat:

- a die that leans (on another, on a finger, on the lawn's edge) has an outline that no flat die of
  any turn has; a lean of less than about 20 degrees is not recognisable, and seldom matters;
- two dice that would have to share one spot of the mat are stacked, and so is one outline that fits
  two dice on top of each other seen from the side. A stack seen from straight above looks like one
  die that is a few per cent larger, and is not recognised.

Without a mat only dice cut off by the picture's edge, half hidden or too small are flagged.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.table import Flag
from vision.placing import MatView
from vision.reader import LEAST_DIE_PX

Box: TypeAlias = tuple[float, float, float, float]
Point: TypeAlias = tuple[float, float]

LOOSE = 0.06
"""The detector's boxes are wider than the outline by about this (logarithm)."""
SIZE_PLAY = 0.10
"""Dice may be larger or smaller than the mat's by this (logarithm)."""
MOST_MISFIT = 0.13
"""A flat die's box fits one of the outlines better than this (logarithm)."""
SAME_SPOT = 0.75
"""Centres nearer than this, in die edges, cannot both be on the mat."""
HIDDEN_BY_DIE = 0.30
"""A box of which a nearer die's box covers more than this share is half hidden."""

WHAT_TO_DO: Mapping[Flag, str] = {
    "cocked": "This die seems to lean; lay it flat.",
    "stacked": "Two dice seem to lie on each other; put the upper one beside.",
    "cut-off": "This die is cut off by the picture's edge; move it, or the camera.",
    "occluded": "Something covers part of this die; take it away.",
    "too-small": f"This die is too small to read; move the camera closer, until dice are {LEAST_DIE_PX:.0f} px.",
}
"""For each flag what is wrong and what to do."""


def flags_of(
    boxes: Sequence[Box],
    shape: tuple[int, ...],
    mat: MatView | None,
    spots: Sequence[Point | None],
) -> list[frozenset[Flag]]:
    """The flags of every die.

    boxes: x0 y0 x1 y1 px; shape: of the picture (H, W, ...); spots: the centres on the mat, mm.
    """
    found: list[set[Flag]] = [set() for _ in boxes]
    for flags, box, spot in zip(found, boxes, spots, strict=True):
        if cut_off(box, shape):
            flags.add("cut-off")
        if size_px(box) < LEAST_DIE_PX:
            flags.add("too-small")
        if mat is not None and spot is not None and not flags:
            flags |= _posture(box, spot, mat)
    for i, j in _pairs(boxes):
        edge = mat.layout.dice_mm if mat is not None else 0.0
        a, b = spots[i], spots[j]
        if a is not None and b is not None and math.dist(a, b) < SAME_SPOT * edge:
            for flags in (found[i], found[j]):
                flags.discard("cocked")
                flags.add("stacked")
        elif shared := _overlap(boxes[i], boxes[j]):
            # The nearer die is whole; in a slanting view it is the lower one in the picture.
            farther = i if boxes[i][3] < boxes[j][3] else j
            if shared > HIDDEN_BY_DIE * size_px(boxes[farther]) ** 2:
                found[farther].discard("cocked")
                found[farther].add("occluded")
    return [frozenset(flags) for flags in found]


def size_px(box: Box) -> float:
    """Square root of a box's area, px."""
    return math.sqrt(max(box[2] - box[0], 0.0) * max(box[3] - box[1], 0.0))


def cut_off(box: Box, shape: tuple[int, ...]) -> bool:
    """Whether a box touches the edge of a picture (H, W, ...)."""
    height, width = shape[:2]
    return box[0] <= 1 or box[1] <= 1 or box[2] >= width - 1 or box[3] >= height - 1


def misfit(box: Box, spot: Point, mat: MatView, storeys: int = 1) -> float:
    """How badly a box fits a die (or a tower of dice) that stands flat at a spot, whatever its turn.

    The logarithm of its sides' ratio to the outline's, where that cannot be a die's own size.
    """
    outlines = _outlines(spot, mat, storeys)
    across = np.log(max(box[2] - box[0], 1.0) / outlines[:, 0]) - LOOSE
    down = np.log(max(box[3] - box[1], 1.0) / outlines[:, 1]) - LOOSE
    size = np.abs(across + down) / 2
    shape = np.abs(across - down) / 2
    return float((shape + np.maximum(size - SIZE_PLAY, 0)).min())


def _outlines(spot: Point, mat: MatView, storeys: int) -> NDArray[np.float64]:
    """Width and height px (N, 2) of a flat die's outline at a spot, for turns of 0 to 90 degrees."""
    edge = mat.layout.dice_mm
    turns = np.radians(np.arange(0, 90, 6))
    corners = (
        math.sqrt(0.5) * edge * np.exp(1j * (turns[:, None] + np.pi / 4 * (2 * np.arange(4) + 1)))
    )
    foot = np.stack([corners.real + spot[0], corners.imag + spot[1]], axis=-1).reshape(-1, 2)
    ends = [mat.to_px(foot, height).reshape(len(turns), 4, 2) for height in (0.0, storeys * edge)]
    points = np.concatenate(ends, axis=1)
    return np.asarray(points.max(axis=1) - points.min(axis=1))


def _posture(box: Box, spot: Point, mat: MatView) -> set[Flag]:
    alone = misfit(box, spot, mat)
    if alone < MOST_MISFIT:
        return set()
    # Of a tower the box's middle is a die's edge above the mat, not half of one.
    middle = np.array([[(box[0] + box[2]) / 2, (box[1] + box[3]) / 2]])
    x, y = mat.to_mm(middle, mat.layout.dice_mm)[0]
    tower = misfit(box, (float(x), float(y)), mat, storeys=2)
    return {"stacked"} if tower < min(0.5 * alone, 0.08) else {"cocked"}


def _pairs(boxes: Sequence[Box]) -> list[tuple[int, int]]:
    return [(i, j) for i in range(len(boxes)) for j in range(i) if _overlap(boxes[i], boxes[j]) > 0]


def _overlap(a: Box, b: Box) -> float:
    """px that two boxes share."""
    across = min(a[2], b[2]) - max(a[0], b[0])
    down = min(a[3], b[3]) - max(a[1], b[1])
    return max(across, 0.0) * max(down, 0.0)
