"""The folder that drawings of photos go to: it never overwrites a photo."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

JPEG_LONGEST_PX = 65_500


class DrawingError(ValueError):
    """A drawing cannot be kept; the message names the file or folder and says what to do."""


class DrawingFolder:
    """The folder that drawings of some photos go to, as JPEG files named NAME-read.jpg.

    Drawings of earlier runs are replaced; the photos themselves never are, and photos of the same
    name from different folders get numbers.
    """

    def __init__(self, folder: Path, photos: Iterable[Path]) -> None:
        """Make the folder if need be. Raises DrawingError when that is not possible."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise DrawingError(
                f"{folder}: this folder cannot be made ({error.strerror}); name another one."
            ) from error
        self.folder = folder
        self._photos = {identity for photo in photos if (identity := _identity(photo))}
        self._taken: set[str] = set()

    def write(self, photo: Path, drawing: Image) -> Path:
        """Write the drawing (H, W, 3) uint8 BGR of a photo and return its file.

        Raises DrawingError when it cannot be written.
        """
        path = self._free_path(photo.stem)
        if max(drawing.shape) > JPEG_LONGEST_PX:
            raise DrawingError(
                f"{path}: a picture as long as this cannot be drawn as JPEG; crop it first."
            )
        _, packed = cv2.imencode(".jpg", drawing, [cv2.IMWRITE_JPEG_QUALITY, 92])
        try:
            path.write_bytes(packed.tobytes())
        except OSError as error:
            raise DrawingError(
                f"{path}: this drawing cannot be written ({error.strerror}); name another folder."
            ) from error
        return path

    def _free_path(self, stem: str) -> Path:
        for number in count(1):
            name = f"{stem}-read.jpg" if number == 1 else f"{stem}-read-{number}.jpg"
            path = self.folder / name
            # Names that differ only in case are one file on Windows and macOS.
            if name.casefold() not in self._taken and _identity(path) not in self._photos:
                self._taken.add(name.casefold())
                break
        return path


def _identity(path: Path) -> tuple[int, int] | None:
    """What two names of one file have in common, or None when there is no such file."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino
