"""Detector and close-up reader together: faces, their probabilities, and real photographs never trained on."""

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.real import DEFAULT_ROOT, load_photos
from models.evaluate import Tally, match, tally_picture
from vision.find import DiceFinder, joint
from vision.overlap import overlaps

REPOSITORY = Path(__file__).parents[2]
SAMPLE = REPOSITORY / "webui" / "samples" / "demo-table.jpg"


@pytest.fixture(scope="module")
def finder() -> DiceFinder:
    return DiceFinder()


@pytest.mark.parametrize(
    ("scale", "pad"),
    [
        (1.0, 0),  # as it is, 1280x720
        (2.5, 0),  # a phone photo, 3200x1800: dice of 150 px
        (0.5, 0),  # a small picture: dice of 30 px
        (1.0, 333),  # an odd size, so that the letterbox pads
    ],
)
def test_the_sample_is_read_exactly_at_any_size(finder: DiceFinder, scale: float, pad: int) -> None:
    truth = json.loads(SAMPLE.with_suffix(".json").read_text())["dice"]
    image = cv2.resize(cv2.imread(str(SAMPLE)), None, fx=scale, fy=scale)
    image = cv2.copyMakeBorder(image, 0, pad, 0, 0, cv2.BORDER_REPLICATE)
    found = finder.find(np.asarray(image, np.uint8))
    boxes = np.array([die["box"] for die in truth], np.float32) * scale
    ours = np.array([die.box for die in found], np.float32)
    pairs = match(ours, boxes)
    assert len(found) == len(pairs) == 24
    assert all(overlaps(ours[f : f + 1], boxes[t : t + 1])[0, 0] > 0.7 for f, t in pairs)
    read = [int(np.argmax(found[f].face_p)) + 1 for f, _ in pairs]
    assert read == [truth[t]["face"] for _, t in pairs]


@pytest.mark.parametrize(
    ("die", "reach"),
    [
        (9, 1.3),  # one die, 370 px: the first look sees its pips
        (18, 1.3),
        (6, 2.2),  # four dice, 220 px
        (9, 2.2),
    ],
)
def test_dice_that_fill_a_picture_are_read(finder: DiceFinder, die: int, reach: float) -> None:
    truth = json.loads(SAMPLE.with_suffix(".json").read_text())["dice"]
    image = np.asarray(cv2.imread(str(SAMPLE)), np.uint8)
    boxes = np.array([each["box"] for each in truth], np.float32)
    middle = (boxes[die, :2] + boxes[die, 2:]) / 2
    half = reach * (boxes[die, 2:] - boxes[die, :2]).max()
    x0, y0, x1, y1 = np.concatenate([middle - half, middle + half]).astype(int)
    scale = 960 / (2 * half)
    part = cv2.resize(image[y0:y1, x0:x1], None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    whole = [
        at for at, (a, b, c, d) in enumerate(boxes) if x0 <= a and y0 <= b and c <= x1 and d <= y1
    ]
    assert die in whole
    there = (boxes[whole] - [x0, y0, x0, y0]) * scale
    found = finder.find(np.asarray(part, np.uint8))
    pairs = match(np.array([each.box for each in found], np.float32), there)
    assert len(pairs) == len(whole)
    for f, t in pairs:
        assert int(np.argmax(found[f].face_p)) + 1 == truth[whole[t]]["face"]


def test_a_die_that_is_found_twice_is_read_once(finder: DiceFinder) -> None:
    image = np.asarray(cv2.imread(str(SAMPLE)), np.uint8)
    seen = finder.detector.find(image)
    x0, y0, x1, y1 = seen[0].box
    aside = 0.3 * (x1 - x0)
    again = replace(seen[0], box=(x0 + aside, y0, x1 + aside, y1), found_p=0.4)
    assert overlaps(np.array([again.box]), np.array([seen[0].box]))[0, 0] < 0.6
    once = np.array([die.box for die in finder.closer(image, seen)])
    for twice in ([*seen, again], [again, *seen]):  # whichever is looked at first
        found = np.array([die.box for die in finder.closer(image, twice)])
        assert len(found) == len(once) == 24
        assert overlaps(found, once).max(1).min() > 0.9


def test_joint_probabilities_sum_to_one_and_both_opinions_count() -> None:
    level = (1 / 6,) * 6
    sure_of_two = np.array([0.0, 9.0, 0, 0, 0, 0])
    assert sum(joint(level, sure_of_two)) == pytest.approx(1)
    assert np.argmax(joint(level, sure_of_two)) == 1
    # A level close-up leaves the detector's opinion.
    assert np.argmax(joint((0.1, 0.1, 0.1, 0.1, 0.5, 0.1), np.zeros(6))) == 4
    # Two opinions against each other are less sure than two that agree.
    against, agreed = (0.9, *[0.02] * 5), (0.02, 0.9, *[0.02] * 4)
    assert max(joint(against, sure_of_two)) < max(joint(agreed, sure_of_two))


@pytest.mark.photos
@pytest.mark.slow
def test_real_photographs_never_trained_on_are_read(finder: DiceFinder) -> None:
    root = REPOSITORY / DEFAULT_ROOT
    if not root.is_dir():
        pytest.skip("the real photographs are not beside this checkout")
    total = Tally()
    for photo in load_photos(root, "val")[::4]:  # a quarter, for time; `lawn evaluate` reads all
        image = np.asarray(cv2.imread(str(photo.path)), np.uint8)
        boxes = photo.boxes_px(image.shape[1], image.shape[0])
        total.add(tally_picture(photo.path.name, finder.find(image), boxes, photo.faces))
    counts = total.to_json()
    assert counts["dice"] > 150
    assert counts["found_percent"] >= 95, counts
    assert counts["face_right_percent"] >= 95, counts
