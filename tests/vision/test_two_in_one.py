"""A detector's box that holds two dice is made two; a box that is long for another reason stays one."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.detect import Detection
from vision.find import DiceFinder
from vision.overlap import overlaps
from vision.two_in_one import suspects, window_around

PICTURE = (
    Path(__file__).parents[1] / "fixtures" / "touching" / "two-green-1-2-in-a-row-at-25-degrees.jpg"
)

ROW = [
    (161, 365, 205, 414), (187, 364, 231, 415), (248, 360, 291, 411), (202, 357, 247, 410), (73, 371, 118, 421),
    (188, 174, 231, 225), (180, 23, 220, 73), (241, 18, 280, 68), (249, 65, 288, 116), (187, 76, 224, 125),
    (121, 75, 159, 123), (120, 26, 159, 74), (30, 271, 74, 323), (28, 222, 73, 283), (28, 195, 75, 260),
    (30, 124, 73, 179), (29, 154, 73, 213),
]  # fmt: skip
"""What the detector saw of the other dice of the picture, in a frame that it saw shrunk, px: of one of them twice."""
DICE_IN_ROW = len(ROW) - 1
TWO_IN_ONE = (29.2, 53.8, 72.0, 131.5)
"""What it saw of two green dice, px."""
TRUE_TWO = np.array([(30, 56, 70, 102), (32, 89, 72, 136)])
"""Where these lie, px: the 1 above the 2."""

GRID = [(x, y, x + 40.0, y + 44.0) for x in (0.0, 60, 120) for y in (0.0, 80, 160)]
"""Nine dice alike, px."""


@pytest.fixture(scope="module")
def finder() -> DiceFinder:
    return DiceFinder()


def seen(boxes: list[tuple[float, float, float, float]]) -> list[Detection]:
    return [Detection(box, 0.8, (1 / 6,) * 6) for box in boxes]


def test_two_dice_of_a_row_that_were_taken_for_one_are_both_read(finder: DiceFinder) -> None:
    image = np.asarray(cv2.imread(str(PICTURE)), np.uint8)
    found = finder.closer(image, seen([TWO_IN_ONE, *ROW]))
    assert len(found) == DICE_IN_ROW + 2
    both = found[0], found[-1]
    shared = overlaps(np.array([die.box for die in both]), TRUE_TWO)
    order = shared.argmax(1)
    assert sorted(order) == [0, 1]
    assert shared.max(1).min() > 0.6
    read = [int(np.argmax(die.face_p)) + 1 for die in both]
    assert [read[at] for at in np.argsort(order)] == [1, 2]


def test_no_other_box_of_that_picture_becomes_two(finder: DiceFinder) -> None:
    image = np.asarray(cv2.imread(str(PICTURE)), np.uint8)
    assert len(finder.closer(image, seen(ROW))) == DICE_IN_ROW


def changed(at: int, by: tuple[float, float, float, float]) -> list[tuple[float, ...]]:
    boxes: list[tuple[float, ...]] = list(GRID)
    boxes[at] = tuple(np.add(GRID[at], by))
    return boxes


@pytest.mark.parametrize("by", [(0, 0, 25, 0), (0, -25, 0, 0)])  # two side by side; one above
def test_a_box_too_long_for_its_neighbours_is_looked_at_again(by: tuple[float, ...]) -> None:
    (suspect,) = suspects(changed(4, by))
    assert suspect.at == 4
    assert suspect.size == pytest.approx(np.sqrt(40 * 44), rel=0.1)


@pytest.mark.parametrize(
    "by",
    [
        (0, 0, 0, 0),  # as its neighbours
        (0, 0, 30, 30),  # larger all round: another set, or turned by 45 degrees
        (0, 0, 0, 4),  # a little of a shadow
    ],
)
def test_other_boxes_are_not(by: tuple[float, ...]) -> None:
    assert suspects(changed(4, by)) == []


def test_a_few_dice_or_dice_of_many_sizes_tell_nothing_of_a_length() -> None:
    long = changed(2, (0, 0, 0, 25))
    assert suspects(long[:3]) == []
    factors = np.random.default_rng(2).uniform(0.6, 1.6, len(long))
    sizes = [
        (x0, y0, x1, y0 + (y1 - y0) * by)
        for (x0, y0, x1, y1), by in zip(long, factors, strict=True)
    ]
    assert suspects(sizes) == []


def test_what_is_looked_at_ends_at_the_pictures_edges() -> None:
    assert window_around((10, 300, 50, 380), 40, (400, 640, 3)) == (0, 260, 90, 400)
