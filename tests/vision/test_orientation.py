"""Which end is row 1, by the dice on the lawn."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.mat import Array, mat_of_corners
from vision.orientation import LyingDie, oriented, settled

CORNERS = np.array([[400, 100], [800, 130], [900, 650], [350, 600]], np.float64)
HALF_TURN = [2, 3, 0, 1]


def die(row: int, column: int, face: int, sure: float = 0.97, corners: Array = CORNERS) -> LyingDie:
    """A die in the middle of a cell, rows and columns from 0."""
    mat = mat_of_corners(corners, (1280, 720))
    w, h = mat.layout.cell_mm
    x, y = mat.to_px(np.array([[(column + 0.5) * w, (row + 0.5) * h]]))[0]
    rest = (1 - sure) / 5
    return LyingDie((x, y), [sure if f == face else rest for f in range(1, 7)])


def test_the_neutral_dice_of_two_players_tell_the_end() -> None:  # rule 1:2.C
    best = settled(oriented(CORNERS, [die(row, 1, row + 1) for row in range(6)]))
    assert best is not None
    assert not best.turned
    np.testing.assert_allclose(best.corners, CORNERS)
    turned = settled(oriented(CORNERS, [die(row, 1, 6 - row) for row in range(6)]))
    assert turned is not None
    assert turned.turned
    np.testing.assert_allclose(turned.corners, CORNERS[HALF_TURN])


def test_without_dice_both_ends_are_alike_and_it_is_asked() -> None:
    readings = oriented(CORNERS)
    assert settled(readings) is None
    assert readings[0].probability == pytest.approx(readings[1].probability)


def test_dice_that_disagree_leave_it_unsure() -> None:
    dice = [die(0, 0, 1), die(1, 1, 2), die(0, 2, 6), die(1, 0, 5)]
    assert settled(oriented(CORNERS, dice)) is None


def test_dice_thrown_onto_the_lawn_tell_nothing() -> None:
    dice = [die(row, column, face) for row, column, face in
            [(0, 0, 3), (1, 1, 4), (2, 2, 1), (3, 0, 6), (4, 1, 1), (5, 2, 2), (2, 0, 5)]]  # fmt: skip
    assert settled(oriented(CORNERS, dice)) is None


def test_one_wrongly_read_die_among_many_does_not_hide_the_end() -> None:
    dice = [die(row, 1, row + 1) for row in range(6)] + [die(2, 0, 6)]
    assert settled(oriented(CORNERS, dice)) is not None


def test_dice_beside_the_lawn_are_passed_over() -> None:
    beside = [LyingDie((50.0, 50.0), [0, 0, 0, 0, 0, 1.0])] * 5
    assert oriented(CORNERS, beside)[0].probability == oriented(CORNERS)[0].probability


def test_dice_cannot_tell_a_mirror_but_other_knowledge_can() -> None:
    dice = [die(row, 1, row + 1) for row in range(6)]
    best = settled(oriented(CORNERS, dice, mirror=0.99))
    assert best is not None
    assert best.mirrored
    np.testing.assert_allclose(best.corners, CORNERS[[1, 0, 3, 2]])
    assert settled(oriented(CORNERS, dice, mirror=0.5)) is None


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 2), st.integers(1, 6)), max_size=18),
    st.sampled_from([[0, 1, 2, 3], HALF_TURN, [1, 0, 3, 2], [3, 2, 1, 0]]),
)
def test_the_reading_does_not_depend_on_how_the_corners_are_named(
    lying: list[tuple[int, int, int]], names: list[int]
) -> None:
    dice = [die(*each) for each in lying]
    one, other = oriented(CORNERS, dice), oriented(CORNERS[names], dice)
    assert sum(each.probability for each in one) == pytest.approx(1)
    by_corners = {tuple(each.corners.ravel()): each.probability for each in other}
    for each in one:
        assert by_corners[tuple(each.corners.ravel())] == pytest.approx(each.probability, abs=1e-9)
