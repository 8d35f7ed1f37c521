"""What a review keeps on disk, so that a second run goes on where the first was cut off.

FOLDER/review.match   the journal of the match, times by the recording's clock
FOLDER/plan.json      which files, whose dice, by which rulings; written before anything else
FOLDER/views.bin      every view that the referee was shown
FOLDER/frames.npz     the times of all frames, once the recording was seen to its end
FOLDER/review.json    the transcript, written last
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, ValidationError

from engine.errors import JournalError
from engine.journal_file import WriterLock, is_written_elsewhere
from engine.options import Options
from vision.film import Film

JOURNAL = "review.match"
TRANSCRIPT = "review.json"
VIEWS = "views.bin"
TOLD = frozenset(
    {"video", "videos", "duration_s", "players", "events", "scores", "unsure", "record"}
)
"""What a transcript cannot be without."""
SAMPLES, SAMPLE_BYTES = 9, 4096
"""How many pieces of a film are looked at to know it again, and how long one is."""
DAMAGED = "{}: it is damaged; the same review once more makes it anew."


class ReviewError(ValueError):
    """A review cannot be made or gone on with; one sentence: which, and what to do."""


@dataclass(frozen=True)
class Wishes:
    """What a person asks of a review.

    players: colours in seat order, () to find them; corners: as typed, None to find the mat; options: the
    rulings played by; threshold: points that win.
    """

    players: tuple[str, ...] = ()
    corners: str | None = None
    options: Options = field(default_factory=Options)
    threshold: int = 500


class Video(BaseModel):
    """A file of the recording as it was when the review began. lacks_s: missing at its end, once that was seen.

    sample: of its bytes, "" in plans of before there was one; no part of the transcript.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    path: str
    bytes: int
    fps: float
    size: tuple[int, int]
    frames: int
    duration_s: float
    t0_s: float = 0.0
    frame0: int = 0
    lacks_s: float = 0.0
    sample: str = ""

    def is_same(self, now: Video) -> bool:
        """Whether that is still this file: one in its place may have its length."""
        known = self.sample in ("", now.sample)
        return (self.path, self.bytes) == (now.path, now.bytes) and known


def film_at(review: Path, video: str) -> Path:
    """Where a file of a review's recording is; one that ships lies beside its review."""
    path = Path(video)
    return path if path.is_absolute() else (review / path).resolve()


class Plan(BaseModel):
    """plan.json: what is reviewed, and how. base_s: s since 1970 at the recording's first frame."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    videos: tuple[Video, ...]
    players: tuple[str, ...]
    asked: dict[str, Any]
    base_s: float
    done: bool = False


def asked(wishes: Wishes) -> dict[str, Any]:
    """The wishes as plain JSON types: a review of other wishes is another review."""
    return {
        "players": list(wishes.players),
        "corners": wishes.corners,
        "options": wishes.options.to_mapping(),
        "threshold": wishes.threshold,
    }


def videos_of(film: Film) -> tuple[Video, ...]:
    """The files of a recording as a plan lists them."""
    return tuple(
        Video(
            path=str(reel.path.resolve()),
            bytes=reel.path.stat().st_size,
            fps=reel.fps,
            size=reel.size,
            frames=reel.frames,
            duration_s=round(reel.duration_s, 3),
            t0_s=round(reel.t0_s, 3),
            frame0=reel.frame0,
            lacks_s=reel.lacks_s,
            sample=_sample(reel.path),
        )
        for reel in film.reels
    )


def _sample(file: Path) -> str:
    """A hash of bytes from all over a file, which tells two recordings of one length apart. Raises OSError."""
    found = hashlib.sha1(usedforsecurity=False)
    with file.open("rb") as film:
        length = film.seek(0, 2)
        for part in range(SAMPLES):
            film.seek(max(0, length - SAMPLE_BYTES) * part // (SAMPLES - 1))
            found.update(film.read(SAMPLE_BYTES))
    return found.hexdigest()


def default_root() -> Path:
    """Where reviews are kept that were given no folder: the user's data folder of this program."""
    from platformdirs import user_data_path

    return user_data_path("get-off-my-lawn") / "reviews"


def folder_for(paths: Sequence[Path], wishes: Wishes, root: Path | None = None) -> Path:
    """The folder of the review of those files by those wishes: always the same one."""
    known = [str(path.resolve()) for path in paths]
    text = json.dumps([known, asked(wishes)], sort_keys=True)
    return (
        root or default_root()
    ) / f"{paths[0].stem}-{hashlib.sha1(text.encode()).hexdigest()[:8]}"


