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
TOO_HIGH, TOO_LOW = 1.2, 0.84
"""How much higher or lower than due a box is that shows more or less than its die; 98 of 100 others are 0.86 to 1.13
(datasets.mat_tables, boxes of the reader)."""
MOST_OF_IT = 0.8
"""What a box has too much of its lower part is that of a die before it if that one's box holds so much of it."""
APART = 0.15
"""Boxes whose middles are this far apart, in heights, are of dice one of which is farther up in the picture."""
LOOSE_RANGE = (0.9, 1.35)
"""Boxes wider or narrower than this, in outlines, are not judged by their width."""
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

    dice_mm: their edge; default what the mat is made for. Give all boxes of a picture together: a die whose lower
    part another one hides, or whose box took in some of the die behind, is told by its box's shape.
    """
    boxes = np.asarray(boxes, np.float64).reshape(-1, 4)
    if not len(boxes):
        return np.zeros((0, 2))
    edge = mat.layout.dice_mm if dice_mm is None else dice_mm
    wanted = (boxes[:, :2] + boxes[:, 2:]) / 2
    at = _under(wanted, mat.to_mm(wanted, edge / 2), mat, edge)
    better = _mended(boxes, outlines_px(at, mat, edge))
    changed = (better != wanted).any(1)
    if changed.any():
        at[changed] = _under(better[changed], at[changed], mat, edge)
    return at


def _under(wanted: Array, at: Array, mat: FoundMat, edge: float) -> Array:
    """Where dice (N, 2) mm stand whose outlines' middles are wanted (N, 2) px; at: where to start."""
    step = 0.5
    right, down = np.array([step, 0.0]), np.array([0.0, step])
    for _ in range(ROUNDS):
        middle = outlines_px(at, mat, edge).mean(1)
        across = mat.to_px(at + right, edge / 2) - mat.to_px(at - right, edge / 2)
        along = mat.to_px(at + down, edge / 2) - mat.to_px(at - down, edge / 2)
        jacobian = np.stack([across, along], axis=-1) / (2 * step)
        at = at + np.linalg.solve(jacobian, (wanted - middle)[..., None])[..., 0]
    return np.asarray(at)


def _mended(boxes: Array, outlines: Array) -> Array:
    """The middles (N, 2) px that boxes (N, 4) would have if each showed its whole die and nothing else.

    Whatever its turn, a die that fills its outline's (N, 2, 2) width fills its height as much. A box that is too
    high took in a die behind, whose foot is higher up in the picture: its lower edge is right; or, if another box
    overlaps more of its lower part than of its upper one, a die before it: then its upper edge is. One that is too
    low, with another die just below, hides its foot behind that die: its upper edge is right.
    """
    middles = (boxes[:, :2] + boxes[:, 2:]) / 2
    wide, high = (boxes[:, 2:] - boxes[:, :2]).T
    drawn = outlines[:, 1] - outlines[:, 0]
    looser = wide / np.maximum(drawn[:, 0], 1e-6)
    due = drawn[:, 1] * looser
    whole = (looser > LOOSE_RANGE[0]) & (looser < LOOSE_RANGE[1])
    too_high = whole & (high > TOO_HIGH * due)
    middles[too_high, 1] = boxes[too_high, 3] - due[too_high] / 2
    above, below = _overlapped(boxes)
    before = too_high & (below > above) & (below > MOST_OF_IT * (high - due))
    middles[before, 1] = boxes[before, 1] + due[before] / 2
    too_low = whole & (high < TOO_LOW * due) & _has_one_below(boxes)
    middles[too_low, 1] = boxes[too_low, 1] + due[too_low] / 2
    return middles


def _overlapped(boxes: Array) -> tuple[Array, Array]:
    """How much, px, another box overlaps each box's (N, 4) upper part, and its lower one."""
    x0, y0, x1, y1 = boxes.T
    across = np.minimum(x1[:, None], x1) - np.maximum(x0[:, None], x0)
    down = np.minimum(y1[:, None], y1) - np.maximum(y0[:, None], y0)
    middle = (y0 + y1) / 2
    down = np.where(across > 0.15 * (x1 - x0)[:, None], np.maximum(down, 0), 0)
    away = (middle - middle[:, None]) / (y1 - y0)[:, None]
    return (down * (away < -APART)).max(1), (down * (away > APART)).max(1)


def _has_one_below(boxes: Array) -> NDArray[np.bool_]:
    """Which boxes (N, 4) px end within another one, or just above it, that reaches farther down."""
    x0, y0, x1, y1 = boxes.T
    across = np.minimum(x1[:, None], x1) - np.maximum(x0[:, None], x0)
    beside = across > 0.15 * (x1 - x0)[:, None]
    touches = (y0 < (y1 + 0.12 * (y1 - y0))[:, None]) & (y1 > y1[:, None] + 1) & (y0 > y0[:, None])
    return np.asarray((beside & touches).any(1))


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
