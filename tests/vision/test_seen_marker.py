"""A corner marker that is seen again is the table; a hand on it is not."""

import cv2
import numpy as np
import pytest

from datasets.mat_tables import MatShot, draw_shot
from vision.frames import Image
from vision.mat import FoundMat
from vision.mat_finder import MatFinder
from vision.seen_marker import is_seen_marker


@pytest.fixture(scope="module", params=[False, True], ids=["upright", "mirrored"])
def table(request: pytest.FixtureRequest) -> tuple[Image, FoundMat]:
    image = draw_shot(MatShot(elevation=60, dice=4, mirrored=request.param, seed=7300805)).image
    mat = MatFinder().find(image)
    assert mat is not None
    return image, mat


def quads(mat: FoundMat) -> list[np.ndarray]:
    return [mat.to_px(np.array(corners)) for corners in mat.layout.markers.values()]


def spots_in(quad: np.ndarray) -> np.ndarray:
    low, high = quad.min(0), quad.max(0)
    return np.stack(np.meshgrid(*np.linspace(low, high, 12).T), -1).reshape(-1, 2)


def test_each_marker_is_known_where_it_is_seen_whole(table: tuple[Image, FoundMat]) -> None:
    image, mat = table
    assert all(is_seen_marker(image, spots_in(quad), mat) for quad in quads(mat))
    # Only half of it differs from what was there before.
    assert is_seen_marker(image, spots_in(quads(mat)[0])[::2], mat)


def test_a_marker_that_something_covers_in_part_is_not_seen(table: tuple[Image, FoundMat]) -> None:
    image, mat = table
    for quad in quads(mat):
        covered = image.copy()
        hand = np.vstack([quad[:2], quad[:2].mean(0) * 0.4 + quad[2:].mean(0) * 0.6])
        cv2.fillConvexPoly(covered, hand.astype(np.int32), (120, 150, 200))
        assert not is_seen_marker(covered, spots_in(quad), mat)


def test_what_lies_beside_the_markers_is_none(table: tuple[Image, FoundMat]) -> None:
    image, mat = table
    lawn = mat.to_px(np.array(mat.layout.corners))
    assert not is_seen_marker(image, spots_in(lawn), mat)
    # A hand that reaches far beyond the marker is not the marker, though that is still seen.
    quad = quads(mat)[0]
    arm = np.vstack([spots_in(quad), spots_in(quad + 2 * (lawn.mean(0) - quad.mean(0)) / 3)])
    assert not is_seen_marker(image, arm, mat)
