"""Players made of code: the interface, and two simple ones. The planner has a module of its own.

A bot is a pure function of the position and of the source of chance that it is handed, so a game
is the same whenever the seeds are. It only chooses; dice are thrown by whoever runs the game.
"""

from __future__ import annotations

import random
from typing import Protocol

from engine.actions import BOUNDARY_HIGH, BOUNDARY_LOW, Action, BoundaryRoll, Elect, Place
from engine.errors import LawnError, shown
from engine.lawn import EMPTY, NEUTRAL, lock_owner, placements
from engine.position import Position


class BotError(LawnError):
    """A bot that does not exist, or a position in which there is nothing to choose."""


class Bot(Protocol):
    """Chooses one of the legal actions of a position in which a player chooses.

    Raises:
        BotError: the dice are in the air, or the round is over.
    """

    def __call__(self, position: Position, rng: random.Random, /) -> Action: ...


def choices(position: Position) -> tuple[Action, ...]:
    """The legal actions of a position in which a player chooses.

    Raises:
        BotError: the dice are in the air, or the round is over.
    """
    if position.is_chance:
        raise BotError("The dice are in the air: there is nothing to choose until they lie.")
    if position.is_over:
        raise BotError("The round is over: there is nothing left to choose.")
    return position.legal_actions()


def random_bot(position: Position, rng: random.Random) -> Action:
    """Any legal action, all alike."""
    return rng.choice(choices(position))


def greedy_bot(position: Position, rng: random.Random) -> Action:
    """The most points now; see `best_bonus`, `_worth` and `_edge` for what breaks ties."""
    actions = choices(position)
    if len(actions) == 1:
        return actions[0]
    if position.phase == "placement":
        return max(actions, key=lambda action: (_worth(position, action), rng.random()))
    if position.phase == "boundary-choice":
        return _edge(position, rng)
    return best_bonus(position)


def best_bonus(position: Position) -> Elect:
    """The qualifying bonus worth most, which is also the one proposed (R6)."""
    best = position.opening.roll(position.turn).best
    assert best is not None, "an election is only held between bonuses"
    return Elect(best.category)


def points_now(position: Position, action: Place) -> int:
    """What a legal placement scores at once: a lock (7:2.C), a captured die (7:2.B)."""
    row, displaced = placements(position.lawn[action.face - 1], position.turn)[action.side]
    lock = 3 * action.face if lock_owner(row) != EMPTY else 0
    return lock + (action.face if displaced == NEUTRAL else 0)


def _worth(position: Position, action: Action) -> tuple[int, bool, int, int]:
    """Points now; then no own die pushed off, more own dice in that row, a higher row."""
    assert isinstance(action, Place)
    seat = position.turn
    row, displaced = placements(position.lawn[action.face - 1], seat)[action.side]
    return points_now(position, action), displaced != seat, row.count(seat), action.face


def _edge(position: Position, rng: random.Random) -> BoundaryRoll:
    """Roll the edge whose die would score less where it lies, so that the other one can be kept."""
    row = position.rows[position.turn]
    low, high = (_most_now(position, face) for face in (row[0], row[-1]))
    if low == high:
        return rng.choice((BOUNDARY_LOW, BOUNDARY_HIGH))
    return BOUNDARY_LOW if low < high else BOUNDARY_HIGH


def _most_now(position: Position, face: int) -> int:
    """The most points that a die of that face could score at once, were it to be placed now."""
    sides = placements(position.lawn[face - 1], position.turn)
    return max((points_now(position, Place(face, side)) for side in sides), default=0)


def bot_named(name: str) -> Bot:
    """The bot of that name: "random", "greedy" or "planner".

    Raises:
        BotError: there is no bot of that name.
    """
    from engine.planner import Planner

    bots: dict[str, Bot] = {"random": random_bot, "greedy": greedy_bot, "planner": Planner()}
    if name not in bots:
        raise BotError(f"There is no bot {shown(name)}; the bots are {', '.join(bots)}.")
    return bots[name]
