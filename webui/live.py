"""The live table: newest picture in, reading and scores out, published for every open page."""

from __future__ import annotations

import json
import logging
import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from vision.mat import NOT_FOUND
from vision.reading import Reading
from vision.report import doubts
from vision.scoring import TableScore, score_reading
from vision.sources import Frame, Source, SourceStatus
from webui.catalogue import FIRST, Speaker
from webui.eyes import Eyes, Reader, Seen, WholeReader
from webui.folders import without_folders
from webui.jpegs import jpeg_of
from webui.table_words import table_in_words
from webui.words import BUMPED, who_starts

PICTURE_WIDTH = 1600
"""Pictures wider than this, in px, are shown smaller; the reading is always of the full picture."""
JPEG_QUALITY = 85
KEPT_PICTURES = 24
"""How many of the last pictures a page may still ask for: a slow tablet may be two seconds behind. Some MB."""
SHOW_S = 0.1
"""Pictures without news are shown no more often than this, s."""
BUMPED_S = 10.0
"""How long it is said that the camera was moved and the mat found again."""
LOOK_S = 0.2
"""How often the source's status is looked at while no picture comes."""

END_S = 10.0
"""How long a picture that is being read may take to end: networks must not be cut off by the program's end."""
STUMBLE_S = 1.0
"""Rest after something unforeseen, so that a lasting fault does not fill the log."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class TableState:
    """What a page shows, as of one version.

    data: the object `table` of /api/v1/state:
        version; source {name, kind, live, state, says};
        picture {version, url, width, height, name, time_s, seen_at} or None: the newest one;
        problem: why it could not be read (a sentence), or None;
        reading (Reading.to_json(): dice with their places, mat) or None: the table as it was last read,
        reading_of {version, time_s, seen_at}: in which picture, or None;
        current: whether the reading is the table as it is now: False while something moves, while the
        camera is lost, and when the newest picture could not be read;
        untouched: for each die of the reading, whether nothing has touched it since;
        doubts: for each die what is unsure of it: any of "die", "face", "colour";
        table {state: "moving" | "still" | "covered", says} or None: None when the newest picture does
        not show the table as it is now;
        mat {found, by, corners px, error_mm}: in the newest picture, as Reading.mat;
        hidden {outlines [[[x, y] px, ...], ...], places [{"row", "side"} | {"area", "seat"}, ...]}: what
        cannot be read in it: not known, not empty;
        camera {state: "steady" | "re-found", at, says}: whether it was moved in the last BUMPED_S and
        the mat found again, when (s since 1970) it last was, or None, and a sentence, "" when steady;
        score (TableScore.to_json()) or None and order (sentences: who starts): of the reading;
        notices: sentences about the picture, the reading's and others.
    parts: each entry of it as JSON on one line, made once for all pages.
    """

    version: int
    data: Mapping[str, Any]
    parts: dict[str, str]
    _said: dict[str, Mapping[str, str]] = field(default_factory=dict, compare=False, repr=False)

    def said(self, language: str) -> Mapping[str, str]:
        """The parts with their sentences in that language; made once for all who speak it."""
        if language == FIRST:
            return self.parts
        parts = self._said.get(language)
        if parts is None:
            said = table_in_words(self.data, Speaker(language))
            parts = self.parts | {name: json.dumps(part) for name, part in said.items()}
            self._said[language] = parts
        return parts


@dataclass(frozen=True)
class _Look:
    """One picture looked at; seen is None when it could not be read."""

    picture: Mapping[str, Any]
    seen: Seen | None
    problem: str | None


class LiveTable:
    """Looks at a source's newest picture over and over, in a thread of its own.

    eyes: what looks; a plain reader reads every picture whole. Every method may be called from any
    thread. Versions count up from `first_version`, by default from the clock in ms, so that a browser
    never takes a picture of an earlier run for a new one. A picture that cannot be read is shown with
    the reason, and the next one is tried.

    news: called after every new state; camera_lost: called once when the source is lost. Both must
    be quick, and are called in the table's thread.
    """

    news: Callable[[], None] = staticmethod(lambda: None)
    camera_lost: Callable[[SourceStatus], None] = staticmethod(lambda _: None)

    def __init__(
        self, source: Source, eyes: Eyes | Reader, *, first_version: int | None = None
    ) -> None:
        self._source = source
        self._eyes: Eyes = _as_eyes(eyes)
        self._version = int(time.time() * 1000) if first_version is None else first_version
        self._changed = threading.Condition()
        self._stopping = threading.Event()
        self._pictures: OrderedDict[int, bytes] = OrderedDict()
        self._look: _Look | None = None
        self._image: NDArray[np.uint8] | None = None
        self._unshown: tuple[Frame, Seen] | None = None
        self._shown_at = -math.inf
        self._reading: Reading | None = None
        self._score: TableScore | None = None
        self._reading_of: Mapping[str, Any] | None = None
        self._bumped_at: float | None = None
        self._status = source.status()
        self._fresh = False
        self._told_lost = False
        self._next: tuple[Source, Eyes, Callable[[], None]] | None = None
        self._state = self._make_state()
        self._thread = threading.Thread(target=self._run, name="live table", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Tell the thread and every waiting page to end; does not wait for them."""
        self._stopping.set()
        with self._changed:
            self._changed.notify_all()
        self.news()

    @property
    def stopped(self) -> bool:
        return self._stopping.is_set()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self._thread.join(timeout=END_S)

    @property
    def state(self) -> TableState:
        with self._changed:
            return self._state

    def wait_other(self, version: int, timeout_s: float) -> TableState | None:
        """The state if its version is not `version`, waiting for at most `timeout_s`; else None."""
        with self._changed:
            self._changed.wait_for(
                lambda: self.stopped or self._state.version != version, timeout_s
            )
            return self._state if self._state.version != version else None

    def picture(self, version: int) -> bytes | None:
        """The JPEG of one of the last pictures, or None when it is not kept (any more)."""
        with self._changed:
            return self._pictures.get(version)

    def look_for_mat(self) -> None:
        """Look for the mat anew: a person has said something about it."""
        self._eyes.look_for_mat()

    def newest_image(self) -> NDArray[np.uint8] | None:
        """The newest picture itself, (H, W, 3) uint8 BGR, or None before the first."""
        with self._changed:
            return self._image

    @property
    def reading(self) -> Reading | None:
        """The table as it was last read, if it was."""
        with self._changed:
            return self._reading

    def switch(
        self, source: Source, eyes: Eyes | Reader, then: Callable[[], None] = lambda: None
    ) -> None:
        """Look at another source, or at the same one with other eyes, from the next picture on.

        then: called in the table's thread once nothing here uses the ones before any more. What was
        switched to but never looked at, since something else came at once, is told so too.
        """
        with self._changed:
            skipped, self._next = self._next, (source, _as_eyes(eyes), then)
        if skipped is not None:
            skipped[2]()

    def _switched(self) -> bool:
        """Take what `switch` was told; whether there was anything."""
        with self._changed:
            if self._next is None:
                return False
            (source, self._eyes, then), self._next = self._next, None
            if source is not self._source:
                self._source = source
                self._look, self._image, self._fresh = None, None, False
            self._unshown = None
            self._reading, self._score, self._reading_of = None, None, None
            self._bumped_at, self._told_lost = None, False
            self._publish(source.status(), self._look)
        then()
        return True

    def _run(self) -> None:
        index = -1
        while not self.stopped:
            try:
                if self._switched():
                    index = -1
                frame = self._source.wait_newer(index, LOOK_S)
                if frame is None:
                    self._see_status()
                else:
                    index = frame.index
                    self._see(frame)
                    self._stopping.wait(self._eyes.rest_s)
            except Exception:  # whatever happens, the next picture is looked at
                log.exception("The live table stumbled.")
                self._stopping.wait(STUMBLE_S)

    def _see_status(self) -> None:
        """What there is to say while no picture comes."""
        status = self._source.status()
        if self._unshown is not None:  # it may be the last one for long
            self._show(*self._unshown)
        if status.state == "lost" and not self._told_lost:
            self._told_lost = True
            self._eyes.lost()
            self.camera_lost(status)
        with self._changed:
            said = self._state.data["camera"]["state"]
            if status != self._status or said != self._camera()["state"]:
                self._publish(status, self._look)

    def _see(self, frame: Frame) -> None:
        self._told_lost = False
        before = self._look.seen if self._look is not None else None
        try:
            seen = self._eyes.see(frame)
            score = self._score
            if seen.reading is not None and seen.reading is not self._reading:
                score = score_reading(seen.reading)
        except Exception as error:
            self._eyes.lost()  # whatever it knew, it may know half of it now
            self._show(frame, None, _in_words(error))
            return
        self._score = score
        if seen.bumped:
            self._bumped_at = time.time()
        if seen.news(before) or time.monotonic() - self._shown_at >= SHOW_S:
            self._show(frame, seen)
        else:
            self._unshown = frame, seen

    def _show(self, frame: Frame, seen: Seen | None, problem: str | None = None) -> None:
        """Publish a picture and what is known with it."""
        self._unshown, self._shown_at = None, time.monotonic()
        jpeg = jpeg_of(frame.image, PICTURE_WIDTH, JPEG_QUALITY)
        status = self._source.status()
        with self._changed:
            version = self._version + 1
            self._image = frame.image
            self._pictures[version] = jpeg
            while len(self._pictures) > KEPT_PICTURES:
                self._pictures.popitem(last=False)
            height, width = frame.image.shape[:2]
            times = {"time_s": round(frame.time_s, 3), "seen_at": round(time.time(), 3)}
            picture = {
                "version": version,
                "url": f"/api/v1/picture/{version}.jpg",
                "width": width,
                "height": height,
                "name": frame.name,
                **times,
            }
            if seen is not None and seen.reading is not self._reading:
                self._reading = seen.reading
                self._reading_of = {"version": version, **times}
            self._fresh = True
            self._publish(status, _Look(picture, seen, problem))

    def _publish(self, status: SourceStatus, look: _Look | None) -> None:
        """Make the next version known; the caller holds the lock."""
        self._version += 1
        self._status = status
        self._look = look
        if status.state == "lost":
            self._fresh = False  # and stays so until a new picture was read, not only seen
        self._state = self._make_state()
        self._changed.notify_all()
        self.news()

    def _make_state(self) -> TableState:
        look = self._look
        seen = look.seen if look else None
        reading = seen.reading if seen else None
        score = self._score if reading else None
        data = {
            "version": self._version,
            "source": {
                "name": self._source.name,
                "kind": self._source.kind,
                "live": self._source.live,
                "state": self._status.state,
                "says": without_folders(self._status.says),
            },
            "current": self._fresh and seen is not None and seen.current,
            "picture": look.picture if look else None,
            "problem": look and look.problem and without_folders(look.problem),
            "reading": reading.to_json() if reading else None,
            "reading_of": self._reading_of if reading else None,
            "untouched": list(seen.untouched) if seen else [],
            "doubts": [list(doubts(die)) for die in reading.dice] if reading else [],
            "table": {"state": seen.lying, "says": seen.says} if seen and self._fresh else None,
            "mat": dict(seen.mat) if seen else NOT_FOUND,
            "hidden": {
                "outlines": [each.round(1).tolist() for each in seen.hidden] if seen else [],
                "places": list(seen.hidden_places) if seen else [],
            },
            "camera": self._camera(),
            "score": score.to_json() if score else None,
            "order": who_starts(score) if score else [],
            "notices": [
                *(seen.notices if seen else ()),
                *(reading.notices if reading else ()),
            ],
        }
        parts = {name: json.dumps(part) for name, part in data.items()}
        return TableState(self._version, data, parts)

    def _camera(self) -> dict[str, Any]:
        at = self._bumped_at
        lately = at is not None and time.time() - at < BUMPED_S
        return {
            "state": "re-found" if lately else "steady",
            "at": None if at is None else round(at, 3),
            "says": BUMPED if lately else "",
        }


def _as_eyes(eyes: Eyes | Reader) -> Eyes:
    return WholeReader(eyes) if isinstance(eyes, Reader) else eyes


def _in_words(error: Exception) -> str:
    """Our own errors are sentences already; any other is a fault of the program and is logged."""
    if isinstance(error, ValueError) and type(error).__module__.startswith(("engine.", "vision.")):
        return str(error)
    log.error("A picture could not be read.", exc_info=error)
    return (
        "This picture could not be read because of a fault in the program "
        f"({type(error).__name__}); the next picture is tried."
    )
