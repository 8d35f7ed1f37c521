"""A mat that its markers place badly is brought closer by what is printed on it."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.mat_pictures import SIZE, Look, grid, picture
from vision.layout import lawn_places
from vision.lens import Lens
from vision.mat import FoundMat, from_fit
from vision.mat_finder import MatFinder, fit_markers
from vision.mat_print import by_print

FINDER = MatFinder()


def by_markers(
    look: Look, seen: dict[int, np.ndarray], mirrored: bool = False
) -> tuple[FoundMat, np.ndarray, np.ndarray]:
    """The mat by some markers' corners alone; the corners, mm and px."""
    fit = fit_markers(look.layout, seen, look.size, mirrored, None)
    assert fit is not None
    points = np.array([look.layout.markers[number] for number in seen]).reshape(-1, 2)
    return (
        from_fit(fit, look.layout, mirrored),
        points,
        np.array(list(seen.values())).reshape(-1, 2),
    )


def worst_mm(found: FoundMat, look: Look, lens: Lens | None = None) -> float:
    """The largest error anywhere on the sheet, mm."""
    points = grid(look.layout)
    seen = look.px(points) if lens is None else lens.bent(look.px(points))
    if found.mirrored:
        seen[:, 0] = look.size[0] - seen[:, 0]
    return float(np.linalg.norm(found.to_mm(seen) - points, axis=1).max())


@pytest.mark.parametrize("mirrored", [False, True])
def test_markers_whose_corners_dice_cover_are_overruled_by_the_print(mirrored: bool) -> None:
    look = Look(55, 20)
    seen = look.markers()
    for number, corners in enumerate(seen.values()):
        if number:  # as where the outline of a die runs across the marker
            corners[number - 1 : number + 1] += [5.0 * (number - 2), 4.0]
    image = picture(look)
    if mirrored:
        image = np.ascontiguousarray(image[:, ::-1])
        for corners in seen.values():
            corners[:, 0] = SIZE[0] - corners[:, 0]
    found, points, at = by_markers(look, seen, mirrored)
    assert worst_mm(found, look) > 2.0
    fit = by_print(image, found, points, at, None)
    assert fit is not None
    better = from_fit(fit, look.layout, mirrored)
    assert worst_mm(better, look) < 0.5
    assert better.error_mm < 0.3 < found.error_mm


def test_dice_on_the_lawn_do_not_mislead() -> None:
    look = Look(60, -15)
    image = picture(look)
    places = [look.layout.cell(place).centre for place in lawn_places()]
    for x, y in look.px(np.array(places)):
        low, high = (int(x) - 14, int(y) - 16), (int(x) + 14, int(y) + 16)
        cv2.rectangle(image, low, high, (40, 40, 190), -1)
        cv2.circle(image, (int(x), int(y)), 4, (240, 240, 240), -1)
    found, points, at = by_markers(look, look.markers())
    fit = by_print(image, found, points, at, None)
    assert fit is not None
    assert worst_mm(from_fit(fit, look.layout, False), look) < 0.3


def test_the_lens_is_told_by_the_print_where_two_markers_leave_it_open() -> None:
    look, bend = Look(50, 15, focal=0.75, distance=430), -0.15
    found = FINDER.find(picture(look, hidden=(1, 2), bend=bend))
    assert found is not None
    assert found.lens.bend == pytest.approx(bend, abs=0.02)
    assert worst_mm(found, look, Lens(look.focal * SIZE[0], SIZE, bend)) < 0.3


def test_a_sheet_that_shows_nothing_but_markers_is_left_as_these_say() -> None:
    look = replace(Look(55, 20), distance=600)
    image = picture(look)
    kept = np.zeros(image.shape[:2], np.uint8)
    for corners in look.markers().values():
        middle = corners.mean(0)
        wider = (middle + (corners - middle) * 1.3).astype(np.int32)
        cv2.fillConvexPoly(kept, wider, 255)
    blank = np.where(kept[..., None] > 0, image, 235).astype(np.uint8)
    found, points, at = by_markers(look, look.markers())
    assert by_print(blank, found, points, at, None) is None
    by_both = FINDER.find(blank)
    assert by_both is not None
    assert worst_mm(by_both, look) < 1.0
