"""The Position: one moment of a round, what may be done in it, and what that leads to.

It is immutable and hashable. A player's choices and the throws of dice are both actions, so that
a camera, a person, a test and a simulator drive it alike. The phases, in the order of a round:

    big-roll         the player `turn` rolls eight dice (3:1.A); rolls come in seat order
    bonus-choice     `turn` elects one of several bonuses (3:2.D, R6); only if there are several
    tie-break        `turn`, one of the tied, re-rolls eight dice for order (3:4.B, R5)
    boundary-choice  `turn` chooses an edge (4:1.A)
    boundary-roll    the whole boundary set is in the air (4:1.B)
    grind-roll       all dice left of the only player with dice are in the air (6:2.B, R3)
    placement        `turn` places an edge die (4:2, 4:3)
    re-entry         `turn` rolls the die pushed off, for its owner's row (5:2, R1)
    round-over       7:1.A, R4

A lost turn (6:1) is no action: the roll that shows it passes the turn at once. A push is complete,
re-entry included, before a turn ends and the end of the round is judged.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from engine import effects as _effects
from engine import json_form, names, notation, refusals
from engine.actions import (
    BOUNDARY_HIGH,
    BOUNDARY_LOW,
    Action,
    Elect,
    Rolled,
    chance_actions,
    chance_table,
    shared_rolled,
)
from engine.check import check, colours_checked
from engine.dice import DEFAULT_COLOURS, FACES, Faces
from engine.errors import IllegalAction, OptionsError, PositionError, Reason, shown
from engine.lawn import (
    lock_owner,
    locked_mask,
    placement_actions,
    starting_lawn,
)
from engine.opening import Opening
from engine.options import Options
from engine.parts import (
    CHANCE_PHASES,
    NOBODY,
    EndReason,
    Parts,
    dice_in_the_air,
    round_end,
)
from engine.scoring import RoundScore
from engine.state import State, make
from engine.turns import step

_BOTH_EDGES: tuple[Action, ...] = (BOUNDARY_LOW, BOUNDARY_HIGH)
_ONE_EDGE: tuple[Action, ...] = (BOUNDARY_LOW,)


class Position(State):
    """One moment of a round; make one with `start`, `from_string` or `from_json`.

    The stored attributes are documented at engine.state.State.
    """

    __slots__ = ()

    # --- making ---------------------------------------------------------------------------

    @classmethod
    def start(
        cls,
        players: int | None = None,
        *,
        colours: tuple[str, ...] | None = None,
        options: Options | None = None,
    ) -> Position:
        """A round before its Big Roll, set up for two or three players (1:1, 1:2).

        Give the number of players, or their colours in seat order; two are the default.

        Raises:
            PositionError: not two or three players, or colours that cannot be told apart.
            OptionsError: `options` are none.
        """
        if colours is None:
            if players not in (None, 2, 3):
                raise PositionError("Two or three players can play", rule="1:1")
            colours = DEFAULT_COLOURS[: players or 2]
        colours = colours_checked(colours, players)
        count = len(colours)
        options = Options() if options is None else options
        if not isinstance(options, Options):
            raise OptionsError(f"Options are an Options object, not {shown(options)}.")
        opening = Opening.fresh(colours, options)
        no_dice: tuple[Faces, ...] = ((),) * count
        lawn = starting_lawn(count)
        return make(cls, opening, "big-roll", 0, "", NOBODY, lawn, no_dice, no_dice, 0, 0)

    @classmethod
    def from_string(cls, text: str) -> Position:
        """Read what `to_string` writes; the grammar is in engine.notation.

        Raises:
            PositionError: with the place and the reason.
        """
        parts, places = notation.read(text)
        try:
            return cls.from_parts(parts)
        except PositionError as error:
            at = places.get(error.field.partition(" ")[0], 0) if error.at is None else error.at
            raise PositionError(error.reason, at=at, field=error.field, rule=error.rule) from None

    @classmethod
    def from_json(cls, data: object) -> Position:
        """Read what `to_json` writes.

        Raises:
            PositionError: with the field and the reason.
        """
        return cls.from_parts(json_form.read(data))

    @classmethod
    def from_parts(cls, parts: Parts) -> Position:
        """A position from its contents, checked against the rules of equipment and turn order.

        Raises:
            PositionError: with the field, the reason and the rule.
        """
        check(parts)
        return make(cls, *parts[:8], locked_mask(parts.lawn), parts.lost)

    # --- reading --------------------------------------------------------------------------

    @property
    def colours(self) -> tuple[str, ...]:
        """The players' colours in seat order."""
        return self.opening.colours

    @property
    def options(self) -> Options:
        """The rulings that are played by."""
        return self.opening.options

    @property
    def order(self) -> tuple[int, ...]:
        """The seats in turn order (3:4.A), or () until it is settled."""
        return self.opening.order

    @property
    def turn_colour(self) -> str | None:
        """The colour of the player who rolls or chooses, or None when the round is over."""
        return None if self.turn == NOBODY else self.opening.colours[self.turn]

    @property
    def locked_rows(self) -> tuple[int, ...]:
        """The faces of the locked rows (4:3.D)."""
        return tuple(face for face in FACES if self.locked >> (face - 1) & 1)

    @property
    def is_over(self) -> bool:
        """Whether the round is over (7:1.A, R4)."""
        return self.phase == "round-over"

    @property
    def end_reason(self) -> EndReason:
        """Why the round is over: "all dice placed", "lawn locked", "first out", "gridlock" or
        "deadlock"; "" while it goes on."""
        if self.phase != "round-over":
            return ""
        return round_end(self.opening, self.locked, self.rows, self.lost)

    @property
    def is_chance(self) -> bool:
        """Whether dice are in the air, so that the next action is Rolled."""
        return self.phase in CHANCE_PHASES

    @property
    def dice_in_the_air(self) -> int:
        """How many dice are being rolled; 0 when a player chooses or the round is over."""
        return dice_in_the_air(self.parts)

    def score(self, seat: int) -> RoundScore:
        """The seat's round score as it stands (7:2); final when the round is over."""
        opening = self.opening
        base = sum(opening.big_rolls[seat])
        lawn = sum(
            3 * f for f, row in zip(FACES, self.lawn, strict=True) if lock_owner(row) == seat
        )
        captured = sum(self.captured[seat])
        return RoundScore(base, opening.lead(seat) - base, opening.bonuses[seat], captured, lawn)

    def scores(self) -> tuple[RoundScore, ...]:
        """All round scores in seat order."""
        return tuple(self.score(seat) for seat in range(len(self.rows)))

    # --- what may be done -----------------------------------------------------------------

    def legal_actions(self) -> tuple[Action, ...]:
        """Every distinct legal action; when dice are in the air, every throw they can show.

        A row of one face has one edge, listed as "low" (apply takes "high" for the same set).
        """
        phase = self.phase
        if phase == "placement":
            row = self.rows[self.turn]
            low, high = row[0], row[-1]
            lawn = self.lawn
            return placement_actions(low, lawn[low - 1], high, lawn[high - 1], self.turn)
        if phase == "boundary-choice":
            row = self.rows[self.turn]
            return _ONE_EDGE if row[0] == row[-1] else _BOTH_EDGES
        if phase == "bonus-choice":
            return tuple(Elect(category) for category in self.opening.elections(self.turn))
        if phase == "round-over":
            return ()
        return chance_actions(self.dice_in_the_air)

    def is_legal(self, action: Action, by: int | str | None = None) -> bool:
        """Whether `apply` would take the action."""
        return not self.why_not(action, by)

    def why_not(self, action: Action, by: int | str | None = None) -> tuple[Reason, ...]:
        """Every reason why the action is refused, with its rule; () when it is legal.

        `by` is the seat or colour of who acts, when that is known and shall be checked too.
        """
        return refusals.reasons(self, action, by)

    def chance_outcomes(self) -> tuple[tuple[Rolled, float], ...]:
        """Every throw that the dice in the air can show, with its probability (sum 1).

        Equal handfuls are merged. () when no dice are in the air.
        """
        return chance_table(self.dice_in_the_air) if self.phase in CHANCE_PHASES else ()

    def throw(self, rng: random.Random) -> Rolled:
        """Throw the dice in the air with the caller's own source of chance.

        Raises:
            IllegalAction: no dice are in the air.
        """
        count = self.dice_in_the_air
        if not count:
            raise self._refusal(Rolled((1,)))
        if count == 1:
            return shared_rolled((int(rng.random() * 6) + 1,))
        return shared_rolled(tuple(sorted(rng.choices(FACES, k=count))))

    def name(self, action: Action) -> str:
        """A readable name that is unique among the legal actions and tells the consequence:
        "boundary roll low: the 2s", "place 5 at right flank, pushes blue"."""
        return names.name(self, action)

    def action_named(self, text: str) -> Action:
        """The action of that name, or of that text form ("place 5 right"), legal or not.

        Raises:
            ActionError: the text is neither.
        """
        return names.action_named(self, text)

    def effects(self, action: Action) -> _effects.Effects:
        """What a legal action does: pushed, captured, locked, lost turns, who is next.

        Raises:
            IllegalAction: the action is refused.
        """
        return _effects.effects(self, action)

    # --- doing it -------------------------------------------------------------------------

    def apply(self, action: Action, by: int | str | None = None) -> Position:
        """The position after the action.

        Raises:
            IllegalAction: with all reasons, each with its rule number.
        """
        if by is None or not refusals.wrong_player(self, by):
            after = step(self, action)
            if after is not None:
                return after
        raise self._refusal(action, by)

    def _refusal(self, action: Action, by: int | str | None = None) -> IllegalAction:
        return IllegalAction(names.text(action), refusals.reasons(self, action, by))

    # --- printing and comparing -----------------------------------------------------------

    def to_string(self) -> str:
        """One readable line that `from_string` reads back to an equal position."""
        return notation.write(self.parts)

    def to_json(self) -> dict[str, Any]:
        """A dict of plain JSON types that `from_json` reads back to an equal position."""
        return json_form.write(self.parts)

    def __str__(self) -> str:
        return self.to_string()

    def __repr__(self) -> str:
        return f"Position.from_string({self.to_string()!r})"


def playout(position: Position, rng: random.Random) -> Iterator[tuple[Position, Action]]:
    """Play a round to its end at random: yields each position with the action taken in it."""
    while not position.is_over:
        action = position.throw(rng) if position.is_chance else rng.choice(position.legal_actions())
        yield position, action
        position = position.apply(action)
