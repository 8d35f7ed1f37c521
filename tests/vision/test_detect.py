"""The detector: found dice, their boxes in the picture's own pixels, and honest refusals."""

from pathlib import Path

import numpy as np
import pytest

from datasets.compose import draw
from datasets.scenes import big_roll_scene
from vision.detect import GOOD_DIE_PX, WANTED_DIE_PX, Detection, Detector
from vision.networks import ModelError


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector()


def test_face_probabilities_sum_to_one_and_follow_the_scores(detector: Detector) -> None:
    scores = np.array([[0.9, 0.1, 0.05, 0.01, 0.0, 0.0], [0.2] * 6], np.float32)
    p = detector.face_probabilities(scores)
    assert np.allclose(p.sum(1), 1)
    assert (np.diff(p[0]) <= 0).all()
    assert np.allclose(p[1], 1 / 6)


def test_an_empty_table_has_no_dice(detector: Detector) -> None:
    scene = big_roll_scene(112, players=3, calm=True)
    empty = draw(type(scene)(**{**scene.__dict__, "dice": ()}), clean=True)
    assert detector.find(empty.image) == []


def test_the_second_look_brings_dice_to_the_wanted_size(detector: Detector) -> None:
    def dice(size: float) -> list[Detection]:
        return [Detection((0, 0, size, size), 0.9, (1, 0, 0, 0, 0, 0))]

    # 30 px dice in a small picture, shown as it is: they are enlarged, which costs little there.
    scale = detector.better_scale(dice(30), 1.0, 640)
    assert scale is not None
    assert 30 * scale == pytest.approx(WANTED_DIE_PX)
    # The same size in a picture that had to be shrunk is good enough.
    assert detector.better_scale(dice(120), 0.25, 2560) is None
    # 300 px dice seen at 3/8: more than the network knows.
    scale = detector.better_scale(dice(300), 0.375, 2560)
    assert scale is not None
    assert 300 * scale == pytest.approx(WANTED_DIE_PX)
    # Of good size already.
    assert detector.better_scale(dice(sum(GOOD_DIE_PX) / 2 / 0.5), 0.5, 1280) is None
    # Nothing seen in the first look: look once more at full size.
    assert detector.better_scale([], 0.5, 1280) == 1.0
    # Never more than the longest side allowed, whatever the dice.
    assert detector.better_scale(dice(20), 0.16, 4000) == pytest.approx(1920 / 4000)


@pytest.mark.parametrize("shape", [(1, 1, 3), (3, 2000, 3), (700, 17, 3)])
def test_pictures_of_odd_shapes_are_read_without_error(
    detector: Detector, shape: tuple[int, int, int]
) -> None:
    assert detector.find(np.full(shape, 90, np.uint8)) == []


def test_missing_and_foreign_weights_are_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"gone\.onnx: there is no such file"):
        Detector(tmp_path / "gone.onnx")
    (tmp_path / "text.onnx").write_text("not a network")
    with pytest.raises(ModelError, match=r"text\.onnx: not a network"):
        Detector(tmp_path / "text.onnx")


def test_weights_of_ones_own_need_their_own_backend(tmp_path: Path) -> None:
    (tmp_path / "mine.pt").write_bytes(b"weights")
    with pytest.raises(ModelError, match=r"mine\.pt: weights of this kind need --backend ultra"):
        Detector(tmp_path / "mine.pt")
    with pytest.raises(ModelError, match=r"mine\.pt: not weights that ultralytics can load"):
        Detector(tmp_path / "mine.pt", "ultralytics")
    with pytest.raises(ModelError, match=r"--weights FILE\.pt"):
        Detector(None, "ultralytics")
