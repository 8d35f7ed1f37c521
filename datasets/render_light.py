"""Light of path-traced tables: a painted room all around and lamps in it, by preset name.

Only ratios count: the camera exposes by itself. Directions are in the table's axes (z up).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Colour = tuple[float, float, float]


@dataclass(frozen=True)
class Lamp:
    """A square lamp at `position` (mm) that faces `target`, `size_mm` across, of linear `colour`, that lights the
    table's middle with `share` times the light of the room; `beam`: 1 for all round, less for a narrow beam."""

    position: tuple[float, float, float]
    target: tuple[float, float, float]
    size_mm: float
    colour: Colour
    share: float
    beam: float = 1.0
    stretch: float = 1.0


@dataclass(frozen=True)
class Light:
    """room (H, W, 3) linear radiance all round (row 0 is straight down, the middle row the horizon); lamps; gobo: bars
    (from a window's blinds) between lamp and table; exposure: 1 is a well exposed picture; noise: of a dark room."""

    room: NDArray[np.float32]
    lamps: tuple[Lamp, ...]
    blinds: bool
    exposure: float
    noise: float


def kelvin(temperature: float) -> Colour:
    """Linear rgb of a black body, green 1 (a fit of Tanner Helland's table of 2012, squared out of sRGB)."""
    t = temperature / 100
    red = 255.0 if t <= 66 else 329.7 * (t - 60) ** -0.1332
    green = 99.47 * math.log(t) - 161.12 if t <= 66 else 288.1 * (t - 60) ** -0.0755
    blue = 255.0 if t >= 66 else (0.0 if t <= 19 else 138.5 * math.log(t - 10) - 305.0)
    r, g, b = ((max(v, 1.0) / 255) ** 2.2 for v in (red, green, blue))
    return (r / g, 1.0, b / g)


def _around(
    rng: np.random.Generator, low: float, high: float, far: float
) -> tuple[float, float, float]:
    """A place at that distance between two elevations (degrees)."""
    e, a = math.radians(rng.uniform(low, high)), rng.uniform(0, 2 * math.pi)
    return (far * math.cos(e) * math.cos(a), far * math.cos(e) * math.sin(a), far * math.sin(e))


