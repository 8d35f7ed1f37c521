"""The workshop's commands, one after the other as a person would run them, each on next to nothing."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.end_to_end.processes import SAMPLE, complaint, lawn
from vision.box_refiner import BoxRefiner
from vision.detect import Detector

QUIET = {"TQDM_DISABLE": "1"}
ALONE = ("--threads", "1")
"""Other tests run beside: more threads than processors only wait for one another."""


def test_drawn_tables_can_be_evaluated(tmp_path: Path) -> None:
    done = lawn("render", "--count", "2", "--seed", "7", "tables", cwd=tmp_path)
    assert done.returncode == 0, done.stderr.decode()
    assert b"drawing tables" in done.stderr  # the progress bar
    truths = sorted((tmp_path / "tables" / "truth").glob("*.json"))
    dice = sum(len(json.loads(truth.read_text())["dice"]) for truth in truths)
    assert len(truths) == 2
    words = ("evaluate", "--drawn", "tables", "--out", "numbers.json")
    done = lawn(*words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr.decode()
    numbers = json.loads((tmp_path / "numbers.json").read_text())
    assert numbers["all"]["dice"] == dice
    assert sum(map(sum, numbers["all"]["confusion"])) == numbers["all"]["found"]
    assert b"Confusion" in done.stdout


def test_the_shipped_detector_can_be_measured_in_a_moment(tmp_path: Path) -> None:
    done = lawn("evaluate", "--smoke", cwd=tmp_path)
    assert done.returncode == 0, done.stderr.decode()
    assert b"Confusion" in done.stdout
    assert not any(tmp_path.iterdir())


@pytest.mark.slow
def test_a_detector_can_be_trained_exported_and_measured(tmp_path: Path) -> None:
    done = lawn("train", "--smoke", *ALONE, "run", cwd=tmp_path, timeout=600)
    assert done.returncode == 0, done.stderr.decode()
    weights = Path(done.stdout.decode().splitlines()[-1].removeprefix("Trained weights: "))
    drawn = tmp_path / "run" / "drawn"
    done = lawn("export", weights, "face.onnx", "--drawn", drawn, cwd=tmp_path, timeout=600)
    assert done.returncode == 0, done.stderr.decode()
    done = lawn("evaluate", "--weights", "face.onnx", "--drawn", drawn, cwd=tmp_path)
    assert done.returncode == 0, done.stderr.decode()
    assert b"Confusion" in done.stdout


@pytest.mark.slow
def test_a_box_refiner_can_be_trained(tmp_path: Path) -> None:
    words = ("train-boxes", "--smoke", *ALONE, "run", "boxes.onnx")
    done = lawn(*words, cwd=tmp_path, timeout=600)
    assert done.returncode == 0, done.stderr.decode()
    box = (40.0, 40.0, 90.0, 90.0)
    picture = np.full((120, 120, 3), 90, np.uint8)
    assert len(BoxRefiner(tmp_path / "boxes.onnx").refined(picture, [box])) == 1


def test_exporting_can_be_tried_without_any_weights(tmp_path: Path) -> None:
    done = lawn("export", "--smoke", "face.onnx", cwd=tmp_path, timeout=600)
    assert done.returncode == 0, done.stderr.decode()
    assert b"exporting" in done.stderr  # the progress bar
    assert Detector(tmp_path / "face.onnx").stride == 16
    assert [path.name for path in tmp_path.iterdir()] == ["face.onnx"]


@pytest.mark.parametrize(
    "words",
    [
        ("train", "run"),
        ("train", "run", "--photos", "nowhere"),
        ("train", "run", "--drawn", "nowhere"),
        ("train-colours", "colours.json", "--photos", "nowhere"),
        ("export", "missing.pt", "face.onnx"),
        ("export", "face.onnx"),
        ("export", "--smoke", str(SAMPLE), "face.onnx"),
        ("calibrate", "--photos", "nowhere"),
        ("train-closeup", "run", "closeup.onnx"),
        ("train-boxes", "run", "boxes.onnx"),
        ("train-closeup", "run", "closeup.onnx", "--photos", "nowhere"),
        ("export", str(SAMPLE), "face.onnx"),
        ("evaluate",),
        ("evaluate", "--photos", "nowhere"),
        ("evaluate", "--weights", "missing.onnx", "--drawn", "nowhere"),
        ("evaluate", "--weights", str(SAMPLE), "--drawn", "nowhere"),
        ("render", "--count", "1", f"{SAMPLE}/tables"),
    ],
    ids=lambda words: " ".join(Path(word).name for word in words),
)
def test_what_cannot_be_worked_with_is_one_sentence(tmp_path: Path, words: tuple[str, ...]) -> None:
    complaint(lawn(*words, cwd=tmp_path, env=QUIET))
