"""The printed mat found in pictures: slanted, blurred, half covered, mirrored, bent, bumped."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.mat_pictures import SIZE, Look, grid, picture
from vision.layout import printed
from vision.lens import Lens
from vision.mat import FoundMat, from_fit, mat_of_corners
from vision.mat_finder import MatFinder, fit_markers

SAMPLE = Path(__file__).parents[2] / "webui" / "samples" / "demo-table.jpg"
FINDER = MatFinder()


def worst_mm(found: FoundMat | None, look: Look, height_mm: float = 0.0) -> float:
    """The largest error anywhere on the sheet, mm."""
    assert found is not None
    points = grid(look.layout)
    seen = look.px(points, height_mm)
    if found.mirrored:
        seen[:, 0] = look.size[0] - seen[:, 0]
    return float(np.linalg.norm(found.to_mm(seen, height_mm) - points, axis=1).max())


@pytest.mark.parametrize("elevation", [25, 40, 60, 90])
@pytest.mark.parametrize("turn", [0, 75, 170])
def test_a_mat_is_found_from_any_side(elevation: float, turn: float) -> None:
    look = Look(elevation, turn, roll=4, distance=560)
    found = FINDER.find(picture(look))
    assert worst_mm(found, look) < 1.0
    assert found is not None
    assert (found.by, found.mirrored, found.layout) == ("markers", False, look.layout)
    assert found.corners == pytest.approx(look.px(np.array(look.layout.corners)), abs=1.0)


def test_a_mat_is_small_in_a_view_of_60_by_40_cm() -> None:
    look = Look(25, 40, distance=640, focal=1.0)
    assert worst_mm(FINDER.find(picture(look)), look) < 1.0
    half = replace(look, size=(640, 360), elevation=60)
    assert worst_mm(FINDER.find(picture(half)), half) < 1.0


@pytest.mark.parametrize("hidden", list(combinations(range(4), 2)))
def test_any_two_markers_may_be_hidden(hidden: tuple[int, int]) -> None:
    look = Look(45, -30, roll=3)
    found = FINDER.find(picture(look, hidden))
    assert worst_mm(found, look) < 3.0
    assert found is not None
    assert found.error_mm < 4.0


def test_a_covered_corner_of_a_marker_does_not_mislead() -> None:
    look = Look(55, 20)
    seen = look.markers()
    for corners in list(seen.values())[1:3]:
        corners[2] += [1.0, -5.0]
    fit = fit_markers(look.layout, seen, SIZE, mirrored=False, known=None)
    assert fit is not None
    assert worst_mm(from_fit(fit, look.layout, mirrored=False), look) < 0.5


def test_one_marker_alone_is_no_mat() -> None:
    assert FINDER.find(picture(Look(), (0, 1, 2))) is None


@pytest.mark.parametrize("fault", ["defocus", "motion", "noise", "dark", "compressed"])
def test_a_poor_picture_still_locates_well(fault: str) -> None:
    look = Look(45, 20)
    image = picture(look)
    rng = np.random.default_rng(3)
    if fault == "defocus":
        image = cv2.GaussianBlur(image, (0, 0), 2.0).astype(np.uint8)
    elif fault == "motion":
        image = cv2.blur(image, (7, 1)).astype(np.uint8)
    elif fault == "noise":
        image = np.clip(image + rng.normal(0, 14, image.shape), 0, 255).astype(np.uint8)
    elif fault == "dark":
        image = (image * 0.15 + rng.normal(4, 1.5, image.shape)).clip(0, 255).astype(np.uint8)
    else:
        image = cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 25])[1], 1)
    assert worst_mm(FINDER.find(np.asarray(image, np.uint8)), look) < 1.5


def test_a_mirrored_picture_is_noticed_and_put_right() -> None:
    look = Look(50, 35)
    found = FINDER.find(np.ascontiguousarray(picture(look, (1,))[:, ::-1]))
    assert found is not None
    assert found.mirrored
    assert np.linalg.det(found.homography) < 0
    assert worst_mm(found, look, 8.0) < 2.0
    again = FINDER.find(np.ascontiguousarray(picture(look)[:, ::-1]), found)
    assert again is not None
    assert again.mirrored


@pytest.mark.parametrize("bend", [-0.15, 0.08])
def test_a_bent_picture_is_straightened(bend: float) -> None:
    look = Look(50, 15, focal=0.75, distance=430)
    found = FINDER.find(picture(look, bend=bend))
    assert found is not None
    assert found.lens.bend == pytest.approx(bend, abs=0.03)
    points = grid(look.layout)
    lens = Lens(look.focal * SIZE[0], SIZE, bend)
    off = np.linalg.norm(found.to_mm(lens.bent(look.px(points))) - points, axis=1)
    assert off.max() < 1.5


def test_a_straight_picture_is_not_bent() -> None:
    found = FINDER.find(picture(Look(60, 15)))
    assert found is not None
    assert abs(found.lens.bend) < 0.02


@pytest.mark.parametrize(
    "bump",
    [
        {"at": (50.0, 0.0)},
        {"at": (0.0, -50.0)},
        {"elevation": 50.0},
        {"turn": 10.0},
        {"roll": 10.0},
    ],
)
def test_a_bumped_camera_finds_the_mat_again(bump: dict[str, float]) -> None:
    look = Look(60, 0, distance=600)
    before = FINDER.find(picture(look))
    after = replace(look, **bump)  # type: ignore[arg-type]
    found = FINDER.find(picture(after, hidden=(2,)), before)
    assert worst_mm(found, after) < 1.0


def test_two_hidden_markers_do_no_harm_when_the_lens_is_known() -> None:
    look = Look(35, 60)
    before = FINDER.find(picture(look))
    found = FINDER.find(picture(look, (0, 1)), before)
    assert worst_mm(found, look, 8.0) < 1.5


def test_one_marker_that_has_not_moved_tells_that_the_camera_has_not() -> None:
    look = Look()
    before = FINDER.find(picture(look))
    assert before is not None
    assert FINDER.find(picture(look, (0, 1, 3)), before) is before
    moved = replace(look, at=(20.0, 0.0))
    assert FINDER.find(picture(moved, (0, 1, 3)), before) is None


@pytest.mark.parametrize("paper", ["A4", "Letter", "A3"])
@pytest.mark.parametrize("dice", [12, 16])
def test_a_mat_says_which_it_is(paper: str, dice: int) -> None:
    look = Look(70, 200, distance=800, layout=printed(paper, dice))
    found = FINDER.find(picture(look))
    assert found is not None
    assert found.layout == look.layout
    assert worst_mm(found, look) < 1.0


def test_a_table_without_a_mat_has_none() -> None:
    image = np.asarray(cv2.imread(str(SAMPLE)), np.uint8)
    assert FINDER.find(image) is None
    assert FINDER.find(np.zeros((4, 6, 3), np.uint8)) is None


def test_further_finders_are_asked_when_there_are_no_markers() -> None:
    class Told:
        def __init__(self, found: FoundMat | None) -> None:
            self.found = found
            self.asked: list[FoundMat | None] = []

        def find(self, image: np.ndarray, previous: FoundMat | None = None) -> FoundMat | None:  # noqa: ARG002
            self.asked.append(previous)
            return self.found

    corners = np.array([[100, 100], [300, 100], [320, 500], [80, 500.0]])
    grid_mat = mat_of_corners(corners, SIZE, by="grid")
    first, second, third = Told(None), Told(grid_mat), Told(grid_mat)
    finder = MatFinder((first, second, third))
    empty = np.full((720, 1280, 3), 90, np.uint8)
    assert finder.find(empty) is grid_mat
    assert finder.find(empty, grid_mat) is grid_mat
    assert second.asked == [None, grid_mat]
    assert third.asked == []
    found = finder.find(picture(Look()), grid_mat)
    assert found is not None
    assert found.by == "markers"
