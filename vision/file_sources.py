"""Videos, photos and folders of photos as sources."""

from __future__ import annotations

import contextlib
import logging
import re
import time
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import cv2

from vision.frames import Clock, FileCapture, Frame, Image, Kind, Source, SourceError, SourceStatus
from vision.photos import PhotoError, load_photo

PHOTO_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".heic", ".heif"})
PHOTO_S = 5.0
"""How long each photo of a folder is shown."""
USUAL_FPS = 30.0

log = logging.getLogger(__name__)


class VideoSource(Source):
    """A video file, played at its own speed; at its end the last picture stays.

    open_capture opens the file from its start, every time. Raises SourceError when no picture of it
    can be decoded: some files (AV1) open well and then give none.
    """

    kind: Kind = "video"

    def __init__(
        self, path: Path, open_capture: Callable[[], FileCapture], *, clock: Clock = time.monotonic
    ) -> None:
        super().__init__(path.name, clock)
        self._open_capture = open_capture
        self._ended = False
        frames = iter(self)
        with contextlib.suppress(cv2.error):
            self._newest = next(frames, None)
        frames.close()
        if self._newest is None:
            raise SourceError(
                f"{path}: no picture of this video can be decoded; convert it to MP4 (H.264), or for AV1 install "
                "PyAV, in the project's folder: pip install -e '.[video]'"
            )

    def status(self) -> SourceStatus:
        if self._ended:
            return SourceStatus("ended", f"{self.name} has ended; this is its last picture.")
        return SourceStatus("playing", f"{self.name} is playing.")

    def __iter__(self) -> Generator[Frame, None, None]:
        for index, time_s, image in self.counted():
            assert image is not None
            yield Frame(image, time_s, index, self.name)

    def counted(
        self, wanted: Callable[[int, float], bool] | None = None
    ) -> Generator[tuple[int, float, Image | None], None, None]:
        """Every frame's number, time in s and picture, or None for one that is not wanted, which is cheaper."""
        capture = self._open_capture()
        try:
            fps = capture.get(cv2.CAP_PROP_FPS)
            step_s = 1 / (fps if 1 <= fps <= 1000 else USUAL_FPS)
            time_s, index = 0.0, 0
            while capture.grab():
                # Right after a sequential grab POS_MSEC is this picture's own time stamp. A file
                # without stamps repeats one value, and then the frame rate has to do.
                stamp_s = capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
                time_s = stamp_s if index == 0 or stamp_s > time_s else time_s + step_s
                image = None
                if wanted is None or wanted(index, time_s):
                    read, image = capture.retrieve()
                    if not read or image is None:
                        return
                yield index, time_s, image
                index += 1
        finally:
            capture.release()

    def facts(self) -> tuple[float, tuple[int, int], int]:
        """Frames a second, width and height in px, and how many frames the file says it has (it may err)."""
        assert self._newest is not None
        height, width = self._newest.image.shape[:2]
        capture = self._open_capture()
        try:
            fps = capture.get(cv2.CAP_PROP_FPS)
            count = capture.get(cv2.CAP_PROP_FRAME_COUNT)
        finally:
            capture.release()
        return fps if 1 <= fps <= 1000 else USUAL_FPS, (width, height), max(1, int(count))

    def picture_near(self, time_s: float) -> Image | None:
        """A picture near that time, or None; where the file cannot be sought in, its first one."""
        capture = self._open_capture()
        try:
            capture.set(cv2.CAP_PROP_POS_MSEC, 1000 * time_s)
            read, image = capture.read()
        finally:
            capture.release()
        return image if read else None

    def _play(self) -> None:
        started: float | None = None
        try:
            for frame in self:
                if started is None:
                    started = self._clock() - frame.time_s
                if self._closing.wait(max(0.0, started + frame.time_s - self._clock())):
                    return
                self._post(frame)
        except Exception as error:  # cv2.error on a damaged file
            log.info("%s failed: %s", self.name, error)
        self._ended = True


