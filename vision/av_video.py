"""Video files through PyAV (extra `video`), for what OpenCV opens but cannot decode, AV1 above all."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.frames import Image, SourceError

TURNS = {90: cv2.ROTATE_90_COUNTERCLOCKWISE, 180: cv2.ROTATE_180, 270: cv2.ROTATE_90_CLOCKWISE}


def available() -> bool:
    """Whether the extra is installed."""
    return find_spec("av") is not None


class AvCapture:
    """Reads like cv2.VideoCapture: pictures (H, W, 3) uint8 BGR, turned upright; CAP_PROP_FPS in pictures a second, and
    CAP_PROP_POS_MSEC the time stamp of the last picture read, ms from the file's start.

    Raises SourceError when PyAV cannot open the file or finds no video in it.
    """

    def __init__(self, path: Path) -> None:
        import av

        try:
            self._file: Any = av.open(str(path))
            self._stream: Any = self._file.streams.video[0]
        except (av.error.FFmpegError, IndexError, OSError) as error:
            raise SourceError(
                f"{path}: there is no video in this file that can be read; where there should be, copy it again."
            ) from error
        self._stream.thread_type = "AUTO"
        self._frames: Any = self._file.decode(self._stream)
        self._broken: type[Exception] = av.error.FFmpegError
        self._frame: Any = None
        self._time_s = 0.0

    def isOpened(self) -> bool:
        return True

    def grab(self) -> bool:
        try:
            self._frame = next(self._frames, None)
        except (self._broken, EOFError):  # cut off or damaged: the video ends here
            self._frame = None
        if self._frame is None:
            return False
        if self._frame.time is not None:
            begun = self._stream.start_time
            offset = float(begun * self._stream.time_base) if begun else 0.0
            self._time_s = float(self._frame.time) - offset
        return True

    def retrieve(self) -> tuple[bool, Image | None]:
        frame = self._frame
        if frame is None:
            return False, None
        image = frame.to_ndarray(format="bgr24")
        turn = TURNS.get(round(getattr(frame, "rotation", 0)) % 360)
        return True, np.asarray(image if turn is None else cv2.rotate(image, turn), np.uint8)

    def read(self) -> tuple[bool, Image | None]:
        return self.retrieve() if self.grab() else (False, None)

    def set(self, prop: int, value: float, /) -> bool:
        """Only CAP_PROP_POS_MSEC: to the picture at or before that time, where the file can be sought in."""
        if prop != cv2.CAP_PROP_POS_MSEC:
            return False
        try:
            self._file.seek(round(value * 1000))  # microseconds
        except self._broken:
            return False
        self._frames = self._file.decode(self._stream)
        return True

    def get(self, prop: int, /) -> float:
        if prop == cv2.CAP_PROP_FPS:
            return float(self._stream.average_rate or 0)
        if prop == cv2.CAP_PROP_FRAME_COUNT:
            return float(self._stream.frames or 0)
        return 1000 * self._time_s if prop == cv2.CAP_PROP_POS_MSEC else 0.0

    def release(self) -> None:
        self._file.close()
