"""What `lawn review` writes beside a review: looked at before the long work, and there whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from vision.review_folder import ReviewError

PRINTED = "-"


def refuse_outputs(
    files: Sequence[str | None], report: Path | None, inputs: Sequence[Path | None]
) -> None:
    """Refuse what could not be written once the film is seen, or would be written over something that is read.

    files: as typed, PRINTED for standard output, None for none. Raises ReviewError.
    """
    outputs = [Path(name) for name in files if name is not None and name != PRINTED]
    for at, out in enumerate(outputs):
        if out.is_dir() or not out.name:
            raise ReviewError(f"{out}: this is a folder; give the name of a file in it.")
        if not out.parent.is_dir():
            raise ReviewError(f"{out}: there is no folder {out.parent}; make it first.")
        if not os.access(out if _is_special(out) else out.parent, os.W_OK):
            raise ReviewError(f"{out}: it cannot be written there; choose another folder.")
        for other in inputs:
            if other is not None and _same(out, other):
                raise ReviewError(
                    f"{out}: it is read and would be written over; give another name."
                )
        if any(_same(out, other) for other in outputs[:at]) and not _is_special(out):
            raise ReviewError(f"{out}: two outputs cannot be one file; give another name.")
    if report is not None:
        there = next((each for each in (report, *report.absolute().parents) if each.exists()), None)
        if there is None or not there.is_dir() or not os.access(there, os.W_OK):
            raise ReviewError(f"{report}: this folder cannot be written to; choose another one.")


def write_whole(out: Path, text: str) -> None:
    """Write beside it and put it in its place: what was there stays until all of it is written.

    Raises ReviewError.
    """
    try:
        if _is_special(out):
            out.write_text(text, encoding="utf-8")
            return
        file = out.resolve()
        part = file.with_name(f"{file.name}.part")
        try:
            part.write_text(text, encoding="utf-8")
            part.replace(file)
        except OSError:
            part.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise ReviewError(f"{out}: it cannot be written ({error.strerror}).") from error


def _is_special(path: Path) -> bool:
    """Whether it is there and no ordinary file: a pipe or a device, which nothing may take the place of."""
    return path.exists() and not path.is_file()


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:  # not there yet
        return one.resolve() == other.resolve()
