"""The review of a recording: its frames through the same session as the live table, as fast as they come.

    review = Review(film, ReviewFolder(path), wishes)
    transcript = review.run(tell=lambda time_s: ...)

Nobody answers questions meanwhile. So what cannot be known is marked with its time span and left for
later, and the review goes on: a game that begins in mid-round, or that was out of sight, is taken up
as the table lies (vision.review_start).
"""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.errors import CorrectionError, LawnError
from engine.game_log import Question
from engine.game_steps import Started, TableRuling
from engine.journal import Journal
from engine.match import Match
from engine.position import Position
from engine.verdict import Desync, Infringement, Unsure
from vision.film import Film
from vision.reach import Reach
from vision.review_folder import Plan, ReviewError, ReviewFolder, Video, Wishes, asked, videos_of
from vision.review_looking import Looking, LookingApart, LookingHere, MakeEyes, passed
from vision.review_start import (
    Rivals,
    Start,
    has_begun,
    is_beginning,
    is_new_round,
    is_whole,
    starts,
)
from vision.review_transcript import transcript
from vision.review_views import KeptView, ViewKeeper, ViewsError, all_kept, kept_views
from vision.session import Session

GIVE_UP_S = 4.0
"""A table that has been out of step for so long, s, is taken up as it lies."""
NEVER_MENDED_S = 20.0
"""The same for an infringement that was not mended."""
UNANSWERED_S = 20.0
"""After so long, s, a question is left for later, and the likeliest answer taken for now."""
FRESH_S = 0.5
"""The empty Lawn of a beginning must have lain so for so long, s."""
LONG_WAIT_S = 90.0
"""After so much of the recording the likeliest start is taken."""
LATE = "The game is taken up here, as the table lies; {} is next."
MISSED = "The end of round {0} is not seen: a new round begins here. The points of round {0} are those seen."
EARLY = "The recording begins in mid-round: the Big Rolls before it are not seen. {}"

log = logging.getLogger(__name__)

REFEREE = "referee and journal"
"""This module's stage in `Review.spent`."""


def _silent(time_s: float) -> None:  # noqa: ARG001
    return


