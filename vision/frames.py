"""Frames and the one interface that every source of frames has."""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, Protocol, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

Image: TypeAlias = NDArray[np.uint8]
Clock: TypeAlias = Callable[[], float]
Kind = Literal["camera", "stream", "phone", "video", "photo", "folder", "none"]
State = Literal["live", "lost", "playing", "ended", "still", "off"]


class SourceError(ValueError):
    """A source that cannot be used; the message is one sentence: which one, and what to do."""


@dataclass(frozen=True)
class Frame:
    """One picture of a source.

    image: (H, W, 3) uint8 BGR, upright.
    time_s: seconds by the source's own clock: a video's time stamps, or since a camera was opened.
    index: 0 for the first picture, larger for every later one.
    name: how the user knows it ("camera 0", "dice.jpg").
    """

    image: Image
    time_s: float
    index: int
    name: str


@dataclass(frozen=True)
class SourceStatus:
    """How a source does: its state, and one plain sentence about it.

    "lost" alone means that the newest picture does not show the table as it is now; "off" that there
    is no camera, and never will be a picture.
    """

    state: State
    says: str


class Capture(Protocol):
    """What is used of cv2.VideoCapture; tests bring their own."""

    def isOpened(self) -> bool: ...
    def read(self) -> tuple[bool, Image | None]: ...
    def get(self, prop: int, /) -> float: ...
    def release(self) -> None: ...


class FileCapture(Capture, Protocol):
    """A capture of a file, whose frames can be passed over without making pictures of them."""

    def grab(self) -> bool: ...
    def retrieve(self) -> tuple[bool, Image | None]: ...
    def set(self, prop: int, value: float, /) -> bool: ...


class Source(ABC):
    """Pictures of one table. A context manager; every method may be called from any thread.

    `newest` and `wait_newer` show the source as time passes: a video plays at its own speed,
    starting with the first call. They hold one picture only, so a slow caller skips pictures
    instead of falling behind.

    Iterating is apart from that: it gives every picture of a file in order, as fast as it is asked
    for; of a live source those that come meanwhile, until it is closed.
    """

    live = False
    kind: Kind

    def __init__(self, name: str, clock: Clock = time.monotonic) -> None:
        self.name = name
        self._clock = clock
        self._changed = threading.Condition()
        self._newest: Frame | None = None
        self._looked_at = -1
        self._dropped = 0
        self._closing = threading.Event()
        self._player: threading.Thread | None = None

    def newest(self) -> Frame | None:
        """The picture to show now; never waits. None only before a live source's first one."""
        self._start()
        with self._changed:
            return self._look()

    def wait_newer(self, index: int, timeout_s: float) -> Frame | None:
        """The newest picture if it is newer than `index` (-1: any), else None.

        Waits for it, at most `timeout_s` and not after the source is closed.
        """
        self._start()
        with self._changed:
            self._changed.wait_for(
                lambda: self._closing.is_set() or self._has_newer(index), timeout_s
            )
            return self._look() if self._has_newer(index) else None

    @abstractmethod
    def status(self) -> SourceStatus:
        """How the source does at this moment; never waits."""

    @abstractmethod
    def __iter__(self) -> Iterator[Frame]: ...

    @abstractmethod
    def _play(self) -> None:
        """Post pictures as time passes, in a thread of its own, until closing or the end."""

    def close(self) -> None:
        """Stop and let go of the device; waits a second at most, since a driver may hang."""
        self._closing.set()
        with self._changed:
            self._changed.notify_all()
        if self._player is not None and self._player is not threading.current_thread():
            self._player.join(timeout=1.0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _start(self) -> None:
        with self._changed:
            if self._player is None and not self._closing.is_set():
                self._player = threading.Thread(
                    target=self._play, name=f"source {self.name}", daemon=True
                )
                self._player.start()

    def _has_newer(self, index: int) -> bool:
        return self._newest is not None and self._newest.index > index

    def _look(self) -> Frame | None:
        if self._newest is not None:
            self._looked_at = self._newest.index
        return self._newest

    def _post(self, frame: Frame) -> None:
        with self._changed:
            if self._newest is not None and self._newest.index > self._looked_at:
                self._dropped += 1
            self._newest = frame
            self._changed.notify_all()
