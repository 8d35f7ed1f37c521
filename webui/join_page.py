"""Other devices: the address and QR code to open, and the PIN that lets one control."""

from __future__ import annotations

from flask import Blueprint, Response, abort, jsonify, make_response, render_template, request
from pydantic import Field

from webui.access import COOKIE, TooManyGuesses, WrongPin
from webui.answers import Body, body
from webui.camera_api import qr_code
from webui.companion import Companion
from webui.guard import for_viewers

KEPT_S = 24 * 3600
"""How long a browser keeps that it may control; it ends with the program in any case."""


class Pin(Body):
    pin: str = Field(min_length=1, max_length=20)


def join_routes(companion: Companion, address: str) -> Blueprint:
    """GET /join, GET and POST /api/v1/join, GET /api/v1/join.svg. address: of this server, as others reach it."""
    routes = Blueprint("join", __name__)
    access = companion.access

    @routes.get("/join")
    def page() -> str:
        controls, host = access.controls(request), access.is_host(request)
        pin = access.pin if host else None
        return render_template("join.html", lan=access.lan, url=address, pin=pin, controls=controls)

    @routes.get("/api/v1/join")
    def invitation() -> Response:
        return jsonify(
            lan=access.lan,
            url=address,
            qr="/api/v1/join.svg",
            pin=access.pin if access.is_host(request) else None,
            viewers=companion.viewers,
        )

    @routes.get("/api/v1/join.svg")
    def code() -> Response:
        if not access.lan:
            abort(404, "Other devices cannot reach this page; start it with 'lawn serve --lan'.")
        return qr_code(address)

    @routes.post("/api/v1/join")
    @for_viewers
    def join() -> Response:
        try:
            key = access.join(body(Pin).pin, request.remote_addr or "")
        except WrongPin as error:
            return make_response(jsonify(error=str(error), pin=True), 401)
        except TooManyGuesses as error:
            refused = make_response(jsonify(error=str(error), retry_after_s=error.wait_s), 429)
            refused.headers["Retry-After"] = str(error.wait_s)
            return refused
        you = {**access.you(request), "controls": True, "csrf": access.csrf_of(key)}
        response = make_response(jsonify(you=you))
        response.set_cookie(
            COOKIE, key, max_age=KEPT_S, httponly=True, samesite="Strict", secure=request.is_secure
        )
        return response

    return routes
