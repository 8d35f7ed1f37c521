"""A grid of 6 x 3 cells is found by its lines, and nothing else is taken for one."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets.grids import LOOKALIKES, STYLES, GridTable, grid_table, lookalike
from vision.detect import Detection
from vision.grid import Prover, corners_of, find_grid, plausible
from vision.grid_finder import GridFinder
from vision.grid_lines import Proposal
from vision.mat import Array, mat_of_corners

UNIT = np.array([[[0, 0], [3, 0], [3, 6], [0, 6]]], np.float64)


def boxes(table: GridTable) -> Array:
    return np.array([box for box, _ in table.dice], np.float64).reshape(-1, 4)


def off_mm(corners: Array, table: GridTable) -> float:
    """The worst corner's error, mm, whichever end is row 1."""
    assert table.corners is not None
    assert table.to_px is not None
    errors = []
    for order in ([0, 1, 2, 3], [2, 3, 0, 1]):
        named = table.corners[order]
        mat = mat_of_corners(named, (1280, 720))
        w, h = mat.layout.cell_mm
        scale = np.sqrt(np.prod(table.cell_mm) / (w * h))
        off = mat.to_mm(corners) - [[0, 0], [3 * w, 0], [3 * w, 6 * h], [0, 6 * h]]
        errors.append(float(np.linalg.norm(off, axis=1).max() * scale))
    return min(errors)


@pytest.mark.parametrize(("number", "style"), list(enumerate(STYLES)))
def test_a_grid_of_any_make_is_found_among_dice(number: int, style: str) -> None:
    elevation = 35 + 7 * number
    table = grid_table(300 + number, style, elevation, dice=8, bend=0.0)
    found = find_grid(table.image, boxes(table))
    assert found is not None
    # The lines of `boxes` lie 1.5 mm inside their cells, so its outline is that much smaller.
    assert off_mm(found.corners, table) < (3.5 if style == "boxes" else 2.5)
    assert found.confidence > 0.5


@pytest.mark.parametrize(("number", "kind"), list(enumerate(LOOKALIKES)))
def test_what_only_looks_like_a_grid_is_not_taken_for_one(number: int, kind: str) -> None:
    table = lookalike(400 + number, kind)
    assert find_grid(table.image, boxes(table)) is None


def drawn(corners: Array, columns: int = 3, rows: int = 6, missing: int = -1) -> np.ndarray:
    """A grey picture 640 x 480 with a plain grid between corners (4, 2) px, one row's line left out."""
    image = np.full((480, 640, 3), 190, np.uint8)
    to_px = cv2.getPerspectiveTransform(
        np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float32),
        corners.astype(np.float32),
    )
    lines = [((c, 0), (c, rows)) for c in range(columns + 1)]
    lines += [((0, r), (columns, r)) for r in range(rows + 1) if r != missing]
    for line in lines:
        ends = cv2.perspectiveTransform(np.array([line], np.float64), to_px)[0]
        # cv2 draws from the middles of px; 4 fractional bits.
        a, b = (tuple(int(v) for v in np.round((end - 0.5) * 16)) for end in ends)
        cv2.line(image, a, b, (60, 50, 40), 2, cv2.LINE_AA, shift=4)
    return image


@settings(max_examples=6, deadline=None)
@given(
    st.lists(st.floats(-35, 35), min_size=8, max_size=8), st.sampled_from([0, 1, 2, 3]), st.booleans()
)  # fmt: skip
def test_corners_come_out_where_they_were_drawn(shift: list[float], turn: int, flip: bool) -> None:
    square = np.array([[200, 60], [440, 60], [440, 420], [200, 420]], np.float64)
    corners = np.roll(square + np.reshape(shift, (4, 2)), turn, axis=0)
    if flip:
        corners = corners[[1, 0, 3, 2]]
    found = find_grid(drawn(corners))
    assert found is not None
    assert np.linalg.det(found.to_px) > 0, "never read as a mirror image"
    orders = ([0, 1, 2, 3], [2, 3, 0, 1], [1, 0, 3, 2], [3, 2, 1, 0])
    assert min(np.abs(found.corners - corners[order]).max() for order in orders) < 1.0


@pytest.mark.parametrize(("columns", "rows"), [(3, 5), (3, 7), (4, 6), (2, 6), (6, 6), (1, 6)])
def test_a_grid_of_another_size_is_none(columns: int, rows: int) -> None:
    corners = np.array([[180, 50], [450, 70], [470, 430], [170, 410]], np.float64)
    assert find_grid(drawn(corners, columns, rows)) is None


def test_a_grid_that_lacks_a_line_is_none() -> None:
    corners = np.array([[180, 50], [450, 70], [470, 430], [170, 410]], np.float64)
    assert find_grid(drawn(corners)) is not None
    assert find_grid(drawn(corners, missing=3)) is None
    assert find_grid(drawn(corners, missing=6)) is None


@pytest.mark.parametrize(
    "image", [np.zeros((48, 64, 3), np.uint8), np.full((1, 1, 3), 255, np.uint8)]
)
def test_an_empty_picture_has_no_grid(image: np.ndarray) -> None:
    assert find_grid(image) is None


@settings(max_examples=5, deadline=None)
@given(st.lists(st.floats(-6, 6), min_size=8, max_size=8))
def test_a_proposal_that_is_a_little_off_is_drawn_to_the_lines(shift: list[float]) -> None:
    corners = np.array([[200, 60], [440, 70], [450, 420], [190, 410]], np.float64)
    near = (corners + np.reshape(shift, (4, 2))).astype(np.float32)
    proposal = Proposal(
        np.float64(cv2.getPerspectiveTransform(UNIT[0].astype(np.float32), near)), 1.0
    )
    found = Prover(drawn(corners)).prove(proposal)
    assert found is not None
    assert np.abs(found.corners - corners).max() < 0.6


def test_grids_that_no_camera_shows_are_implausible() -> None:
    def shown(points: list[list[float]]) -> Array:
        points32 = np.array(points, np.float32)
        return np.float64(cv2.getPerspectiveTransform(UNIT[0].astype(np.float32), points32))

    good = [[200, 60], [440, 70], [450, 420], [190, 410]]
    assert plausible(shown(good), (480, 640))
    np.testing.assert_allclose(corners_of(shown(good)), good, atol=1e-3)
    assert not plausible(shown([good[0], good[2], good[1], good[3]]), (480, 640)), "crossed"
    assert not plausible(shown([[x / 20, y / 20] for x, y in good]), (480, 640)), "tiny"
    assert not plausible(shown([[x + 500, y] for x, y in good]), (480, 640)), "outside"


def test_the_finder_gives_the_mat_with_row_1_at_the_ones() -> None:  # rule 1:2.C
    table = grid_table(501, "printed", 60.0, dice=0, neutral=True, bend=0.0)
    dice = [
        Detection(box, 0.9, tuple(0.95 if f == face else 0.01 for f in range(1, 7)))
        for box, face in table.dice
    ]
    finder = GridFinder(lambda _: dice)
    mat = finder.find(table.image)
    assert mat is not None
    assert mat.by == "grid"
    assert not mat.mirrored
    assert table.corners is not None
    assert np.linalg.norm(mat.corners - table.corners, axis=1).max() < 6
    # Without dice it is asked, unless it is known from before.
    unsure = GridFinder(lambda _: [])
    assert unsure.find(table.image) is None
    assert len(unsure.unsure) == 4
    again = unsure.find(table.image, mat)
    assert again is not None
    np.testing.assert_allclose(again.corners, mat.corners, atol=3)
