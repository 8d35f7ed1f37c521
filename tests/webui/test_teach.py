"""Dice are shown on the page: a picture a face, marks at once, and what is learned kept and taken back."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import cv2
import pytest
from flask import Flask
from selenium import webdriver
from werkzeug.test import TestResponse

from tests.vision.test_teaching import GreyFinder, lesson, lessons
from tests.webui.axe import faults
from tests.webui.companions import Client, by_hand
from tests.webui.conftest import console
from tests.webui.pages import one, soon, text
from tests.webui.tables import until
from vision.find import DiceFinder
from vision.reader import TableReader
from vision.tables_kept import KeptTable
from vision.teaching import Lesson
from webui.app import create_app
from webui.companion import Companion
from webui.server import TableServer, listen
from webui.teacher import Teacher

ODD = 16.0
"""Dice that much lighter than usual are often misread."""


class Taught:
    """Stands for the reader of the table: remembers what it was taught."""

    table: KeptTable | None = None

    def use(self, table: KeptTable | None) -> None:
        self.table = table


def grey_finder() -> DiceFinder:
    finder = GreyFinder()
    finder.closeup.fingerprint = "grey"  # type: ignore[attr-defined]
    return cast(DiceFinder, finder)


@pytest.fixture
def taught() -> Taught:
    return Taught()


@pytest.fixture
def companion(tmp_path: Path) -> Companion:
    return by_hand(tmp_path / "matches")[1]


@pytest.fixture
def app(companion: Companion, taught: Taught, tmp_path: Path) -> Flask:
    teacher = Teacher(cast(TableReader, taught), tmp_path / "tables", grey_finder)
    return create_app(companion, teacher=teacher)


@pytest.fixture
def client(app: Flask) -> Client:
    return Client(app.test_client())


def png(shown: Lesson) -> bytes:
    return bytes(cv2.imencode(".png", shown.image)[1])


def show(client: Client, shown: Lesson) -> TestResponse:
    token = client.state()["you"]["csrf"]
    return client.client.post(
        f"/api/v1/teach/lessons/{shown.face}",
        data=png(shown),
        content_type="image/png",
        headers={"X-Lawn": "1", "X-CSRF-Token": token},
    )


def after_learning(client: Client) -> Any:
    assert until(lambda: client.get("/teach").json["doing"] == "showing", 30)
    return client.get("/teach").json


def test_a_picture_is_marked_at_once_and_shown_with_what_was_read(client: Client) -> None:
    state = show(client, lesson(3)).json
    assert state is not None
    assert state["lessons"] == [{"face": 3, "dice": 9, "right": 9, "unsure": 0}]
    assert client.get("/teach/lessons/3.jpg").data[:2] == b"\xff\xd8"
    assert client.get("/teach/lessons/4.jpg").status_code == 404


def test_odd_dice_are_learned_kept_used_and_forgotten(client: Client, taught: Taught) -> None:
    for shown in lessons(ODD):
        assert show(client, shown).status_code == 200
    assert client.post("/teach/learn", {"name": "club"}).status_code == 200
    state = after_learning(client)
    assert state["problem"] == ""
    learned = state["learned"]
    assert learned["tuned_right"] > learned["right"]
    assert learned["tuned"]
    assert (state["tables"], state["used"]) == (["club"], "club")
    assert taught.table is not None
    assert taught.table.head is not None
    client.post("/teach/do", {"what": "as-shipped"})
    assert taught.table is None
    assert client.post("/teach/use", {"name": "club"}).json["used"] == "club"
    state = client.post("/teach/forget", {"name": "club"}).json
    assert (state["tables"], state["used"]) == ([], None)


@pytest.mark.parametrize(
    ("send", "status", "says"),
    [
        (lambda c: c.post("/teach/learn", {"name": "club"}), 409, "Show the dice first"),
        (lambda c: c.post("/teach/learn", {"name": "../up"}), 409, "Show the dice first"),
        (lambda c: c.post("/teach/lessons/3"), 409, "No camera shows the table"),
        (lambda c: c.post("/teach/lessons/7"), 404, "faces 1 to 6"),
        (
            lambda c: c.post("/teach/use", {"name": "../../secret"}),
            409,
            "a table's name has letters",
        ),
        (lambda c: c.post("/teach/forget", {"name": "none"}), 409, "No table is kept as 'none'"),
        (lambda c: show(c, lesson(3, dice=2)), 409, "2 dice are seen here"),
        (lambda c: c.post("/teach/do", {"what": "dance"}), 400, "what: "),
    ],
)
def test_what_cannot_be_taught_is_said_in_a_sentence(
    client: Client, send: Callable[[Client], TestResponse], status: int, says: str
) -> None:
    answer = send(client)
    assert answer.status_code == status
    assert says in (answer.json or {})["error"]


def test_tuning_wants_all_faces_and_a_name_that_a_file_can_have(client: Client) -> None:
    show(client, lesson(1))
    missing = client.post("/teach/learn", {"name": "club"})
    assert "missing: 2, 3, 4, 5, 6" in (missing.json or {})["error"]
    name = client.post("/teach/learn", {"name": "../up", "tune": False})
    assert "a table's name has letters" in (name.json or {})["error"]


def test_a_file_that_is_no_photo_is_refused(client: Client) -> None:
    token = client.state()["you"]["csrf"]
    answer = client.client.post(
        "/api/v1/teach/lessons/2",
        data=b"no picture",
        content_type="image/png",
        headers={"X-Lawn": "1", "X-CSRF-Token": token},
    )
    assert answer.status_code == 400
    assert "not a photo" in (answer.json or {})["error"]


def test_a_reader_that_cannot_be_taught_says_so(companion: Companion) -> None:
    answer = create_app(companion).test_client().get("/teach")
    assert answer.status_code == 404
    assert "cannot be taught" in answer.text


def test_dice_are_shown_and_learned_on_the_page(
    page: webdriver.Chrome, app: Flask, companion: Companion, tmp_path: Path
) -> None:
    server = TableServer(app, companion.table, listen("127.0.0.1", 0))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        page.get(f"{server.address}teach")
        soon(page, lambda: one(page, "#no-camera").is_displayed())
        for shown in lessons(ODD):
            photo = tmp_path / f"{shown.face}.png"
            photo.write_bytes(png(shown))
            css = f'.lesson[data-face="{shown.face}"]'
            one(page, f"{css} .photo").send_keys(str(photo))
            soon(page, lambda css=css: "of 9 read as" in text(page, f"{css} .mark"))
        assert faults(page, "light") == []
        one(page, "#name").send_keys("club")
        one(page, "#learn").click()
        soon(page, lambda: "kept." in text(page, "#learned"))
        assert "club (in use)" in text(page, "#kept")
        assert console(page) == []
    finally:
        server.stop()
        thread.join()
