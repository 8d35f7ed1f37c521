"""What the spots of dice tell: rows in order, and pushed dice beside the Lawn."""

from __future__ import annotations

from engine.evidence import Die
from engine.order import is_ordered, lies_beside, line_of
from engine.sight import Seen, sightings
from engine.table import ELSEWHERE, LawnPlace, Place


def die(key: int, face: int, x: float, y: float, place: Place = ELSEWHERE, owner: int = 0) -> Die:
    faces = tuple(float(each == face) for each in range(1, 7))
    owners = tuple(float(each == owner) for each in range(4))
    return Die(key, faces, owners, ((place, 1.0),), 0.0, ident=key, xy_mm=(x, y))


def test_ascending_dice_on_a_line_are_in_order() -> None:  # rule 3:3.A
    row = [die(n, face, 21.0 * n, 200.0 + n % 2) for n, face in enumerate((1, 2, 2, 5))]
    line = line_of(row)
    assert line is not None
    assert is_ordered(row, line)


def test_a_die_that_was_just_rolled_lies_off_the_line() -> None:
    row = [die(n, face, 21.0 * n, 200.0) for n, face in enumerate((1, 2, 2, 5))]
    line = line_of(row)
    assert is_ordered([*row, die(9, 6, 90.0, 209.0)], line) is False
    assert is_ordered([*row, die(9, 1, 90.0, 200.0)], line) is False


def test_two_dice_show_no_line() -> None:
    assert line_of([die(0, 1, 0, 0), die(1, 2, 20, 0)]) is None
    assert is_ordered([die(0, 1, 0, 0)], None) is None


def test_a_pushed_die_lies_beside_its_row_and_a_rolled_one_does_not() -> None:  # rule 5:1.B
    lawn = [
        die(10 * row + n, row, 30.0 * n + 15, 26.0 * row - 13, LawnPlace(row, side), 1)  # type: ignore[arg-type]
        for row in (1, 4, 6)
        for n, side in enumerate(("left", "center", "right"))
    ]
    (sight, *_) = sightings(Seen((*lawn, die(1, 4, -12.0, 92.0)), frozenset(), 2))
    assert lies_beside(sight, 0, 4)
    assert lies_beside(sight, 0, 1) is False
    (sight, *_) = sightings(Seen((*lawn, die(1, 4, 150.0, 230.0)), frozenset(), 2))
    assert lies_beside(sight, 0, 4) is False
    # Nor one that has rolled further than a row that slides one place pushes it; it may well turn aside, though.
    for x, y, beside in ((-44.0, 92.0, False), (-12.0, 106.0, True), (-12.0, 113.0, False)):
        (sight, *_) = sightings(Seen((*lawn, die(1, 4, x, y)), frozenset(), 2))
        assert lies_beside(sight, 0, 4) is beside
