"""Answers of the API: refusals as one sentence with the right status, bodies checked by their model."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from flask import Flask, Request, Response, jsonify, make_response, render_template, request
from pydantic import BaseModel, ConfigDict, ValidationError
from werkzeug.exceptions import BadRequest, HTTPException

from engine.errors import (
    CorrectionError,
    IllegalAction,
    JournalError,
    LawnError,
    MatchError,
)
from vision.frames import SourceError
from vision.owners import OwnerError
from vision.review_folder import ReviewError
from vision.tables_kept import TableKeepingError
from vision.teaching import TeachingError
from webui.catalogue import speaker
from webui.folders import without_folders
from webui.game_room import MatchGoesOn, NoMatch, NoSuchMatch
from webui.said import Voice

WORDS = {
    400: "This cannot be read; it is no JSON of the kind that is wanted here.",
    404: "There is no such page here.",
    405: "This page can only be looked at, not changed that way.",
    413: "That is too large to be taken here.",
    500: "Something went wrong in the program; its log says what.",
}
STATUS: tuple[tuple[type[Exception], int], ...] = (
    (NoSuchMatch, 404),
    (NoMatch, 409),
    (MatchGoesOn, 409),
    (CorrectionError, 409),
    (IllegalAction, 409),
    (JournalError, 409),
    (SourceError, 409),
    (ReviewError, 409),
    (LawnError, 400),
    (OwnerError, 400),
    (TeachingError, 409),
    (TableKeepingError, 409),
)
"""The status of each refusal of ours; the first that fits counts."""

Model = TypeVar("Model", bound=BaseModel)


class Body(BaseModel):
    """The JSON body of a change; what it does not know it refuses."""

    model_config = ConfigDict(extra="forbid", strict=True)


def body(model: type[Model]) -> Model:
    """The request's body as that model. Raises BadRequest with one sentence."""
    data = sent()
    if data is None and not request.get_data():
        data = {}
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise BadRequest(in_a_sentence(error)) from error


def sent() -> Any:
    """What the request's JSON says, None when there is none that can be read."""
    try:
        return request.get_json(silent=True)
    except RecursionError:  # thousands of brackets in one another, which only mischief sends
        return None


def in_a_sentence(error: ValidationError) -> str:
    """The first thing that does not fit, and where."""
    first = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    what = str(first["msg"]).rstrip(".")
    if first["type"] == "model_type":  # else pydantic names a class of ours
        what = "Give a JSON object here"
    what = what.removeprefix("Value error, ")
    return f"{where}: {what[:1].lower()}{what[1:]}." if where else f"{what}."


def answers(
    app: Flask,
    names: Callable[[], Mapping[str, str]] = dict,
    is_host: Callable[[Request], bool] = lambda _: False,
) -> None:
    """Turn every refusal into one sentence in the language of who asked: JSON below /api, a page elsewhere.

    names: of the players, by their colours. is_host: whether a request comes from this very computer;
    others are not told in which folders files lie.
    """
    for kind, status in STATUS:
        app.register_error_handler(kind, _refusal(status))
    app.register_error_handler(HTTPException, _in_words)

    def said(text: str) -> str:
        shown = text if is_host(request) else without_folders(text)
        return Voice.of(speaker(), names()).said(shown)

    @app.after_request
    def say(response: Response) -> Response:
        if response.status_code < 400 or not response.is_json:
            return response
        data = response.get_json(silent=True)
        if isinstance(data, dict) and isinstance(data.get("error"), str):
            data["error"] = said(data["error"])
            for reason in data.get("reasons", ()):
                reason["text"] = said(reason["text"])
            response.set_data(json.dumps(data))
        return response

    @app.context_processor
    def words() -> dict[str, Any]:
        return {"refused": said}


def _refusal(status: int) -> Any:
    def answer(error: Exception) -> Response:
        if isinstance(error, MatchError) and isinstance(error.__cause__, IllegalAction):
            error = error.__cause__
            return _said(sentence(error), 409, _reasons(error))
        more = _reasons(error) if isinstance(error, IllegalAction) else {}
        return _said(sentence(error), status, more)

    return answer


def _reasons(error: Exception) -> dict[str, Any]:
    reasons = getattr(error, "reasons", ())
    return {"reasons": [{"rule": each.rule, "text": each.text} for each in reasons]}


def sentence(error: Exception) -> str:
    """An error of ours as a sentence that stands alone."""
    text = str(error)
    if isinstance(error, IllegalAction):  # what was tried is known to who tried it
        text = " ".join(f"{reason}." for reason in error.reasons)
    ends = "" if text.endswith((".", "!", "?")) else "."
    return f"{text[:1].upper()}{text[1:]}{ends}"


def _in_words(error: HTTPException) -> Response:
    status = error.code or 500
    own = type(error).description != error.description  # said by us where it was raised
    says = error.description if own and error.description else WORDS.get(status, error.name + ".")
    response = _said(says, status)
    if status == 405 and error.get_response().headers.get("Allow"):
        response.headers["Allow"] = error.get_response().headers["Allow"]
    return response


def _said(says: str, status: int, more: dict[str, Any] | None = None) -> Response:
    if request.path.startswith("/api/"):
        return make_response(jsonify(error=says, **(more or {})), status)
    return make_response(render_template("error.html", status=status, says=says), status)
