"""Where things lie on this computer's disk is nobody else's business."""

from __future__ import annotations

import re

_FOLDERS = re.compile(r"(?<![\w:/\\.])(?:[A-Za-z]:)?[\\/](?:[^\\/:;\n]+[\\/])+(?=[^\\/\s:;,])")


def without_folders(text: str) -> str:
    """The text with every path in it cut down to the file's or folder's own name."""
    return _FOLDERS.sub("", text)


def file_name(path: str) -> str:
    """The name alone of a file or folder, by whichever system's path."""
    return re.split(r"[\\/]", path.rstrip("\\/"))[-1]
