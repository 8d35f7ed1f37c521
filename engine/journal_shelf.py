"""All matches of a folder, read once: what the archive lists and the statistics count.

    shelf = Shelf(folder)
    for kept in shelf.matches():
        kept.id, kept.info, kept.facts

A file is read again only when it has changed, also by the next program (engine.shelf_cache), so that a page over
hundreds of matches stays quick.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine import shelf_cache
from engine.errors import JournalError, LawnError
from engine.game_log import GameLog, replayed
from engine.journal import Journal
from engine.journal_archive import MatchInfo, info_of
from engine.journal_events import Event
from engine.journal_file import SUFFIX
from engine.match_facts import MatchFacts, match_facts
from engine.shelf_cache import Known, Signature

DAMAGED = f"{SUFFIX}.damaged-"
"""What the names of files that were set aside have in them (engine.journal_rescue)."""


@dataclass(frozen=True, slots=True)
class Shelved:
    """One match. id: its file's name without the ending; facts: None when it cannot be read."""

    id: str
    info: MatchInfo
    facts: MatchFacts | None

    def to_json(self) -> dict[str, Any]:
        return {"id": self.id, **self.info.to_json()}


@dataclass(frozen=True, slots=True)
class Opened:
    """One match with all of its log."""

    id: str
    log: GameLog
    events: tuple[Event, ...]
    info: MatchInfo


class Shelf:
    """The matches in a folder, which need not be there yet. Every method may be called from any thread."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._kept: dict[str, tuple[Signature, Shelved]] = {}
        self._one_at_a_time = threading.Lock()
        self._known: dict[str, Known] | None = None
        """What an earlier program knew; None until it was looked for."""

    def matches(self) -> tuple[Shelved, ...]:
        """Every match, the one played last first; those that cannot be read at the end.

        Raises:
            JournalError: the folder cannot be read.
        """
        with self._one_at_a_time:
            paths = {path.name: path for path in self._paths()}
            self._kept = {name: kept for name, kept in self._kept.items() if name in paths}
            found = self._all(list(paths.values()))
        return tuple(sorted(found, key=lambda each: (bool(each.info.problem), -each.info.last_s)))

    def newest(self, most: int) -> tuple[Shelved, ...]:
        """So many matches, those whose files were written to last, the one played last first; the others are not read.

        Raises:
            JournalError: the folder cannot be read.
        """
        ranked = sorted(self._paths(), key=lambda path: max(_signature(path)), reverse=True)
        with self._one_at_a_time:
            found = self._all(ranked[:most])
        return tuple(sorted(found, key=lambda each: (bool(each.info.problem), -each.info.last_s)))

    def count(self) -> int:
        """How many matches there are."""
        return len(self._paths())

    def set_aside(self) -> tuple[str, ...]:
        """The names of damaged files that were set aside when their match was mended, newest first."""
        names = [path.name for path in self._listed() if DAMAGED in path.name]
        names = [name for name in names if not name.endswith(("-wal", "-shm"))]
        return tuple(sorted(names, key=lambda name: name.rpartition(DAMAGED)[2], reverse=True))

    def path(self, match: str) -> Path | None:
        """The file of a match that is listed, else None; the id itself never becomes a path."""
        return next((path for path in self._paths() if path.stem == match), None)

    def open(self, match: str) -> Opened | None:
        """A match with its whole log, or None when no such match is listed.

        Raises:
            JournalError: it cannot be read.
        """
        path = self.path(match)
        if path is None:
            return None
        try:
            with Journal.look(path) as journal:
                events = journal.events()
            log = replayed(events)
        except LawnError as error:
            raise JournalError(_small_names(error, path)) from error
        return Opened(path.stem, log, events, info_of(path, log, events[0].at_s))

    def picture(self, match: str, number: int) -> bytes | None:
        """The JPEG of a moment of a match, or None when there is none that can be read."""
        path = self.path(match)
        if path is None:
            return None
        try:
            with Journal.look(path) as journal:
                return journal.picture(number)
        except JournalError:
            return None

    def _paths(self) -> list[Path]:
        return [path for path in self._listed() if path.suffix == SUFFIX and path.is_file()]

    def _listed(self) -> list[Path]:
        try:
            return sorted(self.folder.iterdir())
        except FileNotFoundError:
            return []
        except OSError as error:
            raise JournalError(
                f"{self.folder}: the matches cannot be listed ({error.strerror})."
            ) from None

    def _all(self, paths: list[Path]) -> list[Shelved]:
        """These matches; what had to be read for it is kept for the next program. The caller holds the lock."""
        if self._known is None:
            self._known = shelf_cache.load(self.folder)
        found = [self._read(path) for path in paths]
        now = {
            name: Known(signature, each.info, each.facts)
            for name, (signature, each) in self._kept.items()
            if each.facts is not None
        }
        if any(self._known.get(name) != known for name, known in now.items()):
            there = {path.name for path in self._paths()}
            self._known = {name: each for name, each in self._known.items() if name in there} | now
            shelf_cache.save(self.folder, self._known)
        return found

    def _read(self, path: Path) -> Shelved:
        """What is kept of the file, or what it says now; the caller holds the lock."""
        signature = _signature(path)
        kept = self._kept.get(path.name)
        if kept is not None and kept[0] == signature:
            return kept[1]
        known = (self._known or {}).get(path.name)
        if known is not None and known.signature == signature:
            shelved = Shelved(path.stem, known.info, known.facts)
            self._kept[path.name] = signature, shelved
            return shelved
        try:
            with Journal.look(path) as journal:
                events = journal.events()
            log = replayed(events)
            began_s = events[0].at_s
            facts = match_facts(log.game.match, log.started.names, began_s)
            shelved = Shelved(path.stem, info_of(path, log, began_s), facts)
        except LawnError as error:
            shelved = Shelved(path.stem, MatchInfo(path, problem=_small_names(error, path)), None)
        self._kept[path.name] = signature, shelved
        return shelved


def _small_names(error: LawnError, path: Path) -> str:
    """What is wrong, naming the file without its folder: pages are also seen by others in the network."""
    return str(error).replace(str(path), path.name)


def _signature(path: Path) -> Signature:
    """Changes whenever the file does; what was written last is in the -wal file beside it."""
    found = []
    for each in (path, path.with_name(f"{path.name}-wal")):
        try:
            status = each.stat()
        except OSError:
            found.append((0, 0))
            continue
        # Reading alone makes and removes an empty -wal file.
        found.append((status.st_mtime_ns, status.st_size) if status.st_size else (0, 0))
    return tuple(found)
