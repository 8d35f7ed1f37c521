"""The desk where persons set right what the camera, or they themselves, got wrong.

Every call writes one entry into the journal, or raises CorrectionError with one sentence and changes
nothing. What a person says outweighs the camera and is not asked again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from engine import corrections
from engine.actions import Elect
from engine.corrections import ByReferee, Explainer
from engine.errors import CorrectionError, LawnError
from engine.game_events import Redone, Undone
from engine.game_keeper import GameKeeper
from engine.game_steps import DieCorrected, Later, Played, TableRuling
from engine.game_turns import Turn, fitted
from engine.match import Match
from engine.match_log import Entry
from engine.pins import DiePin, pinned
from engine.table import Place, SeenDie, TableView
from engine.verdict import Desync, Ruled, Unsure

LOOK_BACK = 3
"""So many turns back a corrected die may show that a turn was read wrong."""


class Desk:
    """The corrections of one kept game."""

    def __init__(self, keeper: GameKeeper, explainer: Explainer | None = None) -> None:
        self._keeper = keeper
        self._explainer = explainer or ByReferee()

    def correct_die(
        self,
        key: int,
        *,
        face: int | None = None,
        owner: int | None = None,
        place: Place | None = None,
        absent: bool = False,
    ) -> None:
        """Say what the die of that key in the last view is; turns read wrong because of it follow.

        Raises:
            CorrectionError: no such die in the last view.
            TableError: nothing is said of it, or a face or owner that cannot be.
        """
        die = self._die(key)
        for old in self._keeper.log.game.pins:  # what was said of it before stays said
            if (old.key, old.run) == (key, self._keeper.log.run) and not absent:
                face = old.face if face is None else face
                owner = old.owner if owner is None else owner
                place = old.place if place is None else place
        self._pin(
            DiePin.on(die, self._keeper.log.run, face=face, owner=owner, place=place, absent=absent)
        )

    def add_die(self, face: int, owner: int, place: Place) -> None:
        """Say that a die lies where the camera sees none. Raises TableError."""
        self._pin(DiePin(None, self._keeper.log.run, face, owner, place))

    def _pin(self, pin: DiePin) -> None:
        step = DieCorrected(pin)
        if self._keeper.view is not None:
            step = DieCorrected(pin, self._read_wrong(pin))
        self._keeper.take(step, view=self._keeper.view)

    def _die(self, key: int) -> SeenDie:
        for die in self._keeper.view.dice if self._keeper.view else ():
            if die.key == key:
                return die
        raise CorrectionError("That die is not on the table any more; choose it again.")

    def _read_wrong(self, pin: DiePin) -> Later:
        """The last turns as they are with the die so, if the table then fits; () otherwise."""
        game, log = self._keeper.log.game, self._keeper.log
        assert self._keeper.view is not None
        pins = (*game.pins, replace(pin, number=log.number + 1))
        now = pinned(self._keeper.view, pins, log.run).view
        if self._explainer.agrees(game.match, now) or self._explainer.explain(game.match, now):
            return ()

        def view_of(turn: Turn) -> TableView | None:
            return self._stored(turn, pins)

        for back in range(1, min(LOOK_BACK, len(game.turns)) + 1):
            at = len(game.turns) - back
            before = game.match_before(at)
            later = corrections.explained(game, at, before, view_of, self._explainer)
            if later and self._explainer.agrees(_match_with(before, game.turns[at:], later), now):
                return later
        return ()

    def _stored(self, turn: Turn, pins: tuple[DiePin, ...]) -> TableView | None:
        if turn.view is None:
            return None
        try:
            view = self._keeper.journal.view(turn.view)
        except LawnError:
            return None  # lost with a damaged file
        return pinned(view, pins, self._keeper.log.run_at(turn.events[-1])).view

    def _view_of(self, turn: Turn) -> TableView | None:
        return self._stored(turn, self._keeper.log.game.pins)

    def correct_turn(self, turn: str, entries: tuple[Entry, ...]) -> None:
        """Give a past turn other actions. Raises CorrectionError."""
        game = self._keeper.log.game
        self._keeper.take(corrections.replaced(game, turn, entries, self._view_of, self._explainer))

    def add_turn(self, after: str, entries: tuple[Entry, ...]) -> None:
        """Add a turn after another one, "" for the very first. Raises CorrectionError."""
        game = self._keeper.log.game
        self._keeper.take(corrections.added(game, after, entries, self._view_of, self._explainer))

    def remove_turn(self, turn: str) -> None:
        """Take a turn out. Raises CorrectionError."""
        game = self._keeper.log.game
        self._keeper.take(corrections.removed(game, turn, self._view_of, self._explainer))

    def elect(self, colour: str, category: str) -> None:
        """A player claims a bonus (3:2.D), now or, in the round being played, otherwise than assumed.

        Raises:
            ActionError: there is no such bonus.
            CorrectionError: the player has no choice, or the roll does not qualify.
        """
        entry = Entry(Elect(category), colour)
        match = self._keeper.log.game.match
        if match.position.phase == "bonus-choice" and match.position.turn_colour == colour:
            self._keeper.take(Played((entry,), by_person=True))
            return
        for turn in reversed(self._keeper.log.game.turns):
            if any(isinstance(each.action, Elect) and each.by == colour for each in turn.entries):
                entries = tuple(
                    entry if isinstance(each.action, Elect) and each.by == colour else each
                    for each in turn.entries
                )
                self.correct_turn(turn.id, entries)
                return
        raise CorrectionError(f"{colour} has no bonus to choose.")

    def answer(self, guess: int) -> None:
        """Take one of the guesses of the open question for what happened. Raises CorrectionError."""
        question = self._keeper.log.question
        verdict = question.verdict if question else None
        if not isinstance(verdict, Unsure) or not 0 <= guess < len(verdict.guesses):
            raise CorrectionError("That question is not open any more.")
        said = verdict.guesses[guess]
        played = Played(said.actions, by_person=True, replaces=said.replaces)
        self._keeper.take(played, view=self._keeper.view)

    def accept_table(self, jpeg: Callable[[], bytes | None] = lambda: None) -> None:
        """Accept the table as it lies in the last view (a table ruling).

        Raises:
            CorrectionError: no view yet, or what lies there can be no position.
        """
        if self._keeper.view is None:
            raise CorrectionError("No camera has seen the table yet.")
        log = self._keeper.log
        believed = pinned(self._keeper.view, log.game.pins, log.run).view
        _, verdicts = self._keeper.referee.accept(believed)
        for verdict in verdicts:
            if isinstance(verdict, Ruled):
                sentence = " ".join(verdict.sentence.replace("#", "no. ").split())
                ruling = TableRuling(verdict.position, sentence, verdict.tolerated)
                self._keeper.take(ruling, view=self._keeper.view, jpeg=jpeg)
                return
            if isinstance(verdict, Desync):
                raise CorrectionError(verdict.sentence)
        raise CorrectionError("The table is as expected; there is nothing to accept.")

    def undo(self) -> None:
        """Take the last step back. Raises CorrectionError."""
        self._keeper.take(Undone())

    def redo(self) -> None:
        """Make the step that was undone last again. Raises CorrectionError."""
        self._keeper.take(Redone())


def _match_with(match: Match, turns: tuple[Turn, ...], later: Later) -> Match:
    anew = dict(later)
    for turn in turns:
        match, _ = fitted(match, replace(turn, entries=anew.get(turn.id, turn.entries)))
    return match
