"""One game's recording: one video file or several in order, as one run of frames with one clock.

Every frame is counted and timed; only as many are decoded to pictures as a review looks at. A thread
decodes ahead, since that takes as long as looking.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.ahead import ahead
from vision.file_sources import VideoSource
from vision.frames import Frame, SourceError
from vision.sources import open_source

LOOKED_AT = 10.0
"""Pictures a second that are looked at, at least: a hand that reaches in takes longer than two of them."""
AHEAD, AHEAD_PX = 6, 12_000_000
"""Pictures decoded ahead, and px of them all: of large ones fewer, so that memory holds them."""
BETWEEN_S = 10.0
"""From the end of one file to the start of the next, s: nobody knows how long it was, and more than a
table may change unseen in."""
CUT_OFF_S, CUT_OFF_SHARE = 2.0, 0.02
"""A file of which more s, and more of its frames, are missing at its end than so is cut off or damaged."""


@dataclass
class Reel:
    """One file of a recording.

    frame0, t0_s: its first frame, and when that is, in the whole recording. frames, duration_s: as the
    file says until it was read to its end. whole: whether it was. lacks_s: how much of what the file said is
    missing at its end, s.
    """

    path: Path
    fps: float
    size: tuple[int, int]
    frames: int
    frame0: int = 0
    t0_s: float = 0.0
    whole: bool = False
    lacks_s: float = 0.0

    @property
    def duration_s(self) -> float:
        return self.frames / self.fps


@dataclass
class Film:
    """The files of one recording, in order. Raises SourceError when one is no video."""

    paths: Sequence[Path]
    reels: list[Reel] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    """Of every frame that was counted so far, s."""

    def __post_init__(self) -> None:
        if not self.paths:
            raise SourceError("There is no video to review; give at least one file.")
        t0_s = 0.0
        for path in self.paths:
            with video(path) as source:
                reel = Reel(path, *source.facts(), t0_s=t0_s)
            self.reels.append(reel)
            t0_s += reel.duration_s + BETWEEN_S

    @property
    def name(self) -> str:
        """How the user knows it: the name of its first file."""
        return self.reels[0].path.name

    @property
    def fps(self) -> float:
        return self.reels[0].fps

    @property
    def size(self) -> tuple[int, int]:
        """Width and height, px, of the first file."""
        return self.reels[0].size

    @property
    def duration_s(self) -> float:
        """From the first frame of the first file to the end of the last one."""
        last = self.reels[-1]
        return last.t0_s + last.duration_s

    @property
    def frames(self) -> int:
        """All frames, as far as they are known."""
        return max(len(self.times), sum(reel.frames for reel in self.reels))

    def frame_at(self, time_s: float) -> int:
        """The frame that shows that moment."""
        at = int(np.searchsorted(np.asarray(self.times, np.float64), time_s + 1e-6)) - 1
        return min(max(at, 0), max(len(self.times) - 1, 0))

    def begin_of(self, index: int) -> bool:
        """Whether that frame is the first of a file that is not the first one."""
        return index > 0 and any(reel.frame0 == index for reel in self.reels)

    def looked_at(self, from_s: float = 0.0) -> Iterator[Frame]:
        """The pictures to look at, from that time on; times and numbers count in the whole recording.

        A file that cannot be decoded to its end is left there.
        """
        self.times.clear()
        width, height = self.size
        most = min(AHEAD, max(1, AHEAD_PX // (width * height)))
        yield from ahead(self._decoded(from_s), most, "film")

    def _decoded(self, from_s: float) -> Generator[Frame | None]:
        """The pictures to look at, and None for every frame in between."""
        t0_s, frame0 = 0.0, 0
        for reel in self.reels:
            reel.frame0, reel.t0_s = frame0, t0_s
            every = max(1, int(reel.fps // LOOKED_AT))
            last_s, count = 0.0, 0

            def wanted(index: int, time_s: float, every: int = every, t0_s: float = t0_s) -> bool:
                return index % every == 0 and t0_s + time_s >= from_s

            with video(reel.path) as source:
                for index, time_s, image in source.counted(wanted):
                    self.times.append(t0_s + time_s)
                    last_s, count = time_s, index + 1
                    at_s, number = t0_s + time_s, frame0 + index
                    yield None if image is None else Frame(image, at_s, number, reel.path.name)
            reel.lacks_s = _lacking_s(reel, count, last_s) if not reel.whole else reel.lacks_s
            reel.frames, reel.whole = count, True
            t0_s += last_s + 1 / reel.fps + BETWEEN_S
            frame0 += count

    def samples(self, count: int) -> Iterator[tuple[float, NDArray[np.uint8]]]:
        """Up to so many pictures spread over the first file, the early ones first, with their times.

        Quick and not exact: it is sought by time.
        """
        reel = self.reels[0]
        with video(reel.path) as source:
            for share in np.geomspace(1, 2, count) - 1:
                time_s = float(share) * reel.duration_s
                image = source.picture_near(time_s)
                if image is not None:
                    yield time_s, image


def _lacking_s(reel: Reel, frames: int, last_s: float) -> float:
    """How much is missing at the end of a file that was read, s: 0 where its frames or its clock have all that
    it said, since some files tell the one or the other only roughly. last_s: when its last frame was."""
    lacks_s = reel.duration_s - (last_s + 1 / reel.fps)
    if lacks_s <= CUT_OFF_S or reel.frames - frames <= CUT_OFF_SHARE * reel.frames:
        return 0.0
    return round(lacks_s, 3)


def video(path: Path) -> VideoSource:
    """The video file of that name. Raises SourceError."""
    if not path.exists():  # and what would be a camera's number or address is none here
        raise SourceError(f"{path}: there is no such file; give a video file, or a folder of them.")
    source = open_source(str(path))
    if not isinstance(source, VideoSource):
        source.close()
        raise SourceError(f"{path}: this is no video; give a video file, such as an MP4.")
    return source
