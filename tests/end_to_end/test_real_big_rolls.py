"""Big Rolls of real dice: photographs whose labels say what lies there, scored as `lawn score` and the page do.

No photograph of the collection shows a whole Big Roll, so val photographs of white dice are laid side by side until
there are eight, and dice of val photographs whose colours were named by eye are laid out on one sheet.
"""

import csv
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.real import DEFAULT_ROOT, LabelledPhoto, load_photos
from engine.big_roll import score
from models.train_colours import NAMED_BY_EYE
from vision.photos import load_photo
from vision.reader import TableReader
from vision.scoring import score_reading

ROOT = Path(__file__).parents[2] / DEFAULT_ROOT
CELL_PX = 150
"""A byler die is about 90 px."""

pytestmark = [
    pytest.mark.photos,
    pytest.mark.skipif(
        not ROOT.is_dir(), reason="the real photographs are not beside this checkout"
    ),
]


@pytest.fixture(scope="module")
def reader() -> TableReader:
    return TableReader()


def tables_of_eight(source: str) -> Iterator[list[LabelledPhoto]]:
    """Val photographs of a source whose dice are all white, taken in turn until they show eight dice."""
    waiting = [p for p in load_photos(ROOT, "val") if p.source == source and 0 < len(p.faces) < 6]
    while waiting:
        table, need = [], 8
        for photo in list(waiting):
            if len(photo.faces) <= need:
                table.append(photo)
                waiting.remove(photo)
                need -= len(photo.faces)
            if need == 0:
                break
        if need:
            return
        yield table


def side_by_side(photos: list[LabelledPhoto]) -> np.ndarray:
    """Photographs of one height next to each other, (H, W, 3) uint8 BGR."""
    images = [load_photo(photo.path) for photo in photos]
    height = min(image.shape[0] for image in images)
    return np.hstack(
        [cv2.resize(im, (round(im.shape[1] * height / im.shape[0]), height)) for im in images]
    )


def test_eight_white_dice_of_val_photographs_are_scored_as_their_labels_say(
    reader: TableReader,
) -> None:
    tables = list(tables_of_eight("matteop65"))[:8]
    wrong = []
    for table in tables:
        truth = score([int(face) for photo in table for face in photo.faces])
        groups = score_reading(reader.read(side_by_side(table), "table")).groups
        if [(group.colour, group.roll) for group in groups] != [("white", truth)]:
            wrong.append([photo.path.name for photo in table])
    assert len(tables) == 8
    assert len(wrong) <= 1, wrong  # a few labels of this source are wrong


def named_dice() -> dict[str, list[tuple[np.ndarray, int]]]:
    """By colour, dice (picture with some table around it, face) of byler's val photographs, each lying alone."""
    photos = {str(p.path.relative_to(ROOT)): p for p in load_photos(ROOT, "val")}
    dice: dict[str, list[tuple[np.ndarray, int]]] = {}
    with NAMED_BY_EYE.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            photo = photos.get(row["image"])
            if photo is None or photo.source != "byler":
                continue
            image = load_photo(photo.path)
            boxes = photo.boxes_px(image.shape[1], image.shape[0])
            x0, y0, x1, y1 = boxes[int(row["die"])]
            x, y, half = (x0 + x1) / 2, (y0 + y1) / 2, CELL_PX / 2
            low, high = np.array([x - half, y - half]), np.array([x + half, y + half])
            near = (boxes[:, :2] < high).all(1) & (boxes[:, 2:] > low).all(1)
            inside = (low >= 0).all() and (high <= [image.shape[1], image.shape[0]]).all()
            if near.sum() == 1 and inside:
                left, top = low.astype(int)
                cell = image[top : top + CELL_PX, left : left + CELL_PX]
                dice.setdefault(row["colour"], []).append((cell, int(photo.faces[int(row["die"])])))
    return dice


@pytest.mark.parametrize("colours", [("red", "white", "green"), ("purple", "black"), ("blue",)])
def test_real_dice_of_several_colours_on_one_sheet_are_scored_as_their_labels_say(
    reader: TableReader, colours: tuple[str, ...]
) -> None:
    dice = named_dice()
    rows = [dice[colour][:8] for colour in colours]
    sheet = np.vstack([np.hstack([cell for cell, _ in row]) for row in rows])
    table = score_reading(reader.read(sheet, "sheet"))
    found = {group.colour: group.roll for group in table.groups}
    assert found == {
        colour: score([face for _, face in row]) for colour, row in zip(colours, rows, strict=True)
    }
