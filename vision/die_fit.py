"""How well the edges of a die that lies flat fit what the picture shows where a die is: leaning dice fit badly, and
those of a leaning one better (vision.lean_fit).

The outline and the top face of a die of known size that lies flat, for every turn and a little to each side, are laid
over the picture's slopes. A flat die's edges lie on slopes at right angles to them; a leaning die's cannot all.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Image
from vision.layout import Point
from vision.mat import Array, FoundMat
from vision.overlap import Box

REACH = 0.2
"""How far a box's middle may be off, in die sizes."""
TURNS_DEG = 9.0
"""Steps of a die's turn that are tried first, degrees; then half and quarter steps beside the best."""
SHARP = 6.0
"""Slopes (grey levels a px) from which on an edge counts for more than half."""
ROUNDED = 0.95
"""Where a die's edges are seen, its corners being rounded, as a share of a sharp cube's."""
LOW, HIGH = 0.03, 0.985
"""Heights of the lower and upper edges in die edges."""
FAR = 1.5
"""What a fit a die size away loses."""
TOP_WEIGHT = 0.5
"""How much the top face's edges count against the outline's; they show less."""


@dataclass(frozen=True)
class EdgeFit:
    """How well the edges of a flat die fit a picture, 0..1, and those of a leaning one, None: not looked at."""

    flat: float
    leaning: float | None = None


_SQUARE = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * ROUNDED


def flat_fit(image: Image, box: Box, spot: Point, mat: FoundMat) -> float:
    """0..1, how well a die that lies flat at about a spot, mm on the mat, fits the picture (H, W, 3) uint8 BGR.

    box: x0 y0 x1 y1 px of the die. About 0.8 for dice in sharp pictures; compare those of one picture.
    """
    slopes, corner, size = around(image, box)
    best, shift, turn = -1.0, np.zeros(2), 0.0
    reach, turns = REACH * size, np.arange(0, 90, TURNS_DEG)
    for steps in (7, 3, 3):
        grid = np.linspace(-reach, reach, steps)
        shifts = np.stack(np.meshgrid(grid, grid), -1).reshape(-1, 2) + shift
        points, normals, weights = _edges(spot, mat, np.radians(turns))
        scores = scores_of(slopes, points - corner, normals, weights, shifts)
        scores -= FAR * ((shifts / size) ** 2).sum(1)
        at, by = divmod(int(scores.argmax()), len(shifts))
        if scores[at, by] > best:
            best, shift, turn = float(scores[at, by]), shifts[by], float(turns[at])
        reach /= 3
        step = TURNS_DEG / 2 if steps == 7 else TURNS_DEG / 4
        turns = np.array([turn - step, turn, turn + step])
    return max(best, 0.0)


def around(image: Image, box: Box) -> tuple[NDArray[np.float32], Array, float]:
    """Slopes (2, h, w) of the part of a picture around a box, px; the middle of that part's first pixel (2,) px; and
    the box's size, the square root of its area, px."""
    size = math.sqrt(max(box[2] - box[0], 1.0) * max(box[3] - box[1], 1.0))
    margin = 0.5 * size + 3
    x0, y0 = max(0, math.floor(box[0] - margin)), max(0, math.floor(box[1] - margin))
    x1, y1 = math.ceil(box[2] + margin), math.ceil(box[3] + margin)
    return slopes_of(image[y0:y1, x0:x1]), np.array([x0 + 0.5, y0 + 0.5]), size


def slopes_of(part: Image) -> NDArray[np.float32]:
    """(2, h, w): the picture's slope across and down, of the channel that changes most; 0..1 by steepness."""
    smooth = cv2.GaussianBlur(part, (0, 0), 0.8).astype(np.float32)
    across = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, scale=1 / 8)
    down = cv2.Sobel(smooth, cv2.CV_32F, 0, 1, scale=1 / 8)
    most = (np.abs(across) + np.abs(down)).argmax(2)[..., None]
    both = np.stack([np.take_along_axis(each, most, 2)[..., 0] for each in (across, down)])
    return np.asarray(both / (np.hypot(both[0], both[1]) + SHARP), np.float32)


def _edges(spot: Point, mat: FoundMat, turns: Array) -> tuple[Array, Array, Array]:
    """Points (T, N, 2) px on the edges of a flat die's outline and top face for turns (T,) in radians, their normals,
    and weights (T, N) that sum to 1 for each turn."""
    edge = mat.layout.dice_mm
    c, s = np.cos(turns), np.sin(turns)
    turned = np.stack([np.stack([c, s], -1), np.stack([-s, c], -1)], axis=-2)  # (T, 2, 2)
    cubes = np.empty((len(turns), 2, 4, 3))
    cubes[..., :2] = (_SQUARE * edge @ turned + np.array(spot))[:, None]
    cubes[:, 0, :, 2], cubes[:, 1, :, 2] = HIGH * edge, LOW * edge
    seen = mat.raised_px(cubes.reshape(-1, 3)).reshape(len(turns), 8, 2)
    sides = [
        along(outlines_of(seen), 1.0, 8),
        along(seen[:, :4], TOP_WEIGHT, 6),
    ]
    points, normals, weights = (np.concatenate(part, axis=1) for part in zip(*sides, strict=True))
    return points, normals, weights / weights.sum(1, keepdims=True)


def outlines_of(cubes: Array) -> Array:
    """The convex hulls (T, K, 2) of cubes' corners (T, 8, 2); of one with fewer corners than others the last one is
    repeated, which makes sides of no length."""
    hulls = [cv2.convexHull(each).reshape(-1, 2) for each in cubes.astype(np.float32)]
    most = np.arange(max(map(len, hulls)))
    return np.stack([hull[np.minimum(most, len(hull) - 1)] for hull in hulls]).astype(np.float64)


def along(polygons: Array, weight: float, count: int) -> tuple[Array, Array, Array]:
    """`count` points on each side of polygons (T, K, 2): points and normals (T, K * count, 2), weights."""
    sides = np.roll(polygons, -1, 1) - polygons
    lengths = np.hypot(sides[..., 0], sides[..., 1])
    steps = np.linspace(0.12, 0.88, count)[:, None]
    points = polygons[:, :, None] + sides[:, :, None] * steps
    normals = np.stack([sides[..., 1], -sides[..., 0]], -1) / np.maximum(lengths, 1e-6)[..., None]
    return (
        points.reshape(len(polygons), -1, 2),
        np.repeat(normals, count, axis=1),
        np.repeat(weight * lengths / count, count, axis=1),
    )


def scores_of(
    slopes: NDArray[np.float32], points: Array, normals: Array, weights: Array, shifts: Array
) -> Array:
    """(T, S): how much of each turn's edges (T, N, 2), moved by each shift (S, 2) px, lies on slopes across them."""
    height, width = slopes.shape[1:]
    x, y = (
        np.rint(points[:, None, :, axis] + shifts[:, None, axis]).astype(np.int32)
        for axis in (0, 1)
    )
    at = np.clip(y, 0, height - 1, out=y) * width + np.clip(x, 0, width - 1, out=x)
    across = slopes[0].ravel().take(at) * normals[:, None, :, 0]
    across += slopes[1].ravel().take(at) * normals[:, None, :, 1]
    return np.asarray((np.abs(across, out=across) @ weights[..., None])[..., 0])
