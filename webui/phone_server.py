"""The HTTPS server that a phone's browser opens to be the camera."""

from __future__ import annotations

import io
import secrets
import socket
import ssl
import threading
from collections import Counter
from pathlib import Path
from typing import Any, Self

from werkzeug.serving import ThreadedWSGIServer, WSGIRequestHandler

from vision.pushed_source import PushedSource
from webui.certificate import certificate, default_folder
from webui.phone import create_phone_app

KEY_BYTES = 9
MOST_OF_ONE = 12
"""So many connections one device may hold open: each holds a thread."""


class _Quiet(WSGIRequestHandler):
    """A picture several times a second is no news."""

    timeout = 20  # s; a phone that falls asleep in the middle of a picture must not hold its thread for ever

    def log(self, *_: object) -> None:
        return


class _FewOfOne(ThreadedWSGIServer):
    """Closes connections of a device that has MOST_OF_ONE already."""

    daemon_threads = True

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._open: Counter[str] = Counter()
        self._counting = threading.Lock()

    def verify_request(self, request: Any, client_address: Any) -> bool:  # noqa: ARG002
        with self._counting:
            allowed = self._open[client_address[0]] < MOST_OF_ONE
            self._open[client_address[0]] += allowed
        return allowed

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            with self._counting:
                self._open[client_address[0]] -= 1


class PhoneServer:
    """Serves the camera page of one phone on an own port, from `start` to `close`; a context manager.

    listener: a bound socket that listens; it is closed with the server. host: the address it was bound to; address: how
    the phone reaches this machine. Raises CertificateError.
    """

    def __init__(
        self,
        source: PushedSource,
        listener: socket.socket,
        host: str,
        address: str,
        folder: Path | None = None,
    ) -> None:
        self.source = source
        key = secrets.token_urlsafe(KEY_BYTES)
        port = listener.getsockname()[1]
        names = sorted({address, socket.gethostname(), "localhost", "127.0.0.1"})
        made = certificate(names, folder or default_folder())
        self.fingerprint = made.fingerprint
        self.url = f"https://{f'[{address}]' if ':' in address else address}:{port}/?key={key}"
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.load_cert_chain(made.chain, made.key)
        self._server = _FewOfOne(
            host,
            port,
            create_phone_app(source, key, host),
            _Quiet,
            ssl_context=context,
            fd=listener.fileno(),
        )
        listener.detach()  # the server owns the socket now
        # Else one device that connects and says nothing keeps all others out, and the server from its end.
        self._server.socket.do_handshake_on_connect = False  # type: ignore[attr-defined]
        self._thread = threading.Thread(
            target=self._server.serve_forever, name="phone server", daemon=True
        )
        source.invitation = (
            f"No phone sends pictures yet; open {self.url} on the phone, in the same network."
        )

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """End the server; its source is closed by whoever made it."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(timeout=2.0)

    def instructions(self) -> str:
        """What to do on the phone, with the address as a QR code made of characters."""
        import segno

        drawn = io.StringIO()
        segno.make(self.url, error="l").terminal(drawn, compact=True)
        return (
            f"{drawn.getvalue()}\n"
            f"On the phone, in the same network, open this code or address: {self.url}\n"
            "The phone's browser warns once, because this computer made its certificate itself and nobody vouches for "
            "it.\nChoose to go on if the certificate's SHA-256 fingerprint begins with "
            f"{self.fingerprint[:23]}."
        )
