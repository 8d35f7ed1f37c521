"""Keeps one camera's mat: finds it, or takes a person's corners, and finds it again after a bump."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.frames import Image
from vision.mat import Finder, FoundMat, mat_of_corners
from vision.mat_finder import MatFinder

Array = NDArray[np.float64]


class MatKeeper:
    """The mat of one camera. finder: finds it in a picture, default by its markers. corners: (4, 2) px
    of the Lawn's corners in the first picture, if a person gave them: they go before any finder until the
    camera is moved."""

    def __init__(self, finder: Finder | None = None, corners: Array | None = None) -> None:
        self._finder: Finder = finder or MatFinder()
        self._corners = corners
        self._refinder: Finder | None = None

    def find(self, image: Image) -> FoundMat | None:
        """The mat in a picture (H, W, 3) uint8 BGR of a camera that has not been bumped, if it is seen.

        Raises vision.mat.MatError for corners that are no picture of a lawn.
        """
        if self._corners is not None:
            return mat_of_corners(self._corners, (image.shape[1], image.shape[0]))
        return self._finder.find(image)

    def learn(self, image: Image, mat: FoundMat, boxes: Array) -> None:
        """Keep what the table looks like around the mat; boxes (N, 4) px: of the dice, which will move."""
        if mat.by != "markers":  # those are found again by themselves, and sooner
            from vision.refind import Refinder

            self._refinder = Refinder(image, mat, boxes)

    def find_again(self, image: Image, before: FoundMat | None) -> FoundMat | None:
        """The mat after the camera was bumped; None when it is not seen."""
        if self._refinder is not None and before is not None:
            found = self._refinder.find(image, before)
            if found is not None:
                return found
        self._corners = None  # the person's corners are those of another picture now
        return self._finder.find(image, before)
