"""The mean of two networks is a network whose every weight is the mean of theirs."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnx
import pytest

from models.average import average
from models.export import export
from models.exported import ExportedError, load_exported, tensors_of
from models.train import TrainingError
from models.train_closeup import build_network, export_closeup
from vision.closeup import CROP_PX, CloseUpReader
from vision.detect import shipped_weights


def reader(seed: int, out: Path) -> Path:
    import torch

    torch.manual_seed(seed)
    return export_closeup(build_network().eval(), out)


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("readers")
    return [reader(seed, folder / f"{seed}.onnx") for seed in (1, 2)]


def test_every_weight_is_the_mean_of_theirs_and_so_is_the_noted_last_layer(
    two: list[Path], tmp_path: Path
) -> None:
    made = average(two, tmp_path / "mean.onnx")
    one, other, mean = (tensors_of(path) for path in (*two, made))
    assert list(mean) == list(one)
    for name, values in mean.items():
        assert np.allclose(values, (one[name] + other[name]) / 2, atol=1e-7), name
    notes = {note.key: note.value for note in load_exported(made).metadata_props}
    assert any(
        np.allclose(json.loads(notes["last_weight"]), values, atol=1e-6)
        for values in mean.values()
        if values.shape == np.shape(json.loads(notes["last_weight"]))
    )


def test_the_mean_reads_close_ups_and_the_mean_of_one_with_itself_reads_as_it_does(
    two: list[Path], tmp_path: Path
) -> None:
    crops = [np.random.default_rng(3).integers(0, 256, (CROP_PX, CROP_PX, 3), np.uint8)]
    same = average([two[0], two[0]], tmp_path / "same.onnx")
    assert CloseUpReader(same).logits(crops) == pytest.approx(CloseUpReader(two[0]).logits(crops))
    other = CloseUpReader(average(two, tmp_path / "mean.onnx")).logits(crops)
    assert other.shape == (1, 7)
    assert other != pytest.approx(CloseUpReader(two[0]).logits(crops))


def test_what_has_no_mean_is_refused_by_name(two: list[Path], tmp_path: Path) -> None:
    bad = tmp_path / "bad.onnx"
    bad.write_bytes(b"no network")
    out = tmp_path / "out.onnx"
    with pytest.raises(TrainingError, match="two or more"):
        average(two[:1], out)
    with pytest.raises(ExportedError, match=r"bad\.onnx: this is not an exported network"):
        average([two[0], bad], out)
    with pytest.raises(ExportedError, match=r"box-refiner\.onnx: its layers are not those of"):
        average([two[0], shipped_weights("box-refiner.onnx")], out)
    with pytest.raises(ExportedError, match=r"box-refiner\.onnx: this is no close-up reader"):
        average([shipped_weights("box-refiner.onnx")] * 2, out)
    assert not out.exists()


def shaken(network: Path, out: Path) -> Path:
    """The network with each of its weights changed by a hundredth or so."""
    made, rng = load_exported(network), np.random.default_rng(5)
    for layer in made.graph.initializer:
        values = onnx.numpy_helper.to_array(layer)
        if values.dtype == np.float32:
            other = values * rng.normal(1, 0.01, values.shape).astype(np.float32)
            layer.CopyFrom(onnx.numpy_helper.from_array(other, layer.name))
    onnx.save(made, str(out))
    return out


@pytest.mark.slow
def test_the_mean_of_detectors_is_one_that_can_be_exported(tmp_path: Path) -> None:
    shipped = shipped_weights("face-detector.onnx")
    files = [shipped, shaken(shipped, tmp_path / "shaken.onnx")]
    made = export(average(files, tmp_path / "mean.pt"), tmp_path / "mean.onnx")
    one, other, mean = (tensors_of(path) for path in (*files, made))
    for name, values in mean.items():
        wanted = (one[name] + other[name]) / 2
        # What ultralytics keeps has half the digits.
        assert np.allclose(values, wanted, rtol=2e-3, atol=2e-4), name
    assert not all(np.allclose(values, one[name], atol=1e-4) for name, values in mean.items())
    with pytest.raises(ExportedError, match=r"0\.onnx: an export of another network"):
        average([reader(0, tmp_path / "0.onnx")] * 2, tmp_path / "other.pt")
