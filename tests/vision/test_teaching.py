"""Lessons are marked, a tuned reader is kept only when it is better, and every unusable lesson is said."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest

from vision.closeup import NO_DIE
from vision.detect import Detection
from vision.find import DiceFinder
from vision.heads import Head
from vision.teaching import Lesson, TeachingError, teach

CENTRES = np.arange(1, 7) * 30.0


class ShadesOfGrey:
    """A close-up reader of a world in which a face is a shade of grey: 30 for a 1, 60 for a 2, and so on."""

    def features(self, crops: list[np.ndarray]) -> np.ndarray:
        means = np.array([crop.mean() for crop in crops])
        return np.exp(-(((means[:, None] - CENTRES) / 22) ** 2)).astype(np.float32)

    def shipped_head(self) -> Head:
        weight = np.zeros((NO_DIE + 1, 6))
        weight[:6] = np.eye(6) * 8
        return Head(weight, np.zeros(NO_DIE + 1))


class GreyFinder:
    """Sees a die in every 20 px square of the picture's first row, read by its shade."""

    def __init__(self) -> None:
        self.closeup = ShadesOfGrey()

    def find(self, image: np.ndarray) -> list[Detection]:
        dice = []
        for x in range(0, image.shape[1], 20):
            logits = self.closeup.shipped_head().logits(
                self.closeup.features([image[:, x : x + 20]])
            )[0, :NO_DIE]
            face_p = np.exp(logits - logits.max())
            dice.append(Detection((x, 0, x + 20, 20), 0.9, tuple(face_p / face_p.sum())))
        return dice


FINDER = cast(DiceFinder, GreyFinder())


def lesson(face: int, dice: int = 9, odd: float = 0.0) -> Lesson:
    """All dice show `face`; a strange set of dice is `odd` darker or lighter than the usual ones."""
    rng = np.random.default_rng(face)
    shades = 30 * face + odd + rng.normal(0, 2, dice)
    row = np.repeat(np.clip(shades, 0, 255), 20)
    return Lesson(f"{face}.jpg", np.tile(row[None, :, None], (20, 1, 3)).astype(np.uint8), face)


def lessons(odd: float = 0.0) -> list[Lesson]:
    return [lesson(face, odd=odd) for face in range(1, 7)]


def test_dice_that_are_read_well_need_no_tuning() -> None:
    taught = teach(lessons(), FINDER, tune=True)
    assert taught.right == taught.dice == taught.tuned_right == 54
    assert taught.head is None


def test_a_strange_set_is_read_better_by_a_reader_tuned_to_it() -> None:
    taught = teach(lessons(odd=16), FINDER, tune=True)
    assert taught.right < 40
    assert type(taught.tuned_right) is int  # it is kept as JSON, which knows no numpy
    assert taught.tuned_right > 50
    assert taught.head is not None
    # Other dice of the same strange set: the tuned layer reads more of them than the shipped one.
    shades = [30.0 * face + 16 + wobble for face in range(1, 7) for wobble in (-2, 0, 2)]
    features = ShadesOfGrey().features([np.full((20, 20, 3), shade) for shade in shades])
    true = np.repeat(np.arange(1, 7), 3)
    right = [
        int((head.logits(features)[:, :NO_DIE].argmax(1) + 1 == true).sum())
        for head in (ShadesOfGrey().shipped_head(), taught.head)
    ]
    assert right[0] < 15 < right[1]


def test_without_tuning_the_dice_are_only_marked() -> None:
    taught = teach([lesson(2), lesson(5, odd=14)], FINDER)
    assert [(mark.face, mark.dice) for mark in taught.marks] == [(2, 9), (5, 9)]
    assert taught.marks[0].right == 9
    assert taught.marks[0].unsure == 0
    assert taught.marks[1].right + taught.marks[1].unsure > 0
    assert taught.tuned_right is None


def test_the_same_lessons_teach_the_same() -> None:
    one, other = (teach(lessons(odd=16), FINDER, tune=True).head for _ in range(2))
    assert one is not None
    assert other is not None
    assert np.array_equal(one.weight, other.weight)


@pytest.mark.parametrize(
    ("given", "asked", "says"),
    [
        ([], {}, "nothing to learn from"),
        ([lesson(6, dice=2)], {}, r"6\.jpg: 2 dice are seen here"),
        ([lesson(6, dice=31)], {}, r"6\.jpg: 31 dice are seen here"),
        ([lesson(1), lesson(6)], {"tune": True}, "missing: 2, 3, 4, 5"),
    ],
)
def test_a_lesson_that_cannot_be_used_is_said(
    given: list[Lesson], asked: dict[str, Any], says: str
) -> None:
    with pytest.raises(TeachingError, match=says):
        teach(given, FINDER, **asked)
