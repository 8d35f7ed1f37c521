"""Running the real `lawn` command as a process of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
SAMPLE = ROOT / "webui" / "samples" / "demo-table.jpg"


def command() -> str:
    """The `lawn` that belongs to the Python of this test run."""
    found = shutil.which("lawn", path=str(Path(sys.executable).parent))
    assert found, "the project is not installed here; 'make test' installs it"
    return found


def lawn(
    *words: str | bytes | Path, env: dict[str, str] | None = None, **more: Any
) -> subprocess.CompletedProcess[bytes]:
    """Run `lawn` to its end; output is captured as bytes unless `more` says otherwise."""
    options: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "timeout": 120}
    return subprocess.run(
        [command(), *map(os.fsdecode, words)], env={**os.environ, **(env or {})}, **options | more
    )


def complaint(done: subprocess.CompletedProcess[bytes]) -> str:
    """The one sentence with which a command was refused: code 2, a single line, no traceback."""
    assert done.returncode == 2, done.stderr.decode()
    lines = done.stderr.decode().splitlines()
    assert len(lines) == 1, lines
    assert lines[0].startswith("Error: ")
    assert "Traceback" not in lines[0]
    return lines[0]
