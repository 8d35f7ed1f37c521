"""Fits the planner's estimate (engine/planner.json) to rounds that it plays against itself.

Each pass plays rounds with the weights of the pass before (the first with the greedy bot), notes
at every turn's end what each player sees (engine.value.View) and how many points of captures and
locks that player still won, and fits the weights by ridge regression on the rounds of all passes
but the first. In one decision of ten a random action is played, so that poor positions are seen too.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
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


SMOKE = PlannerPlan(rounds=2, passes=2, nodes=20)


class Fit:
    """Ridge regression on what players with the same wait saw, summed up as it comes in.

    Attributes:
        index: where the four weights of each pattern begin, after the three plain ones.
    """

    def __init__(self, players: int) -> None:
        letters = "mx.w" if players == 2 else "mxy."
        rows = {min(a + b + c, c + b + a) for a, b, c in product(letters, repeat=3)}
        self.index = {text: 3 + 4 * number for number, text in enumerate(sorted(rows))}
        size = 3 + 4 * len(rows)
        self._square: Floats = RIDGE * np.eye(size)
        self._right: Floats = np.zeros(size)
        self._waiting: list[Sample] = []

    def add(self, sample: Sample) -> None:
        """Learn from one more sample."""
        self._waiting.append(sample)
        if len(self._waiting) == 5000:
            self._sum_up()

    def _sum_up(self) -> None:
        if self._waiting:
            table: Floats = np.stack([self.features(view) for view, _ in self._waiting])
            self._square += table.T @ table
            self._right += table.T @ np.array([points for _, points in self._waiting])
            self._waiting.clear()

    def features(self, view: value.View) -> Floats:
        """The numbers that the weights multiply, as `engine.value` uses them."""
        row: Floats = np.zeros(len(self._right))
        row[:3] = 1, view.own, view.others
        for face, text in zip(FACES, view.rows, strict=True):
            at = self.index[text]
            row[at : at + 3] += face * row[:3]
        for face, chance in view.edges:
            row[self.index[view.rows[face - 1]] + 3] += face * chance
        return row

    def weights(self) -> dict[str, Any]:
        """{"plain": three weights, "rows": {pattern: four weights}}; rows never seen are left out."""
        self._sum_up()
        solved = np.linalg.solve(self._square, self._right)
        rounded = [round(float(weight), 4) for weight in solved]
        rows = {text: rounded[at : at + 4] for text, at in self.index.items()}
        return {
            "plain": rounded[:3],
            "rows": {text: weights for text, weights in rows.items() if any(weights)},
        }


def train_planner(plan: PlannerPlan, out: Path) -> Path:
    """Fit the weights for two and three players and write them to `out` as JSON.

    Raises:
        OSError: `out` cannot be written.
    """
    out.touch()  # what cannot be written shall be said before the rounds are played
    fitted: dict[str, Any] = {}
    for players in (2, 3):
        bot: Bot = greedy_bot
        fits: dict[int, Fit] = {}
        for number in range(plan.passes):
            if number < 2:  # what the greedy bot's rounds taught is forgotten again
                fits = {}
            rounds = tqdm(
                range(plan.rounds),
                desc=f"{players} players, pass {number + 1} of {plan.passes}",
                unit="round",
                disable=None,
            )
            for each in rounds:
                rng = random.Random(f"{plan.seed} {players} {number} {each}")
                for view, points in samples_of_a_round(players, bot, rng):
                    if view.wait not in fits:
                        fits[view.wait] = Fit(players)
                    fits[view.wait].add((view, points))
            fitted[str(players)] = {str(wait): fits[wait].weights() for wait in sorted(fits)}
            value.use(fitted)
            bot = Planner(plan.nodes, haste=0)  # the strays end what would go on for ever
    out.write_text(json.dumps({"players": fitted}) + "\n", encoding="utf-8")
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
