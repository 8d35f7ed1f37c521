"""The planner: expectimax over the rest of the turn, and over replies as far as its budget goes.

Throws are enumerated, or sampled when there are more than the budget allows; every player is taken
to maximise the own margin. Where the search stops, engine.value estimates the rest of the round.
The engine has no clock, so the budget is a number of positions; who wants a time limit passes a
function that says when it is up.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from engine.actions import Action, chance_table
from engine.bots import best_bonus, choices, greedy_bot
from engine.parts import is_solo
from engine.position import Position
from engine.value import Totals, estimate, margin

_PLACEMENTS = 4
"""Most placements that a turn ever offers: two faces, two flanks."""


@dataclass(frozen=True)
class Planner:
    """A bot that searches.

    Attributes:
        nodes: how many positions it may look at for one decision, roughly.
        time_is_up: when given, the search begins small, grows fourfold each time up to `nodes`,
            and ends as soon as this says so; without it the whole budget is used at once.
        haste: how often it plays greedily once it alone holds dice. Such a player can go on as
            long as it likes, as an own die that is pushed off comes back (R1), and without haste
            would do so for ever for the sake of something better to come.
    """

    nodes: int = 1000
    time_is_up: Callable[[], bool] | None = None
    haste: float = 0.25

    def __call__(self, position: Position, rng: random.Random) -> Action:
        actions = choices(position)
        if len(actions) == 1:
            return actions[0]
        if position.phase == "bonus-choice":
            return best_bonus(position)
        seat, best = position.turn, actions[0]
        if self.haste and is_solo(seat, position.rows) and rng.random() < self.haste:
            return greedy_bot(position, rng)
        for nodes in self._budgets():
            share = nodes // len(actions)
            worth = [
                margin(_search(position.apply(action), share, rng), seat) for action in actions
            ]
            best = actions[worth.index(max(worth))]
            if self.time_is_up is not None and self.time_is_up():
                break
        return best

    def _budgets(self) -> list[int]:
        budgets = [self.nodes]
        while self.time_is_up is not None and budgets[0] > 100:
            budgets.insert(0, budgets[0] // 4)
        return budgets


def _search(position: Position, nodes: int, rng: random.Random) -> Totals:
    phase = position.phase
    if phase == "placement":
        return _best(position, nodes, rng)
    if phase == "boundary-roll":
        return _expected(position, nodes, rng)
    if phase == "boundary-choice" and nodes >= 24 and nodes >= _cost_of_a_turn(position):
        return _best(position, nodes, rng)
    # A grind may go on for ever, so it is followed only as long as the budget lasts.
    if phase in ("re-entry", "grind-roll") and nodes >= 12:
        return _expected(position, nodes, rng)
    return estimate(position)


def _best(position: Position, nodes: int, rng: random.Random) -> Totals:
    actions = position.legal_actions()
    share = nodes // len(actions)
    seat = position.turn
    found = (_search(position.apply(action), share, rng) for action in actions)
    return max(found, key=lambda totals: margin(totals, seat))


def _expected(position: Position, nodes: int, rng: random.Random) -> Totals:
    most = max(nodes // _PLACEMENTS, 6)
    throws = position.chance_outcomes()
    if len(throws) > most:
        throws = tuple((position.throw(rng), 1 / most) for _ in range(most))
    sums = [0.0] * len(position.rows)
    for throw, chance in throws:
        totals = _search(position.apply(throw), int(nodes * chance), rng)
        for seat, total in enumerate(totals):
            sums[seat] += chance * total
    return tuple(sums)


def _cost_of_a_turn(position: Position) -> int:
    """How many positions a whole turn leads to, at most."""
    row = position.rows[position.turn]
    sets = {row[0]: row.count(row[0]), row[-1]: row.count(row[-1])}
    return _PLACEMENTS * sum(len(chance_table(count)) for count in sets.values())
