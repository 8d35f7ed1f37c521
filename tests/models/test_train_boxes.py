"""The box refiner's training: wrong boxes, exact edges, a run that is exported and gone on with."""

from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np
import pytest

from models.train import TrainingError, TrainingPlan
from models.train_boxes import SMOKE, BoxPlan, examples_of, random_square, train_boxes, wrong_box
from tests.models.conftest import THREADS
from vision.box_refiner import CROP_PX, BoxRefiner
from vision.detect import Detection, Detector

TRUE = np.array([500.0, 400.0, 540.0, 450.0])
UNSEEN = np.full(4, np.nan)


def seen_by(*boxes: tuple[float, float, float, float]) -> Detector:
    class Stub:
        def find(self, _: np.ndarray) -> list[Detection]:
            return [Detection(box, 0.9, (1 / 6,) * 6) for box in boxes]

    return cast(Detector, Stub())


def test_the_edges_that_are_taught_are_those_of_the_die_in_the_square(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("models.train_boxes.varied", lambda crop, _: crop)
    image = np.full((720, 1280, 3), 20, np.uint8)
    image[400:450, 500:540] = 220
    (one,) = examples_of(image, np.array([TRUE], np.float32), None)
    for seed in range(40):
        crop, edges = random_square(one, np.random.default_rng(seed))
        x0, y0, x1, y1 = (edges + 0.5) * CROP_PX
        light = (crop[..., 0].astype(float) - 20) / 200
        if min(x0, y0) > 1 and max(x1, y1) < CROP_PX - 1:
            assert light.sum() == pytest.approx((x1 - x0) * (y1 - y0), rel=0.04)
        inside = light[int(max(y0, 0)) + 2 : int(y1) - 1, int(max(x0, 0)) + 2 : int(x1) - 1]
        assert inside.min() > 0.95


def test_wrong_boxes_are_of_every_kind_and_still_of_their_die() -> None:
    rng = np.random.default_rng(5)
    wrong = np.array([wrong_box(TRUE, UNSEEN, rng) for _ in range(400)])
    off = (wrong - TRUE) / np.sqrt(40 * 50)
    assert (off[:, 2] > 0.25).any()  # took in what is beside it
    assert (off[:, 2] < -0.15).any()  # lost a side
    assert (wrong[:, 2] > wrong[:, 0]).all()
    assert (wrong[:, 3] > wrong[:, 1]).all()
    assert np.abs(off).max() < 1


def test_the_detectors_own_boxes_are_learned_from_where_they_are_of_a_die() -> None:
    image = np.zeros((720, 1280, 3), np.uint8)
    near, far = (498.0, 400.0, 545.0, 460.0), (100.0, 100.0, 140.0, 140.0)
    both = np.array([TRUE, TRUE + 200], np.float32)
    one, other = examples_of(image, both, seen_by(far, near))
    assert (one.seen - one.true).tolist() == (np.array(near) - TRUE).tolist()
    assert np.isnan(other.seen).all()
    assert all(np.isnan(each.seen).all() for each in examples_of(image, both, None))


@pytest.mark.parametrize("grown", [1, 3])  # kept as it is, and shrunk
def test_a_die_is_kept_with_its_surroundings(grown: int) -> None:
    image = np.full((1000, 1000, 3), 20, np.uint8)
    x0, y0, x1, y1 = (int(edge) for edge in TRUE)
    x1, y1 = x0 + (x1 - x0) * grown, y0 + (y1 - y0) * grown
    image[y0:y1, x0:x1] = 220
    (one,) = examples_of(image, np.array([[x0, y0, x1, y1]], np.float32), None)
    assert max(one.image.shape) <= 2 * 1.6 * 64 + 3
    light = (one.image[..., 0].astype(float) - 20) / 200
    left, top, right, bottom = one.true
    assert light.sum() == pytest.approx((right - left) * (bottom - top), rel=0.02)
    assert light[int(top) + 2 : int(bottom) - 1, int(left) + 2 : int(right) - 1].min() > 0.95


@pytest.mark.slow
def test_the_box_refiner_is_trained_exported_and_gone_on_with(
    one_table_plan: TrainingPlan, tmp_path: Path
) -> None:
    def made_by(plan: BoxPlan, run: str, name: str, start: Path | None = None) -> BoxRefiner:
        folder, out = tmp_path / run, tmp_path / f"{name}.onnx"
        return BoxRefiner(
            train_boxes(one_table_plan, plan, folder, out, threads=THREADS, start=start)
        )

    image, boxes = np.full((90, 90, 3), 50, np.uint8), [(20.0, 20.0, 60.0, 60.0)]
    image[25:55, 25:55] = 200
    made = made_by(SMOKE, "run", "boxes")
    # A finished run is not trained again: the same network comes out at once.
    again = made_by(SMOKE, "run", "again")
    assert np.allclose(again.refined(image, boxes), made.refined(image, boxes))
    other = made_by(replace(SMOKE, epochs=2), "run", "other")
    assert not np.allclose(other.refined(image, boxes), made.refined(image, boxes))
    checkpoint = tmp_path / "run" / "boxes.pt"
    slow = replace(SMOKE, learning_rate=1e-9)
    on = made_by(slow, "on", "on", checkpoint)
    from_file = made_by(slow, "on2", "on2", tmp_path / "other.onnx")
    assert np.allclose(from_file.refined(image, boxes), other.refined(image, boxes), atol=1.0)
    apart = [
        np.abs(np.subtract(on.refined(image, boxes), each.refined(image, boxes))).max()
        for each in (other, made)
    ]
    assert apart[0] < apart[1]
    (tmp_path / "text.pt").write_text("no checkpoint")
    with pytest.raises(TrainingError, match=r"text\.pt: not the checkpoint"):
        made_by(SMOKE, "x", "x", tmp_path / "text.pt")


def test_nothing_to_train_on_is_said(tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match="Nothing to train on"):
        train_boxes(TrainingPlan(photos=None), SMOKE, tmp_path / "run", tmp_path / "boxes.onnx")
