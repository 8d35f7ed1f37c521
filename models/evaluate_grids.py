"""Measure the grid finder and the view's recovery on drawn tables with exact truth: `lawn evaluate --grids N`."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
from tqdm import tqdm

from datasets.grids import (
    BUMPS,
    LOOKALIKES,
    QUIET_SURFACES,
    STYLES,
    GridTable,
    bumped_tables,
    grid_table,
    lookalike,
)
from vision.constellation import StarDie, found_by_dice
from vision.detect import Detection
from vision.grid import FoundGrid, find_grid
from vision.grid_finder import GridFinder
from vision.layout import lawn_only
from vision.mat import FoundMat, mat_of_corners
from vision.mat_keeper import WORST_ERROR_MM
from vision.refind import Refinder
from vision.row_numbers import numbers_told

NEAR_CELLS = 0.15
"""A grid whose corners are on average further than this from the truth, in cells, is a wrong grid."""


def evaluate_grids(count: int, seed: int = 50_000) -> dict[str, Any]:
    """Look for the grid on `count` tables with one and on as many that only look like it.

    Of the true ones: how many found right, not found, found wrongly; the corners' error in mm at 50 and 95 % of those
    found; of the others: how many grids were claimed. row_numbers: on how many of the true lawns with and without
    numbers beside them these told the right end and side, or a wrong one. All shares in percent; seconds of processor.
    """
    by_style: dict[str, dict[str, int]] = {}
    errors: list[float] = []
    ratios: list[float] = []
    seconds: list[float] = []
    numbers = {kind: {"tables": 0, "right": 0, "wrong": 0} for kind in ("with", "without")}
    for number in tqdm(range(count), desc="tables with a grid", unit="table"):
        table = grid_table(seed + number, STYLES[number % len(STYLES)])
        _read_numbers(table, numbers)
        found = _timed(table, seconds)
        tally = by_style.setdefault(table.name, {"tables": 0, "right": 0, "none": 0, "wrong": 0})
        tally["tables"] += 1
        if found is None:
            tally["none"] += 1
            continue
        off_px = corners_off(found, table)
        error_mm = off_px * _mm_per_px(table)
        right = error_mm < NEAR_CELLS * float(np.sqrt(np.prod(table.cell_mm)))
        tally["right" if right else "wrong"] += 1
        errors.append(error_mm)
        ratios.append(off_px / max(found.error_px, 1e-6))
    claimed: dict[str, dict[str, int]] = {}
    for number in tqdm(range(count), desc="tables without", unit="table"):
        table = lookalike(seed + number, LOOKALIKES[number % len(LOOKALIKES)])
        tally = claimed.setdefault(table.name, {"tables": 0, "claimed": 0})
        tally["tables"] += 1
        tally["claimed"] += _timed(table, seconds) is not None
    total = {
        key: sum(tally[key] for tally in by_style.values()) for key in ("right", "none", "wrong")
    }
    return {
        "tables": count,
        **{f"{key}_percent": round(100 * value / count, 1) for key, value in total.items()},
        "corner_error_mm": _percentiles(errors),
        "error_of_its_own_estimate": _percentiles(ratios),
        "claimed_without_a_grid_percent": round(
            100 * sum(tally["claimed"] for tally in claimed.values()) / count, 1
        ),
        "seconds": _percentiles(seconds),
        "row_numbers": numbers,
        "styles": by_style,
        "lookalikes": claimed,
    }


def _read_numbers(table: GridTable, tally: dict[str, dict[str, int]]) -> None:
    """Read the numbers beside a lawn whose corners are known, but not which end is row 1 nor whether it is mirrored."""
    assert table.corners is not None
    readings = [
        table.corners[order] for order in ([0, 1, 2, 3], [2, 3, 0, 1], [1, 0, 3, 2], [3, 2, 1, 0])
    ]
    boxes = np.array([box for box, _ in table.dice], np.float64).reshape(-1, 4)
    told = numbers_told(table.image, readings, boxes)
    kind = tally["with" if table.numbers else "without"]
    kind["tables"] += 1
    if max(told) > min(told):
        kind["right" if told[0] == max(told) else "wrong"] += 1


def evaluate_bumps(count: int, seed: int = 60_000) -> dict[str, Any]:
    """Bump the camera of `count` tables by 5 cm or 10 degrees, half of them without any print, and find the view again.

    By what the table looks like, else by the dice on it, else by its lines, as vision.view does. How many, by surface;
    the worst corner's error in mm, and as a multiple of its own estimate, at 50, 95 and 100 %; processor seconds.
    """
    by_surface: dict[str, dict[str, int]] = {}
    errors: list[float] = []
    ratios: list[float] = []
    seconds: list[float] = []
    for number in tqdm(range(count), desc="bumped cameras", unit="table"):
        surface = QUIET_SURFACES[number % len(QUIET_SURFACES)]
        bump = BUMPS[number // len(QUIET_SURFACES) % len(BUMPS)]
        sheet = number // (len(QUIET_SURFACES) * len(BUMPS)) % 2 == 0
        before, after = bumped_tables(seed + number, surface, bump, sheet)
        refinder = reference_of(before)
        start = time.process_time()
        found = refinder.find(after.image)
        way = "features"
        if found is None:
            way = "dice"
            rough = found_by_dice(_stars(before), _mat_of(before), _stars(after))
            if rough is not None:
                found = refinder.followed(after.image, rough)
                if found is None and rough.error_mm <= WORST_ERROR_MM:
                    found = rough
        if found is None and sheet:
            way = "lines"
            found = GridFinder().find_among(after.image, _read(after), _mat_of(before))
        seconds.append(time.process_time() - start)
        tally = by_surface.setdefault(
            f"{surface}, {'a printed sheet on it' if sheet else 'bare'}",
            {"tables": 0, "features": 0, "dice": 0, "lines": 0},
        )
        tally["tables"] += 1
        if found is not None:
            tally[way] += 1
            errors.append(worst_corner_mm(found, after))
            ratios.append(errors[-1] / max(found.error_mm, 1e-6))
    return {
        "tables": count,
        "found_percent": round(100 * len(errors) / count, 1),
        "worst_corner_mm": _percentiles(errors),
        "error_of_its_own_estimate": _percentiles(ratios),
        "seconds": _percentiles(seconds),
        "surfaces": by_surface,
    }


def reference_of(table: GridTable) -> Refinder:
    """What finds a drawn table again, its mat known exactly."""
    boxes = np.array([box for box, _ in table.dice], np.float64).reshape(-1, 4)
    return Refinder(table.image, _mat_of(table), boxes)


def _mat_of(table: GridTable) -> FoundMat:
    """The mat of a drawn table, known exactly."""
    assert table.corners is not None
    size = (table.image.shape[1], table.image.shape[0])
    return replace(mat_of_corners(table.corners, size, lawn_only(table.cell_mm)), error_mm=0.0)


def _stars(table: GridTable) -> list[StarDie]:
    """The dice of a drawn table as they would be read without fault, but all of one colour."""
    return [StarDie(box, face, {"white": 1.0}) for box, face in table.dice]


def _read(table: GridTable) -> list[Detection]:
    """The same, as vision.grid_finder takes them."""
    return [
        Detection(box, 1.0, tuple(0.95 if each == face else 0.01 for each in range(1, 7)))
        for box, face in table.dice
    ]


def worst_corner_mm(found: FoundMat, table: GridTable) -> float:
    """How far (mm) the found mat has the true corner that it errs most about."""
    assert table.corners is not None
    off = found.to_mm(table.corners) - np.array(found.layout.corners)
    return float(np.linalg.norm(off, axis=1).max())


def corners_off(found: FoundGrid, table: GridTable) -> float:
    """Mean distance of the found corners from the true ones, px, whichever end is row 1."""
    assert table.corners is not None
    turned = found.corners[[2, 3, 0, 1]]
    return float(
        min(np.linalg.norm(each - table.corners, axis=1).mean() for each in (found.corners, turned))
    )


def _timed(table: GridTable, seconds: list[float]) -> FoundGrid | None:
    boxes = np.array([box for box, _ in table.dice], np.float64).reshape(-1, 4)
    start = time.process_time()
    found = find_grid(table.image, boxes)
    seconds.append(time.process_time() - start)
    return found


def _mm_per_px(table: GridTable) -> float:
    """Scale at the lawn: square root of its area in mm and in px."""
    assert table.corners is not None
    area_px = cv2.contourArea(table.corners.astype(np.float32))
    return float(np.sqrt(18 * np.prod(table.cell_mm) / area_px))


def _percentiles(values: list[float]) -> dict[str, float] | None:
    if not values:
        return None
    return {f"p{p}": round(float(np.percentile(values, p)), 3) for p in (50, 95, 100)}
