"""Watch a source and tell what is on the table: one event for every change, and when the camera is lost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from engine.table import OWNERS, SeenDie, TableView
from vision.flags import WHAT_TO_DO
from vision.frames import Frame, Source
from vision.view import Viewer

WAIT_S = 0.25
"""How long a live source is waited for before its status is looked at."""
ALONE = ("photo", "folder")
"""Kinds of sources whose pictures have nothing to do with one another."""


@dataclass(frozen=True)
class Event:
    """A view of the table, or, without one, a sentence about the source: `live` is whether it is back."""

    view: TableView | None
    says: str = ""
    live: bool = True

    def to_json(self) -> dict[str, Any]:
        """A view as TableView.to_json, else {"source": {"live", "says"}}."""
        if self.view is not None:
            return self.view.to_json()
        return {"source": {"live": self.live, "says": self.says}}


def watch(source: Source, viewer: Viewer) -> Iterator[Event]:
    """The events of a source: of a file every frame is looked at, as fast as that goes, by the file's
    own times; of a camera the newest one, until it is closed."""
    if source.live:
        yield from _watch_live(source, viewer)
        return
    for frame in source:
        if source.kind in ALONE:
            yield Event(viewer.see_alone(frame.image, frame.time_s))
        elif view := viewer.see(frame.image, frame.time_s):
            yield Event(view)


def _watch_live(source: Source, viewer: Viewer) -> Iterator[Event]:
    index, lost = -1, False
    while True:
        frame: Frame | None = source.wait_newer(index, WAIT_S)
        status = source.status()
        if frame is None:
            if status.state == "lost" and not lost:
                lost = True
                viewer.lost()
                yield Event(None, status.says, live=False)
            elif status.state == "ended":
                return
            continue
        if lost:
            lost = False
            yield Event(None, status.says)
        index = frame.index
        if view := viewer.see(frame.image, frame.time_s):
            yield Event(view)


def event_text(event: Event, owners: tuple[str, ...] = ()) -> str:
    """What people read of an event: a line for the table, one for every die, and what to do.

    owners: the players' colours by seat, then the neutral dice's.
    """
    view = event.view
    if view is None:
        return event.says
    count = "no dice" if not view.dice else f"{len(view.dice)} dice"
    lines = [f"{clock(view.time_s)}  {'1 die' if len(view.dice) == 1 else count}"]
    if view.camera == "re-found":
        lines.append("  The camera was bumped; the mat is found again.")
    if view.hidden:
        places = ", ".join(sorted(str(place) for place in view.hidden))
        lines.append(f"  Covered, so not known: {places}.")
    for die in view.dice:
        lines.append(f"  {_die_text(die, owners)}")
        lines += [f"    {WHAT_TO_DO[flag]}" for flag in sorted(die.flags)]
    return "\n".join(lines)


def clock(time_s: float) -> str:
    """Minutes and seconds to a hundredth: 1:02.30."""
    minutes, seconds = divmod(max(time_s, 0.0), 60)
    return f"{int(minutes)}:{seconds:05.2f}"


def _die_text(die: SeenDie, owners: tuple[str, ...]) -> str:
    face_p = max(die.face_p)
    text = f"{die.place!s:20} {die.face}  {int(face_p * 100):3d} %"
    best = max(die.owner_p)
    if owners and best > 0:
        index = OWNERS.index(die.owner)
        name = owners[index] if index < len(owners) else "neutral"
        text += f"  {name:8} {int(best * 100):3d} %"
    if len(die.place_p) > 1:
        other, p = die.place_p[1]
        text += f"  or {other} ({int(p * 100)} %)"
    return f"{text}  #{die.key}".rstrip()