class ReviewFolder:
    """The files of one review."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def journal(self) -> Path:
        return self.path / JOURNAL

    @property
    def transcript(self) -> Path:
        return self.path / TRANSCRIPT

    @property
    def views(self) -> Path:
        return self.path / VIEWS

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """The right to make this review, which one program has at a time. Raises ReviewError or JournalError."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ReviewError(f"{self.path}: it cannot be written ({error.strerror}).") from error
        name = self.path / "review"
        try:
            lock = WriterLock(name)
        except JournalError:
            if not is_written_elsewhere(name):
                raise
            raise ReviewError(
                f"{self.path}: another program makes this review now; wait for it, or end it."
            ) from None
        try:
            yield
        finally:
            lock.release()

    def begin_anew(self) -> None:
        """Leave nothing of the review so far but its journal, which is set aside.

        Raises ReviewError; JournalError when another program writes to the journal, and nothing has changed.
        """
        with self._sole_writer():
            self._set_journal_aside()
            try:
                for name in ("plan.json", TRANSCRIPT, VIEWS, "frames.npz"):
                    (self.path / name).unlink(missing_ok=True)
            except OSError as error:
                raise ReviewError(
                    f"{self.path}: it cannot be begun again ({error.strerror})."
                ) from error

    def set_journal_aside(self) -> None:
        """Begin with a new journal; the old one stays beside it.

        Raises ReviewError; JournalError when another program writes to it.
        """
        with self._sole_writer():
            self._set_journal_aside()

    def new_journal(self) -> Path:
        """Where a journal is written that takes the place of the one so far later on. Raises ReviewError."""
        file = self.path / "new.match"
        try:
            for each in self.path.glob(f"{file.name}*"):  # of a run that was cut off
                each.unlink()
        except OSError as error:
            raise ReviewError(f"{file}: it cannot be written ({error.strerror}).") from error
        return file

    def take_new_journal(self) -> None:
        """Put the new journal, which is closed, in its place; the old one stays beside it, with whatever a person
        has said in it.

        Raises ReviewError; JournalError when another program writes to it.
        """
        new = self.path / "new.match"
        with self._sole_writer():
            self._set_journal_aside()
            self._rename(new, self.journal)
        self.new_journal()  # what SQLite and the lock have left

    @contextlib.contextmanager
    def _sole_writer(self) -> Iterator[None]:
        lock = WriterLock(self.journal)
        try:
            yield
        finally:
            lock.release()

    def _set_journal_aside(self) -> None:
        number = 1
        while (old := self.path / f"review-{number}.match").exists():
            number += 1
        self._rename(self.journal, old)

    def set_aside(self) -> tuple[Path, ...]:
        """The journals that were set aside here, the oldest first."""
        numbered = [
            (int(each.stem[7:]), each)
            for each in self.path.glob("review-*.match")
            if each.stem[7:].isdigit()
        ]
        return tuple(each for _, each in sorted(numbered))

    def _rename(self, journal: Path, to: Path) -> None:
        """A closed journal with what SQLite keeps beside it."""
        try:
            for suffix in ("", "-wal", "-shm"):
                file = journal.with_name(journal.name + suffix)
                if file.exists():
                    file.rename(to.with_name(to.name + suffix))
        except OSError as error:
            raise ReviewError(f"{journal}: it cannot be set aside ({error.strerror}).") from error

    def plan(self) -> Plan | None:
        """What was begun here, or None. Raises ReviewError when it cannot be read."""
        file = self.path / "plan.json"
        try:
            return Plan.model_validate_json(file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except (OSError, ValidationError, UnicodeDecodeError) as error:
            raise ReviewError(
                f"{file}: it is damaged; begin this review again with --anew."
            ) from error

    def write_plan(self, plan: Plan) -> None:
        """Raises ReviewError."""
        self._write("plan.json", plan.model_dump_json(indent=1))

    def write_transcript(self, transcript: dict[str, Any]) -> None:
        """Raises ReviewError."""
        self._write(TRANSCRIPT, json.dumps(transcript, ensure_ascii=False, indent=1))

    def read_transcript(self) -> dict[str, Any]:
        """Raises ReviewError when there is none yet."""
        try:
            data = json.loads(self.transcript.read_text(encoding="utf-8"))
        except FileNotFoundError as error:
            raise ReviewError(f"{self.path}: this review has not come to its end yet.") from error
        except (OSError, ValueError, RecursionError) as error:
            raise ReviewError(DAMAGED.format(self.transcript)) from error
        if not isinstance(data, dict) or not data.keys() >= TOLD:
            raise ReviewError(DAMAGED.format(self.transcript))
        return data

    def write_times(self, times: Sequence[float]) -> None:
        """Keep the times of all frames, s. Raises ReviewError."""
        part = self.path / "frames.part.npz"
        try:
            np.savez_compressed(part, times=np.asarray(times, np.float64))
            part.replace(self.path / "frames.npz")
        except OSError as error:
            raise ReviewError(f"{part}: it cannot be written ({error.strerror}).") from error

    def read_times(self) -> NDArray[np.float64]:
        """The times of all frames, s; Raises ReviewError."""
        try:
            with np.load(self.path / "frames.npz") as kept:
                return np.asarray(kept["times"], np.float64)
        except FileNotFoundError as error:
            raise ReviewError(f"{self.path}: this review has not come to its end yet.") from error
        except (OSError, ValueError, KeyError, EOFError, BadZipFile, zlib.error) as error:
            raise ReviewError(DAMAGED.format(self.path / "frames.npz")) from error

    def _write(self, name: str, text: str) -> None:
        file = self.path / name
        part = file.with_name(f"{name}.part")
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            part.write_text(text, encoding="utf-8")
            part.replace(file)
        except OSError as error:
            raise ReviewError(f"{file}: it cannot be written ({error.strerror}).") from error
