"""Settings: how this browser shows and says things, and where this computer keeps the matches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Blueprint, Request, Response, jsonify, render_template, request

from engine.journal_shelf import Shelf
from webui.about import version
from webui.catalogue import THEMES, languages

SWITCHES = ("sounds", "speech", "hints")
"""What each browser keeps for itself as "lawn-<name>" = "on" | "off" (static/voice.js)."""


def settings_routes(shelf: Shelf, is_host: Callable[[Request], bool]) -> Blueprint:
    """GET /settings and /api/v1/settings. Where things lie on this computer is told to this computer alone."""
    routes = Blueprint("settings", __name__)

    def host() -> dict[str, Any] | None:
        if not is_host(request):
            return None
        return {"matches": str(shelf.folder), "kept": shelf.count()}

    @routes.get("/settings")
    def page() -> str:
        return render_template("settings.html", switches=SWITCHES, host=host())

    @routes.get("/api/v1/settings")
    def told() -> Response:
        return jsonify(
            version=version(), languages=list(languages()), themes=list(THEMES), host=host()
        )

    return routes
