"""A printed mat whose markers are out of sight is found by what else is printed on it."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.mat_pictures import SIZE, Look, picture
from vision.grid import FoundGrid
from vision.grid_finder import GridFinder
from vision.layout import MatLayout, lawn_places, layouts_of_papers, printed
from vision.mat import FoundMat
from vision.mat_finder import MatFinder
from vision.mat_keeper import MatKeeper
from vision.print_finder import PrintFinder

NO_DICE = np.zeros((0, 4))
NEAR = Look(62, 12, distance=330, at=(8.0, -20.0))
"""So near that no marker is in the picture."""
FINDER = PrintFinder()


def apart_px(found: FoundMat, look: Look) -> float:
    """How far off the middle of any place in view is, px."""
    theirs, ours = (
        np.array([layout.cell(place).centre for place in lawn_places()])
        for layout in (found.layout, look.layout)
    )
    true = look.px(ours)
    if found.mirrored:
        true[:, 0] = look.size[0] - true[:, 0]
    inside = ((true > 0) & (true < look.size)).all(1)
    return float(np.hypot(*(found.to_px(theirs) - true).T)[inside].max())


def with_dice(
    image: NDArray[np.uint8], look: Look
) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """The picture with something like dice on every second place, and their boxes (N, 4) px."""
    image, boxes = image.copy(), []
    for place in lawn_places()[::2]:
        x, y = look.px(np.array([look.layout.cell(place).centre]))[0]
        box = (int(x) - 30, int(y) - 34, int(x) + 30, int(y) + 30)
        cv2.rectangle(image, box[:2], box[2:], (40, 40, 190), -1)
        cv2.circle(image, (int(x), int(y)), 7, (240, 240, 240), -1)
        boxes.append(box)
    return image, np.array(boxes, np.float64)


def test_a_mat_of_which_no_marker_is_in_the_picture_is_found_by_its_print() -> None:
    image, boxes = with_dice(picture(NEAR), NEAR)
    assert MatFinder().find(image) is None
    found = FINDER.find_among(image, boxes)
    assert found is not None
    assert found.by == "print"
    assert apart_px(found, NEAR) < 2.0


def test_row_1_is_where_it_is_printed_however_the_mat_is_turned() -> None:
    look = Look(62, 192, distance=330, at=(8.0, 20.0))
    found = FINDER.find_among(picture(look), NO_DICE)
    assert found is not None
    assert apart_px(found, look) < 2.0


def test_a_mirrored_picture_is_told() -> None:
    found = FINDER.find_among(np.ascontiguousarray(picture(NEAR)[:, ::-1]), NO_DICE)
    assert found is not None
    assert found.mirrored
    assert apart_px(found, NEAR) < 2.0


@pytest.mark.parametrize("layout", [printed("A3", 22), printed("A4", 19)], ids=lambda mat: mat.name)
def test_one_marker_says_which_mat_it_is(layout: MatLayout) -> None:
    look = Look(58, 10, distance=500, layout=layout)
    image = picture(look, hidden=(1, 2, 3))
    assert MatFinder().find(image) is None
    found = FINDER.find_among(image, NO_DICE)
    assert found is not None
    assert found.layout == layout
    assert apart_px(found, look) < 1.5


def test_a_table_without_our_mat_shows_none() -> None:
    rng = np.random.default_rng(4)
    boards = np.clip(
        150 + rng.normal(0, 25, (1, SIZE[0], 3)) + rng.normal(0, 6, (SIZE[1], SIZE[0], 3)), 0, 255
    )
    image = boards.astype(np.uint8)
    for x in range(200, 1100, 140):  # a plain grid of six by three
        cv2.line(image, (x, 150), (x, 570), (20, 20, 20), 4)
    for y in range(150, 571, 140):
        cv2.line(image, (200, y), (1040, y), (20, 20, 20), 4)
    for number in range(6):
        cv2.putText(image, str(number + 1), (250 + 140 * number, 640), 0, 1.2, (20, 20, 20), 3)
    assert FINDER.find_among(image, NO_DICE) is None


def test_every_mat_that_can_be_printed_is_known() -> None:
    names = {mat.name for mats in layouts_of_papers() for mat in mats}
    assert {
        printed(paper, dice).name for paper, dice in (("A4", 16), ("Letter", 14), ("A3", 25))
    } <= names
    assert all(
        mats == tuple(sorted(mats, key=lambda mat: mat.dice_mm)) for mats in layouts_of_papers()
    )


class LyingDie:
    """A die that was read."""

    face_p = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0)

    def __init__(self, box: NDArray[np.float64]) -> None:
        x0, y0, x1, y1 = (float(edge) for edge in box)
        self.box = (x0, y0, x1, y1)


def test_a_watched_camera_that_sees_but_a_part_of_the_mat_places_its_dice() -> None:
    look = Look(62, 12, distance=240, at=(8.0, 20.0))  # row 6 is beyond the picture
    image, boxes = with_dice(picture(look), look)
    keeper = MatKeeper()
    assert keeper.find(image) is None
    dice = [LyingDie(box) for box in boxes]
    found = keeper.find_among(image, 0.0, dice, in_slices=True)
    while found is None and keeper.searching:
        found = keeper.go_on(SIZE, dice)
    assert found is not None
    assert found.by == "print"
    assert apart_px(found, look) < 2.0


def test_nobody_is_asked_for_row_1_where_the_print_tells_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def unsure(grids: GridFinder, *_: object) -> Iterator[None]:
        """A grid is seen whose end nothing tells."""
        units = np.array([(0, 0), (3, 0), (3, 6), (0, 6)], np.float32)
        corners = NEAR.px(np.array(NEAR.layout.corners)).astype(np.float32)
        to_px = cv2.getPerspectiveTransform(units, corners)
        grids._grid = FoundGrid(np.asarray(to_px, np.float64), 0.9, 0.5, 1.0)
        yield

    monkeypatch.setattr(GridFinder, "search", unsure)
    image, boxes = with_dice(picture(NEAR), NEAR)
    keeper = MatKeeper()
    found = keeper.find_among(image, 0.0, [LyingDie(box) for box in boxes])
    assert found is not None
    assert found.by == "print"
    assert keeper.asks == ""
