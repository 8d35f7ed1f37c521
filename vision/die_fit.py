"""How well the edges of a die that lies flat fit what the picture shows where a die is: leaning dice fit badly.

The outline and the top face of a die of known size that lies flat, for every turn and a little to each side, are laid
over the picture's slopes. A flat die's edges lie on slopes at right angles to them; a leaning die's cannot all.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Image
from vision.layout import Point
from vision.mat import Array, FoundMat

Box = tuple[float, float, float, float]

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


def flat_fit(image: Image, box: Box, spot: Point, mat: FoundMat) -> float:
    """0..1, how well a die that lies flat at about a spot, mm on the mat, fits the picture (H, W, 3) uint8 BGR.

    box: x0 y0 x1 y1 px of the die. About 0.8 for dice in sharp pictures; compare those of one picture.
    """
    size = math.sqrt(max(box[2] - box[0], 1.0) * max(box[3] - box[1], 1.0))
    margin = 0.5 * size + 3
    x0, y0 = max(0, math.floor(box[0] - margin)), max(0, math.floor(box[1] - margin))
    x1, y1 = math.ceil(box[2] + margin), math.ceil(box[3] + margin)
    slopes = _slopes(image[y0:y1, x0:x1])
    corner = np.array([x0 + 0.5, y0 + 0.5])
    best, shift, turn = -1.0, np.zeros(2), 0.0
    reach, turns = REACH * size, np.arange(0, 90, TURNS_DEG)
    for steps in (7, 3, 3):
        grid = np.linspace(-reach, reach, steps)
        shifts = np.stack(np.meshgrid(grid, grid), -1).reshape(-1, 2) + shift
        for each in turns:
            points, normals, weights = _edges(spot, mat, math.radians(each))
            scores = _scores(slopes, points - corner, normals, weights, shifts)
            scores = scores - FAR * ((shifts / size) ** 2).sum(1)
            at = int(scores.argmax())
            if scores[at] > best:
                best, shift, turn = float(scores[at]), shifts[at], float(each)
        reach /= 3
        step = TURNS_DEG / 2 if steps == 7 else TURNS_DEG / 4
        turns = np.array([turn - step, turn, turn + step])
    return max(best, 0.0)


def _slopes(part: Image) -> NDArray[np.float32]:
    """(2, h, w): the picture's slope across and down, of the channel that changes most; 0..1 by steepness."""
    smooth = cv2.GaussianBlur(part, (0, 0), 0.8).astype(np.float32)
    across = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, scale=1 / 8)
    down = cv2.Sobel(smooth, cv2.CV_32F, 0, 1, scale=1 / 8)
    most = (np.abs(across) + np.abs(down)).argmax(2)[..., None]
    both = np.stack([np.take_along_axis(each, most, 2)[..., 0] for each in (across, down)])
    return np.asarray(both / (np.hypot(both[0], both[1]) + SHARP), np.float32)


def _edges(spot: Point, mat: FoundMat, turn: float) -> tuple[Array, Array, Array]:
    """Points (N, 2) px on the edges of a flat die's outline and top face, their normals, and weights that sum to 1."""
    c, s = math.cos(turn), math.sin(turn)
    edge = mat.layout.dice_mm
    square = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * edge * ROUNDED
    square = square @ np.array([[c, s], [-s, c]]) + np.array(spot)
    cube = np.vstack(
        [np.column_stack([square, np.full(4, height * edge)]) for height in (HIGH, LOW)]
    )
    seen = mat.raised_px(cube)
    outline = cv2.convexHull(seen.astype(np.float32)).reshape(-1, 2).astype(np.float64)
    points, normals, weights = [], [], []
    for polygon, weight, count in ((outline, 1.0, 8), (seen[:4], TOP_WEIGHT, 6)):
        sides = np.roll(polygon, -1, 0) - polygon
        lengths = np.maximum(np.hypot(sides[:, 0], sides[:, 1]), 1e-6)
        along = np.linspace(0.12, 0.88, count)
        points.append((polygon[:, None] + sides[:, None] * along[None, :, None]).reshape(-1, 2))
        normal = np.column_stack([sides[:, 1], -sides[:, 0]]) / lengths[:, None]
        normals.append(np.repeat(normal, count, 0))
        weights.append(np.repeat(weight * lengths / count, count))
    total = np.concatenate(weights)
    return np.vstack(points), np.vstack(normals), total / total.sum()


def _scores(
    slopes: NDArray[np.float32], points: Array, normals: Array, weights: Array, shifts: Array
) -> Array:
    """(S,): how much of the edges, moved by each shift (S, 2) px, lies on slopes across them."""
    height, width = slopes.shape[1:]
    at = np.rint(points[None] + shifts[:, None]).astype(np.intp)
    x, y = np.clip(at[..., 0], 0, width - 1), np.clip(at[..., 1], 0, height - 1)
    across = np.abs(slopes[0][y, x] * normals[:, 0] + slopes[1][y, x] * normals[:, 1])
    return np.asarray(across @ weights)
