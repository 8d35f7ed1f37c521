"""The keeper of a game: views in, journal entries out; persons' corrections the same way.

It holds the journal, its replay and the referee together. Whatever changes is written first and
believed afterwards, so when writing fails nothing has changed and the next view tries again.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol, Self, cast

from engine.actions import Action, Place, Side
from engine.dice import DICE_PER_PLAYER, NEUTRAL_DICE
from engine.errors import CorrectionError
from engine.game_events import (
    Asked,
    CameraChanged,
    Happening,
    Noted,
    Paused,
    PinsLapsed,
    PutBack,
    Resumed,
    Settled,
)
from engine.game_log import GameLog, began, replayed
from engine.game_pace import Pace, Times
from engine.game_steps import DieCorrected, Played, Started, TableRuling
from engine.game_turns import cut_into_turns, goes_on
from engine.journal import Journal
from engine.journal_events import Draft
from engine.lawn import NEUTRAL
from engine.match import Match
from engine.match_log import Entry
from engine.pins import Pinned, pinned
from engine.push_side import Arrivals, either_side, pushed_from
from engine.referee import Pin, Referee
from engine.table import ELSEWHERE, TableView
from engine.verdict import (
    Agrees,
    Desync,
    Happened,
    Infringement,
    Mended,
    Standing,
    Turned,
    Unsure,
    Verdict,
)

MISSING_VIEWS = 3
"""A corrected die that is not seen in so many views in a row has been taken away."""

AGREED_VIEWS = 4
"""A referee who did not ask a question himself (he was called anew, after a night) believes a single
misread die too easily: the table must agree so often in a row until the question is settled."""

MAX_NOTE = 500
"""Letters of a note."""

UNANSWERED = "Nobody said what happened here; this is the likeliest."
"""Said of a guess that is taken for want of an answer."""
SEEN = 0.2
"""What is a die with more than this probability counts as seen."""

RECENT_VIEWS = 24
"""So many views are kept to see from which side a push came."""

DECISIVE = (Played, Asked, TableRuling, DieCorrected)
"""What is kept with the view and the picture of its moment."""


class Sees(Protocol):
    """What is used of engine.referee.Referee; tests bring their own."""

    @property
    def standing(self) -> Standing | None: ...
    @property
    def provisional(self) -> Happened | None: ...
    @property
    def match(self) -> Match: ...
    def see(self, view: TableView) -> tuple[Self, tuple[Verdict, ...]]: ...
    def accept(self, view: TableView) -> tuple[Self, tuple[Verdict, ...]]: ...
    def corrected(self, *pins: Pin) -> Self: ...
    def played(self, match: Match) -> Self: ...


class GameKeeper:
    """A game being kept; make one with `begin` or `resume`. Not for several threads at once.

    Attributes:
        journal: where everything is written.
        log: its replay.
        referee: as of the last view.
        view: the last view, as the camera believes it; None before the first one.
        arrivals: where hands came to the Lawn, if the camera's eyes watch that.
    """

    def __init__(
        self,
        journal: Journal,
        log: GameLog,
        *,
        referee: Callable[[Match], Sees] = Referee.start,
    ) -> None:
        self.journal = journal
        self.log = log
        self.referee = seated(referee(log.game.match), log)
        self.view: TableView | None = None
        self.arrivals: Arrivals | None = None
        self._pace = Pace()
        self._views: deque[TableView] = deque(maxlen=RECENT_VIEWS)
        self._start = referee
        self._missing: Counter[int] = Counter()
        self._agreed = 0
        self._told: set[tuple[int, int]] = set()  # (pin, key) that the referee knows

    @classmethod
    def begin(
        cls,
        journal: Journal,
        started: Started,
        so_far: tuple[Entry, ...] = (),
        *,
        referee: Callable[[Match], Sees] = Referee.start,
    ) -> Self:
        """Start a match in an empty journal; what was played before the camera came may be told.

        Raises:
            CorrectionError: there is a match in it, or the rules do not allow what was played.
            JournalError: it cannot be written.
        """
        if journal.events():
            raise CorrectionError(f"{journal.path}: there is a match in it already; resume it.")
        (event,) = journal.append(Draft(started.kind, started.body()))
        keeper = cls(journal, began(event), referee=referee)
        if so_far:
            keeper.take(Played(so_far, by_person=True))
        return keeper

    @classmethod
    def resume(
        cls,
        journal: Journal,
        source: str = "",
        *,
        referee: Callable[[Match], Sees] = Referee.start,
    ) -> Self:
        """Go on with the match of a journal: same state, same questions. Raises JournalError."""
        keeper = cls(journal, replayed(journal.events()), referee=referee)
        keeper.write(Resumed(source))
        return keeper

    # --- views ----------------------------------------------------------------------------

    def see(
        self, view: TableView, jpeg: Callable[[], bytes | None] = lambda: None
    ) -> tuple[Verdict, ...]:
        """Take in a view; what is new, as the referee says it. () during a break.

        jpeg: makes the small picture of this moment, if it turns out to be a decisive one.

        Raises:
            JournalError: it could not be written; nothing has changed then.
        """
        view = uncovered(view, len(self.log.started.colours))
        self.view = view
        if self.log.paused:
            return ()
        self._views.append(view)
        believed = pinned(view, self.log.game.pins, self.log.run)
        referee, verdicts = self._asked(believed)
        agrees = any(isinstance(each, Agrees) and not each.progress for each in verdicts)
        self._agreed = self._agreed + 1 if agrees else 0
        news: list[Happening] = []
        self._missing.update(believed.missing)
        for pin, _ in believed.holding:
            self._missing.pop(pin.number, None)
        lapsed = believed.lapsed + tuple(
            number for number in believed.missing if self._missing[number] >= MISSING_VIEWS
        )
        if lapsed:
            news.append(PinsLapsed(lapsed))
        told = []
        pace = self._pace.seen(verdicts, view.time_s, clear=not view.hidden)
        for verdict in verdicts:
            if isinstance(verdict, Happened) and self._is_taken_back(verdict):
                referee = self.referee  # a person said that it has not happened
                break
            if isinstance(verdict, Happened) and not self._may_replace(verdict):
                referee = referee.played(self.log.game.match)
                break
            told.append(verdict)
            news += self._news(verdict, pace)
            if isinstance(verdict, Happened) and verdict.final:
                pace = pace.logged(len(verdict.actions))
        self.write(*news, view=view, jpeg=jpeg)
        if referee.match.position != self.log.game.match.position:
            referee, pace = seated(referee.played(self.log.game.match), self.log), pace.anew()
        self.referee, self._pace = referee, pace
        return tuple(told)

    def _asked(self, believed: Pinned) -> tuple[Sees, tuple[Verdict, ...]]:
        known = {(pin.number, key) for pin, key in believed.holding}
        pins = tuple(
            Pin(key, pin.face, pin.owner, pin.place)
            for pin, key in believed.holding
            if not pin.absent and (pin.number, key) not in self._told
        )
        # Told once: whenever the referee is corrected, it begins to wait anew.
        referee = self.referee.corrected(*pins) if pins else self.referee
        self._told = known
        return referee.see(believed.view)

    def _is_taken_back(self, verdict: Happened) -> bool:
        back = self.log.taken_back
        shared = min(len(back), len(verdict.actions))
        return shared > 0 and back[:shared] == verdict.actions[:shared]

    def _may_replace(self, verdict: Happened) -> bool:
        """Whether a verdict takes back nothing that a person said."""
        if not (verdict.final and verdict.replaces):
            return True
        try:
            self.log.tried(Played(verdict.actions, replaces=verdict.replaces))
        except CorrectionError:
            return False
        return True

    def _news(self, verdict: Verdict, pace: Pace) -> list[Happening]:
        """What a verdict has to be logged as; [] when it is nothing new."""
        log = self.log
        if isinstance(verdict, Happened):
            if not verdict.final:
                return []
            sentence = " ".join(verdict.assumed)
            times = pace.of(len(verdict.actions))
            said = verdict.probability, sentence, verdict.replaces
            entries = verdict.actions if verdict.replaces else self._sided(verdict.actions, times)
            return [Played(entries, False, *said, times)]
        if isinstance(verdict, Infringement | Unsure | Desync):
            same = log.question is not None and is_same(log.question.verdict, verdict)
            return [] if same else [Asked(verdict)]
        if isinstance(verdict, Mended):
            return [Settled("mended", verdict.sentence)] if log.question else []
        if isinstance(verdict, Turned):
            return [CameraChanged("turned", verdict.sentence)]
        if isinstance(verdict, Agrees):
            news: list[Happening] = []
            if log.question is not None and self._agreed >= AGREED_VIEWS:
                news.append(Settled("mended"))
            if log.taken_back and not verdict.progress:
                news.append(PutBack())
            return news
        return []

    def _sided(self, entries: tuple[Entry, ...], times: Times) -> tuple[Entry, ...]:
        """The entries with pushes that could have come from either side set to what else tells."""
        match, told = self.log.game.match, []
        for at, entry in enumerate(entries):
            other = either_side(match, entry)
            if other is not None and at < len(times):
                side = pushed_from(match, entry, self._views, self.arrivals, times[at])
                entry = other if side is not None and other.action == _with(entry, side) else entry
            told.append(entry)
            match = match.apply(entry.action, entry.by)
        return tuple(told)

    def write(
        self,
        *news: Happening,
        view: TableView | int | None = None,
        jpeg: Callable[[], bytes | None] = lambda: None,
    ) -> None:
        """Write entries, all or none, and believe them.

        Raises:
            CorrectionError: one makes no sense here; nothing is written then.
            JournalError: it cannot be written; nothing has changed then.
        """
        if not news:
            return
        log = self.log
        for what in news:
            log = log.tried(what)
        drafts = []
        for what in news:
            if isinstance(what, DECISIVE):
                drafts.append(Draft(what.kind, what.body(), view, jpeg()))
            else:
                drafts.append(Draft(what.kind, what.body()))
        log = self.log
        for event in self.journal.append(*drafts):
            log = log.then(event)
        self.log = log

    def take(
        self,
        what: Happening,
        *,
        view: TableView | None = None,
        jpeg: Callable[[], bytes | None] = lambda: None,
    ) -> None:
        """Write what a person says, seat the referee anew and look at the last view again.

        Raises:
            CorrectionError: it makes no sense here.
            JournalError: it could not be written; nothing has changed then.
        """
        self.write(what, view=view, jpeg=jpeg)
        self.referee = seated(self.referee.played(self.log.game.match), self.log)
        self._pace = self._pace.anew()
        if self.view is not None and not self.log.paused:
            self.see(self.view)

    def conclude(self, least: float = 0.5) -> None:
        """Nothing more will be seen: log what seems to have happened, as far as turns are whole.

        least: leave out what is less probable than this. Raises JournalError.
        """
        story = None if self.log.paused else self.referee.provisional
        if story is None or story.probability < least:
            return
        match, count = self.log.game.match, 0
        for piece in cut_into_turns(match, story.actions):
            before = match.played(piece[:-1])
            after = before.played(piece[-1:])
            ended = len(after.rounds) > len(match.rounds)
            if not ended and goes_on(before.position.phase, after.position.phase):
                break
            match, count = after, count + len(piece)
        if count:
            times = self._pace.of(count)
            said = story.probability, " ".join(story.assumed), 0
            played = Played(self._sided(story.actions[:count], times), False, *said, times)
            self.write(played, view=self.view)

    def assume(self) -> None:
        """Nobody answers the open question: go on as if the likeliest of its guesses were so, as probable as it is.

        Raises:
            CorrectionError: no question with guesses is open.
            JournalError: it could not be written; nothing has changed then.
        """
        question = self.log.question
        verdict = question.verdict if question else None
        if not isinstance(verdict, Unsure) or not verdict.guesses:
            raise CorrectionError("There is no question whose answer could be assumed.")
        likeliest = max(verdict.guesses, key=lambda guess: guess.probability)
        count = len(likeliest.actions)
        times = self._pace.of(count)
        said = likeliest.probability, UNANSWERED, likeliest.replaces
        entries = likeliest.actions if likeliest.replaces else self._sided(likeliest.actions, times)
        self.write(Played(entries, False, *said, times), view=self.view)
        self.referee = seated(self.referee.played(self.log.game.match), self.log)
        self._pace = self._pace.logged(count)

    # --- breaks, notes, the camera --------------------------------------------------------

    def note(self, text: str) -> None:
        """Write a remark into the journal. Raises CorrectionError for an empty one."""
        text = " ".join(text.split())
        if not text:
            raise CorrectionError("A note needs words.")
        self.write(Noted(text[:MAX_NOTE]))

    def pause(self) -> None:
        """The players take a break: what the camera sees meanwhile is nobody's turn."""
        if not self.log.paused:
            self.write(Paused())

    def go_on(self, source: str = "") -> None:
        """The break is over."""
        if self.log.paused:
            self.write(Resumed(source))
            self.referee = seated(self._start(self.log.game.match), self.log)
            self._told = set()
            self.view = None


