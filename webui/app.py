"""The Flask application: its routes, its guard, and its answers when something is wrong."""

from __future__ import annotations

from typing import Any

from flask import Flask, request

from vision.kept_corners import CornersStore
from webui import source_page
from webui.about import version
from webui.answers import answers
from webui.camera_api import camera_routes
from webui.catalogue import speak
from webui.companion import Companion
from webui.corners_page import corners_routes
from webui.guard import guard, guard_changes
from webui.join_page import join_routes
from webui.match_api import match_routes
from webui.match_pictures import look_routes
from webui.matches_api import matches_routes
from webui.new_page import new_routes
from webui.openapi import openapi_routes
from webui.pages import add_pages
from webui.review_page import review_routes
from webui.small_files import send_small
from webui.stream import stream_routes
from webui.table_page import table_routes
from webui.teach_page import teach_routes
from webui.teacher import Teacher


def create_app(
    companion: Companion,
    host: str = "127.0.0.1",
    corners: CornersStore | None = None,
    address: str = "http://127.0.0.1:5000/",
    teacher: Teacher | None = None,
) -> Flask:
    """All pages and the API, for a server that listens on `host`.

    corners: where the lawn's corners are kept; default: the user's data folder. address: how others
    reach this server. teacher: of the reader that looks at the table, if that can be taught.
    """
    app = Flask(__name__)
    app.jinja_env.globals["version"] = version()
    speak(app)
    guard(app, host)
    guard_changes(app, companion.access)
    answers(app, lambda: companion.room.shown.names, companion.access.is_host)
    send_small(app)

    @app.context_processor
    def for_changes() -> dict[str, Any]:
        access = companion.access
        return {"csrf": access.csrf(request), "controls": access.controls(request)}

    for routes in (
        table_routes(companion),
        stream_routes(companion),
        match_routes(companion),
        look_routes(companion),
        matches_routes(companion),
        camera_routes(companion),
        join_routes(companion, address),
        corners_routes(companion.table, corners or CornersStore()),
        new_routes(),
        teach_routes(companion, teacher),
        review_routes(is_host=companion.access.is_host),
        openapi_routes(),
        source_page.routes,
    ):
        app.register_blueprint(routes)
    room = companion.room
    add_pages(
        app, room.shelf, lambda: room.name if room.is_playing else "", companion.access.is_host
    )
    return app
