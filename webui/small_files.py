"""Scripts and styles sent small: scripts without comments and indentation, all of them compressed to browsers that
take it; each file once, then from memory. The files themselves stay as they are written, and /source gives those.
"""

from __future__ import annotations

import gzip

import rjsmin
from flask import Flask, Response, request

SCRIPT = "text/javascript"
KINDS = frozenset({SCRIPT, "text/css", "image/svg+xml", "application/json"})


def send_small(app: Flask) -> None:
    """Send the static files that are text so, gzipped wherever the browser says that it reads it."""
    kept: dict[tuple[str, bool], tuple[str, bytes]] = {}

    @app.before_request
    def whole() -> None:
        if request.endpoint == "static":  # a part of the file would be no part of what is sent
            request.environ.pop("HTTP_RANGE", None)

    @app.after_request
    def small(response: Response) -> Response:
        if request.endpoint != "static" or response.mimetype not in KINDS:
            return response
        response.headers["Vary"] = "Accept-Encoding"
        packs = "gzip" in request.headers.get("Accept-Encoding", "").replace(" ", "").split(",")
        if not (packs or response.mimetype == SCRIPT) or response.status_code != 200:
            return response
        etag = response.get_etag()[0] or ""
        known = kept.get((request.path, packs))
        response.direct_passthrough = False
        if known is None or known[0] != etag:
            written = response.get_data()
            sent = smaller(written) if response.mimetype == SCRIPT else written
            known = etag, gzip.compress(sent, 9, mtime=0) if packs else sent
            kept[request.path, packs] = known
        response.set_data(known[1])
        if packs:
            response.headers["Content-Encoding"] = "gzip"
        response.set_etag(etag, weak=True)  # the same content in another form
        return response


def smaller(script: bytes) -> bytes:
    """A script without comments and indentation."""
    return str(rjsmin.jsmin(script.decode())).encode()
