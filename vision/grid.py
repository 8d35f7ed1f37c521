"""Find a printed, drawn or cloth grid of 6 x 3 cells in a picture by its lines, and prove it.

`vision.grid_lines` proposes; here every proposal is straightened and looked at cell edge by cell edge: lines must be
where the grid has them, of one make, and must end where the grid ends. A tiled floor, a checked cloth, a keyboard or a
calendar fail one of these. What is not proven is not given: no grid is a better answer than a wrong one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Image
from vision.grid_lines import TEETH, Proposal, proposals, segments_of
from vision.slices import Slices, at_once

Array: TypeAlias = NDArray[np.float64]

LEAST_CONFIDENCE = 0.5
"""Grids of less confidence are not given."""
CELL_PX = (20, 64)
"""Size of a cell in the straightened picture, px: small grids are not enlarged beyond the first."""
TRIED = 8
"""So many proposals are looked at closely."""
REFINED = (0.20, 0.14, 0.09, 0.07)
"""How far (cells) a line is looked for from where it should be, in each round of refinement."""
LEAST_CELL_PX = 9.0
"""A grid whose cells are smaller than this, px, could not be played on before this camera."""

HIDDEN = 0.5
"""What counts as the seen share of a line, row or column that is hidden: it may not be there at all."""

FIRST_PX = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1.0]])
"""From OpenCV's px, where 0, 0 is the middle of the first one, to those of `vision.mat`, where it is the corner."""

_COLUMNS, _ROWS = TEETH


@dataclass(frozen=True)
class FoundGrid:
    """A grid of 6 x 3 cells; which end is row 1 is not known yet (`vision.orientation`).

    Attributes:
        to_px: (3, 3) float64, grid units (x 0..3, y 0..6, one a cell) to picture px; not mirrored.
        confidence: 0..1 that this is a grid and these are its corners.
        error_px: expected error of a corner, px.
        seen: share of the visible cell edges whose line was seen, 0..1.
    """

    to_px: Array
    confidence: float
    error_px: float
    seen: float

    @property
    def corners(self) -> Array:
        """(4, 2) px in the order of FoundMat, if the end y = 0 is row 1."""
        return corners_of(self.to_px)


def corners_of(to_px: Array) -> Array:
    """(4, 2) px of the corners (0, 0), (3, 0), (3, 6), (0, 6) of a grid-to-px homography."""
    unit = np.array([[[0, 0], [_COLUMNS, 0], [_COLUMNS, _ROWS], [0, _ROWS]]], np.float64)
    return np.asarray(cv2.perspectiveTransform(unit, to_px)[0])


def find_grid(
    image: Image, dice: Array | None = None, least: float = LEAST_CONFIDENCE
) -> FoundGrid | None:
    """The grid in a picture (H, W, 3) uint8 BGR, or None when none is proven.

    dice: boxes (N, 4) px of the dice that were found; they are no lines and hide some. Takes about a second.
    """
    return at_once(grid_search(image, dice, least))


def grid_search(
    image: Image, dice: Array | None = None, least: float = LEAST_CONFIDENCE
) -> Slices[FoundGrid | None]:
    """As `find_grid`, in slices of about a tenth of a second at most; the picture may change meanwhile."""
    shape = (image.shape[0], image.shape[1])
    prover = Prover(image, dice)
    lines = yield from segments_of(image.copy(), dice)
    best: FoundGrid | None = None
    for window in _windows(shape):
        x0, y0, x1, y1 = window
        middle = (lines[:, :2] + lines[:, 2:4]) / 2
        inside = ((middle >= [x0, y0]) & (middle <= [x1, y1])).all(1)
        likely = (yield from proposals(lines[inside], shape))[:TRIED]
        if not likely and window == (0, 0, shape[1], shape[0]):
            return None  # what is nothing like a grid as a whole is none in a part: most tables without one end here
        for proposal in likely:
            found = prover.prove(proposal)
            yield
            if found is not None and (best is None or found.confidence > best.confidence):
                best = found
            if best is not None and best.confidence > 0.9:
                break
        if best is not None and best.confidence >= least:
            return best
    return None


def _windows(shape: tuple[int, int]) -> list[tuple[float, float, float, float]]:
    """The whole picture, then parts of it: in a part, the lines of a floor or a table count for less."""
    height, width = shape
    parts = [(0.2, 0.2), (0.0, 0.0), (0.4, 0.0), (0.0, 0.4), (0.4, 0.4)]
    return [(0, 0, width, height)] + [
        (x * width, y * height, (x + 0.6) * width, (y + 0.6) * height) for x, y in parts
    ]


