"""The one match that is being played: begun, gone on with, left; its session, and what the page shows of it."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from engine.errors import JournalError, LawnError
from engine.game_steps import Started
from engine.journal_archive import MatchInfo, info, new_path
from engine.journal_file import SUFFIX, is_written_elsewhere
from engine.journal_shelf import Shelf
from engine.match import Match
from engine.verdict import Happened, Verdict
from vision.feed import Eyes
from vision.session import Session
from webui.catalogue import Speaker
from webui.heard import heard
from webui.match_state import match_json
from webui.match_words import in_words

HEARD = 20
"""So many of the last things that the referee said are kept for the page."""
OFFERED_S = 2.0
"""So long offers are kept: another program may have opened, played or left one of the matches."""
OFFERS = 5
"""So many unfinished matches are offered to go on with."""
LOOKED_AT = 15
"""They are looked for among so many files, those written to last, so that a long shelf costs no more."""


class NoSuchMatch(LawnError):
    """No match has that id."""


class NoMatch(LawnError):
    """Nobody plays now."""


class MatchGoesOn(LawnError):
    """Another match is being played."""


KnownInfos: TypeAlias = dict[Path, tuple[int, MatchInfo]]
"""What was last found of a journal, with when it had been written to."""
EyesOf: TypeAlias = Callable[[tuple[str, ...]], Eyes | None]


def no_eyes(_: tuple[str, ...]) -> Eyes | None:
    """No camera follows the match."""
    return None


@dataclass(frozen=True)
class Shown:
    """A match as the page shows it. version: another one with every change; match: its data, None for none."""

    version: int
    match: Mapping[str, Any] | None = None
    _texts: dict[str, str] = field(default_factory=dict, compare=False, repr=False)

    def text(self, language: str) -> str:
        """As JSON on one line, said in that language; made once for all who speak it."""
        text = self._texts.get(language)
        if text is None:
            said = self.match and in_words(dict(self.match), Speaker(language))
            text = self._texts[language] = json.dumps(said)
        return text

    @property
    def names(self) -> Mapping[str, str]:
        """What the players are called, by colour; "" for one who gave no name."""
        players = self.match["match"]["players"] if self.match else ()
        return {each["colour"]: each["name"] for each in players}


class GameRoom:
    """Holds the match that is being played, if there is one. Callable from any thread.

    shelf: where matches are kept. news: called after every change of what is shown, and quickly.
    clock: s since 1970, for the journal.
    """

    def __init__(
        self,
        shelf: Shelf,
        news: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.shelf, self.news = shelf, news
        self.name = ""
        """The id of the match being played, or ""."""
        self._clock = clock
        self._session: Session | None = None
        self._watched = False
        self._version = int(time.time() * 1000)
        self._shown = Shown(self._version)
        self._offers: str | None = None
        self._offered_at = 0.0
        self._known: KnownInfos = {}
        self._heard: deque[dict[str, Any]] = deque(maxlen=HEARD)
        self._before: Match | None = None
        self._changing = threading.RLock()

    # --- beginning and ending -------------------------------------------------------------

    def begin(self, started: Started, eyes_of: EyesOf = no_eyes) -> str:
        """Start a match in a new journal; its id.

        eyes_of: gives what looks for a match of those colours, None where no camera follows it.

        Raises MatchGoesOn; PositionError or MatchError for players or a threshold that cannot be;
        JournalError when it cannot be written.
        """
        Match.start(colours=started.colours, options=started.options, threshold=started.threshold)
        with self._changing:
            self._refuse_a_second()
            self._make_folder()
            names = tuple(
                name or colour for name, colour in zip(started.names, started.colours, strict=True)
            )
            path = new_path(self.shelf.folder, names, self._clock)
            eyes = eyes_of(started.colours)
            self._seat(path.stem, Session.begin(path, started, clock=self._clock, eyes=eyes), eyes)
            return path.stem

    def resume(self, name: str, eyes_of: EyesOf = no_eyes) -> str:
        """Go on with a match. Raises MatchGoesOn, NoSuchMatch, or JournalError."""
        with self._changing:
            if name == self.name and self._session is not None:
                return name
            self._refuse_a_second()
            path = self.shelf.path(name)
            if path is None:
                raise NoSuchMatch(
                    "There is no such match on this computer; load the list of matches again."
                )
            colours = info(path).colours  # () of a damaged file, which is mended when it is opened
            eyes = eyes_of(colours) if colours else None
            self._seat(name, Session.resume(path, clock=self._clock, eyes=eyes), eyes)
            return name

    def leave(self) -> None:
        """Put the match away; its journal stays. Nothing happens without one."""
        with self._changing:
            session, self._session = self._session, None
            self.name, self._before = "", None
            self._heard.clear()
            if session is not None:
                session.close()
            self._version += 1
            self._shown = Shown(self._version)
            self._offers = None
        self.news()

    def look_with(self, eyes: Eyes | None, sentence: str) -> None:
        """Go on with another camera, or with none; a sentence for the journal says which."""
        with self._changing:
            if self._session is not None:
                self._watched = eyes is not None
                self._session.camera_replaced(eyes, sentence)

    def _make_folder(self) -> None:
        folder = self.shelf.folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise JournalError(
                f"{folder}: matches cannot be kept here ({error.strerror}); choose another folder "
                "with --matches."
            ) from error

    def _refuse_a_second(self) -> None:
        if self._session is not None:
            raise MatchGoesOn("A match is being played; leave it first, it can be gone on with.")

    def _seat(self, name: str, session: Session, eyes: Eyes | None) -> None:
        self.name, self._session, self._watched = name, session, eyes is not None
        self._before = session.log.game.match
        self._offers = None
        session.add_listener(lambda verdicts: self._changed(session, verdicts))
        self._changed(session, ())

    # --- what is shown --------------------------------------------------------------------

    @property
    def session(self) -> Session:
        """The session of the match being played. Raises NoMatch."""
        session = self._session
        if session is None:
            raise NoMatch("No match is being played; begin one, or go on with one.")
        return session

    @property
    def is_playing(self) -> bool:
        return self._session is not None

    @property
    def shown(self) -> Shown:
        """The match as the page shows it; never waits for the referee."""
        return self._shown

    def offers(self) -> str:
        """The unfinished matches to go on with, as JSON: [] while one is being played."""
        if self._session is not None:
            return "[]"
        now = time.monotonic()
        stale = self._offers is None or now - self._offered_at >= OFFERED_S
        if stale and self._changing.acquire(blocking=False):
            try:
                offered = unfinished(self.shelf.folder, self._known)
                self._offers = json.dumps([offer(each) for each in offered])
                self._offered_at = now
            finally:
                self._changing.release()
        return self._offers or "[]"

    def _changed(self, session: Session, verdicts: tuple[Verdict, ...]) -> None:
        """Make what is shown anew; called under the session's lock, in whatever thread brought news."""
        if session is not self._session:
            return
        match = session.log.game.match
        before = self._before or match
        for verdict in verdicts:
            said = heard(verdict, before, round(self._clock(), 3))
            if said is not None:
                self._heard.append(said)
            if isinstance(verdict, Happened) and verdict.final:
                before = match
        self._before = match
        data = match_json(self.name, session.state(), watched=self._watched)
        self._version += 1
        data["version"] = self._version
        data["heard"] = list(self._heard)
        data["note"] = self._heard[-1] if self._heard else None
        self._shown = Shown(self._version, data)
        self.news()