def paint_room(
    rng: np.random.Generator, walls: Colour, windows: int, ceiling_lamps: int, daylight: Colour
) -> NDArray[np.float32]:
    """Walls, ceiling, furniture as blurred patches, bright windows and ceiling lamps; mean radiance near 1."""
    h, w = 64, 128
    room = np.empty((h, w, 3), np.float32)
    room[:] = np.array(walls, np.float32)
    room[: h // 2] *= 0.45
    room[h * 3 // 4 :] *= rng.uniform(1.0, 1.5)
    for _ in range(14):
        x, y = int(rng.integers(w)), int(rng.integers(h // 3, h * 2 // 3))
        tone = np.array(walls) * rng.uniform(0.1, 1.3) * rng.uniform(0.7, 1.3, 3)
        cv2.rectangle(
            room,
            (x, y - 9),
            (x + int(rng.integers(3, 20)), y + int(rng.integers(1, 9))),
            tone.tolist(),
            -1,
        )
    room = cv2.GaussianBlur(room, (0, 0), 1.2)
    for _ in range(windows):
        x = int(rng.integers(w - 16))
        y, wide, high = (
            int(rng.integers(34, 42)),
            int(rng.integers(6, 16)),
            int(rng.integers(6, 13)),
        )
        bright = np.array(daylight) * rng.uniform(6, 20)
        cv2.rectangle(room, (x, y), (x + wide, y + high), bright.tolist(), -1)
        if rng.random() < 0.7:
            cv2.line(room, (x + wide // 2, y), (x + wide // 2, y + high), (0.3, 0.3, 0.3), 1)
    for _ in range(ceiling_lamps):
        x, y = int(rng.integers(w - 10)), int(rng.integers(48, 61))
        cv2.rectangle(room, (x, y), (x + int(rng.integers(3, 10)), y + 2), [30.0, 30.0, 28.0], -1)
    weight = np.cos((np.arange(h) + 0.5) / h * math.pi - math.pi / 2)[:, None, None]
    upper = (room * weight)[h // 2 :].sum((0, 1)).mean() / (weight[h // 2 :].sum() * w)
    return np.asarray(room / max(float(upper), 1e-6), np.float32)


def make_light(preset: str, seed: int) -> Light:
    """The light of that preset for a table's seed."""
    rng = np.random.default_rng([seed, 21])
    white = kelvin(rng.uniform(4200, 6500))
    warm = kelvin(rng.uniform(2300, 3400))
    grey: Colour = (1.0, rng.uniform(0.94, 1.03), rng.uniform(0.82, 1.05))
    exposure, noise, blinds = float(rng.uniform(0.75, 1.25)), float(rng.uniform(0, 3)), False
    lamps: list[Lamp] = []
    middle = (0.0, 0.0, 0.0)
    windows, ceiling = 0, 0
    if preset == "window":
        windows = int(rng.integers(1, 4))
        lamps = [
            Lamp(_around(rng, 15, 50, 1800), middle, 1100, white, rng.uniform(0.8, 4), 1.0, 1.5)
        ]
    elif preset == "ceiling":
        ceiling = int(rng.integers(1, 5))
        lamps = [
            Lamp(
                _around(rng, 55, 90, 1700),
                middle,
                rng.uniform(200, 700),
                white,
                rng.uniform(0.8, 3),
            )
        ]
    elif preset == "desk-lamp":
        where = _around(rng, 35, 75, rng.uniform(400, 700))
        lamps = [Lamp(where, middle, rng.uniform(40, 110), warm, rng.uniform(2, 9))]
        exposure *= 0.9
    elif preset == "sun":
        windows = 1
        lamps = [Lamp(_around(rng, 18, 60, 9000), middle, 90, kelvin(5200), rng.uniform(2, 9))]
    elif preset == "two-lamps":
        lamps = [
            Lamp(
                _around(rng, 30, 70, 1000), middle, rng.uniform(60, 300), tone, rng.uniform(0.6, 3)
            )
            for tone in (warm, white)
        ]
    elif preset == "warm-dim":
        grey = warm
        lamps = [Lamp(_around(rng, 40, 80, 1300), middle, 250, kelvin(2300), rng.uniform(0.5, 3))]
        exposure, noise = exposure * rng.uniform(0.4, 0.85), float(rng.uniform(4, 12))
    elif preset == "overcast":
        windows = int(rng.integers(2, 5))
        grey = (0.95, 1.0, 1.1)
    elif preset == "coloured":
        tint = [
            (1.0, 0.45, 0.5),
            (0.5, 0.6, 1.2),
            (0.6, 1.0, 0.65),
            (1.0, 0.55, 1.0),
            (1.1, 0.8, 0.4),
        ]
        one, two = rng.permutation(len(tint))[:2]
        lamps = [
            Lamp(_around(rng, 30, 80, 1200), middle, 250, tint[one], rng.uniform(0.7, 2.5)),
            Lamp(_around(rng, 30, 80, 1200), middle, 120, tint[two], rng.uniform(0.1, 0.8)),
        ]
    elif preset == "neon-strip":
        ceiling = 2
        tone = (rng.uniform(0.85, 0.95), 1.0, rng.uniform(0.85, 1.0))
        lamps = [Lamp(_around(rng, 50, 85, 1500), middle, 90, tone, rng.uniform(1.5, 4), 1.0, 12.0)]
    elif preset == "window-blinds":
        windows, blinds = 1, True
        lamps = [Lamp(_around(rng, 25, 55, 4000), middle, 90, kelvin(5600), rng.uniform(1.5, 5))]
    elif preset == "spot":
        where = _around(rng, 45, 85, rng.uniform(600, 900))
        lamps = [Lamp(where, middle, 30, kelvin(3000), rng.uniform(4, 12), 0.35)]
    elif preset == "dusk":
        grey = (0.85, 0.95, 1.25)
        windows = 1
        lamps = [Lamp(_around(rng, 20, 60, 1200), middle, 160, warm, rng.uniform(0.3, 1.5))]
        exposure, noise = exposure * rng.uniform(0.45, 0.8), float(rng.uniform(4, 11))
    room = paint_room(rng, grey, windows, ceiling, white)
    return Light(room, tuple(lamps), blinds, exposure, noise)
