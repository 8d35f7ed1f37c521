"""The live table: newest picture in, reading and scores out, published for every open page."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, Self

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading import Reading
from vision.report import doubts
from vision.scoring import TableScore, score_reading
from vision.sources import Frame, Source, SourceStatus
from webui.words import who_starts

PICTURE_WIDTH = 1600
"""Pictures wider than this, in px, are shown smaller; the reading is always of the full picture."""
JPEG_QUALITY = 85
KEPT_PICTURES = 8
"""How many of the last pictures a page may still ask for; at most a few MB."""
PAUSE_S = 0.1
"""Rest between two readings: ten a second are enough for dice that lie still."""
LOOK_S = 0.2
"""How often the source's status is looked at while no picture comes."""

STUMBLE_S = 1.0
"""Rest after something unforeseen, so that a lasting fault does not fill the log."""

log = logging.getLogger(__name__)


class Reader(Protocol):
    """What reads the dice in a picture: vision.reader.TableReader, or a stand-in."""

    def read(self, image: NDArray[np.uint8], name: str) -> Reading: ...


@dataclass(frozen=True)
class TableState:
    """What a page shows, as of one version.

    data: the object of /api/state: version, source {name, kind, live, state, says}, current (False
    when what follows is not the table as it is now), picture {version, url, width, height, name,
    time_s, seen_at} or None, problem (a sentence, or None), reading (Reading.to_json()) or None,
    doubts (for every die of the reading what is unsure of it: any of "die", "face", "colour"),
    score (TableScore.to_json()) or None, order (sentences: who starts).
    json: the same as text on one line, made once for all pages.
    """

    version: int
    data: Mapping[str, Any]
    json: str


@dataclass(frozen=True)
class _Look:
    """One picture looked at; reading and score are None when it could not be read."""

    picture: Mapping[str, Any]
    reading: Reading | None
    score: TableScore | None
    problem: str | None


class LiveTable:
    """Reads a source's newest picture over and over, in a thread of its own.

    Every method may be called from any thread. Versions count up from `first_version`, by default
    from the clock in ms, so that a browser never takes a picture of an earlier run for a new one.
    A picture that cannot be read is shown with the reason, and the next one is tried.
    """

    def __init__(self, source: Source, reader: Reader, *, first_version: int | None = None) -> None:
        self._source = source
        self._reader = reader
        self._version = int(time.time() * 1000) if first_version is None else first_version
        self._changed = threading.Condition()
        self._stopping = threading.Event()
        self._pictures: OrderedDict[int, bytes] = OrderedDict()
        self._look: _Look | None = None
        self._status = source.status()
        self._fresh = False
        self._state = self._make_state()
        self._thread = threading.Thread(target=self._run, name="live table", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Tell the thread and every waiting page to end; does not wait for them."""
        self._stopping.set()
        with self._changed:
            self._changed.notify_all()

    @property
    def stopped(self) -> bool:
        return self._stopping.is_set()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self._thread.join(timeout=2.0)

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

    def _run(self) -> None:
        index = -1
        while not self.stopped:
            try:
                frame = self._source.wait_newer(index, LOOK_S)
                if frame is None:
                    self._see_status()
                else:
                    index = frame.index
                    self._see(frame)
                    self._stopping.wait(PAUSE_S)
            except Exception:  # whatever happens, the next picture is looked at
                log.exception("The live table stumbled.")
                self._stopping.wait(STUMBLE_S)

    def _see_status(self) -> None:
        status = self._source.status()
        with self._changed:
            if status != self._status:
                self._publish(status, self._look)

    def _see(self, frame: Frame) -> None:
        seen_at = time.time()
        reading, score, problem = None, None, None
        try:
            reading = self._reader.read(frame.image, frame.name)
            score = score_reading(reading)
        except Exception as error:
            problem = _in_words(error)
            reading = None
        jpeg = _jpeg(frame.image)
        status = self._source.status()
        with self._changed:
            version = self._version + 1
            self._pictures[version] = jpeg
            while len(self._pictures) > KEPT_PICTURES:
                self._pictures.popitem(last=False)
            height, width = frame.image.shape[:2]
            picture = {
                "version": version,
                "url": f"/picture/{version}.jpg",
                "width": width,
                "height": height,
                "name": frame.name,
                "time_s": round(frame.time_s, 3),
                "seen_at": round(seen_at, 3),
            }
            self._fresh = True
            self._publish(status, _Look(picture, reading, score, problem))

    def _publish(self, status: SourceStatus, look: _Look | None) -> None:
        """Make the next version known; the caller holds the lock."""
        self._version += 1
        self._status = status
        self._look = look
        if status.state == "lost":
            self._fresh = False  # and stays so until a new picture was read, not only seen
        self._state = self._make_state()
        self._changed.notify_all()

    def _make_state(self) -> TableState:
        look = self._look
        reading = look.reading if look else None
        score = look.score if look else None
        data = {
            "version": self._version,
            "source": {
                "name": self._source.name,
                "kind": self._source.kind,
                "live": self._source.live,
                "state": self._status.state,
                "says": self._status.says,
            },
            "current": self._fresh and reading is not None,
            "picture": look.picture if look else None,
            "problem": look.problem if look else None,
            "reading": reading.to_json() if reading else None,
            "doubts": [list(doubts(die)) for die in reading.dice] if reading else [],
            "score": score.to_json() if score else None,
            "order": who_starts(score) if score else [],
        }
        return TableState(self._version, data, json.dumps(data))


def _in_words(error: Exception) -> str:
    """Our own errors are sentences already; any other is a fault of the program and is logged."""
    if isinstance(error, ValueError) and type(error).__module__.startswith(("engine.", "vision.")):
        return str(error)
    log.error("A picture could not be read.", exc_info=error)
    return (
        "This picture could not be read because of a fault in the program "
        f"({type(error).__name__}); the next picture is tried."
    )


def _jpeg(image: NDArray[np.uint8]) -> bytes:
    height, width = image.shape[:2]
    if width > PICTURE_WIDTH:
        size = (PICTURE_WIDTH, max(1, round(height * PICTURE_WIDTH / width)))
        image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    encoded, jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    if not encoded:
        raise RuntimeError("The picture could not be made a JPEG.")
    return bytes(jpeg)
