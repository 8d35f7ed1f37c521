"""Real photographs with their truth, in the layout of the real-dice collection.

Layout of a collection's folder::

    split.csv                   columns image, source, split (train | val)
    <source>/images/NAME.jpg
    <source>/labels/NAME.txt    YOLO lines: class x_center y_center width height, all but the class in 0..1

Class 0..5 is the top face 1..6; the box is the whole visible die. Near-duplicates never straddle the split,
so a split must be taken from the file and never drawn anew.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

UNLABELLED = Path(__file__).with_name("real_unlabelled.csv")
"""Dice in the train photographs that carry no label, found by a reader and looked at one by one.

They are painted out of training pictures: taught as background, they would teach not to see dice."""

DEFAULT_ROOT = Path("../shared/real-dice")
"""Where the photographs lie when they are beside the repository."""


class CollectionError(ValueError):
    """A collection of photographs cannot be used; the message names the file and what is wrong."""


@dataclass(frozen=True)
class LabelledPhoto:
    """One photograph and its truth.

    `boxes` is (N, 4) float32, x0 y0 x1 y1 as fractions of the width and height; `faces` is (N,) int64, 1..6.
    """

    path: Path
    source: str
    split: str
    boxes: NDArray[np.float32]
    faces: NDArray[np.int64]

    def boxes_px(self, width: int, height: int) -> NDArray[np.float32]:
        """Boxes (N, 4) float32 in pixels of a picture of this size."""
        return self.boxes * np.array([width, height, width, height], np.float32)


def read_labels(path: Path) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Read one label file: boxes (N, 4) x0 y0 x1 y1 in 0..1 and faces (N,) 1..6.

    Raises CollectionError when the file is missing or a line is malformed.
    """
    boxes: list[list[float]] = []
    faces: list[int] = []
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise CollectionError(f"{path}: cannot be read ({error.strerror}).") from error
    except UnicodeDecodeError as error:
        raise CollectionError(f"{path}: this is no text file of labels.") from error
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            klass, x, y, w, h = (float(word) for word in line.split())
        except ValueError as error:
            raise CollectionError(
                f"{path}, line {number}: five numbers are wanted (class x y width height)."
            ) from error
        if klass not in range(6):
            raise CollectionError(f"{path}, line {number}: class {klass:g} is not one of 0 to 5.")
        if not (0 <= x <= 1 and 0 <= y <= 1 and 0 < w <= 1 and 0 < h <= 1):
            raise CollectionError(
                f"{path}, line {number}: centre and size are shares of the picture, so each lies between 0 and 1."
            )
        boxes.append([x - w / 2, y - h / 2, x + w / 2, y + h / 2])
        faces.append(int(klass) + 1)
    return (
        np.array(boxes, np.float32).reshape(-1, 4),
        np.array(faces, np.int64),
    )


def load_unlabelled(path: Path = UNLABELLED) -> dict[tuple[str, str], NDArray[np.float32]]:
    """(source, file name) -> boxes (N, 4) float32, x0 y0 x1 y1 in 0..1, of dice that the labels leave out."""
    boxes: dict[tuple[str, str], list[list[float]]] = {}
    for row in csv.DictReader(path.read_text(encoding="utf-8").splitlines()):
        corners = [float(row[name]) for name in ("x0", "y0", "x1", "y1")]
        boxes.setdefault((row["source"], row["image"]), []).append(corners)
    return {where: np.array(found, np.float32) for where, found in boxes.items()}


def load_photos(root: Path, split: str | None = None) -> list[LabelledPhoto]:
    """All photographs of a collection (or of one split of it), in the order of its split.csv.

    Raises CollectionError when split.csv or a label file is missing or malformed.
    """
    table = root / "split.csv"
    if not table.is_file():
        raise CollectionError(
            f"{root}: no split.csv here; give the folder that holds the labelled photographs."
        )
    try:
        rows = list(csv.DictReader(table.read_text(encoding="utf-8").splitlines()))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise CollectionError(f"{table}: this file cannot be read as a table.") from error
    photos = []
    for row in rows:
        try:
            image, source, where = row["image"], row["source"], row["split"]
        except KeyError as error:
            raise CollectionError(f"{table}: the column {error} is missing.") from error
        if split is not None and where != split:
            continue
        path = root / image
        boxes, faces = read_labels(root / source / "labels" / f"{path.stem}.txt")
        photos.append(LabelledPhoto(path, source, where, boxes, faces))
    return photos
