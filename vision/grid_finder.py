"""The mat by its printed or drawn lines, as a `Finder`: a grid, and the dice on it tell which end is row 1."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from vision.detect import Detection
from vision.frames import Image
from vision.grid import find_grid
from vision.layout import MatLayout
from vision.lens import Lens
from vision.mat import FoundMat, MatError, mat_of_corners
from vision.orientation import LyingDie, Orientation, oriented, settled

FOOT = 0.62
"""A die's foot is this far down its box: the box holds its sides too."""

ReadDice = Callable[[Image], Sequence[Detection]]


class GridFinder:
    """Finds any mat's 6 x 3 grid; give it to `MatFinder(others=...)`.

    read: finds the dice of a picture. layout: the mat if its cells are known, default by the grid's shape.
    unsure: after `find`, the readings of a grid whose end is not told by the dice, else empty: ask the person.
    """

    def __init__(
        self, read: ReadDice, layout: MatLayout | None = None, lens: Lens | None = None
    ) -> None:
        self._read, self._layout, self._lens = read, layout, lens
        self.unsure: tuple[Orientation, ...] = ()

    def find(self, image: Image, previous: FoundMat | None = None) -> FoundMat | None:
        """The mat in a picture (H, W, 3) uint8 BGR; None without a proven grid or without its orientation.

        previous: where the mat was before; it tells the orientation when the dice do not.
        """
        self.unsure = ()
        dice = self._read(image)
        found = find_grid(image, np.array([die.box for die in dice], np.float64).reshape(-1, 4))
        if found is None:
            return None
        lying = [LyingDie(foot(die.box), die.face_p) for die in dice]
        readings = oriented(found.corners, lying)
        best = settled(readings)
        if best is None and previous is not None:
            best = min(readings, key=lambda each: _apart(each, previous))
        if best is None:
            self.unsure = readings
            return None
        size = (image.shape[1], image.shape[0])
        try:
            return mat_of_corners(
                best.corners, size, self._layout, "grid", self._lens, max(found.error_px, 0.3)
            )
        except MatError:
            return None


def foot(box: tuple[float, float, float, float]) -> tuple[float, float]:
    """About where a die of that box px stands, px."""
    x0, y0, x1, y1 = box
    return (x0 + x1) / 2, y0 + FOOT * (y1 - y0)


def _apart(reading: Orientation, previous: FoundMat) -> float:
    return float(np.linalg.norm(reading.corners - previous.corners))
