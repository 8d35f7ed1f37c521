"""Short ways to a simulated table for a test."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from engine.bots import random_bot
from engine.mock_layout import MockLayout
from engine.mock_table import in_the_box
from engine.mock_turns import Manners, Moment, play_turn, round_of, set_up
from engine.position import Position

ROOT = Path(__file__).parent.parent.parent


def evaluation() -> dict[str, Any]:
    """What `lawn evaluate` measured of the shipped detector."""
    data: dict[str, Any] = json.loads((ROOT / "models" / "evaluation.json").read_text("utf-8"))
    return data


def moments_of(
    seed: int, players: int, *, areas: bool = True, tempo: float | None = None
) -> list[Moment]:
    """A whole round of random bots, set-up included."""
    rng = random.Random(seed)
    position = Position.start(players)
    manners = Manners.any(players, rng)
    if tempo is not None:
        manners = Manners((tempo,) * players)
    first = set_up(in_the_box(position, MockLayout(areas=areas)), position, rng)
    bots = [random_bot] * players
    return [*first, *round_of(first[-1].table, position, bots, manners, rng)]


def turn_starts(seed: int, players: int) -> list[Position]:
    """The positions before each turn of a random round."""
    rng = random.Random(seed)
    position, starts = Position.start(players), []
    while not position.is_over:
        position, _ = play_turn(position, [random_bot] * players, rng)
        if position.phase == "boundary-choice":
            starts.append(position)
    return starts
