"""The scoreboard for a TV, and as an overlay for a stream: names, points and whose turn it is, live."""

from __future__ import annotations

from flask import Blueprint, render_template, request


def scoreboard_routes() -> Blueprint:
    """GET /scoreboard; ?overlay=1 has no background and takes the lower edge alone."""
    routes = Blueprint("scoreboard", __name__)

    @routes.get("/scoreboard")
    def page() -> str:
        return render_template("scoreboard.html", overlay=request.args.get("overlay") == "1")

    return routes
