"""Corrections of past turns: what the turns after them become, from the views that were stored.

A turn keeps its actions while they are legal and its view agrees; else the referee explains the view
anew from the corrected table; else the turn stays as a misfit, for a person to look at. What a person
said, and what the table agreed on, is never explained anew.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from engine.errors import CorrectionError, LawnError
from engine.game_steps import Later, TurnAdded, TurnRemoved, TurnReplaced
from engine.game_turns import Game, Turn, cut_into_turns, fitted
from engine.match import Match
from engine.match_log import Entry
from engine.position import Position
from engine.referee import Referee
from engine.table import TableView
from engine.verdict import Agrees, Happened

SETTLED_S = 2.0
"""A stored view is shown to the referee as one that has been still for so long, so that it commits."""

ViewOf = Callable[[Turn], TableView | None]
"""The stored view of a turn, corrections of dice included, or None when there is none."""


class Explainer(Protocol):
    """What explains a view: the referee, or a stand-in in a test."""

    def agrees(self, match: Match, view: TableView) -> bool:
        """Whether the view shows what is expected after this match."""
        ...

    def explain(self, match: Match, view: TableView) -> tuple[Entry, ...]:
        """The turn that leads from this match to the view, or () when none does."""
        ...


class ByReferee:
    """The referee, asked about one stored view at a time."""

    def agrees(self, match: Match, view: TableView) -> bool:
        _, verdicts = Referee.start(match).see(_settled(view))
        return any(isinstance(verdict, Agrees) for verdict in verdicts)

    def explain(self, match: Match, view: TableView) -> tuple[Entry, ...]:
        referee = Referee.start(match)
        entries: tuple[Entry, ...] = ()
        for again in range(2):
            referee, verdicts = referee.see(_settled(view, again))
            for verdict in verdicts:
                if isinstance(verdict, Happened) and verdict.final:
                    return _first_turn(match, verdict.actions)
                if isinstance(verdict, Happened):
                    entries = verdict.actions
        return _first_turn(match, entries)


def _settled(view: TableView, again: int = 0) -> TableView:
    time_s = max(view.time_s, view.still_since_s + SETTLED_S) + again
    return replace(view, time_s=time_s, frames=max(view.frames, 10))


def _first_turn(match: Match, entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    try:
        return cut_into_turns(match, entries)[0] if entries else ()
    except LawnError:
        return ()


def replaced(
    game: Game, turn: str, entries: tuple[Entry, ...], view_of: ViewOf, explainer: Explainer
) -> TurnReplaced:
    """The correction that gives a past turn other actions.

    Raises:
        CorrectionError: no such turn, no actions, or actions that the rules do not allow there.
    """
    at = game.index(turn)
    match = _allowed(game.match_before(at), entries)
    later = explained(game, at + 1, match, view_of, explainer)
    return TurnReplaced(turn, entries, later)


def added(
    game: Game, after: str, entries: tuple[Entry, ...], view_of: ViewOf, explainer: Explainer
) -> TurnAdded:
    """The correction that adds a turn after another ("" for the very first one).

    Raises:
        CorrectionError: no such turn, no actions, or actions that the rules do not allow there.
    """
    at = game.index(after) + 1 if after else 0
    match = _allowed(game.match_before(at), entries)
    return TurnAdded(after, entries, explained(game, at, match, view_of, explainer))


def removed(game: Game, turn: str, view_of: ViewOf, explainer: Explainer) -> TurnRemoved:
    """The correction that takes a turn out. Raises CorrectionError when there is none such."""
    at = game.index(turn)
    later = explained(game, at + 1, game.match_before(at), view_of, explainer)
    return TurnRemoved(turn, later)


def _allowed(match: Match, entries: tuple[Entry, ...]) -> Match:
    if not entries:
        raise CorrectionError("A turn needs actions; to take a turn out, remove it.")
    try:
        return match.played(entries)
    except LawnError as error:
        cause = error.__cause__
        raise CorrectionError(str(cause if isinstance(cause, LawnError) else error)) from error


def explained(game: Game, at: int, match: Match, view_of: ViewOf, explainer: Explainer) -> Later:
    """The turns from that index on that become others when they follow this match."""
    later: list[tuple[str, tuple[Entry, ...]]] = []
    for index in range(at, len(game.turns)):
        turn = game.turns[index]
        unchanged = same_table(match.position, game.match_before(index).position)
        if unchanged and index > at and not turn.misfit:
            break  # from here on everything is as it was
        after, kept = fitted(match, turn)
        view = view_of(turn) if turn.source == "camera" else None
        if view is None or (not kept.misfit and explainer.agrees(after, view)):
            match = after
            continue
        entries = explainer.explain(match, view)
        if entries and entries != turn.entries:
            anew, fits = fitted(match, replace(turn, entries=entries))
            if not fits.misfit:
                later.append((turn.id, entries))
                after = anew
        match = after
    return tuple(later)


def same_table(one: Position, other: Position) -> bool:
    """Whether two positions look alike on the table and have the same player to act."""
    return (one.parts[1:], one.order) == (other.parts[1:], other.order)
