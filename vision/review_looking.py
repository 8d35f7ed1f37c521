"""What of a recording the referee gets to see: its frames in, views out.

Looking takes far longer than refereeing. With a process of its own both go on at once; the views are the same.
"""

from __future__ import annotations

import multiprocessing
import signal
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from vision.ahead import ahead
from vision.crop_reader import CropReader
from vision.feed import Eyes, Feed
from vision.film import Film, Reel
from vision.find import DiceFinder
from vision.mat import parse_corners
from vision.mat_keeper import MatKeeper
from vision.match_owners import match_owners
from vision.moments import moment_jpeg
from vision.reader import TableReader
from vision.review_cast import find_cast
from vision.review_folder import ReviewError, Wishes
from vision.review_profile import Timed
from vision.review_views import KeptView
from vision.view import Viewer

VIEWS_AHEAD = 200
"""So many views may wait for the referee: some megabytes."""
TELL_S = 1.0
"""How often a process of its own tells how far it is, s of the recording."""

MakeEyes = Callable[[tuple[str, ...]], Eyes]
Spent: TypeAlias = dict[str, float]
"""Wall-clock s by stage."""
Seen: TypeAlias = KeptView | float
"""A view, or how far the recording was looked at, s."""


class Looking(Protocol):
    """One look at a recording. colours: of its players, in seat order."""

    colours: tuple[str, ...]

    def __iter__(self) -> Iterator[Seen]:
        """The views in order. At the end the film knows its frames. Raises SourceError, ReviewError, OwnerError."""
        ...

    def close(self) -> None:
        """Look no further."""
        ...


class LookingHere:
    """Looks when it is asked for the next view, in this process.

    colours: () to find them; make_eyes: what sees, given the colours; None for a Viewer with the shipped networks.
    Raises SourceError, OwnerError.
    """

    def __init__(
        self,
        film: Film,
        wishes: Wishes,
        colours: tuple[str, ...],
        from_s: float,
        spent: Spent,
        make_eyes: MakeEyes | None = None,
    ) -> None:
        self._film, self._wishes, self._from_s, self._spent = film, wishes, from_s, spent
        self._make_eyes = make_eyes
        self._finder: DiceFinder | None = None
        self.colours = colours or self._cast()
        match_owners(self.colours)  # says at once when these colours cannot play

    def __iter__(self) -> Iterator[Seen]:
        eyes = (self._make_eyes or self._viewer)(self.colours)
        feed = Feed(eyes)
        at = time.perf_counter()
        for frame in self._film.looked_at(self._from_s):
            at = passed(self._spent, "waiting for pictures", at)
            yield frame.time_s
            at = time.perf_counter()
            view = feed.see(frame)
            kept = None
            if view is not None:
                jpeg = moment_jpeg(frame.image, eyes.mat, view.dice)
                kept = KeptView(view, jpeg, feed.reach.news())
            at = passed(self._spent, "looking", at)
            if kept is not None:
                yield kept
                at = time.perf_counter()

    def close(self) -> None:
        return

    def _cast(self) -> tuple[str, ...]:
        reader = TableReader()
        self._finder = reader.finder
        at = time.perf_counter()
        colours = find_cast(self._film, reader).colours
        passed(self._spent, "finding the players", at)
        return colours

    def _viewer(self, colours: tuple[str, ...]) -> Viewer:
        lawn = None
        if self._wishes.corners is not None:
            lawn = parse_corners(self._wishes.corners, self._film.size)
        reader = Timed(CropReader(finder=self._finder), self._spent)
        return Viewer(reader, MatKeeper.of(self._film.name, lawn), match_owners(colours))


def passed(spent: Spent, stage: str, since: float) -> float:
    """Note that a stage took the time since then; what the clock shows now."""
    now = time.perf_counter()
    spent[stage] = spent.get(stage, 0.0) + now - since
    return now


@dataclass
class _End:
    """What the other process knows once it has looked at everything."""

    times: list[float]
    reels: list[Reel]
    spent: Spent


class LookingApart:
    """Looks in a process of its own, up to VIEWS_AHEAD views ahead. As LookingHere, with the shipped networks."""

    def __init__(
        self, film: Film, wishes: Wishes, colours: tuple[str, ...], from_s: float, spent: Spent
    ) -> None:
        self._film, self._spent = film, spent
        context = multiprocessing.get_context("spawn")  # threads do not live through a fork
        self._pipe, there = context.Pipe(duplex=False)
        self._process = context.Process(
            target=_look,
            args=(there, tuple(film.paths), wishes, colours, from_s),
            name="looking",
            daemon=True,
        )
        self._process.start()
        there.close()
        try:
            self.colours: tuple[str, ...] = self._next()
        except BaseException:
            self.close()
            raise

    def __iter__(self) -> Iterator[Seen]:
        return ahead(self._received(), VIEWS_AHEAD, "views")

    @property
    def process_id(self) -> int | None:
        return self._process.pid

    def close(self) -> None:
        self._process.terminate()
        self._process.join()
        self._pipe.close()

    def _received(self) -> Generator[Seen]:
        while not isinstance(said := self._next(), _End):
            yield said
        self._film.times, self._film.reels = said.times, said.reels
        self._spent.update(said.spent)

    def _next(self) -> Any:
        try:
            said = self._pipe.recv()
        except (EOFError, OSError) as error:
            raise ReviewError(
                f"{self._film.name}: the process that looked at it was ended, maybe for want of memory; the same "
                "command goes on from here."
            ) from error
        if isinstance(said, BaseException):
            raise said
        return said


def _look(
    out: Connection,
    paths: tuple[Path, ...],
    wishes: Wishes,
    colours: tuple[str, ...],
    from_s: float,
) -> None:
    """The other process: sends the colours, then all that is seen, then an _End; or an error."""
    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # Ctrl-C is for the first process, which ends this one
    spent: Spent = {}
    try:
        film = Film(paths)
        looking = LookingHere(film, wishes, colours, from_s, spent)
        out.send(looking.colours)
        told_s = from_s
        for seen in looking:
            if isinstance(seen, float):
                if seen - told_s < TELL_S:
                    continue
                told_s = seen
            out.send(seen)
        out.send(_End(film.times, film.reels, spent))
    except (BrokenPipeError, ConnectionResetError):
        return  # nobody listens any more
    except Exception as error:
        out.send(error)
