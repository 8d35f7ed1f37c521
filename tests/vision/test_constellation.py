"""The mat found again by the dice on it, of boxes as a reader gives them: no pixels."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from datasets.compose import view_of
from datasets.scenes import Camera
from vision.constellation import StarDie, found_by_dice
from vision.footprint import LOOSE, outlines_px
from vision.layout import lawn_only
from vision.mat import FoundMat, mat_of_corners

Array = NDArray[np.float64]
SIZE = (1280, 720)
CELL = (34.0, 26.0)
COLOURS = ("red", "blue", "white")
CAMERA = Camera(520.0, math.radians(30), -math.pi / 2, 0.0, 1.0)


def mat_before(camera: Camera) -> FoundMat:
    wide, high = 1.5 * CELL[0], 3 * CELL[1]
    corners = np.array([[-wide, high, 0], [wide, high, 0], [wide, -high, 0], [-wide, -high, 0]])
    seen = view_of(camera, *SIZE).project(corners)
    mat = mat_of_corners(seen, SIZE, lawn_only(CELL))
    return replace(mat, error_mm=0.0)


def bumped(camera: Camera, bump: str, rng: np.random.Generator) -> Camera:
    way = rng.uniform(0, 2 * math.pi)
    if bump == "move":
        return replace(camera, look_at=(50 * math.cos(way), 50 * math.sin(way)))
    if bump == "roll":
        return replace(camera, roll=camera.roll + math.radians(10) * (1 if way < 3 else -1))
    return replace(camera, tilt=camera.tilt + math.radians(10) * (1 if way < 3 else -1))


def laid(rng: np.random.Generator, count: int) -> list[tuple[Array, int, str]]:
    """Dice that lie as in a game: on places of the lawn with their row's face, the others beside it."""
    cells = [(c, r) for c in range(3) for r in range(6)]
    dice = []
    for index in rng.permutation(18)[: max(count - 3, 1)]:
        column, row = cells[index]
        spot = np.array([(column + 0.5) * CELL[0], (row + 0.5) * CELL[1]]) + rng.normal(0, 2, 2)
        dice.append((spot, row + 1, COLOURS[int(rng.integers(3))]))
    for number in range(count - len(dice)):
        spot = np.array([20.0 + 22 * number + rng.normal(0, 2), 6 * CELL[1] + 25])
        dice.append((spot, int(rng.integers(1, 7)), "red"))
    return dice


def seen(
    dice: list[tuple[Array, int, str]], mat: FoundMat, rng: np.random.Generator
) -> list[StarDie]:
    """The dice as a reader boxes them in a picture with that mat, a px inexactly, those in the picture."""
    outlines = outlines_px(np.array([spot for spot, _, _ in dice]), mat, mat.layout.dice_mm)
    found = []
    for (low, high), (_, face, colour) in zip(outlines, dice, strict=True):
        loose = (LOOSE - 1) / 2 * (high - low)
        box = np.concatenate([low - loose, high + loose]) + rng.normal(0, 0.6, 4)
        if (box[:2] > 0).all() and (box[2:] < SIZE).all():
            x0, y0, x1, y1 = (float(v) for v in box)
            found.append(StarDie((x0, y0, x1, y1), face, {colour: 0.9, "grey": 0.1}))
    return found


def off_mm(found: FoundMat, true: FoundMat) -> float:
    """How far the found mat has the worst corner of the true one, mm."""
    off = found.to_mm(true.corners) - np.array(true.layout.corners)
    return float(np.linalg.norm(off, axis=1).max())


@pytest.mark.parametrize("bump", ["move", "roll", "tilt"])
def test_a_bumped_mat_is_found_by_its_dice_and_never_wrongly(bump: str) -> None:
    rng = np.random.default_rng(7)
    before = mat_before(CAMERA)
    found = []
    for _ in range(12):
        after = mat_before(bumped(CAMERA, bump, rng))
        dice = laid(rng, int(rng.integers(7, 25)))
        mat = found_by_dice(seen(dice, before, rng), before, seen(dice, after, rng))
        if mat is not None:
            found.append(off_mm(mat, after))
            assert mat.by == "features"
    assert len(found) >= 10
    assert max(found) < 4.0
    assert np.median(found) < 2.0


def test_some_dice_may_be_missed_or_moved_meanwhile() -> None:
    rng = np.random.default_rng(8)
    before, after = mat_before(CAMERA), mat_before(bumped(CAMERA, "move", rng))
    dice = laid(rng, 16)
    now = seen(dice, after, rng)
    now[3] = replace(now[3], face=1 + now[3].face % 6)
    mat = found_by_dice(seen(dice, before, rng), before, [*now[:7], *now[9:]])
    assert mat is not None
    assert off_mm(mat, after) < 3.0


def test_other_dice_than_before_find_nothing() -> None:
    rng = np.random.default_rng(9)
    before, after = mat_before(CAMERA), mat_before(bumped(CAMERA, "move", rng))
    for _ in range(12):
        old, new = laid(rng, 14), laid(rng, 14)
        assert found_by_dice(seen(old, before, rng), before, seen(new, after, rng)) is None


def test_a_full_column_that_could_have_slid_by_a_row_is_not_guessed_and_three_dice_tell_nothing() -> (
    None
):
    rng = np.random.default_rng(10)
    before, after = mat_before(CAMERA), mat_before(bumped(CAMERA, "move", rng))
    even = [(np.array([10.0 + 20 * n, 60.0]), 4, "red") for n in range(6)]
    moved = seen(even[1:], after, rng)
    found = found_by_dice(seen(even, before, rng), before, moved)
    assert found is None or off_mm(found, after) < 3.0
    few = laid(rng, 3)
    assert found_by_dice(seen(few, before, rng), before, seen(few, after, rng)) is None
