"""Measure how well the mat is found and dice are located on it: `lawn evaluate --mat FOLDER`.

FOLDER holds pictures with exact truth, made by `lawn render --engine mat` or `--engine traced`. Two kinds of boxes are
measured: the true ones, which show the geometry alone, and those that the reader finds.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from datasets.real import CollectionError
from engine.table import LawnPlace
from models.evaluate import match, percent
from vision.find import DiceFinder
from vision.footprint import edge_for, footprints_mm
from vision.frames import Image
from vision.layout import MatLayout, Point, lawn_only, printed
from vision.mat import FoundMat
from vision.mat_finder import MatFinder

INSIDE_MM = 3.0
"""Dice whose centre lies at least this far inside a place of the Lawn must be put there."""


@dataclass
class Located:
    """Errors mm of located dice, and of those well inside a place how many were put there."""

    errors_mm: list[float] = field(default_factory=list)
    inside: int = 0
    right: int = 0

    def add(
        self,
        truth: Sequence[Point],
        found: NDArray[np.float64],
        layout: MatLayout,
        there: MatLayout,
    ) -> None:
        """Compare dice: true centres, found ones (N, 2) mm, the true layout and the one that was found."""
        for xy, at in zip(truth, found, strict=True):
            self.errors_mm.append(float(np.hypot(*(at - xy))))
            place, clearance = layout.place_of(xy)
            if isinstance(place, LawnPlace) and clearance >= INSIDE_MM:
                self.inside += 1
                self.right += there.place_of((float(at[0]), float(at[1])))[0] == place

    def to_json(self) -> dict[str, Any]:
        """Counts, percentiles of the error and the share in the right place."""
        errors = np.array(self.errors_mm)
        at = {name: round(float(np.percentile(errors, q)), 2) if len(errors) else None
              for name, q in (("median_mm", 50), ("p95_mm", 95), ("p99_mm", 99), ("worst_mm", 100))}  # fmt: skip
        return {
            "dice": len(errors),
            **at,
            "inside": self.inside,
            "right_place": self.right,
            "right_place_percent": percent(self.right, self.inside),
        }


@dataclass(frozen=True)
class Truth:
    """A picture and what is true of it; corners (4, 2) px, boxes (N, 4) px, centres mm."""

    image: Image
    layout: MatLayout
    corners: NDArray[np.float64]
    mirrored: bool
    boxes: NDArray[np.float64]
    centres: tuple[Point, ...]


def truths(folder: Path) -> Iterator[tuple[str, Truth]]:
    """Name and truth of every picture of our printed mat. Raises CollectionError when there is none."""
    paths = sorted((folder / "truth").glob("*.json"))
    some = False
    for path in tqdm(paths, desc="locating", unit="picture"):
        told = json.loads(path.read_text(encoding="utf-8"))
        mat = told.get("mat") or {}
        design = (told.get("presets") or {}).get("mat") or ""
        corners = mat.get("corners") if "paper" in mat else mat.get("lawn_corners")
        if not corners or not ("paper" in mat or design.startswith("own")):
            continue
        some = True
        picture = folder / "images" / f"{path.stem}.jpg"
        image = cv2.imread(str(picture), cv2.IMREAD_COLOR)
        if image is None:
            raise CollectionError(f"{picture}: this picture cannot be read.")
        dice = [die for die in told["dice"] if die.get("labelled", True)]
        yield (
            path.stem,
            Truth(
                np.asarray(image, np.uint8),
                _layout(mat, dice),
                np.array(corners, np.float64),
                bool(told.get("mirrored")),
                np.array([die["box"] for die in dice], np.float64).reshape(-1, 4),
                tuple((float(die["xy_mm"][0]), float(die["xy_mm"][1])) for die in dice),
            ),
        )
    if not some:
        raise CollectionError(
            f"{folder}: no tables with a mat here; make some with 'lawn render --engine mat'."
        )


def _layout(mat: dict[str, Any], dice: Sequence[dict[str, Any]]) -> MatLayout:
    if "paper" in mat:
        return printed(mat["paper"], int(mat["dice_mm"]))
    edges = [die["edge_mm"] for die in dice]
    width, height = mat["pitch_mm"]
    return lawn_only((float(width), float(height)), float(np.median(edges)) if edges else 16.0)


def evaluate_mat(folder: Path, weights: Path | None = None, read: bool = True) -> dict[str, Any]:
    """Locate the dice of a folder's pictures; returns the JSON object that `lawn evaluate --mat` writes.

    read: also with the reader's boxes (weights: of the detector, None for the shipped ones). Raises CollectionError.
    """
    finder = MatFinder()
    reader = DiceFinder(weights) if read else None
    pictures, missed, wrong = 0, [], []
    corner_mm: list[float] = []
    said: list[float] = []
    located = {"true boxes": Located(), "read boxes": Located()}
    for name, truth in truths(folder):
        pictures += 1
        found = finder.find(truth.image)
        if found is None:
            missed.append(name)
            continue
        off = found.to_mm(truth.corners) - np.array(truth.layout.corners)
        corner_mm.append(float(np.sqrt((off**2).sum(1)).max()))
        other = np.abs(np.array(found.layout.cell_mm) - truth.layout.cell_mm).max() > 0.1
        if found.mirrored != truth.mirrored or other or corner_mm[-1] > max(truth.layout.cell_mm):
            wrong.append(name)
        said.append(found.error_mm)
        _locate(located["true boxes"], truth, found, truth.boxes, range(len(truth.centres)))
        if reader is not None:
            seen = np.array([die.box for die in reader.find(truth.image)], np.float64).reshape(
                -1, 4
            )
            pairs = match(seen.astype(np.float32), truth.boxes.astype(np.float32))
            boxes = seen[[f for f, _ in pairs]].reshape(-1, 4)
            _locate(located["read boxes"], truth, found, boxes, [t for _, t in pairs])
    if reader is None:
        del located["read boxes"]
    return {
        "pictures": pictures,
        "found": pictures - len(missed),
        "missed": missed,
        "wrong_mat": wrong,
        "worst_corner_p95_mm": round(float(np.percentile(corner_mm, 95)), 2) if corner_mm else None,
        "said_error_median_mm": round(float(np.median(said)), 2) if said else None,
        **{kind: counts.to_json() for kind, counts in located.items()},
    }


def _locate(
    into: Located, truth: Truth, found: FoundMat, boxes: NDArray[np.float64], which: Sequence[int]
) -> None:
    if len(boxes):
        at = footprints_mm(boxes, found, edge_for(boxes, found))
        into.add([truth.centres[t] for t in which], at, truth.layout, found.layout)


def report_mat(result: dict[str, Any]) -> str:
    """The result for people."""
    lines = [
        f"Mats: {result['found']} of {result['pictures']} found, {len(result['wrong_mat'])} taken for another "
        f"one or turned; the lawn's worst corner is off by {result['worst_corner_p95_mm']} mm at 95 %."
    ]
    if result["missed"]:
        lines.append(f"Not found: {', '.join(result['missed'][:10])}.")
    head = f"{'':<12}{'dice':>7}{'median mm':>11}{'95 %':>7}{'99 %':>7}{'worst':>7}{'inside':>8}{'right place %':>15}"
    lines.append(head)
    for kind in ("true boxes", "read boxes"):
        if kind in result:
            row = result[kind]
            lines.append(
                f"{kind:<12}{row['dice']:>7}{row['median_mm'] or 0:>11.2f}{row['p95_mm'] or 0:>7.2f}"
                f"{row['p99_mm'] or 0:>7.2f}{row['worst_mm'] or 0:>7.2f}{row['inside']:>8}"
                f"{row['right_place_percent'] or 0:>15.2f}"
            )
    return "\n".join(lines)
