"""A drawn die shows what a real one would."""

import math

import cv2
import numpy as np
import pytest

from datasets.compose import draw
from datasets.die import DieStyle, Lamp, pip_places, side_faces
from datasets.scenes import Camera, PlacedDie, Scene

PLAIN = DieStyle("red", (0.75, 0.1, 0.1), (1, 1, 1), (1, 1, 1), gloss=0.0)


@pytest.mark.parametrize("face", range(1, 7))
@pytest.mark.parametrize("turned", [False, True])
def test_a_face_has_as_many_pips_as_it_counts(face: int, turned: bool) -> None:
    places = pip_places(face, 0.5, turned)
    assert places.shape == (face, 2)
    assert len({tuple(place) for place in places}) == face


@pytest.mark.parametrize("left_handed", [False, True])
@pytest.mark.parametrize("top", range(1, 7))
def test_opposite_sides_sum_to_seven(top: int, left_handed: bool) -> None:
    style = DieStyle("red", (1, 0, 0), (1, 1, 1), (1, 1, 1), left_handed=left_handed)
    right, back, left, front = side_faces(top, style)
    assert right + left == 7
    assert back + front == 7
    assert sorted([top, 7 - top, right, back, left, front]) == [1, 2, 3, 4, 5, 6]


def test_one_two_three_run_counter_clockwise_on_a_western_die_only() -> None:
    right, back, *_ = side_faces(1, PLAIN)
    assert (right, back) == (2, 3)
    mirrored = DieStyle("red", (1, 0, 0), (1, 1, 1), (1, 1, 1), left_handed=True)
    right, back, *_ = side_faces(1, mirrored)
    assert (right, back) == (2, 4)


@pytest.mark.parametrize("face", range(1, 7))
def test_a_die_seen_from_above_shows_its_pips_as_white_spots(face: int) -> None:
    scene = Scene(
        "scatter",
        (PlacedDie(PLAIN, face, 0.0, 0.0, 0.3),),
        Camera(200.0, 0.0, -math.pi / 2, 0.0, 1.0),
        Lamp((0.0, 0.0, 1.0), 0.5),
        "paper",
        mat=False,
        seed=1,
    )
    table = draw(scene, 640, 360, clean=True)
    (die,) = table.dice
    x0, y0, x1, y1 = (int(v) for v in die.box)
    crop = table.image[y0:y1, x0:x1].astype(int)
    red = (crop[..., 2] - crop[..., 1] > 60).astype(np.uint8)
    # Spots that are not red but lie within the red die's outline.
    filled = cv2.morphologyEx(red, cv2.MORPH_CLOSE, np.ones((25, 25), np.uint8))
    spots = ((filled - red) > 0).astype(np.uint8)
    spots = cv2.morphologyEx(spots, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    inner = spots[12:-12, 12:-12]
    count, *_ = cv2.connectedComponents(inner)
    assert count - 1 == face
