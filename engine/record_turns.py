"""Playing what a line of a match record says, and checking what it says twice."""

from __future__ import annotations

from engine.actions import Action, BoundaryRoll, Elect, Place, Rolled
from engine.effects import Effects
from engine.errors import IllegalAction, Reason
from engine.match import Match, match_over
from engine.position import Position
from engine.record_lines import (
    BigRolled,
    Bonus,
    Capture,
    Clause,
    EdgeRoll,
    FormError,
    Grind,
    Lock,
    Lost,
    Points,
    Push,
    Refused,
)
from engine.refusals import wrong_player

_ROLLS: set[type[Clause]] = {EdgeRoll, Grind}
_TURN = (EdgeRoll, Grind, Place, Push, Capture, Lock, Lost)
_MAY_FOLLOW: dict[type[Clause], tuple[type[Clause], ...]] = {
    BigRolled: (Bonus, Points),
    Elect: (Points,),
    **dict.fromkeys(_TURN, _TURN),
}


class TurnPlayer:
    """A match that grows by lines.

    Attributes:
        match: as far as it has been played.
        forfeits: who has just lost a turn without rolling and is not yet written (R2).
        grinding: whether the last roll left its player in the grind (6:2.B).
    """

    def __init__(self, match: Match) -> None:
        self.match = match
        self.forfeits: list[str] = []
        self.grinding = False
        self._placed: Effects | None = None
        self._lost = False

    @property
    def position(self) -> Position:
        """Where the next action applies."""
        return self.match.position

    @property
    def is_midway(self) -> bool:
        """Whether a turn has begun and is not complete."""
        phase = self.position.phase
        return phase in ("boundary-roll", "placement", "re-entry") or (
            phase == "grind-roll" and self.grinding
        )

    def play(self, colour: str, clauses: tuple[Clause, ...]) -> None:
        """Play a line; after an error `position` is where the refused step was tried.

        Raises:
            FormError: clauses that do not belong together.
            Refused: what the rules do not allow, or what did not happen so.
        """
        if self.match.is_over:
            raise Refused(match_over(self.match))
        self._placed, self._lost = None, False
        first = clauses[0]
        before: list[type[Clause]] = []
        for clause in clauses:
            kind = type(clause)
            if before and kind not in _MAY_FOLLOW.get(type(first), ()):
                raise FormError("a Big Roll, an election and a turn are lines of their own")
            if kind in before and kind is not Grind:
                raise FormError("something stands twice in this line")
            if kind in _ROLLS and not set(before) <= _ROLLS:
                raise FormError("rolls come before the placement; a turn is one line")
            before.append(kind)
            self._clause(colour, clause)

    def _clause(self, colour: str, clause: Clause) -> None:
        match clause:
            case BigRolled():
                self._big_roll(colour, clause)
            case Elect():
                self._apply(clause, colour)
            case Bonus():
                self._check_bonus(colour, clause.category)
            case Points():
                self._check_points(colour, clause.total)
            case EdgeRoll():
                self._edge_roll(colour, clause)
            case Grind():
                self._grind(colour, clause)
            case Place():
                before = self.position
                self._apply(clause, colour)
                self._placed = before.effects(clause)
            case Push():
                self._push(colour, clause)
            case Capture():
                self._check_capture(clause)
            case Lock():
                self._check_lock(clause)
            case Lost():
                self._check_lost(colour)

    def _apply(self, action: Action, by: str) -> None:
        before = self.position
        try:
            self.match = self.match.apply(action, by)
        except IllegalAction as error:
            raise Refused(*error.reasons) from None
        rolled = before.phase == "boundary-roll"
        self._lost = rolled and self.position.phase not in ("placement", "grind-roll")
        self.grinding = rolled or before.phase == "grind-roll"
        if before.options.endgame_block == "before-roll":
            self.forfeits = list(before.effects(action).lost_turns[self._lost :])

    # --- Big Roll -------------------------------------------------------------------------

    def _big_roll(self, colour: str, clause: BigRolled) -> None:
        roll, phase = Rolled(clause.faces), self.position.phase
        if clause.for_order and phase == "big-roll":
            raise Refused(Reason("3:4.B", "there is no tie to break before all Big Rolls"))
        if not clause.for_order and phase == "tie-break":
            raise Refused(Reason("3:4.B", "the Big Rolls are tied; this is a tie-break roll"))
        if phase not in ("big-roll", "tie-break"):
            done = Reason("3:1.A", "the Big Rolls and tie-breaks of this round are done")
            raise Refused(*wrong_player(self.position, colour), done)
        self._apply(roll, colour)

    def _check_bonus(self, colour: str, category: str) -> None:
        claimed = self._settled_bonus(colour)
        if claimed != category:
            said = claimed or "no bonus"
            raise Refused(Reason("3:2", f"the Big Roll of {colour} qualifies for {said}"))

    def _check_points(self, colour: str, total: int) -> None:
        self._settled_bonus(colour)
        opening = self.position.opening
        lead = opening.lead(opening.colours.index(colour))
        if lead != total:
            raise Refused(Reason("7:2.A", f"the Big Roll of {colour} scores {lead}, not {total}"))

    def _settled_bonus(self, colour: str) -> str:
        opening = self.position.opening
        seat = opening.colours.index(colour)
        choices = opening.elections(seat)
        if choices:
            text = (
                f"{colour} has the choice of {' or '.join(choices)}; it is a line of its own when "
                f"all have rolled: '{colour} claims {choices[0]}'"
            )
            raise Refused(Reason("3:2.D", text))
        return opening.bonuses[seat]

    # --- turns ----------------------------------------------------------------------------

    def _edge_roll(self, colour: str, clause: EdgeRoll) -> None:
        before = self.position
        self._apply(BoundaryRoll(clause.edge), colour)
        row = before.rows[before.turn]
        face = row[0] if clause.edge == "low" else row[-1]
        taken = (face,) * row.count(face)
        wrong = []
        if clause.dice and clause.dice != taken:
            same_face = set(clause.dice) == {face}
            text = f"the {clause.edge} edge of {colour}'s row is {_digits(taken)}, " + (
                f"and all of it is rolled, not {_digits(clause.dice)}"
                if same_face
                else f"not {_digits(clause.dice)}"
            )
            wrong.append(Reason("4:1.B" if same_face else "4:1.A", text))
        if clause.shows:
            roll = Rolled(clause.shows)
            wrong += self.position.why_not(roll) if wrong else ()
            if not wrong:
                self._apply(roll, colour)
        if wrong:
            raise Refused(*wrong)

    def _grind(self, colour: str, clause: Grind) -> None:
        if self.position.phase != "grind-roll":
            text = "there is a grind only for the last player with dice, when no edge can be placed"
            raise Refused(Reason("6:2.B", text))
        self._apply(Rolled(clause.shows), colour)

    def _push(self, colour: str, clause: Push) -> None:
        placed = self._placement("a push")
        if placed.captured is not None:
            text = f"the die pushed off is the neutral {placed.captured}, which is captured"
            raise Refused(Reason("5:3.A", text))
        if placed.pushed is None:
            raise Refused(Reason("5:1.A", "nothing is pushed off, as the row had room"))
        if clause.colour and clause.colour != placed.pushed:
            text = f"the die pushed off is {placed.pushed}'s, not {clause.colour}'s"
            raise Refused(Reason("5:1.B", text))
        if clause.shows is None:
            return
        if placed.re_enters is None:
            self._apply(Rolled((clause.shows,)), colour)
        elif placed.re_enters[1] != clause.shows:
            text = f"the own die keeps its face {placed.re_enters[1]}"
            raise Refused(Reason("R1", text))

    def _check_capture(self, clause: Capture) -> None:
        face = self._placement("a capture").captured
        if face is None:
            raise Refused(Reason("5:3.A", "no neutral die is pushed off"))
        if clause.face not in (None, face):
            raise Refused(Reason("5:3.B", f"the captured die shows {face}, not {clause.face}"))

    def _check_lock(self, clause: Lock) -> None:
        placed = self._placement("a lock")
        if placed.locks is None:
            text = "no row is locked, as the three dice of the row are not all the player's"
            raise Refused(Reason("4:3.D", text))
        if clause.face not in (None, placed.locks):
            raise Refused(Reason("4:3.D", f"the locked row is {placed.locks}, not {clause.face}"))

    def _check_lost(self, colour: str) -> None:
        if not self._lost:
            able = self.position.phase == "placement" and self.position.turn_colour == colour
            text = f"{colour} can place a die" if able else f"{colour} has not been blocked"
            raise Refused(Reason("6:1.A", f"{text}, so no turn is lost"))

    def _placement(self, what: str) -> Effects:
        if self._placed is None:
            raise FormError(f"{what} follows a placement on the same line")
        return self._placed


def _digits(faces: tuple[int, ...]) -> str:
    return "".join(map(str, faces))
