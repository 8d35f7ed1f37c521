"""What a die looks like under another lamp, as the colour network's training shows it."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from models import train_colours
from models.train_colours import under_other_light
from vision.colours import FEATURES, LAB_UNIT


def inputs_of(srgb: list[tuple[int, int, int]]) -> NDArray[np.float64]:
    """(1, FEATURES): body, brightest part, darkest part, slices (here all of the body) and the picture's white."""
    srgb = [*srgb[:3], *[srgb[0]] * (FEATURES // 3 - 4), srgb[3]]
    rgb = np.array(srgb, np.float32).reshape(1, -1, 3) / 255
    return np.asarray(cv2.cvtColor(rgb, cv2.COLOR_RGB2LAB), np.float64).reshape(1, -1) / LAB_UNIT


def linear_of(inputs: NDArray[np.float64]) -> NDArray[np.float64]:
    lab = (inputs * LAB_UNIT).reshape(1, -1, 3).astype(np.float32)
    return np.asarray(cv2.cvtColor(lab, cv2.COLOR_Lab2LRGB), np.float64)[0]


DIE = inputs_of([(120, 30, 40), (180, 150, 140), (40, 10, 12), (150, 145, 135)])


def test_another_lamp_changes_a_die_and_the_white_beside_it_alike() -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        lit = under_other_light(DIE, rng)
        assert lit.shape == (1, FEATURES)
        gains = linear_of(lit) / linear_of(DIE)
        assert np.ptp(gains, axis=0).max() < 0.02  # one gain of red, one of green, one of blue


def test_what_is_too_bright_for_a_camera_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(train_colours, "EXPOSURE_SPREAD", 3.0)
    lit = under_other_light(DIE.repeat(200, 0), np.random.default_rng(2))
    assert lit[:, -3].max() * LAB_UNIT == pytest.approx(100, abs=0.1)  # L* of the white


def test_the_same_lamp_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(train_colours, "TINT_SPREAD", 0.0)
    monkeypatch.setattr(train_colours, "EXPOSURE_SPREAD", 0.0)
    assert under_other_light(DIE, np.random.default_rng(3)) == pytest.approx(DIE, abs=0.01)
