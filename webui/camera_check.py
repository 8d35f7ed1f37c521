"""Whether the table before the camera can be read: mat, light, sharpness, and the colours seen now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.doctor import examine
from vision.frames import Frame, Source
from vision.mat_keeper import MatKeeper
from vision.reading import DieReading, Reading
from webui.companion import Companion
from webui.jpegs import crop_jpeg

FRAMES = 12
"""Pictures that are looked at: enough to see a lamp flicker."""
WAIT_S = 0.2
"""For each of them."""


class _AsRead:
    """The reading that the live table has, for doctor.examine: nothing is read twice."""

    def __init__(self, reading: Reading | None) -> None:
        self._reading = reading

    def read(self, image: NDArray[np.uint8], name: str) -> Reading:
        if self._reading is not None:
            return self._reading
        return Reading(name, image.shape[1], image.shape[0], ())


def report(companion: Companion) -> Mapping[str, Any]:
    """What `lawn doctor` says of the camera in use: source, usable, checks."""
    source = companion.chosen.source
    if source.kind == "none":
        says = source.status().says
        return {
            "source": source.name,
            "usable": False,
            "checks": [{"check": "camera", "level": "improve", "says": says}],
        }
    mats = MatKeeper.of(source.name)
    told = _AsRead(companion.table.reading)
    return examine(source.name, _frames(source), told, mats.find, source.live, mats).to_json()


def _frames(source: Source) -> list[Frame]:
    """Some of the next pictures of a live source; of others the one that is shown."""
    frames: list[Frame] = []
    index = -1
    while len(frames) < (FRAMES if source.live else 1):
        frame = source.wait_newer(index, WAIT_S)
        if frame is None:
            break
        index = frame.index
        frames.append(frame)
    return frames


def colours_seen(companion: Companion) -> list[dict[str, Any]]:
    """[{colour, count, picture}] of the dice that are read now, most first."""
    counts: dict[str, int] = {}
    for die in _dice(companion):
        counts[die.colour] = counts.get(die.colour, 0) + 1
    return [
        {"colour": colour, "count": count, "picture": f"/api/v1/check/colours/{colour}.jpg"}
        for colour, count in sorted(counts.items(), key=lambda each: (-each[1], each[0]))
    ]


def picture_of(companion: Companion, colour: str) -> bytes | None:
    """The JPEG of the die that shows that colour best, or None when none is seen."""
    image = companion.table.newest_image()
    dice = [die for die in _dice(companion) if die.colour == colour]
    if image is None or not dice:
        return None
    best = max(dice, key=lambda die: die.colour_p.get(colour, 0.0))
    return crop_jpeg(image, best.box)


def _dice(companion: Companion) -> tuple[DieReading, ...]:
    reading = companion.table.reading
    return () if reading is None else tuple(reading.dice)
