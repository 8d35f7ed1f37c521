"""The text of a record file, or one sentence why there is none."""

from __future__ import annotations

import os
import sys

from engine.errors import RecordFileError

MAX_BYTES = 1024 * 1024
"""Some fifty times a long match of three players; what is larger is no record."""

STANDARD_INPUT = "-"


def read_text(name: str) -> str:
    """The text of a file in UTF-8, or of standard input for "-".

    Raises:
        RecordFileError: no name, missing, a folder, not allowed, too large, binary, or not UTF-8.
    """
    if not name:
        raise RecordFileError(
            f"The file name is empty; give a record file, or {STANDARD_INPUT} for standard input."
        )
    try:
        if name == STANDARD_INPUT:
            content = sys.stdin.buffer.read(MAX_BYTES + 1)
        elif os.path.isdir(name):
            raise RecordFileError(f"{name}: it is a folder; give the record file in it.")
        else:
            with open(name, "rb") as file:
                content = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise RecordFileError(f"{name}: there is no such file.") from None
    except (OSError, ValueError) as error:
        if isinstance(error, RecordFileError):
            raise
        why = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise RecordFileError(f"{name}: it cannot be read ({why}).") from None
    return _decoded(content, "standard input" if name == STANDARD_INPUT else name)


def _decoded(content: bytes, name: str) -> str:
    if len(content) > MAX_BYTES:
        raise RecordFileError(
            f"{name}: it is larger than {MAX_BYTES // 1024**2} MB, so it is no match record."
        )
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise RecordFileError(f"{name}: it is text in UTF-16; save it as UTF-8.")
    if b"\0" in content:
        raise RecordFileError(f"{name}: it is a binary file, no match record.")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise RecordFileError(
            f"{name}: line {line} is not UTF-8 text; save the file as UTF-8."
        ) from None
