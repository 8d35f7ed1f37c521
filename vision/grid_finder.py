"""The mat by its printed or drawn lines, as a `Finder`: numbers beside it, or dice on it, tell which end is row 1."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np

from vision.detect import Detection
from vision.footprint import edge_for
from vision.frames import Image
from vision.grid import LEAST_CONFIDENCE, FoundGrid, grid_search
from vision.layout import MatLayout
from vision.lens import Lens
from vision.mat import Array, FoundMat, MatError, mat_of_corners
from vision.orientation import LyingDie, Orientation, evidence, oriented, settled
from vision.row_numbers import numbers_told
from vision.slices import Slices, at_once

FOOT = 0.62
"""A die's foot is this far down its box: the box holds its sides too."""
LEAST_WITH_DICE = 0.4
"""A grid of this confidence, one of whose lines is hidden by dice, is one if those dice show their rows."""
LEAST_EVIDENCE = 6.9
"""The logarithm of how much likelier they must be in a game than by chance (1000): four dice that fit."""
ASK_ROW_1 = (
    "A lawn of 6 x 3 places is seen, but its dice do not tell which end is row 1; drag its corners on the page, "
    "or give them with --corners: row 1 left, row 1 right, row 6 right, row 6 left."
)

ReadDice = Callable[[Image], Sequence[Detection]]


class Read(Protocol):
    """A die that was read: its box x0 y0 x1 y1 px and P(face 1..6)."""

    @property
    def box(self) -> tuple[float, float, float, float]: ...
    @property
    def face_p(self) -> tuple[float, ...]: ...


class GridFinder:
    """Finds any mat's 6 x 3 grid; give it to `MatFinder(others=...)`, or use `find_among` where dice are read anyway.

    read: finds the dice of a picture. layout: the mat if its cells are known, default by the grid's shape.
    unsure: after a search, the readings of a grid whose end is not told by the dice, else empty: ask the person.
    """

    def __init__(
        self,
        read: ReadDice = lambda _: (),
        layout: MatLayout | None = None,
        lens: Lens | None = None,
    ) -> None:
        self._read, self._layout, self._lens = read, layout, lens
        self._grid: FoundGrid | None = None
        self._told: list[tuple[Array, float]] = []
        self.unsure: tuple[Orientation, ...] = ()

    def find(self, image: Image, previous: FoundMat | None = None) -> FoundMat | None:
        """The mat in a picture (H, W, 3) uint8 BGR; None without a proven grid or without its orientation.

        previous: where the mat was before; it tells the orientation when the dice do not.
        """
        return self.find_among(image, self._read(image), previous)

    def find_among(
        self, image: Image, dice: Sequence[Read], previous: FoundMat | None = None
    ) -> FoundMat | None:
        """As `find`, among these dice of the picture. Half a second to two of one core."""
        at_once(self.search(image, dice))
        return self.turned((image.shape[1], image.shape[0]), dice, previous)

    def search(self, image: Image, dice: Sequence[Read]) -> Slices[None]:
        """Look for a grid among these dice in slices; `turned` then tells what mat it is."""
        boxes = box_array(dice)
        kept = image.copy()
        self._grid, self._told = None, []
        grid = yield from grid_search(kept, boxes, LEAST_WITH_DICE)
        if grid is not None and grid.confidence < LEAST_CONFIDENCE:
            best = oriented(grid.corners, _lying(dice))[0]
            if evidence(best.corners, _lying(dice)) < LEAST_EVIDENCE:
                grid = yield from grid_search(kept, boxes)
        self._grid = grid
        if grid is not None:
            yield
            readings = [each.corners for each in oriented(grid.corners)]
            told = numbers_told(kept, readings, boxes)
            self._told = [(corners, log) for corners, log in zip(readings, told, strict=True)]

    @property
    def numbered(self) -> bool:
        """Whether numbers beside the grid that was found last tell its end."""
        return any(log != 0 for _, log in self._told)

    def _numbers(self, readings: Sequence[Array]) -> list[float]:
        """What the numbers beside the grid that was found last told of these readings of it."""
        return [
            next((log for corners, log in self._told if np.allclose(corners, each)), 0.0)
            for each in readings
        ]

    def turned(
        self, size: tuple[int, int], dice: Sequence[Read], previous: FoundMat | None = None
    ) -> FoundMat | None:
        """The grid that was found last, with row 1 where numbers or these dice tell; size of the picture, px."""
        self.unsure = ()
        if self._grid is None:
            return None
        readings = oriented(self._grid.corners, _lying(dice), numbers=self._numbers)
        best = settled(readings)
        if best is None and previous is not None:
            best = min(readings, key=lambda each: _apart(each, previous))
        if best is None:
            self.unsure = readings
            return None
        try:
            mat = mat_of_corners(
                best.corners, size, self._layout, "grid", self._lens, max(self._grid.error_px, 0.3)
            )
        except MatError:
            return None
        if self._layout is None:  # its mm are assumed: its dice are as large as they look
            edge = edge_for(box_array(dice), mat)
            mat = replace(mat, layout=replace(mat.layout, dice_mm=edge))
        return mat


def box_array(dice: Sequence[Read]) -> Array:
    """The boxes (N, 4) px of these dice."""
    return np.array([die.box for die in dice], np.float64).reshape(-1, 4)


def _lying(dice: Sequence[Read]) -> list[LyingDie]:
    return [LyingDie(foot(die.box), die.face_p) for die in dice]


def foot(box: tuple[float, float, float, float]) -> tuple[float, float]:
    """About where a die of that box px stands, px."""
    x0, y0, x1, y1 = box
    return (x0 + x1) / 2, y0 + FOOT * (y1 - y0)


def _apart(reading: Orientation, previous: FoundMat) -> float:
    return float(np.linalg.norm(reading.corners - previous.corners))
