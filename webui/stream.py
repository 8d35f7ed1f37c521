"""The event stream: every new state of the table, as server-sent events."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator

from flask import Blueprint, Response, request

from webui.live import LiveTable

MAX_STREAMS = 20
"""More pages than this at once are refused, so that a worker is always left for other requests."""
KEEP_ALIVE_S = 5.0
"""After so long without news a stream sends a sign of life."""
LOOK_S = 0.5
"""How often a waiting stream looks whether its client is still there."""
RETRY_MS = 2000

# The comment keeps proxies from closing the stream. A script cannot see comments, so an event goes
# with it, by which the page notices a connection that died without a word.
SIGN_OF_LIFE = ": keep-alive\nevent: alive\ndata: 1\n\n"


def stream_routes(table: LiveTable) -> Blueprint:
    """GET /events: one event a state, with the version as its id; the newest one at once.

    A client that falls behind skips states. 503 when MAX_STREAMS are open.
    """
    routes = Blueprint("stream", __name__)
    slots = threading.BoundedSemaphore(MAX_STREAMS)

    @routes.get("/events")
    def events() -> Response:
        if request.method == "HEAD":
            return Response(mimetype="text/event-stream")
        if not slots.acquire(blocking=False):
            return Response(
                "Too many pages show this table at once; close some of them.\n",
                status=503,
                headers={"Retry-After": "5"},
                mimetype="text/plain",
            )
        gone = request.environ.get("waitress.client_disconnected", lambda: False)
        seen = request.headers.get("Last-Event-ID", "")
        response = Response(event_stream(table, gone, seen), mimetype="text/event-stream")
        response.headers["X-Accel-Buffering"] = "no"
        response.call_on_close(slots.release)
        return response

    return routes


def event_stream(
    table: LiveTable,
    gone: Callable[[], bool],
    last_event_id: str = "",
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[bytes]:
    """The text of a stream, ending when the client is gone or the table stops."""
    yield f"retry: {RETRY_MS}\n\n".encode()
    version = int(last_event_id) if re.fullmatch("[0-9]{1,19}", last_event_id) else -1
    said = clock()
    while not table.stopped and not gone():
        state = table.wait_other(version, LOOK_S)
        if state is not None:
            version = state.version
            yield f"id: {version}\ndata: {state.json}\n\n".encode()
            said = clock()
        elif clock() - said >= KEEP_ALIVE_S:
            yield SIGN_OF_LIFE.encode()
            said = clock()
