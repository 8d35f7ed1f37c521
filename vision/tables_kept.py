"""What was taught for each table, kept in the user's own folder: one JSON file a table.

A file is replaced in one step. Forgetting moves it aside under a name with the time, and a damaged file is set aside
the same way: nothing is deleted.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from vision.heads import Head
from vision.set_colours import SetColours, set_colours_from_json

VERSION = 1
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _-]{0,39}")


class TableKeepingError(ValueError):
    """A table's file cannot be read or written; the message says which, and what to do."""


@dataclass(frozen=True)
class KeptTable:
    """What is known of a table.

    name: as the person gave it; taught_at: ISO time; dice, right, tuned_right: the marks of its lessons;
    head: a tuned last layer of the close-up network, or None; closeup: that network's fingerprint;
    colours: the sets' learned colours, or None; players: the players' colours, in the seat order that `colours` has.
    """

    name: str
    taught_at: str
    dice: int
    right: int
    tuned_right: int | None
    head: Head | None
    closeup: str
    colours: SetColours | None
    players: tuple[str, ...] = ()

    def colours_for(self, players: Sequence[str]) -> SetColours | None:
        """The learned colours for a match of these players, in seat order; None when other sets play."""
        if self.colours is None or sorted(players) != sorted(self.players):
            return None
        seats = {old: players.index(name) for old, name in enumerate(self.players)}
        owners = tuple(seats.get(owner, owner) for owner in self.colours.owners)
        return replace(self.colours, owners=owners)


def default_folder() -> Path:
    """Where tables are kept: the user's data folder of this program."""
    from platformdirs import user_data_path

    return user_data_path("get-off-my-lawn") / "tables"


def keep(table: KeptTable, folder: Path) -> Path:
    """Write a table's file and return it. Raises TableKeepingError."""
    path = _path(table.name, folder)
    data = {
        "version": VERSION,
        "name": table.name,
        "taught_at": table.taught_at,
        "dice": table.dice,
        "right": table.right,
        "tuned_right": table.tuned_right,
        "closeup": table.closeup,
        "head": table.head
        and {"weight": table.head.weight.round(6).tolist(), "bias": table.head.bias.tolist()},
        "colours": table.colours and table.colours.to_json(),
        "players": list(table.players),
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        part.write_text(json.dumps(data), encoding="utf-8")
        os.replace(part, path)
    except OSError as error:
        raise TableKeepingError(f"{path}: cannot be written ({error.strerror}).") from error
    return path


def recall(name: str, folder: Path, now: str) -> KeptTable:
    """Read a table's file. now: the time for the name of a damaged file that is set aside. Raises TableKeepingError."""
    path = _path(name, folder)
    if not path.is_file():
        raise TableKeepingError(
            f"No table is kept as '{name}'; kept are: {', '.join(kept(folder)) or 'none'}."
        )
    try:
        return _read(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, RecursionError, KeyError, TypeError) as error:
        aside = _set_aside(path, "damaged", now)
        raise TableKeepingError(
            f"{path}: this file is damaged; it was set aside as {aside.name}. Teach the table again."
        ) from error


def forget(name: str, folder: Path, now: str) -> Path:
    """Move a table's file aside, so that the shipped reader is used again; returns where it lies now."""
    path = _path(name, folder)
    if not path.is_file():
        raise TableKeepingError(f"No table is kept as '{name}'.")
    return _set_aside(path, "forgotten", now)


def kept(folder: Path) -> list[str]:
    """Names of the tables that are kept."""
    return sorted(path.stem for path in folder.glob("*.json")) if folder.is_dir() else []


def check_name(name: str) -> None:
    """Raises TableKeepingError when no table can be kept under that name."""
    if not NAME.fullmatch(name):
        raise TableKeepingError(
            f"{name!r}: a table's name has letters, digits, spaces, _ and -, at most 40."
        )


def _path(name: str, folder: Path) -> Path:
    check_name(name)
    return folder / f"{name}.json"


def _set_aside(path: Path, why: str, now: str) -> Path:
    stamp = re.sub(r"[^0-9T]", "", now) or "then"
    aside, number = path.with_name(f"{path.stem}.{why}-{stamp}"), 1
    while aside.exists():
        number += 1
        aside = path.with_name(f"{path.stem}.{why}-{stamp}-{number}")
    try:
        os.replace(path, aside)
    except OSError as error:
        raise TableKeepingError(f"{path}: cannot be moved ({error.strerror}).") from error
    return aside


def _read(data: Any) -> KeptTable:
    if data["version"] != VERSION:
        raise ValueError(f"version {data['version']}")
    head = None
    if data["head"] is not None:
        weight = np.array(data["head"]["weight"], np.float64)
        bias = np.array(data["head"]["bias"], np.float64)
        if weight.ndim != 2 or bias.shape != weight.shape[:1] or not np.isfinite(weight).all():
            raise ValueError("head")
        head = Head(weight, bias)
    colours = data["colours"]
    return KeptTable(
        name=str(data["name"]),
        taught_at=str(data["taught_at"]),
        dice=int(data["dice"]),
        right=int(data["right"]),
        tuned_right=None if data["tuned_right"] is None else int(data["tuned_right"]),
        head=head,
        closeup=str(data["closeup"]),
        colours=None if colours is None else set_colours_from_json(colours),
        # Tables of earlier versions have no players; their colours are not used in matches then.
        players=tuple(str(name) for name in data.get("players", ())),
    )
