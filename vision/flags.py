"""What makes a die's reading doubtful, and what a person can do about it.

What can be told with a mat, whose scale and slant give the outline of a die that lies flat:

- a die that leans (on another, on a finger, on the lawn's edge) shows edges where no flat die has any
  (vision.die_fit) but a leaning one has (vision.lean_fit). Its outline may fit no flat die either;
- two dice that would have to share one spot of the mat are stacked, and so is one outline that fits
  two dice on top of each other seen from the side. A stack seen from straight above looks like one
  die that is three or four per cent larger, which boxes vary by anyway, and is not recognised.

Without a mat only dice cut off by the picture's edge, half hidden or too small are flagged.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.table import Flag
from vision.die_fit import EdgeFit
from vision.footprint import ROUNDED
from vision.mat import FoundMat
from vision.overlap import Box
from vision.reader import LEAST_DIE_PX

Point: TypeAlias = tuple[float, float]

LOOSE = 0.06
"""The detector's boxes are wider than the outline by about this (logarithm)."""
SIZE_PLAY, KNOWN_SIZE_PLAY = 0.10, 0.03
"""A die may differ from the mat's by this (logarithm), and from the middle of those on the table."""
FEWEST = 4
"""Dice from which their usual size is learned."""
MOST_SIZE = 0.25
NO_DIE_SIZE = 0.22
"""What differs by more (logarithm) from a die of any turn in size is none, such as a marker of the mat."""
MOST_MISFIT, DOUBTFUL_MISFIT = 0.09, 0.065
"""A flat die's box fits one of the outlines better than this (logarithm); the second for dice whose
face is in doubt, as it is when two are seen alike."""
SHARP_FIT = 0.65
"""Where dice usually fit worse than this, the picture is too blurred to tell one that leans by its edges."""
WORSE_FIT = 0.08
"""A die that fits a flat one by so much worse than usual may lean."""
LEANS_BETTER, DOUBTFUL_LEANS = 0.08, 0.05
"""It does when its edges fit a leaning die's by so much better; the second for dice whose face is in doubt."""
SAME_SPOT = 0.75
"""Centres nearer than this, in die edges, cannot both be on the mat."""
HIDDEN_BY_DIE = 0.30
"""A box of which a nearer die's box covers more than this share is half hidden."""

Array: TypeAlias = NDArray[np.float64]
Fit: TypeAlias = tuple[Array, Array]
"""How much larger, and how differently shaped, a box is than an outline of each turn: (turns,) logarithms."""

_TURNS = np.radians(np.arange(0, 90, 6))
_CORNERS = np.exp(1j * (_TURNS[:, None] + np.pi / 4 * np.array([1, 3, 5, 7])))
"""Directions (turns, 4) from a die's middle to its corners."""

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
    mat: FoundMat | None,
    spots: Sequence[Point | None],
    sure: Sequence[bool],
    fits: Sequence[EdgeFit | None] = (),
) -> list[frozenset[Flag]]:
    """The flags of every die.

    boxes: x0 y0 x1 y1 px; shape: of the picture (H, W, ...); spots: the centres on the mat, mm; sure: whether
    the die's face is beyond doubt; fits: of their edges, None where that is not known.
    """
    found: list[set[Flag]] = [set() for _ in boxes]
    larger: float | None = None
    against: Iterator[Fit] = iter(())
    if mat is not None:
        lying = [(box, spot) for box, spot in zip(boxes, spots, strict=True) if spot is not None]
        outlines = _fits([box for box, _ in lying], [spot for _, spot in lying], mat)
        larger, against = _usual(*outlines), iter(zip(*outlines, strict=True))
    for flags, box, spot, known in zip(found, boxes, spots, sure, strict=True):
        fit = None if mat is None or spot is None else next(against)
        if cut_off(box, shape):
            flags.add("cut-off")
        if size_px(box) < LEAST_DIE_PX:
            flags.add("too-small")
        if mat is not None and fit is not None and not flags:
            flags |= _posture(box, fit, mat, larger, known)
    for flags, leans in zip(found, leaning(fits, sure), strict=False):
        if leans and not flags:
            flags.add("cocked")
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


def may_lean(fits: Sequence[EdgeFit | None]) -> list[bool]:
    """Which dice fit a flat one worse than those beside them, and were not compared with a leaning one yet."""
    return [worse and fit is not None and fit.leaning is None for fit, worse in _worse(fits)]


def leaning(fits: Sequence[EdgeFit | None], sure: Sequence[bool]) -> list[bool]:
    """Which dice fit a leaning one better than a flat one; none where too few of them are sharp."""
    found = []
    for (fit, worse), certain in zip(_worse(fits), sure, strict=False):
        better = 0.0 if fit is None or fit.leaning is None else fit.leaning - fit.flat
        found.append(worse and better > (LEANS_BETTER if certain else DOUBTFUL_LEANS))
    return found


def _worse(fits: Sequence[EdgeFit | None]) -> list[tuple[EdgeFit | None, bool]]:
    """Each fit, and whether it is worse than is usual among them."""
    known = [fit.flat for fit in fits if fit is not None]
    usual = float(np.median(known)) if len(known) >= FEWEST else 0.0
    sharp = usual >= SHARP_FIT
    return [(fit, sharp and fit is not None and fit.flat < usual - WORSE_FIT) for fit in fits]


def size_px(box: Box) -> float:
    """Square root of a box's area, px."""
    return math.sqrt(max(box[2] - box[0], 0.0) * max(box[3] - box[1], 0.0))


