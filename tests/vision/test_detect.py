"""The detector: found dice, their boxes in the picture's own pixels, and honest refusals."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.compose import draw
from datasets.scenes import big_roll_scene
from models.evaluate import match, overlaps
from vision.detect import GOOD_DIE_PX, WANTED_DIE_PX, Detection, Detector, ModelError

SAMPLE = Path(__file__).parents[2] / "webui" / "samples" / "demo-table.jpg"


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector()


@pytest.mark.parametrize(
    ("scale", "pad"),
    [
        (1.0, 0),  # as it is, 1280x720
        (2.5, 0),  # a phone photo, 3200x1800: dice of 150 px
        (0.5, 0),  # a small picture: dice of 30 px
        (1.0, 333),  # an odd size, so that the letterbox pads
    ],
)
def test_every_die_of_the_sample_is_found_at_any_size(
    detector: Detector, scale: float, pad: int
) -> None:
    truth = json.loads(SAMPLE.with_suffix(".json").read_text())["dice"]
    image = cv2.resize(cv2.imread(str(SAMPLE)), None, fx=scale, fy=scale)
    image = cv2.copyMakeBorder(image, 0, pad, 0, 0, cv2.BORDER_REPLICATE)
    found = detector.find(np.asarray(image, np.uint8))
    boxes = np.array([die["box"] for die in truth], np.float32) * scale
    ours = np.array([die.box for die in found], np.float32)
    pairs = match(ours, boxes)
    assert len(found) == len(pairs) == len(truth) == 24
    assert all(overlaps(ours[f : f + 1], boxes[t : t + 1])[0, 0] > 0.7 for f, t in pairs)


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

    # 120 px dice in a picture of 2560 px seen at 1/4: 30 px are too few.
    scale = detector.better_scale(dice(120), 0.25, 2560)
    assert scale is not None
    assert 120 * scale == pytest.approx(WANTED_DIE_PX)
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
