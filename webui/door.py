"""Who holds a connection to the server, for how long, and how much of a request is read at all.

A connection costs no worker until a whole request has come, but places for connections are limited: one that says
nothing is closed soon, one device holds only some, and who comes when all are taken gets the place of the longest
silent one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser

from webui.guard import MOST_BYTES, is_loopback

CONNECTIONS = 208
"""In all: a browser keeps up to six to a host open, and 24 streams are shown at once."""
HOSTS_OWN = 32
"""So many of them are for this machine alone: others never lock it out."""
MOST_OF_ONE = 32
"""So many go to one address of another device."""
SILENT_S = 10.0
"""So long a connection may say nothing before its first request or within one, and a request's head may take."""
BODY_S = 30.0
"""So long a request that is not whole may take, and a second more for every
LEAST_BYTES_PER_S of its body that have come: what drips in never has a connection for ever."""
LEAST_BYTES_PER_S = 20_000
KEPT_S = 60.0
"""So long a connection is kept for a next request."""
STUCK_S = 30.0
"""So long a worker waits for a client that takes nothing of its answer."""

LimitOf = Callable[[str, str], int]
"""How many bytes a request of that method and path may bring."""


class Door:
    """Decides which connections are closed. Used by the server's own thread alone.

    clock: seconds, as waitress counts them.
    """

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock

    def came(self, new: Connection, there: Iterable[Connection]) -> None:
        """One more is there: where that is too many, one of those it competes with leaves."""
        rivals = [each for each in there if not each.will_close]
        if len(rivals) > CONNECTIONS:
            _close_one_of(rivals)
        if new.is_local:
            return
        others = [each for each in rivals if not each.is_local]
        of_one = [each for each in others if each.addr[0] == new.addr[0]]
        if len(of_one) > MOST_OF_ONE:
            _close_one_of(of_one)
        elif len(others) > CONNECTIONS - HOSTS_OWN:
            _close_one_of(others)

    def tidy(self, there: Iterable[Connection]) -> None:
        """Close those that have been silent too long."""
        now = self._clock()
        for each in there:
            if each.is_overdue(now):
                each.handle_close()  # also where nothing can be sent any more; wakes a worker that waits for that


def _close_one_of(rivals: list[Connection]) -> None:
    idle = [each for each in rivals if not each.requests]
    if idle:
        min(idle, key=lambda each: each.last_activity).leave()
    else:
        rivals[-1].leave()  # all are being answered: the newest waits for another time


class Connection(HTTPChannel):  # type: ignore[misc]
    """A connection that knows how long it may still be silent."""

    began: float | None = None
    """When the request that is not whole yet began."""
    asked = False
    """Whether a whole request has ever come."""

    def __init__(self, server: Any, *args: Any, **more: Any) -> None:
        super().__init__(server, *args, **more)
        self.is_local = is_loopback(str(self.addr[0]))
        server.door.came(self, list(server.active_channels.values()))

    def received(self, data: bytes) -> bool:
        before = self.request
        taken = bool(super().received(data))
        if self.requests:
            self.asked = True
        if self.request is None:
            self.began = None
        elif self.request is not before:
            self.began = time.time()
        return taken

    def is_overdue(self, now: float) -> bool:
        silent_s = now - self.last_activity
        if self.requests:
            blocked = self.total_outbufs_len > self.adj.outbuf_high_watermark
            return bool(blocked) and silent_s > STUCK_S
        if self.total_outbufs_len or (self.request is None and self.asked):
            return bool(silent_s > KEPT_S)
        takes_s = now - (self.began or self.creation_time)
        if self.request is None or not self.request.headers_finished:
            return bool(max(silent_s, takes_s) > SILENT_S)
        allowed_s = BODY_S + self.request.body_bytes_received / LEAST_BYTES_PER_S
        return bool(silent_s > SILENT_S or takes_s > allowed_s)

    def leave(self) -> None:
        """Be closed with the next look at all connections: this one may be in the middle of them."""
        self.will_close = True


def connections(limit_of: LimitOf) -> type[Connection]:
    """Connections that read of a request that brings more than its limit nothing beyond that.

    Such a request is handed on with its length and without its body, to be refused in a sentence, and its connection is
    closed then.
    """

    class Request(HTTPRequestParser):  # type: ignore[misc]
        def received(self, data: bytes) -> int:
            consumed = int(super().received(data))
            if self.error is not None or self.body_rcv is None:
                return consumed
            # What frames the parts of a body counts too: else a size or an end that never comes is read for ever.
            long = max(self.content_length, self.body_bytes_received)
            if long > MOST_BYTES and long > limit_of(self.command, self.path):
                self.headers |= {"CONTENT_LENGTH": str(long), "CONNECTION": "close"}
                self.expect_continue = False
                self.completed = True
            return consumed

    class Limited(Connection):
        parser_class = Request

    return Limited
