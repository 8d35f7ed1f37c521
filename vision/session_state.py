"""What a page shows of a session: one frozen record, and its JSON form."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from engine.errors import LawnError
from engine.game_keeper import GameKeeper
from engine.game_log import GameLog
from engine.game_turns import Turn
from engine.match import Match
from engine.match_log import Entry
from engine.pins import pinned
from engine.position import Position
from engine.record_writer import line_of
from engine.table import TableView, place_to_json
from engine.verdict import Happened, entries_to_json, verdict_to_json


@dataclass(frozen=True)
class SessionState:
    """The state of a session.

    Attributes:
        version: another number whenever something has changed.
        log: the replay of the journal.
        view: the last view with the corrections of dice in it, or None.
        corrected: keys of the dice in it that a person has corrected.
        provisional: what seems to have happened and is not yet final, or None.
        problem: a sentence about what cannot be done now (a full disk), or "".
        said: a sentence about how the journal was opened (a damaged file set aside), or "".
    """

    version: int
    log: GameLog
    view: TableView | None
    corrected: tuple[int, ...]
    provisional: Happened | None
    problem: str
    said: str

    @classmethod
    def of(cls, keeper: GameKeeper, problem: str, version: int) -> SessionState:
        """The state of a kept game. The caller holds the session's lock."""
        log, view = keeper.log, keeper.view
        corrected: tuple[int, ...] = ()
        if view is not None:
            believed = pinned(view, log.game.pins, log.run)
            view = believed.view
            corrected = tuple(key for _, key in believed.holding)
        provisional = None if log.paused else keeper.referee.provisional
        return cls(version, log, view, corrected, provisional, problem, keeper.journal.said)

    def to_json(self, last_turns: int | None = None) -> dict[str, Any]:
        """A dict of plain JSON types; with the last turns alone where so many are given.

        version; match {players [{seat, colour, name, total, running}], threshold, round, phase,
        turn, over, winners}; position (its JSON) and line (its one-line form); table (TableView)
        with corrected (keys of dice) or None; provisional (a verdict) or None; question {number,
        verdict, view, picture} or None; misfits (ids of turns); turns (oldest first, see
        `turn_to_json`); undo, redo (words, "" for nothing); taken_back (whether the table still
        shows what was undone); remarks [{number, at_s, text}]; lost (numbers); paused; problem;
        said.
        """
        log, match = self.log, self.log.game.match
        question = log.question
        return {
            "version": self.version,
            "match": match_to_json(match, log.started.names),
            "position": match.position.to_json(),
            "line": match.position.to_string(),
            "table": None if self.view is None else self.view.to_json(),
            "corrected": list(self.corrected),
            "tolerated": [[place_to_json(place), face] for place, face in log.game.tolerated],
            "provisional": verdict_to_json(self.provisional) if self.provisional else None,
            "question": None
            if question is None
            else {
                "number": question.number,
                "verdict": verdict_to_json(question.verdict),
                "view": question.view,
                "picture": question.picture,
            },
            "misfits": [turn.id for turn in log.game.misfits],
            "turns": turns_to_json(log, last_turns),
            "undo": log.undo_says,
            "redo": log.redo_says,
            "taken_back": bool(log.taken_back),
            "remarks": [
                {"number": each.number, "at_s": each.at_s, "text": each.text}
                for each in log.remarks
            ],
            "lost": list(log.lost),
            "paused": log.paused,
            "problem": self.problem,
            "said": self.said,
        }


def match_to_json(match: Match, names: tuple[str, ...]) -> dict[str, Any]:
    """Players with their points, and whose turn it is."""
    running = match.running_totals
    return {
        "players": [
            {
                "seat": seat,
                "colour": colour,
                "name": names[seat] if seat < len(names) else "",
                "total": match.totals[seat],
                "running": running[seat],
            }
            for seat, colour in enumerate(match.colours)
        ],
        "threshold": match.threshold,
        "round": len(match.rounds) + (not match.is_over),
        "rounds": [each.to_json() for each in match.rounds],
        "phase": match.phase,
        "turn": None if match.is_over else match.position.turn_colour,
        "over": match.is_over,
        "winners": list(match.winners),
    }


def turns_to_json(log: GameLog, last: int | None = None) -> list[dict[str, Any]]:
    """Every turn, or so many of the last ones, oldest first, with the pictures before and after it."""
    turns: list[dict[str, Any]] = []
    view = picture = None
    first = 0 if last is None else len(log.game.turns) - last
    for at, turn in enumerate(log.game.turns):
        if at >= first:
            turns.append(
                {
                    **turn_to_json(log.game.match_before(at), turn),
                    "view_before": view,
                    "picture_before": picture,
                }
            )
        if turn.view is not None:
            view, picture = turn.view, turn.picture
    return turns


def turn_to_json(match: Match, turn: Turn) -> dict[str, Any]:
    """id, round, by (a colour or None), text (the line of the record), actions, source, misfit (a
    sentence or ""), view, picture (numbers or None)."""
    ruling = turn.ruling
    text = _line(match.position, turn.entries) if ruling is None else ruling.sentence
    return {
        "id": turn.id,
        "round": len(match.rounds) + 1,
        "by": turn.entries[0].by if turn.entries else None,
        "text": text,
        "actions": entries_to_json(turn.entries),
        "source": turn.source,
        "misfit": turn.misfit,
        "view": turn.view,
        "picture": turn.picture,
    }


@lru_cache(maxsize=1024)
def _line(position: Position, entries: tuple[Entry, ...]) -> str:
    """The line of a turn; turns of the past are asked for with every new one."""
    try:
        return line_of(position, entries)
    except LawnError:
        return ", ".join(str(entry) for entry in entries)
