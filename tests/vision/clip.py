"""Short clips of a table for tests: a still picture from `datasets.compose`, and what happens to it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.compose import DrawnDie, DrawnTable, draw, view_of
from datasets.die import DieStyle, Lamp
from datasets.scenes import LAWN_PITCH_MM, Camera, PlacedDie, Scene, hex_rgb, random_style
from vision.crop_reader import DieNow, Window, cut_by

Image = NDArray[np.uint8]
Change = Callable[[NDArray[np.float32], float], NDArray[np.float32]]
Colour = tuple[int, int, int]

FPS = 30.0
CAMERA = Camera(distance_mm=470.0, tilt=0.35, azimuth=-math.pi / 2, roll=0.0, focal=1.0)
LAMP = Lamp(direction=(0.3, 0.2, 0.93), strength=0.5)
SKIN = (120, 150, 205)


@cache
def styles() -> dict[str, DieStyle]:
    rng = np.random.default_rng(5)
    bodies = {"red": "c01820", "blue": "1d4fae", "white": "f4f2ec"}
    return {
        name: replace(
            random_style(name, rng, 16.0),
            body=hex_rgb(body),
            pips=(0.03, 0.03, 0.04) if name == "white" else (0.95, 0.95, 0.93),
            ace=(0.03, 0.03, 0.04) if name == "white" else (0.95, 0.95, 0.93),
            gloss=0.2,
            marble=0.0,
            rounding=0.25,
            ball=1.6,
        )
        for name, body in bodies.items()
    }


def die(colour: str, face: int, x_mm: float, y_mm: float, yaw: float = 0.2) -> PlacedDie:
    """A die of 16 mm; x to the right, y away from the camera, the middle of the table is the origin."""
    return PlacedDie(styles()[colour], face, x_mm, y_mm, yaw)


def in_place(colour: str, row: int, side: str, dx: float = 0.0, dy: float = 0.0) -> PlacedDie:
    """A die on a place of the drawn lawn, showing its row."""
    wide, high = LAWN_PITCH_MM
    column = ("left", "center", "right").index(side) - 1
    return die(colour, row, column * wide + dx, (3.5 - row) * high + dy)


_DRAWN: dict[tuple[Scene, int], DrawnTable] = {}


def table(
    *dice: PlacedDie, camera: Camera = CAMERA, mat: bool = True, width: int = 640
) -> DrawnTable:
    """The drawn table, 16:9, without camera faults."""
    wanted = Scene("lawn", tuple(dice), camera, LAMP, "wood", mat, 3)
    if (wanted, width) not in _DRAWN:
        _DRAWN[wanted, width] = draw(wanted, width, width * 9 // 16, clean=True)
    return _DRAWN[wanted, width]


def lawn_corners(camera: Camera = CAMERA, width: int = 640) -> NDArray[np.float64]:
    """(4, 2) px of the drawn lawn's corners: row 1 left, row 1 right, row 6 right, row 6 left."""
    wide, high = 1.5 * LAWN_PITCH_MM[0], 3 * LAWN_PITCH_MM[1]
    corners = [[-wide, high, 0], [wide, high, 0], [wide, -high, 0], [-wide, -high, 0]]
    return view_of(camera, width, width * 9 // 16).project(np.array(corners, np.float64))


@dataclass
class Clip:
    """Frames from `time_s` on, with a sensor's noise (deviation `noise` levels)."""

    noise: float = 3.0
    fps: float = FPS
    time_s: float = 0.0
    seed: int = 1

    def __post_init__(self) -> None:
        self._rng = np.random.default_rng(self.seed)

    def frames(
        self, picture: Image, seconds: float, change: Change | None = None
    ) -> Iterator[tuple[Image, float]]:
        """(frame, time in s) of the picture, changed by `change` (picture as float32, s since the start)."""
        start = self.time_s
        base = picture.astype(np.float32)
        for index in range(round(seconds * self.fps)):
            frame = base if change is None else change(base.copy(), index / self.fps)
            if self.noise:
                # One noise picture, shifted: drawing a fresh one takes longer than all the rest.
                if not hasattr(self, "_grain") or self._grain.shape != frame.shape:
                    self._grain = self._rng.normal(0, self.noise, frame.shape).astype(np.float32)
                shift = self._rng.integers(0, frame.shape[1], 2)
                frame = frame + np.roll(
                    self._grain, (int(shift[0]) % frame.shape[0], int(shift[1])), (0, 1)
                )
            self.time_s = start + index / self.fps
            yield np.clip(frame, 0, 255).astype(np.uint8), self.time_s
        self.time_s = start + round(seconds * self.fps) / self.fps


def arm(picture: NDArray[np.float32], tip: tuple[float, float]) -> NDArray[np.float32]:
    """An arm that reaches from the lower right to a hand at `tip`, in shares of the picture's width."""
    width = picture.shape[1]
    unit = width / 1280
    x, y = round(tip[0] * width), round(tip[1] * width)

    def line(ax: float, ay: float, bx: float, by: float, thick: float, colour: Colour) -> None:
        start, end = (round(ax), round(ay)), (round(bx), round(by))
        cv2.line(shown, start, end, colour, max(1, round(thick * unit)), cv2.LINE_AA)

    shown = picture.copy()
    line(x, y, x + 700 * unit, y + 700 * unit, 90, SKIN)
    axes = (round(75 * unit), round(55 * unit))
    cv2.ellipse(shown, (x, y), axes, 30, 0, 360, SKIN, -1, cv2.LINE_AA)
    for finger in (-0.5, 0.0, 0.5):
        end = (x - 90 * unit * math.cos(finger), y - 90 * unit * math.sin(finger))
        line(x, y, *end, 26, (105, 135, 190))
    return shown


def shade(
    picture: NDArray[np.float32], centre: tuple[float, float], soft: float, dark: float = 0.4
) -> NDArray[np.float32]:
    """A shadow, two fifths of the picture long; centre and width of its border in picture widths."""
    height, width = picture.shape[:2]
    mask = np.zeros((height // 2, width // 2), np.float32)
    spot = (round(centre[0] * width / 2), round(centre[1] * width / 2))
    cv2.ellipse(mask, spot, (width // 10, width // 25), 25, 0, 360, 1.0, -1)
    mask = cv2.GaussianBlur(mask, (0, 0), max(soft * width / 4, 0.4))
    return picture * (1 - dark * cv2.resize(mask, (width, height)))[..., None]


class KnownDice:
    """A reader that knows the dice of drawn tables and sees those whose pixels are there: no networks."""

    def __init__(self, *tables: DrawnTable, sure: float = 0.95) -> None:
        self.tables = tables
        self.sure = sure
        self.wholes = self.parts = self.agains = 0

    def whole(self, image: Image) -> list[DieNow]:
        self.wholes += 1
        return self._seen(image)

    def part(self, image: Image, window: Window, die_px: float) -> list[DieNow]:
        assert die_px > 0
        self.parts += 1
        return [die for die in self._seen(image) if not cut_by(die.box, window, image.shape)]

    def again(self, image: Image, dice: Sequence[DieNow]) -> list[DieNow]:  # noqa: ARG002
        self.agains += 1
        return list(dice)

    def _seen(self, image: Image) -> list[DieNow]:
        found: dict[tuple[float, ...], DieNow] = {}
        for table in self.tables:
            for die in table.dice:
                x0, y0, x1, y1 = (round(edge) for edge in die.box)
                there = image[y0:y1, x0:x1].astype(np.float32)
                if np.abs(there - table.image[y0:y1, x0:x1]).mean() < 16:
                    found[die.box] = self._read(die)
        return list(found.values())

    def _read(self, die: DrawnDie) -> DieNow:
        rest = (1 - self.sure) / 5
        face_p = tuple(self.sure if face == die.face else rest for face in range(1, 7))
        return DieNow(die.box, 0.95, face_p, {die.colour: 0.9, "grey": 0.1})
