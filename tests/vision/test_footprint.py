"""Where dice stand, from their boxes, on drawn tables with exact truth."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from datasets.mat_tables import MatShot, MatTable, draw_shot
from engine.table import LawnPlace
from tests.vision.made_up import die
from tests.vision.mat_pictures import SIZE, Look
from vision.footprint import dice_edge_mm, edge_for, footprint_mm, footprints_mm
from vision.layout import lawn_only
from vision.located import mat_notices, on_markers, placed
from vision.mat import FoundMat, mat_of_corners
from vision.mat_finder import MatFinder

SHOTS = (
    MatShot(elevation=32, turn=40, cover=1, clean=False, seed=1),
    MatShot(elevation=60, turn=160, cover=2, blur=1.2, seed=2),
    MatShot(elevation=85, turn=-70, paper="Letter", dice_mm=14, style="ink-saving", mirrored=True, seed=3),
)  # fmt: skip


@cache
def table(which: int) -> tuple[MatTable, FoundMat]:
    drawn = draw_shot(SHOTS[which])
    found = MatFinder().find(drawn.image)
    assert found is not None
    return drawn, found


def boxes(drawn: MatTable) -> np.ndarray:
    return np.array([each.box for each in drawn.dice])


@pytest.mark.parametrize("which", range(len(SHOTS)))
def test_dice_are_located_within_3_mm_and_put_in_their_places(which: int) -> None:
    drawn, found = table(which)
    assert found.layout == drawn.layout
    assert found.mirrored == drawn.mirrored
    at = footprints_mm(boxes(drawn), found)
    off = np.linalg.norm(at - np.array([each.xy_mm for each in drawn.dice]), axis=1)
    assert len(off) >= 12
    assert np.percentile(off, 95) < 3.0
    assert np.median(off) < 1.0
    for each, spot in zip(drawn.dice, at, strict=True):
        if drawn.layout.place_of(each.xy_mm)[1] >= 3.0:
            assert found.layout.place_of(tuple(spot))[0] == each.place


def test_the_box_middle_alone_would_mislead_at_a_slant() -> None:
    drawn, found = table(0)
    (x0, y0, x1, y1) = boxes(drawn).T
    middles = np.column_stack([x0 + x1, y0 + y1]) / 2
    off = np.linalg.norm(
        found.to_mm(middles) - np.array([each.xy_mm for each in drawn.dice]), axis=1
    )
    assert np.median(off) > 6.0


def test_a_die_alone_is_located_as_among_others() -> None:
    drawn, found = table(1)
    box = drawn.dice[0].box
    assert footprint_mm(box, found) == pytest.approx(tuple(footprints_mm(boxes(drawn), found)[0]))
    assert footprints_mm(np.zeros((0, 4)), found).shape == (0, 2)


def test_a_box_that_took_in_a_die_behind_is_told_by_its_shape() -> None:
    drawn, found = table(0)
    plain = footprints_mm(boxes(drawn), found)
    for which in range(3):
        taller = boxes(drawn)
        taller[which, 1] -= 0.5 * (taller[which, 3] - taller[which, 1])
        off = footprints_mm(taller, found)[which] - plain[which]
        assert np.linalg.norm(off) < 4.0


def test_a_box_that_took_in_the_die_before_it_is_told_by_its_upper_edge() -> None:
    drawn, found = table(0)
    x0, y0, x1, y1 = boxes(drawn)[0]
    down = y1 - y0
    both = np.array([[x0, y0, x1, y1 + 0.4 * down], [x0 + 5, y1 - 0.1 * down, x1 + 5, y1 + down]])
    wanted = footprint_mm(drawn.dice[0].box, found)
    assert np.linalg.norm(footprints_mm(both, found)[0] - wanted) < 4.0


def test_a_die_whose_foot_another_one_hides_is_told_by_its_upper_edge() -> None:
    drawn, found = table(0)
    x0, y0, x1, y1 = boxes(drawn)[0]
    cut = y1 - 0.3 * (y1 - y0)
    hidden = np.array([[x0, y0, x1, cut], [x0 + 5, cut - 2, x1 + 5, cut + y1 - y0]])
    wanted = footprint_mm(drawn.dice[0].box, found)
    assert np.linalg.norm(footprints_mm(hidden, found)[0] - wanted) < 4.0
    # Alone, nothing says which part of it is missing.
    assert np.linalg.norm(footprints_mm(hidden[:1], found)[0] - wanted) > 4.0


def test_the_size_of_dice_shows_in_their_boxes() -> None:
    for which, shot in enumerate(SHOTS):
        drawn, found = table(which)
        assert dice_edge_mm(boxes(drawn), found) == pytest.approx(shot.dice_mm, rel=0.12)
        assert edge_for(boxes(drawn), found) == shot.dice_mm
    assert dice_edge_mm(np.array([[0, 0, 20, 20.0]]), found) is None


def test_on_a_lawn_of_unknown_size_the_dice_give_the_scale() -> None:
    drawn, _ = table(0)
    lawn = mat_of_corners(drawn.corners, SIZE)
    at = footprints_mm(boxes(drawn), lawn, edge_for(boxes(drawn), lawn))
    places = [lawn.layout.place_of(tuple(spot))[0] for spot in at]
    for each, place in zip(drawn.dice, places, strict=True):
        if isinstance(each.place, LawnPlace) and drawn.layout.place_of(each.xy_mm)[1] >= 4.0:
            assert place == each.place


def test_dice_of_another_size_than_the_mat_is_made_for_are_located_by_their_own() -> None:
    look = Look(elevation=30, layout=lawn_only((30, 26), 16))
    corners = look.px(np.array(look.layout.corners))
    lawn = mat_of_corners(corners, SIZE, look.layout)
    seen, centres = [], [(15.0, 13.0), (45.0, 65.0), (75.0, 143.0)]
    for x, y in centres:
        foot = np.array([[x + dx, y + dy] for dx in (-5, 5) for dy in (-5, 5)])
        points = np.vstack([look.px(foot), look.px(foot, 10.0)])
        seen.append([*points.min(0), *points.max(0)])
    edge = edge_for(np.array(seen), lawn)
    assert edge == pytest.approx(10.0, rel=0.12)
    off = footprints_mm(np.array(seen), lawn, edge) - np.array(centres)
    assert np.abs(off).max() < 1.5


def test_markers_are_not_taken_for_dice() -> None:
    drawn, found = table(0)
    outline = found.to_px(np.array(next(iter(found.layout.markers.values()))))
    marker = (*outline.min(0), *outline.max(0))
    taken = on_markers(np.array([marker, drawn.dice[0].box]), found)
    assert taken.tolist() == [True, False]
    readings, _ = placed([die(box=marker), die(box=drawn.dice[0].box)], found)
    (only,) = readings
    assert only.box == drawn.dice[0].box
    assert only.place is not None


def test_a_person_is_told_of_a_mirrored_and_of_a_badly_located_mat() -> None:
    _, found = table(2)
    assert mat_notices(found) == (
        "This picture is mirrored; places are told as they are on the table.",
    )
    far = mat_of_corners(np.array([[600, 300], [640, 300], [650, 330], [590, 330.0]]), SIZE)
    (notice,) = mat_notices(far)
    assert "move the camera closer" in notice
