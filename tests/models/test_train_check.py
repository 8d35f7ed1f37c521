"""The second look at what is doubted to be a die learns from what is found in pictures."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from models.train import TrainingError, TrainingPlan
from models.train_check import (
    KEPT_PX,
    SMOKE,
    WORTH,
    CheckPlan,
    Finders,
    Places,
    add_places,
    fit,
    random_square,
    train_check,
)
from tests.models.conftest import THREADS
from vision.die_check import CROP_PX, DieCheck
from vision.overlap import Box

TRUE = np.array([[100, 100, 140, 140], [200, 100, 240, 140]], np.float32)


class Found(Finders):
    """Finders that find what they are told to."""

    def __init__(self, *found: tuple[Box, float]) -> None:
        self.told = list(found)

    def found(self, _: np.ndarray) -> list[tuple[Box, float]]:
        return self.told


def test_what_is_found_is_told_from_what_is_true() -> None:
    image = np.zeros((400, 400, 3), np.uint8)
    image[100:140, 100:140] = 255
    # A sure die, and beside it what overlaps it too little for it and too much for something else; two other things,
    # of which the close-up reader takes the first for a die.
    found = [
        ((102.0, 100.0, 142.0, 140.0), 0.999),
        ((115.0, 115.0, 155.0, 155.0), 0.5),
        ((300.0, 300.0, 340.0, 340.0), 0.6),
        ((20.0, 300.0, 60.0, 340.0), 0.01),
    ]
    dice, things = Places(), Places()
    add_places((image, TRUE, np.array([3, 5])), found, dice, things)
    assert [kept.max() for kept in things.kept] == [0, 0]
    assert things.worth == [WORTH, 1]
    assert [kept.max() for kept in dice.kept] == [255, 0]  # the second one was not found
    assert dice.kept[0].shape == (KEPT_PX, KEPT_PX, 3)
    assert dice.worth == [1, 1]
    add_places((image, TRUE, np.array([3, 5])), [((102, 100, 142, 140), 0.9)], dice, things)
    assert dice.worth[2:] == [WORTH, 1]  # a die that the close-up reader doubts


def test_what_will_be_asked_about_is_shown_oftener() -> None:
    image = np.zeros((400, 400, 3), np.uint8)
    image[:, 200:] = 255
    places = Places()
    places.add(image, (80, 180, 120, 220), asked=False)
    places.add(image, (280, 180, 320, 220), asked=True)
    light = [kept.max() > 0 for kept in places.chosen(1000, np.random.default_rng(4))]
    assert np.mean(light) == pytest.approx(WORTH / (WORTH + 1), abs=0.05)


def test_training_sees_squares_of_the_networks_size() -> None:
    rng = np.random.default_rng(1)
    kept = rng.integers(0, 256, (KEPT_PX, KEPT_PX, 3)).astype(np.uint8)
    one, other = random_square(kept, rng), random_square(kept, rng)
    assert one.shape == (CROP_PX, CROP_PX, 3)
    assert (one != other).any()


@pytest.mark.slow
def test_light_squares_are_told_from_dark_ones_and_a_finished_run_is_not_trained_again(
    tmp_path: Path,
) -> None:
    """Something that can be learned in a moment: dice have a pip, other things have none."""
    rng = np.random.default_rng(0)
    plain = [rng.normal(128, 3, (KEPT_PX, KEPT_PX, 3)).astype(np.uint8) for _ in range(48)]
    pips = [each.copy() for each in plain]
    for each in pips:
        each[36:60, 36:60] = 20
    plan = replace(SMOKE, epochs=6)
    dice, things = Places(pips, [1.0] * 48), Places(plain, [1.0] * 48)
    network = fit(dice, things, plan, tmp_path, "pips", THREADS).eval()
    again = fit(dice, things, plan, tmp_path, "pips", THREADS).eval()
    import torch

    from vision.crop_input import as_input

    shown = as_input([each[16:80, 16:80] for each in (pips[0], plain[0])])
    die, thing = network(torch.from_numpy(shown))[:, 0].tolist()
    assert die > thing
    assert again(torch.from_numpy(shown))[:, 0].tolist() == [die, thing]


def test_pictures_without_other_things_are_not_enough(
    one_table_plan: TrainingPlan, tmp_path: Path
) -> None:
    with pytest.raises(TrainingError, match="distractors-only"):
        train_check(one_table_plan, CheckPlan(), tmp_path / "run", tmp_path / "check.onnx", Found())
    assert not (tmp_path / "check.onnx").exists()


@pytest.mark.slow
def test_the_network_is_exported_and_gone_on_with(
    one_table_plan: TrainingPlan, tmp_path: Path
) -> None:
    image, boxes = np.zeros((90, 90, 3), np.uint8), [(20.0, 20.0, 60.0, 60.0)]
    image[30:50, 30:50] = 200

    def trained(plan: CheckPlan, name: str, start: Path | None = None) -> tuple[Path, float]:
        out = train_check(
            one_table_plan,
            plan,
            tmp_path / name,
            tmp_path / f"{name}.onnx",
            Found(),
            THREADS,
            start,
        )
        (p,) = DieCheck(out).die_p(image, boxes)
        return out, p

    file, p = trained(replace(SMOKE, epochs=4), "first")
    assert 0 < p < 1
    slow = replace(SMOKE, learning_rate=1e-9)
    assert trained(slow, "on", file)[1] == pytest.approx(p, abs=0.02)
    assert trained(slow, "anew")[1] != pytest.approx(p, abs=0.02)


def test_nothing_to_train_on_is_said(tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match="Nothing to train on"):
        train_check(TrainingPlan(photos=None), SMOKE, tmp_path / "run", tmp_path / "check.onnx")
