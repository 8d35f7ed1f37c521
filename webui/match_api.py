"""The match being played, by hand: actions, corrections, undo, questions, breaks."""

from __future__ import annotations

from typing import Any, Literal

from flask import Blueprint, Response, abort, jsonify
from pydantic import Field

from engine.actions import parse_action
from engine.errors import CorrectionError, LawnError
from engine.match import Match
from engine.match_log import Entry
from engine.table import place_from_json
from vision.session import Session
from webui.answers import Body, body
from webui.companion import Companion

MOST_ACTIONS = 40
NOTATION = 40
"""Longest action in letters."""


class ActionBy(Body):
    action: str = Field(max_length=NOTATION)
    by: str | None = Field(default=None, max_length=NOTATION)


class Actions(Body):
    action: str | None = Field(default=None, max_length=NOTATION)
    actions: list[str] = Field(default=[], max_length=MOST_ACTIONS)
    by: str | None = Field(default=None, max_length=NOTATION)


class Die(Body):
    face: int | None = None
    owner: int | None = None
    place: dict[str, Any] | None = None
    absent: bool = False


class NewDie(Body):
    face: int
    owner: int
    place: dict[str, Any]


class TurnChange(Body):
    do: Literal["replace", "remove", "add-after"]
    actions: list[str | ActionBy] = Field(default=[], max_length=MOST_ACTIONS)


class Answer(Body):
    guess: int
    number: int | None = None


class Election(Body):
    by: str = Field(max_length=NOTATION)
    category: str = Field(max_length=NOTATION)


class Note(Body):
    text: str = Field(max_length=2000)


class Nothing(Body):
    pass


def match_routes(companion: Companion) -> Blueprint:
    """POST /api/v1/match/...; each answers {version} of the match as it then is."""
    routes = Blueprint("match", __name__, url_prefix="/api/v1/match")

    def done() -> Response:
        return jsonify(version=companion.room.shown.version)

    @routes.post("/actions")
    def play() -> Response:
        asked = body(Actions)
        texts = asked.actions if asked.action is None else [asked.action]
        if not texts or (asked.action is not None and asked.actions):
            abort(400, "Give one action, or a list of actions.")
        session = companion.room.session
        session.play(entries_for(session, texts, asked.by))
        return done()

    @routes.post("/dice")
    def add_die() -> Response:
        die = body(NewDie)
        companion.room.session.add_die(die.face, die.owner, place_from_json(die.place))
        return done()

    @routes.post("/dice/<key>")
    def correct_die(key: str) -> Response:
        die = body(Die)
        place = None if die.place is None else place_from_json(die.place)
        companion.room.session.correct_die(
            _number(key), face=die.face, owner=die.owner, place=place, absent=die.absent
        )
        return done()

    @routes.post("/turns/<name>")
    def correct_turn(name: str) -> Response:
        change = body(TurnChange)
        session = companion.room.session
        game = session.log.game
        if change.do == "remove":
            session.remove_turn(name)
        elif change.do == "replace":
            before = game.match_before(game.index(name))
            session.correct_turn(name, _entries(before, change.actions))
        else:
            after = "" if name == "start" else name
            before = game.match_before(game.index(after) + 1) if after else game.start
            session.add_turn(after, _entries(before, change.actions))
        return done()

    @routes.post("/answer")
    def answer() -> Response:
        chosen = body(Answer)
        session = companion.room.session
        question = session.log.question
        if chosen.number is not None and (question is None or question.number != chosen.number):
            raise CorrectionError("that question is not open any more.")
        session.answer(chosen.guess)
        return done()

    @routes.post("/elect")
    def elect() -> Response:
        chosen = body(Election)
        companion.room.session.elect(chosen.by, chosen.category)
        return done()

    @routes.post("/note")
    def note() -> Response:
        companion.room.session.note(body(Note).text)
        return done()

    @routes.post("/<any(undo, redo, accept, pause, 'go-on', leave):what>")
    def plain(what: str) -> Response:
        body(Nothing)
        session = companion.room.session
        {
            "undo": session.undo,
            "redo": session.redo,
            "accept": session.accept_table,
            "pause": session.pause,
            "go-on": session.go_on,
            "leave": companion.leave,
        }[what]()
        return done()

    return routes


def entries_for(session: Session, texts: list[str], by: str | None) -> tuple[Entry, ...]:
    """What a person says has happened, as entries that follow the last final one.

    It follows what the camera has seen provisionally, if it can; else that is taken not to have been.

    Raises:
        ActionError: no action.
        IllegalAction: with the reasons.
    """
    state = session.state()
    match = state.log.game.match
    seen = state.provisional.actions if state.provisional is not None else ()
    actions = [parse_action(text) for text in texts]
    refusal: LawnError | None = None
    for before in (seen, ()) if seen else ((),):
        try:
            here, entries = match.played(before), list(before)
            for action in actions:
                here, who = here.apply(action, by), here.position.turn_colour
                entries.append(Entry(action, who or ""))
                by = by if len(actions) == 1 else None
            return tuple(entries)
        except LawnError as error:
            refusal = refusal or error
    assert refusal is not None
    raise refusal


def _entries(before: Match, actions: list[str | ActionBy]) -> tuple[Entry, ...]:
    """The actions of a past turn; who acted follows from the match before it where nothing is said."""
    entries = []
    for each in actions:
        action = parse_action(each if isinstance(each, str) else each.action)
        by = None if isinstance(each, str) else each.by
        entry = Entry(action, by or before.position.turn_colour or "")
        entries.append(entry)
        try:
            before = before.apply(entry.action, entry.by)
        except LawnError:
            continue  # the desk says why the turn is refused
    return tuple(entries)


def _number(text: str) -> int:
    """The key of a die. Raises CorrectionError."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= 9):
        raise CorrectionError("that die is not on the table any more; choose it again.")
    return int(text)
