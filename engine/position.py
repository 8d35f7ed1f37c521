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
from typing import Any, Literal, NoReturn

from engine import effects as _effects
from engine import json_form, names, notation, refusals
from engine.actions import (
    BOUNDARY_HIGH,
    BOUNDARY_LOW,
    Action,
    BoundaryRoll,
    Elect,
    Place,
    Rolled,
    chance_actions,
    chance_table,
    shared_rolled,
)
from engine.check import check, colours_checked
from engine.dice import DEFAULT_COLOURS, FACES, Faces
from engine.errors import IllegalAction, PositionError, Reason
from engine.lawn import (
    EMPTY,
    NEUTRAL,
    Lawn,
    is_blocked,
    lock_owner,
    locked_mask,
    placement_actions,
    placements,
    starting_lawn,
)
from engine.opening import Opening
from engine.options import Options
from engine.parts import (
    CHANCE_PHASES,
    NOBODY,
    EndReason,
    Parts,
    Phase,
    dice_in_the_air,
    is_solo,
    is_stuck,
    round_end,
)
from engine.scoring import RoundScore

_put = object.__setattr__

_BOTH_EDGES: tuple[Action, ...] = (BOUNDARY_LOW, BOUNDARY_HIGH)
_ONE_EDGE: tuple[Action, ...] = (BOUNDARY_LOW,)


