"""Who may ask and what browsers may do with the answer: Host check and secure headers."""

from __future__ import annotations

import ipaddress
import socket
from urllib.parse import urlsplit

from flask import Flask, Response, abort, request

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
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
