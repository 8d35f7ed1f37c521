"""Addresses that give one picture a request are asked again and again; each refusal is one sentence."""

from __future__ import annotations

import base64
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import cv2
import numpy as np
import pytest

from vision.frames import SourceError
from vision.snapshots import SnapshotCapture, gives_single_pictures
from vision.sources import open_source


class Phone(BaseHTTPRequestHandler):
    """A phone's camera app: a snapshot that grows brighter, a page, and things that go wrong."""

    shots = 0

    def do_GET(self) -> None:
        kind, body, code = "text/plain", b"", 200
        if self.path == "/shot.jpg":
            Phone.shots += 1
            picture = np.full((48, 64, 3), min(20 * Phone.shots, 240), np.uint8)
            kind, body = "image/jpeg", cv2.imencode(".jpg", picture)[1].tobytes()
        elif self.path == "/":
            kind, body = "text/html", b"<html></html>"
        elif self.path == "/locked":
            word = base64.b64encode(b"me:my secret").decode()
            code = 200 if self.headers["Authorization"] == f"Basic {word}" else 401
            kind = "image/jpeg"
        elif self.path == "/broken.jpg":
            kind, body = "image/jpeg", b"no jpeg"
        else:
            code = 503 if self.path == "/busy" else 404
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        return


@pytest.fixture(scope="module")
def phone() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Phone)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


def test_a_snapshot_address_is_a_live_source(phone: str) -> None:
    with open_source(f"{phone}/shot.jpg") as source:
        first = source.newest()
        assert first is not None
        later = source.wait_newer(first.index, 5.0)
        assert later is not None
        assert later.image.mean() > first.image.mean()
        assert later.time_s > first.time_s
        assert source.status().state == "live"


def test_requests_keep_a_pause(phone: str) -> None:
    waited: list[float] = []
    capture = SnapshotCapture(f"{phone}/shot.jpg", "phone", waited.append)
    for _ in range(3):
        assert capture.read()[0]
    assert waited
    assert all(0 < pause <= 0.1 for pause in waited)


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("/nothing", "has nothing at this address"),
        ("/", "a page for a browser"),
        ("/locked", "wants a user name and password"),
        ("/busy", "refuses with HTTP 503"),
        ("/broken.jpg", "no picture comes from this address"),
    ],
)
def test_a_wrong_address_is_said_in_one_sentence(phone: str, path: str, says: str) -> None:
    with pytest.raises(SourceError, match=says) as error:
        open_source(phone + path)
    assert str(error.value).startswith(phone + path)


def test_a_password_opens_and_is_not_shown(phone: str) -> None:
    url = phone.replace("://", "://me:my%20secret@") + "/locked"
    assert gives_single_pictures(url, "phone")
    with pytest.raises(SourceError) as error:
        open_source(url.replace("my%20secret", "wrong"))
    assert "wrong" not in str(error.value)


def test_nobody_at_the_address_is_said() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(SourceError, match="nothing answers on this port"):
        gives_single_pictures(f"http://127.0.0.1:{port}/shot.jpg", "phone")
    with pytest.raises(SourceError, match=r"no device called nowhere\.invalid"):
        gives_single_pictures("http://nowhere.invalid/shot.jpg", "phone")
