"""More table tops for path-traced tables, painted with numpy like those of `datasets.surfaces`."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets import surfaces
from datasets.surfaces import SURFACE_PX, Array, _flat, _rgb, noise

S = SURFACE_PX


def concrete(rng: np.random.Generator) -> Array:
    """Grey concrete or stone-like laminate, with pores."""
    top = _flat(_rgb(rng, (0, 1), (0, 0.12), (0.35, 0.8)))
    top *= (
        1 + 0.05 * noise(rng, (9, 9)) + 0.04 * noise(rng, (60, 60)) + 0.03 * noise(rng, (900, 900))
    )[..., None]
    pores = noise(rng, (500, 500)) > rng.uniform(2.2, 3.0)
    top[pores] *= 0.6
    return np.clip(top, 0, 1)


def check(rng: np.random.Generator) -> Array:
    """Checked or striped cloth."""
    one, two = (
        _flat(_rgb(rng, (0, 1), (0, 0.3), (0.7, 0.95))),
        _rgb(rng, (0, 1), (0.3, 0.9), (0.2, 0.8)),
    )
    side = int(rng.integers(20, 200))
    band = (np.arange(S) // side % 2).astype(np.float32)
    share = (band[:, None] + band[None]) / 2 if rng.random() < 0.7 else np.tile(band, (S, 1))
    top = one * (1 - share[..., None]) + np.array(two, np.float32) * share[..., None]
    weave = np.indices((S, S)).sum(0) % 4 < 2
    return np.asarray(top * (1 + 0.05 * weave + 0.05 * noise(rng, (8, 8)))[..., None], np.float32)


def leather(rng: np.random.Generator) -> Array:
    """Leather or leather-cloth with a grain."""
    top = _flat(_rgb(rng, (0.0, 0.12), (0.2, 0.7), (0.1, 0.5)))
    cells = np.abs(noise(rng, (260, 260))) + np.abs(noise(rng, (420, 420)))
    return np.asarray(
        top * (1 + 0.14 * np.clip(cells - 1, -1, 1) + 0.04 * noise(rng, (6, 6)))[..., None]
    )


def planks(rng: np.random.Generator) -> Array:
    """Rough planks of different tones with knots."""
    hue = rng.uniform(0.03, 0.11)
    top = np.empty((S, S, 3), np.float32)
    board = int(rng.integers(150, 420))
    grain = 0.1 * noise(rng, (500, 5)) + 0.05 * noise(rng, (1100, 25))
    for y in range(0, S, board):
        tone = _rgb(rng, (hue - 0.01, hue + 0.01), (0.2, 0.6), (0.3, 0.75))
        top[y : y + board] = np.array(tone, np.float32)
        top[y : y + 4] *= 0.35
    top *= (1 + grain)[..., None]
    knots = np.zeros((S, S), np.float32)
    for _ in range(int(rng.integers(3, 20))):
        spot = (int(rng.integers(S)), int(rng.integers(S)))
        cv2.ellipse(
            knots, spot, (int(rng.integers(10, 35)), int(rng.integers(5, 14))), 0, 0, 360, 1.0, -1
        )
    knots = cv2.GaussianBlur(knots, (0, 0), 4)
    return np.asarray(np.clip(top * (1 - 0.45 * knots)[..., None], 0, 1), np.float32)


def marble_stone(rng: np.random.Generator) -> Array:
    """Polished stone with veins."""
    top = _flat(_rgb(rng, (0, 1), (0, 0.15), (0.2, 0.95)))
    field = noise(rng, (7, 5)) + 0.5 * noise(rng, (20, 16)) + 0.25 * noise(rng, (60, 50))
    vein = np.exp(-np.abs(np.sin(field * 2.2)) * 22)
    tone = np.array(_rgb(rng, (0, 0.2), (0, 0.3), (0.1, 0.9)), np.float32)
    share = (rng.uniform(0.15, 0.6) * vein + 0.1 * noise(rng, (11, 11)).clip(0, 2))[..., None].clip(
        0, 1
    )
    return np.asarray(top * (1 - share) + tone * share, np.float32)


def denim(rng: np.random.Generator) -> Array:
    """Twill weave, mostly blue."""
    top = _flat(_rgb(rng, (0.56, 0.65), (0.2, 0.7), (0.2, 0.6)))
    x, y = np.meshgrid(np.arange(S), np.arange(S))
    twill = ((x + 2 * y) // 3 % 3).astype(np.float32) / 3
    return np.asarray(
        top
        * (0.85 + 0.3 * twill + 0.1 * noise(rng, (1200, 1200)) + 0.06 * noise(rng, (9, 9)))[
            ..., None
        ]
    ).clip(0, 1)


def parquet(rng: np.random.Generator) -> Array:
    """Squares of strips laid across each other."""
    top = np.empty((S, S, 3), np.float32)
    hue, strips = rng.uniform(0.04, 0.1), int(rng.integers(3, 7))
    side = int(rng.integers(120, 400)) // strips * strips
    grain = 0.08 * noise(rng, (900, 30))
    for i in range(0, S, side):
        for j in range(0, S, side):
            for k in range(strips):
                tone = np.array(_rgb(rng, (hue, hue + 0.01), (0.4, 0.65), (0.3, 0.7)), np.float32)
                a = slice(k * side // strips, (k + 1) * side // strips)
                block = top[i : i + side, j : j + side]
                turned = (i + j) // side % 2
                part = block[:, a] if turned else block[a]
                part[:] = tone
                edge = part[:, :2] if turned else part[:2]
                edge *= 0.5
    return np.asarray(top * (1 + grain)[..., None]).clip(0, 1)


def dotted_cloth(rng: np.random.Generator) -> Array:
    """Cloth with printed dots in rows, pairs and fives, as pips are but flat on the table."""
    top = surfaces.cloth(rng)
    ink = _rgb(rng, (0, 1), (0, 0.6), (0, 1))
    step, dot = int(rng.integers(30, 90)), int(rng.integers(4, 14))
    five = rng.random() < 0.4
    for i, x in enumerate(range(0, S, step)):
        for y in range(step // 2 * (i % 2), S, step):
            spots = [(0, 0)] if not five else [(0, 0), (1, 1), (-1, 1), (1, -1), (-1, -1)]
            for dx, dy in spots:
                at = (x + dx * dot * 2, y + dy * dot * 2)
                cv2.circle(top, at, dot if not five else max(2, dot // 2), ink, -1, cv2.LINE_AA)
    return top


def polka(rng: np.random.Generator) -> Array:
    """Cloth with dots of one to three inks and many sizes, on a loose lattice or strewn."""
    top = surfaces.cloth(rng) if rng.random() < 0.7 else surfaces.paper(rng)
    inks = [_rgb(rng, (0, 1), (0, 0.9), (0, 1)) for _ in range(int(rng.integers(1, 4)))]
    step = int(rng.integers(24, 110))
    least = float(rng.uniform(0.06, 0.16)) * step
    most = least * rng.uniform(1.0, 2.4)
    loose = rng.uniform(0, 0.45) * step
    turn = rng.uniform(0, np.pi / 2)
    reach = np.arange(-S, S, step)
    x, y = (each.ravel() for each in np.meshgrid(reach, reach))
    lattice = np.column_stack([x, y]) @ [
        [np.cos(turn), np.sin(turn)],
        [-np.sin(turn), np.cos(turn)],
    ]
    spots = lattice + S / 2 + rng.normal(0, loose, lattice.shape)
    _print_dots(top, rng, spots, (least, most), inks)
    return top


def clusters(rng: np.random.Generator) -> Array:
    """Cloth printed with groups of two to seven dots: posies, paws, triangles, no group laid out as a die's face."""
    top = surfaces.cloth(rng)
    inks = [_rgb(rng, (0, 1), (0, 0.9), (0, 1)) for _ in range(int(rng.integers(1, 3)))]
    step, dot = int(rng.integers(60, 150)), float(rng.uniform(4, 11))
    for x in range(0, S, step):
        for y in range(0, S, step):
            count = int(rng.integers(2, 8))
            around = np.arange(count) * 2 * np.pi / count + rng.uniform(0, 2 * np.pi)
            far = dot * max(2.2, count * 0.5) * rng.uniform(1.0, 1.4)
            spots = np.column_stack([np.cos(around), np.sin(around)]) * far
            spots += [x + rng.normal(0, step / 12), y + rng.normal(0, step / 12)]
            _print_dots(top, rng, spots, (dot, dot), inks)
    return top


