"""Fits the planner's estimate (engine/planner.json) to rounds that it plays against itself.

Each pass plays rounds with the weights of the pass before (the first with the greedy bot), notes
at every turn's end what each player sees (engine.value.View) and how many points of captures and
locks that player still won, and fits the weights by ridge regression on the rounds of all passes
but the first. In one decision of ten a random action is played, so that poor positions are seen too.
"""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from engine import value
from engine.actions import Action
from engine.bots import Bot, greedy_bot
from engine.dice import FACES
from engine.planner import Planner
from engine.position import Position

Floats = NDArray[np.float64]
Sample = tuple[value.View, float]

STRAYS = 0.1
RIDGE = 30.0


@dataclass(frozen=True)
class PlannerPlan:
    """How much is played and fitted.

    Attributes:
        rounds: rounds a pass.
        passes: fits; the first pass is played by the greedy bot.
        nodes: the planner's budget while it plays.
        seed: of all that is left to chance.
    """

    rounds: int = 1500
    passes: int = 4
    nodes: int = 120
    seed: int = 3


SMOKE = PlannerPlan(rounds=4, passes=2)


def train_planner(plan: PlannerPlan, out: Path) -> Path:
    """Fit the weights for two and three players and write them to `out` as JSON.

    Raises:
        OSError: `out` cannot be written.
    """
    fitted: dict[str, Any] = {}
    for players in (2, 3):
        played: list[dict[int, list[Sample]]] = []
        bot: Bot = greedy_bot
        for number in range(plan.passes):
            seeds = range(plan.rounds)
            shown = tqdm(seeds, desc=f"{players} players, pass {number + 1}", unit="round")
            samples: dict[int, list[Sample]] = defaultdict(list)
            for each in shown:
                rng = random.Random(f"{plan.seed} {players} {number} {each}")
                for view, points in samples_of_a_round(players, bot, rng):
                    samples[view.wait].append((view, points))
            played.append(samples)
            used = played[1:] or played
            fitted[str(players)] = {
                str(wait): fit([sample for each in used for sample in each[wait]])
                for wait in sorted(samples)
            }
            value.use(fitted)
            bot = Planner(plan.nodes)
    out.write_text(json.dumps({"players": fitted}, indent=1) + "\n", encoding="utf-8")
    return out


def samples_of_a_round(players: int, bot: Bot, rng: random.Random) -> Iterator[Sample]:
    """What each player saw at the end of each turn, with the points that it still won."""
    position = Position.start(players)
    seen: list[tuple[tuple[value.View, ...], value.Totals]] = []
    while not position.is_over:
        if position.phase in ("boundary-choice", "re-entry"):
            seen.append((value.views(position), value.won(position)))
        action: Action
        if position.is_chance:
            action = position.throw(rng)
        elif rng.random() < STRAYS:
            action = rng.choice(position.legal_actions())
        else:
            action = bot(position, rng)
        position = position.apply(action)
    final = value.won(position)
    for views, won in seen:
        for view, before, after in zip(views, won, final, strict=True):
            yield view, after - before


def fit(samples: list[Sample]) -> dict[str, Any]:
    """Weights by ridge regression: {"rows": {pattern: four weights}, "plain": three weights}."""
    patterns = sorted({text for view, _ in samples for text in view.rows})
    index = {text: 4 * number + 3 for number, text in enumerate(patterns)}
    size = 3 + 4 * len(patterns)
    square: Floats = np.zeros((size, size))
    right: Floats = np.zeros(size)
    for start in range(0, len(samples), 5000):
        some = samples[start : start + 5000]
        features: Floats = np.stack([_features(view, index, size) for view, _ in some])
        square += features.T @ features
        right += features.T @ np.array([points for _, points in some])
    weights = np.linalg.solve(square + RIDGE * np.eye(size), right)
    rounded = [round(float(weight), 4) for weight in weights]
    return {
        "plain": rounded[:3],
        "rows": {text: rounded[at : at + 4] for text, at in index.items()},
    }


def _features(view: value.View, index: dict[str, int], size: int) -> Floats:
    """The numbers that the weights multiply, in the order that `engine.value` uses them."""
    row: Floats = np.zeros(size)
    row[:3] = 1, view.own, view.others
    for face, text in zip(FACES, view.rows, strict=True):
        at = index[text]
        row[at : at + 3] += face * row[:3]
    for face, chance in view.edges:
        row[index[view.rows[face - 1]] + 3] += face * chance
    return row
