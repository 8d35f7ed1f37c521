"""The web server of the page, on a socket that is bound already: from its first answer to its clean end."""

from __future__ import annotations

import errno
import logging
import socket
import sys
import threading
import time

import waitress
from flask import Flask
from waitress import wasyncore

from webui.door import CONNECTIONS, Door, connections
from webui.guard import most_bytes
from webui.live import LiveTable
from webui.stream import MAX_STREAMS

# Says "Task queue depth is 1" to the terminal whenever a request waits a moment for a worker.
logging.getLogger("waitress.queue").setLevel(logging.ERROR)

THREADS = MAX_STREAMS + 20
"""Every open stream holds a worker; the rest are for pages and pictures."""
SEND_AHEAD_BYTES = 256 * 1024
"""What may wait for a slow client; beyond it only that client's own worker waits."""
LOOK_S = 1.0
"""How often silent connections are looked for."""

END_S = 1.5
"""How long open streams and pictures may take to end when the program ends."""


class ServeError(ValueError):
    """The page cannot be served; the message is one sentence that says why and what to do."""


def listen(host: str, port: int) -> socket.socket:
    """A socket bound to that address. Raises ServeError."""
    if not host.strip():
        raise ServeError(
            "The address to listen on is empty; take 127.0.0.1, or 0.0.0.0 for your network."
        )
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (OSError, UnicodeError):
        raise ServeError(
            f"{host} is no address of this machine; take 127.0.0.1, or 0.0.0.0 for your network."
        ) from None
    listener = socket.socket(family, kind, protocol)
    try:
        if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):  # Windows lets two programs share a port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        # Without listening already, a second server could bind the same port and fail much later.
        listener.listen()
    except OSError as error:
        listener.close()
        raise ServeError(_why_not(error, host, port)) from error
    return listener


def _why_not(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} is taken by another program; end it, or choose another with --port."
    if error.errno == errno.EACCES:
        return f"You may not use port {port}; choose one above 1023 with --port."
    if error.errno == errno.EADDRNOTAVAIL:
        return f"{host} is no address of this machine; take 127.0.0.1, or 0.0.0.0 for your network."
    return f"The page cannot be served on {host}, port {port} ({error.strerror or error})."


class TableServer:
    """The web server of an application around one live table; it closes the socket.

    ended: set when `run` is about to return and nothing of it is left.
    """

    def __init__(self, app: Flask, table: LiveTable, listener: socket.socket) -> None:
        self._table = table
        self._sockets: dict[int, object] = {}
        self._ending = threading.Lock()
        self._stopping = threading.Event()
        self.ended = threading.Event()
        self._server = waitress.create_server(
            app,
            map=self._sockets,
            sockets=[listener],
            threads=THREADS,
            connection_limit=2 * CONNECTIONS,  # never reached: the door closes others before
            outbuf_high_watermark=SEND_AHEAD_BYTES,
            max_request_body_size=sys.maxsize,  # each address has its own limit, see the door
            # Reading on while a stream runs is how waitress notices that its client has left.
            channel_request_lookahead=1,
            # They are trusted in nothing, but tell that a proxy passes on who is not at this machine.
            clear_untrusted_proxy_headers=False,
            ident=None,
        )
        self._door = self._server.door = Door()
        self._server.channel_class = connections(most_bytes(app))
        self._looked = time.monotonic()
        self.address = f"http://{shown_address(listener)}/"

    def run(self) -> None:
        """Serve until `stop`, or until KeyboardInterrupt or SystemExit, which end here."""
        try:
            while not self._stopping.is_set():
                self._serve_once(1.0)
        except (KeyboardInterrupt, SystemExit):
            pass
        finally:
            self._end()

    def stop(self) -> None:
        """Make `run` return; callable from any thread, and more than once."""
        with self._ending:
            if not self._stopping.is_set():
                self._stopping.set()
                self._server.pull_trigger()

    def _serve_once(self, timeout_s: float) -> None:
        wasyncore.loop(timeout=timeout_s, use_poll=True, map=self._sockets, count=1)
        if time.monotonic() - self._looked >= LOOK_S:
            self._looked = time.monotonic()
            self._door.tidy(list(self._server.active_channels.values()))

    def _end(self) -> None:
        """End the streams, then the workers, then the sockets: a worker may still use the latter."""
        with self._ending:
            self._stopping.set()
        self._table.stop()
        workers = self._server.task_dispatcher
        end = time.monotonic() + END_S
        while workers.active_count and time.monotonic() < end:
            self._serve_once(0.05)
        for channel in list(self._server.active_channels.values()):
            channel.handle_close()  # wakes a worker that waits for a client that does not read
        workers.shutdown()
        wasyncore.close_all(self._sockets, ignore_all=True)
        self.ended.set()


def shown_address(listener: socket.socket) -> str:
    """Host and port to open in a browser; a listener on all addresses is shown by one of them."""
    host, port = listener.getsockname()[:2]
    if host in {"0.0.0.0", "::"}:
        host = network_address()
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def network_address() -> str:
    """This machine's address in its network, or loopback where there is no network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # connecting a datagram socket sends nothing
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"
