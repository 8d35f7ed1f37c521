"""Keeps one camera's mat: finds it, or takes a person's corners, and finds it again after a bump."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray

from vision.frames import Image
from vision.grid_finder import ASK_ROW_1, GridFinder, Read, box_array
from vision.kept_corners import CornersStore
from vision.kept_finder import KeptCornersFinder
from vision.mat import Finder, FoundMat, mat_of_corners
from vision.mat_finder import MatFinder
from vision.print_finder import PrintFinder
from vision.refind import Refinder
from vision.slices import Slices

Array = NDArray[np.float64]

WORST_ERROR_MM = 4.0
"""A mat whose worst corner could be further off than this is not used."""
FEWEST_DICE = 3
"""Lines and print are looked for among at least so many dice: fewer could hardly tell which end is row 1."""
SEARCH_AGAIN_S = (10.0, 120.0)
"""A mat that was not found is looked for again when something changed and so much time has passed: at first, at most.
The wait doubles, since a search takes a second and most tables without a mat stay so."""


class MatKeeper:
    """The mat of one camera. finder: finds it in a picture, default by its markers. corners: (4, 2) px
    of the Lawn's corners in the first picture, if a person gave them: they go before any finder until the
    camera is moved. One whose markers are out of sight is found by its print, any other mat by its grid's lines, once
    its dice are read (`find_among`)."""

    def __init__(self, finder: Finder | None = None, corners: Array | None = None) -> None:
        self._finder: Finder = finder or MatFinder()
        self._corners = corners
        self._refinder: Refinder | None = None
        self._grids = GridFinder()
        self._bumped: FoundMat | None = None
        self._search: Slices[None] | None = None
        self._printed: FoundMat | None = None
        self._search_wait_s, self._search_tried_s = SEARCH_AGAIN_S[0], -math.inf

    @classmethod
    def of(cls, source: str, corners: Array | None = None) -> Self:
        """The keeper of the source of that name: by its markers, by the corners kept for it, or by its lines."""
        return cls(MatFinder(others=(KeptCornersFinder(CornersStore(), source),)), corners)

    @property
    def asks(self) -> str:
        """What to ask a person, "" for nothing: a grid is seen whose end is not told by the dice."""
        return ASK_ROW_1 if self._grids.unsure else ""

    def look_anew(self) -> None:
        """The next picture may be of another table, or a person has said where the mat is."""
        self._grids, self._refinder, self._bumped = GridFinder(), None, None
        self._search = None
        self._search_wait_s, self._search_tried_s = SEARCH_AGAIN_S[0], -math.inf

    def find(self, image: Image) -> FoundMat | None:
        """The mat in a picture (H, W, 3) uint8 BGR of a camera that has not been bumped, if it is seen.

        Raises vision.mat.MatError for corners that are no picture of a lawn.
        """
        if self._corners is not None:
            return mat_of_corners(self._corners, (image.shape[1], image.shape[0]))
        return self._finder.find(image)

    @property
    def searching(self) -> bool:
        """Whether lines and print are being looked for; `go_on` does the next slice of that."""
        return self._search is not None

    def find_among(
        self,
        image: Image,
        time_s: float,
        dice: Sequence[Read],
        moving: bool = False,
        in_slices: bool = False,
    ) -> FoundMat | None:
        """A mat by its print or its lines, where `find` found none.

        Of a picture whose dice were just read; time_s by the source's clock.

        Most calls cost nothing: lines and print are looked for seldom, and never while something is moving. A grid
        whose end is not known waits for dice that tell. in_slices: only the first slice of a search is done here;
        `go_on` does the others.
        """
        size = (image.shape[1], image.shape[0])
        if self._corners is not None or len(dice) < FEWEST_DICE:
            return None
        if self.searching:
            return self.go_on(size, dice)
        if self._grids.unsure:
            return self._grids.turned(size, dice, self._bumped)
        if moving or abs(time_s - self._search_tried_s) < self._search_wait_s:
            return None
        if self._search_tried_s > -math.inf:
            self._search_wait_s = min(2 * self._search_wait_s, SEARCH_AGAIN_S[1])
        self._search_tried_s = time_s
        self._search = self._looked_for(image.copy(), dice)
        while True:
            found = self.go_on(size, dice)
            if in_slices or not self.searching:
                return found

    def go_on(self, size: tuple[int, int], dice: Sequence[Read]) -> FoundMat | None:
        """One more slice of the search for lines and print; the mat once it is found.

        size: of the picture, px; dice: now.
        """
        if self._search is None:
            return None
        try:
            next(self._search)
        except StopIteration:
            self._search = None
            return self._printed or self._grids.turned(size, dice, self._bumped)
        return None

    def _looked_for(self, image: Image, dice: Sequence[Read]) -> Slices[None]:
        """Look in slices for any mat's grid, then for our mat's print: of that, a part is enough."""
        self._printed = None
        yield from self._grids.search(image, dice)
        if self._grids.turned((image.shape[1], image.shape[0]), dice, self._bumped) is None:
            self._printed = yield from PrintFinder().search(image, box_array(dice))
            if self._printed is not None:
                self._grids = GridFinder()  # the print tells row 1: nobody need be asked

    def learn(self, image: Image, mat: FoundMat, boxes: Array) -> None:
        """Keep what the table looks like around the mat; boxes (N, 4) px: of the dice, which will move."""
        if mat.by != "markers":  # those are found again by themselves, and sooner
            self._refinder = Refinder(image, mat, boxes)

    def sharpened(self, image: Image, rough: FoundMat) -> FoundMat | None:
        """A mat that the dice on it have shown roughly after a bump: as exactly as the table's texture shows it.

        None where it would not be exact enough to tell places.
        """
        found = None if self._refinder is None else self._refinder.followed(image, rough)
        if found is None and rough.error_mm <= WORST_ERROR_MM:
            found = rough
        return found

    def find_again(self, image: Image, before: FoundMat | None) -> FoundMat | None:
        """The mat after the camera was bumped; None when it is not seen."""
        if self._refinder is not None and before is not None:
            found = self._refinder.find(image, before)
            if found is not None:
                return found
        self._corners = None  # the person's corners are those of another picture now
        self.look_anew()
        self._bumped = before  # bumped, not turned round: row 1 is still at the same end
        return self._finder.find(image, before)
