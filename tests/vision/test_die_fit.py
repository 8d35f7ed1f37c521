"""Dice that lean are noticed by their edges, on drawn tables seen from three heights."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from datasets.compose import DrawnTable, view_of
from datasets.die import draw_die
from tests.vision.clip import LAMP, in_place, styles, table
from tests.vision.test_flags import HEIGHT, WIDTH, camera, leaning, mat
from vision.die_fit import Box, EdgeFit, flat_fit
from vision.flags import flags_of
from vision.footprint import footprint_mm
from vision.frames import Image
from vision.layout import Point
from vision.lean_fit import lean_fit
from vision.mat import FoundMat

Array = NDArray[np.float64]
EDGE = 16.0
FINE = 3
DICE = tuple(
    in_place(colour, row, side)
    for colour, side, rows in (("red", "left", (1, 2, 3, 5)), ("white", "center", (1, 4, 6)))
    for row in rows
)


@cache
def beside(elevation: float) -> DrawnTable:
    return table(*DICE, camera=camera(elevation), width=WIDTH)


@cache
def noise(shape: tuple[int, ...]) -> Array:
    """A camera's noise, always the same."""
    return np.random.default_rng(1).normal(0, 2, shape)


def laid(
    picture: Image,
    elevation: float,
    turn: Array,
    xy: tuple[float, float],
    colour: str,
    base: float = 0.0,
) -> tuple[Image, Box]:
    """The picture with one more die, turned so, its lowest corner at a height mm above the table; and its box."""
    view = view_of(camera(elevation), WIDTH, HEIGHT)
    half = EDGE / 2
    cube = np.array(
        [[x, y, z] for x in (-half, half) for y in (-half, half) for z in (-half, half)]
    )
    cube = cube @ turn.T
    centre = np.array([*xy, base - cube[:, 2].min()])
    outline = view.project(cube + centre)
    (x0, y0), (x1, y1) = (
        np.floor(outline.min(0)).astype(int) - 2,
        np.ceil(outline.max(0)).astype(int) + 2,
    )
    u, v = np.meshgrid(
        np.arange(x0 * FINE, x1 * FINE) / FINE + 0.5 / FINE,
        np.arange(y0 * FINE, y1 * FINE) / FINE + 0.5 / FINE,
    )
    rays = np.stack(
        [(u - view.centre[0]) / view.focal, (v - view.centre[1]) / view.focal, np.ones_like(u)], -1
    )
    rays = rays.reshape(-1, 3) / np.linalg.norm(rays, axis=2).reshape(-1, 1)
    colours, cover = draw_die(
        view.position - centre, rays @ view.turn, turn, 5, styles()[colour], LAMP, np.zeros((6, 4))
    )
    shown = cover.reshape(u.shape)[..., None].astype(np.float32)
    light = np.clip(colours.reshape(*u.shape, 3), 0, 1) ** (1 / 2.2) * 255
    size = (x1 - x0, y1 - y0)
    over = cv2.resize(
        (light[..., ::-1] * shown).astype(np.float32), size, interpolation=cv2.INTER_AREA
    )
    share = cv2.resize(shown, size, interpolation=cv2.INTER_AREA)[..., None]
    made = picture.astype(np.float32)
    made[y0:y1, x0:x1] = made[y0:y1, x0:x1] * (1 - share) + over
    made += noise(made.shape)
    rows, columns = (
        np.flatnonzero((share[..., 0] > 0.5).any(1)),
        np.flatnonzero((share[..., 0] > 0.5).any(0)),
    )
    box = (x0 + columns[0], y0 + rows[0], x0 + columns[-1] + 1, y0 + rows[-1] + 1)
    return np.clip(made, 0, 255).astype(np.uint8), tuple(float(edge) for edge in box)  # type: ignore[return-value]


def both_fits(picture: Image, box: Box, spot: Point, found: FoundMat) -> EdgeFit:
    return EdgeFit(flat_fit(picture, box, spot, found), lean_fit(picture, box, spot, found))


@cache
def fits_beside(elevation: float) -> tuple[EdgeFit, ...]:
    drawn, found = beside(elevation), mat(elevation)
    picture = drawn.image.astype(np.float32)
    picture += noise(picture.shape)
    noisy = np.clip(picture, 0, 255).astype(np.uint8)
    return tuple(
        both_fits(noisy, die.box, footprint_mm(die.box, found), found) for die in drawn.dice
    )


def flagged(elevation: float, lean_deg: float, count: int, sure: bool = True) -> int:
    """How many of so many dice that lean are flagged; those that lie flat beside them never are."""
    rng = np.random.default_rng(3)
    drawn, found, noticed = beside(elevation), mat(elevation), 0
    for number in range(count):
        spot = (float(rng.uniform(26, 48)), float(rng.uniform(-50, 50)))
        turn = leaning(rng.uniform(0, 6.3), lean_deg)
        picture, box = laid(drawn.image, elevation, turn, spot, ("red", "blue")[number % 2])
        boxes = [*(die.box for die in drawn.dice), box]
        spots = [footprint_mm(each, found) for each in boxes]
        fits = [*fits_beside(elevation), both_fits(picture, box, spots[-1], found)]
        certain = [True] * len(drawn.dice) + [sure]
        flags = flags_of(boxes, picture.shape, found, spots, certain, fits)
        assert not any(flags[:-1])
        noticed += bool(flags[-1])
    return noticed


@pytest.mark.parametrize(
    ("elevation", "of_25_degrees"),
    [
        (45.0, 3),  # where a die that leans towards the camera or away looks flat
        (65.0, 7),
        (85.0, 7),
    ],
)
def test_leaning_dice_are_noticed_by_their_edges_even_where_their_faces_are_sure(
    elevation: float, of_25_degrees: int
) -> None:
    assert flagged(elevation, 0, 8, sure=False) == 0  # where the face is sure, fewer are suspected
    assert flagged(elevation, 35, 8) >= 6
    assert flagged(elevation, 25, 8) >= of_25_degrees
