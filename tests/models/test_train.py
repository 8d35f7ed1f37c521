"""Training, export and evaluation as they are really run, on a few drawn tables."""

import shutil
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.real import CollectionError
from models.evaluate import evaluate, pictures_of
from models.export import export, read_differently
from models.train import (
    Sample,
    TrainingError,
    TrainingPlan,
    cut_training_tiles,
    make_sure_of_writing,
    shares,
    train,
    training_pictures,
)
from models.train_closeup import SMOKE, CloseUpPlan, train_closeup, with_empty_places
from models.train_colours import drawn_dice, fit, measure
from tests.datasets.test_real import collection
from tests.models.conftest import THREADS
from vision.closeup import CROP_PX, CloseUpReader
from vision.colours import ColourNamer
from vision.detect import Detector
from vision.networks import open_network
from vision.overlap import overlaps


def _no_picture() -> Sample:
    return np.zeros((9, 9, 3), np.uint8), np.zeros((0, 4), np.float32), np.zeros(0, np.int64)


@pytest.fixture(scope="module")
def smoke(
    drawn_plan: TrainingPlan, tmp_path_factory: pytest.TempPathFactory
) -> tuple[TrainingPlan, Path, Path]:
    """A finished smoke run: its plan, its folder and its weights."""
    out = tmp_path_factory.mktemp("smoke")
    return drawn_plan, out, train(drawn_plan, out, threads=THREADS)


@pytest.mark.slow
def test_a_trained_network_is_exported_and_can_be_evaluated(
    smoke: tuple[TrainingPlan, Path, Path], tmp_path: Path
) -> None:
    plan, _, weights = smoke
    made = export(weights, tmp_path / "small.onnx")
    detector = Detector(made)
    assert detector.stride == 16
    assert made.stat().st_size < 8_000_000
    result = evaluate(made, None, drawn=[Path(plan.drawn[0])])
    assert result["all"]["pictures"] == 4
    assert result["all"]["dice"] > 0
    assert result["colours"]["drawn"]["right_percent"] > 50


@pytest.mark.slow
def test_exported_weights_hold_no_path_of_the_machine_that_made_them(
    smoke: tuple[TrainingPlan, Path, Path], tmp_path: Path
) -> None:
    _, out, weights = smoke
    made = export(weights, tmp_path / "small.onnx").read_bytes()
    assert str(out).encode() not in made
    assert b"site-packages" not in made


@pytest.mark.slow
def test_an_export_must_read_the_test_pictures_as_the_trained_network_does(
    smoke: tuple[TrainingPlan, Path, Path], tmp_path: Path
) -> None:
    plan, _, weights = smoke
    pictures = pictures_of(None, "val", [Path(plan.drawn[0])])[:1]
    made = export(weights, tmp_path / "small.onnx", pictures)
    assert read_differently(weights, made, pictures) == ()
    another = Detector().path  # the shipped network, which sees these dice
    assert "see" in read_differently(weights, another, pictures)[0]


