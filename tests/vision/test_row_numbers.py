"""The numbers 1 to 6 beside a lawn's rows tell which end is row 1."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from datasets.grids import GridTable, grid_table
from vision.detect import Detection
from vision.frames import Image
from vision.grid_finder import GridFinder
from vision.layout import printed
from vision.mat_drawing import draw_mat
from vision.orientation import oriented
from vision.row_numbers import numbers_told

Array = NDArray[np.float64]
SCALE = 4.0


@cache
def our_mat() -> tuple[Image, Array]:
    """Our mat from straight above, without markers' help, and its lawn's corners px."""
    layout = printed("A4", 16)
    picture = draw_mat(layout, SCALE)
    return picture, (np.array(layout.corners) - [layout.extent.x0, layout.extent.y0]) * SCALE


def readings(corners: Array) -> list[Array]:
    """As it is, turned, mirrored, and both."""
    return [
        corners[[0, 1, 2, 3]],
        corners[[2, 3, 0, 1]],
        corners[[1, 0, 3, 2]],
        corners[[3, 2, 1, 0]],
    ]


def test_the_numbers_of_our_mat_tell_its_end_and_that_it_is_not_mirrored() -> None:
    picture, corners = our_mat()
    told = numbers_told(picture, readings(corners))
    assert told[0] == 0.0
    assert max(told[1:]) < -3.0


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_they_tell_it_whichever_way_the_camera_is_turned(turns: int) -> None:
    picture, corners = our_mat()
    height, width = picture.shape[:2]
    for _ in range(turns):  # a quarter turn against the clock
        corners = np.column_stack([corners[:, 1], width - corners[:, 0]])
        width, height = height, width
    told = numbers_told(np.ascontiguousarray(np.rot90(picture, turns)), readings(corners))
    assert told[0] == 0.0
    assert max(told[1:]) < -3.0


def test_a_mirrored_picture_is_told_by_its_mirrored_numbers() -> None:
    picture, corners = our_mat()
    flipped = np.ascontiguousarray(picture[:, ::-1])
    there = np.column_stack([picture.shape[1] - corners[:, 0], corners[:, 1]])
    told = numbers_told(flipped, readings(there))
    assert told[0] == 0.0
    best = oriented(there, mirror=0.05, numbers=lambda each: numbers_told(flipped, each))[0]
    assert best.mirrored
    assert np.allclose(best.corners, there)


def test_other_print_beside_the_rows_tells_nothing() -> None:
    for words in (
        ["A", "B", "C", "D", "E", "F"],
        ["4"] * 6,
        ["7", "8", "9", "0", "7", "8"],
        ["", "", "", "", "", ""],
    ):
        picture = np.full((700, 500, 3), 230, np.uint8)
        corners = np.array([[150.0, 50], [350, 50], [350, 650], [150, 650]])
        for row, word in enumerate(words):
            cv2.putText(picture, word, (105, 112 + 100 * row), 0, 1.2, (20, 20, 20), 2)
        assert numbers_told(picture, readings(corners)) == (0.0,) * 4, words


@cache
def numbered() -> GridTable:
    table = grid_table(50514, "printed", 58.0, dice=0, bend=0.0)
    assert table.numbers
    return table


def test_a_foreign_mat_with_numbers_needs_no_dice_to_tell_its_end() -> None:
    table = numbered()
    assert table.corners is not None
    finder = GridFinder()
    level = (1 / 6,) * 6
    found = finder.find_among(table.image, [Detection(box, 0.9, level) for box, _ in table.dice])
    assert found is not None
    assert not finder.unsure
    assert np.abs(found.corners - table.corners).max() < 6


def test_what_dice_cover_is_not_read() -> None:
    table = numbered()
    assert table.corners is not None
    everything = np.array([[-1000.0, -1000, 3000, 3000]])
    assert numbers_told(table.image, readings(table.corners), everything) == (0.0,) * 4
