"""The SQLite file of a match journal: its tables, how it is opened, and who may write to it.

Rows are only ever added: triggers refuse UPDATE and DELETE, and a row that would replace another.
A commit is on the disk when it returns (WAL with synchronous=FULL), so a process that is killed, or
a computer that loses power, loses at most the entry being written.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections import Counter
from pathlib import Path

from engine.errors import JournalError

APPLICATION_ID = 0x4C41574E
""""LAWN"; `file` and SQLite's own tools show it."""

SUFFIX = ".match"
"""The usual ending of a journal's name."""

_MAGIC = b"SQLite format 3\x00"

_TABLES = """
CREATE TABLE views (
    id INTEGER PRIMARY KEY,
    time_s REAL NOT NULL,
    body TEXT NOT NULL,
    crc INTEGER NOT NULL
);
CREATE TABLE pictures (
    id INTEGER PRIMARY KEY,
    jpeg BLOB NOT NULL,
    crc INTEGER NOT NULL
);
CREATE TABLE events (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    version INTEGER NOT NULL CHECK (version >= 1),
    at_s REAL NOT NULL,
    body TEXT NOT NULL,
    view INTEGER REFERENCES views (id),
    picture INTEGER REFERENCES pictures (id),
    crc INTEGER NOT NULL
);
"""

_GUARD = """
CREATE TRIGGER {table}_never_change BEFORE UPDATE ON {table}
BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER {table}_never_vanish BEFORE DELETE ON {table}
BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER {table}_in_order BEFORE INSERT ON {table}
WHEN NEW.id IS NULL OR NEW.id {order}
BEGIN SELECT RAISE(ABORT, 'the entries of a journal are numbered in order'); END;
"""

_LAST = "coalesce((SELECT max(id) FROM {table}), 0)"
_ORDERS = {
    "events": f"IS NOT {_LAST} + 1",  # a gap would be an entry that is silently missing
    "views": f"<= {_LAST}",
    "pictures": f"<= {_LAST}",
}

MIGRATIONS: list[str] = [
    _TABLES
    + "".join(
        _GUARD.format(table=table, order=order.format(table=table))
        for table, order in _ORDERS.items()
    ),
]
"""Entry n turns a file of schema n into one of n + 1; a new file goes through all of them."""


_STRANGER = "{path}: it is a database of another program, no match journal."


class Damaged(Exception):
    """The file is a journal, but not whole; the message says what is wrong, without a full stop."""


class WriterLock:
    """The right to write to one journal, held until it is released or the process ends.

    It is SQLite's own file lock on an empty file beside the journal, so the operating system takes
    it back however the process ends, and it works wherever SQLite does. The file stays: a lock
    whose file may vanish could be held twice.
    """

    def __init__(self, path: Path) -> None:
        """Raises JournalError: somebody else writes, or the folder cannot be written to."""
        try:
            self._held = sqlite3.connect(
                os.fspath(path) + ".lock",
                isolation_level=None,
                timeout=0,
                check_same_thread=False,
            )
        except sqlite3.Error:
            raise JournalError(cannot_write(path)) from None
        try:
            self._held.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            self._held.close()
            if "locked" in str(error):
                raise JournalError(
                    f"{path}: this match is open in another window or program; close it there first."
                ) from None
            raise JournalError(cannot_write(path)) from None

    def release(self) -> None:
        self._held.close()


def is_written_elsewhere(path: Path) -> bool:
    """Whether somebody holds the right to write to that journal now; nothing is made or changed."""
    lock = Path(os.fspath(path) + ".lock")
    if not lock.is_file():
        return False
    try:
        held = sqlite3.connect(f"{lock.resolve().as_uri()}?mode=ro", uri=True, timeout=0)
    except sqlite3.Error:
        return False
    try:
        held.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.Error as error:
        return "locked" in str(error)
    finally:
        held.close()
    return False


def connect_to_write(path: Path) -> sqlite3.Connection:
    """Open, or begin, the file for its only writer, with everything set, read back and checked.

    Raises:
        JournalError: it is of a newer or another program, or cannot be written to.
        Damaged: it is a journal and not whole.
    """
    db = None
    try:
        db = sqlite3.connect(path, isolation_level=None, timeout=5.0, check_same_thread=False)
        version = refuse_strangers(db, path)
        _set(db, path)
        _migrate(db, version)
    except sqlite3.DatabaseError as error:
        if db is not None:
            db.close()
        if is_damage(error):
            raise Damaged(str(error)) from error
        raise JournalError(in_words(error, path)) from error
    except (JournalError, Damaged):
        if db is not None:
            db.close()
        raise
    return db


def refuse_strangers(db: sqlite3.Connection, path: Path) -> int:
    """The file's schema, 0 when it is still empty.

    Raises JournalError when it is another program's, or of a newer schema.
    """
    application = db.execute("PRAGMA application_id").fetchone()[0]
    version = int(db.execute("PRAGMA user_version").fetchone()[0])
    is_empty = not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if application != APPLICATION_ID and not (application == 0 and version == 0 and is_empty):
        raise JournalError(_STRANGER.format(path=path))
    if version > len(MIGRATIONS):
        raise JournalError(
            f"{path}: it was written by a newer Get Off My Lawn (form {version}, this one knows "
            f"{len(MIGRATIONS)}); update this one, then open it again."
        )
    return version


