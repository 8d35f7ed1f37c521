"""Readable names of actions, and finding an action by its name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.actions import Action, BoundaryRoll, Elect, Place, Rolled, parse_action
from engine.dice import NEUTRAL_COLOUR
from engine.errors import ActionError, shown
from engine.lawn import EMPTY, NEUTRAL, lock_owner, placements

if TYPE_CHECKING:
    from engine.position import Position


def text(action: object) -> str:
    """The text form of an action, or a short quotation of what is none."""
    if isinstance(action, BoundaryRoll | Place | Elect | Rolled):
        return str(action)
    return shown(action)


def name(position: Position, action: Action) -> str:
    """The name of an action; one that is not legal here gets its text form."""
    if isinstance(action, BoundaryRoll) and position.phase == "boundary-choice":
        row = position.rows[position.turn]
        edge = "low" if row[0] == row[-1] else action.edge
        face = row[0] if edge == "low" else row[-1]
        return f"boundary roll {edge}: the {face}{'s' if row.count(face) > 1 else ''}"
    if isinstance(action, Elect) and position.phase == "bonus-choice":
        for bonus in position.opening.roll(position.turn).bonuses:
            if bonus.category == action.category:
                return f"claim {bonus.category}: {bonus.points} points"
    if isinstance(action, Place) and position.phase == "placement":
        return _place(position, action)
    if isinstance(action, Rolled) and len(action.faces) == position.dice_in_the_air:
        return _rolled(position, action)
    return text(action)


def action_named(position: Position, wanted: str) -> Action:
    """See Position.action_named."""
    try:
        return parse_action(wanted)
    except ActionError:
        pass
    legal = position.legal_actions()
    for action in legal:
        if name(position, action) == wanted:
            return action
    if position.is_chance:
        count = position.dice_in_the_air
        hint = f"what {count} dice show, such as '{legal[0]}'"
    else:
        hint = ", ".join(f"'{name(position, action)}'" for action in legal) or "nothing: it is over"
    raise ActionError(f"{shown(wanted)} is no action here; legal is {hint}.")


def _place(position: Position, action: Place) -> str:
    turn, face = position.turn, action.face
    move = placements(position.lawn[face - 1], turn).get(action.side)
    if move is None or face not in (position.rows[turn][0], position.rows[turn][-1]):
        return text(action)
    lawn_row, displaced = move
    where = "the center" if action.side == "center" else f"{action.side} flank"
    parts = [f"place {face} at {where}"]
    if displaced == NEUTRAL:
        parts.append(f"captures {NEUTRAL_COLOUR} {face}")
    elif displaced == turn:
        parts.append("pushes the own die")
    elif displaced != EMPTY:
        parts.append(f"pushes {position.colours[displaced]}")
    if lock_owner(lawn_row) != EMPTY:
        parts.append(f"locks row {face}")
    return ", ".join(parts)


def _rolled(position: Position, action: Rolled) -> str:
    shows = " ".join(map(str, action.faces))
    who = position.turn_colour
    if position.phase == "big-roll":
        return f"{who}'s Big Roll: {shows}"
    if position.phase == "tie-break":
        return f"{who}'s tie-break roll: {shows}"
    if position.phase == "re-entry":
        return f"{position.colours[position.displaced]}'s die re-enters as {shows}"
    if position.phase == "grind-roll":
        return f"grind roll: {shows}"
    return f"boundary roll shows {shows}"
