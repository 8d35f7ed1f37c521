"""What simulations measured of the game: the numbers of the rules page, each with the command that prints it.

The file beside the rule book is made by `summary_of` from what these commands print; the tests run one of them again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "book" / "measured.json"


@cache
def measured() -> Mapping[str, Mapping[str, Any]]:
    """Per simulation: command and, as means a round unless said otherwise, placements, pushes (of players' dice),
    push_share (of placements), grind_rolls, lawn_points and captured_points (of all players together), turns_median,
    turns_most, lost_median, rounds (how many were played), ends (why rounds ended: share, and its 95 % interval)."""
    found: Mapping[str, Mapping[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def summary_of(printed: Mapping[str, Any]) -> dict[str, Any]:
    """The numbers of one simulation from the object that `lawn simulate --json` prints."""
    rounds, actions = printed["rounds"], printed["actions"]
    count = rounds["count"]
    scores = [each["score"] for each in printed["turn_order"]]
    return {
        "rounds": count,
        "turns_median": rounds["turns"]["median"],
        "turns_most": rounds["turns"]["most"],
        "lost_median": rounds["lost_turns"]["median"],
        "placements": round(actions["placement"] / count, 2),
        "pushes": round(actions["re-entry"] / count, 2),
        "push_share": round(actions["re-entry"] / actions["placement"], 4),
        "grind_rolls": round(actions["grind-roll"] / count, 2),
        "lawn_points": round(sum(score["lawn"] for score in scores), 2),
        "captured_points": round(sum(score["captured"] for score in scores), 2),
        "ends": {
            reason: {
                "share": round(end["share"], 4),
                "low": round(end["interval"][0], 4),
                "high": round(end["interval"][1], 4),
            }
            for reason, end in rounds["ends"].items()
        },
    }