def _set(db: sqlite3.Connection, path: Path) -> None:
    mode = db.execute("PRAGMA journal_mode = WAL").fetchone()[0]
    if mode != "wal":
        raise JournalError(
            f"{path}: a safe journal (SQLite WAL) is not possible on this disk; "
            "choose a folder on a local disk."
        )
    for name, value in (("synchronous", 2), ("foreign_keys", 1), ("recursive_triggers", 1)):
        db.execute(f"PRAGMA {name} = {value}")
        held = db.execute(f"PRAGMA {name}").fetchone()[0]
        if held != value:
            raise JournalError(
                f"{path}: this build of SQLite cannot set {name}, so the match would not be safe."
            )


def _migrate(db: sqlite3.Connection, version: int) -> None:
    """Bring the file to the newest schema, all or nothing."""
    if version == len(MIGRATIONS):
        return
    steps = "".join(MIGRATIONS[version:])
    try:
        db.executescript(
            f"BEGIN IMMEDIATE;\n{steps}\nPRAGMA application_id = {APPLICATION_ID};\n"
            f"PRAGMA user_version = {len(MIGRATIONS)};\nCOMMIT;"
        )
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # whose file it is stands in the file itself
    except sqlite3.Error:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def connect_to_read(path: Path) -> sqlite3.Connection:
    """Open the file without changing anything; a writer may go on meanwhile.

    Raises:
        sqlite3.Error: as SQLite says it; where the folder cannot be written to SQLite may be
            unable to open a file whose last writer was killed.
    """
    db = sqlite3.connect(
        f"{path.resolve().as_uri()}?mode=ro",
        uri=True,
        isolation_level=None,
        timeout=5.0,
        check_same_thread=False,
    )
    try:
        db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.Error:
        db.close()
        raise
    return db


_open_here: Counter[str] = Counter()
_opening = threading.Lock()


def claim(path: Path, *, may_be_new: bool) -> None:
    """Look at the file before SQLite opens it, and note that this process has it open.

    The look is skipped while this process has it open already: closing a plain handle of a file
    drops all locks of the process on it (https://www.sqlite.org/howtocorrupt.html 2.2).

    Raises:
        JournalError: missing, a folder, not readable, or not a journal; nothing is noted then.
    """
    name = os.path.realpath(path)
    with _opening:
        if not _open_here[name]:
            _refuse_other_files(path, may_be_new)
        _open_here[name] += 1


def let_go(path: Path) -> None:
    """Take `claim` back, after SQLite has closed the file."""
    with _opening:
        _open_here[os.path.realpath(path)] -= 1


def _refuse_other_files(path: Path, may_be_new: bool) -> None:
    try:
        with open(path, "rb") as file:
            start = file.read(72)
    except FileNotFoundError:
        if may_be_new:
            return
        raise JournalError(f"{path}: there is no such file.") from None
    except IsADirectoryError:
        raise JournalError(f"{path}: it is a folder; give the journal in it.") from None
    except OSError as error:
        if path.is_dir():  # Windows calls it a lack of permission
            raise JournalError(f"{path}: it is a folder; give the journal in it.") from None
        raise JournalError(f"{path}: it cannot be read ({error.strerror}).") from None
    if start and not start.startswith(_MAGIC):
        raise JournalError(f"{path}: it is not a match journal.")
    # https://www.sqlite.org/fileformat.html 1.3: the application id stands at byte 68. A damaged
    # file is set aside under another name, which must never happen to a stranger's.
    application = int.from_bytes(start[68:72], "big")
    if start and application != APPLICATION_ID and path.suffix != SUFFIX:
        raise JournalError(_STRANGER.format(path=path))


def is_damage(error: sqlite3.Error) -> bool:
    """Whether SQLite found the file broken, rather than the disk, a lock or a permission wanting."""
    signs = ("malformed", "not a database", "corrupt", "no such table", "decode to UTF-8")
    return any(sign in str(error) for sign in signs)


def cannot_write(path: Path) -> str:
    """The sentence for a folder or file that takes no writing."""
    folder = path.parent
    if not folder.is_dir():
        return f"{path}: there is no folder {folder}; make it, or choose another one."
    return f"{path}: nothing can be written there; allow writing to {folder}, or choose another folder."


def in_words(error: sqlite3.Error, path: Path) -> str:
    """What SQLite says, as one sentence for a player."""
    text = str(error)
    if "full" in text:
        return (
            f"{path}: the disk is full, so the last entry could not be saved; "
            "make room, then go on: nothing before it is lost."
        )
    if "readonly" in text or "unable to open" in text or "permission" in text:
        return cannot_write(path)
    if "locked" in text or "busy" in text:
        return f"{path}: another program holds this file; close it there first."
    return f"{path}: the disk refused ({text}); nothing before the last entry is lost."
