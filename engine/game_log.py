"""A game at a table as the replay of its journal: turns, match, open questions, undo and redo.

    log = replayed(journal.events())
    log.game.match.position     # what is expected on the table
    log.game.misfits            # past turns that no longer fit, never dropped
    log.question                # what stands open

Every correction is one more entry, so nothing is ever overwritten: an undo goes back to the game
before the last step, and a redo to the game after it. Same journal, same log.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from engine.errors import CorrectionError, JournalError
from engine.game_events import (
    Asked,
    CameraChanged,
    Happening,
    Lost,
    Noted,
    Paused,
    PinsLapsed,
    PutBack,
    Redone,
    Resumed,
    Settled,
    Undone,
    happening,
)
from engine.game_steps import (
    STEPS,
    DieCorrected,
    Played,
    Started,
    Step,
    TableRuling,
    TurnAdded,
    TurnRemoved,
)
from engine.game_turns import Game, Turn, misfit_added, step_taken
from engine.journal_events import Event
from engine.match import Match
from engine.match_log import Entry
from engine.verdict import Standing


@dataclass(frozen=True, slots=True)
class Question:
    """What stands open: the entry that asked, the verdict, and the moment it is about."""

    number: int
    verdict: Standing
    view: int | None
    picture: int | None


@dataclass(frozen=True, slots=True)
class Change:
    """A step in the undo or redo list.

    number: of its entry. says: the step in a few words. seen: what the camera saw happen in it.
    before, after: the game without and with it (`after` as it was when it was undone).
    question_before, question_after: what stood open.
    """

    number: int
    says: str
    seen: tuple[Entry, ...]
    before: Game
    after: Game
    question_before: Question | None
    question_after: Question | None
    earlier: Change | None = field(default=None, compare=False, repr=False)
    later: Change | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Remark:
    """A note, a break, news of the camera, or an entry that was lost: what is no step."""

    number: int
    at_s: float
    text: str


@dataclass(frozen=True, slots=True)
class GameLog:
    """The state of a game, as of one entry of its journal.

    Attributes:
        started: who plays, by what.
        number: of the last entry.
        at_s: its time.
        run: number of the entry with which the current run of the camera began.
        game: turns, match and corrections as they stand.
        question: what stands open, or None.
        remarks: everything that is no step, oldest first.
        lost: numbers of entries that could not be read any more.
        paused: whether the players take a break.
        taken_back: the actions that an undo took back while the table still shows them; the camera
            is not believed about them until the table was put back or something else happened.
        turned: whether the Lawn is read turned by 180 degrees.
        runs: numbers of the entries with which the runs of the camera began.
    """

    started: Started
    number: int
    at_s: float
    run: int
    game: Game
    question: Question | None = None
    remarks: tuple[Remark, ...] = ()
    lost: tuple[int, ...] = ()
    paused: bool = False
    taken_back: tuple[Entry, ...] = ()
    turned: bool = False
    runs: tuple[int, ...] = ()
    _undo: Change | None = field(default=None, compare=False, repr=False)
    _redo: Change | None = field(default=None, compare=False, repr=False)

    def run_at(self, number: int) -> int:
        """The run of the camera in which an entry was written."""
        return max((run for run in self.runs if run <= number), default=1)

    @property
    def undo_says(self) -> str:
        """What `Undone` would take back, in a few words; "" when there is nothing."""
        return self._undo.says if self._undo else ""

    @property
    def undo_number(self) -> int | None:
        """The number of the entry whose step `Undone` would take back; None when there is nothing."""
        return self._undo.number if self._undo else None

    @property
    def redo_says(self) -> str:
        """What `Redone` would bring back; "" when there is nothing."""
        return self._redo.says if self._redo else ""

    def then(self, event: Event) -> GameLog:
        """The log with the next entry.

        Once an entry is lost, those after it may make no sense: they are listed, as misfits or
        remarks.

        Raises:
            JournalError: it is not the next one, or it makes no sense here.
        """
        if event.number != self.number + 1:
            raise JournalError(f"Entry {event.number} cannot follow entry {self.number}.")
        what = happening(event)
        log = replace(self, number=event.number, at_s=event.at_s)
        try:
            return _followed(log, what, event)
        except CorrectionError as error:
            if log.lost:
                return _listed(log, what, event, str(error))
            raise JournalError(f"Entry {event.number} of the journal: {error}") from error

    def tried(self, what: Happening) -> GameLog:
        """The log as it would be with that as its next entry, without view and picture.

        Raises CorrectionError when it makes no sense here.
        """
        event = Event(self.number + 1, what.kind, {}, self.at_s)
        return _followed(replace(self, number=event.number), what, event)


def replayed(events: Iterable[Event]) -> GameLog:
    """The state after all entries of a journal.

    Raises:
        JournalError: no entry, the first one does not start a match, or one makes no sense.
    """
    log: GameLog | None = None
    for event in events:
        log = began(event) if log is None else log.then(event)
    if log is None:
        raise JournalError("The journal holds no match yet.")
    return log


def began(event: Event) -> GameLog:
    """The state after the first entry. Raises JournalError when it does not start a match."""
    started = happening(event)
    if not isinstance(started, Started):
        raise JournalError("The journal does not begin with the players, so it cannot be replayed.")
    try:
        match = Match.start(
            colours=started.colours, options=started.options, threshold=started.threshold
        )
    except ValueError as error:
        raise JournalError(f"The journal's players cannot play: {error}") from error
    return GameLog(started, event.number, event.at_s, event.number, Game.before(match))


def _followed(log: GameLog, what: Happening, event: Event) -> GameLog:
    if isinstance(what, STEPS):
        return _stepped(log, what, event)
    if isinstance(what, Undone):
        return _undone(log)
    if isinstance(what, Redone):
        return _redone(log)
    if isinstance(what, Asked):
        asked = Question(event.number, what.verdict, event.view, event.picture)
        return replace(log, question=asked)
    if isinstance(what, Settled):
        return replace(log, question=None)
    if isinstance(what, PutBack):
        return replace(log, taken_back=())
    if isinstance(what, PinsLapsed):
        kept = tuple(pin for pin in log.game.pins if pin.number not in what.pins)
        return replace(log, game=replace(log.game, pins=kept))
    if isinstance(what, Started):
        raise CorrectionError("a match cannot start twice.")
    remark = Remark(event.number, event.at_s, _remark(what))
    log = replace(log, remarks=(*log.remarks, remark))
    if isinstance(what, Paused):
        return replace(log, paused=True)
    if isinstance(what, Resumed):
        return replace(log, paused=False, run=event.number, runs=(*log.runs, event.number))
    if isinstance(what, CameraChanged) and what.news == "replaced":
        return replace(log, run=event.number, runs=(*log.runs, event.number))
    if isinstance(what, CameraChanged) and what.news == "turned":
        return replace(log, turned=not log.turned)
    if isinstance(what, Lost):
        return replace(log, lost=(*log.lost, event.number))
    return log


def _stepped(log: GameLog, step: Step, event: Event) -> GameLog:
    game = step_taken(log.game, step, event)
    # A step of a person answers what was asked; one of the camera explains it.
    seen = step.entries if isinstance(step, Played) and not step.by_person else ()
    change = Change(
        event.number, says(step, log.game), seen, log.game, game, log.question, None, log._undo
    )
    return replace(log, game=game, question=None, taken_back=(), _undo=change, _redo=None)


def _listed(log: GameLog, what: Happening, event: Event, why: str) -> GameLog:
    """What follows from a lost entry and cannot be applied without it."""
    if not isinstance(what, Played):
        text = f"Entry {event.number} ({what.kind}) could not be applied: {why}"
        return replace(log, remarks=(*log.remarks, Remark(event.number, event.at_s, text)))
    game = misfit_added(log.game, what, event, why)
    change = Change(
        event.number, says(what, log.game), (), log.game, game, log.question, None, log._undo
    )
    return replace(log, game=game, question=None, _undo=change, _redo=None)


def _undone(log: GameLog) -> GameLog:
    change = log._undo
    if change is None:
        raise CorrectionError("there is nothing to undo.")
    again = replace(
        change, after=log.game, question_after=log.question, earlier=None, later=log._redo
    )
    return replace(
        log,
        game=change.before,
        question=change.question_before,
        taken_back=change.seen + log.taken_back,
        _undo=change.earlier,
        _redo=again,
    )


def _redone(log: GameLog) -> GameLog:
    change = log._redo
    if change is None:
        raise CorrectionError("there is nothing to redo.")
    again = replace(
        change,
        before=log.game,
        question_before=log.question,
        earlier=log._undo,
        later=None,
    )
    return replace(
        log,
        game=change.after,
        question=change.question_after,
        taken_back=log.taken_back[len(change.seen) :],
        _undo=again,
        _redo=change.later,
    )


def says(step: Step, game: Game) -> str:
    """A step in a few words, for the undo button."""
    if isinstance(step, Played):
        who = step.entries[0].by if step.entries else "nobody"
        return f"{who}: {', '.join(str(entry.action) for entry in step.entries)}"
    if isinstance(step, TableRuling):
        return "the table accepted as it lies"
    if isinstance(step, DieCorrected):
        return "the correction of a die"
    if isinstance(step, TurnAdded):
        return "the turn added"
    turn = _named(game, step.turn)
    verb = "removed" if isinstance(step, TurnRemoved) else "corrected"
    return f"{turn} {verb}"


def _named(game: Game, turn: str) -> str:
    for number, each in enumerate(game.turns, 1):
        if each.id == turn:
            return f"turn {number}"
    return "a turn"


def _remark(what: Happening) -> str:
    if isinstance(what, Noted):
        return what.text
    if isinstance(what, Paused):
        return "The players take a break."
    if isinstance(what, Resumed):
        return "The match goes on."
    if isinstance(what, CameraChanged):
        return what.sentence or f"The camera was {what.news}."
    return "An entry could not be read any more; it may have been a turn."


__all__ = [
    "Change",
    "Game",
    "GameLog",
    "Question",
    "Remark",
    "Turn",
    "began",
    "replayed",
]
