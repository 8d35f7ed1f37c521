"""What is doubted to be a die is looked at again with what lies around it."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.detect import Detection, shipped_weights
from vision.die_check import DOUBTED, REACH, DieCheck, square
from vision.find import DiceFinder

SAMPLE = Path(__file__).parents[2] / "webui" / "samples" / "demo-table.jpg"


@pytest.fixture(scope="module")
def check() -> DieCheck:
    return DieCheck(shipped_weights("die-check.onnx"))


@pytest.fixture(scope="module")
def table() -> tuple[np.ndarray, list[tuple[float, float, float, float]]]:
    """A drawn table of 24 dice and their true boxes, px."""
    dice = json.loads(SAMPLE.with_suffix(".json").read_text())["dice"]
    return np.asarray(cv2.imread(str(SAMPLE)), np.uint8), [tuple(die["box"]) for die in dice]


def domino(left: int, right: int, side: int = 60) -> np.ndarray:
    """A white domino in the middle of a green cloth, each half `side` px; halves of 1, 3 or 5 pips."""
    image = np.full((5 * side, 6 * side, 3), (70, 120, 60), np.uint8)
    y, x = 2 * side, 2 * side
    cv2.rectangle(image, (x, y), (x + 2 * side, y + side), (235, 240, 240), -1)
    cv2.line(image, (x + side, y + 6), (x + side, y + side - 6), (40, 40, 40), 2)
    for half, pips in enumerate((left, right)):
        spots = {1: [(2, 2)], 3: [(1, 1), (2, 2), (3, 3)]}.get(
            pips, [(1, 1), (1, 3), (2, 2), (3, 1), (3, 3)]
        )
        for u, v in spots:
            at = x + half * side + u * side // 4, y + v * side // 4
            cv2.circle(image, at, side // 11, (30, 30, 30), -1, cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 0.8), np.uint8)


def test_dice_are_dice_with_what_lies_around_them(
    check: DieCheck, table: tuple[np.ndarray, list[tuple[float, float, float, float]]]
) -> None:
    assert check.die_p(*table).min() > 0.5


@pytest.mark.parametrize("half", [0, 1])
def test_half_of_a_domino_is_less_a_die_than_the_same_half_alone(
    check: DieCheck, half: int
) -> None:
    image = domino(5, 3)
    alone = image.copy()
    alone[:, 180:241] = image[0, 0] if half == 0 else image[:, 180:241]
    alone[:, 119:180] = image[0, 0] if half == 1 else image[:, 119:180]
    box = (120.0 + 60 * half, 120.0, 180.0 + 60 * half, 180.0)
    assert check.die_p(image, [box])[0] < check.die_p(alone, [box])[0] - 0.25


def test_the_square_is_as_much_larger_than_a_die_as_is_said() -> None:
    centre, side = square((100.0, 200.0, 140.0, 210.0))
    assert centre.tolist() == [120, 205]
    assert side == pytest.approx(REACH * 20)


def test_no_boxes_are_no_work(check: DieCheck) -> None:
    assert check.die_p(np.zeros((9, 9, 3), np.uint8), []).shape == (0,)


def test_only_what_is_doubted_is_looked_at_again(
    monkeypatch: pytest.MonkeyPatch,
    table: tuple[np.ndarray, list[tuple[float, float, float, float]]],
) -> None:
    image, boxes = table
    finder = DiceFinder()
    assert finder.check is not None
    asked: list[tuple[float, float, float, float]] = []

    def none_is_a_die(_: np.ndarray, boxes: list[tuple[float, float, float, float]]) -> np.ndarray:
        asked.extend(boxes)
        return np.zeros(len(boxes))

    logits = np.full((len(boxes), 7), -20.0)
    logits[:, 3] = 0.0  # each surely a four
    logits[5, 6] = (
        np.log(1 / DOUBTED - 1) + 0.1
    )  # the sixth a little less surely a die than asked for
    monkeypatch.setattr(finder.closeup, "logits", lambda _: logits[: len(boxes)])
    monkeypatch.setattr(finder.refiner, "refined", lambda _, boxes, *__: list(boxes))
    monkeypatch.setattr(finder.check, "die_p", none_is_a_die)
    found = finder.closer(image, [Detection(box, 0.9, (1 / 6,) * 6) for box in boxes])
    assert asked == [boxes[5]]
    assert [die.box for die in found] == boxes[:5] + boxes[6:]
