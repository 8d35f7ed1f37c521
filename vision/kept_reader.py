"""Reads photos of a source whose lawn a person has shown: by the corners that were kept for it."""

from __future__ import annotations

from vision.frames import Image
from vision.kept_corners import CornersStore
from vision.kept_finder import KeptCornersFinder
from vision.mat_finder import MatFinder
from vision.reader import TableReader
from vision.reading import Reading


class KeptCornersReader:
    """`reader` for the pictures of one source: the mat by its markers, by the corners kept for it, or by its lines."""

    def __init__(self, reader: TableReader, source: str, store: CornersStore | None = None) -> None:
        self._reader = reader
        self._mats = MatFinder(others=(KeptCornersFinder(store or CornersStore(), source),))

    def read(self, image: Image, name: str) -> Reading:
        """As TableReader.read."""
        return self._reader.read(image, name, mats=self._mats)
