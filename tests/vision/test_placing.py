"""Where dice lie, how sure that is, and which places are covered."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from engine.table import ELSEWHERE, Area, LawnPlace
from tests.vision.clip import lawn_corners
from vision.layout import printed
from vision.mat import mat_of_corners
from vision.placing import hidden_places, place_p

LAYOUT = printed("A4", 16)
W, H = LAYOUT.cell_mm
MAT = mat_of_corners(lawn_corners(), (640, 360))


def test_a_die_well_inside_a_place_is_there() -> None:
    assert place_p((W / 2, H / 2), LAYOUT) == ((LawnPlace(1, "left"), 1.0),)
    assert place_p((2.5 * W, 5.5 * H), LAYOUT) == ((LawnPlace(6, "right"), 1.0),)


def test_a_die_on_a_line_may_be_in_either_place() -> None:
    places = dict(place_p((W, 2.5 * H), LAYOUT))
    assert places[LawnPlace(3, "left")] == pytest.approx(0.5, abs=0.3)
    assert set(places) == {LawnPlace(3, "left"), LawnPlace(3, "center")}


def test_the_nearer_to_a_line_the_more_doubt() -> None:
    sure = [place_p((W - gap, 2.5 * H), LAYOUT)[0][1] for gap in (0.5, 1.5, 3.0, 4.0)]
    assert sure == sorted(sure)
    assert sure[-1] == 1.0


def test_a_die_where_four_places_meet_may_be_in_any() -> None:
    places = place_p((W, H), LAYOUT)
    assert len(places) == 4
    assert sum(p for _, p in places) == pytest.approx(1)


def test_a_die_at_the_lawns_edge_may_be_off_it() -> None:
    places = dict(place_p((0.3, 2.5 * H), LAYOUT))
    assert LawnPlace(3, "left") in places
    assert any(isinstance(place, Area) for place in places)


def mask_over(*places: LawnPlace) -> np.ndarray:
    covered = np.zeros((270, 480), np.uint8)
    for place in places:
        corners = MAT.to_px(np.array(MAT.layout.cell(place).corners)) * 0.75
        cv2.fillConvexPoly(covered, np.round(corners).astype(np.int32), 1)
    return covered > 0


def test_a_covered_place_is_hidden_and_its_neighbours_are_not() -> None:
    place = LawnPlace(4, "center")
    assert hidden_places(mask_over(place), 0.75, MAT, 24.0) == {place}


def test_what_covers_the_table_beside_the_mat_is_elsewhere() -> None:
    mask = np.zeros((270, 480), np.bool_)
    mask[200:260, 10:80] = True
    assert hidden_places(mask, 0.75, MAT, 24.0) == {ELSEWHERE}
    assert hidden_places(mask, 0.75, None, 24.0) == {ELSEWHERE}


def test_a_speck_hides_nothing() -> None:
    mask = np.zeros((270, 480), np.bool_)
    mask[100:104, 100:104] = True
    assert hidden_places(mask, 0.75, MAT, 24.0) == frozenset()
    assert hidden_places(np.zeros((270, 480), np.bool_), 0.75, None, 24.0) == frozenset()