@pytest.mark.slow
def test_an_export_that_reads_a_die_differently_is_not_kept(
    smoke: tuple[TrainingPlan, Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, _, weights = smoke
    monkeypatch.setattr("models.export.read_differently", lambda *_: ("a.jpg: they see 3 and 2",))
    with pytest.raises(TrainingError, match=r"reads 1 dice differently; .* a\.jpg: they see"):
        export(weights, tmp_path / "small.onnx")
    assert not (tmp_path / "small.onnx").exists()


@pytest.mark.slow
def test_a_finished_run_is_not_trained_again(smoke: tuple[TrainingPlan, Path, Path]) -> None:
    plan, out, weights = smoke
    before = weights.read_bytes()
    assert train(plan, out, threads=THREADS) == weights
    assert weights.read_bytes() == before


def test_the_same_plan_cuts_the_same_tiles_and_only_once(
    drawn_plan: TrainingPlan, tmp_path: Path
) -> None:
    plan = replace(drawn_plan, drawn_tiles=6)
    cut_training_tiles(plan, tmp_path / "a")
    cut_training_tiles(plan, tmp_path / "b")

    def tiles(run: str) -> dict[str, bytes]:
        found = (tmp_path / run / "tiles").rglob("0*.*")
        return {path.name: path.read_bytes() for path in found}

    assert len(tiles("a")) == 12  # six pictures, six label files
    assert tiles("a") == tiles("b")
    marker = tmp_path / "a" / "tiles" / "images" / "train" / "000000.jpg"
    marker.write_bytes(b"kept")
    cut_training_tiles(plan, tmp_path / "a")
    assert marker.read_bytes() == b"kept"


def test_a_heap_gives_more_tiles_than_a_single_die_but_not_by_its_number() -> None:
    readers = [_no_picture] * 3
    assert [share for _, share in shares(readers, 600, (1, 4, 9))] == [100, 200, 300]
    assert [share for _, share in shares(readers, 601)] == [200, 201, 200]
    assert sum(share for _, share in shares(readers, 2, (1, 4, 9))) == 2


@pytest.mark.slow
def test_training_goes_on_from_what_was_exported(
    smoke: tuple[TrainingPlan, Path, Path], tmp_path: Path
) -> None:
    plan, _, weights = smoke
    exported = export(weights, tmp_path / "first.onnx")
    further = replace(plan, learning_rate=1e-6)  # so little that nothing is learned
    trained = train(further, tmp_path / "run", start=exported, threads=THREADS)
    again = export(trained, tmp_path / "again.onnx")
    table = cv2.imread(str(next((Path(plan.drawn[0]) / "images").iterdir())))
    seen = np.float32(table[None, :320, :320, ::-1].transpose(0, 3, 1, 2)) / 255
    before, after, other = (
        open_network(each).run(seen) for each in (exported, again, Detector().path)
    )
    assert np.abs(after - before).max() < 0.02 * np.abs(other - before).max()


def test_nothing_to_train_on_is_said(tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match="Nothing to train on"):
        train(TrainingPlan(photos=None), tmp_path)
    with pytest.raises(TrainingError, match="no drawn tables here"):
        train(TrainingPlan(photos=None, drawn=(str(tmp_path / "none"),)), tmp_path)


def test_weights_that_are_none_are_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match=r"gone\.pt: there is no such file"):
        export(tmp_path / "gone.pt", tmp_path / "out.onnx")
    (tmp_path / "text.pt").write_text("not weights")
    with pytest.raises(TrainingError, match=r"text\.pt: not weights"):
        export(tmp_path / "text.pt", tmp_path / "out.onnx")
    assert not (tmp_path / "out.onnx").exists()


def test_colours_are_learned_from_drawn_tables(drawn_plan: TrainingPlan, tmp_path: Path) -> None:
    dice = drawn_dice([Path(drawn_plan.drawn[0])])
    empty = replace(dice, inputs=dice.inputs[:0], names=dice.names[:0], sources=())
    made = fit(dice, empty, tmp_path / "colours.json", steps=300)
    assert fit(dice, empty, tmp_path / "again.json", steps=300).read_text() == made.read_text()
    assert measure(ColourNamer(made), dice)["right_percent"] > 90


def test_an_unreadable_drawn_table_is_named(tmp_path: Path) -> None:
    (tmp_path / "images").mkdir()
    (tmp_path / "labels").mkdir()
    (tmp_path / "images" / "broken.jpg").write_bytes(b"no picture")
    (tmp_path / "labels" / "broken.txt").write_text("")
    with pytest.raises(TrainingError, match=r"broken\.jpg: this picture cannot be read"):
        train(TrainingPlan(photos=None, drawn=(str(tmp_path),), drawn_tiles=2), tmp_path / "out")
    assert cv2.imwrite(str(tmp_path / "images" / "broken.jpg"), np.zeros((9, 9, 3), np.uint8))


@pytest.mark.slow
def test_the_close_up_reader_is_trained_exported_and_gone_on_with(
    one_table_plan: TrainingPlan, tmp_path: Path
) -> None:
    def made_by(plan: CloseUpPlan, name: str) -> Path:
        out = tmp_path / f"{name}.onnx"
        return train_closeup(one_table_plan, plan, tmp_path / "run", out, threads=THREADS)

    made = made_by(SMOKE, "closeup")
    reader = CloseUpReader(made)
    crops = [np.zeros((CROP_PX, CROP_PX, 3), np.uint8)] * 2
    assert reader.logits(crops).shape == (2, 7)
    # A finished run is not trained again: the same network comes out at once.
    again = made_by(SMOKE, "again")
    assert np.allclose(CloseUpReader(again).logits(crops), reader.logits(crops))
    other = made_by(replace(SMOKE, epochs=2), "other")
    assert not np.allclose(CloseUpReader(other).logits(crops), reader.logits(crops))


def test_empty_places_are_clear_of_every_die(drawn_plan: TrainingPlan) -> None:
    for index, reader in enumerate(training_pictures(drawn_plan)):
        _, boxes, faces = with_empty_places(reader(), None, np.random.default_rng(index))
        empty = faces == 0
        assert empty.sum() <= 2
        assert (overlaps(boxes[empty], boxes[~empty]) < 0.15).all()
        assert (boxes[empty] >= 0).all()
        assert (boxes[empty] <= [1280, 720, 1280, 720]).all()


def test_a_misspelt_source_to_leave_out_is_refused(tmp_path: Path) -> None:
    root = collection(tmp_path)
    with pytest.raises(TrainingError, match="no such source; the sources are desk"):
        cut_training_tiles(TrainingPlan(photos=str(root), without=("dest",)), tmp_path / "out")


def test_weights_to_start_from_are_looked_at_before_anything_else(tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match=r"gone\.pt: there is no such file"):
        train(TrainingPlan(photos=None), tmp_path, start=tmp_path / "gone.pt")


def test_an_output_that_cannot_be_written_is_refused_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(TrainingError, match=r"closeup\.onnx: this file cannot be written"):
        make_sure_of_writing(tmp_path / "file" / "closeup.onnx")
    with pytest.raises(TrainingError, match="this is a folder"):
        make_sure_of_writing(tmp_path)
    make_sure_of_writing(tmp_path / "new" / "closeup.onnx")
    assert list((tmp_path / "new").iterdir()) == []


def test_a_damaged_truth_is_named(one_table_plan: TrainingPlan, tmp_path: Path) -> None:
    drawn = shutil.copytree(one_table_plan.drawn[0], tmp_path / "drawn")
    (truth,) = drawn.glob("truth/*.json")
    for damage in (
        "{",
        '{"dice": [{"box": [1], "colour": "red"}]}',
        '{"dice": [{"box": [1, 2, 3, 4]}]}',
    ):
        truth.write_text(damage)
        with pytest.raises(CollectionError, match=truth.name):
            drawn_dice([drawn])
