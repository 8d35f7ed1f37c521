"""Serving the live table: a source, a reader and the page, from start to Ctrl-C."""

from __future__ import annotations

import contextlib
import errno
import logging
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import waitress
from waitress import wasyncore

from engine.lawn import Owner
from vision.frames import Source
from vision.mat_keeper import MatKeeper
from vision.match_owners import match_owners
from vision.owners import Owners, colours_of
from vision.pushed_source import PushedSource
from vision.sources import SourceError, open_source
from vision.watching import ALONE
from webui.app import create_app
from webui.certificate import CertificateError
from webui.eyes import Eyes, Reader, Watcher, WholeReader
from webui.live import LiveTable
from webui.phone_server import PhoneServer
from webui.stream import MAX_STREAMS

# Says "Task queue depth is 1" to the terminal whenever a request waits a moment for a worker.
logging.getLogger("waitress.queue").setLevel(logging.ERROR)

PHONE = "phone"
EVERYWHERE = "0.0.0.0"

THREADS = MAX_STREAMS + 20
"""Every open stream holds a worker; the rest are for pages and pictures."""
SEND_AHEAD_BYTES = 256 * 1024
"""What may wait for a slow client; beyond it only that client's own worker waits."""

END_S = 1.5
"""How long open streams and pictures may take to end when the program ends."""


class ServeError(ValueError):
    """The page cannot be served; the message is one sentence that says why and what to do."""


def serve(
    source_spec: str,
    host: str = "127.0.0.1",
    port: int = 5000,
    reader: Reader | None = None,
    ready: Callable[[str], None] | None = None,
    tell: Callable[[str], None] | None = None,
    players: Sequence[str] = (),
) -> None:
    """Serve the page of a source until Ctrl-C or SIGTERM.

    source_spec: as for `open_source`, or "phone" for a phone's browser, which then finds its page on the port after
    `port`, over HTTPS and in the whole network. tell: takes what to do on the phone. port: 0 takes a free one.
    reader: default the shipped one. ready: called with the page's address as soon as it can be opened.
    players: their colours in seat order, if they are known.
    Raises ServeError when the port or the source cannot be used, vision.owners.OwnerError for such players.
    """
    owners = match_owners(players)
    with _one_interrupt_ends(), contextlib.ExitStack() as stack:
        listener = stack.enter_context(listen(host, port))
        source: Source
        if source_spec == PHONE:
            phone = stack.enter_context(_phone(stack, port))
            source = phone.source
            if tell is not None:
                tell(phone.instructions())
        else:
            try:
                source = stack.enter_context(open_source(source_spec))
            except SourceError as error:
                raise ServeError(str(error)) from error
        eyes = eyes_for(source, reader or _shipped_reader(), owners, colours_of(players))
        table = stack.enter_context(LiveTable(source, eyes))
        server = TableServer(table, listener, host)
        if ready is not None:
            ready(server.address)
        server.run()


def _phone(stack: contextlib.ExitStack, port: int) -> PhoneServer:
    """The server of a phone's camera page, on the port after the page's own (any, when that is 0)."""
    source = stack.enter_context(PushedSource("the phone"))
    listener = stack.enter_context(listen(EVERYWHERE, port + 1 if port else 0))
    try:
        return PhoneServer(source, listener, EVERYWHERE, _network_address())
    except CertificateError as error:
        raise ServeError(str(error)) from error


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
    """The web server of one live table, on a socket that is bound already; it closes the socket.

    ended: set when `run` is about to return and nothing of it is left.
    """

    def __init__(self, table: LiveTable, listener: socket.socket, host: str = "127.0.0.1") -> None:
        self._table = table
        self._sockets: dict[int, object] = {}
        self._ending = threading.Lock()
        self._stopping = threading.Event()
        self.ended = threading.Event()
        self._server = waitress.create_server(
            create_app(table, host),
            map=self._sockets,
            sockets=[listener],
            threads=THREADS,
            outbuf_high_watermark=SEND_AHEAD_BYTES,
            # Reading on while a stream runs is how waitress notices that its client has left.
            channel_request_lookahead=1,
            ident=None,
        )
        self.address = f"http://{_shown(listener)}/"

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


def _shown(listener: socket.socket) -> str:
    """Host and port to open in a browser; a listener on all addresses is shown by one of them."""
    host, port = listener.getsockname()[:2]
    if host in {"0.0.0.0", "::"}:
        host = _network_address()
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _network_address() -> str:
    """This machine's address in its network, or loopback where there is no network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # connecting a datagram socket sends nothing
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


@contextlib.contextmanager
def _one_interrupt_ends() -> Iterator[None]:
    """Ctrl-C or SIGTERM ends the program cleanly; closing takes a moment, which a second one must not break into.

    Signals can be handled in the main thread only; elsewhere this does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(*_: object) -> None:
        for each in before:
            signal.signal(each, signal.SIG_IGN)
        raise KeyboardInterrupt

    before: dict[signal.Signals, Any] = {}
    for each in (signal.SIGINT, signal.SIGTERM):
        before[each] = signal.signal(each, end)
    try:
        yield
    except KeyboardInterrupt:
        return  # the program is about to end, and further interrupts stay ignored until it has
    except BaseException:
        _restore(before)
        raise
    _restore(before)


def _restore(handlers: dict[signal.Signals, Any]) -> None:
    for each, handler in handlers.items():
        signal.signal(each, handler)


def eyes_for(source: Source, reader: Reader, owners: Owners, names: Mapping[Owner, str]) -> Eyes:
    """What looks at a source: a watcher, with the reader's networks, wherever one table is shown over time.

    owners, names: whose dice lie there, and the colour of every owner; without players nobody's and none.
    """
    from vision.reader import TableReader  # loads the network, which a stand-in does not need

    alone = source.kind in ALONE
    if not isinstance(reader, TableReader) or (alone and not names):
        return WholeReader(reader)
    from vision.crop_reader import CropReader
    from vision.view import Viewer

    mats = MatKeeper.of(source.name)
    viewer = Viewer(CropReader(finder=reader.finder), mats, owners)
    return Watcher(viewer, names, alone=alone, asks=lambda: mats.asks)


def _shipped_reader() -> Reader:
    from vision.reader import TableReader  # loads the network, which a stand-in does not need

    return TableReader()