class Position:
    """One moment of a round; make one with `start`, `from_string` or `from_json`.

    Attributes:
        opening: colours, options, Big Rolls, claimed bonuses, turn order.
        phase: see the module.
        turn: seat of the player who rolls or chooses; NOBODY (-1) when the round is over.
        edge: "low" or "high" while a boundary set is in the air, else "".
        displaced: owner of the die in the air in phase re-entry, else NOBODY.
        lawn: six rows (left, center, right) of owners: a seat, lawn.NEUTRAL or lawn.EMPTY.
        rows: per seat the Player Row, sorted. Dice in the air after a boundary choice or in the
            grind still count here with their old faces.
        captured: per seat the faces of captured neutral dice, sorted.
        locked: bit mask of locked rows, bit f - 1 for row f.
        lost: turns lost in a row, counted only for three players with the ending gridlock.
    """

    __slots__ = (
        "_hash",
        "captured",
        "displaced",
        "edge",
        "lawn",
        "locked",
        "lost",
        "opening",
        "phase",
        "rows",
        "turn",
    )

    opening: Opening
    phase: Phase
    turn: int
    edge: Literal["", "low", "high"]
    displaced: int
    lawn: Lawn
    rows: tuple[Faces, ...]
    captured: tuple[Faces, ...]
    locked: int
    lost: int
    _hash: int

    def __init__(self) -> None:
        raise TypeError("Make a Position with Position.start, from_string or from_json.")

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
        """
        if colours is None:
            if players not in (None, 2, 3):
                raise PositionError("Two or three players can play", rule="1:1")
            colours = DEFAULT_COLOURS[: players or 2]
        colours = colours_checked(colours, players)
        count = len(colours)
        opening = Opening.fresh(colours, options or Options())
        no_dice: tuple[Faces, ...] = ((),) * count
        lawn = starting_lawn(count)
        return _make(opening, "big-roll", 0, "", NOBODY, lawn, no_dice, no_dice, 0, 0)

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
        return _make(*parts[:8], locked_mask(parts.lawn), parts.lost)

    # --- reading --------------------------------------------------------------------------

    @property
    def parts(self) -> Parts:
        """The contents as a named tuple."""
        return Parts(
            self.opening,
            self.phase,
            self.turn,
            self.edge,
            self.displaced,
            self.lawn,
            self.rows,
            self.captured,
            self.lost,
        )

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
            self._refuse(Rolled((1,)))
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
        after: Position | None = None
        if by is None or not refusals.wrong_player(self, by):
            kind = type(action)
            if kind is Place:
                after = self._place(action)  # type: ignore[arg-type]
            elif kind is Rolled:
                after = self._rolled(action)  # type: ignore[arg-type]
            elif kind is BoundaryRoll:
                after = self._boundary(action)  # type: ignore[arg-type]
            elif kind is Elect:
                after = self._elect(action)  # type: ignore[arg-type]
        if after is None:
            self._refuse(action, by)
        return after

    def _refuse(self, action: Action, by: int | str | None = None) -> NoReturn:
        raise IllegalAction(names.text(action), refusals.reasons(self, action, by))

    def _boundary(self, action: BoundaryRoll) -> Position | None:
        if self.phase != "boundary-choice":
            return None
        row = self.rows[self.turn]
        edge = "low" if row[0] == row[-1] else action.edge
        return self._with("boundary-roll", edge=edge)

    def _place(self, action: Place) -> Position | None:
        turn = self.turn
        if self.phase != "placement":
            return None
        face = action.face
        rows = self.rows
        row = rows[turn]
        if row[0] == face:
            row = row[1:]
        elif row[-1] == face:
            row = row[:-1]
        else:
            return None
        lawn = self.lawn
        move = placements(lawn[face - 1], turn).get(action.side)
        if move is None:
            return None
        lawn_row, displaced = move
        locked = self.locked
        if lock_owner(lawn_row) != EMPTY:
            locked |= 1 << (face - 1)
        lawn = (*lawn[: face - 1], lawn_row, *lawn[face:])
        captured = self.captured
        if displaced == turn and self.opening.options.own_push == "keep-face":
            row = _sorted((*row, face))
        elif displaced == NEUTRAL:
            # 5:3.B: it lay on the row of its face, so that is the face it keeps.
            captured = _replaced(captured, turn, _sorted((*captured[turn], face)))
        elif displaced != EMPTY:
            rows = _replaced(rows, turn, row)
            return _make(
                self.opening, "re-entry", turn, "", displaced, lawn, rows, captured, locked, 0
            )
        rows = _replaced(rows, turn, row)
        return _end_turn(self.opening, turn, lawn, rows, captured, locked, 0)

    def _rolled(self, action: Rolled) -> Position | None:
        phase = self.phase
        thrown = action.faces
        turn = self.turn
        if phase == "boundary-roll":
            row = self.rows[turn]
            if self.edge == "low":
                count = row.count(row[0])
                kept = row[count:]
            else:
                count = row.count(row[-1])
                kept = row[:-count]
            return self._judged(turn, _sorted(kept + thrown)) if count == len(thrown) else None
        if phase == "re-entry":
            if len(thrown) != 1:
                return None
            owner = self.displaced
            rows = _replaced(self.rows, owner, _sorted(self.rows[owner] + thrown))
            return _end_turn(self.opening, turn, self.lawn, rows, self.captured, self.locked, 0)
        if phase == "grind-roll":
            return self._judged(turn, thrown) if len(thrown) == len(self.rows[turn]) else None
        if phase not in CHANCE_PHASES or len(thrown) != 8:
            return None
        rows = _replaced(self.rows, turn, thrown)
        if phase == "big-roll":
            opening = self.opening.rolled(turn, thrown)
            if turn + 1 < len(rows):
                return self._with("big-roll", opening, turn + 1, rows)
            return self._with("big-roll", opening, turn, rows)._after_big_rolls()
        tied = self.opening.tied()
        at = tied.index(turn) + 1
        if at < len(tied):
            return self._with("tie-break", self.opening, tied[at], rows)
        return self._with("tie-break", self.opening.tie_broken(rows), turn, rows)._after_order()

    def _elect(self, action: Elect) -> Position | None:
        if self.phase != "bonus-choice":
            return None
        if action.category not in self.opening.elections(self.turn):
            return None
        opening = self.opening.claimed(self.turn, action.category)
        return self._with("bonus-choice", opening)._after_big_rolls()

    def _after_big_rolls(self) -> Position:
        for seat in range(len(self.rows)):
            if self.opening.elections(seat):
                return self._with("bonus-choice", turn=seat)
        return self._with(self.phase, self.opening.ordered())._after_order()

    def _after_order(self) -> Position:
        opening = self.opening
        tied = opening.tied()
        if tied:
            return self._with("tie-break", turn=tied[0])
        return self._with("boundary-choice", turn=opening.order[0])

    def _judged(self, turn: int, row: Faces) -> Position:
        """After a boundary or grind roll: placement, grind, or a lost turn (6:1, 6:2, R2, R3)."""
        rows = _replaced(self.rows, turn, row)
        if not is_blocked(row, self.locked):
            return self._with("placement", rows=rows)
        if is_solo(turn, rows):
            return self._with("grind-roll", rows=rows)
        opening = self.opening
        lost = self.lost + 1 if opening.counts_lost_turns else 0
        return _end_turn(opening, turn, self.lawn, rows, self.captured, self.locked, lost)

    def _with(
        self,
        phase: Phase,
        opening: Opening | None = None,
        turn: int | None = None,
        rows: tuple[Faces, ...] | None = None,
        edge: Literal["", "low", "high"] = "",
    ) -> Position:
        """The same Lawn in another phase; a placement in sight ends a run of lost turns."""
        return _make(
            self.opening if opening is None else opening,
            phase,
            self.turn if turn is None else turn,
            edge,
            NOBODY,
            self.lawn,
            self.rows if rows is None else rows,
            self.captured,
            self.locked,
            0 if phase == "placement" else self.lost,
        )

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

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return self.parts == other.parts if isinstance(other, Position) else NotImplemented

    def __hash__(self) -> int:
        if self._hash == 0:
            _put(self, "_hash", hash(self.parts) or 1)
        return self._hash

    def __setattr__(self, key: str, value: object) -> NoReturn:
        raise AttributeError("A Position never changes; apply an action to get the next one.")

    __delattr__ = __setattr__  # type: ignore[assignment]

    def __copy__(self) -> Position:
        return self

    def __deepcopy__(self, memo: object) -> Position:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _make, (*self.parts[:8], self.locked, self.lost)


def playout(position: Position, rng: random.Random) -> Iterator[tuple[Position, Action]]:
    """Play a round to its end at random: yields each position with the action taken in it."""
    while not position.is_over:
        action = position.throw(rng) if position.is_chance else rng.choice(position.legal_actions())
        yield position, action
        position = position.apply(action)


def _make(
    opening: Opening,
    phase: Phase,
    turn: int,
    edge: Literal["", "low", "high"],
    displaced: int,
    lawn: Lawn,
    rows: tuple[Faces, ...],
    captured: tuple[Faces, ...],
    locked: int,
    lost: int,
) -> Position:
    made = Position.__new__(Position)
    _put(made, "opening", opening)
    _put(made, "phase", phase)
    _put(made, "turn", turn)
    _put(made, "edge", edge)
    _put(made, "displaced", displaced)
    _put(made, "lawn", lawn)
    _put(made, "rows", rows)
    _put(made, "captured", captured)
    _put(made, "locked", locked)
    _put(made, "lost", lost)
    _put(made, "_hash", 0)
    return made


def _end_turn(
    opening: Opening,
    seat: int,
    lawn: Lawn,
    rows: tuple[Faces, ...],
    captured: tuple[Faces, ...],
    locked: int,
    lost: int,
) -> Position:
    """Judge the end of the round, else pass the turn to the next player who holds dice (R10)."""
    options = opening.options
    while not round_end(opening, locked, rows, lost):
        seat = next(each for each in opening.cycles[seat] if rows[each])
        phase: Phase = "boundary-choice"
        if options.endgame_block == "before-roll" or options.grind == "at-once":
            if is_solo(seat, rows):
                phase = "grind-roll" if options.grind == "at-once" else phase
            elif options.endgame_block == "before-roll" and is_stuck(rows[seat], locked):
                lost += opening.counts_lost_turns
                continue
        return _make(opening, phase, seat, "", NOBODY, lawn, rows, captured, locked, lost)
    return _make(opening, "round-over", NOBODY, "", NOBODY, lawn, rows, captured, locked, lost)


def _replaced(rows: tuple[Faces, ...], seat: int, row: Faces) -> tuple[Faces, ...]:
    if len(rows) == 2:
        return (row, rows[1]) if seat == 0 else (rows[0], row)
    return (*rows[:seat], row, *rows[seat + 1 :])


def _sorted(row: Faces) -> Faces:
    return tuple(sorted(row))
