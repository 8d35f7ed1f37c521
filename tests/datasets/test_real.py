"""Collections of labelled photographs: read exactly, refused clearly."""

import csv
from pathlib import Path

import numpy as np
import pytest

from datasets.real import (
    DEFAULT_ROOT,
    CollectionError,
    load_photos,
    load_unlabelled,
    read_labels,
)
from models.evaluate import match


def collection(root: Path, label: str = "3 0.5 0.5 0.2 0.1\n") -> Path:
    (root / "desk" / "images").mkdir(parents=True)
    (root / "desk" / "labels").mkdir()
    (root / "desk" / "labels" / "one.txt").write_text(label)
    (root / "split.csv").write_text("image,source,split\ndesk/images/one.jpg,desk,train\n")
    return root


def test_class_numbers_become_faces_and_centres_become_corners(tmp_path: Path) -> None:
    (photo,) = load_photos(collection(tmp_path))
    assert photo.faces.tolist() == [4]
    assert np.allclose(photo.boxes_px(100, 200), [[40, 90, 60, 110]])


def test_a_split_is_taken_from_the_file(tmp_path: Path) -> None:
    root = collection(tmp_path)
    assert len(load_photos(root, "train")) == 1
    assert load_photos(root, "val") == []


@pytest.mark.parametrize(
    ("label", "problem"),
    [
        ("0 0.5 0.5 0.2\n", "line 1: five numbers"),  # one number missing
        ("1 0.5 0.5 0.2 0.1\nx 1 1 1 1\n", "line 2: five numbers"),  # not a number
        ("6 0.5 0.5 0.2 0.1\n", "class 6 is not one of 0 to 5"),  # a seventh face
        ("0 5 5 1 1\n", "line 1: .* between 0 and 1"),  # in pixels
        ("0 nan 0.5 0.1 0.1\n", "between 0 and 1"),  # no number
        ("0 0.5 0.5 -0.1 0.1\n", "between 0 and 1"),  # a box inside out
    ],
)
def test_a_malformed_label_names_its_file_and_line(
    tmp_path: Path, label: str, problem: str
) -> None:
    with pytest.raises(CollectionError, match=problem):
        load_photos(collection(tmp_path, label))


def test_a_folder_without_a_split_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CollectionError, match=r"no split\.csv"):
        load_photos(tmp_path)


def test_a_missing_label_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(CollectionError, match=r"none\.txt"):
        read_labels(tmp_path / "none.txt")


def test_dice_named_by_eye_belong_to_the_collection() -> None:
    table = Path(__file__).parents[2] / "datasets" / "real_colours.csv"
    with table.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len({(row["image"], row["die"]) for row in rows}) > 500


def test_files_that_are_no_text_are_named(tmp_path: Path) -> None:
    root = collection(tmp_path)
    (root / "desk" / "labels" / "one.txt").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(CollectionError, match=r"one\.txt: this is no text file"):
        load_photos(root)
    (root / "split.csv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(CollectionError, match=r"split\.csv: this file cannot be read"):
        load_photos(root)


def test_dice_without_a_label_lie_in_pictures_and_are_many() -> None:
    left_out = load_unlabelled()
    assert sum(map(len, left_out.values())) == 55
    for boxes in left_out.values():
        assert (boxes >= 0).all()
        assert (boxes <= 1).all()
        assert (boxes[:, 2:] > boxes[:, :2]).all()


@pytest.mark.photos
@pytest.mark.skipif(not DEFAULT_ROOT.is_dir(), reason="the photographs are not beside it")
def test_dice_without_a_label_lie_in_photographs_of_the_collection_and_have_no_label() -> None:
    photos = {(photo.source, photo.path.name): photo for photo in load_photos(DEFAULT_ROOT)}
    for where, left_out in load_unlabelled().items():
        assert match(left_out, photos[where].boxes) == []