def _print_dots(
    top: Array,
    rng: np.random.Generator,
    spots: NDArray[np.float64],
    radii: tuple[float, float],
    inks: list[tuple[float, float, float]],
) -> None:
    """Print dots of these radii, px, at spots (N, 2) px of a table top."""
    inside = ((spots > 0) & (spots < S)).all(1)
    for x, y in spots[inside]:
        ink = inks[int(rng.integers(len(inks)))]
        radius = max(2, round(float(rng.uniform(*radii))))
        cv2.circle(top, (round(float(x)), round(float(y))), radius, ink, -1, cv2.LINE_AA)


SURFACES: dict[str, Callable[[np.random.Generator], Array]] = {
    **surfaces.SURFACES,
    "concrete": concrete,
    "check": check,
    "leather": leather,
    "planks": planks,
    "marble-stone": marble_stone,
    "denim": denim,
    "parquet": parquet,
    "dotted-cloth": dotted_cloth,
    "polka": polka,
    "clusters": clusters,
}

GLOSS = {
    "wood": 0.4,
    "paper": 0.6,
    "tiles": 0.2,
    "concrete": 0.7,
    "planks": 0.55,
    "marble-stone": 0.12,
    "parquet": 0.3,
    "leather": 0.5,
}
"""Roughness of each table top; cloths not named here do not shine at all."""
