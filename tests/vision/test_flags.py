"""Dice whose reading is doubtful: leaning, stacked, cut off, half hidden, too small."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from datasets.compose import view_of
from datasets.die import draw_die
from datasets.scenes import Camera
from engine.table import FLAGS
from tests.vision.clip import LAMP, styles
from vision.flags import WHAT_TO_DO, Box, flags_of, misfit, of_another_size
from vision.footprint import footprint_mm
from vision.layout import lawn_only
from vision.mat import FoundMat, mat_of_corners

Array = NDArray[np.float64]
WIDTH, HEIGHT = 1280, 720
CELL = (34.0, 26.0)


def camera(elevation: float) -> Camera:
    tilt = math.radians(90 - elevation)
    return Camera(470.0, tilt, -math.pi / 2, 0.0, 1.0)


@cache
def mat(elevation: float) -> FoundMat:
    wide, high = 1.5 * CELL[0], 3 * CELL[1]
    corners = np.array([[-wide, high, 0], [wide, high, 0], [wide, -high, 0], [-wide, -high, 0]])
    seen = view_of(camera(elevation), WIDTH, HEIGHT).project(corners)
    return mat_of_corners(seen, (WIDTH, HEIGHT), lawn_only(CELL))


def leaning(yaw: float, lean_deg: float) -> Array:
    """(3, 3) turn of a die that is tipped about one of its edges, then turned."""
    t = math.radians(lean_deg)
    tip = np.array([[1, 0, 0], [0, math.cos(t), -math.sin(t)], [0, math.sin(t), math.cos(t)]])
    c, s = math.cos(yaw), math.sin(yaw)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]]) @ tip


def drawn_box(elevation: float, turn: Array, xy: tuple[float, float], base_mm: float = 0.0) -> Box:
    """The box around all that is drawn of a die of 16 mm at a spot of the table, 4 % looser."""
    view = view_of(camera(elevation), WIDTH, HEIGHT)
    corners = np.array([[x, y, z] for x in (-8, 8) for y in (-8, 8) for z in (-8, 8)]) @ turn.T
    centre = np.array([*xy, base_mm - corners[:, 2].min()])
    outline = view.project(corners + centre)
    x0, y0 = np.floor(outline.min(0)).astype(int) - 1
    x1, y1 = np.ceil(outline.max(0)).astype(int) + 1
    u, v = np.meshgrid(np.arange(x0, x1) + 0.5, np.arange(y0, y1) + 0.5)
    rays = np.stack(
        [(u - view.centre[0]) / view.focal, (v - view.centre[1]) / view.focal, np.ones_like(u)], -1
    ).reshape(-1, 3)
    rays /= np.linalg.norm(rays, axis=1, keepdims=True)
    _, cover = draw_die(
        view.position - centre, rays @ view.turn, turn, 5, styles()["red"], LAMP, np.zeros((6, 4))
    )
    shown = cover.reshape(u.shape) > 0.5
    rows, columns = np.flatnonzero(shown.any(1)), np.flatnonzero(shown.any(0))
    a, b, c, d = x0 + columns[0], y0 + rows[0], x0 + columns[-1] + 1, y0 + rows[-1] + 1
    dx, dy = 0.04 * (c - a), 0.04 * (d - b)
    return float(a - dx), float(b - dy), float(c + dx), float(d + dy)


def flags(elevation: float, *boxes: Box, sure: bool = True) -> list[frozenset[str]]:
    found = mat(elevation)
    flat = [
        drawn_box(elevation, leaning(0.3 * i, 0), (-45 + 3.0 * i, 60 - 30.0 * i)) for i in range(5)
    ]
    every = [*flat, *boxes]
    spots = [footprint_mm(box, found) for box in every]
    said = flags_of(every, (HEIGHT, WIDTH, 3), found, spots, [True] * 5 + [sure] * len(boxes))
    assert not any(said[:5]), "the flat dice beside are in order"
    return [frozenset(each) for each in said[5:]]


@pytest.mark.parametrize("elevation", [40.0, 60.0, 85.0])
def test_dice_that_lie_flat_have_no_flags(elevation: float) -> None:
    rng = np.random.default_rng(3)
    for _ in range(6):
        spot = (float(rng.uniform(20, 70)), float(rng.uniform(-60, 60)))
        box = drawn_box(elevation, leaning(rng.uniform(0, 7), 0), spot)
        assert flags(elevation, box, sure=False) == [frozenset()]


@pytest.mark.parametrize(
    ("elevation", "lean", "least"), [(40.0, 45, 7), (60.0, 30, 4), (85.0, 45, 7)]
)
def test_many_leaning_dice_whose_face_is_in_doubt_are_noticed(
    elevation: float, lean: int, least: int
) -> None:
    # Not all: the others' outlines are those of flat dice of another turn.
    rng = np.random.default_rng(4)
    boxes = [
        drawn_box(
            elevation,
            leaning(yaw, lean),
            (float(rng.uniform(20, 70)), float(rng.uniform(-60, 60))),
        )
        for yaw in rng.uniform(0, 7, 10)
    ]
    noticed = [flags(elevation, box, sure=False)[0] for box in boxes]
    assert sum("cocked" in each for each in noticed) >= least - 3
    assert sum(bool(each) for each in noticed) >= least - 2


def test_two_dice_at_one_spot_are_stacked() -> None:
    below = drawn_box(60.0, leaning(0.2, 0), (50.0, 10.0))
    above = drawn_box(60.0, leaning(0.5, 0), (50.0, 10.0), base_mm=16.0)
    assert flags(60.0, below, above) == [frozenset({"stacked"})] * 2


def test_a_tower_boxed_as_one_die_is_stacked() -> None:
    below = drawn_box(45.0, leaning(0.2, 0), (40.0, 10.0))
    above = drawn_box(45.0, leaning(0.2, 0), (40.0, 10.0), base_mm=16.0)
    both = (
        min(below[0], above[0]),
        min(below[1], above[1]),
        max(below[2], above[2]),
        max(below[3], above[3]),
    )
    assert flags(45.0, both) == [frozenset({"stacked"})]


def test_dice_of_another_size_than_the_mats_are_not_all_leaning() -> None:
    found = mat(60.0)
    boxes = [
        drawn_box(60.0, leaning(0.4 * i, 0), (-40 + 20.0 * i, 30 - 15.0 * i)) for i in range(5)
    ]
    grown = [
        (x0 - 0.06 * (x1 - x0), y0 - 0.06 * (y1 - y0), x1 + 0.06 * (x1 - x0), y1 + 0.06 * (y1 - y0))
        for x0, y0, x1, y1 in boxes
    ]
    spots = [footprint_mm(box, found) for box in grown]
    assert not any(flags_of(grown, (HEIGHT, WIDTH), found, spots, [True] * 5))


def test_a_die_at_the_pictures_edge_is_cut_off_and_a_tiny_one_too_small() -> None:
    boxes = [(0.0, 100.0, 30.0, 132.0), (200.0, 200.0, 220.0, 220.0), (300.0, 300.0, 340.0, 340.0)]
    said = flags_of(boxes, (HEIGHT, WIDTH), None, [None] * 3, [True] * 3)
    assert said == [{"cut-off"}, {"too-small"}, set()]


def test_a_die_behind_another_is_half_hidden() -> None:
    behind, before = (100.0, 100.0, 140.0, 140.0), (105.0, 122.0, 147.0, 164.0)
    assert flags_of([behind, before], (HEIGHT, WIDTH), None, [None] * 2, [True] * 2) == [
        {"occluded"},
        set(),
    ]


def test_every_flag_says_what_to_do() -> None:
    assert set(WHAT_TO_DO) == set(FLAGS)
    assert all(text.endswith(".") for text in WHAT_TO_DO.values())


def test_misfit_is_small_for_any_flat_die_and_large_for_an_impossible_box() -> None:
    found = mat(60.0)
    box = drawn_box(60.0, leaning(0.7, 0), (20.0, 20.0))
    spot = footprint_mm(box, found)
    assert misfit(box, spot, found) < 0.05
    assert misfit((box[0], box[1], box[2] + 30, box[3]), spot, found) > 0.2


def test_what_is_far_larger_than_a_die_is_none() -> None:
    found = mat(60.0)
    dice = [drawn_box(60.0, leaning(0.4 * i, 0), (-45 + 3.0 * i, 60 - 30.0 * i)) for i in range(5)]
    leans = drawn_box(60.0, leaning(0.3, 40), (30.0, 40.0))
    x0, y0, x1, y1 = dice[2]
    marker = (x0 - (x1 - x0) / 2, y0 - (y1 - y0) / 2, x1 + (x1 - x0) / 2, y1 + (y1 - y0) / 2)
    boxes = [*dice, leans, marker]
    spots = [footprint_mm(box, found) for box in boxes]
    assert of_another_size(boxes, spots, found) == [False] * 6 + [True]
