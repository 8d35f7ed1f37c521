"""A recording that is played for looking on: at its own speed, but never faster than it is looked at."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterator

from vision.frames import Clock, Frame, Kind, Source, SourceStatus

LATE_S = 0.25
"""So far a film may fall behind and catch up again; beyond it the film itself waits."""

STEP_S = 0.07
"""Pictures nearer to the one before than this are left out: hands are not so quick, and reading takes time."""

log = logging.getLogger(__name__)


class Film(Source):
    """The pictures of another source, in order, some 14 a second.

    Where reading the dice takes longer than the pictures last, as on a busy machine, the film stands
    still meanwhile, so that no move of the players goes unseen.

    recording: gives the pictures when it is iterated; it is closed together with the film.
    """

    kind: Kind = "video"

    def __init__(self, recording: Source, clock: Clock | None = None) -> None:
        super().__init__(recording.name, *([] if clock is None else [clock]))
        self._recording = recording
        self._newest = next(iter(recording), None)
        self._ended = False

    def status(self) -> SourceStatus:
        if self._ended:
            return SourceStatus("ended", f"{self.name} has ended; this is its last picture.")
        return SourceStatus("playing", f"{self.name} is playing.")

    def __iter__(self) -> Iterator[Frame]:
        return iter(self._recording)

    def close(self) -> None:
        super().close()
        self._recording.close()

    def _play(self) -> None:
        started, last_s = self._clock(), -math.inf
        try:
            for frame in self._recording:
                if frame.time_s < last_s + STEP_S:
                    continue
                last_s = frame.time_s
                started = max(started, self._clock() - frame.time_s - LATE_S)
                if self._closing.wait(max(0.0, started + frame.time_s - self._clock())):
                    return
                if not self._wait_until(self._is_looked_at):
                    return
                self._post(frame)
        except Exception as error:  # cv2.error on a damaged file
            log.info("%s failed: %s", self.name, error)
        self._ended = True

    def _is_looked_at(self) -> bool:
        return self._newest is None or self._looked_at >= self._newest.index

    def _wait_until(self, true: Callable[[], bool]) -> bool:
        """Whether it came true before the film was closed."""
        with self._changed:
            while not (self._closing.is_set() or true()):
                self._changed.wait(0.01)  # looking alone notifies nobody
            return not self._closing.is_set()
