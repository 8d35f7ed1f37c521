"""sRGB colours as light: the curve of the standard, not a plain power."""

from __future__ import annotations

import numpy as np
import pytest

from vision.linear_light import linear_of


@pytest.mark.parametrize(
    ("value", "light"),
    [
        (0, 0.0),
        (10, 10 / 255 / 12.92),  # the straight part near black
        (188, 0.5029),  # half of the light looks much brighter than half
        (255, 1.0),
    ],
)
def test_the_light_of_a_grey(value: int, light: float) -> None:
    assert linear_of(np.full((2, 3), value, np.uint8)) == pytest.approx(
        np.full((2, 3), light), abs=1e-4
    )
