"""Which views of a stream of frames the referee gets to see: each new one, and a table that rests again and again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engine.table import TableView
from vision.frames import Frame
from vision.mat import FoundMat
from vision.reach import Reach

AGAIN_S = (0.6, 1.2, 2.0, 3.2, 5.2)
"""A table that rests is shown to the referee again, s after its last new view: what was seen twice,
or for a second, is final, what nothing explains for three is out of step, a die not seen for five is missing."""
THEN_EVERY_S = 10.0
LOST_S = 5.0
"""A gap between two frames, s of the source's time, after which the table may have changed unseen."""

Image = NDArray[np.uint8]


class Eyes(Protocol):
    """What makes views of frames: vision.view.Viewer, or a stand-in."""

    @property
    def mat(self) -> FoundMat | None: ...
    def see(self, image: Image, time_s: float) -> TableView | None: ...
    def current(self) -> TableView | None: ...
    def lost(self) -> None: ...


@dataclass
class _Rest:
    """Since when the table shows nothing new, and how often it was shown again."""

    since_s: float
    shown: int = 0

    def due(self, time_s: float) -> bool:
        rested = time_s - self.since_s
        if self.shown < len(AGAIN_S):
            return rested >= AGAIN_S[self.shown]
        return rested >= AGAIN_S[-1] + (self.shown - len(AGAIN_S) + 1) * THEN_EVERY_S


class Feed:
    """Frames in, in order; views out. eyes: make the views; None until there are some."""

    def __init__(self, eyes: Eyes | None = None) -> None:
        self.eyes = eyes
        self.reach = Reach()
        self._rest: _Rest | None = None
        self._frame_s: float | None = None

    @property
    def running(self) -> bool:
        """Whether a frame came since the feed began anew."""
        return self._frame_s is not None

    def see(self, frame: Frame) -> TableView | None:
        """The view to show the referee now, if any. After a gap in time the eyes look anew."""
        eyes = self.eyes
        assert eyes is not None, "a feed of frames needs eyes"
        if self._frame_s is not None and not 0 <= frame.time_s - self._frame_s <= LOST_S:
            eyes.lost()
            self._rest = None
        self._frame_s = frame.time_s
        view = eyes.see(frame.image, frame.time_s)
        self.reach.see(getattr(eyes, "look", None), eyes.mat)
        if view is not None:
            self._rest = _Rest(frame.time_s)
            return view
        if self._rest is not None and self._rest.due(frame.time_s):
            self._rest.shown += 1
            return eyes.current()
        return None

    def lost(self) -> None:
        """No picture for a while: what lies there may change unseen."""
        self._rest = self._frame_s = None
        if self.eyes is not None:
            self.eyes.lost()

    def replaced(self, eyes: Eyes | None) -> None:
        """Go on with other eyes."""
        self.eyes, self._rest, self._frame_s = eyes, None, None

    def look_anew(self) -> None:
        """What lies there now is a first look."""
        self._rest = None
        if self.eyes is not None:
            self.eyes.lost()
