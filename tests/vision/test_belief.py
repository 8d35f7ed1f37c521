"""Fusing readings of one die: certainty grows a little, never piles up, and can be overturned."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.belief import CORRELATION, LEAST_P, MEMORY, Belief

SURE_OF_FIVE = (0.01, 0.01, 0.01, 0.01, 0.95, 0.01)
SURE_OF_TWO = (0.01, 0.95, 0.01, 0.01, 0.01, 0.01)
WAVERING = (0.05, 0.05, 0.3, 0.05, 0.5, 0.05)


def fused(*readings: tuple[float, ...]) -> Belief:
    belief = Belief.of(readings[0])
    for reading in readings[1:]:
        belief = belief.fused(reading)
    return belief


def test_one_reading_is_believed_as_it_is() -> None:
    assert Belief.of(WAVERING).probabilities == pytest.approx(WAVERING)


def test_more_readings_that_agree_make_surer() -> None:
    assert fused(WAVERING, WAVERING).probabilities[4] > 0.5


def test_a_thousand_frames_of_one_picture_are_worth_less_than_two() -> None:
    # Correlated frames of a static picture must not pile up false certainty.
    belief = fused(*[WAVERING] * 1000)
    assert belief.worth <= 1 / CORRELATION
    assert belief.probabilities[4] < 0.7


def test_a_wrong_belief_is_overturned_however_long_it_stood() -> None:
    belief = fused(*[SURE_OF_TWO] * 500)
    readings = 0
    while belief.probabilities[4] < 0.9:
        belief = belief.fused(SURE_OF_FIVE)
        readings += 1
    assert readings <= 2 * MEMORY


def test_one_wild_reading_does_not_overturn() -> None:
    assert fused(*[SURE_OF_FIVE] * 4, (0, 1, 0, 0, 0, 0)).probabilities[4] > 0.9


def test_nothing_is_ever_excluded() -> None:
    assert min(fused((0, 0, 0, 0, 1, 0)).probabilities) >= LEAST_P / 2


@given(
    st.lists(
        st.lists(st.floats(0, 1), min_size=6, max_size=6).filter(lambda p: sum(p) > 0.1),
        min_size=1,
        max_size=12,
    )
)
def test_a_fused_belief_sums_to_one(readings: list[list[float]]) -> None:
    parts = [tuple(p / sum(each) for p in each) for each in readings]
    probabilities = fused(*parts).probabilities
    assert sum(probabilities) == pytest.approx(1)
    assert min(probabilities) > 0
