"""The Flask application: its routes, its guard, and its answers when something is wrong."""

from __future__ import annotations

from flask import Flask, Response, jsonify, make_response, render_template, request
from werkzeug.exceptions import HTTPException

from vision.kept_corners import CornersStore
from webui import source_page
from webui.about import version
from webui.catalogue import speak
from webui.corners_page import corners_routes
from webui.guard import guard
from webui.live import LiveTable
from webui.stream import stream_routes
from webui.table_page import table_routes

WORDS = {
    404: "There is no such page here.",
    405: "This page can only be looked at, not changed that way.",
    500: "Something went wrong in the program; its log says what.",
}


def create_app(
    table: LiveTable, host: str = "127.0.0.1", corners: CornersStore | None = None
) -> Flask:
    """The pages of one live table, for a server that listens on `host`.

    corners: where the lawn's corners are kept; default: the user's data folder.
    """
    app = Flask(__name__)
    app.jinja_env.globals["version"] = version()
    speak(app)
    guard(app, host)
    app.register_blueprint(table_routes(table))
    app.register_blueprint(stream_routes(table))
    app.register_blueprint(corners_routes(table, corners or CornersStore()))
    app.register_blueprint(source_page.routes)
    app.register_error_handler(HTTPException, _in_words)
    return app


def _in_words(error: HTTPException) -> Response:
    status = error.code or 500
    own = type(error).description != error.description  # said by us where it was raised
    says = error.description if own and error.description else WORDS.get(status, error.name + ".")
    if request.path.startswith("/api/"):
        response = jsonify(error=says)
    else:
        response = make_response(render_template("error.html", status=status, says=says))
    response.status_code = status
    if status == 405 and error.get_response().headers.get("Allow"):
        response.headers["Allow"] = error.get_response().headers["Allow"]
    return response
