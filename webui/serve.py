"""Serving the page of a table: camera, reader, match and web server, from start to Ctrl-C."""

from __future__ import annotations

import contextlib
import io
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.journal_shelf import Shelf
from vision.frames import Source
from vision.owners import players as owners_of
from vision.pushed_source import PushedSource
from vision.sources import SourceError, open_source
from vision.tables_kept import default_folder as tables_folder
from webui.access import Access
from webui.app import create_app
from webui.camera_choice import Chosen, Opener
from webui.certificate import CertificateError
from webui.companion import Companion
from webui.eyes import Reader
from webui.eyes_maker import EyesMaker, Maker
from webui.film import Film
from webui.game_room import GameRoom, default_folder
from webui.guard import is_loopback
from webui.live import LiveTable
from webui.no_camera import NoCamera
from webui.phone_server import PhoneServer
from webui.server import ServeError, TableServer, listen, network_address, shown_address
from webui.teacher import Teacher

EVERYWHERE = "0.0.0.0"


def _silent(_: str) -> None:
    return


@dataclass(frozen=True)
class Serving:
    """How a table is served.

    camera: as for `open_source`, or "phone" for a phone's browser, which then finds its page on the port
    after `port`, over HTTPS and in the whole network, or "none". port: 0 takes a free one. lan: let other
    devices see the page. players: their colours in seat order, if they are known. folder: where matches
    are kept; default: the user's data folder. ready: called with the page's address as soon as it can be
    opened; tell: takes what else a person should know.
    """

    camera: str = "0"
    host: str = "127.0.0.1"
    port: int = 5000
    lan: bool = False
    players: Sequence[str] = ()
    folder: Path | None = None
    ready: Callable[[str], None] = _silent
    tell: Callable[[str], None] = _silent


def serve(
    serving: Serving,
    reader: Reader | None = None,
    make: EyesMaker | None = None,
    begun: Callable[[Companion], None] = lambda _: None,
) -> None:
    """Serve the page of a table until Ctrl-C or SIGTERM.

    reader: default the shipped one. make: makes what looks at a source; default with the reader.
    begun: called before the first picture is looked at.

    A camera or address that gives no picture is tried again all the time, and the page says so.
    Raises ServeError when the port or a file cannot be used, vision.owners.OwnerError for such players.
    """
    owners_of(serving.players)
    host = EVERYWHERE if serving.lan and is_loopback(serving.host) else serving.host
    with _one_interrupt_ends(), contextlib.ExitStack() as stack:
        listener = stack.enter_context(listen(host, serving.port))
        port = listener.getsockname()[1]
        opener = Opener(_open_patiently, lambda: _phone(port))
        chosen = _chosen(opener, serving)
        if chosen.source.kind == "video":
            chosen.source = Film(chosen.source)
        if chosen.phone is not None:
            serving.tell(chosen.phone.instructions())
        reading = reader or _shipped_reader()
        made = make or Maker(reading)
        eyes, _ = made(chosen.source, serving.players)
        table = LiveTable(chosen.source, eyes)
        room = GameRoom(Shelf(serving.folder or default_folder()))
        access = Access(lan=not is_loopback(host))
        companion = Companion(table, room, access, chosen, opener, made, tuple(serving.players))
        stack.callback(companion.close)
        begun(companion)
        stack.enter_context(table)
        address = f"http://{shown_address(listener)}/"
        app = create_app(companion, host, address=address, teacher=_teacher(reading))
        server = TableServer(app, table, listener)
        if access.lan:
            serving.tell(invitation(address, access.pin))
        # Only under this address the host's own browser is known as such, and controls.
        serving.ready(f"http://127.0.0.1:{port}/" if host == EVERYWHERE else server.address)
        server.run()


def _chosen(opener: Opener, serving: Serving) -> Chosen:
    """The camera to begin with. A file that cannot be read is refused: who named it can mend that."""
    spec = serving.camera.strip()
    try:
        return opener.open(spec)
    except SourceError as error:
        if spec.isdecimal() or spec.startswith("camera:"):
            return Chosen(spec, NoCamera(f"{error} Until then, enter rolls and moves by hand."))
        raise ServeError(str(error)) from error


def _open_patiently(spec: str) -> Source:
    return open_source(spec, patient=True)


def _phone(port: int) -> PhoneServer:
    """The server of a phone's camera page, on the port after the page's own, or any if that is taken."""
    with contextlib.ExitStack() as stack:
        source = stack.enter_context(PushedSource("the phone"))
        try:
            listener = stack.enter_context(listen(EVERYWHERE, port + 1))
        except ServeError:
            listener = stack.enter_context(listen(EVERYWHERE, 0))
        try:
            server = PhoneServer(source, listener, EVERYWHERE, network_address())
        except CertificateError as error:
            raise ServeError(str(error)) from error
        stack.pop_all()
    server.start()
    return server


def invitation(address: str, pin: str) -> str:
    """What others in the network open, as a QR code made of characters, and what lets them control."""
    import segno

    drawn = io.StringIO()
    segno.make(address, error="l").terminal(drawn, compact=True)
    return (
        f"{drawn.getvalue()}\nOther devices in this network watch at: {address}\n"
        f"To control the match from one of them, give it the PIN {pin}."
    )


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


def _teacher(reader: Reader) -> Teacher | None:
    from vision.reader import TableReader

    return Teacher(reader, tables_folder()) if isinstance(reader, TableReader) else None


def _shipped_reader() -> Reader:
    from vision.reader import TableReader  # loads the network, which a stand-in does not need

    return TableReader()