def uncovered(view: TableView, players: int) -> TableView:
    """The view; with nothing hidden where only a part of the table beside the mat is, and no die can be in it
    since every die of the game is seen elsewhere."""
    if view.hidden != {ELSEWHERE}:
        return view
    wanted = Counter(dict.fromkeys(range(players), DICE_PER_PLAYER))
    if players == 2:
        wanted[NEUTRAL] = NEUTRAL_DICE
    seen = Counter(die.owner for die in view.dice if die.found_p > SEEN)
    return replace(view, hidden=frozenset()) if seen == wanted else view


def _with(entry: Entry, side: Side) -> Action:
    """The placement of an entry at that side."""
    assert isinstance(entry.action, Place)
    return Place(entry.action.face, side)


def seated(referee: Sees, log: GameLog) -> Sees:
    """The referee with what the log knows beside the match: dice tolerated, the mat turned."""
    told: Any = replace(cast(Any, referee), tolerated=log.game.tolerated, turned=log.turned)
    return cast(Sees, told)


def is_same(one: Standing, other: Standing) -> bool:
    """Whether two questions ask the same: numbers of dice and probabilities aside."""
    if isinstance(one, Infringement) and isinstance(other, Infringement):
        return (one.kind, one.player, one.cells) == (other.kind, other.player, other.cells)
    if isinstance(one, Unsure) and isinstance(other, Unsure):
        ours, theirs = ({guess.actions for guess in each.guesses} for each in (one, other))
        if not (ours or theirs):  # what that one die shows
            return one.keys == other.keys
        return (one.look_at, ours) == (other.look_at, theirs)
    if isinstance(one, Desync) and isinstance(other, Desync):
        first, second = (
            {(each.place, each.expected, each.seen) for each in verdict.differences}
            for verdict in (one, other)
        )
        return first == second
    return False
