"""White is seen where it is printed: by the mat's markers, under any lamp."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.mat_pictures import Look, picture
from vision.colours import ColourNamer, lab
from vision.frames import Image
from vision.layout import lawn_only
from vision.mat import FoundMat, mat_of_corners
from vision.mat_finder import MatFinder
from vision.mat_white import white_of_markers
from vision.overlap import Box

LAMPS = [
    (1.0, 1.0, 1.0),  # daylight
    (0.45, 0.8, 1.1),  # a warm lamp, blue first
    (0.12, 0.1, 0.08),  # a dark room
    (0.9, 0.5, 0.7),  # a purple one
]


def lit(image: Image, lamp: tuple[float, float, float] | np.ndarray) -> Image:
    """A picture (H, W, 3) uint8 BGR under a lamp: shares of linear blue, green and red, or of each pixel."""
    linear = (image / 255.0) ** 2.2 * np.asarray(lamp)
    return np.asarray(np.clip(linear, 0, 1) ** (1 / 2.2) * 255, np.uint8)


def mat_in(image: Image) -> FoundMat:
    found = MatFinder().find(image)
    assert found is not None
    return found


@pytest.mark.parametrize("lamp", LAMPS)
def test_white_is_what_the_lamp_makes_of_paper(lamp: tuple[float, float, float]) -> None:
    image = picture(Look())
    told = white_of_markers(lit(image, lamp), mat_in(image))
    paper = lab(lit(np.full((1, 1, 3), 255, np.uint8), lamp))[0, 0]
    assert told is not None
    assert np.linalg.norm(told - paper) < 4


def test_a_lamp_at_one_end_of_the_mat_is_met_in_the_middle() -> None:
    image = picture(Look())
    falling = np.linspace(1.0, 0.2, image.shape[1])[None, :, None]
    told = white_of_markers(lit(image, falling), mat_in(image))
    ends = [lab(lit(np.full((1, 1, 3), 255, np.uint8), (s, s, s)))[0, 0, 0] for s in (0.2, 1.0)]
    assert told is not None
    assert ends[0] + 10 < told[0] < ends[1] - 10


def test_a_covered_marker_does_not_count_and_without_any_nothing_is_told() -> None:
    image = picture(Look())
    mat = mat_in(image)
    over = [mat.to_px(np.array(corners)) for corners in mat.layout.markers.values()]
    boxes = [(*(px.min(0) - 9), *(px.max(0) + 9)) for px in over]
    dark = image.copy()
    x0, y0, x1, y1 = (int(edge) for edge in boxes[0])
    dark[y0:y1, x0:x1] = (40, 20, 120)  # something red lies on the first
    with_it, without = (white_of_markers(dark, mat, seen) for seen in ((), [boxes[0]]))
    right = white_of_markers(image, mat)
    assert with_it is not None
    assert without is not None
    assert right is not None
    assert np.linalg.norm(without - right) < 2 < np.linalg.norm(with_it - right)
    assert white_of_markers(image, mat, boxes) is None


def test_a_mat_without_markers_tells_no_white() -> None:
    corners = np.array([[300, 100], [900, 100], [900, 600], [300, 600]], np.float64)
    mat = mat_of_corners(corners, (1280, 720), lawn_only())
    assert white_of_markers(np.full((720, 1280, 3), 255, np.uint8), mat) is None


def dice_under(
    lamp: tuple[float, float, float], bodies: dict[str, tuple[int, int, int]]
) -> tuple[Image, list[Box], np.ndarray]:
    """A picture of flat dice of these colours (BGR) under a lamp, their boxes px, and L*a*b* of white paper there."""
    image = np.full((120, 60 * len(bodies), 3), 40, np.uint8)  # nothing white is in sight
    boxes = []
    for at, colour in enumerate(bodies.values()):
        boxes.append((60.0 * at + 10, 40.0, 60.0 * at + 50, 80.0))
        cv2.rectangle(image, (60 * at + 10, 40), (60 * at + 49, 79), colour, -1)
        cv2.circle(image, (60 * at + 30, 60), 5, (20, 20, 20), -1)
    paper = lab(lit(np.full((1, 1, 3), 237, np.uint8), lamp))[0, 0].astype(np.float64)
    return lit(image, lamp), boxes, paper


def said(image: Image, boxes: list[Box], white: np.ndarray | None = None) -> list[str]:
    return [max(p, key=lambda name: p[name]) for p in ColourNamer().name(image, boxes, white)]


@pytest.mark.parametrize("lamp", LAMPS)
def test_beside_known_white_a_die_is_named_as_by_daylight(lamp: tuple[float, float, float]) -> None:
    bodies = {"white": (232, 240, 242), "grey": (133, 130, 128), "yellow": (20, 207, 240),
              "blue": (180, 88, 34), "red": (30, 24, 184)}  # fmt: skip
    image, boxes, white = dice_under(lamp, bodies)
    assert said(image, boxes, white) == list(bodies)


def test_grey_dice_without_anything_white_are_grey_where_white_is_known() -> None:
    image, boxes, white = dice_under((1.5, 1.5, 1.5), {"grey": (133, 130, 128)})
    assert said(image, boxes) == ["white"]  # the brightest thing in sight is taken for white
    assert said(image, boxes, white) == ["grey"]
