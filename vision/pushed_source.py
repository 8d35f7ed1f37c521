"""A camera that sends its pictures here by itself: a phone's browser."""

from __future__ import annotations

import time
from collections.abc import Iterator

import cv2
import numpy as np

from vision.frames import Clock, Frame, Kind, Source, SourceError, SourceStatus
from vision.live_source import STALL_S

LARGEST_PX = 40_000_000
"""Pictures of more pixels are refused before they fill the memory."""


class PushedSource(Source):
    """Pictures as they are pushed in; it cannot be opened again from here, so it waits for the phone.

    Times are seconds since it was made, at arrival. invitation: what a person should do to start the phone, as a
    sentence; the status says it until the first picture.
    """

    live = True
    kind: Kind = "phone"

    def __init__(self, name: str, invitation: str = "", clock: Clock = time.monotonic) -> None:
        super().__init__(name, clock)
        self.invitation = invitation
        self._opened_at = self._newest_at = clock()

    def push(self, jpeg: bytes) -> None:
        """Take in the newest picture, an encoded JPEG. Raises SourceError for what is none."""
        now = self._clock()
        data = np.frombuffer(jpeg, np.uint8)
        # Reduced by eight first: a decoder's promise of size costs little to look at that way.
        small = cv2.imdecode(data, cv2.IMREAD_REDUCED_COLOR_8) if len(jpeg) > 3 else None
        if small is None or small.shape[0] * small.shape[1] * 64 > LARGEST_PX:
            raise SourceError("What the phone sent is no picture that can be used.")
        image = cv2.imdecode(data, cv2.IMREAD_COLOR)
        if image is None:
            raise SourceError("What the phone sent is no picture that can be used.")
        with self._changed:
            index = self._newest.index + 1 if self._newest else 0
            self._newest_at = now
            self._post(Frame(np.asarray(image, np.uint8), now - self._opened_at, index, self.name))

    def status(self) -> SourceStatus:
        with self._changed:
            silent_s = self._clock() - self._newest_at
            begun = self._newest is not None
        if not begun:
            return SourceStatus("lost", self.invitation or f"{self.name} sends no picture yet.")
        if silent_s <= STALL_S:
            return SourceStatus("live", f"{self.name} is live.")
        return SourceStatus(
            "lost",
            f"{self.name} sends no pictures any more; wake it up and open its camera page again.",
        )

    def __iter__(self) -> Iterator[Frame]:
        index = -1
        while not self._closing.is_set():
            frame = self.wait_newer(index, timeout_s=1.0)
            if frame is not None:
                index = frame.index
                yield frame

    def _play(self) -> None:
        return
