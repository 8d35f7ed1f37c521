"""Short clips of a table for tests: a still picture from `datasets.compose`, and what happens to it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.compose import DrawnTable, View, draw, view_of
from datasets.die import Lamp
from datasets.scenes import Camera, PlacedDie, Scene, hex_rgb, random_style

Image = NDArray[np.uint8]
Change = Callable[[NDArray[np.float32], float], NDArray[np.float32]]

FPS = 30.0
CAMERA = Camera(distance_mm=470.0, tilt=0.35, azimuth=-math.pi / 2, roll=0.0, focal=1.0)
LAMP = Lamp(direction=(0.3, 0.2, 0.93), strength=0.5)
SKIN = (120, 150, 205)


@cache
def styles() -> dict[str, object]:
    rng = np.random.default_rng(5)
    red, blue = random_style("red", rng, 16.0), random_style("blue", rng, 16.0)
    return {
        name: replace(style, body=hex_rgb(body), gloss=0.2, marble=0.0, rounding=0.25, ball=1.6)
        for name, style, body in (("red", red, "c01820"), ("blue", blue, "1d4fae"))
    }


def die(colour: str, face: int, x_mm: float, y_mm: float, yaw: float = 0.2) -> PlacedDie:
    """A die of 16 mm; x to the right, y away from the camera, the middle of the table is the origin."""
    return PlacedDie(styles()[colour], face, x_mm, y_mm, yaw)  # type: ignore[arg-type]


def scene(dice: Sequence[PlacedDie], camera: Camera = CAMERA, mat: bool = True) -> Scene:
    return Scene("lawn", tuple(dice), camera, LAMP, "wood", mat, 3)


_DRAWN: dict[Scene, DrawnTable] = {}


def table(*dice: PlacedDie, camera: Camera = CAMERA, mat: bool = True) -> DrawnTable:
    """The drawn table, 1280 x 720 px, without camera faults."""
    wanted = scene(dice, camera, mat)
    if wanted not in _DRAWN:
        _DRAWN[wanted] = draw(wanted, clean=True)
    return _DRAWN[wanted]


@dataclass
class Clip:
    """Frames at FPS from `start_s` on, with a sensor's noise (deviation `noise` levels)."""

    noise: float = 3.0
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
        for index in range(round(seconds * FPS)):
            frame = base if change is None else change(base.copy(), index / FPS)
            if self.noise:
                # One noise picture, shifted: drawing a fresh one takes longer than all the rest.
                if not hasattr(self, "_grain") or self._grain.shape != frame.shape:
                    self._grain = self._rng.normal(0, self.noise, frame.shape).astype(np.float32)
                shift = self._rng.integers(0, frame.shape[1], 2)
                frame = frame + np.roll(
                    self._grain, (int(shift[0]) % frame.shape[0], int(shift[1])), (0, 1)
                )
            self.time_s = start + index / FPS
            yield np.clip(frame, 0, 255).astype(np.uint8), self.time_s
        self.time_s = start + round(seconds * FPS) / FPS


def arm(picture: NDArray[np.float32], tip: tuple[float, float]) -> NDArray[np.float32]:
    """An arm that reaches from the lower right to a hand at `tip` px."""
    x, y = tip
    shaded = picture.copy()
    cv2.line(shaded, (int(x), int(y)), (int(x) + 700, int(y) + 700), SKIN, 90, cv2.LINE_AA)
    cv2.ellipse(shaded, (int(x), int(y)), (75, 55), 30, 0, 360, SKIN, -1, cv2.LINE_AA)
    for finger in (-0.5, 0.0, 0.5):
        end = (int(x - 90 * math.cos(finger)), int(y - 90 * math.sin(finger)))
        cv2.line(shaded, (int(x), int(y)), end, (105, 135, 190), 26, cv2.LINE_AA)
    return shaded


def shade(
    picture: NDArray[np.float32], centre: tuple[float, float], soft_px: float, dark: float = 0.4
) -> NDArray[np.float32]:
    """A shadow of 500 x 200 px with a border `soft_px` wide."""
    mask = np.zeros(picture.shape[:2], np.float32)
    cv2.ellipse(mask, (int(centre[0]), int(centre[1])), (250, 100), 25, 0, 360, 1.0, -1)
    small = cv2.resize(mask, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), max(soft_px / 8, 0.3))
    mask = cv2.resize(small, (picture.shape[1], picture.shape[0]))
    return picture * (1 - dark * mask)[..., None]


def camera_view(camera: Camera = CAMERA) -> View:
    return view_of(camera, 1280, 720)