@dataclass
class Review:
    """One review, run once.

    make_eyes: makes what sees, given the players' colours; None for a Viewer with the shipped networks.
    apart: whether such a Viewer looks in a process of its own, while this one referees. anew: begin again; the
    journal so far is set aside once the film is seen to be one. spent: wall-clock s by stage, for who wants to
    know.
    """

    film: Film
    folder: ReviewFolder
    wishes: Wishes
    make_eyes: MakeEyes | None = None
    apart: bool = False
    anew: bool = False
    views: int = 0
    now_s: float = 0.0
    spent: dict[str, float] = field(default_factory=dict)
    _session: Session | None = None
    _kept: list[KeptView] = field(default_factory=list)
    _rivals: Rivals | None = None
    _arrivals: Reach | None = None
    _journal: Path | None = None
    """Where one is begun, if not in its place."""

    def run(self, tell: Callable[[float], None] = _silent) -> dict[str, Any]:
        """Review what is not reviewed yet; the transcript, which is in the folder too.

        tell: is called with the time in the recording that is reached, s.

        Raises:
            ReviewError, SourceError, JournalError, OwnerError: it cannot be done; one sentence says why.
        """
        plan = None if self.anew else self._plan()
        if plan is not None and plan.done:
            with contextlib.suppress(ReviewError):  # damaged: it follows from the journal
                self.folder.read_times()
                return self.folder.read_transcript()
        with self.folder.held():
            if plan is not None and plan.done:
                with contextlib.suppress(ReviewError):  # so are the times: the film has them
                    return self._told_again(plan)
            return self._run(plan, tell)

    def _run(self, plan: Plan | None, tell: Callable[[float], None]) -> dict[str, Any]:
        self._arrivals = Reach()
        from_s = 0.0 if plan is None else self._resumed(plan)
        try:
            with contextlib.closing(self._looking(plan, from_s)) as looking:
                colours = looking.colours  # where it has to find them, this looks at the film
                if self.anew:
                    self.folder.begin_anew()
                plan = plan or self._new_plan(colours)
                self._follow(looking, plan, tell)
            self.folder.write_times(self.film.times)
            plan = plan.model_copy(update={"videos": videos_of(self.film)})
            return self._done(plan, self._started(plan.players))
        finally:
            if self._session is not None:
                self._session.close()

    def _told_again(self, plan: Plan) -> dict[str, Any]:
        """The transcript of a review that is done, from its journal. Raises ReviewError, JournalError."""
        times = self.folder.read_times()
        with Journal.look(self.folder.journal) as journal:
            made = transcript(journal, plan, times)
        self.folder.write_transcript(made)
        return made

    def _looking(self, plan: Plan | None, from_s: float) -> Looking:
        colours = self.wishes.players if plan is None else plan.players
        if self.apart and self.make_eyes is None:
            return LookingApart(self.film, self.wishes, colours, from_s, self.spent)
        return LookingHere(self.film, self.wishes, colours, from_s, self.spent, self.make_eyes)

    def _follow(self, looking: Looking, plan: Plan, tell: Callable[[float], None]) -> None:
        """Show the referee all that is seen, and keep it."""
        started = self._started(plan.players)
        assert self._arrivals is not None
        with ViewKeeper(self.folder.views) as keeper:
            for seen in looking:
                if isinstance(seen, float):
                    tell(seen)
                    continue
                at = time.perf_counter()
                keeper.add(seen)
                self._arrivals.reached(seen.reached)
                self._see(seen, plan, started)
                passed(self.spent, REFEREE, at)

    def explain_anew(self) -> dict[str, Any]:
        """The transcript of a review that is done, by the referee of this program, from the views that it
        had: the film is not looked at again. The journal so far is set aside.

        Raises:
            ReviewError: it is not done yet.
        """
        plan = self.folder.plan()
        if plan is None or not plan.done:
            raise ReviewError(
                f"{self.folder.path}: this review is not done yet; review the film first."
            )
        self.folder.read_times()  # nothing is set aside for a review that cannot be told
        try:
            views = kept_views(self.folder.views)
        except ViewsError:
            views = []
        if not views or not all_kept(self.folder.views):
            raise ReviewError(
                f"{self.folder.views}: not all views are there any more; review the film again with --anew."
            )
        with self.folder.held():
            return self._explained(plan, views)

    def _explained(self, plan: Plan, views: list[KeptView]) -> dict[str, Any]:
        # Beside the journal so far, which is set aside once the new one is whole: cut off, nothing has changed.
        self._journal = self.folder.new_journal()
        self._arrivals = Reach()
        started = self._started(plan.players)
        at = time.perf_counter()
        try:
            for kept in views:
                self._arrivals.reached(kept.reached)
                self._see(kept, plan, started)
            passed(self.spent, REFEREE, at)
            made = self._told(plan, started)
        finally:
            if self._session is not None:
                self._session.close()
        self.folder.take_new_journal()
        self.folder.write_transcript(made)
        return made

    def _done(self, plan: Plan, started: Started) -> dict[str, Any]:
        made = self._told(plan, started)
        self.folder.write_transcript(made)
        self.folder.write_plan(plan.model_copy(update={"done": True}))
        return made

    def _told(self, plan: Plan, started: Started) -> dict[str, Any]:
        """The transcript, once nothing more will be seen."""
        self._end(plan, started)
        assert self._session is not None
        return transcript(self._session.keeper.journal, plan, self.folder.read_times())

    def _started(self, colours: tuple[str, ...]) -> Started:
        names = ("",) * len(colours)
        return Started(colours, names, self.wishes.options, self.wishes.threshold)

    # --- beginning, and going on where it was cut off -----------------------------------------

    def _plan(self) -> Plan | None:
        """The plan of this review if it was begun before. Raises ReviewError when another one was."""
        plan = self.folder.plan()
        if plan is not None:
            now = videos_of(self.film)
            same = len(plan.videos) == len(now) and all(map(Video.is_same, plan.videos, now))
            if not same or plan.asked != asked(self.wishes):
                raise ReviewError(
                    f"{self.folder.path}: this folder holds the review of another recording, or of this one before "
                    "it was changed, or one with other options; begin again with --anew, or give another folder "
                    "with --keep."
                )
        return plan

    def _new_plan(self, colours: tuple[str, ...]) -> Plan:
        last = self.film.reels[-1].path.stat().st_mtime
        plan = Plan(
            videos=videos_of(self.film),
            players=colours,
            asked=asked(self.wishes),
            base_s=round(last - self.film.duration_s, 3),
        )
        self.folder.write_plan(plan)
        return plan

    def _resumed(self, plan: Plan) -> float:
        """Go on with the journal, if there is one: the time up to which everything is known, s."""
        if not self.folder.journal.is_file():
            return 0.0
        if not has_begun(self.folder.journal):
            self.folder.set_journal_aside()
            return 0.0
        session = Session.resume(self.folder.journal, clock=self._clock(plan))
        session.keeper.arrivals = self._arrivals
        self._session = session
        events = session.keeper.journal.events()
        self.now_s = max(0.0, max(event.at_s for event in events[:-1]) - plan.base_s)
        return self.now_s

    def _clock(self, plan: Plan) -> Callable[[], float]:
        return lambda: plan.base_s + self.now_s

    # --- views --------------------------------------------------------------------------------

    def _see(self, kept: KeptView, plan: Plan, started: Started) -> None:
        self.views += 1
        if self._session is None:
            self._kept.append(kept)
            self._begin(plan, started)
            return
        self.now_s = kept.view.time_s
        self._session.see_view(kept.view, jpeg=lambda: kept.jpeg)
        self._take_up_again(kept)

    def _begin(self, plan: Plan, started: Started) -> None:
        """Begin the match with what is kept, once it is known where in a round it is."""
        view = self._kept[-1].view
        players = len(started.colours)
        match = _match(started)
        if self._rivals is None:
            lain = not view.hidden and view.still_s >= FRESH_S
            if lain and is_beginning(view, players):
                self._open(plan, started, Start())
                return
            if is_whole(view, players) and not is_beginning(view, players):
                found = starts(match, view)
                if found:
                    self._rivals = Rivals(match, found, view.time_s)
                    self._kept = self._kept[-1:]
        if self._rivals is None:
            return
        self._rivals.see(view)
        chosen = self._rivals.chosen
        if chosen is None and view.time_s - self._rivals.from_s > LONG_WAIT_S:
            chosen, _ = self._rivals.likeliest
        if chosen is not None:
            self._open(plan, started, chosen)

    def _open(self, plan: Plan, started: Started, start: Start) -> None:
        kept, self._kept, self._rivals = self._kept, [], None
        self.now_s = kept[0].view.time_s
        clock = self._clock(plan)
        file = self._journal or self.folder.journal
        session = Session.begin(file, started, start.big_rolls, clock=clock)
        session.keeper.arrivals = self._arrivals
        self._session = session
        if start.position is not None:
            self._rule(session, start, EARLY, kept[0])
        self._feed(session, kept)

    def _rule(self, session: Session, start: Start, sentence: str, kept: KeptView) -> None:
        assert start.position is not None
        said = sentence.format(start.next_up.capitalize())
        if sentence == EARLY:
            said = EARLY.format(f"{start.next_up.capitalize()} is next.")
        ruling = TableRuling(start.position, said, start.tolerated)
        session.keeper.take(ruling, view=kept.view, jpeg=lambda: kept.jpeg)

    def _feed(self, session: Session, kept: list[KeptView]) -> None:
        for each in kept:
            self.now_s = each.view.time_s

            def jpeg(picture: bytes | None = each.jpeg) -> bytes | None:
                return picture

            session.see_view(each.view, jpeg=jpeg)

    # --- out of step --------------------------------------------------------------------------

    def _take_up_again(self, now: KeptView) -> None:
        """Take up the table as it lies when nothing has explained it for long."""
        session, view = self._session, now.view
        assert session is not None
        question, match = session.log.question, session.log.game.match
        if view.still_s >= FRESH_S and is_new_round(match, view):
            self._rivals, self._kept = None, []
            self._begin_anew(session, now)
            return
        if question is not None and isinstance(question.verdict, Unsure):
            if view.time_s - self._asked_s(question) >= UNANSWERED_S:
                with contextlib.suppress(CorrectionError):  # it stays open, and the review goes on
                    session.keeper.assume()
            return
        stuck = question is not None and isinstance(question.verdict, Desync | Infringement)
        if not stuck or match.is_over:
            self._rivals, self._kept = None, []
            return
        assert question is not None
        if self._rivals is None:
            wait_s = GIVE_UP_S if isinstance(question.verdict, Desync) else NEVER_MENDED_S
            if view.time_s - self._asked_s(question) < wait_s or not is_whole(
                view, len(match.colours)
            ):
                return
            found = starts(match, view) if match.position.order else []
            if not found:
                return
            self._rivals = Rivals(match, found, view.time_s)
        self._kept.append(now)
        self._rivals.see(view)
        chosen = self._rivals.chosen
        if chosen is None and view.time_s - self._rivals.from_s > LONG_WAIT_S:
            chosen, _ = self._rivals.likeliest
        if chosen is not None:
            kept, self._kept, self._rivals = self._kept, [], None
            self.now_s = kept[0].view.time_s
            self._rule(session, chosen, LATE, kept[0])
            self._feed(session, kept)

    def _asked_s(self, question: Question) -> float:
        """When a question was asked, s of the recording."""
        assert self._session is not None
        journal = self._session.keeper.journal
        return journal.view(question.view).time_s if question.view else 0.0

    def _begin_anew(self, session: Session, now: KeptView) -> None:
        """The end of the round was not seen: it is left with the points that it has."""
        session.keeper.conclude()
        match = session.log.game.match
        if match.position.order:
            start = Position.start(colours=match.colours, options=match.options)
            ruling = TableRuling(start, MISSED.format(len(match.rounds) + 1))
            session.keeper.take(ruling, view=now.view, jpeg=lambda: now.jpeg)

    def _end(self, plan: Plan, started: Started) -> None:
        """Nothing more will be seen."""
        if self._session is None:
            if self._rivals is None:
                raise ReviewError(
                    f"{self.film.name}: no whole table is seen in it, so there is nothing to review; check that "
                    "the players' colours are right and that all dice are in the picture."
                )
            self._open(plan, started, self._rivals.likeliest[0])
        session = self._session
        assert session is not None
        try:
            session.keeper.conclude()
        except LawnError as error:
            log.info("The last turn could not be logged: %s", error)


def _match(started: Started) -> Match:
    return Match.start(
        colours=started.colours, options=started.options, threshold=started.threshold
    )
