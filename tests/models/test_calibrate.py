"""Calibration: the fitted temperature makes what is said as often right as it says."""

from pathlib import Path

import numpy as np
import onnx
import pytest

from models.calibrate import fit_temperature, note_temperature
from models.train_closeup import build_network, export_closeup
from vision.closeup import CloseUpReader


def sayings(truth_temperature: float, count: int = 4000) -> tuple[np.ndarray, np.ndarray]:
    """Probabilities said (N, 6) and faces (N,) drawn from them softened by a temperature."""
    rng = np.random.default_rng(3)
    logits = rng.normal(0, 3, (count, 6))
    said = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
    real = np.exp(logits / truth_temperature)
    real /= real.sum(1, keepdims=True)
    faces = np.array([rng.choice(6, p=row) + 1 for row in real])
    return said, faces


@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.0])  # too timid, honest, too sure
def test_the_temperature_that_made_the_data_is_found(temperature: float) -> None:
    assert fit_temperature(*sayings(temperature)) == pytest.approx(temperature, rel=0.08)


def test_nothing_to_calibrate_on_is_said() -> None:
    with pytest.raises(ValueError, match="No dice"):
        fit_temperature(np.zeros((0, 6)), np.zeros(0, np.int64))


def test_the_temperature_is_noted_in_the_file_and_the_network_stays(tmp_path: Path) -> None:
    path = export_closeup(build_network(), tmp_path / "closeup.onnx")
    before = onnx.load(str(path)).graph
    note_temperature(path, 0.71)
    note_temperature(path, 0.72)  # the second replaces the first
    assert CloseUpReader(path).temperature == 0.72
    assert onnx.load(str(path)).graph == before
    assert {entry.key for entry in onnx.load(str(path)).metadata_props} == {
        "licence",
        "last_weight",
        "last_bias",
        "temperature",
    }
