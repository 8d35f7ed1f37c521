"""A phone's browser as the camera: its page, and the address that takes its pictures."""

from __future__ import annotations

import hmac

from flask import Blueprint, Flask, Response, abort, render_template, request
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge

from vision.frames import SourceError
from vision.pushed_source import PushedSource
from webui.about import version
from webui.catalogue import speak
from webui.guard import guard
from webui.small_files import send_small

LARGEST_BYTES = 8_000_000
"""No JPEG of a phone's video is larger."""


def create_phone_app(source: PushedSource, key: str, host: str) -> Flask:
    """The application that only the phone opens, over HTTPS: its camera page and what takes the pictures.

    key: a secret in the page's address; without it nothing is shown and nothing is taken.
    """
    app = Flask(__name__)
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_BYTES
    app.jinja_env.globals["version"] = version()
    speak(app)
    guard(app, host)
    send_small(app)
    app.register_blueprint(_routes(source, key))
    app.register_error_handler(HTTPException, _in_words)

    @app.after_request
    def allow_the_camera(response: Response) -> Response:
        response.headers["Permissions-Policy"] = "camera=(self), microphone=(), geolocation=()"
        return response

    return app


def _routes(source: PushedSource, key: str) -> Blueprint:
    routes = Blueprint("phone", __name__)

    @routes.before_request
    def ask_for_the_key() -> None:
        if not hmac.compare_digest(request.args.get("key", "").encode(), key.encode()):
            abort(
                403,
                "This address is not complete; open the whole address that the program shows, or its QR code.",
            )

    @routes.get("/")
    def page() -> str:
        return render_template("phone.html")

    @routes.post("/picture")
    def picture() -> Response:
        if request.mimetype != "image/jpeg":
            abort(415, "Pictures are sent as JPEG.")
        try:
            source.push(request.get_data())
        except SourceError as error:
            abort(400, str(error))
        return Response(status=204)

    return routes


def _in_words(error: HTTPException) -> Response:
    says = error.description or error.name
    if isinstance(error, RequestEntityTooLarge):
        says = "This picture is too large to be sent."
    return Response(says + "\n", status=error.code or 500, mimetype="text/plain")
