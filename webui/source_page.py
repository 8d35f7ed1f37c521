"""Where the running program's source code is to be had."""

from __future__ import annotations

from flask import Blueprint, Response, render_template

from webui.about import DISTRIBUTION, is_checkout, source_archive, version

routes = Blueprint("source", __name__)


@routes.get("/source")
def page() -> str:
    return render_template("source.html", is_checkout=is_checkout())


@routes.get("/source.zip")
def archive() -> Response:
    name = f"{DISTRIBUTION}-{version()}-source.zip"
    return Response(
        source_archive(),
        mimetype="application/zip",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
