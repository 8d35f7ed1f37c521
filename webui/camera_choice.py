"""Which camera is used: chosen when the program starts, and anew from the page while it runs."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from vision.frames import Source
from vision.pushed_source import PushedSource
from vision.sources import without_password
from webui.folders import file_name
from webui.no_camera import NO_CAMERA, NoCamera

PHONE = "phone"
FILES = ("video", "photo", "folder")
"""The kinds of sources that lie on this computer's disk."""


class Opened(Protocol):
    """A phone's server, as far as it is used here."""

    source: PushedSource
    url: str
    fingerprint: str

    def instructions(self) -> str: ...
    def close(self) -> None: ...


@dataclass
class Chosen:
    """The camera in use. spec: as a person names it; phone: its server where a phone is the camera."""

    spec: str
    source: Source
    phone: Opened | None = None

    @property
    def shown(self) -> str:
        """The spec as other devices may see it: without a password, of a file its name alone."""
        if "://" in self.spec:
            return without_password(self.spec)
        return file_name(self.spec) if self.source.kind in FILES else self.spec

    def to_json(self, you: Mapping[str, Any]) -> dict[str, Any]:
        """{spec, name, kind, phone {url, fingerprint, qr} or null}, for who that is (`Access.you`).

        The spec in full is for the host alone. A phone's address holds the key to it: for who controls.
        """
        phone = None
        if self.phone is not None and you.get("controls"):
            phone = {
                "url": self.phone.url,
                "fingerprint": self.phone.fingerprint,
                "qr": "/api/v1/camera/phone.svg",
            }
        name, kind = self.source.name, self.source.kind
        spec = self.spec if you.get("host") else self.shown
        return {"spec": spec, "name": name, "kind": kind, "phone": phone}

    def close(self, wait_s: float = 0.0) -> None:
        """Let go of the device, waiting for it at most so long: a driver may hang."""
        closes: list[Callable[[], None]] = [self.source.close]
        if self.phone is not None:
            closes.append(self.phone.close)
        threads = [
            threading.Thread(target=close, name="closing a camera", daemon=True) for close in closes
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(wait_s)


class Opener:
    """Opens cameras. open_live: opens a source without waiting for its first picture; raises
    SourceError. open_phone: starts a phone's server; raises ValueError with a sentence."""

    def __init__(
        self, open_live: Callable[[str], Source], open_phone: Callable[[], Opened]
    ) -> None:
        self.open_live = open_live
        self._open_phone = open_phone

    def open(self, spec: str) -> Chosen:
        """The camera of that name. Raises SourceError or ValueError with one sentence."""
        spec = spec.strip()
        if spec == NO_CAMERA:
            return Chosen(spec, NoCamera())
        if spec == PHONE:
            phone = self._open_phone()
            return Chosen(spec, phone.source, phone)
        return Chosen(spec, self.open_live(spec))
