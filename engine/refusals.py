"""Every reason why an action is refused, each with the number of the rule it breaks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from engine.actions import Action, BoundaryRoll, Elect, Place, Rolled
from engine.dice import DICE_PER_PLAYER
from engine.errors import Reason, shown
from engine.lawn import EMPTY, lock_owner, placements

if TYPE_CHECKING:
    from engine.position import Position


def reasons(position: Position, action: Action, by: int | str | None = None) -> tuple[Reason, ...]:
    """All reasons why `position` refuses `action`, () when it is legal; see Position.why_not."""
    found: list[Reason] = []
    if by is not None:
        found += wrong_player(position, by)
    if isinstance(action, Place):
        found += _place(position, action)
    elif isinstance(action, Rolled):
        found += _rolled(position, action)
    elif isinstance(action, BoundaryRoll):
        found += _phase(position, "boundary-choice", "4:1.A")
    elif isinstance(action, Elect):
        found += _elect(position, action)
    else:
        found.append(Reason("4", f"{shown(action)} is no action of this game"))
    return tuple(found)


def wrong_player(position: Position, by: int | str) -> tuple[Reason, ...]:
    """A reason when `by` (a seat or a colour) is not whose turn it is."""
    if position.is_over:
        return ()  # told by the phase
    colour = position.turn_colour
    is_seat = isinstance(by, int) and not isinstance(by, bool)
    if by == colour or (is_seat and by == position.turn):
        return ()
    if not ((is_seat and by in range(len(position.colours))) or by in position.colours):
        return (Reason("1:1", f"{shown(by)} is no player here"),)
    who = by if isinstance(by, str) else position.colours[by]
    return (Reason("3:4.A", f"it is {colour}'s turn, not {who}'s"),)


_EXPECTED = {
    "big-roll": ("3:1.A", "{who} must roll all eight dice first"),
    "bonus-choice": ("3:2.D", "{who} must claim one bonus first"),
    "tie-break": ("3:4.B", "{who} must re-roll all eight dice for the turn order first"),
    "boundary-choice": ("4:1", "{who} must choose an edge for the boundary roll first"),
    "boundary-roll": ("4:1.B", "{who}'s boundary set is in the air"),
    "grind-roll": ("6:2.B", "{who} re-rolls all remaining dice until one can be placed"),
    "placement": ("4:2", "{who} has rolled and must place a die now"),
    "re-entry": ("5:2.A", "{who} must roll the die that was pushed off first"),
    "round-over": ("7:1.A", "the round is over"),
}


def _phase(position: Position, phase: str, rule: str) -> Iterator[Reason]:
    if position.phase != phase:
        expected, text = _EXPECTED[position.phase]
        who = position.turn_colour or ""
        yield Reason(rule if expected == "4:1" else expected, text.format(who=who))


def _elect(position: Position, action: Elect) -> Iterator[Reason]:
    yield from _phase(position, "bonus-choice", "3:2.D")
    if position.phase == "bonus-choice":
        choices = position.opening.elections(position.turn)
        if action.category not in choices:
            listed = " or ".join(choices)
            text = f"the Big Roll does not qualify for {action.category}, but for {listed}"
            yield Reason("3:2", text)


def _rolled(position: Position, action: Rolled) -> Iterator[Reason]:
    if not position.is_chance:
        yield from _phase(position, "boundary-roll", "4:1.A")
        return
    count, thrown = position.dice_in_the_air, len(action.faces)
    if count == thrown:
        return
    rules = {
        "big-roll": ("3:1.A", f"all {DICE_PER_PLAYER} dice are rolled"),
        "tie-break": ("3:4.B", f"all {DICE_PER_PLAYER} dice are rolled"),
        "boundary-roll": ("4:1.B", f"the whole boundary set is rolled, {_dice(count)}"),
        "grind-roll": ("6:2.B", f"all remaining dice are rolled, {_dice(count)}"),
        "re-entry": ("5:2.A", "only the die that was pushed off is rolled"),
    }
    rule, text = rules[position.phase]
    yield Reason(rule, f"{text}, not {thrown}")


def _place(position: Position, action: Place) -> Iterator[Reason]:
    yield from _phase(position, "placement", "4:1")
    if position.phase not in ("placement", "boundary-choice"):
        return  # the row is not the one that the die would be taken from
    turn, face = position.turn, action.face
    who, row = position.colours[turn], position.rows[turn]
    if position.phase == "placement" and face not in (row[0], row[-1]):
        if face in row:
            text = (
                f"the {face} is an inner die; only the edges {row[0]} and {row[-1]} may be placed"
            )
        else:
            text = f"{who} has no {face}; the edges of the row are {row[0]} and {row[-1]}"
        yield Reason("4:2.A", text)
    lawn_row = position.lawn[face - 1]
    if lock_owner(lawn_row) != EMPTY:
        owner = position.colours[lock_owner(lawn_row)]
        yield Reason("4:3.D", f"row {face} is locked by {owner}")
        return
    allowed = placements(lawn_row, turn)
    if action.side in allowed:
        return
    if "center" in allowed:
        yield Reason("4:3.B", f"row {face} is empty, so its first die goes to the center")
    elif action.side == "center":
        yield Reason("4:3.C", f"the center of row {face} is taken; a die is played to a flank")
    else:
        (free,) = allowed
        yield Reason("4:3.C", f"the {action.side} flank of row {face} is taken")
        text = f"row {face} has room at its {free} flank; a push needs three dice in the row"
        yield Reason("5:1.A", text)


def _dice(count: int) -> str:
    return "one die" if count == 1 else f"{count} dice"
