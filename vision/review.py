"""The review of a recording: its frames through the same session as the live table, as fast as they come.

    review = Review(film, ReviewFolder(path), wishes)
    transcript = review.run(tell=lambda time_s: ...)

Nobody answers questions meanwhile. So what cannot be known is marked with its time span and left for
later, and the review goes on: a game that begins in mid-round, or that was out of sight, is taken up
as the table lies (vision.review_start).
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from engine.errors import LawnError
from engine.game_steps import Started, TableRuling
from engine.match import Match
from engine.table import TableView
from engine.verdict import Desync, Infringement
from vision.crop_reader import CropReader
from vision.feed import Eyes, Feed
from vision.film import Film
from vision.frames import Image
from vision.mat import parse_corners
from vision.mat_keeper import MatKeeper
from vision.match_owners import match_owners
from vision.moments import moment_jpeg
from vision.reach import Reach
from vision.review_cast import find_cast
from vision.review_folder import Plan, ReviewError, ReviewFolder, Wishes, asked, videos_of
from vision.review_profile import Timed
from vision.review_start import Rivals, Start, is_beginning, is_whole, starts
from vision.review_transcript import transcript
from vision.review_views import KeptView, ViewKeeper, kept_views
from vision.session import Session
from vision.view import Viewer

GIVE_UP_S = 4.0
"""A table that has been out of step for so long, s, is taken up as it lies."""
NEVER_MENDED_S = 20.0
"""The same for an infringement that was not mended."""
FRESH_S = 0.5
"""The empty Lawn of a beginning must have lain so for so long, s."""
LONG_WAIT_S = 90.0
"""After so much of the recording the likeliest start is taken."""
LATE = "The game is taken up here, as the table lies; {} is next."
EARLY = "The recording begins in mid-round: the Big Rolls before it are not seen. {}"

log = logging.getLogger(__name__)

MakeEyes = Callable[[tuple[str, ...]], Eyes]


def _silent(time_s: float) -> None:  # noqa: ARG001
    return


@dataclass
class Review:
    """One review, run once.

    make_eyes: makes what sees, given the players' colours; None for a Viewer with the shipped networks.
    spent: wall-clock s by stage, for who wants to know.
    """

    film: Film
    folder: ReviewFolder
    wishes: Wishes
    make_eyes: MakeEyes | None = None
    views: int = 0
    eyes: Eyes | None = None
    now_s: float = 0.0
    spent: dict[str, float] = field(default_factory=dict)
    _session: Session | None = None
    _kept: list[KeptView] = field(default_factory=list)
    _rivals: Rivals | None = None
    _arrivals: Reach | None = None

    def run(self, tell: Callable[[float], None] = _silent) -> dict[str, Any]:
        """Review what is not reviewed yet; the transcript, which is in the folder too.

        tell: is called with the time in the recording that is reached, s.

        Raises:
            ReviewError, SourceError, JournalError, OwnerError: it cannot be done; one sentence says why.
        """
        plan = self._plan()
        if plan.done and self.folder.transcript.is_file():
            return self.folder.read_transcript()
        colours = plan.players
        self.eyes = self.make_eyes(colours) if self.make_eyes else self._viewer(colours)
        feed = Feed(self.eyes)
        self._arrivals = feed.reach
        started = self._started(colours)
        from_s = self._resumed(plan)
        try:
            with ViewKeeper(self.folder.views) as keeper:
                at = time.perf_counter()
                for frame in self.film.looked_at(from_s):
                    at = self._passed("waiting for pictures", at)
                    tell(frame.time_s)
                    view = feed.see(frame)
                    at = self._passed("looking", at)
                    if view is not None:
                        kept = KeptView(view, self._jpeg(view, frame.image), feed.reach.news())
                        keeper.add(kept)
                        self._see(kept, plan, started)
                        at = self._passed("referee and journal", at)
            self.folder.write_times(self.film.times)
            plan = plan.model_copy(update={"videos": videos_of(self.film)})
            return self._done(plan, started)
        finally:
            if self._session is not None:
                self._session.close()

    def explain_anew(self) -> dict[str, Any]:
        """The transcript of a review that is done, by the referee of this program, from the views that it
        had: the film is not looked at again. The journal so far is set aside.

        Raises:
            ReviewError: it is not done yet.
        """
        plan = self.folder.plan()
        views = kept_views(self.folder.views)
        if plan is None or not plan.done or not views:
            raise ReviewError(
                f"{self.folder.path}: this review is not done yet; review the film first."
            )
        self.folder.set_journal_aside()
        self._arrivals = Reach()
        started = self._started(plan.players)
        at = time.perf_counter()
        try:
            for kept in views:
                self._arrivals.reached(kept.reached)
                self._see(kept, plan, started)
            self._passed("referee and journal", at)
            return self._done(plan, started)
        finally:
            if self._session is not None:
                self._session.close()

    def _done(self, plan: Plan, started: Started) -> dict[str, Any]:
        self._end(plan, started)
        assert self._session is not None
        plan = plan.model_copy(update={"done": True})
        made = transcript(self._session.keeper.journal, plan, self.folder.read_times())
        self.folder.write_transcript(made)
        self.folder.write_plan(plan)
        return made

    def _started(self, colours: tuple[str, ...]) -> Started:
        names = ("",) * len(colours)
        return Started(colours, names, self.wishes.options, self.wishes.threshold)

    def _passed(self, stage: str, since: float) -> float:
        now = time.perf_counter()
        self.spent[stage] = self.spent.get(stage, 0.0) + now - since
        return now

    # --- beginning, and going on where it was cut off -----------------------------------------

    def _plan(self) -> Plan:
        wanted, videos = asked(self.wishes), videos_of(self.film)
        plan = self.folder.plan()
        if plan is not None:
            same = [(v.path, v.bytes) for v in plan.videos] == [(v.path, v.bytes) for v in videos]
            if not same or plan.asked != wanted:
                raise ReviewError(
                    f"{self.folder.path}: this folder holds the review of another recording, or one with other "
                    "options; give another folder."
                )
            return plan
        players = self.wishes.players or find_cast(self.film).colours
        match_owners(players)  # says at once when these colours cannot play
        last = self.film.reels[-1].path.stat().st_mtime
        plan = Plan(
            videos=videos,
            players=players,
            asked=wanted,
            base_s=round(last - self.film.duration_s, 3),
        )
        self.folder.write_plan(plan)
        return plan

    def _viewer(self, colours: tuple[str, ...]) -> Viewer:
        reader = Timed(CropReader(), self.spent)
        return Viewer(reader, self._mats(), match_owners(colours))

    def _mats(self) -> MatKeeper:
        lawn = None
        if self.wishes.corners is not None:
            lawn = parse_corners(self.wishes.corners, self.film.size)
        return MatKeeper.of(self.film.name, lawn)

    def _resumed(self, plan: Plan) -> float:
        """Go on with the journal, if there is one: the time up to which everything is known, s."""
        if not self.folder.journal.is_file():
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

    def _jpeg(self, view: TableView, image: Image) -> bytes | None:
        """The small picture of a view, but for those in which a hand moves: nothing is decided there."""
        if view.still_s == 0 and view.hidden:
            return None
        return moment_jpeg(image, self.eyes.mat if self.eyes is not None else None, view.dice)

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
        session = Session.begin(self.folder.journal, started, start.big_rolls, clock=clock)
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
        stuck = question is not None and isinstance(question.verdict, Desync | Infringement)
        if not stuck or match.is_over:
            self._rivals, self._kept = None, []
            return
        assert question is not None
        if self._rivals is None:
            wait_s = GIVE_UP_S if isinstance(question.verdict, Desync) else NEVER_MENDED_S
            asked_s = session.keeper.journal.view(question.view).time_s if question.view else 0.0
            if view.time_s - asked_s < wait_s or not is_whole(view, len(match.colours)):
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
