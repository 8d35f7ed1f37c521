"""The page of the live table, its state as JSON, and the pictures it shows."""

from __future__ import annotations

import re

from flask import Blueprint, Response, abort, render_template

from webui.live import LiveTable


def table_routes(table: LiveTable) -> Blueprint:
    """GET /, /api/state and /picture/<version>.jpg."""
    routes = Blueprint("table", __name__)

    @routes.get("/")
    def page() -> str:
        return render_template("table.html")

    @routes.get("/api/state")
    def state() -> Response:
        return Response(table.state.json, mimetype="application/json")

    @routes.get("/picture/<version>.jpg")
    def picture(version: str) -> Response:
        known = re.fullmatch("[0-9]{1,19}", version)
        jpeg = table.picture(int(version)) if known else None
        if jpeg is None:
            abort(404, "This picture is not kept any more; the page shows the newest one.")
        return Response(jpeg, mimetype="image/jpeg")

    return routes
