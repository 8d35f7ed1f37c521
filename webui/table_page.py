"""The page of the live table, its state as JSON, and the pictures it shows."""

from __future__ import annotations

import re

from flask import Blueprint, Response, abort, render_template, request

from webui.catalogue import speaker
from webui.companion import Companion
from webui.review_page import review_of


def table_routes(companion: Companion) -> Blueprint:
    """GET /live, /api/v1/state and /api/v1/picture/<version>.jpg."""
    routes = Blueprint("table", __name__)

    @routes.get("/live")
    def page() -> str:
        source = companion.chosen.source
        by_hand = source.status().state == "off"
        return render_template("live.html", review=review_of(source.name), by_hand=by_hand)

    @routes.get("/api/v1/state")
    def state() -> Response:
        you = companion.access.you(request)
        text = companion.now(you, speaker().language).text(you)
        return Response(text, mimetype="application/json")

    @routes.get("/api/v1/picture/<version>.jpg")
    def picture(version: str) -> Response:
        known = re.fullmatch("[0-9]{1,19}", version)
        jpeg = companion.table.picture(int(version)) if known else None
        if jpeg is None:
            abort(404, "This picture is not kept any more; the page shows the newest one.")
        return Response(jpeg, mimetype="image/jpeg")

    return routes
