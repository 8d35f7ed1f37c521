"""Phases, actions and ends of rounds as a player who never saw a record says them."""

from __future__ import annotations

from collections.abc import Callable

from engine.actions import Action, BoundaryRoll, Elect, Place
from engine.parts import EndReason, Phase
from engine.position import Position

_PHASES: dict[Phase, str] = {
    "big-roll": "rolls all eight dice, the Big Roll",
    "bonus-choice": "chooses one bonus",
    "tie-break": "rolls all eight dice again, for the turn order",
    "boundary-choice": "chooses an edge of the Player Row and rolls it",
    "boundary-roll": "rolls the chosen edge",
    "grind-roll": "rolls all remaining dice again, until one can be placed",
    "placement": "places a die from an edge of the Player Row",
    "re-entry": "rolls the die that was pushed off",
}
_ENDS: dict[EndReason, str] = {
    "gridlock": "gridlock: everybody lost a turn, one after the other",
    "deadlock": "deadlock: no die can be placed any more",
    "lawn locked": "all six rows are locked",
    "first out": "one player has placed every die",
}


def to_do(position: Position, called: Callable[[str], str] = str) -> str:
    """Whose turn it is and what is to be done: "red rolls the chosen edge". called: a player's name by colour."""
    does = _PHASES[position.phase]
    if position.phase == "boundary-roll":
        does = f"rolls the {position.edge} edge"
    return f"{called(position.turn_colour or '')} {does}"


def end_in_words(reason: EndReason) -> str:
    """Why a round ended."""
    return _ENDS.get(reason, reason)


def action_in_words(position: Position, action: Action) -> str:
    """What an action would be, and what a placement causes, in words alone."""
    name = position.name(action)
    if isinstance(action, BoundaryRoll):
        return f"roll the {action.edge} edge: {name.partition(': ')[2]}"
    if isinstance(action, Place):
        where = "in the center" if action.side == "center" else f"on the {action.side} flank"
        causes = name.partition(", ")
        return f"place the {action.face} {where} of row {action.face}{causes[1]}{causes[2]}"
    if isinstance(action, Elect):
        return f"take the bonus {name.removeprefix('claim ')}"
    return f"the dice show {' '.join(map(str, action.faces))}"