class PhotoSource(Source):
    """One photo. Raises SourceError when it cannot be read."""

    kind: Kind = "photo"

    def __init__(self, path: Path) -> None:
        super().__init__(path.name)
        try:
            self._photo = Frame(load_photo(path), 0.0, 0, path.name)
        except PhotoError as error:
            raise SourceError(str(error)) from error
        self._newest = self._photo

    def status(self) -> SourceStatus:
        return SourceStatus("still", f"This is the photo {self.name}.")

    def __iter__(self) -> Iterator[Frame]:
        yield self._photo

    def _play(self) -> None:
        return


class FolderSource(Source):
    """The photos of a folder in natural order ("dice2" before "dice10"), each for a while, in a loop.

    The folder is looked at anew for every photo, so that one added later is shown too. Photos that
    cannot be read are left out, and the status says so. Raises SourceError when none can be read.
    """

    kind: Kind = "folder"

    def __init__(
        self, path: Path, *, photo_s: float = PHOTO_S, clock: Clock = time.monotonic
    ) -> None:
        super().__init__(path.resolve().name or str(path), clock)
        self._path = path
        self._photo_s = photo_s
        self._left_out: dict[Path, str] = {}
        paths = self._paths()
        if not paths:
            raise SourceError(
                f"{path}: there is no photo in this folder; put JPEG or PNG files there."
            )
        first = self._first_readable(paths)
        if first is None:
            why = next(iter(self._left_out.values()))
            raise SourceError(f"{path}: no photo in this folder can be read; {why}")
        self._shown, image = first
        self._newest = Frame(image, 0.0, 0, self._shown.name)

    def status(self) -> SourceStatus:
        with self._changed:
            shown, left_out = self._shown.name, tuple(self._left_out.values())
        says = f"This is {shown} of the folder {self.name}."
        if left_out:
            some = "One photo is" if len(left_out) == 1 else f"{len(left_out)} photos are"
            says += f" {some} left out; {left_out[0]}"
        return SourceStatus("still", says)

    def __iter__(self) -> Iterator[Frame]:
        index = 0
        for path in self._paths():
            readable = self._first_readable([path])
            if readable is not None:
                yield Frame(readable[1], index * self._photo_s, index, path.name)
                index += 1

    def _play(self) -> None:
        index = 0
        written = _written(self._shown)
        while not self._closing.wait(self._photo_s):
            try:
                paths = self._paths()
            except SourceError as error:  # the folder is gone: keep the last picture and say so
                with self._changed:
                    self._left_out = {self._path: str(error)}
                continue
            with self._changed:
                self._left_out = {p: why for p, why in self._left_out.items() if p in paths}
            later = [path for path in paths if _natural(path) > _natural(self._shown)]
            readable = self._first_readable(later + [p for p in paths if p not in later])
            if readable is None:
                continue
            path, image = readable
            if (path, _written(path)) == (self._shown, written):
                continue  # the only photo there is: it is shown already
            written = _written(path)
            index += 1
            with self._changed:
                self._shown = path
                self._post(Frame(image, index * self._photo_s, index, path.name))

    def _paths(self) -> list[Path]:
        try:
            found = [p for p in self._path.iterdir() if p.suffix.lower() in PHOTO_SUFFIXES]
        except OSError as error:
            why = error.strerror or error
            raise SourceError(
                f"{self._path}: this folder cannot be read ({why}); check that it is still there."
            ) from error
        return sorted(found, key=_natural)

    def _first_readable(self, paths: list[Path]) -> tuple[Path, Image] | None:
        for path in paths:
            try:
                image = load_photo(path)
            except PhotoError as error:
                with self._changed:
                    self._left_out[path] = str(error)
            else:
                with self._changed:
                    self._left_out.pop(path, None)
                return path, image
        return None


def _written(path: Path) -> int:
    """When the file was last written, in ns; 0 when it is gone."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def _natural(path: Path) -> list[tuple[int, str]]:
    """A sort key for file names by which the numbers in them count as numbers."""
    parts = re.split(r"([0-9]+)", path.name.casefold())
    numbered = [(int(part), "") if odd % 2 else (-1, part) for odd, part in enumerate(parts)]
    return [*numbered, (-1, path.name)]
