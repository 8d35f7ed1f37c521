"""The turns of a game and the match that follows from them; corrections of turns long past.

A turn that the rules no longer allow after a correction stays in its place as a misfit, with the
reason; the turns after it are tried without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from engine.errors import CorrectionError, LawnError
from engine.game_pace import Times
from engine.game_steps import (
    DieCorrected,
    Later,
    Played,
    Step,
    TableRuling,
    TurnAdded,
    TurnReplaced,
)
from engine.journal_events import Event
from engine.match import Match
from engine.match_log import Entry
from engine.parts import Phase
from engine.pins import DiePin
from engine.table import LawnPlace

Source: TypeAlias = Literal["camera", "person", "ruling"]


@dataclass(frozen=True, slots=True)
class Turn:
    """One line of the match: a Big Roll, an election, a tie-break, a turn, or a table ruling.

    Attributes:
        id: names it in corrections, as long as the journal lives.
        entries: the actions, each with who acted.
        source: who says so. What a person says is not explained anew from the camera's views.
        events: numbers of the journal's entries it came from, the first that began it.
        view, picture: of the last moment it was seen at, or None.
        ruling: the position that the people agreed on, in a ruling.
        misfit: why it no longer fits, or "".
        times: when the camera saw each of its actions, () where it did not.
        probability: that it was so, as the referee said.
    """

    id: str
    entries: tuple[Entry, ...]
    source: Source
    events: tuple[int, ...]
    view: int | None = None
    picture: int | None = None
    ruling: TableRuling | None = None
    misfit: str = ""
    times: Times = ()
    probability: float = 1.0


@dataclass(frozen=True, slots=True)
class Game:
    """Turns and what follows from them.

    Attributes:
        start: the match before its first Big Roll.
        turns: all of them in order, misfits too.
        matches: the match after each turn.
        pins: the corrections of dice that hold.
        tolerated: places of the Lawn whose die shows another face than its row, with that face.
    """

    start: Match
    turns: tuple[Turn, ...] = ()
    matches: tuple[Match, ...] = ()
    pins: tuple[DiePin, ...] = ()
    tolerated: tuple[tuple[LawnPlace, int], ...] = ()

    @classmethod
    def before(cls, match: Match) -> Game:
        return cls(match)

    @property
    def match(self) -> Match:
        """The match as it stands, misfits left out."""
        return self.matches[-1] if self.matches else self.start

    @property
    def misfits(self) -> tuple[Turn, ...]:
        """The turns that no longer fit, in order."""
        return tuple(turn for turn in self.turns if turn.misfit)

    def index(self, turn: str) -> int:
        """Where the turn of that id stands. Raises CorrectionError."""
        for at, each in enumerate(self.turns):
            if each.id == turn:
                return at
        raise CorrectionError("there is no such turn any more; load the list of turns again.")

    def match_before(self, at: int) -> Match:
        """The match before the turn at that index."""
        return self.matches[at - 1] if at else self.start


def step_taken(game: Game, step: Step, event: Event) -> Game:
    """The game after a step. Raises CorrectionError when it makes no sense."""
    if isinstance(step, Played):
        return _played(game, step, event)
    if isinstance(step, TableRuling):
        return _ruled(game, step, event)
    if isinstance(step, DieCorrected):
        pin = replace(step.pin, number=event.number)
        same = [
            each for each in game.pins if (each.key, each.run) != (pin.key, pin.run) or not pin.key
        ]
        game = replace(game, pins=(*same, pin))
        if not step.later:
            return game
        at = min(game.index(turn) for turn, _ in step.later)
        return refitted(replace(game, turns=_explained_anew(game.turns, step.later)), at)
    if isinstance(step, TurnAdded):
        at = game.index(step.after) + 1 if step.after else 0
        added = Turn(f"{event.number}", step.entries, "person", (event.number,))
        turns = (*game.turns[:at], added, *game.turns[at:])
    elif isinstance(step, TurnReplaced):
        at = game.index(step.turn)
        corrected = replace(
            game.turns[at],
            entries=step.entries,
            source="person",
            events=(*game.turns[at].events, event.number),
            ruling=None,
        )
        turns = (*game.turns[:at], corrected, *game.turns[at + 1 :])
    else:
        at = game.index(step.turn)
        turns = (*game.turns[:at], *game.turns[at + 1 :])
    return refitted(replace(game, turns=_explained_anew(turns, step.later)), at)


def refitted(game: Game, at: int) -> Game:
    """The game with every turn from that index on fitted again, or found a misfit."""
    match = game.match_before(at)
    turns, matches = list(game.turns[:at]), list(game.matches[:at])
    for turn in game.turns[at:]:
        match, turn = fitted(match, turn)
        turns.append(turn)
        matches.append(match)
    return replace(game, turns=tuple(turns), matches=tuple(matches))


def fitted(match: Match, turn: Turn) -> tuple[Match, Turn]:
    """The match after the turn and the turn as it fits; without it when it does not."""
    try:
        if turn.ruling is not None:
            after = match.ruled(turn.ruling.position, turn.ruling.sentence)
        else:
            if turn.entries and not match.is_over and match.position.turn_colour is None:
                raise CorrectionError("the round is over.")
            after = match.played(turn.entries)
    except LawnError as error:
        return match, replace(turn, misfit=_why(error))
    return after, replace(turn, misfit="")


def _why(error: LawnError) -> str:
    cause = error.__cause__
    return str(cause) if isinstance(cause, LawnError) else str(error)


def _played(game: Game, step: Played, event: Event) -> Game:
    source: Source = "person" if step.by_person else "camera"
    if step.replaces:
        game = _without_last(game, step.replaces, source)
    try:
        after = game.match.played(step.entries)
    except LawnError as error:
        raise CorrectionError(_why(error)) from error
    pins = _kept(game.pins, game.match, after)
    tolerated = tuple(
        (place, face)
        for place, face in game.tolerated
        if game.match.position.lawn[place.row - 1] == after.position.lawn[place.row - 1]
    )
    turns, matches, match = list(game.turns), list(game.matches), game.match
    goes_on = bool(turns) and not turns[-1].misfit and is_midway(game)
    times = step.times
    for count, entries in enumerate(cut_into_turns(match, step.entries)):
        seen, times = times[: len(entries)], times[len(entries) :]
        if goes_on:
            turns[-1] = replace(
                turns[-1],
                entries=turns[-1].entries + entries,
                events=(*turns[-1].events, event.number),
                view=event.view if event.view is not None else turns[-1].view,
                picture=event.picture if event.picture is not None else turns[-1].picture,
                source="person" if "person" in (source, turns[-1].source) else source,
                times=turns[-1].times + seen,
                probability=turns[-1].probability * step.probability,
            )
            match = match.played(entries)
            matches[-1] = match
        else:
            name = f"{event.number}" if count == 0 else f"{event.number}.{count + 1}"
            made = Turn(name, entries, source, (event.number,), event.view, event.picture)
            turns.append(replace(made, times=seen, probability=step.probability))
            match = match.played(entries)
            matches.append(match)
        goes_on = False
    return replace(game, turns=tuple(turns), matches=tuple(matches), pins=pins, tolerated=tolerated)


def _without_last(game: Game, count: int, by: Source) -> Game:
    """The game less so many actions at its end. A person may say otherwise than a person has before."""
    turns = list(game.turns)
    while count:
        if not turns or turns[-1].source not in ("camera", by) or turns[-1].misfit:
            raise CorrectionError("What a person said is not taken back by the camera.")
        last = turns.pop()
        if len(last.entries) > count:
            kept = len(last.entries) - count
            turns.append(replace(last, entries=last.entries[:kept], times=last.times[:kept]))
        count -= min(count, len(last.entries))
    shorter = replace(game, turns=tuple(turns), matches=game.matches[: len(turns)])
    return refitted(shorter, len(turns) - 1) if turns else shorter


def misfit_added(game: Game, step: Played, event: Event, why: str) -> Game:
    """The game with a turn that does not fit, as the last one."""
    source: Source = "person" if step.by_person else "camera"
    turn = Turn(
        *(f"{event.number}", step.entries, source, (event.number,), event.view, event.picture),
        misfit=why,
    )
    return replace(game, turns=(*game.turns, turn), matches=(*game.matches, game.match))


def _ruled(game: Game, step: TableRuling, event: Event) -> Game:
    number = event.number
    turn = Turn(f"{number}", (), "ruling", (number,), event.view, event.picture, step)
    match, turn = fitted(game.match, turn)
    if turn.misfit:
        raise CorrectionError(turn.misfit)
    return replace(
        game,
        turns=(*game.turns, turn),
        matches=(*game.matches, match),
        tolerated=step.tolerated,
    )


def _kept(pins: tuple[DiePin, ...], before: Match, after: Match) -> tuple[DiePin, ...]:
    """The pins less those of dice that the camera does not see, on rows of the Lawn that changed."""
    if not pins:
        return pins
    kept = []
    for pin in pins:
        if pin.key is None and isinstance(pin.place, LawnPlace):
            row = pin.place.row - 1
            if before.position.lawn[row] != after.position.lawn[row]:
                continue
        kept.append(pin)
    return tuple(kept)


def _explained_anew(turns: Sequence[Turn], later: Later) -> tuple[Turn, ...]:
    anew = dict(later)
    return tuple(
        replace(turn, entries=anew[turn.id]) if turn.id in anew else turn for turn in turns
    )


# --- where a turn begins and ends ---------------------------------------------------------


def goes_on(before: Phase, after: Phase) -> bool:
    """Whether a turn is not over with an action that leads from one phase to the other."""
    if after in ("boundary-roll", "placement", "re-entry"):
        return True
    return after == "grind-roll" and before in ("boundary-roll", "grind-roll")


def cut_into_turns(match: Match, entries: Sequence[Entry]) -> list[tuple[Entry, ...]]:
    """Legal actions cut where a turn ends; the last piece may be a turn that goes on."""
    pieces: list[tuple[Entry, ...]] = []
    piece: list[Entry] = []
    for entry in entries:
        before = match
        match = match.apply(entry.action, entry.by)
        piece.append(entry)
        ended = len(match.rounds) > len(before.rounds)
        if ended or not goes_on(before.position.phase, match.position.phase):
            pieces.append(tuple(piece))
            piece = []
    if piece:
        pieces.append(tuple(piece))
    return pieces


def is_midway(game: Game) -> bool:
    """Whether the last turn is not over yet."""
    turn = game.turns[-1]
    match = game.match_before(len(game.turns) - 1)
    if turn.ruling is not None or not turn.entries:
        return False
    before = match
    for entry in turn.entries:
        before, match = match, match.apply(entry.action, entry.by)
    if len(match.rounds) > len(before.rounds):
        return False
    return goes_on(before.position.phase, match.position.phase)
