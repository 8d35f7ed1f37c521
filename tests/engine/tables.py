"""Short ways to lay a table for a test."""

from __future__ import annotations

from collections.abc import Mapping

from engine.actions import Action, parse_action
from engine.position import Position

PLAIN_ROLL = "11233455"
"""A Big Roll without any bonus; given to everybody, so that any turn order is a broken tie."""


def table(
    phase: str,
    rows: Mapping[str, str],
    lawn: Mapping[int, str] | None = None,
    *,
    order: str = "",
    captured: Mapping[str, str] | None = None,
    lost: int = 0,
    options: str = "",
) -> Position:
    """A position in which everybody has rolled; rows not named on the Lawn are as set up."""
    colours = list(rows)
    two = len(colours) == 2
    placed = lawn or {}
    row_text = ", ".join(f"{n} {placed.get(n, '.w.' if two else '...')}" for n in range(1, 7))
    fields = [
        f"players {','.join(colours)}",
        f"phase {phase}",
        f"order {order or '>'.join(colours)}",
        "rows " + ", ".join(f"{c} {row or '-'}" for c, row in rows.items()),
        f"lawn {row_text}",
    ]
    if two:
        taken = captured or {}
        fields.append("captured " + ", ".join(f"{c} {taken.get(c, '-')}" for c in colours))
    fields.append("big-rolls " + ", ".join(f"{c} {PLAIN_ROLL}" for c in colours))
    if lost:
        fields.append(f"lost {lost}")
    if options:
        fields.append(f"options {options}")
    return Position.from_string("; ".join(fields))


def play(position: Position, *actions: str) -> Position:
    """Apply actions in their text form."""
    for text in actions:
        position = position.apply(parse_action(text))
    return position


def names(position: Position) -> list[str]:
    """The readable names of all legal actions."""
    return [position.name(action) for action in position.legal_actions()]


def texts(actions: tuple[Action, ...]) -> list[str]:
    """The text forms of actions."""
    return [str(action) for action in actions]


def rules(position: Position, text: str) -> list[str]:
    """The rule numbers of all reasons why an action in text form is refused."""
    return [reason.rule for reason in position.why_not(parse_action(text))]
