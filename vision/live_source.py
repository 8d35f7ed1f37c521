"""Cameras and network streams: sources that can stall, break and come back."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from vision.frames import Capture, Clock, Frame, Kind, Source, SourceError, SourceStatus

STALL_S = 2.0
"""A live source that gives no picture for so long, or for two of its frame times, is lost until the next one comes."""
RATE_PICTURES = 30
"""Pictures over which the frame rate is measured."""
RETRY_S = (0.5, 8.0)
"""Shortest and longest wait before a lost source is opened again; it doubles in between."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class GotFormat:
    """What a live source gives, as measured, not as asked for.

    width, height: px; fps: pictures a second as they arrive, or None before the third; dropped: pictures that came and
    went while nobody looked, since the source was opened.
    """

    width: int
    height: int
    fps: float | None
    dropped: int


class LiveSource(Source):
    """A camera or stream: its thread keeps the newest picture, and opens the device again on failure.

    open_capture is called in that thread only, so a driver that hangs blocks nobody else. When it knows why the device
    cannot be opened it raises SourceError, and the status says that sentence until a picture comes.
    """

    live = True

    def __init__(
        self,
        name: str,
        kind: Kind,
        open_capture: Callable[[], Capture],
        *,
        clock: Clock = time.monotonic,
        stall_s: float = STALL_S,
        retry_s: tuple[float, float] = RETRY_S,
    ) -> None:
        super().__init__(name, clock)
        self.kind = kind
        self._open_capture = open_capture
        self._stall_s = stall_s
        self._retry_s = retry_s
        self._opened_at = self._newest_at = clock()
        self._failures = 0
        self._trouble: str | None = None
        self._arrivals: deque[float] = deque(maxlen=RATE_PICTURES)

    @property
    def trouble(self) -> str | None:
        """Why the device gives no picture, where that is known."""
        with self._changed:
            return self._trouble

    def wait_first(self, timeout_s: float) -> bool:
        """True once there is a picture; False when the first try failed or the time is over."""
        self._start()
        with self._changed:
            self._changed.wait_for(
                lambda: self._newest is not None or self._failures > 0, timeout_s
            )
            return self._newest is not None

    def status(self) -> SourceStatus:
        with self._changed:
            silent_s = self._clock() - self._newest_at
            stall_s = max(self._stall_s, 2 * self._frame_s())
            trouble = self._trouble
        name = self.name[:1].upper() + self.name[1:] if self.kind == "camera" else self.name
        if silent_s <= stall_s:
            return SourceStatus("live", f"{name} is live.")
        if trouble is not None:
            return SourceStatus("lost", f"{trouble} It is tried again all the time.")
        check = "its cable" if self.kind == "camera" else "the camera and the network"
        return SourceStatus(
            "lost", f"{name} gives no picture; check {check}. It is tried again all the time."
        )

    def got(self) -> GotFormat | None:
        """What the device really gives; None before its first picture."""
        with self._changed:
            if self._newest is None:
                return None
            height, width = self._newest.image.shape[:2]
            frame_s = self._frame_s()
            return GotFormat(width, height, 1 / frame_s if frame_s else None, self._dropped)

    def _frame_s(self) -> float:
        """Mean time between the last pictures, s; 0 while there are too few. The caller holds the lock."""
        if len(self._arrivals) < 3:
            return 0.0
        return (self._arrivals[-1] - self._arrivals[0]) / (len(self._arrivals) - 1)

    def __iter__(self) -> Iterator[Frame]:
        index = -1
        while not self._closing.is_set():
            frame = self.wait_newer(index, timeout_s=1.0)
            if frame is not None:
                index = frame.index
                yield frame

    def _play(self) -> None:
        shortest, longest = self._retry_s
        wait_s = shortest
        while not self._closing.is_set():
            if self._read_until_failure():
                wait_s = shortest
            with self._changed:
                self._failures += 1
                self._changed.notify_all()
            self._closing.wait(wait_s)
            wait_s = min(wait_s * 2, longest)

    def _read_until_failure(self) -> bool:
        """Post pictures until none comes; True if there was at least one."""
        capture: Capture | None = None
        some = False
        try:
            capture = self._open_capture()
            while not self._closing.is_set() and capture.isOpened():
                read, image = capture.read()
                if not read or image is None or image.size == 0:
                    break
                some = True
                with self._changed:
                    self._newest_at = self._clock()
                    self._trouble = None
                    self._arrivals.append(self._newest_at)
                    index = self._newest.index + 1 if self._newest else 0
                    time_s = self._newest_at - self._opened_at
                    self._post(Frame(image, time_s, index, self.name))
        except SourceError as error:
            with self._changed:
                self._trouble = str(error)
        except Exception as error:  # cv2.error, and whatever else a driver's binding raises
            log.info("%s failed: %s", self.name, error)
        finally:
            with self._changed:
                self._arrivals.clear()  # the time without a device is no time between two pictures
            if capture is not None:
                capture.release()
        return some
