"""Leads what the live table's viewer sees into the session of the match, which then never waits for a reading.

A session that is fed frames would look at them itself, holding its lock while networks run. Here the
table's thread looks first and hands over the view that it got; only the referee thinks under the lock.
"""

from __future__ import annotations

import logging
import threading

import numpy as np
from numpy.typing import NDArray

from engine.errors import LawnError
from engine.table import TableView
from vision.frames import Frame
from vision.mat import FoundMat
from vision.session import Session
from webui.eyes import Watched

log = logging.getLogger(__name__)


class MatchFeed:
    """The eyes of a session (vision.session.Eyes), over a viewer that the live table's thread uses.

    session: set by whoever made both.
    """

    def __init__(self, viewer: Watched) -> None:
        self.session: Session | None = None
        self._viewer = viewer
        self._view: TableView | None = None
        self._lost = threading.Event()

    # --- for the session ------------------------------------------------------------------

    @property
    def mat(self) -> FoundMat | None:
        return self._viewer.mat

    def see(self, image: NDArray[np.uint8], time_s: float) -> TableView | None:  # noqa: ARG002
        """The view that was handed over; none when it is of before the table may have changed."""
        return None if self._lost.is_set() else self._view

    def current(self) -> TableView | None:
        return None if self._lost.is_set() else self._viewer.current()

    def lost(self) -> None:
        """The next frame is looked at as a first one; callable from any thread."""
        self._lost.set()

    # --- for the table's thread -----------------------------------------------------------

    def before(self) -> None:
        """Called before the viewer sees a frame."""
        if self._lost.is_set():
            self._lost.clear()
            self._viewer.lost()

    def take(self, frame: Frame, view: TableView | None) -> None:
        """Called after the viewer saw a frame, with its view if there is a new one."""
        if self.session is None:
            return
        self._view = view
        try:
            self.session.see_frame(frame)
        except LawnError as error:  # the session's state says it, and the next frame tries again
            log.info("The match could not be written: %s", error)
