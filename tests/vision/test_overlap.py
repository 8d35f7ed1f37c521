"""Boxes that overlap much are of one thing."""

import numpy as np
import pytest

from vision.overlap import apart, holds, iou, overlaps

HIGH, LOW, BETWEEN = (0, 0, 40, 44), (0, 30, 40, 74), (0, 15, 40, 60)


@pytest.mark.parametrize(
    ("box", "shared"),
    [
        (HIGH, 1.0),  # itself
        ((40, 0, 80, 44), 0.0),  # side by side
        ((20, 0, 60, 44), 1 / 3),  # half of each
        ((0, 0, 0, 0), 0.0),  # nothing
    ],
)
def test_overlap_is_what_is_shared_of_both(
    box: tuple[float, float, float, float], shared: float
) -> None:
    assert iou(HIGH, box) == pytest.approx(shared)
    assert overlaps(np.array([HIGH]), np.array([box]))[0, 0] == pytest.approx(shared)


def test_boxes_of_one_die_are_told_from_those_of_two() -> None:
    assert apart([HIGH, LOW, BETWEEN], 0.45) == [0, 1]
    assert apart([BETWEEN, HIGH, LOW], 0.45) == [0]  # whatever was found best holds both
    assert apart([HIGH, LOW], 0.45, taken=[(0, 32, 40, 76)]) == [0]  # the lower one is known
    assert apart([BETWEEN, HIGH, LOW], 0.65) == [0, 1, 2]  # no two are of one thing


def test_a_box_holds_another_whose_middle_lies_in_it() -> None:
    assert holds(BETWEEN, LOW)
    assert not holds(HIGH, LOW)
