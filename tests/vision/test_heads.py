"""The close-up network's last layer is learned anew from few dice, and forgets little."""

from __future__ import annotations

import numpy as np

from vision.heads import Head, learn_head

WIDTH = 24
RNG = np.random.default_rng(5)
DIRECTIONS = RNG.normal(size=(7, WIDTH))


def dice(count: int, seed: int, odd: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Features and faces of dice; `odd` moves all of them along, as a strange set of dice would."""
    rng = np.random.default_rng(seed)
    faces = rng.integers(1, 7, count)
    features = DIRECTIONS[faces - 1] + rng.normal(0, 0.6, (count, WIDTH)) + odd * DIRECTIONS[2]
    return features.astype(np.float32), faces


def right(head: Head, features: np.ndarray, faces: np.ndarray) -> float:
    return float((head.logits(features)[:, :6].argmax(1) + 1 == faces).mean())


SHIPPED = Head(DIRECTIONS * 0.6, np.zeros(7))


def test_a_strange_set_of_dice_is_read_better_after_it_was_shown() -> None:
    shown, new = dice(140, 1, odd=1.2), dice(300, 2, odd=1.2)
    tuned = learn_head(*shown, SHIPPED)
    assert right(SHIPPED, *new) < 0.9
    assert right(tuned, *new) > 0.95


def test_ordinary_dice_are_still_read_after_tuning_to_a_strange_set() -> None:
    tuned = learn_head(*dice(140, 1, odd=0.5), SHIPPED)
    assert right(tuned, *dice(300, 3)) > 0.95


def test_a_face_that_was_not_shown_is_not_forgotten() -> None:
    features, faces = dice(140, 1)
    tuned = learn_head(features[faces != 4], faces[faces != 4], SHIPPED)
    features, faces = dice(300, 2)
    assert right(tuned, features[faces == 4], faces[faces == 4]) > 0.8


def test_the_same_dice_teach_the_same() -> None:
    one, other = (learn_head(*dice(60, 1), SHIPPED) for _ in range(2))
    assert np.array_equal(one.weight, other.weight)
