"""What is to be looked at of the match being played: its pictures, all its turns, a hint."""

from __future__ import annotations

import re
import threading

import cv2
import numpy as np
from flask import Blueprint, Response, abort, jsonify
from numpy.typing import NDArray

from engine.advice import Advice, advice
from engine.errors import JournalError
from engine.position import Position
from vision.session_state import turns_to_json
from webui.companion import Companion
from webui.match_state import with_picture

PLAYOUTS = 40
"""Rounds played for each legal action: the standard error of a margin is then some 4 points."""
CROP_PX = 160
"""Height of the picture of a die."""
CROP_MARGIN = 0.5
"""Around the die, in dice."""


def look_routes(companion: Companion) -> Blueprint:
    """GET /api/v1/match/turns, /position, /hint, /picture/<n>.jpg and /dice/<key>.jpg."""
    routes = Blueprint("match-look", __name__, url_prefix="/api/v1/match")
    hints = Hints()

    @routes.get("/turns")
    def turns() -> Response:
        log = companion.room.session.log
        return jsonify(turns=[with_picture(turn) for turn in turns_to_json(log)])

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


def crop_jpeg(image: NDArray[np.uint8], box: tuple[float, float, float, float]) -> bytes:
    """A die with some of the table around it, as a JPEG of CROP_PX height. box: x0, y0, x1, y1 px."""
    x0, y0, x1, y1 = box
    margin = CROP_MARGIN * max(x1 - x0, y1 - y0)
    height, width = image.shape[:2]
    left, top = (int(np.clip(at - margin, 0, most - 2)) for at, most in ((x0, width), (y0, height)))
    right, bottom = (
        int(np.clip(at + margin, low + 2, most))
        for at, low, most in ((x1, left, width), (y1, top, height))
    )
    part = image[top:bottom, left:right]
    size = (max(1, round(CROP_PX * part.shape[1] / part.shape[0])), CROP_PX)
    made, jpeg = cv2.imencode(".jpg", cv2.resize(part, size, interpolation=cv2.INTER_CUBIC))
    if not made:
        raise RuntimeError("The picture could not be made a JPEG.")
    return bytes(jpeg)


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
