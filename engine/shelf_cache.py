"""What is known of the matches of a folder, kept beside them, so that a long shelf opens at once.

Nothing depends on this file: what is missing, old, damaged or of another program's version is read from the matches
again, and a folder that cannot be written to simply has none.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeAlias

from engine.journal_archive import MatchInfo
from engine.match_facts import MatchFacts, PlayerFacts
from engine.scoring import RoundScore

NAME = ".matches-known.json"
VERSION = 1
"""Of this form and of what the facts mean; with another one everything is read again."""

Signature: TypeAlias = tuple[tuple[int, int], ...]
"""Changes whenever a match's files do."""


@dataclass(frozen=True, slots=True)
class Known:
    """One match as it was when its files had that signature."""

    signature: Signature
    info: MatchInfo
    facts: MatchFacts


def load(folder: Path) -> dict[str, Known]:
    """What is known, by file name; {} when there is nothing that can be used."""
    try:
        data = json.loads((folder / NAME).read_text(encoding="utf-8"))
        if data["version"] != VERSION:
            return {}
        return {name: _known(folder / name, each) for name, each in data["matches"].items()}
    except (OSError, ValueError, RecursionError, TypeError, KeyError, AttributeError):
        return {}


def save(folder: Path, known: Mapping[str, Known]) -> None:
    """Keep it, in one step; where that is not possible it is not kept."""
    matches = {
        name: {
            "signature": each.signature,
            "info": {key: value for key, value in asdict(each.info).items() if key != "path"},
            "facts": asdict(each.facts),
        }
        for name, each in known.items()
    }
    part = folder / f"{NAME}.{os.getpid()}.part"
    try:
        part.write_text(json.dumps({"version": VERSION, "matches": matches}), encoding="utf-8")
        os.replace(part, folder / NAME)
    except OSError:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)


def _known(path: Path, data: Mapping[str, Any]) -> Known:
    info = {key: _frozen(value) for key, value in data["info"].items()}
    facts = data["facts"]
    return Known(
        tuple((int(time), int(size)) for time, size in data["signature"]),
        MatchInfo(path, **info),
        MatchFacts(
            tuple(_player(each) for each in facts["players"]),
            float(facts["began_s"]),
            bool(facts["over"]),
        ),
    )


def _player(data: Mapping[str, Any]) -> PlayerFacts:
    rounds = tuple(RoundScore(**each) for each in data["rounds"])
    return PlayerFacts(**{key: _frozen(value) for key, value in data.items()} | {"rounds": rounds})


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
