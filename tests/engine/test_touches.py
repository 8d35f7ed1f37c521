"""Which dice were touched between two views, where one of them was overlooked before."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.pools import MISSED_ANEW, packed
from engine.touches import Touched, seat_touch
from tests.engine.tables import table
from tests.engine.watched import Table

ROW = (1, 1, 2, 3, 3, 4, 5, 5)
LAWN = {5: "rw.", 6: ".wb"}


@pytest.fixture
def one_overlooked() -> Touched:
    """Seven of eight dice were seen; they lie where they lay, and now the eighth is seen too."""
    return Touched(
        sure=(packed(ROW[1:]),),
        same=(7,),
        over=(0,),
        ghosts=(0,),
        seen=(8,),
        before=(packed(ROW[1:]),),
        lacked=(1,),
    )


def test_a_die_that_was_overlooked_and_is_found_was_not_moved(one_overlooked: Touched) -> None:
    row = packed(ROW)
    assert seat_touch(one_overlooked, 0, row, row, False, True) == 1.0
    moved = replace(one_overlooked, lacked=(0,))
    assert seat_touch(moved, 0, row, row, False, True) < 0.1


def test_another_die_that_is_overlooked_now_is_no_more_likely_for_it(
    one_overlooked: Touched,
) -> None:
    row, kept = packed((*ROW[1:], 6)), packed(ROW[1:])  # it was rolled, and shows a 6 now
    other = replace(one_overlooked, same=(6,), seen=(7,))
    assert seat_touch(other, 0, kept, row, True, True) == pytest.approx(MISSED_ANEW)
    row = packed(ROW)
    still = replace(one_overlooked, seen=(7,))
    assert seat_touch(still, 0, row, row, False, True) == 1.0


def test_the_tracks_tell_of_whom_a_die_was_overlooked() -> None:
    seen = Table(table("boundary-choice red", {"red": "1244456", "blue": "1123456"}, LAWN))
    seen.look()
    overlooked = seen.scene.take(1, 3)
    seen.look()
    assert seen.referee.trail is not None
    tracks = seen.referee.trail.tracks
    assert tracks.lacked(seen.position) == (0, 1)
    seen.scene.dice.append(overlooked)
    seen.look()
    assert seen.referee.trail.tracks.lacked(seen.position) == (0, 0)
