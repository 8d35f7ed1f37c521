"""One session at a table, live or reviewed: frames or views in, a journal of the match out.

    session = Session.begin(path, started, eyes=Viewer(...), clock=time.time)
    for frame in source:
        session.see_frame(frame)
    session.state().to_json()

The live table and the review of a recording run this same object; only the source and the clock
differ. Every method may be called from any thread.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.errors import LawnError
from engine.game_desk import Desk
from engine.game_events import CameraChanged, CameraNews
from engine.game_keeper import GameKeeper, Sees
from engine.game_log import GameLog
from engine.game_steps import Played, Started
from engine.journal import Journal
from engine.match import Match
from engine.match_log import Entry
from engine.referee import Referee
from engine.table import Place, TableView
from engine.verdict import Verdict
from vision.feed import AGAIN_S, LOST_S, Eyes, Feed
from vision.frames import Frame, Source, SourceStatus
from vision.moments import moment_jpeg
from vision.session_state import SessionState

Image = NDArray[np.uint8]
Clock = Callable[[], float]
Listener = Callable[[tuple[Verdict, ...]], None]
T = TypeVar("T")

log = logging.getLogger(__name__)


class Session:
    """A match being followed; make one with `begin` or `resume`."""

    def __init__(self, keeper: GameKeeper, eyes: Eyes | None = None) -> None:
        self.keeper = keeper
        self.desk = Desk(keeper)
        self._feed = Feed(eyes)
        keeper.arrivals = self._feed.reach
        self._image: Image | None = None
        self._problem = ""
        self._version = 0
        self._listeners: list[Listener] = []
        self._changed = threading.Condition(threading.RLock())

    @classmethod
    def begin(
        cls,
        path: Path,
        started: Started,
        so_far: tuple[Entry, ...] = (),
        *,
        clock: Clock,
        eyes: Eyes | None = None,
        referee: Callable[[Match], Sees] = Referee.start,
    ) -> Self:
        """Start a match in a new journal; `so_far` is what was played before the camera came.

        Raises JournalError or CorrectionError.
        """
        journal = Journal.open(path, clock=clock)
        try:
            return cls(GameKeeper.begin(journal, started, so_far, referee=referee), eyes)
        except LawnError:
            journal.close()
            raise

    @classmethod
    def resume(
        cls,
        path: Path,
        *,
        clock: Clock,
        eyes: Eyes | None = None,
        source: str = "",
        referee: Callable[[Match], Sees] = Referee.start,
    ) -> Self:
        """Go on with a match that is on disk: same state, same questions. Raises JournalError."""
        journal = Journal.open(path, clock=clock)
        try:
            return cls(GameKeeper.resume(journal, source, referee=referee), eyes)
        except LawnError:
            journal.close()
            raise

    def close(self) -> None:
        with self._changed:
            self.keeper.journal.close()
            self._changed.notify_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- what the camera shows ------------------------------------------------------------

    def see_frame(self, frame: Frame) -> tuple[Verdict, ...]:
        """Take in the next frame of the source; what is new.

        Raises:
            JournalError: it could not be written; the next frame tries again.
        """
        with self._changed:
            view = self._feed.see(frame)
            return () if view is None else self.see_view(view, frame.image)

    def see_view(
        self,
        view: TableView,
        image: Image | None = None,
        jpeg: Callable[[], bytes | None] | None = None,
    ) -> tuple[Verdict, ...]:
        """Take in a view, with the picture it was seen in, or what makes its small JPEG; what is new.

        Raises JournalError.
        """
        with self._changed:
            self._image = image
            before = self.keeper.log.number, self.keeper.referee.provisional, self._problem
            try:
                if view.camera == "re-found" and not self.keeper.log.paused:
                    self._camera("re-found", "The camera was moved, and the mat found again.")
                verdicts = self.keeper.see(view, jpeg or self._jpeg_of(view))
                self._problem = ""
            except LawnError as error:
                self._problem = str(error)
                self._news(())
                raise
            after = self.keeper.log.number, self.keeper.referee.provisional, self._problem
            if verdicts or before != after:
                self._news(verdicts)
            return verdicts

    def camera_status(self, status: SourceStatus) -> None:
        """Take note of how the source does: when it is lost, so may be what happened meanwhile."""
        with self._changed:
            if status.state == "lost" and self._feed.running:
                self._feed.lost()
                self._camera("lost", status.says)
                self._news(())

    def camera_replaced(self, eyes: Eyes | None, sentence: str = "") -> None:
        """Go on with another camera, with the same one set up anew, or with none."""
        with self._changed:
            self._feed.replaced(eyes)
            self._camera("replaced", sentence)
            self.keeper.view = None
            self._news(())

    def follow(self, source: Source) -> None:
        """Take in every frame of a source: the review of a recording. Raises JournalError."""
        for frame in source:
            self.see_frame(frame)

    def _camera(self, news: CameraNews, sentence: str) -> None:
        self.keeper.write(CameraChanged(news, sentence))

    def _jpeg_of(self, view: TableView) -> Callable[[], bytes | None]:
        image = self._image
        mat = self._feed.eyes.mat if self._feed.eyes is not None else None

        def jpeg() -> bytes | None:
            return None if image is None else moment_jpeg(image, mat, view.dice)

        return jpeg

    # --- what the page shows --------------------------------------------------------------

    def add_listener(self, listener: Listener) -> None:
        """Call this with the new verdicts, () for other news, whenever the state has changed.

        It is called in the thread that brought the news and must be quick.
        """
        with self._changed:
            self._listeners.append(listener)

    def state(self) -> SessionState:
        """Everything a page shows, as of now."""
        with self._changed:
            return SessionState.of(self.keeper, self._problem, self._version)

    @property
    def log(self) -> GameLog:
        return self.keeper.log

    @property
    def image(self) -> Image | None:
        """The picture of the last view, (H, W, 3) uint8 BGR, if it was given one."""
        return self._image

    def wait_other(self, version: int, timeout_s: float) -> SessionState | None:
        """The state once its version is not `version`, waiting at most so long; else None."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._version != version, timeout_s):
                return None
            return self.state()

    def picture(self, number: int) -> bytes:
        """The JPEG of a decisive moment. Raises JournalError."""
        return self.keeper.journal.picture(number)

    def _news(self, verdicts: tuple[Verdict, ...]) -> None:
        self._version += 1
        self._changed.notify_all()
        for listener in self._listeners:
            try:
                listener(verdicts)
            except Exception:  # a listener's fault must not stop the match
                log.exception("A listener of the session stumbled.")

    # --- what persons say -----------------------------------------------------------------
    # Each raises CorrectionError, or TableError or ActionError for what cannot be at all, with one
    # sentence, and JournalError when it cannot be written. See engine.game_desk.

    def play(self, entries: tuple[Entry, ...]) -> None:
        """These actions have happened, as a person says; they follow the last final ones."""
        view = self.keeper.view
        jpeg = self._jpeg_of(view) if view is not None else lambda: None
        step = Played(entries, by_person=True)
        self._said(lambda: self.keeper.take(step, view=view, jpeg=jpeg))

    def correct_die(
        self,
        key: int,
        *,
        face: int | None = None,
        owner: int | None = None,
        place: Place | None = None,
        absent: bool = False,
    ) -> None:
        self._said(
            lambda: self.desk.correct_die(key, face=face, owner=owner, place=place, absent=absent)
        )

    def add_die(self, face: int, owner: int, place: Place) -> None:
        self._said(lambda: self.desk.add_die(face, owner, place))

    def correct_turn(self, turn: str, entries: tuple[Entry, ...]) -> None:
        self._said(lambda: self.desk.correct_turn(turn, entries))

    def add_turn(self, after: str, entries: tuple[Entry, ...]) -> None:
        self._said(lambda: self.desk.add_turn(after, entries))

    def remove_turn(self, turn: str) -> None:
        self._said(lambda: self.desk.remove_turn(turn))

    def elect(self, colour: str, category: str) -> None:
        self._said(lambda: self.desk.elect(colour, category))

    def answer(self, guess: int) -> None:
        self._said(lambda: self.desk.answer(guess))

    def accept_table(self) -> None:
        view = self.keeper.view
        jpeg = self._jpeg_of(view) if view is not None else lambda: None
        self._said(lambda: self.desk.accept_table(jpeg))

    def undo(self) -> None:
        self._said(self.desk.undo)

    def redo(self) -> None:
        self._said(self.desk.redo)

    def note(self, text: str) -> None:
        self._said(lambda: self.keeper.note(text))

    def pause(self) -> None:
        self._said(self.keeper.pause)

    def go_on(self) -> None:
        def again() -> None:
            self.keeper.go_on()
            self._feed.look_anew()

        self._said(again)

    def _said(self, do: Callable[[], T]) -> T:
        with self._changed:
            done = do()
            self._problem = ""
            self._news(())
            return done


__all__ = ["AGAIN_S", "LOST_S", "Eyes", "Session"]
