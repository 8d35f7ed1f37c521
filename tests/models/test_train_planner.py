"""The fit of the planner's estimate."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from engine import value
from engine.bots import random_bot
from engine.position import Position, playout
from models.train_planner import SMOKE, Fit, samples_of_a_round, train_planner


@pytest.fixture(autouse=True)
def _shipped_weights_again() -> Iterator[None]:
    """A fit plays with its own weights; whoever comes after it wants the shipped ones."""
    yield
    shipped = (files("engine") / "planner.json").read_text(encoding="utf-8")
    value.use(json.loads(shipped)["players"])


@pytest.fixture(scope="module")
def fitted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the smoke form writes."""
    return train_planner(SMOKE, tmp_path_factory.mktemp("fit") / "planner.json")


def test_a_fit_writes_weights_that_the_engine_can_use(fitted: Path) -> None:
    players = json.loads(fitted.read_text(encoding="utf-8"))["players"]
    assert set(players) == {"2", "3"}
    assert {"0", "1"} <= set(players["2"])
    assert {"0", "1", "2"} <= set(players["3"])
    value.use(players)
    for count in (2, 3):
        for position, _ in playout(Position.start(count), random.Random(count)):
            if position.phase == "boundary-choice":
                assert all(-60 < total < 150 for total in value.estimate(position))


def test_a_fit_is_the_same_for_the_same_seed(fitted: Path, tmp_path: Path) -> None:
    again = train_planner(SMOKE, tmp_path / "again.json")
    assert again.read_bytes() == fitted.read_bytes()


def test_a_folder_that_is_not_there_is_refused_before_a_round_is_played(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        train_planner(SMOKE, tmp_path / "missing" / "planner.json")


@pytest.mark.parametrize("players", [2, 3])
def test_the_engine_multiplies_what_the_fit_multiplied(players: int) -> None:
    fit, rng = Fit(players), random.Random(players)
    weights = np.round(np.random.default_rng(0).normal(size=3 + 4 * len(fit.index)), 4)
    same = {
        "plain": weights[:3].tolist(),
        "rows": {text: weights[at : at + 4].tolist() for text, at in fit.index.items()},
    }
    value.use({str(players): {str(wait): same for wait in (value.OUT, 0, 1, 2)}})
    compared = 0
    for position, _ in playout(Position.start(players), rng):
        if position.phase in ("boundary-choice", "re-entry"):
            to_come = [float(fit.features(view) @ weights) for view in value.views(position)]
            expected = np.add(to_come, value.won(position))
            assert value.estimate(position) == pytest.approx(tuple(expected))
            compared += 1
    assert compared > 20


def test_a_fit_finds_weights_that_made_the_samples() -> None:
    fit = Fit(2)
    truth = np.zeros(3 + 4 * len(fit.index))
    truth[:3] = 2, 1, -1
    truth[fit.index["mmw"]] = 1.5
    views = [
        view
        for seed in range(40)
        for view, _ in samples_of_a_round(2, random_bot, random.Random(seed))
    ]
    for view in views:
        fit.add((view, float(fit.features(view) @ truth)))
    found = fit.weights()["rows"]["mmw"]
    assert found[0] == pytest.approx(1.5, abs=0.25)


def test_a_sample_holds_the_points_that_were_still_won() -> None:
    # rule 7:2.B, 7:2.C: before the first turn that is everything
    samples = list(samples_of_a_round(2, random_bot, random.Random(8)))
    first = [points for _, points in samples[:2]]
    last = [points for _, points in samples[-2:]]
    assert all(points >= 0 for _, points in samples)
    assert sum(first) >= sum(last)
    assert sum(first) >= 4  # four neutral dice at least must make room for sixteen
