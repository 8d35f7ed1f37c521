"""Reviews without networks: a tiny film, and eyes that show the views that the real ones had of a clip."""

from __future__ import annotations

import gzip
import json
import math
import os
import time
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from engine.table import TableView, view_from_json
from vision.feed import Eyes
from vision.film import Film
from vision.frames import Image
from vision.mat import FoundMat
from vision.review import Review
from vision.review_folder import ReviewFolder, Wishes
from vision.review_many import Job

CLIPS = Path(__file__).parent.parent / "fixtures" / "clips"
PLAYERS = ("red", "blue")
WISHES = Wishes(players=PLAYERS)
LENGTH_S = 27.0
FPS = 10.0


def truth() -> dict[str, Any]:
    """What happens in the clip: three turns with a push, a capture and a lock."""
    found: dict[str, Any] = json.loads((CLIPS / "pushes.json").read_text(encoding="utf-8"))
    return found


@cache
def kept_views() -> tuple[TableView, ...]:
    """The views that Viewer had of the clip, as a session feeds them."""
    with gzip.open(CLIPS / "pushes.views.gz", "rt", encoding="utf-8") as lines:
        return tuple(view_from_json(json.loads(line)) for line in lines)


class KeptEyes:
    """Shows each kept view once its time has come; slow_s: how long it takes over a frame."""

    look = None

    def __init__(self, views: tuple[TableView, ...], slow_s: float = 0.0) -> None:
        self.mat: FoundMat | None = None
        self.losses = 0
        self._views = list(views)
        self._slow_s = slow_s

    def see(self, image: Image, time_s: float) -> TableView | None:  # noqa: ARG002
        if self._slow_s:
            time.sleep(self._slow_s)
        due = None
        while self._views and self._views[0].time_s <= time_s + 1e-6:
            due = self._views.pop(0)
        return due

    def current(self) -> TableView | None:
        return None

    def lost(self) -> None:
        self.losses += 1


def eyes(colours: tuple[str, ...]) -> Eyes:
    assert colours == PLAYERS
    return KeptEyes(kept_views())


def short_eyes(colours: tuple[str, ...]) -> Eyes:
    """Of the first turn alone."""
    assert colours == PLAYERS
    return KeptEyes(tuple(view for view in kept_views() if view.time_s < 9.0))


def killed_eyes(_: tuple[str, ...]) -> Eyes:
    """What is meant to look kills its own process, as a machine does that has no memory left."""
    os._exit(9)


def slow_eyes(colours: tuple[str, ...]) -> Eyes:
    assert colours == PLAYERS
    return KeptEyes(kept_views(), 0.006)


def later_eyes(colours: tuple[str, ...]) -> Eyes:
    """As in two files: the second begins after the first turn, ten seconds later."""
    assert colours == PLAYERS
    views = [view for view in kept_views() if view.time_s <= 11.0]
    shift = 11.0 + 10.0 - 11.0
    views += [
        replace(view, time_s=view.time_s + shift, still_since_s=view.still_since_s + shift)
        for view in kept_views()
        if view.time_s > 11.0
    ]
    return KeptEyes(tuple(views))


def doubtful_eyes(colours: tuple[str, ...]) -> Eyes:
    """Four times as slow from 10 s on, and long at rest at last. The die that re-enters may be a 6 or, as far as its
    pips tell, rather a 5: how the row is laid out speaks for the 6, so that nobody can tell."""
    assert colours == PLAYERS

    def doubtful(view: TableView) -> TableView:
        # Where it lies, mm: rolled, then at the row's end, then among the other sixes of the new row.
        spots = [(195, 0), (111, 179)] if view.time_s < 12.5 else [(55, 178)]
        dice = tuple(
            replace(die, face_p=(0.0, 0.0, 0.0, 0.0, 0.6, 0.4))
            if die.owner == 0 and any(math.dist(die.xy_mm, spot) < 3 for spot in spots)
            else die
            for die in view.dice
        )
        times = view.time_s, view.still_since_s
        slow = [time_s if time_s < 10 else 10 + 4 * (time_s - 10) for time_s in times]
        return replace(view, dice=dice, time_s=slow[0], still_since_s=slow[1])

    views = [doubtful(view) for view in kept_views()]
    views += [replace(views[-1], time_s=views[-1].time_s + 2 * more) for more in range(1, 21)]
    return KeptEyes(tuple(views))


def write_film(path: Path, seconds: float = LENGTH_S, fps: float = FPS) -> Path:
    """A small grey film of that length."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), fps, (64, 48))
    assert writer.isOpened()
    for number in range(round(seconds * fps)):
        writer.write(np.full((48, 64, 3), 90 + number % 40, np.uint8))
    writer.release()
    return path


def review_of(folder: Path, film: Path) -> Review:
    return Review(Film([film]), ReviewFolder(folder), WISHES, eyes)


def job_of(folder: Path, film: Path) -> Job:
    return Job((film,), folder, WISHES, short_eyes)


def steps(transcript: dict[str, Any]) -> list[dict[str, Any]]:
    """The facts of the transcript, without times and pictures."""
    left_out = {
        "t0_s",
        "t1_s",
        "frame0",
        "frame1",
        "p",
        "picture",
        "picture_before",
        "turn",
        "source",
    }
    left_out |= {"number", "side_rolled", "text"}
    return [
        {key: value for key, value in event.items() if key not in left_out}
        for event in transcript["events"]
        if event["type"] != "unsure"
    ]


def review_slowly(folder: str, film: str) -> None:
    """For a process that will be killed."""
    Review(Film([Path(film)]), ReviewFolder(Path(folder)), WISHES, slow_eyes).run()
