"""The views of a review, kept beside its journal: a better referee, or other rulings, can explain the game anew in
seconds, without looking at the film again.

A file of records, added to at its end: one letter, the length of what follows, and that. V is a view (zlib, JSON),
J the JPEG of the view before it, R what reached the ends of the Lawn's rows since (JSON).
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from engine.errors import LawnError
from engine.table import TableView, view_from_json
from vision.reach import Onset

_HEAD = struct.Struct("<cI")
_MOST = 50_000_000  # a length beyond this is damage


class ViewsError(ValueError):
    """The kept views cannot be read; one sentence."""


@dataclass
class KeptView:
    """A view, its small picture if it has one, and what reached the rows' ends before it."""

    view: TableView
    jpeg: bytes | None = None
    reached: list[Onset] = field(default_factory=list)


class ViewKeeper:
    """Writes the views of one review as they come, after those that are there.

    A record that was cut off goes: what is added after it could not be read. Raises OSError.
    """

    def __init__(self, path: Path) -> None:
        self._file: BinaryIO = path.open("ab")
        self._file.truncate(_whole_bytes(path))

    def add(self, kept: KeptView) -> None:
        """Raises OSError."""
        if kept.reached:
            self._write(b"R", json.dumps(kept.reached).encode())
        body = json.dumps(kept.view.to_json(), separators=(",", ":")).encode()
        self._write(b"V", zlib.compress(body))
        if kept.jpeg is not None:
            self._write(b"J", kept.jpeg)
        self._file.flush()

    def _write(self, letter: bytes, body: bytes) -> None:
        self._file.write(_HEAD.pack(letter, len(body)) + body)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()


def kept_views(path: Path) -> list[KeptView]:
    """The views in order. Where a run was cut off the next one looked again: its views take their place.

    What is cut off at the end of the file is left out; no file is no view. Raises ViewsError when one is damaged.
    """
    try:
        return _kept(path)
    except (ValueError, KeyError, TypeError, zlib.error, LawnError) as error:
        raise ViewsError(f"{path}: the views that are kept there are damaged.") from error


def all_kept(path: Path) -> bool:
    """Whether the file holds whole records from its begin to its end."""
    return path.is_file() and _whole_bytes(path) == path.stat().st_size


def _kept(path: Path) -> list[KeptView]:
    found: list[KeptView] = []
    reached: list[Onset] = []
    for letter, body in _records(path):
        if letter == b"R":
            reached = [(float(time_s), int(end)) for time_s, end in json.loads(body)]
        elif letter == b"J" and found:
            found[-1].jpeg = body
        elif letter == b"V":
            view = view_from_json(json.loads(zlib.decompress(body)))
            while found and found[-1].view.time_s >= view.time_s:
                found.pop()
            found.append(KeptView(view, None, reached))
            reached = []
    return found


def _whole_bytes(path: Path) -> int:
    """How far the records of the file are whole."""
    return sum(_HEAD.size + len(body) for _, body in _records(path))


def _records(path: Path) -> Iterator[tuple[bytes, bytes]]:
    try:
        with path.open("rb") as file:
            while len(head := file.read(_HEAD.size)) == _HEAD.size:
                letter, length = _HEAD.unpack(head)
                body = file.read(length) if length <= _MOST else b""
                if letter not in (b"V", b"J", b"R") or len(body) < length:
                    return
                yield letter, body
    except OSError:
        return
