"""The description of the API, and which program answers it."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, jsonify

from webui.about import version

FILE = Path(__file__).parent / "openapi.json"
LICENCE = "AGPL-3.0-or-later"


@cache
def description() -> dict[str, Any]:
    """The OpenAPI 3.1 document, with the version of the running program."""
    told: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    told["info"]["version"] = version()
    return told


def openapi_routes() -> Blueprint:
    """GET /api/v1/openapi.json and /api/v1/version."""
    routes = Blueprint("openapi", __name__, url_prefix="/api/v1")

    @routes.get("/openapi.json")
    def document() -> Response:
        return jsonify(description())

    @routes.get("/version")
    def program() -> Response:
        return jsonify(version=version(), licence=LICENCE, source="/source")

    return routes
