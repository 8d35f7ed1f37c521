"""The mesh and the painted skin of a die for path tracing.

The die lies in its own axes with face 1 on +z and half an edge as the unit; `turn_to` lays another face on top. One
picture (an atlas of three by two cells, a face each) holds colour and, in its fourth channel, the depth of the pips.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.die import pip_places, side_faces
from datasets.render_looks import Look

Array = NDArray[np.float64]

CELL_PX = 144
"""Side of a face in the atlas, px."""
BLEED = 1.06
"""A cell shows this much more than the face, so that no neighbour shines in at an edge."""
PIP_LEVEL = 0.8
"""Values of the fourth channel below this are pip."""


@dataclass(frozen=True)
class Mesh:
    """points (N, 3), quads (M, 4) indices, uv (M, 4, 2) in 0..1 for each corner of a quad, normals (N, 3)."""

    points: Array
    quads: NDArray[np.int64]
    uv: Array
    normals: Array


def face_axes(look: Look) -> dict[int, Array]:
    """For each face 1..6 the rows u, v, n (3, 3): two axes in the face and its outward normal, right-handed."""
    sides = side_faces(1, look.style)
    x, y, z = np.eye(3)
    axes = {1: (x, y, z), 6: (-x, y, -z)}
    axes[sides[0]] = (y, z, x)
    axes[sides[1]] = (-x, z, y)
    axes[sides[2]] = (-y, z, -x)
    axes[sides[3]] = (x, z, -y)
    return {face: np.array(rows) for face, rows in axes.items()}


def turn_to(face: int, look: Look) -> Array:
    """The rotation (3, 3) that lays `face` on top."""
    return face_axes(look)[face]


def cell_of(face: int) -> tuple[int, int]:
    """Column and row of a face's cell in the atlas."""
    return (face - 1) % 3, (face - 1) // 3


def die_mesh(look: Look) -> Mesh:
    """A rounded cube whose corners a ball cuts (the same shape as `datasets.die`), smooth all over."""
    style = look.style
    r = max(style.rounding, 0.02)
    bend = np.linspace(-1, -(1 - r), 6)
    flat = np.linspace(-(1 - r), 1 - r, 10)[1:-1]
    ticks = np.concatenate([bend, flat, -bend[::-1]])
    n = len(ticks)
    a, b = np.meshgrid(ticks, ticks, indexing="xy")
    all_points, all_uv = [], []
    index = np.arange(n * n).reshape(n, n)
    corners = np.stack(
        [index[:-1, :-1], index[:-1, 1:], index[1:, 1:], index[1:, :-1]], axis=-1
    ).reshape(-1, 4)
    for face, (u, v, w) in face_axes(look).items():
        cube = a[..., None] * u + b[..., None] * v + w
        inner = np.clip(cube, -(1 - r), 1 - r)
        away = cube - inner
        points = inner + r * away / np.linalg.norm(away, axis=-1, keepdims=True)
        far = np.linalg.norm(points, axis=-1, keepdims=True)
        points = points * np.minimum(1, style.ball / far)
        points = points.reshape(-1, 3)
        column, row = cell_of(face)
        own = np.stack([points @ u, points @ v], axis=-1) / BLEED
        uv = (own + 1) / 2
        all_points.append(points)
        all_uv.append((uv + np.array([column, row])) / [3, 2])
    quads = np.concatenate([corners + k * n * n for k in range(6)])
    uv = np.concatenate(all_uv)[quads]
    points = np.concatenate(all_points)
    _, first, inverse = np.unique(points.round(6), axis=0, return_index=True, return_inverse=True)
    points = points[first]
    quads = inverse.reshape(-1)[quads]
    return Mesh(points, quads, uv, _normals(points, r, style.ball))


def _normals(points: Array, r: float, ball: float) -> Array:
    inner = np.clip(points, -(1 - r), 1 - r)
    away = points - inner
    length = np.linalg.norm(away, axis=1, keepdims=True)
    far = np.linalg.norm(points, axis=1, keepdims=True)
    flat = np.where(np.abs(points) >= np.abs(points).max(1, keepdims=True) - 1e-9, points, 0)
    smooth = np.where(length > 1e-6, away / np.maximum(length, 1e-9), flat)
    out = np.where(far > ball - 1e-3, points / far, smooth)
    return np.asarray(out / np.linalg.norm(out, axis=1, keepdims=True))


def _pip_spots(face: int, look: Look) -> Array:
    turned = {2: look.turned[0], 3: look.turned[1], 6: look.turned[2]}.get(face, False)
    return pip_places(face, look.style.pip_spread, turned)


def _pattern(points: Array, look: Look, rng: np.random.Generator) -> Array:
    """Colours (..., 3) sRGB of the body at points (..., 3) of the surface."""
    style = look.style
    body = np.broadcast_to(np.array(style.body), points.shape).copy()
    if style.marble > 0:
        waves = rng.normal(0, 1.6, (5, 3))
        warp = rng.normal(0, 2.2, (3, 3))
        bent = points + 0.35 * np.sin(points @ warp + rng.uniform(0, 6, 3))
        swirl = np.sin(bent @ waves.T * 1.5 + rng.uniform(0, 6, 5)).mean(-1)
        share = np.clip(0.5 + swirl * 2.0 * style.marble, 0, 1)[..., None]
        body = body * (1 - share) + np.array(look.second) * share
    return body


def paint_atlas(look: Look) -> NDArray[np.float32]:
    """The skin (2 * CELL_PX, 3 * CELL_PX, 4): sRGB 0..1 and depth (1 is the body, less lies in a pip). Row 0 is at the
    lower end, as Blender counts."""
    rng = np.random.default_rng(look.seed)
    style = look.style
    atlas = np.ones((2 * CELL_PX, 3 * CELL_PX, 4), np.float32)
    at = ((np.arange(CELL_PX) + 0.5) / CELL_PX * 2 - 1) * BLEED
    a, b = np.meshgrid(at, at)
    # The pattern's seed is the same for every face, so that it runs on over the edges.
    pattern_seed = int(rng.integers(1 << 31))
    for face, (u, v, w) in face_axes(look).items():
        points = a[..., None] * u + b[..., None] * v + w
        colours = _pattern(points, look, np.random.default_rng(pattern_seed))
        if look.speckle > 0:
            spots = cv2.GaussianBlur(rng.normal(0, 1, (CELL_PX, CELL_PX)), (0, 0), 1.6)
            level = np.quantile(spots, 1 - look.speckle)
            share = np.clip((spots - level) / 0.05, 0, 1)[..., None]
            colours = colours * (1 - share) + np.array(look.second) * share
        red = face == 1 or (face == 4 and look.red_four)
        ink = np.array(style.ace if red else style.pips)
        radius = style.pip_radius * (style.ace_scale if face == 1 else 1.0)
        places = _pip_spots(face, look) + rng.normal(0, 0.008, (face, 2))
        gap = np.stack([np.hypot(a - x, b - y) for x, y in places]).min(0)
        soft = 2.2 / CELL_PX
        share = np.clip((radius - gap) / soft + 0.5, 0, 1)
        colours = colours * (1 - share[..., None]) + ink * share[..., None]
        bowl = np.clip(1 - (gap / radius) ** 2, 0, 1)
        depth = 1 - share * (0.3 + 0.6 * np.sqrt(bowl))
        column, row = cell_of(face)
        cell = atlas[row * CELL_PX : (row + 1) * CELL_PX, column * CELL_PX : (column + 1) * CELL_PX]
        cell[..., :3] = np.clip(colours, 0, 1)
        cell[..., 3] = depth
    return atlas
