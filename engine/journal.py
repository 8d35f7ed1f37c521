"""The match journal: an append-only log of one match on disk, with views and small pictures.

    with Journal.open(path, clock=time.time) as journal:
        journal.append(Draft("note", {"text": "tea"}))
        for event in journal.events():
            ...

The journal knows no rules: engine.game_log says what its entries mean, and replays them.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

from engine import journal_file, journal_rescue
from engine.errors import JournalError, TableError
from engine.game_events import KINDS
from engine.journal_events import Draft, Event, checksum, to_text
from engine.journal_file import Damaged, WriterLock, in_words, is_damage
from engine.table import TableView, view_from_json

MAX_JPEG = 256 * 1024
"""A picture of a decisive moment is small; what is larger is not one of ours."""


class Journal:
    """One match's journal; make one with `open` (the only writer) or `look` (a reader).

    Every method may be called from any thread. `said` is one sentence about what had to be done to
    open it (a damaged file set aside), or "".
    """

    def __init__(
        self,
        path: Path,
        db: sqlite3.Connection,
        clock: Callable[[], float] | None,
        lock: WriterLock | None,
        said: str = "",
        scratch: tempfile.TemporaryDirectory[str] | None = None,
    ) -> None:
        self.path = path
        self.said = said
        self._db = db
        self._clock = clock
        self._lock = lock
        self._scratch = scratch
        self._one_at_a_time = threading.Lock()
        self._closed = False

    # --- opening --------------------------------------------------------------------------

    @classmethod
    def open(cls, path: Path, *, clock: Callable[[], float]) -> Self:
        """Open the file as its only writer, or begin it when there is none.

        A damaged file is set aside under a name with the time in it, and what of it can be read
        is in the new one; `said` tells.

        Raises:
            JournalError: a folder, not a journal, of a newer program, open elsewhere, no place
                that can be written to, or damaged beyond reading.
        """
        path = Path(path)
        journal_file.claim(path, may_be_new=True)
        lock = None
        try:
            lock = WriterLock(path)
            db, said = _connected(path, clock)
            journal = cls(path, db, clock, lock, said)
        except BaseException:
            if lock is not None:
                lock.release()
            journal_file.let_go(path)
            raise
        try:
            journal.events()
        except JournalError:
            journal.close()
            raise
        return journal

    @classmethod
    def look(cls, path: Path) -> Self:
        """Open the file to read alone; nothing is changed, and its writer may go on meanwhile.

        Raises:
            JournalError: missing, a folder, not a journal, of a newer program, or damaged.
        """
        path = Path(path)
        journal_file.claim(path, may_be_new=False)
        db, scratch = None, None
        try:
            try:
                db = journal_file.connect_to_read(path)
            except sqlite3.OperationalError:
                # A folder that cannot be written to: SQLite needs an index beside a file in WAL
                # mode, so a copy is read.
                scratch = tempfile.TemporaryDirectory(prefix="lawn-")
                db = journal_file.connect_to_read(_copied(path, Path(scratch.name)))
            if journal_file.refuse_strangers(db, path) == 0:
                raise JournalError(f"{path}: it holds no match yet.")
            journal_rescue.check(db)
            journal = cls(path, db, None, None, scratch=scratch)
            journal.events()
        except (sqlite3.Error, Damaged, JournalError, OSError) as error:
            if db is not None:
                db.close()
            if scratch is not None:
                scratch.cleanup()
            journal_file.let_go(path)
            if isinstance(error, JournalError):
                raise
            if isinstance(error, OSError):
                raise JournalError(f"{path}: it cannot be read ({error.strerror}).") from None
            if isinstance(error, sqlite3.Error) and not is_damage(error):
                raise JournalError(in_words(error, path)) from error
            raise JournalError(
                f"{path}: it is damaged ({error}); 'lawn journal --mend' sets it aside and saves "
                "what can be read."
            ) from None
        return journal

    def close(self) -> None:
        """Let go of the file, for the next writer."""
        with self._one_at_a_time:
            if self._closed:
                return
            self._closed = True
            self._db.close()
            if self._lock is not None:
                self._lock.release()
            if self._scratch is not None:
                self._scratch.cleanup()
            journal_file.let_go(self.path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- writing --------------------------------------------------------------------------

    def append(self, *drafts: Draft) -> tuple[Event, ...]:
        """Write entries, all or none; when it returns they are on the disk.

        Raises:
            JournalError: the disk is full, the journal is open to read alone, a view that is not
                there, a picture that is no small JPEG. Nothing is written then.
        """
        if self._clock is None:
            raise JournalError(f"{self.path}: it is open to read alone.")
        now = self._clock()
        with self._one_at_a_time:
            try:
                self._db.execute("BEGIN IMMEDIATE")
                written = tuple(self._write(draft, now) for draft in drafts)
                self._db.execute("COMMIT")
            except sqlite3.Error as error:
                self._take_back()
                if isinstance(error, sqlite3.IntegrityError):
                    raise JournalError(f"{self.path}: an entry does not fit ({error}).") from error
                raise JournalError(in_words(error, self.path)) from error
            except BaseException:
                self._take_back()
                raise
        return written

    def _take_back(self) -> None:
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")

    def _write(self, draft: Draft, now: float) -> Event:
        version = KINDS.version(draft.kind)
        body = to_text(draft.body)
        view, picture = draft.view, None
        if isinstance(view, TableView):
            view = self._insert("views", time_s=view.time_s, body=to_text(view.to_json()))
        if draft.jpeg is not None:
            if not draft.jpeg.startswith(b"\xff\xd8\xff") or len(draft.jpeg) > MAX_JPEG:
                raise JournalError(
                    f"The picture of a decisive moment is a JPEG of at most {MAX_JPEG // 1024} kB."
                )
            picture = self._insert("pictures", jpeg=draft.jpeg)
        number = self._insert(
            "events",
            kind=draft.kind,
            version=version,
            at_s=now,
            body=body,
            view=view,
            picture=picture,
        )
        return Event(number, draft.kind, json.loads(body), now, view, picture)

    def _insert(self, table: str, **values: Any) -> int:
        number = int(
            self._db.execute(f"SELECT coalesce(max(id), 0) + 1 FROM {table}").fetchone()[0]
        )
        journal_rescue.insert(self._db, table, number, values)
        return number

    # --- reading --------------------------------------------------------------------------

    def events(self, after: int = 0) -> tuple[Event, ...]:
        """All entries with a larger number, oldest first.

        Raises:
            JournalError: one cannot be read, or is of a newer program.
        """
        rows = self._rows(
            "SELECT id, kind, version, body, at_s, view, picture FROM events"
            " WHERE id > ? ORDER BY id",
            after,
        )
        events = []
        for number, kind, version, text, at_s, view, picture in rows:
            try:
                body = KINDS.newest(kind, version, json.loads(text))
            except JournalError as error:
                raise JournalError(f"{self.path}: {error}.") from None
            events.append(Event(number, kind, body, at_s, view, picture))
        return tuple(events)

    def view(self, number: int) -> TableView:
        """A stored view. Raises JournalError when it is missing or cannot be read."""
        for (body,) in self._rows("SELECT body FROM views WHERE id = ?", number):
            try:
                return view_from_json(json.loads(body))
            except (TableError, ValueError):
                break
        raise JournalError(f"{self.path}: it has no view {number} that can be read.")

    def picture(self, number: int) -> bytes:
        """The JPEG of a decisive moment. Raises JournalError when it is missing or damaged."""
        for jpeg, crc in self._rows("SELECT jpeg, crc FROM pictures WHERE id = ?", number):
            if checksum(number, jpeg) == crc:
                return bytes(jpeg)
        raise JournalError(f"{self.path}: it has no picture {number} that can be read.")

    def _rows(self, query: str, *values: object) -> list[Any]:
        with self._one_at_a_time:
            try:
                return self._db.execute(query, values).fetchall()
            except sqlite3.Error as error:
                raise JournalError(in_words(error, self.path)) from error

    def export(self, path: Path) -> None:
        """Write the whole journal as one file, for keeping or sending.

        Raises:
            JournalError: there is a file of that name already, or it cannot be written.
        """
        if path.exists():
            raise JournalError(f"{path}: this file is there already; choose another name.")
        with self._one_at_a_time:
            try:
                self._db.execute("VACUUM INTO ?", (os.fspath(path),))
            except sqlite3.Error as error:
                raise JournalError(in_words(error, path)) from error


def _connected(path: Path, clock: Callable[[], float]) -> tuple[sqlite3.Connection, str]:
    """The file open for its writer, and what had to be done for it."""
    try:
        return journal_rescue.whole(path), ""
    except Damaged as damage:
        said = journal_rescue.set_aside(path, str(damage), clock())
    try:
        return journal_rescue.whole(path), said
    except Damaged as damage:
        raise JournalError(f"{path}: the disk spoils what is written ({damage}).") from None


def _copied(path: Path, folder: Path) -> Path:
    for name in (path.name, path.name + "-wal"):
        if (path.parent / name).exists():
            shutil.copyfile(path.parent / name, folder / name)
    return folder / path.name
