"""What an action does, in facts that a page, a referee or `lawn legal` can show."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from engine.actions import Action, Elect, Place, Rolled
from engine.dice import NEUTRAL_COLOUR
from engine.lawn import EMPTY, NEUTRAL, lock_owner, placements
from engine.parts import EndReason, Phase, is_solo, is_stuck

if TYPE_CHECKING:
    from engine.position import Position


@dataclass(frozen=True, slots=True)
class Effects:
    """The consequences of one action. Players are named by colour; None or () is "nothing".

    Attributes:
        actor: who acts.
        placed: (face, side) of the die that is placed.
        pushed: owner of the player die that is pushed off; the actor's colour for an own die.
        captured: face of the neutral die that is captured.
        locks: face of the row that becomes locked.
        re_enters: (owner, face) of the die that enters a row again.
        row: the actor's, or at a re-entry the owner's, Player Row afterwards.
        claimed: (category, points) of the bonus that is scored for the actor.
        lost_turns: the players who lose a turn because of this, in order.
        order: the turn order, when this settles it.
        over: why the round ends with this, or "".
        next: who acts next, None when the round is over.
        next_phase: the phase afterwards.
    """

    actor: str
    placed: tuple[int, str] | None
    pushed: str | None
    captured: int | None
    locks: int | None
    re_enters: tuple[str, int] | None
    row: tuple[int, ...]
    claimed: tuple[str, int] | None
    lost_turns: tuple[str, ...]
    order: tuple[str, ...]
    over: EndReason
    next: str | None
    next_phase: Phase

    def to_json(self) -> dict[str, Any]:
        """A dict of plain JSON types, with the attributes' names."""
        return {
            key: list(value) if isinstance(value, tuple) else value
            for key, value in asdict(self).items()
        }

    def sentences(self) -> tuple[str, ...]:
        """The consequences as short plain sentences, in the order in which they happen."""
        said = []
        if self.placed is not None:
            face, side = self.placed
            where = "center" if side == "center" else f"{side} flank"
            said.append(f"{self.actor} places a {face} at the {where} of row {face}.")
        if self.pushed is not None:
            own = self.pushed == self.actor
            said.append(f"{'An own' if own else 'A ' + self.pushed} die is pushed off the Lawn.")
        if self.captured is not None:
            said.append(f"{self.actor} captures the {NEUTRAL_COLOUR} {self.captured}.")
        if self.locks is not None:
            said.append(f"{self.actor} locks row {self.locks}.")
        if self.re_enters is not None:
            owner, face = self.re_enters
            said.append(f"The die re-enters {owner}'s row as a {face}.")
        if self.claimed is not None:
            category, points = self.claimed
            said.append(f"{self.actor} scores {category}: {points} points.")
        said += [f"{colour} is blocked and loses the turn." for colour in self.lost_turns]
        if self.order:
            said.append(f"The turn order is {', '.join(self.order)}.")
        said.append(f"The round is over: {self.over}." if self.over else self._next())
        return tuple(text[:1].upper() + text[1:] for text in said)

    def _next(self) -> str:
        does = {
            "big-roll": "rolls eight dice",
            "bonus-choice": "chooses a bonus",
            "tie-break": "rolls eight dice again for the turn order",
            "boundary-choice": "chooses an edge",
            "boundary-roll": "rolls the dice of that edge",
            "grind-roll": "rolls all remaining dice again",
            "placement": "places a die from an edge",
            "re-entry": "rolls the die that was pushed off",
        }[self.next_phase]
        return f"{self.next} {does}."


def effects(position: Position, action: Action) -> Effects:
    """See Position.effects."""
    after = position.apply(action)
    seat, colours = position.turn, position.colours
    placed: tuple[int, str] | None = None
    pushed: str | None = None
    captured = locks = None
    re_enters: tuple[str, int] | None = None
    shown_row = seat
    if isinstance(action, Place):
        face = action.face
        lawn_row, displaced = placements(position.lawn[face - 1], seat)[action.side]
        placed = (face, action.side)
        locks = face if lock_owner(lawn_row) != EMPTY else None
        if displaced == NEUTRAL:
            captured = face
        elif displaced != EMPTY:
            pushed = colours[displaced]
            if after.phase != "re-entry":  # R1 with keep-face
                re_enters = (pushed, face)
    elif isinstance(action, Rolled) and position.phase == "re-entry":
        shown_row = position.displaced
        re_enters = (colours[shown_row], action.faces[0])
    settled = after.order if not position.order else ()
    return Effects(
        actor=colours[seat],
        placed=placed,
        pushed=pushed,
        captured=captured,
        locks=locks,
        re_enters=re_enters,
        row=after.rows[shown_row],
        claimed=_claimed(position, after, seat, action),
        lost_turns=tuple(colours[each] for each in lost_turns(position, after)),
        order=tuple(colours[each] for each in settled),
        over=after.end_reason,
        next=after.turn_colour,
        next_phase=after.phase,
    )


def _claimed(
    position: Position, after: Position, seat: int, action: Action
) -> tuple[str, int] | None:
    if position.phase != "big-roll" and not isinstance(action, Elect):
        return None
    category = after.opening.bonuses[seat]
    return (category, after.opening.roll(seat).bonus(category).points) if category else None


def lost_turns(position: Position, after: Position) -> list[int]:
    """Seats that lose a turn between a position and the one that an action leads to (6:1, R2)."""
    lost = []
    turn_ended = after.phase in ("boundary-choice", "grind-roll", "round-over")
    if position.phase == "boundary-roll" and after.phase in ("boundary-choice", "round-over"):
        lost.append(position.turn)
    if not (position.order and turn_ended and position.options.endgame_block == "before-roll"):
        return lost
    # R2 before-roll: the next players are passed over without rolling while they are stuck.
    if after.end_reason not in ("", "gridlock"):
        return lost
    most = after.lost - position.lost if after.is_over else len(after.rows)
    for seat in position.opening.cycles[position.turn]:
        if len(lost) >= most or seat == after.turn or is_solo(seat, after.rows):
            break
        if is_stuck(after.rows[seat], after.locked):
            lost.append(seat)
    return lost
