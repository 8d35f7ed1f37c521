"""The layout of the printed mat: what fits on which paper, and what lies where."""

from __future__ import annotations

from itertools import combinations

import pytest

from engine.table import ELSEWHERE, Area, LawnPlace
from vision.layout import (
    DICE_MM,
    MARGIN_MM,
    MARKER_NUMBERS,
    SHEETS_MM,
    LayoutError,
    MatLayout,
    Rect,
    lawn_only,
    lawn_places,
    layout_of_marker,
    printed,
)


def every_mat() -> list[MatLayout]:
    mats = []
    for paper in SHEETS_MM:
        for dice in range(DICE_MM[0], DICE_MM[1] + 1):
            try:
                mats.append(printed(paper, dice))
            except LayoutError:
                continue
    return mats


MATS = every_mat()


def marker_rects(mat: MatLayout) -> list[Rect]:
    return [Rect(*corners[0], *corners[2]) for corners in mat.markers.values()]


def apart(a: Rect, b: Rect) -> bool:
    return a.x1 <= b.x0 or b.x1 <= a.x0 or a.y1 <= b.y0 or b.y1 <= a.y0


def test_every_paper_takes_the_usual_dice() -> None:
    names = {mat.name for mat in MATS}
    assert {f"{paper} mat for 16 mm dice" for paper in SHEETS_MM} <= names
    assert "A3 mat for 25 mm dice" in names


@pytest.mark.parametrize("mat", MATS, ids=lambda mat: mat.name)
def test_nothing_on_a_mat_overlaps_or_leaves_the_sheet(mat: MatLayout) -> None:
    # A marker needs a white border one module (a sixth of its side) wide.
    quiet = [
        Rect(r.x0 - r.width / 12, r.y0 - r.width / 12, r.x1 + r.width / 12, r.y1 + r.width / 12)
        for r in marker_rects(mat)
    ]
    parts = [mat.lawn, *(area.rect for area in mat.areas), *quiet]
    assert all(apart(a, b) for a, b in combinations(parts, 2))
    inner = mat.extent
    for part in [mat.lawn, *(area.rect for area in mat.areas), *marker_rects(mat)]:
        for corner in part.corners:
            assert inner.clearance(corner) >= MARGIN_MM - 1e-9


@pytest.mark.parametrize("mat", MATS, ids=lambda mat: mat.name)
def test_dice_lie_well_clear_of_their_neighbours(mat: MatLayout) -> None:
    assert mat.cell_mm[0] >= mat.dice_mm + 9
    assert mat.cell_mm[1] >= mat.dice_mm + 8
    for area in mat.areas:
        assert all(min(s.width, s.height) >= mat.dice_mm + 2 for s in area.spots)


def test_there_are_places_for_eighteen_dice_three_rows_and_two_captures() -> None:
    mat = printed()
    assert len({mat.place_of(mat.cell(place).centre)[0] for place in lawn_places()}) == 18
    kinds = [(area.area.kind, area.area.seat, len(area.spots)) for area in mat.areas]
    # rules 1:1.A and 1:2.C
    assert kinds == [
        ("row", 0, 8),
        ("row", 1, 8),
        ("row", 2, 8),
        ("captured", 0, 6),
        ("captured", 1, 6),
    ]


def test_a_point_is_placed_with_its_distance_to_the_next_place() -> None:
    mat = lawn_only((30, 26))
    assert mat.place_of((15, 13)) == (LawnPlace(1, "left"), 13)
    assert mat.place_of((62, 140)) == (LawnPlace(6, "right"), 2)
    place, clearance = mat.place_of((-3, -4))
    assert (place, clearance) == (ELSEWHERE, 5)
    big = printed()
    row = big.areas[2].rect
    assert big.place_of(row.centre) == (Area("row", 2), row.width / 2)


def test_marker_numbers_tell_mats_apart() -> None:
    taken: dict[int, str] = {}
    for mat in MATS:
        assert len(mat.markers) == 4
        for number in mat.markers:
            assert number in MARKER_NUMBERS
            assert taken.setdefault(number, mat.name) == mat.name
            assert layout_of_marker(number) == mat
    assert layout_of_marker(-1) is None
    assert layout_of_marker(max(MARKER_NUMBERS) + 1) is None


@pytest.mark.parametrize(
    ("paper", "dice", "says"),
    [
        ("A4", 25, "does not fit on A4; take A3 or tiles."),
        ("Letter", 19, "does not fit on Letter; take A4 or A3 or tiles."),
        ("A5", 16, "no mat for the paper A5"),
        ("A3", 30, "dice of 12 to 25 mm, not 30 mm"),
    ],
)
def test_what_does_not_fit_is_refused_with_what_would(paper: str, dice: int, says: str) -> None:
    with pytest.raises(LayoutError, match=says):
        printed(paper, dice)


def test_the_tiled_mat_is_the_a3_mat() -> None:
    assert printed("tiles", 16) == printed("A3", 16)
