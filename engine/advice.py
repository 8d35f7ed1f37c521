"""Advice: how each legal action is likely to turn out, from rounds played to their end."""

from __future__ import annotations

import random
from dataclasses import dataclass
from math import sqrt
from typing import Any

from engine.actions import Action
from engine.bots import Bot, choices, greedy_bot
from engine.errors import LawnError
from engine.position import Position


class AdviceError(LawnError):
    """A number of playouts that tells nothing."""


@dataclass(frozen=True, slots=True)
class Advice:
    """One legal action and how the round ended where it was tried.

    Attributes:
        action: the action.
        name: its readable name.
        margin: expected round score minus the best other player's, in points.
        margin_error: standard error of `margin`.
        win: chance of the highest round score; a tie counts as half.
        win_error: standard error of `win`, kept above zero (Agresti and Coull 1998: as if two
            more playouts had been won and two lost), as no number of playouts proves a certainty.
        playouts: how many rounds were played.
    """

    action: Action
    name: str
    margin: float
    margin_error: float
    win: float
    win_error: float
    playouts: int

    def to_json(self) -> dict[str, Any]:
        """A dict of plain JSON types; the action in its text form."""
        return {
            "action": str(self.action),
            "name": self.name,
            "margin": self.margin,
            "margin_error": self.margin_error,
            "win": self.win,
            "win_error": self.win_error,
            "playouts": self.playouts,
        }


def advice(
    position: Position, *, playouts: int = 100, seed: int = 0, bot: Bot = greedy_bot
) -> tuple[Advice, ...]:
    """Every legal action with its prospects, best expected margin first.

    After each action the round is played to its end `playouts` times, every player by `bot`, with
    the same seeds for every action, so that the same call gives the same advice.

    Raises:
        AdviceError: fewer than two playouts.
        BotError: the dice are in the air, or the round is over.
    """
    if playouts < 2:
        raise AdviceError(f"Advice needs at least two playouts, not {playouts}.")
    found = []
    for action in choices(position):
        after = position.apply(action)
        margins = [
            _margin(played_out(after, bot, random.Random(f"{seed} {number}")), position.turn)
            for number in range(playouts)
        ]
        found.append(_summed_up(position, action, margins))
    return tuple(sorted(found, key=lambda each: -each.margin))


def played_out(position: Position, bot: Bot, rng: random.Random) -> Position:
    """The round's last position when `bot` plays for everybody from here on."""
    while not position.is_over:
        action = position.throw(rng) if position.is_chance else bot(position, rng)
        position = position.apply(action)
    return position


def _margin(end: Position, seat: int) -> int:
    totals = [score.total for score in end.scores()]
    return totals.pop(seat) - max(totals)


def _summed_up(position: Position, action: Action, margins: list[int]) -> Advice:
    count = len(margins)
    mean = sum(margins) / count
    spread = sum((margin - mean) ** 2 for margin in margins) / (count - 1)
    wins = sum(1.0 if margin > 0 else 0.5 if margin == 0 else 0.0 for margin in margins)
    towards_half = (wins + 2) / (count + 4)
    return Advice(
        action=action,
        name=position.name(action),
        margin=mean,
        margin_error=sqrt(spread / count),
        win=wins / count,
        win_error=sqrt(towards_half * (1 - towards_half) / (count + 4)),
        playouts=count,
    )
