"""What is done with a damaged journal: it is set aside, never deleted, and what can be read is saved."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from engine import journal_file
from engine.errors import JournalError
from engine.journal_events import LOST, checksum
from engine.journal_file import Damaged

COLUMNS: dict[str, tuple[str, ...]] = {
    "views": ("time_s", "body"),
    "pictures": ("jpeg",),
    "events": ("kind", "version", "at_s", "body", "view", "picture"),
}
"""The columns of each table but for its id and its checksum, which covers the others in this order."""

GIVE_UP = 500
"""So many numbers in a row without a readable row are taken for the end of a table."""


def insert(db: sqlite3.Connection, table: str, number: int, values: dict[str, Any]) -> None:
    """Add a row with its checksum. Raises sqlite3.Error."""
    names = COLUMNS[table]
    row = [values[name] for name in names]
    marks = ", ".join("?" * (len(row) + 2))
    db.execute(
        f"INSERT INTO {table} (id, {', '.join(names)}, crc) VALUES ({marks})",
        (number, *row, checksum(number, *row)),
    )


def whole(path: Path) -> sqlite3.Connection:
    """The file open for its writer, checked in every row.

    Raises:
        JournalError: as journal_file.connect_to_write.
        Damaged: it is not whole.
    """
    db = journal_file.connect_to_write(path)
    try:
        check(db)
    except (Damaged, sqlite3.Error) as error:
        db.close()
        if isinstance(error, Damaged):
            raise
        raise JournalError(journal_file.in_words(error, path)) from error
    return db


def check(db: sqlite3.Connection) -> None:
    """Check the file's structure, and that every entry and view says what was written.

    Pictures are checked when they are asked for: they are large, and nothing follows from them.

    Raises:
        Damaged: one does not.
        sqlite3.Error: SQLite cannot tell.
    """
    try:
        found = str(db.execute("PRAGMA quick_check(1)").fetchone()[0])
        if found != "ok":
            raise Damaged(found.splitlines()[-1])
        if db.execute("PRAGMA foreign_key_check").fetchone() is not None:
            raise Damaged("an entry refers to a view or picture that is missing")
        for table in ("events", "views"):
            query = f"SELECT id, {', '.join(COLUMNS[table])}, crc FROM {table} ORDER BY id"
            for expected, (number, *row, crc) in enumerate(db.execute(query), 1):
                if checksum(number, *row) != crc:
                    raise Damaged(f"{_one_of(table)} {number} is not as it was written")
                if table == "events" and number != expected:
                    raise Damaged(f"{_one_of(table)} {expected} is missing")
    except sqlite3.DatabaseError as error:
        if not journal_file.is_damage(error):
            raise
        raise Damaged(str(error)) from error


def set_aside(path: Path, why: str, now: float) -> str:
    """Keep the damaged file under another name and put what can be read of it in its place.

    Copies come first and the damaged file is replaced last, so that wherever this is cut off
    nothing is lost and the next opening does it again.

    Returns: one sentence for the player.
    Raises:
        JournalError: nothing could be read, or there is no room.
    """
    time = datetime.fromtimestamp(now, UTC).strftime("%Y-%m-%d-%H%M%S")
    kept = _free_name(path.with_name(f"{path.name}.damaged-{time}"))
    fresh = path.with_name(f"{path.name}.new")
    try:
        for ending in ("-wal", ""):
            if os.path.exists(f"{path}{ending}"):
                shutil.copy2(f"{path}{ending}", f"{kept}{ending}")
        for ending in ("", "-wal", "-shm"):
            Path(f"{fresh}{ending}").unlink(missing_ok=True)
        saved, lost = _salvaged(path, fresh)
        if not saved:
            raise JournalError(
                f"{path}: it is damaged ({why}) and nothing of it can be read; it is kept as "
                f"{kept.name}: move {path.name} away, then begin a new match."
            )
        for ending in ("-wal", "-shm"):
            # A log left beside the new file would be played into it.
            Path(f"{path}{ending}").unlink(missing_ok=True)
        os.replace(fresh, path)
    except OSError as error:
        raise JournalError(
            f"{path}: it is damaged ({why}) and cannot be set aside ({error.strerror}); "
            "make room there and allow writing, then open it again."
        ) from error
    missing = f"; {lost} could not be read" if lost else ", and all its entries could be saved"
    return f"{path.name} was damaged ({why}): it is kept as {kept.name}{missing}."


def _salvaged(path: Path, fresh: Path) -> tuple[int, int]:
    """Copy every readable row; how many entries were saved and how many were lost."""
    try:
        source = sqlite3.connect(path, isolation_level=None, timeout=5.0)
        tables = {table: _readable(source, table) for table in COLUMNS}
        source.close()
    except sqlite3.Error:
        return 0, 0
    events = tables["events"]
    if not any(row[0] != LOST for row in events.values()):
        return 0, 0
    target = journal_file.connect_to_write(fresh)
    try:
        target.execute("BEGIN IMMEDIATE")
        for table in ("views", "pictures"):
            for number, row in sorted(tables[table].items()):
                insert(target, table, number, dict(zip(COLUMNS[table], row, strict=True)))
        for number in range(1, max(events) + 1):
            row = events.get(number, (LOST, 1, 0.0, "{}", None, None))
            values = dict(zip(COLUMNS["events"], row, strict=True))
            for table, name in (("views", "view"), ("pictures", "picture")):
                if values[name] not in tables[table]:
                    values[name] = None
            insert(target, "events", number, values)
        target.execute("COMMIT")
        target.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.Error as error:
        raise JournalError(journal_file.in_words(error, path)) from error
    finally:
        target.close()
    lost = max(events) - len(events)
    return len(events), lost


def _readable(db: sqlite3.Connection, table: str) -> dict[int, tuple[Any, ...]]:
    """Every row of a damaged table that can be read and is as it was written, by number."""
    rows: dict[int, tuple[Any, ...]] = {}
    query = f"SELECT id, {', '.join(COLUMNS[table])}, crc FROM {table} WHERE id = ?"
    number, missed = 0, 0
    while missed < GIVE_UP:
        number += 1
        missed += 1
        try:
            found = db.execute(query, (number,)).fetchone()
        except sqlite3.DatabaseError:
            continue
        if found is None or checksum(number, *found[1:-1]) != found[-1]:
            continue
        if table != "pictures" and not _is_json(found[1 + COLUMNS[table].index("body")]):
            continue
        rows[number] = tuple(found[1:-1])
        missed = 0
    return rows


def _is_json(text: object) -> bool:
    try:
        return isinstance(text, str) and isinstance(json.loads(text), dict)
    except ValueError:
        return False


def _free_name(path: Path) -> Path:
    free, number = path, 1
    while free.exists():
        number += 1
        free = path.with_name(f"{path.name}-{number}")
    return free


def _one_of(table: str) -> str:
    return {"events": "entry", "views": "view"}[table]
