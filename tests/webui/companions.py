"""Whole companions for tests: a live table, a room for matches in a folder of the test, told cameras."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from engine.journal_shelf import Shelf
from vision.frames import Source, SourceError
from vision.kept_corners import CornersStore
from webui.access import Access
from webui.app import create_app
from webui.camera_choice import Chosen, Opener
from webui.companion import Companion
from webui.eyes import Eyes, WholeReader
from webui.eyes_maker import EyesMaker
from webui.game_room import GameRoom
from webui.live import LiveTable
from webui.match_feed import MatchFeed
from webui.no_camera import NO_CAMERA, NoCamera

PLAYERS = [{"name": "Anna", "colour": "red"}, {"name": "Ben", "colour": "blue"}]


def never_opens(spec: str) -> Source:
    raise SourceError(f"{spec}: there is no such camera.")


def no_phone() -> Any:
    raise SourceError("There is no phone here.")


def same_eyes(eyes: Eyes) -> EyesMaker:
    """A maker of eyes that always gives these, and follows no match."""

    def make(source: Source, colours: Sequence[str]) -> tuple[Eyes, MatchFeed | None]:  # noqa: ARG001
        return eyes, None

    return make


def companion_of(
    table: LiveTable,
    folder: Path | None = None,
    *,
    source: Source | None = None,
    spec: str = "0",
    make: EyesMaker | None = None,
    open_live: Callable[[str], Source] = never_opens,
    open_phone: Callable[[], Any] = no_phone,
    access: Access | None = None,
) -> Companion:
    """A companion around a table; matches are kept in the folder, or in one that nobody looks at."""
    source = source or table._source
    room = GameRoom(Shelf(folder or Path(tempfile.mkdtemp(prefix="lawn-test-"))))
    chosen = Chosen(spec, source)
    opener = Opener(open_live, open_phone)
    maker = make or same_eyes(table._eyes)
    return Companion(table, room, access or Access(), chosen, opener, maker)


def by_hand(folder: Path) -> tuple[LiveTable, Companion]:
    """A table without a camera; it is not started, as nothing is to be looked at."""

    class Blind:
        def read(self, *_: object) -> Any:
            raise AssertionError("there is nothing to read")

    source = NoCamera()
    table = LiveTable(source, WholeReader(Blind()))
    return table, companion_of(table, folder, source=source, spec=NO_CAMERA)


def app_of(table: LiveTable | Companion, corners: CornersStore | None = None) -> Flask:
    companion = table if isinstance(table, Companion) else companion_of(table)
    return create_app(companion, corners=corners)


class Client:
    """A page of ours, by the test client: changes carry what they must."""

    def __init__(self, client: FlaskClient) -> None:
        self.client = client
        self._token = ""

    def get(self, path: str, **more: Any) -> TestResponse:
        return self.client.get(f"/api/v1{path}", **more)

    def post(self, path: str, data: Any = None, **more: Any) -> TestResponse:
        if not self._token:
            self._token = self.state()["you"]["csrf"]
        headers = {"X-Lawn": "1", "X-CSRF-Token": self._token, **more.pop("headers", {})}
        return self.client.post(
            f"/api/v1{path}", json={} if data is None else data, headers=headers, **more
        )

    def state(self) -> Any:
        return self.get("/state").json

    def match(self) -> Any:
        return self.state()["match"]

    def begin(self, players: Sequence[dict[str, str]] = (), **more: Any) -> str:
        """Begin a match; its id."""
        answer = self.post("/matches", {"players": list(players) or PLAYERS, **more})
        assert answer.status_code == 201, answer.text
        return str((answer.json or {})["id"])

    def play(self, *actions: str) -> TestResponse:
        """Play actions, which must be taken."""
        answer = self.post("/match/actions", {"actions": list(actions)})
        assert answer.status_code == 200, answer.text
        return answer


def client_of(table: LiveTable | Companion, corners: CornersStore | None = None) -> Client:
    return Client(app_of(table, corners).test_client())
