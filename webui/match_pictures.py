"""What is to be looked at of the match being played: its pictures, all its turns, a hint."""

from __future__ import annotations

import re
import threading

from flask import Blueprint, Response, abort, jsonify

from engine.advice import Advice, advice
from engine.errors import JournalError
from engine.position import Position
from vision.session_state import turns_to_json
from webui.catalogue import speaker
from webui.companion import Companion
from webui.jpegs import crop_jpeg
from webui.match_state import numbered
from webui.match_words import turn_in_words
from webui.said import Voice
from webui.turn_numbers import turn_numbers

PLAYOUTS = 40
"""Rounds played for each legal action: the standard error of a margin is then some 4 points."""


def look_routes(companion: Companion) -> Blueprint:
    """GET /api/v1/match/turns, /position, /hint, /picture/<n>.jpg and /dice/<key>.jpg."""
    routes = Blueprint("match-look", __name__, url_prefix="/api/v1/match")
    hints = Hints()

    @routes.get("/turns")
    def turns() -> Response:
        log = companion.room.session.log
        voice = Voice.of(speaker(), companion.room.shown.names)
        found = numbered(turns_to_json(log), turn_numbers(log.game))
        return jsonify(turns=[turn_in_words(turn, voice) for turn in found])

    @routes.get("/position")
    def position() -> Response:
        here = companion.room.session.log.game.match.position
        return jsonify(position=here.to_json(), line=here.to_string())

    @routes.get("/hint")
    def hint() -> Response:
        match = companion.room.session.log.game.match
        found = () if match.is_over else hints.of(match.position)
        return jsonify(advice=[each.to_json() for each in found])

    @routes.get("/picture/<number>.jpg")
    def picture(number: str) -> Response:
        session = companion.room.session
        if not re.fullmatch("[0-9]{1,9}", number):
            abort(404, "There is no such picture in this match.")
        try:
            jpeg = session.picture(int(number))
        except JournalError:
            abort(404, "There is no such picture in this match.")
        return Response(jpeg, mimetype="image/jpeg")

    @routes.get("/dice/<key>.jpg")
    def die(key: str) -> Response:
        session = companion.room.session
        view, image = session.state().view, session.image
        boxes = {str(die.key): die.box for die in view.dice} if view is not None else {}
        if image is None or not any(boxes.get(key, ())):
            abort(404, "That die is not in the picture any more.")
        return Response(crop_jpeg(image, boxes[key]), mimetype="image/jpeg")

    return routes


class Hints:
    """Advice for one position at a time, kept until another one is asked about."""

    def __init__(self) -> None:
        self._one_at_a_time = threading.Lock()
        self._position: Position | None = None
        self._advice: tuple[Advice, ...] = ()

    def of(self, position: Position) -> tuple[Advice, ...]:
        """Every choice with its prospects, best first; () where nobody has one."""
        if position.is_chance or position.is_over:
            return ()
        with self._one_at_a_time:
            if position != self._position:
                self._advice = advice(position, playouts=PLAYOUTS)
                self._position = position
            return self._advice
