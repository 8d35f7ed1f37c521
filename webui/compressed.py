"""Scripts and styles sent compressed to browsers that take it: each file once, then from memory."""

from __future__ import annotations

import gzip

from flask import Flask, Response, request

KINDS = frozenset({"text/javascript", "text/css", "image/svg+xml", "application/json"})


def compress_static(app: Flask) -> None:
    """Send the static files that are text as gzip, wherever the browser says that it reads it."""
    kept: dict[str, tuple[str, bytes]] = {}

    @app.after_request
    def compress(response: Response) -> Response:
        if request.endpoint != "static" or response.mimetype not in KINDS:
            return response
        response.headers["Vary"] = "Accept-Encoding"
        taken = "gzip" in request.headers.get("Accept-Encoding", "").replace(" ", "").split(",")
        if not taken or response.status_code != 200 or request.method != "GET":
            return response
        name, etag = request.path, response.get_etag()[0] or ""
        known = kept.get(name)
        response.direct_passthrough = False
        if known is None or known[0] != etag:
            known = kept[name] = etag, gzip.compress(response.get_data(), 9, mtime=0)
        response.set_data(known[1])
        response.headers["Content-Encoding"] = "gzip"
        response.set_etag(etag, weak=True)  # the same content in another form
        return response
