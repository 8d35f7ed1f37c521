"""Network cameras that give one picture a request: the snapshot addresses of phone apps and door cameras."""

from __future__ import annotations

import base64
import http.client
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from urllib.parse import unquote, urlsplit, urlunsplit

import cv2
import numpy as np

from vision.frames import Image, SourceError

TIMEOUT_S = 5.0
LARGEST_BYTES = 40_000_000
"""No camera's JPEG is larger; what is, is no picture."""
PAUSE_S = 0.1
"""Least time between two requests, so that a cheap camera is not kept busy with nothing else."""


class SnapshotCapture:
    """Reads like cv2.VideoCapture: each `read` asks the address for its picture now.

    Raises SourceError where the address answers with something else or not at all.
    """

    def __init__(self, url: str, shown: str, pause: Callable[[float], object] = time.sleep) -> None:
        self._url, self._shown, self._pause = url, shown, pause
        self._asked_at = 0.0

    def isOpened(self) -> bool:
        return True

    def read(self) -> tuple[bool, Image | None]:
        wait = self._asked_at + PAUSE_S - time.monotonic()
        if wait > 0:
            self._pause(wait)
        self._asked_at = time.monotonic()
        with open_address(self._url, self._shown) as answer:
            data = answer.read(LARGEST_BYTES + 1)
        if len(data) > LARGEST_BYTES:
            raise SourceError(
                f"{self._shown}: this is no picture but far more; give the address of a snapshot."
            )
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
        return image is not None, None if image is None else np.asarray(image, np.uint8)

    def get(self, _: int, /) -> float:
        return 0.0

    def release(self) -> None:
        return


def open_address(url: str, shown: str) -> http.client.HTTPResponse:
    """Ask an http or https address; `shown` is how it may be named in messages.

    Raises SourceError with one sentence for each way in which that can fail.
    """
    parts = urlsplit(url)
    host = parts.hostname or ""
    bare = urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
    request = urllib.request.Request(bare, headers={"User-Agent": "get-off-my-lawn"})
    if parts.username is not None:
        word = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        request.add_header("Authorization", f"Basic {base64.b64encode(word.encode()).decode()}")
    try:
        answer: http.client.HTTPResponse = urllib.request.urlopen(request, timeout=TIMEOUT_S)
    except urllib.error.HTTPError as error:
        error.close()
        raise SourceError(_refusal(error.code, shown)) from error
    except (urllib.error.URLError, OSError, http.client.HTTPException, ValueError) as error:
        reason = getattr(error, "reason", error)
        if isinstance(reason, socket.gaierror):
            says = f"there is no device called {host} in this network; check the address"
        elif isinstance(reason, ConnectionRefusedError):
            says = "the device is there but nothing answers on this port; start its camera app, or check the port"
        elif isinstance(reason, TimeoutError):
            says = "nobody answers; check that the camera is on and in the same network"
        else:
            says = f"this address cannot be asked ({reason}); check it"
        raise SourceError(f"{shown}: {says}.") from error
    return answer


def gives_single_pictures(url: str, shown: str) -> bool:
    """Whether an address answers with one picture, as against a stream. Raises SourceError."""
    with open_address(url, shown) as answer:
        kind = str(answer.headers.get_content_type())
    if kind in ("text/html", "application/xhtml+xml"):
        raise SourceError(
            f"{shown}: this is a page for a browser, not a camera's picture; open it there and copy the address of the "
            "video or of the snapshot."
        )
    return kind in ("image/jpeg", "image/jpg", "image/png", "image/webp", "image/bmp")


def _refusal(code: int, shown: str) -> str:
    if code in (401, 403):
        return (
            f"{shown}: the camera wants a user name and password; write them into the address: "
            "http://name:password@..."
        )
    if code == 404:
        return f"{shown}: the camera has nothing at this address; check the part behind the host's name."
    return f"{shown}: the camera refuses with HTTP {code}; check the address, or start the camera anew."
