"""The entries of a match journal: their form on disk, and the upgrading of older forms.

The kinds themselves are declared beside what they mean, in engine.game_events; here is only what
every kind shares: a number, a kind with its version, a time, a body of plain JSON types and, for a
decisive moment, the view and the picture that belong to it.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from engine.errors import JournalError, shown
from engine.table import TableView

Body: TypeAlias = Mapping[str, Any]
Upgrader: TypeAlias = Callable[[dict[str, Any]], dict[str, Any]]

LOST = "lost"
"""The kind that stands for an entry that could not be read any more; its body is empty."""


@dataclass(frozen=True, slots=True)
class Event:
    """One entry of a journal.

    Attributes:
        number: 1 for the first entry; there are no gaps.
        kind: what happened.
        body: what there is to say of it, in the newest version of the kind.
        at_s: when it was written, seconds since 1970 by the clock that the journal was given.
        view, picture: numbers of the view and the JPEG of that moment, or None.
    """

    number: int
    kind: str
    body: Body
    at_s: float
    view: int | None = None
    picture: int | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """An entry about to be written.

    view: the view of that moment, or the number of one that is in the journal already.
    jpeg: a small picture of it.
    """

    kind: str
    body: Body
    view: TableView | int | None = None
    jpeg: bytes | None = None


class Kinds:
    """The kinds of entries that a program knows, each with its newest version."""

    def __init__(self, versions: Mapping[str, int]) -> None:
        self._versions = {LOST: 1, **versions}
        self._upgraders: dict[tuple[str, int], Upgrader] = {}

    def upgrader(self, kind: str, version: int) -> Callable[[Upgrader], Upgrader]:
        """Declare the function that makes a body of `version` one of the next version."""

        def declare(function: Upgrader) -> Upgrader:
            self._upgraders[kind, version] = function
            return function

        return declare

    def version(self, kind: str) -> int:
        """The newest version of a kind. Raises JournalError for an unknown one."""
        if kind not in self._versions:
            raise JournalError(f"There is no kind of entry called {shown(kind)}.")
        return self._versions[kind]

    def newest(self, kind: str, version: int, body: dict[str, Any]) -> dict[str, Any]:
        """The body in the newest version of its kind.

        Raises:
            JournalError: a kind or version of a newer program, or one without an upgrade path. The
                sentence begins small, so that the name of the file can stand before it.
        """
        known = self._versions.get(kind)
        if known is None or version > known:
            raise JournalError(
                f"it has an entry '{kind}' (version {version}) of a newer Get Off My Lawn; "
                "update this one, then open it again"
            )
        for step in range(version, known):
            upgrade = self._upgraders.get((kind, step))
            if upgrade is None:
                raise JournalError(f"its entry '{kind}' of version {step} can no longer be read")
            body = upgrade(body)
        return body


def to_text(data: object) -> str:
    """Compact JSON; NaN and other things that JSON lacks raise ValueError or TypeError."""
    return json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def checksum(*values: object) -> int:
    """A CRC-32 over one row of a table: damage that leaves the file's structure whole shows here."""
    crc = 0
    for value in values:
        part = value if isinstance(value, bytes) else repr(value).encode()
        crc = zlib.crc32(part, zlib.crc32(str(len(part)).encode(), crc))
    return crc
