"""Stand-ins for the table: a source fed by the test, a reader that answers as told, made-up dice."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.frames import Frame, Image, Kind, Source, SourceStatus, State
from vision.mat import NOT_FOUND
from vision.reading import COLOURS, DieReading, Reading
from webui.eyes import Seen

SAYS: dict[State, str] = {
    "live": "Camera 0 is live.",
    "lost": "Camera 0 gives no picture; check its cable. It is tried again all the time.",
    "playing": "table.mp4 is playing.",
    "ended": "table.mp4 has ended; this is its last picture.",
    "still": "This is the photo dice.jpg.",
}


class FedSource(Source):
    """A live source whose pictures and state are what the test says."""

    live = True
    kind: Kind = "camera"

    def __init__(self) -> None:
        super().__init__("camera 0")
        self.state: State = "live"

    def feed(self, image: Image, name: str = "camera 0") -> int:
        """Post the next picture; returns its index."""
        with self._changed:
            index = self._newest.index + 1 if self._newest else 0
            self.state = "live"
            self._post(Frame(image, float(index), index, name))
        return index

    def status(self) -> SourceStatus:
        return SourceStatus(self.state, SAYS[self.state])

    def __iter__(self) -> Iterator[Frame]:
        raise NotImplementedError

    def _play(self) -> None:
        return


class ToldReader:
    """Answers with what `tell` was told last, or raises it; counts how often it was asked."""

    def __init__(self, answer: Reading | Exception | None = None) -> None:
        self.answer: Reading | Exception = answer or reading(())
        self.asked = 0

    def read(self, image: NDArray[np.uint8], name: str) -> Reading:  # noqa: ARG002
        self.asked += 1
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


class ToldEyes:
    """Sees with every picture what `answer` says, or raises it; counts what it was told."""

    rest_s = 0.0

    def __init__(self, answer: Seen | Exception) -> None:
        self.answer = answer
        self.asked = self.losses = self.mat_looks = 0

    def see(self, frame: Frame) -> Seen:  # noqa: ARG002
        self.asked += 1
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    def lost(self) -> None:
        self.losses += 1

    def look_for_mat(self) -> None:
        self.mat_looks += 1


def seen(read: Reading, **more: Any) -> Seen:
    """A still table that was just read, without a mat, but for what is said otherwise."""
    return Seen(
        read, **{"untouched": (True,) * len(read.dice), "current": True, "mat": NOT_FOUND, **more}
    )


def picture(value: int = 120, width: int = 640, height: int = 360) -> Image:
    """A plain picture of one grey."""
    return np.full((height, width, 3), value, np.uint8)


def die(
    face: int | None,
    colour: str,
    box: tuple[float, float, float, float] = (10, 10, 60, 60),
    unsure: bool = False,
) -> DieReading:
    """A die read with 97 % confidence, or 60 % when it is unsure."""
    sure = 0.6 if unsure else 0.97
    face_p = tuple(
        1 / 6 if face is None else sure if value == face else (1 - sure) / 5
        for value in range(1, 7)
    )
    colour_p = {name: 0.95 if name == colour else 0.05 / 10 for name in COLOURS}
    return DieReading(box, face, face_p, colour, colour_p, 0.9, None, unsure or face is None)


def reading(
    dice: Sequence[DieReading], width: int = 640, height: int = 360, notices: Sequence[str] = ()
) -> Reading:
    return Reading("camera 0", width, height, tuple(dice), notices=tuple(notices))


def big_rolls(rolls: Mapping[str, Sequence[int]], width: int = 640, height: int = 360) -> Reading:
    """A reading of whole handfuls, a row of dice a colour."""
    dice = []
    for row, (colour, faces) in enumerate(rolls.items()):
        for column, face in enumerate(faces):
            x, y = 20 + 75 * column, 40 + 110 * row
            dice.append(die(face, colour, (x, y, x + 50, y + 50)))
    return reading(dice, width, height)


def until(true: Callable[[], bool], seconds: float = 5.0) -> bool:
    """Whether it becomes true in that time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if true():
            return True
        time.sleep(0.005)
    return true()
