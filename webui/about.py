"""Which version runs, and its source code as the licence (AGPL-3.0, section 13) promises it."""

from __future__ import annotations

import io
import tomllib
import zipfile
from collections.abc import Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

DISTRIBUTION = "get-off-my-lawn"
ROOT = Path(__file__).resolve().parent.parent
"""The checkout, or the folder that the packages are installed in."""
PACKAGES = ("engine", "vision", "webui", "models", "datasets", "tests")
LOOSE_FILES = ("lawn.py", "pyproject.toml", "LICENSE", "README.md", "Makefile")
SUFFIXES = frozenset(
    {".py", ".typed", ".html", ".css", ".js", ".svg", ".md", ".json", ".yaml", ".csv", ".onnx"}
)
"""What belongs to the source; never pictures, which may be the user's own."""


@cache
def version() -> str:
    """The version of the running program."""
    try:
        return distribution(DISTRIBUTION).version
    except PackageNotFoundError:  # run from a checkout that is not installed
        if not is_checkout():
            return "unknown"
        project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
        return str(project["project"]["version"])


def is_checkout() -> bool:
    return (ROOT / "pyproject.toml").is_file()


def source_files() -> Iterator[tuple[str, bytes]]:
    """Name and content of every file of the running program's source."""
    if is_checkout():
        for package in PACKAGES:
            for path in sorted((ROOT / package).rglob("*")):
                if path.suffix in SUFFIXES and path.is_file() and not path.is_symlink():
                    yield path.relative_to(ROOT).as_posix(), path.read_bytes()
        for name in LOOSE_FILES:
            if (ROOT / name).is_file():
                yield name, (ROOT / name).read_bytes()
        return
    # A wheel brings no pyproject.toml; what it needs to run is in its metadata.
    needed = [need for need in distribution(DISTRIBUTION).requires or () if "extra ==" not in need]
    yield "requirements.txt", "".join(f"{need}\n" for need in needed).encode()
    for file in distribution(DISTRIBUTION).files or ():
        path = Path(str(file.locate()))
        if (file.suffix in SUFFIXES or file.name in {"LICENSE", "METADATA"}) and path.is_file():
            yield file.as_posix(), path.read_bytes()


def source_archive() -> bytes:
    """A zip of `source_files`, all in one folder named after the version."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in source_files():
            packed.writestr(f"{DISTRIBUTION}-{version()}/{name}", content)
    return archive.getvalue()
