"""Each source of photographs is read by networks that never saw it."""

from __future__ import annotations

import shutil
from pathlib import Path

import cv2
import pytest

from datasets.real import CollectionError, load_photos
from models.leave_one_out import SMOKE, LeaveOneOut, leave_one_out, report_left_out
from models.train import TrainingError, TrainingPlan
from tests.datasets.test_real import collection
from tests.models.conftest import THREADS


@pytest.fixture
def photos(one_table_plan: TrainingPlan, tmp_path: Path) -> Path:
    """A collection of two sources, each with a train and a val picture of a drawn table."""
    drawn, root = Path(one_table_plan.drawn[0]), tmp_path / "photos"
    (picture,) = (drawn / "images").iterdir()
    rows = ["image,source,split"]
    for source in ("desk", "floor"):
        images, labels = root / source / "images", root / source / "labels"
        images.mkdir(parents=True)
        labels.mkdir()
        for split in ("train", "val"):
            cv2.imwrite(str(images / f"{split}.jpg"), cv2.imread(str(picture)))
            shutil.copyfile(drawn / "labels" / f"{picture.stem}.txt", labels / f"{split}.txt")
            rows.append(f"{source}/images/{split}.jpg,{source},{split}")
    (root / "split.csv").write_text("\n".join(rows) + "\n")
    return root


@pytest.mark.slow
def test_a_source_that_is_left_out_is_measured_whole_and_only_once(
    photos: Path, one_table_plan: TrainingPlan, tmp_path: Path
) -> None:
    check = LeaveOneOut(
        str(photos), one_table_plan.drawn, tmp_path / "out", threads=THREADS, plan=SMOKE
    )
    result = leave_one_out(check, ["floor"])
    (counts,) = result["sources"].values()
    assert counts["pictures"] == 2  # of both splits: all that is left out is unseen
    assert counts["dice"] == sum(len(p.faces) for p in load_photos(photos) if p.source == "floor")
    assert report_left_out(result).splitlines()[1].startswith("floor")
    shutil.rmtree(photos / "floor" / "images")
    assert leave_one_out(check, ["floor"]) == result  # kept, not read again


def test_training_for_a_left_out_source_sees_none_of_its_photographs(
    photos: Path, tmp_path: Path
) -> None:
    check = LeaveOneOut(str(photos), (), tmp_path / "out")
    assert check.seen("desk").without == ("desk",)
    assert check.sources() == ["desk", "floor"]


def test_a_misspelt_source_is_refused_before_the_work(photos: Path, tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match="no such source; the sources are desk, floor"):
        leave_one_out(LeaveOneOut(str(photos), (), tmp_path / "out"), ["dsk"])
    assert not (tmp_path / "out").exists()


def test_one_source_alone_cannot_be_left_out(tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match="two sources at least"):
        leave_one_out(LeaveOneOut(str(collection(tmp_path)), (), tmp_path / "out"))


def test_a_collection_that_is_none_is_named(tmp_path: Path) -> None:
    with pytest.raises(CollectionError, match=r"no split\.csv"):
        leave_one_out(LeaveOneOut(str(tmp_path), (), tmp_path / "out"))
