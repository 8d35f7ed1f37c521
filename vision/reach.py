"""When a hand arrived beside the ends of the Lawn's rows: what tells from which side a die was pushed in."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.actions import Side
from vision.layout import ROWS
from vision.mat import FoundMat
from vision.watch import Look

Array = NDArray[np.float64]
Onset: TypeAlias = tuple[float, int]
"""When (s) the strip beside which end was reached: 2 * (row - 1) for the left end, 1 more for the right one."""

ENDS: tuple[Side, ...] = ("left", "right")
KEPT_S = 60.0
MOVES = 0.2
"""An end is reached when this share of the strip beside it moves."""
STRIP = (0.1, 0.9)
"""The strip beside a row's end, in widths of a place outwards."""
SAMPLES = 5


class Reach:
    """Watches the strips beside the rows' ends; engine.push_side.Arrivals."""

    def __init__(self) -> None:
        self._mat: FoundMat | None = None
        self._points = np.zeros((0, 2))
        self._astir = np.zeros(2 * ROWS, np.bool_)
        self._began: deque[Onset] = deque()
        self._new: list[Onset] = []

    def see(self, look: Look | None, mat: FoundMat | None) -> None:
        """Take in what a frame showed."""
        if look is None or mat is None:
            return
        if look.state != "moving":
            self._astir[:] = False
            return
        if mat is not self._mat:
            self._mat, self._points = mat, _strips(mat)
        height, width = look.moving.shape
        at = np.floor(self._points * look.scale).astype(np.intp)
        x, y = at[:, 0], at[:, 1]
        inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
        moving = np.zeros(len(at), np.bool_)
        moving[inside] = look.moving[y[inside], x[inside]]
        astir = moving.reshape(2 * ROWS, -1).mean(axis=1) >= MOVES
        self.reached((look.time_s, int(end)) for end in np.flatnonzero(astir & ~self._astir))
        self._astir = astir

    def reached(self, onsets: Iterable[Onset]) -> None:
        """Take in what was noted before, or just now."""
        for onset in onsets:
            self._began.append(onset)
            self._new.append(onset)
        while self._began and self._began[-1][0] - self._began[0][0] > KEPT_S:
            self._began.popleft()

    def news(self) -> list[Onset]:
        """What was reached since this was last asked."""
        new, self._new = self._new, []
        return new

    def first(self, row: int, side: Side, from_s: float, to_s: float) -> float | None:
        """When the strip beside that end was first reached in that time, s, or None."""
        if side not in ENDS:
            return None
        wanted = 2 * (row - 1) + ENDS.index(side)
        for time_s, end in self._began:
            if end == wanted and from_s <= time_s <= to_s:
                return time_s
        return None


def _strips(mat: FoundMat) -> Array:
    """Points of the twelve strips, (12 * SAMPLES**2, 2) px, row by row, the left end first."""
    width, height = mat.layout.cell_mm
    across = np.linspace(*STRIP, SAMPLES) * width
    down = np.linspace(0.15, 0.85, SAMPLES) * height
    points = []
    for row in range(ROWS):
        for x in (-across, 3 * width + across):
            gx, gy = np.meshgrid(x, row * height + down)
            points.append(np.column_stack([gx.ravel(), gy.ravel()]))
    spots = np.concatenate(points).astype(np.float64)
    return np.asarray(mat.to_px(spots), np.float64)
