"""How well the edges of a die that leans fit what the picture shows where a die is.

A picture that is blurred, or a box that is off, makes every die fit badly. A die that leans fits a leaning one better
than a flat one; a flat die does not.
"""

from __future__ import annotations

import math

import numpy as np

from vision.die_fit import (
    FAR,
    LOW,
    REACH,
    ROUNDED,
    TOP_WEIGHT,
    along,
    around,
    outlines_of,
    scores_of,
)
from vision.frames import Image
from vision.layout import Point
from vision.mat import Array, FoundMat
from vision.overlap import Box

TURNS_DEG = 15.0
"""Steps of a die's turn that are tried first, degrees."""
LEANS_DEG = (18.0, 28.0, 40.0)
"""How far a die that leans on one of its edges is tipped, degrees."""
FINER_DEG = (7.0, 3.0)
"""Then so much about each axis beside the best."""
OFF = 0.5
"""A leaning die is put less exactly by its box: what a shift costs, as a share of what it costs a flat one."""

_CUBE = np.array(
    [
        [x, y, z]
        for z in (0.5, -0.5)
        for x, y in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
    ]
)
_FACES = np.array(
    [(0, 1, 2, 3), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]
)


def _about(axis: int, degrees: float) -> Array:
    """The turn (3, 3) about an axis, 0 x, 1 y, 2 z."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    turn = np.eye(3)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    turn[i, i], turn[i, j], turn[j, i], turn[j, j] = c, -s, s, c
    return turn


_TURNS = np.array(
    [
        _about(2, float(turn)) @ _about(0, lean)
        for turn in np.arange(0, 360, TURNS_DEG)
        for lean in LEANS_DEG
    ]
)


def lean_fit(image: Image, box: Box, spot: Point, mat: FoundMat) -> float:
    """0..1, how well a die that leans on one of its edges at about a spot, mm on the mat, fits the picture
    (H, W, 3) uint8 BGR; as `vision.die_fit.flat_fit`, to be compared with that.

    box: x0 y0 x1 y1 px of the die.
    """
    slopes, corner, size = around(image, box)
    best, shift, turn = -1.0, np.zeros(2), _TURNS[0]
    reach, turns = REACH * size, _TURNS
    for finer, steps in zip((*FINER_DEG, 0.0), (5, 3, 3), strict=True):
        grid = np.linspace(-reach, reach, steps)
        shifts = np.stack(np.meshgrid(grid, grid), -1).reshape(-1, 2) + shift
        points, normals, weights = _edges(spot, mat, turns)
        scores = scores_of(slopes, points - corner, normals, weights, shifts)
        scores -= OFF * FAR * ((shifts / size) ** 2).sum(1)
        at, by = divmod(int(scores.argmax()), len(shifts))
        if scores[at, by] > best:
            best, shift, turn = float(scores[at, by]), shifts[by], turns[at]
        reach /= 3
        beside = [_about(axis, by) @ turn for axis in range(3) for by in (-finer, finer)]
        turns = np.array([turn, *beside])
    return max(best, 0.0)


def _edges(spot: Point, mat: FoundMat, turns: Array) -> tuple[Array, Array, Array]:
    """As in vision.die_fit, of dice turned so (T, 3, 3) that stand on their lowest corner: their outlines, and the face
    that is seen largest."""
    cubes = ROUNDED * _CUBE @ turns.transpose(0, 2, 1)
    cubes[..., 2] += LOW - cubes[..., 2].min(1, keepdims=True)
    cubes *= mat.layout.dice_mm
    cubes[..., :2] += np.array(spot)
    seen = mat.raised_px(cubes.reshape(-1, 3)).reshape(len(turns), 8, 2)
    faces = seen[:, _FACES]
    ahead = np.roll(faces, -1, 2)
    # Twice the areas of the faces, by the shoelace formula.
    areas = np.abs((faces[..., 0] * ahead[..., 1] - faces[..., 1] * ahead[..., 0]).sum(2))
    largest = seen[np.arange(len(turns))[:, None], _FACES[areas.argmax(1)]]
    sides = [along(outlines_of(seen), 1.0, 8), along(largest, TOP_WEIGHT, 6)]
    points, normals, weights = (np.concatenate(part, axis=1) for part in zip(*sides, strict=True))
    return points, normals, weights / weights.sum(1, keepdims=True)
