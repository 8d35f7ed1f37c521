"""From px to mm on the mat and back: the geometry, without pictures."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.table import LawnPlace
from tests.vision.made_up import die
from tests.vision.mat_pictures import SIZE, Look, grid
from vision.layout import lawn_only, lawn_places, printed
from vision.lens import Lens, fit_camera
from vision.located import placed
from vision.mat import FoundMat, MatError, flip, from_fit, mat_of_corners, parse_corners

looks = st.builds(
    Look,
    elevation=st.floats(25, 90),
    turn=st.floats(-180, 180),
    roll=st.floats(-15, 15),
    distance=st.floats(420, 700),
    focal=st.floats(0.7, 1.1),
)


def found(look: Look, markers: tuple[int, ...] = (0, 1, 2, 3), noise_px: float = 0.0) -> FoundMat:
    """The mat fitted to where a camera sees these markers."""
    rng = np.random.default_rng(5)
    points = np.array(list(look.layout.markers.values()))[list(markers)].reshape(-1, 2)
    seen = look.px(points) + rng.normal(0, noise_px, points.shape)
    fit = fit_camera(points, seen, look.size)
    assert fit is not None
    return from_fit(fit, look.layout, mirrored=False)


def errors_mm(mat: FoundMat, look: Look, height_mm: float = 0.0) -> np.ndarray:
    points = grid(look.layout)
    return np.linalg.norm(mat.to_mm(look.px(points, height_mm), height_mm) - points, axis=1)


@settings(max_examples=40, deadline=None)
@given(look=looks, height_mm=st.floats(0, 30))
def test_px_to_mm_and_back_is_the_same_point(look: Look, height_mm: float) -> None:
    mat = found(look)
    points = grid(look.layout)
    assert np.abs(mat.to_mm(mat.to_px(points, height_mm), height_mm) - points).max() < 1e-6


@settings(max_examples=40, deadline=None)
@given(look=looks)
def test_four_exact_markers_give_the_camera(look: Look) -> None:
    mat = found(look)
    assert errors_mm(mat, look).max() < 0.1
    assert mat.error_mm < 1.0
    assert np.linalg.det(mat.homography) > 0
    # A camera straight above hardly tells its focal length, so heights are only nearly right there: here at
    # the middle of a die at the sheet's corners.
    assert errors_mm(mat, look, 8.0).max() < 2.0


@settings(max_examples=60, deadline=None)
@given(look=looks, pair=st.sampled_from(list(combinations(range(4), 2))))
def test_any_two_markers_are_enough(look: Look, pair: tuple[int, ...]) -> None:
    mat = found(look, pair, noise_px=0.15)
    points = np.array([look.layout.cell(place).centre for place in lawn_places()])
    off = np.linalg.norm(mat.to_mm(look.px(points, 8.0), 8.0) - points, axis=1)
    assert off.max() < 3.0


def test_the_camera_is_where_it_was_put() -> None:
    look = Look(elevation=50, turn=30)
    x, y, z = look.view.position
    middle = look.layout.lawn.centre
    assert found(look).camera_mm == pytest.approx([x + middle[0], middle[1] - y, z], abs=1.0)


@given(bend=st.floats(-0.15, 0.15), x=st.floats(0, 1280), y=st.floats(0, 720))
def test_a_lens_straightens_what_it_bent(bend: float, x: float, y: float) -> None:
    lens = Lens(1100.0, SIZE, bend)
    point = np.array([[x, y]])
    assert lens.straight(lens.bent(point)) == pytest.approx(point, abs=1e-3)


def test_a_lawn_turned_round_has_its_rows_the_other_way() -> None:
    mat = found(Look())
    turned = mat.turned(2)
    for place in lawn_places():
        at = mat.to_px(np.array([mat.layout.cell(place).centre]))
        side = {"left": "right", "center": "center", "right": "left"}[place.side]
        there, _ = turned.layout.place_of(tuple(turned.to_mm(at)[0]))
        assert there == LawnPlace(7 - place.row, side)  # type: ignore[arg-type]
    assert turned.corners[0] == pytest.approx(mat.corners[2])
    assert np.linalg.det(turned.homography) > 0


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("elevation", [30, 55, 85])
def test_corners_of_a_person_locate_a_lawn_that_nobody_measured(
    elevation: float, mirrored: bool
) -> None:
    look = Look(elevation=elevation, turn=20, layout=lawn_only((42, 35)))
    corners = look.px(np.array(look.layout.corners))
    if mirrored:
        corners[:, 0] = SIZE[0] - corners[:, 0]
    mat = mat_of_corners(corners, SIZE)
    assert (mat.by, mat.mirrored) == ("corners", mirrored)
    assert (np.linalg.det(mat.homography) < 0) == mirrored
    for place in lawn_places():
        seen = look.px(np.array([look.layout.cell(place).centre]))
        if mirrored:
            seen[:, 0] = SIZE[0] - seen[:, 0]
        there, clearance = mat.layout.place_of(tuple(mat.to_mm(seen)[0]))
        assert there == place
        assert clearance > 0.4 * min(mat.layout.cell_mm)
    # The shape of the places shows, their size is assumed.
    assert mat.layout.cell_mm[0] / mat.layout.cell_mm[1] == pytest.approx(42 / 35, rel=0.15)


def test_a_mirrored_picture_gives_the_same_millimetres() -> None:
    look = Look(elevation=40, turn=-50)
    mat = found(look)
    other = FoundMat(
        flip(SIZE[0]) @ mat.homography, "markers", mat.corners, 0.1, True, mat.lens, mat.layout
    )
    seen = look.px(grid(look.layout), 16.0)
    seen[:, 0] = SIZE[0] - seen[:, 0]
    assert np.abs(other.to_mm(seen, 16.0) - grid(look.layout)).max() < 0.5


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("1,2 3,4", "four corners, not 2"),
        ("", "four corners, not 0"),
        ("a,b 1,2 3,4 5,6", "'a,b' is not an x and a y"),
        ("1 2 3 4", "'1' is not an x and a y"),
        ("10,10 50,50 50,10 10,50", "cross or lie on one line"),
        ("10,10 50,10 90,10 10,50", "cross or lie on one line"),
        ("10,10 10,10 50,50 10,50", "at the same point"),
        ("10,10 5000,10 50,50 10,50", "5000,10 is outside the picture, which is 1280 x 720 px"),
        ("10,10 nan,10 50,50 10,50", "outside the picture"),
    ],
)
def test_bad_corners_are_refused_in_one_sentence(text: str, says: str) -> None:
    with pytest.raises(MatError, match=says):
        parse_corners(text, SIZE)


def test_good_corners_are_taken_as_written() -> None:
    corners = parse_corners(" 100,80  900.5,90 1000,600 50,650", SIZE)
    assert corners.tolist() == [[100, 80], [900.5, 90], [1000, 600], [50, 650]]


def die_box(look: Look, xy: tuple[float, float], edge: float = 16.0) -> list[float]:
    corners = np.array([[xy[0] + x, xy[1] + y] for x in (-8, 8) for y in (-8, 8)])
    points = np.vstack([look.px(corners), look.px(corners, edge)])
    return [*points.min(0), *points.max(0)]


@pytest.mark.parametrize("upside_down", [False, True])
def test_dice_on_a_grid_tell_where_row_1_is(upside_down: bool) -> None:
    # rule 4:3.A: a die on the Lawn lies in the row of its face
    look = Look(elevation=60, layout=lawn_only((31, 26)))
    corners = look.px(np.array(look.layout.corners))
    mat = mat_of_corners(np.roll(corners, 2, axis=0) if upside_down else corners, SIZE, by="grid")
    dice = []
    for row in (1, 2, 2, 4, 6):
        xy = look.layout.cell(LawnPlace(row, "left")).centre
        x0, y0, x1, y1 = die_box(look, xy)
        dice.append(die((x0, y0, x1, y1), face=row))
    located, turned = placed(dice, mat)
    assert turned.corners == pytest.approx(corners)
    assert [each.place for each in located] == [{"row": each.face, "side": "left"} for each in dice]


def test_a_grid_whose_dice_do_not_tell_stays_as_it_was_found() -> None:
    look = Look(layout=lawn_only((31, 26)))
    mat = mat_of_corners(look.px(np.array(look.layout.corners)), SIZE, by="grid")
    x0, y0, x1, y1 = die_box(look, (200.0, 60.0))
    assert placed([die((x0, y0, x1, y1), face=3)], mat)[1] is mat
    assert placed([], mat) == ((), mat)


def test_a_fit_needs_points_that_one_camera_can_see() -> None:
    points = np.array(list(printed().markers.values())).reshape(-1, 2)
    assert fit_camera(points, np.zeros_like(points), SIZE) is None
