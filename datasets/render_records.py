"""The records of a planned table: what lies where, and what looks at it. They hold no pixels.

Lengths are mm in the table's axes: x to the right and y up as seen from above with row 1 at the top, z up, the lawn's
middle the origin.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from datasets.render_looks import Look
from datasets.render_presets import Split

Array = NDArray[np.float64]
Side = tuple[float, float, float]


@dataclass(frozen=True)
class Place:
    """Where a die lies: area lawn | row | captured | elsewhere; row 1..6 and side on the lawn; its player's seat."""

    area: str
    row: int | None = None
    side: str | None = None
    player: int | None = None


@dataclass(frozen=True)
class LaidDie:
    """A die of the set `look` (index), its top face, centre x, y mm and turn (radians)."""

    look: int
    face: int
    x_mm: float
    y_mm: float
    yaw: float
    place: Place


@dataclass(frozen=True)
class Thing:
    """Something that is no die to be read: a key of render_extras.SIZES, where it lies, its size (mm) and seed."""

    kind: str
    x_mm: float
    y_mm: float
    yaw: float
    size_mm: float
    seed: int


@dataclass(frozen=True)
class Hand:
    """Rounded bars (from xyz, to xyz, both radii, all mm) that make a hand and an arm; sRGB of skin and sleeve."""

    bars: tuple[tuple[tuple[float, float, float], tuple[float, float, float], float, float], ...]
    skin: tuple[float, float, float]
    sleeve: tuple[float, float, float]


@dataclass(frozen=True)
class Mat:
    """A mat's design, the size of its places along and across a row (mm), the margins left and right of
    them and above and below, and its waves (mm)."""

    design: str
    pitch_mm: tuple[float, float]
    margin_mm: tuple[float, float]
    wave_mm: float
    seed: int

    @property
    def half_mm(self) -> tuple[float, float]:
        """Half its width and height."""
        return 1.5 * self.pitch_mm[0] + self.margin_mm[0], 3 * self.pitch_mm[1] + self.margin_mm[1]

    def height(self, x: Array, y: Array) -> Array:
        """How high its upper side lies over the table at points (mm)."""
        if self.wave_mm == 0:
            return np.full(np.shape(x), 0.4)
        rng = np.random.default_rng([self.seed, 9])
        total = np.zeros(np.shape(x))
        for _ in range(4):
            kx, ky = rng.normal(0, 0.022, 2)
            total = total + np.sin(kx * x + ky * y + rng.uniform(0, 2 * math.pi))
        return np.asarray(0.4 + self.wave_mm * (total / 8 + 0.5))


@dataclass(frozen=True)
class Lens:
    """A camera: position (mm), `turn` rows right, down, ahead; focal px; distortion k1, k2, p1, p2 (OpenCV's model)."""

    preset: str
    position: tuple[float, float, float]
    turn: tuple[tuple[float, float, float], ...]
    focal_px: float
    distortion: tuple[float, float, float, float]
    width: int
    height: int
    mirrored: bool


@dataclass(frozen=True)
class Plan:
    """A whole table. table_scale: mm that the table top's texture covers, in the painter's own measure."""

    seed: int
    split: Split
    kind: str
    looks: tuple[Look, ...]
    dice: tuple[LaidDie, ...]
    things: tuple[Thing, ...]
    hand: Hand | None
    mat: Mat | None
    pitch_mm: tuple[float, float]
    table: str
    table_scale: float
    light: str
    lens: Lens = field(repr=False)