def cut_off(box: Box, shape: tuple[int, ...]) -> bool:
    """Whether a box touches the edge of a picture (H, W, ...)."""
    height, width = shape[:2]
    return box[0] <= 1 or box[1] <= 1 or box[2] >= width - 1 or box[3] >= height - 1


def misfit(
    box: Box, spot: Point, mat: FoundMat, storeys: int = 1, larger: float | None = None
) -> float:
    """How badly a box fits a die (or a tower of dice) that stands flat at a spot, whatever its turn.

    larger: how much larger than the mat's dice those on the table are (logarithm), as
    `usual_size` says; None where that is not known. Returns the logarithm of the sides' ratio to the
    outline's that no turn and size explains.
    """
    (size,), (shape,) = _fits([box], [spot], mat, storeys)
    return _misfit((size, shape), larger)


def _misfit(fit: Fit, larger: float | None) -> float:
    size, shape = fit
    play = SIZE_PLAY if larger is None else KNOWN_SIZE_PLAY
    off = np.maximum(np.abs(size - (larger or 0.0)) - play, 0)
    return float((shape + off).min())


def of_another_size(boxes: Sequence[Box], spots: Sequence[Point], mat: FoundMat) -> list[bool]:
    """Which boxes are far larger or smaller than a die at their spots: print or a pattern, and no die.

    A tower of two dice is not: it is larger one way only.
    """
    sizes, shapes = _fits(boxes, spots, mat)
    larger = _usual(sizes, shapes) or 0.0
    return [bool(off > NO_DIE_SIZE) for off in np.abs(sizes - larger).min(1)]


def usual_size(boxes: Sequence[Box], spots: Sequence[Point], mat: FoundMat) -> float | None:
    """How much larger than the mat's dice those on the table are (logarithm); None of too few.

    The dice of a match are all of one size, or nearly.
    """
    return _usual(*_fits(boxes, spots, mat))


def _usual(sizes: Array, shapes: Array) -> float | None:
    """As `usual_size`, of what `_fits` says."""
    if len(sizes) < FEWEST:
        return None
    best = (shapes + 0.3 * np.abs(sizes)).argmin(1)
    middle = float(np.median(sizes[np.arange(len(sizes)), best]))
    return middle if abs(middle) < MOST_SIZE else None


def _fits(
    boxes: Sequence[Box], spots: Sequence[Point], mat: FoundMat, storeys: int = 1
) -> tuple[Array, Array]:
    """As Fit, of boxes at their spots, (N, turns) each."""
    outlines = _outlines(spots, mat, storeys)
    edges = np.array(boxes, np.float64).reshape(-1, 4)
    sides = np.log(np.maximum(edges[:, 2:] - edges[:, :2], 1.0)[:, None] / outlines) - LOOSE
    across, down = sides[..., 0], sides[..., 1]
    return np.asarray((across + down) / 2), np.asarray(np.abs(across - down) / 2)


def _outlines(spots: Sequence[Point], mat: FoundMat, storeys: int) -> Array:
    """Width and height px (N, turns, 2) of flat dice's outlines at spots, for turns of 0 to 90 degrees."""
    edge = mat.layout.dice_mm
    low = (1 - ROUNDED) / 2 * edge
    corners = math.sqrt(0.5) * edge * ROUNDED * _CORNERS
    middles = np.array(spots, np.float64).reshape(-1, 2)
    points = np.empty((len(middles), len(corners), 2, 4, 3))
    points[..., 0] = corners.real[:, None] + middles[:, 0, None, None, None]
    points[..., 1] = corners.imag[:, None] + middles[:, 1, None, None, None]
    points[..., 0, :, 2] = low
    points[..., 1, :, 2] = storeys * edge - low
    seen = mat.raised_px(points.reshape(-1, 3)).reshape(len(middles), len(corners), 8, 2)
    return np.asarray(seen.max(axis=2) - seen.min(axis=2))


def _posture(box: Box, fit: Fit, mat: FoundMat, larger: float | None, sure: bool) -> set[Flag]:
    alone = _misfit(fit, larger)
    if alone < (MOST_MISFIT if sure else DOUBTFUL_MISFIT):
        return set()
    # Of a tower the box's middle is a die's edge above the mat, not half of one.
    middle = np.array([[(box[0] + box[2]) / 2, (box[1] + box[3]) / 2]])
    x, y = mat.to_mm(middle, mat.layout.dice_mm)[0]
    tower = misfit(box, (float(x), float(y)), mat, 2, larger)
    return {"stacked"} if tower < min(0.5 * alone, 0.08) else {"cocked"}


def _pairs(boxes: Sequence[Box]) -> list[tuple[int, int]]:
    """The pairs (i, j), j < i, of boxes that overlap, in order."""
    edges = np.array(boxes, np.float64).reshape(-1, 4)
    low, high = edges[:, :2], edges[:, 2:]
    shared = np.minimum(high[:, None], high) - np.maximum(low[:, None], low)
    pairs = np.argwhere(np.tril((shared > 0).all(2), -1))
    return [(int(i), int(j)) for i, j in pairs]


def _overlap(a: Box, b: Box) -> float:
    """px that two boxes share."""
    across = min(a[2], b[2]) - max(a[0], b[0])
    down = min(a[3], b[3]) - max(a[1], b[1])
    return max(across, 0.0) * max(down, 0.0)
