"""Matches begun and gone on with, and what one can be played by."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, make_response
from pydantic import Field, field_validator

from engine.dice import NEUTRAL_COLOUR
from engine.game_steps import Started
from engine.match import MAX_THRESHOLD, STANDARD_THRESHOLD
from engine.options import RULINGS, Options
from vision.reading import COLOURS
from webui.answers import Body, body
from webui.camera_api import from_page
from webui.companion import Companion
from webui.match_api import Nothing

LONGEST_NAME = 40
JOINERS = {0x200C: None, 0x200D: None}
"""What joins or parts letters of some scripts, and joins emoji to one, is not seen itself."""


class Player(Body):
    colour: str = Field(max_length=20)
    name: str = Field(default="", max_length=LONGEST_NAME)

    @field_validator("name")
    @classmethod
    def _on_one_line(cls, name: str) -> str:
        name = " ".join(name.split())
        if not name.translate(JOINERS).isprintable():
            raise ValueError("a name is written in letters that can be printed")
        return name


class NewMatch(Body):
    players: list[Player] = Field(min_length=2, max_length=3)
    threshold: int = STANDARD_THRESHOLD
    options: dict[str, str] = Field(default_factory=dict)
    camera: str | None = Field(default=None, max_length=200)


def matches_routes(companion: Companion) -> Blueprint:
    """POST /api/v1/matches and .../<id>/resume, GET /api/v1/rulings."""
    routes = Blueprint("matches", __name__, url_prefix="/api/v1")

    @routes.post("/matches")
    def begin() -> Response:
        asked = body(NewMatch)
        started = Started(
            tuple(each.colour for each in asked.players),
            tuple(each.name for each in asked.players),
            Options.from_mapping(asked.options),
            asked.threshold,
        )
        camera = None if asked.camera is None else from_page(asked.camera, companion.chosen)
        name = companion.begin(started, camera)
        return make_response(jsonify(id=name), 201)

    @routes.post("/matches/<name>/resume")
    def resume(name: str) -> Response:
        body(Nothing)
        return jsonify(id=companion.resume(name))

    @routes.get("/rulings")
    def rulings() -> Response:
        return jsonify(
            rulings=[
                {
                    "number": each.number,
                    "option": each.option,
                    "title": each.title,
                    "values": [{"value": value, "text": text} for value, text in each.values],
                    "default": each.default,
                }
                for each in RULINGS
            ],
            colours=[colour for colour in COLOURS if colour != NEUTRAL_COLOUR],
            threshold={"standard": STANDARD_THRESHOLD, "most": MAX_THRESHOLD},
        )

    return routes
