"""Points of a picture are known again in another picture of the same thing."""

from __future__ import annotations

import cv2
import numpy as np

from tests.vision.mat_pictures import Look, picture
from vision.feature_points import FeaturePoints, alike, feature_points, in_the_mirror

MAT = cv2.cvtColor(picture(Look(62, 12, distance=330)), cv2.COLOR_BGR2GRAY)
COUNT, CONTRAST = 800, 0.01


def found(grey: np.ndarray) -> FeaturePoints:
    return feature_points(grey, None, COUNT, CONTRAST)


def test_marks_have_length_1_so_that_their_product_is_their_likeness() -> None:
    points = found(MAT)
    assert len(points) > 100
    assert points.at.shape == (len(points), 2)
    np.testing.assert_allclose(np.linalg.norm(points.marks, axis=1), 1.0, atol=1e-3)


def test_a_shifted_picture_shows_the_same_points_shifted() -> None:
    ours, theirs = alike(found(MAT), found(np.roll(MAT, (7, -12), (0, 1))))
    assert len(ours) > 60
    assert np.median(np.abs(theirs - ours - [-12, 7])) < 0.1


def test_points_in_the_mirror_are_those_of_the_flipped_picture() -> None:
    flipped = np.ascontiguousarray(MAT[:, ::-1])
    points = found(MAT)
    at, of_flipped = alike(in_the_mirror(points, MAT.shape[1]), found(flipped))
    assert len(at) > 60
    assert np.median(np.abs(at - of_flipped)) < 0.1
    assert len(at) > 3 * len(alike(points, found(flipped))[0]), "unmirrored ones are hardly alike"


def test_no_points_are_taken_where_the_mask_is_empty() -> None:
    mask = np.zeros_like(MAT)
    mask[:, 640:] = 255
    assert feature_points(MAT, mask, COUNT, CONTRAST).at[:, 0].min() > 630


def test_where_nothing_is_to_be_seen_there_are_no_points_and_nothing_is_alike() -> None:
    none = found(np.full((40, 40), 120, np.uint8))
    assert none.at.shape == (0, 2)
    assert none.marks.shape == (0, 128)
    assert len(alike(none, found(MAT))[0]) == len(alike(found(MAT), none)[0]) == 0