def default_folder() -> Path:
    """Where matches are kept unless the user says otherwise."""
    from platformdirs import user_data_path

    return user_data_path("get-off-my-lawn", appauthor=False) / "matches"


def unfinished(folder: Path, known: KnownInfos) -> list[MatchInfo]:
    """The matches in a folder with which one can go on, the one played last first.

    known: what was found before and is not read again while nobody writes to it; it is kept up to date.
    """
    try:
        paths = [each for each in folder.iterdir() if each.suffix == SUFFIX]
    except OSError:
        return []  # the archive's page says why
    written = {path: _written_ns(path) for path in paths}
    newest = sorted(paths, key=lambda path: -written[path])[:LOOKED_AT]
    for path in newest:
        if path not in known or known[path][0] != written[path]:
            known[path] = written[path], info(path)
    found = [known[path][1] for path in newest]
    left = [each for each in found if not each.over and not each.problem]
    return sorted(left, key=lambda each: -each.last_s)[:OFFERS]


def _written_ns(path: Path) -> int:
    """When a journal was last written to: itself, or the log beside it."""
    times = [0]
    for each in (path, path.with_name(f"{path.name}-wal")):
        with contextlib.suppress(OSError):
            times.append(each.stat().st_mtime_ns)
    return max(times)


def offer(found: MatchInfo) -> Mapping[str, Any]:
    """What is said of a match that one can go on with; elsewhere: whether another program has it open."""
    elsewhere = is_written_elsewhere(found.path)
    return {"id": found.path.stem, **found.to_json(), "elsewhere": elsewhere}
