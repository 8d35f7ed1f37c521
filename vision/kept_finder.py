"""The mat by the corners that a person gave for a camera; give it to `vision.mat_finder.MatFinder(others=...)`."""

from __future__ import annotations

from vision.frames import Image
from vision.kept_corners import Corners, CornersStore
from vision.mat import FoundMat, MatError


class KeptCornersFinder:
    """Finds the mat where the person said that it is, until the camera is moved or other corners are given."""

    def __init__(self, store: CornersStore, camera: str) -> None:
        self._store, self._camera = store, camera
        self._outdated: Corners | None = None

    def find(self, image: Image, previous: FoundMat | None = None) -> FoundMat | None:
        """The mat in a picture (H, W, 3) uint8 BGR, None when no corners are kept for such pictures.

        previous: where it was before the camera was moved; the corners are outdated then.
        """
        kept = self._store.load(self._camera)
        if previous is not None:
            self._outdated = kept
        if kept is None or kept == self._outdated:
            return None
        scaled = kept.scaled(image.shape[1], image.shape[0])
        try:
            return None if scaled is None else scaled.mat()
        except MatError:
            return None
