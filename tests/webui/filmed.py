"""A made recording as the camera of a page: every picture waits until the one before was looked at."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from engine.game_steps import Started
from engine.match_log import Entry
from engine.options import Options
from engine.record import Record
from tests.webui.companions import companion_of
from tests.webui.tables import FedSource
from vision.frames import Frame, Image
from vision.reader import TableReader
from webui.companion import Companion
from webui.eyes_maker import Maker
from webui.live import LiveTable

CLIPS = Path(__file__).parent.parent / "fixtures" / "clips"
NAMES = ("Anna", "Ben", "Cleo")
LOOKED_S = 60.0


class Film(FedSource):
    """A recording (docs/clips.md), shown picture by picture at its own times.

    name: of a clip among the fixtures. folder: where else its two files lie.
    """

    def __init__(self, name: str, folder: Path = CLIPS) -> None:
        super().__init__()
        self.truth: dict[str, Any] = json.loads((folder / f"{name}.json").read_text("utf-8"))
        self.match = Record.from_string(self.truth["record"]).match
        self.log: tuple[Entry, ...] = self.match.log
        self._looked_at = -1
        self._video = cv2.VideoCapture(str(folder / f"{name}.mp4"))

    def pictures(self, step: int = 2, rests_s: float = 0.0) -> Iterator[tuple[float, Image]]:
        """Every `step`th picture with its time, s; the last one stands for `rests_s` more."""
        fps, index = self.truth["fps"], -1
        last: Image | None = None
        while True:
            taken, image = self._video.read()
            if not taken:
                break
            index += 1
            if index % step == 0:
                last = np.asarray(image, np.uint8)
                yield index / fps, last
        if last is not None:
            for more in range(0, round(rests_s * fps), step):
                yield (index + step + more) / fps, last

    def wait_newer(self, index: int, timeout_s: float) -> Frame | None:
        """As every source; who asks for what is newer than a picture has looked at it."""
        with self._changed:
            self._looked_at = index
            self._changed.notify_all()
        return super().wait_newer(index, timeout_s)

    def show(self, time_s: float, image: Image) -> None:
        """Post a picture, and wait until it was looked at."""
        with self._changed:
            number = self._newest.index + 1 if self._newest else 0
            self._post(Frame(image, time_s, number, "camera 0"))
            looked_at = self._changed.wait_for(lambda: self._looked_at >= number, LOOKED_S)
        assert looked_at, f"the picture at {time_s} s is not looked at"


def filmed(film: Film, folder: Path) -> tuple[LiveTable, Companion]:
    """A companion that looks at the film with the shipped networks, and a match of its players begun."""
    make = Maker(TableReader())
    eyes, _ = make(film, ())
    table = LiveTable(film, eyes)
    companion = companion_of(table, folder, source=film, make=make)
    colours = film.match.colours
    companion.begin(Started(colours, NAMES[: len(colours)], Options(), 500))
    return table, companion
