"""Settling the doubts of a review: what a person says goes into its journal, and what follows is explained anew."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from engine.errors import CorrectionError
from engine.game_events import Asked, happening
from engine.game_steps import Played, TurnRemoved, TurnReplaced
from engine.game_turns import cut_into_turns
from engine.verdict import Unsure
from vision.review_folder import ReviewFolder
from vision.review_transcript import transcript
from vision.session import Session


class ReviewDesk:
    """One review's doubts. What persons say is written with the recording's last moment.

    Every call raises CorrectionError, JournalError or ReviewError with one sentence.
    """

    _one_at_a_time = threading.Lock()

    def __init__(self, path: Path) -> None:
        self._folder = ReviewFolder(path)

    def answer(self, question: int, guess: int) -> None:
        """Take one of the guesses of a question for what happened."""

        def do(session: Session) -> None:
            log = session.log
            if log.question is not None and log.question.number == question:
                session.answer(guess)
                return
            asked = next(
                (
                    happening(event)
                    for event in session.keeper.journal.events()
                    if event.number == question
                ),
                None,
            )
            verdict = asked.verdict if isinstance(asked, Asked) else None
            if not isinstance(verdict, Unsure) or not 0 <= guess < len(verdict.guesses):
                raise CorrectionError("That question is not open any more.")
            turns = log.game.turns
            at = next((i for i, turn in enumerate(turns) if turn.events[0] > question), None)
            if at is None:
                raise CorrectionError("No turn follows that question.")
            before = log.game.match_before(at)
            pieces = cut_into_turns(before, verdict.guesses[guess].actions)
            if not pieces:
                session.remove_turn(turns[at].id)
                return
            session.correct_turn(turns[at].id, pieces[0])

        self._said(do)

    def confirm(self, turn: str) -> None:
        """A turn that was doubtful was so."""

        def do(session: Session) -> None:
            game = session.log.game
            session.correct_turn(turn, game.turns[game.index(turn)].entries)

        self._said(do)

    def remove(self, turn: str) -> None:
        """A turn never happened."""
        self._said(lambda session: session.remove_turn(turn))

    def undo(self) -> None:
        """Take the last thing back that a person said; never what was seen in the film."""

        def do(session: Session) -> None:
            last = session.log.undo_number
            said = [event for event in session.keeper.journal.events() if event.number == last]
            step = happening(said[0]) if said else None
            by_person = isinstance(step, Played) and step.by_person
            if not (by_person or isinstance(step, TurnReplaced | TurnRemoved)):
                raise CorrectionError("Nobody has said anything here that could be taken back.")
            session.undo()

        self._said(do)

    def _said(self, do: Callable[[Session], None]) -> None:
        with self._one_at_a_time:
            plan = self._folder.plan()
            times = self._folder.read_times()
            if plan is None or not plan.done:
                raise CorrectionError("This review has not come to its end yet.")
            end_s = plan.base_s + (float(times[-1]) if len(times) else 0.0)
            with Session.resume(self._folder.journal, clock=lambda: end_s) as session:
                do(session)
                made = transcript(session.keeper.journal, plan, times)
            self._folder.write_transcript(made)
