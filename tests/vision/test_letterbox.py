"""Letterboxing keeps the aspect and takes boxes back to the picture's own pixels."""

import numpy as np
import pytest

from vision.letterbox import PADDING, letterbox


@pytest.mark.parametrize(
    ("width", "height", "scale"),
    [
        (640, 480, 1.0),  # already a multiple of the stride
        (1280, 720, 0.5),  # halved
        (333, 517, 1.0),  # needs padding both ways
        (4000, 3000, 0.16),  # a phone photo
        (100, 40, 2.0),  # enlarged
    ],
)
def test_a_box_found_in_the_input_lands_on_the_same_thing_in_the_picture(
    width: int, height: int, scale: float
) -> None:
    image = np.zeros((height, width, 3), np.uint8)
    x0, y0, x1, y1 = width // 4, height // 4, width // 2, height // 2
    image[y0:y1, x0:x1] = 255
    shown, boxed = letterbox(image, scale, 16)
    assert shown.shape[0] % 16 == shown.shape[1] % 16 == 0
    rows, columns = np.nonzero(shown[..., 0] > 200)
    found = np.array([[columns.min(), rows.min(), columns.max() + 1, rows.max() + 1]], np.float32)
    back = boxed.to_picture(found)[0]
    assert np.abs(back - [x0, y0, x1, y1]).max() <= 1 / scale + 0.5


def test_padding_is_even_and_grey() -> None:
    shown, boxed = letterbox(np.zeros((20, 32, 3), np.uint8), 1.0, 16)
    assert shown.shape == (32, 32, 3)
    assert (boxed.left, boxed.top) == (0, 6)
    assert (shown[:6] == PADDING).all()
    assert (shown[26:] == PADDING).all()
    assert (shown[6:26] == 0).all()


def test_boxes_are_clipped_to_the_picture() -> None:
    _, boxed = letterbox(np.zeros((20, 32, 3), np.uint8), 1.0, 16)
    assert boxed.to_picture(np.array([[-5, -5, 50, 50]], np.float32)).tolist() == [[0, 0, 32, 20]]
