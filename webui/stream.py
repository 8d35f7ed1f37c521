"""The event stream: what is new at the table, in the match and of the camera, as server-sent events."""

from __future__ import annotations

import json
import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from flask import Blueprint, Response, jsonify, request

from webui.catalogue import FIRST, speaker
from webui.companion import Companion, Now, joined
from webui.guard import is_loopback

MAX_STREAMS = 24
"""20 viewers and the host's own pages; more at once are refused, so that a worker is always left."""
HOSTS_OWN = 4
"""So many of them are for the host alone: others can never lock it out."""
MOST_OF_ONE = 6
"""So many streams go to one address."""
KEEP_ALIVE_S = 5.0
"""After so long without news a stream sends a sign of life."""
LOOK_S = 0.5
"""How often a waiting stream looks whether its client is still there."""
RETRY_MS = 2000
PICTURES_A_SECOND = 30.0
"""So many pictures a second are shown in all streams together: with few pages each gets them all, with
many each gets some, and the reading of the table is never slowed."""
ONLY_PICTURE = frozenset({"version", "picture", "reading_of"})
"""A table that differs in nothing else shows the same, in a newer picture."""

# The comment keeps proxies from closing the stream. A script cannot see comments, so an event goes
# with it, by which the page notices a connection that died without a word.
SIGN_OF_LIFE = ": keep-alive\nevent: alive\ndata: 1\n\n"


def stream_routes(companion: Companion) -> Blueprint:
    """GET /api/v1/events: an event for everything new, with the version as its id; at first all there is.

    An event's data is a JSON object of what has changed since the one before: any of table (of it only
    the entries that changed), match, offer, camera, you. A client that falls behind skips states. 503
    when too many are open (`Streams`).
    """
    routes = Blueprint("stream", __name__)

    def tell(count: int) -> None:
        companion.viewers = count

    streams = Streams(tell)

    @routes.get("/api/v1/events")
    def events() -> Response:
        if request.method == "HEAD":
            return Response(mimetype="text/event-stream")
        is_host = companion.access.is_host(request)
        whose = HOST if is_host else request.remote_addr or ""
        if not streams.enter(whose):
            refused = jsonify(error="Too many pages show this table at once; close some of them.")
            refused.status_code = 503
            refused.headers["Retry-After"] = "5"
            return refused
        gone = request.environ.get("waitress.client_disconnected", lambda: False)
        seen = request.headers.get("Last-Event-ID", "")
        you = companion.access.you(request)
        stream = event_stream(companion, gone, you, seen, language=speaker().language)
        response = Response(stream, mimetype="text/event-stream")
        response.headers["X-Accel-Buffering"] = "no"
        response.call_on_close(lambda: streams.leave(whose))
        return response

    return routes


HOST = "host"


class Streams:
    """Counts the open streams: MAX_STREAMS in all, of which HOSTS_OWN are the host's, and MOST_OF_ONE to one
    address of another device. tell: is called with their number whenever it changes. Callable from any thread.
    """

    def __init__(self, tell: Callable[[int], None]) -> None:
        self._tell = tell
        self._open: Counter[str] = Counter()
        self._counting = threading.Lock()

    def enter(self, whose: str) -> bool:
        """Whether one more is let in. whose: HOST, or an address."""
        with self._counting:
            if self._open.total() >= MAX_STREAMS:
                return False
            others = self._open.total() - self._open[HOST]
            # A proxy passes many people on from this machine's own address.
            most_of_one = MAX_STREAMS if is_loopback(whose) else MOST_OF_ONE
            if whose != HOST and (
                others >= MAX_STREAMS - HOSTS_OWN or self._open[whose] >= most_of_one
            ):
                return False
            self._open[whose] += 1
            self._tell(self._open.total())
            return True

    def leave(self, whose: str) -> None:
        with self._counting:
            self._open[whose] -= 1
            if not self._open[whose]:
                del self._open[whose]
            self._tell(self._open.total())


def event_stream(
    companion: Companion,
    gone: Callable[[], bool],
    you: Mapping[str, Any],
    last_event_id: str = "",
    clock: Callable[[], float] = time.monotonic,
    language: str = FIRST,
) -> Iterator[bytes]:
    """The text of a stream in one language, ending when the client is gone or the table stops.

    last_event_id: the version that the client has: as long as nothing is new it is sent nothing.
    """
    yield f"retry: {RETRY_MS}\n\n".encode()
    sent = _Sent(you)
    said = pictured = clock()
    count = companion.count
    now = companion.now(you, language)
    if re.fullmatch(r"[0-9.]{1,64}", last_event_id) and last_event_id == now.version:
        sent.changes(now)
    else:
        yield _event(now, sent.changes(now))
    while not companion.table.stopped and not gone():
        count = companion.wait(count, LOOK_S)
        now = companion.now(you, language)
        apart_s = max(1, companion.viewers) / PICTURES_A_SECOND
        if clock() - pictured < apart_s and sent.is_picture_alone(now):
            continue
        changes = sent.changes(now)
        if changes:
            said = pictured = clock()
            yield _event(now, changes)
        elif clock() - said >= KEEP_ALIVE_S:
            said = clock()
            yield SIGN_OF_LIFE.encode()


def _event(now: Now, changes: Mapping[str, str]) -> bytes:
    return f"id: {now.version}\ndata: {joined(changes)}\n\n".encode()


class _Sent:
    """What one client has been sent."""

    def __init__(self, you: Mapping[str, Any]) -> None:
        self._you = json.dumps(you)
        self._parts: dict[str, str] = {}
        self._table: Mapping[str, str] = {}

    def is_picture_alone(self, now: Now) -> bool:
        """Whether nothing but the picture is new."""
        table = now.table
        return all(self._parts.get(name) == part for name, part in now.parts.items()) and all(
            self._table.get(name) == part
            for name, part in table.items()
            if name not in ONLY_PICTURE
        )

    def changes(self, now: Now) -> dict[str, str]:
        """What is new, as entries of JSON; from now on it counts as sent."""
        changes: dict[str, str] = {}
        table = {name: part for name, part in now.table.items() if self._table.get(name) != part}
        if table:
            changes["table"] = joined(table)
        for name, part in (*now.parts.items(), ("you", self._you)):
            if self._parts.get(name) != part:
                changes[name] = self._parts[name] = part
        self._table = now.table
        return changes
