"""Table tops painted with numpy: wood, cloth, felt, paper, tiles, carpet, a busy pattern, and our printed lawn.

Each painter returns an sRGB float picture of the table seen from straight above, (S, S, 3) in 0..1 for a square
of SURFACE_MM; the drawer warps it into the camera's view.
"""

from __future__ import annotations

import colorsys
from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.scenes import LAWN_PITCH_MM

SURFACE_MM = 2400.0
SURFACE_PX = 2400

Array = NDArray[np.float32]


def noise(rng: np.random.Generator, cells: tuple[int, int], size: int = SURFACE_PX) -> Array:
    """Smooth noise (size, size) of mean 0 and deviation near 1, with that many cells down and across."""
    small = rng.normal(0, 1, cells).astype(np.float32)
    return np.asarray(cv2.resize(small, (size, size), interpolation=cv2.INTER_CUBIC), np.float32)


def _flat(rgb: tuple[float, float, float]) -> Array:
    return np.full((SURFACE_PX, SURFACE_PX, 3), rgb, np.float32)


def _shaded(rgb: tuple[float, float, float], light: NDArray[np.floating]) -> Array:
    """A colour under a light (S, S), channel by channel: numpy is slow with rows of three."""
    top = np.empty((*light.shape, 3), np.float32)
    for channel, share in enumerate(np.asarray(rgb, np.float32)):
        np.multiply(light, share, out=top[..., channel], casting="same_kind")
    return top


def _rgb(
    rng: np.random.Generator,
    hue: tuple[float, float],
    sat: tuple[float, float],
    val: tuple[float, float],
) -> tuple[float, float, float]:
    return colorsys.hsv_to_rgb(rng.uniform(*hue) % 1, rng.uniform(*sat), rng.uniform(*val))


def wood(rng: np.random.Generator) -> Array:
    """Boards with grain along x."""
    rgb = _rgb(rng, (0.04, 0.11), (0.25, 0.7), (0.3, 0.8))
    grain = (
        0.05 * noise(rng, (300, 12)) + 0.04 * noise(rng, (1200, 40)) + 0.05 * noise(rng, (40, 6))
    )
    top = _shaded(rgb, 1 + grain)
    board = int(rng.integers(120, 400))
    for y in range(int(rng.integers(board)), SURFACE_PX, board):
        top[y : y + 2] *= 0.6
        top[y : y + board] *= rng.uniform(0.92, 1.08)
    return top


def cloth(rng: np.random.Generator) -> Array:
    """Woven cloth of any colour."""
    rgb = _rgb(rng, (0, 1), (0, 0.8), (0.15, 0.9))
    few = np.arange(4)
    weave = np.tile((few[:, None] + few) % 4 < 2, (SURFACE_PX // 4, SURFACE_PX // 4))
    folds = 0.07 * noise(rng, (7, 7)) + 0.03 * noise(rng, (600, 600))
    return _shaded(rgb, 1 + folds + 0.05 * weave)


def felt(rng: np.random.Generator) -> Array:
    """Playing-table felt, mostly green, with short fibres."""
    rgb = _rgb(rng, (0.28, 0.45), (0.3, 0.8), (0.15, 0.6))
    return _shaded(rgb, 1 + 0.1 * noise(rng, (900, 900)) + 0.05 * noise(rng, (20, 20)))


def paper(rng: np.random.Generator) -> Array:
    """Plain bright paper or a laminate top."""
    rgb = _rgb(rng, (0, 1), (0, 0.1), (0.6, 0.97))
    return _shaded(rgb, 1 + 0.012 * noise(rng, (500, 500)) + 0.03 * noise(rng, (5, 5)))


def tiles(rng: np.random.Generator) -> Array:
    """Square tiles with joints."""
    top = paper(rng) * rng.uniform(0.6, 1)
    side = int(rng.integers(40, 220))
    for at in range(0, SURFACE_PX, side):
        top[at : at + 3] *= 0.6
        top[:, at : at + 3] *= 0.6
    return top


def carpet(rng: np.random.Generator) -> Array:
    """Rough carpet with coarse loops."""
    rgb = _rgb(rng, (0, 1), (0, 0.5), (0.2, 0.7))
    loops = 0.2 * noise(rng, (700, 700)) + 0.12 * noise(rng, (260, 260))
    top = _shaded(rgb, 1 + loops)
    return np.clip(top, 0, 1, out=top)


def pattern(rng: np.random.Generator) -> Array:
    """A busy printed cloth: shapes of many colours, rows of printed dots among them (never a die)."""
    top = cloth(rng)
    for _ in range(int(rng.integers(150, 500))):
        colour = _rgb(rng, (0, 1), (0, 1), (0, 1))
        x, y = (int(v) for v in rng.integers(0, SURFACE_PX, 2))
        size = int(rng.integers(3, 60))
        kind = rng.random()
        if kind < 0.35:
            cv2.circle(top, (x, y), size, colour, -1 if rng.random() < 0.5 else 2, cv2.LINE_AA)
        elif kind < 0.6:
            end = (x + int(rng.normal(0, 120)), y + int(rng.normal(0, 120)))
            cv2.line(top, (x, y), end, colour, int(rng.integers(1, 9)), cv2.LINE_AA)
        elif kind < 0.8:
            cv2.rectangle(top, (x, y), (x + size, y + size), colour, -1)
        else:
            step, dot = int(rng.integers(6, 16)), int(rng.integers(1, 4))
            for i in range(int(rng.integers(2, 9))):
                cv2.circle(top, (x + i * step, y), dot, colour, -1, cv2.LINE_AA)
    return top


SURFACES: dict[str, Callable[[np.random.Generator], Array]] = {
    "wood": wood,
    "cloth": cloth,
    "felt": felt,
    "paper": paper,
    "tiles": tiles,
    "carpet": carpet,
    "pattern": pattern,
}


def print_lawn(top: Array, rng: np.random.Generator) -> None:
    """Print a lawn of six rows and three places, with its row numbers, on the middle of a table top, in place."""
    scale = SURFACE_PX / SURFACE_MM
    wide, high = LAWN_PITCH_MM
    middle = SURFACE_PX / 2
    grass = _rgb(rng, (0.25, 0.42), (0.25, 0.75), (0.25, 0.75))
    ink = (0.95, 0.95, 0.9) if sum(grass) < 1.5 else (0.1, 0.2, 0.1)

    def spot(x: float, y: float) -> tuple[int, int]:
        return round(middle + x * scale), round(middle - y * scale)

    margin = 26.0
    numbers = np.zeros(top.shape[:2], np.uint8)  # OpenCV 5 writes text into 8 bits only
    cv2.rectangle(
        top,
        spot(-1.5 * wide - margin, 3 * high + margin),
        spot(1.5 * wide + margin, -3 * high - margin),
        grass,
        -1,
    )
    for row in range(1, 7):
        y = (3.5 - row) * high
        for place in (-1, 0, 1):
            corner = spot((place - 0.5) * wide + 2, y + high / 2 - 2)
            other = spot((place + 0.5) * wide - 2, y - high / 2 + 2)
            cv2.rectangle(top, corner, other, ink, 1, cv2.LINE_AA)
        where = spot(-1.5 * wide - 18, y - 6)
        cv2.putText(numbers, str(row), where, cv2.FONT_HERSHEY_DUPLEX, 0.65, 255, 1, cv2.LINE_AA)
    top[numbers > 0] = ink