class Prover:
    """Looks at proposals on one picture (H, W, 3) uint8 BGR with dice boxes (N, 4) px."""

    def __init__(self, image: Image, dice: Array | None = None) -> None:
        self._shape = image.shape[:2]
        lab = cv2.cvtColor(image, cv2.COLOR_BGR2LAB)
        self._pictures = [lab]
        free = np.full(self._shape, 255, np.uint8)
        for x0, y0, x1, y1 in dice if dice is not None else ():
            cv2.rectangle(free, (round(x0), round(y0)), (round(x1), round(y1)), 0, -1)
        self._free = free
        while min(self._pictures[-1].shape[:2]) > 200:
            last = self._pictures[-1]
            half = (last.shape[1] // 2, last.shape[0] // 2)
            self._pictures.append(cv2.resize(last, half, interpolation=cv2.INTER_AREA))

    def prove(self, proposal: Proposal) -> FoundGrid | None:
        """The proposal refined, with the confidence that it is a grid; None when it cannot be one."""
        to_px = proposal.to_px
        for reach in REFINED:
            if not plausible(to_px, (self._shape[0], self._shape[1])):
                return None
            edges = self._look(to_px, reach)
            moved = edges.correction()
            if moved is None:
                return None
            to_px = to_px @ moved
        if not plausible(to_px, (self._shape[0], self._shape[1])):
            return None
        edges = self._look(to_px, REFINED[-1])
        to_px = to_px / to_px[2, 2]
        if np.linalg.det(to_px) < 0:  # as seen in a picture that is not mirrored
            to_px = to_px @ np.array([[-1, 0, _COLUMNS], [0, 1, 0], [0, 0, 1.0]])
        error_px = edges.error() * _cell_px(to_px)
        to_px = FIRST_PX @ to_px
        return FoundGrid(to_px, edges.confidence(), error_px, edges.seen_share())

    def _look(self, to_px: Array, reach: float) -> _Edges:
        """Straighten the picture by a proposal, with a cell more on each side, and measure its cell edges."""
        size_px = _cell_px(to_px)
        cell = int(np.clip(round(size_px), *CELL_PX))
        level = int(
            np.clip(np.floor(np.log2(max(size_px / cell, 1.0)) + 0.3), 0, len(self._pictures) - 1)
        )
        # Straightened px (whole numbers are middles of px) to grid units, to picture px, to px of the smaller picture.
        to_grid = np.array(
            [[1 / cell, 0, 0.5 / cell - 1], [0, 1 / cell, 0.5 / cell - 1], [0, 0, 1.0]]
        )
        shrink = 2.0**-level
        small = np.array(
            [[shrink, 0, (shrink - 1) / 2], [0, shrink, (shrink - 1) / 2], [0, 0, 1.0]]
        )
        wanted = ((_COLUMNS + 2) * cell, (_ROWS + 2) * cell)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        flat = cv2.warpPerspective(
            self._pictures[level], small @ to_px @ to_grid, wanted, flags=flags
        )
        flags = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
        free = cv2.warpPerspective(self._free, to_px @ to_grid, wanted, flags=flags)
        return _Edges(flat.astype(np.float32), free > 0, cell, reach)


class _Edges:
    """The cell edges of a straightened picture with a margin of one cell.

    For both directions (0: lines x = constant, 1: lines y = constant): strength, offset and visibility of the line at
    every half cell, by cells along it, the margin's included.
    """

    def __init__(
        self, flat: NDArray[np.float32], free: NDArray[np.bool_], cell: int, reach: float
    ) -> None:
        self._lines = [
            _Lines(flat, free, cell, reach, _COLUMNS, _ROWS),
            _Lines(flat.transpose(1, 0, 2), free.T, cell, reach, _ROWS, _COLUMNS),
        ]
        halves = np.concatenate([line.between() for line in self._lines])
        self._noise = float(np.percentile(halves, 60)) if len(halves) else 0.0
        self._least = max(1.9 * self._noise, 1.0)
        strong = np.concatenate([line.inside()[line.inside_visible()] for line in self._lines])
        strong = strong[strong > self._least]
        self._usual = float(np.median(strong)) if len(strong) else 0.0
        # Lines of one make are about equally strong; what is far weaker is texture.
        self._least = max(self._least, 0.33 * self._usual)

    def seen_share(self) -> float:
        """Share of the visible edges inside the grid that are seen."""
        seen = np.concatenate(
            [(line.inside() > self._least)[line.inside_visible()] for line in self._lines]
        )
        return float(seen.mean()) if len(seen) else 0.0

    def confidence(self) -> float:
        """0..1 that there is a grid here, whole, alone and of one make.

        The weakest of: share of edges seen; weakest line; weakest row or column of cells; and how little goes on
        beyond the rim. Each is held against what true grids and lookalikes showed (`lawn evaluate --grids`).
        """
        weakest_line, weakest_band, beyond = 1.0, 1.0, 0.0
        for line in self._lines:
            seen, visible = line.inside() > self._least, line.inside_visible()
            for axis in (0, 1):
                count = visible.sum(1 - axis)
                share = (seen & visible).sum(1 - axis) / np.maximum(count, 1)
                share = np.where(count >= 2, share, HIDDEN)
                if axis == 0:
                    weakest_line = min(weakest_line, float(share.min()))
                else:
                    weakest_band = min(weakest_band, float(share.min()))
            beyond = max(beyond, line.runs_on(max(self._least, 0.45 * self._usual)))
        contrast = self._usual / max(self._noise, 0.4)
        return float(
            min(
                _ramp(self.seen_share(), 0.62, 0.95),
                _ramp(weakest_line, 0.25, 0.8),
                _ramp(weakest_band, 0.25, 0.8),
                _ramp(1 - beyond, 0.25, 0.65),
                _ramp(contrast, 1.8, 3.2),
            )
        )

    def correction(self) -> Array | None:
        """(3, 3): where the grid's points lie in the present grid's units; None when too little is seen."""
        rows, goals, weights = [], [], []
        for axis, line in enumerate(self._lines):
            seen = (line.inside() > self._least) & line.inside_visible()
            offsets = line.inside_offset()
            for index, along in zip(*np.nonzero(seen), strict=True):
                x, y = (index, along + 0.5) if axis == 0 else (along + 0.5, index)
                rows.append(_row(float(x), float(y), axis))
                goals.append(offsets[index, along])
                weights.append(1.0)
        if len(rows) < 14:
            return None
        a, b = np.array(rows), np.array(goals)
        w = np.array(weights)
        step = np.zeros(8)
        hold = np.diag([1, 1, 1, 1, 1, 1, 30, 30]) * 0.02
        for _ in range(4):
            step = np.linalg.solve((a * w[:, None]).T @ a + hold, (a * w[:, None]).T @ b)
            off = np.abs(b - a @ step)
            w = 1 / np.maximum(1.0, off / max(1.5 * float(np.median(off)), 0.004))
        self._off = b - a @ step
        e = step
        return np.array([[1 + e[0], e[1], e[2]], [e[3], 1 + e[4], e[5]], [e[6], e[7], 1.0]])

    def error(self) -> float:
        """Expected error of a corner, in cells: what the lines' offsets leave, spread over 8 unknowns."""
        if self.correction() is None:
            return 1.0
        spread = 1.4826 * float(np.median(np.abs(self._off)))
        return 4.0 * spread * (math.sqrt(8 / max(len(self._off) - 8, 4)) + 0.25)


class _Lines:
    """The lines of one direction: `teeth` + 1 of them inside, each along `cells` cells, and the margin."""

    def __init__(
        self, flat: NDArray[np.float32], free: NDArray[np.bool_], cell: int, reach: float, teeth: int, cells: int
    ) -> None:  # fmt: skip
        self._teeth, self._cells = teeth, cells
        trim = max(1, round(0.12 * cell))
        height = cells + 2
        blocks = flat.reshape(height, cell, flat.shape[1], 3)[:, trim:-trim]
        open_ = free.reshape(height, cell, free.shape[1], 1)[:, trim:-trim].astype(np.float32)
        count = open_.sum(1)
        profile = (blocks * open_).sum(1) / np.maximum(count, 1)  # (cells + 2, width, 3)
        visible = count[..., 0] / (cell - 2 * trim)
        strength = np.zeros(profile.shape[:2], np.float32)
        for share in (0.07, 0.13, 0.20):
            gap = max(2, round(share * cell))
            wide = (gap // 2) | 1  # odd, so that the line stays where it is
            smooth = cv2.blur(profile, (wide, 1)) if wide > 1 else profile
            if wide > 1:
                smooth = smooth.reshape(profile.shape)
            padded = np.pad(smooth, ((0, 0), (gap, gap), (0, 0)), mode="edge")
            # A line differs from both its sides alike; beside a line, and at an edge, one side is the same.
            left, right = smooth - padded[:, : -2 * gap], smooth - padded[:, 2 * gap :]
            alike = (left * right).sum(2) > 0
            ridge = np.sqrt(np.minimum((left**2).sum(2), (right**2).sum(2))) * alike
            strength = np.maximum(strength, ridge)
        self._strength, self._offset, self._visible = self._peaks(strength, visible, cell, reach)

    def _peaks(
        self, strength: NDArray[np.float32], visible: NDArray[np.float32], cell: int, reach: float
    ) -> tuple[Array, Array, NDArray[np.bool_]]:
        """Strength, offset (cells) and visibility at every half cell from -0.5: (2 teeth + 5, cells + 2) each."""
        half = max(2, round(reach * cell))
        spots = (
            np.arange(1, 2 * self._teeth + 4) / 2 * cell
        )  # -0.5, 0, ... teeth + 0.5, in px edges
        out = np.zeros((len(spots), self._cells + 2))
        offset, open_ = out.copy(), np.zeros(out.shape, bool)
        for index, spot in enumerate(spots):
            low = round(spot - 0.5) - half
            window = strength[:, max(low, 0) : low + 2 * half + 1]
            at = np.arange(max(low, 0), max(low, 0) + window.shape[1])
            peak = window.max(1)
            # The middle of what stands out, so that a line of two strokes counts as one.
            weight = np.maximum(window - 0.5 * peak[:, None], 0)
            centre = (weight * at).sum(1) / np.maximum(weight.sum(1), 1e-9)
            out[index] = peak
            offset[index] = (centre + 0.5 - spot) / cell
            open_[index] = visible[:, at].mean(1) > 0.35
        return out, offset, open_

    # Index 0 of the first axis is -0.5, 1 is the first line; index 1 of the second is the first cell.
    def inside(self) -> Array:
        """Strength (teeth + 1, cells) of the cell edges."""
        return self._strength[1 : 2 * self._teeth + 2 : 2, 1:-1]

    def inside_offset(self) -> Array:
        """Offset (teeth + 1, cells) of the lines, cells."""
        return self._offset[1 : 2 * self._teeth + 2 : 2, 1:-1]

    def inside_visible(self) -> NDArray[np.bool_]:
        """Which edges (teeth + 1, cells) are not hidden by dice."""
        return self._visible[1 : 2 * self._teeth + 2 : 2, 1:-1]

    def between(self) -> Array:
        """Strength of what is visible in the middle of cells, where the lawn has no lines."""
        middle = self._strength[2 : 2 * self._teeth + 1 : 2, 1:-1]
        return middle[self._visible[2 : 2 * self._teeth + 1 : 2, 1:-1]]

    def runs_on(self, least: float) -> float:
        """The larger share of lines that go on beyond one of their ends, 0..1."""
        seen = self._strength[1 : 2 * self._teeth + 2 : 2] > least
        visible = self._visible[1 : 2 * self._teeth + 2 : 2]
        shares = []
        for end in (0, -1):
            count = visible[:, end].sum()
            if count >= 2:
                shares.append(float((seen & visible)[:, end].sum() / count))
        return max(shares, default=0.0)


def _row(x: float, y: float, axis: int) -> list[float]:
    """How the eight unknowns of a small homography move the point (x, y) along an axis."""
    if axis == 0:
        return [x, y, 1, 0, 0, 0, -x * x, -x * y]
    return [0, 0, 0, x, y, 1, -x * y, -y * y]


def _ramp(value: float, low: float, high: float) -> float:
    return float(np.clip((value - low) / (high - low), 0, 1))


def _cell_px(to_px: Array) -> float:
    """Square root of the mean area of a cell, px."""
    corners = corners_of(to_px)
    return float(np.sqrt(abs(_area(corners)) / (_COLUMNS * _ROWS)))


def _area(corners: Array) -> float:
    x, y = corners.T
    return float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum() / 2)


def plausible(to_px: Array, shape: tuple[int, int]) -> bool:
    """Whether a camera before that grid could show it so: convex, not tiny, mostly in the picture (H, W)."""
    if not np.isfinite(to_px).all() or abs(np.linalg.det(to_px)) < 1e-12:
        return False
    ends = np.array([[0, 0, 1], [_COLUMNS, 0, 1], [_COLUMNS, _ROWS, 1], [0, _ROWS, 1.0]]) @ to_px.T
    if np.ptp(np.sign(ends[:, 2])) or (np.abs(ends[:, 2]) < 1e-9).any():
        return False
    corners = ends[:, :2] / ends[:, 2:]
    sides = np.roll(corners, -1, 0) - corners
    after = np.roll(sides, -1, 0)
    turn = sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0]
    if np.ptp(np.sign(turn)) or _cell_px(to_px) < LEAST_CELL_PX:
        return False
    margin = 0.06 * max(shape)
    low, high = corners.min(0), corners.max(0)
    return bool(
        (low > -margin).all() and high[0] < shape[1] + margin and high[1] < shape[0] + margin
    )
