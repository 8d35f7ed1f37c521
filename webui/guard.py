"""Who may ask and what browsers may do with the answer: Host check, checks of changes, secure headers."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import urlsplit

from flask import Flask, Response, abort, jsonify, make_response, request
from werkzeug.exceptions import HTTPException

from webui.access import Access

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})

MOST_BYTES = 100_000
"""No change that a page sends is larger; a route for uploads says its own limit."""

ONLY_WATCHES = "This browser only watches; to control the match, give the PIN shown on the host."

Route = TypeVar("Route", bound=Callable[..., Any])

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "media-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    # Pictures of somebody's home do not belong into a browser's cache on disk.
    "Cache-Control": "no-store",
}


def guard(app: Flask, listens_on: str) -> None:
    """Refuse strangers on every route, and put the secure headers on every answer.

    A page elsewhere can lead its own host name to this machine (DNS rebinding) and then read what
    it likes, unless the Host header is checked. Listening on loopback, only loopback names pass; on a
    network address also addresses in digits and this machine's own names.
    """

    @app.before_request
    def refuse_strangers() -> None:
        if not is_ours(request.environ.get("HTTP_HOST", ""), listens_on):
            abort(403, "This page answers only under its own address; open that one.")
        site = request.headers.get("Sec-Fetch-Site", "none")
        if site == "cross-site" and request.headers.get("Sec-Fetch-Mode") != "navigate":
            abort(403, "Another site asked for this; open the page itself.")

    @app.after_request
    def secure(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        if request.endpoint == "static":
            response.headers["Cache-Control"] = "no-cache"
        return response


def guard_changes(app: Flask, access: Access) -> None:
    """Let only pages of this very server change anything, opened by somebody who may.

    A change is a POST of JSON below /api/v1 with the page's token. The token and the header of our own
    cannot be sent by a page of another site without being asked first, which is never allowed here.
    Uploads of other kinds say so with `takes_uploads`.
    """

    @app.before_request
    def refuse_changes() -> Response | None:
        if request.endpoint is None:
            return None
        if request.method in ("GET", "HEAD", "OPTIONS"):
            view = app.view_functions[request.endpoint]
            if getattr(view, "for_controllers", False) and not access.controls(request):
                return make_response(jsonify(error=ONLY_WATCHES, pin=True), 401)
            return None
        origin = request.headers.get("Origin")
        if origin is not None and _host_of(origin) != request.host:
            abort(403, "Another site asked for this; open the page itself.")
        if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
            abort(403, "Another site asked for this; open the page itself.")
        view = app.view_functions[request.endpoint]
        limit = getattr(view, "most_bytes", MOST_BYTES)
        request.max_content_length = limit
        if (request.content_length or 0) > limit:
            abort(413, f"That is too large; at most {limit // 1000} kB are taken here.")
        if limit == MOST_BYTES and not request.is_json:
            abort(415, "Changes are sent as JSON.")
        if request.headers.get("X-Lawn") != "1":
            abort(403, "Changes carry the header X-Lawn: 1.")
        if not access.is_csrf(request, request.headers.get("X-CSRF-Token", "")):
            says = "This page is of an earlier run of the program; load it again."
            return make_response(jsonify(error=says, stale=True), 403)
        if not access.controls(request) and not getattr(view, "for_viewers", False):
            says = (
                "This browser only watches; to control the match, give the PIN shown on the host."
            )
            return make_response(jsonify(error=says, pin=True), 401)
        return None


def for_viewers(view: Route) -> Route:
    """Mark a route that changes something but may be used by those who only watch."""
    view.for_viewers = True  # type: ignore[attr-defined]
    return view


def for_controllers(view: Route) -> Route:
    """Mark a route that changes nothing but costs much, so that it is for those alone who control."""
    view.for_controllers = True  # type: ignore[attr-defined]
    return view


def takes_uploads(most_bytes: int) -> Callable[[Route], Route]:
    """Mark a route that takes files of at most so many bytes, and not JSON alone."""

    def mark(view: Route) -> Route:
        view.most_bytes = most_bytes  # type: ignore[attr-defined]
        return view

    return mark


def most_bytes(app: Flask) -> Callable[[str, str], int]:
    """How many bytes a request of some method to some path may bring."""
    addresses = app.url_map.bind("")

    def limit(method: str, path: str) -> int:
        try:
            endpoint, _ = addresses.match(path, method=method)
        except HTTPException:
            return MOST_BYTES
        return int(getattr(app.view_functions[endpoint], "most_bytes", MOST_BYTES))

    return limit


def _host_of(origin: str) -> str:
    """The host, with its port, of an Origin header; "" of one that is none."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""


def is_ours(host_header: str, listens_on: str) -> bool:
    """Whether a request with this Host header was meant for a server on that address."""
    try:
        host = urlsplit(f"//{host_header}").hostname or ""
    except ValueError:
        return False
    if host in LOOPBACK or host == listens_on.casefold():
        return True
    if is_loopback(listens_on):
        return False
    name = socket.gethostname().casefold()
    short = name.partition(".")[0]
    return is_address(host) or host in {name, short, f"{short}.local"}


def is_loopback(host: str) -> bool:
    return host.casefold() == "localhost" or (
        is_address(host) and ipaddress.ip_address(host).is_loopback
    )


def is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
