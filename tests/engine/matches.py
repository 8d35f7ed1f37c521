"""Short ways to a match for a test."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest

from engine.actions import Action, parse_action
from engine.errors import RecordError
from engine.match import Match
from engine.options import Options
from engine.position import Position
from engine.record import Record
from tests.engine.tables import table

FIXTURES = Path(__file__).parent.parent / "fixtures"
FORMAT = Path(__file__).parent.parent.parent / "docs" / "record-format.md"

NO_LOCK = {1: "rbr", 2: "brb", 3: ".wb", 4: "bwr", 5: "rbr", 6: "brb"}

HEAD = "Players: red, blue\nred big roll 15566666\nblue big roll 22334455\n"
FOUR_TURNS = (
    "red low 1 -> 6, place 6 left\n"
    "blue low 22 -> 16, place 6 right\n"
    "red low 55 -> 26, place 6 left, push blue -> 3\n"
    "blue high 55 -> 15, place 5 right\n"
)
LOCKED = FOUR_TURNS + (
    "red low 2 -> 2, place 6 left, capture 6, lock 6\nblue low 11 -> 46, place 3 left\n"
)
TIED = "Players: red, blue\nred big roll 11233455\nblue big roll 11233455\n"
TWO_BONUSES = "Players: red, blue\nred big roll 11222222\nblue big roll 11233455\n"


def last_die(
    captured: dict[str, str],
    lawn: dict[int, str] | None = None,
    *,
    threshold: int,
    options: str = "",
) -> Match:
    """A match of two in its first round; red's last die, a 3, is about to be placed.

    Both Big Rolls are 24 without a bonus (tests.engine.tables.PLAIN_ROLL).
    """
    position = table(
        "placement red",
        {"red": "3", "blue": ""},
        lawn or NO_LOCK,
        captured=captured,
        options=options,
    )
    start = Match.start(2, options=position.options, threshold=threshold)
    return replace(start, position=position)


def play(match: Match, *actions: str) -> Match:
    """Apply actions in their text form."""
    for text in actions:
        match = match.apply(parse_action(text))
    return match


def random_match(
    seed: int, players: int = 2, *, threshold: int = 100, options: Options | None = None
) -> Match:
    """A match played to its end at random."""
    rng = random.Random(seed)
    match = Match.start(players, threshold=threshold, options=options)
    while not match.is_over:
        match = match.apply(random_action(match.position, rng))
    return match


def random_action(position: Position, rng: random.Random) -> Action:
    """Any throw or legal choice."""
    return position.throw(rng) if position.is_chance else rng.choice(position.legal_actions())


def documented(kind: str) -> list[str]:
    """The blocks of docs/record-format.md with that word after the fence."""
    text = FORMAT.read_text(encoding="utf-8")
    return re.findall(rf"^```{kind}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def golden(name: str) -> str:
    """The text of a golden record."""
    return (FIXTURES / f"{name}.lawn").read_text(encoding="utf-8")


def refused(text: str) -> RecordError:
    """Why a record is refused, with a line that it has."""
    with pytest.raises(RecordError) as caught:
        Record.from_string(text)
    assert 1 <= caught.value.line <= len(text.split("\n"))
    return caught.value
