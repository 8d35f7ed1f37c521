"""Where a die stands on the mat, from the box around all that is seen of it.

A box's middle shows neither the die's top nor its foot: how far off it is depends on how slanted the camera looks.
So a die is put, in thought, where its outline would fill the box.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.layout import Point
from vision.mat import FoundMat

Array = NDArray[np.float64]

ROUNDS = 3
"""Newton steps; each shrinks the error to a few hundredths."""
ROUNDED = 0.93
"""Reach of a die's rounded corners as a share of a sharp cube's."""
OTHER_SIZE = 0.2
"""Dice that differ from the mat's by less are taken for the mat's: their measured size is less exact."""
LOOSE = 1.045
"""Boxes of dice are this much wider than the outlines drawn here (datasets.mat_tables, 44 tables)."""
# A die's turn is not known. Its outline's middle hardly depends on it: four turns stand for all.
_TURNS = np.radians([0.0, 22.5, 45.0, 67.5])
_CORNERS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (0.0, 1.0)])


def _dice() -> Array:
    """Corners (turns, 8, 3) of a die of edge 1 that stands on the origin."""
    turned = []
    for turn in _TURNS:
        c, s = np.cos(turn), np.sin(turn)
        flat = _CORNERS[:, :2] @ np.array([[c, s], [-s, c]]) * ROUNDED
        high = 0.5 + (_CORNERS[:, 2:] - 0.5) * ROUNDED
        turned.append(np.hstack([flat, high]))
    return np.array(turned)


_DICE = _dice()


def footprints_mm(boxes: Array, mat: FoundMat, dice_mm: float | None = None) -> Array:
    """Centres (N, 2), mm on the mat, of the dice that fill these boxes (N, 4) x0 y0 x1 y1 px.

    dice_mm: their edge; default what the mat is made for.
    """
    boxes = np.asarray(boxes, np.float64).reshape(-1, 4)
    if not len(boxes):
        return np.zeros((0, 2))
    edge = mat.layout.dice_mm if dice_mm is None else dice_mm
    wanted = (boxes[:, :2] + boxes[:, 2:]) / 2
    at = mat.to_mm(wanted, edge / 2)
    step = 0.5
    right, down = np.array([step, 0.0]), np.array([0.0, step])
    for _ in range(ROUNDS):
        middle = outlines_px(at, mat, edge).mean(1)
        across = mat.to_px(at + right, edge / 2) - mat.to_px(at - right, edge / 2)
        along = mat.to_px(at + down, edge / 2) - mat.to_px(at - down, edge / 2)
        jacobian = np.stack([across, along], axis=-1) / (2 * step)
        at = at + np.linalg.solve(jacobian, (wanted - middle)[..., None])[..., 0]
    return np.asarray(at)


def footprint_mm(
    box: tuple[float, float, float, float], mat: FoundMat, dice_mm: float | None = None
) -> Point:
    """As `footprints_mm`, of one die."""
    ((x, y),) = footprints_mm(np.array([box]), mat, dice_mm)
    return float(x), float(y)


def edge_for(boxes: Array, mat: FoundMat) -> float:
    """The edge, mm on this mat, to locate these dice with: what the mat is made for, unless they differ from it.

    On a lawn of unknown size a mm is what the layout assumes, so there the dice themselves tell.
    """
    measured = dice_edge_mm(boxes, mat)
    made_for = mat.layout.dice_mm
    if measured is None or (mat.layout.markers and abs(measured / made_for - 1) < OTHER_SIZE):
        return made_for
    return measured


def outlines_px(at: Array, mat: FoundMat, dice_mm: float) -> Array:
    """The boxes of dice that stand at (N, 2) mm: upper left and lower right corner (N, 2, 2) px."""
    points = _DICE[None] * dice_mm
    points = np.broadcast_to(points, (len(at), *_DICE.shape)).copy()
    points[..., :2] += at[:, None, None, :]
    seen = mat.raised_px(points.reshape(-1, 3)).reshape(len(at), len(_TURNS), 8, 2)
    return np.stack([seen.min(2).mean(1), seen.max(2).mean(1)], axis=1)


def dice_edge_mm(boxes: Array, mat: FoundMat) -> float | None:
    """The edge, mm, of dice that would fill these boxes (N, 4) px; the median of at least three, else None.

    It errs by some hundredths: good enough to notice dice of another size, or a lawn of unknown size.
    """
    boxes = np.asarray(boxes, np.float64).reshape(-1, 4)
    if len(boxes) < 3:
        return None
    edge = mat.layout.dice_mm
    for _ in range(3):
        at = footprints_mm(boxes, mat, edge)
        drawn = outlines_px(at, mat, edge)
        sizes = np.prod(drawn[:, 1] - drawn[:, 0], axis=1)
        seen = np.prod(boxes[:, 2:] - boxes[:, :2], axis=1)
        edge = float(np.clip(edge * np.median(np.sqrt(seen / np.maximum(sizes, 1e-6))), 5, 60))
    return edge / LOOSE
