"""Cameras on the page: the list, previews, the choice, and the check of table and light."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask import Flask

from tests.webui.companions import Client, by_hand, companion_of
from tests.webui.tables import FedSource, ToldReader, big_rolls, picture, until
from tests.webui.test_followed_match import FedEyes, MockViewer
from vision.cameras import Camera
from vision.frames import Source, SourceError
from vision.pushed_source import PushedSource
from webui.answers import answers
from webui.camera_api import Previews, camera_routes
from webui.companion import Companion
from webui.guard import guard_changes
from webui.live import LiveTable
from webui.table_page import table_routes

CAMERAS = [Camera(0, "Laptop"), Camera(2, "C920", path="/dev/nothing-of-the-kind")]


def client_with(companion: Companion, cameras: Sequence[Camera] = CAMERAS) -> Client:
    """A client of the routes of cameras alone, on a machine with these cameras."""
    app = Flask(__name__)
    guard_changes(app, companion.access)
    answers(app)
    app.register_blueprint(table_routes(companion))
    app.register_blueprint(camera_routes(companion, lambda: cameras))
    return Client(app.test_client())


@pytest.fixture
def companion(table: LiveTable, source: FedSource, reader: ToldReader, tmp_path: Path) -> Companion:
    reader.answer = big_rolls({"red": (1, 2, 3, 4, 5, 6, 6, 6), "blue": (1, 1, 2)})
    source.feed(picture())
    assert until(lambda: table.state.data["current"])
    return companion_of(table, tmp_path, source=source)


def test_cameras_are_listed_with_what_stands_in_the_way(companion: Companion) -> None:
    assert client_with(companion).get("/cameras").json == {
        "cameras": [
            {"spec": "0", "name": "Laptop", "used": True, "says": ""},
            {
                "spec": "2",
                "name": "C920",
                "used": False,
                "says": "Camera C920 is not plugged in; plug it in again.",
            },
        ],
        "others": ["phone", "none"],
    }


def test_the_camera_in_use_is_previewed_from_its_newest_picture(companion: Companion) -> None:
    answer = client_with(companion).get("/cameras/0/preview.jpg")
    assert answer.mimetype == "image/jpeg"
    small = cv2.imdecode(np.frombuffer(answer.data, np.uint8), cv2.IMREAD_COLOR)
    assert small is not None
    assert small.shape == (270, 480, 3)


def test_another_camera_is_opened_shortly_and_let_go(companion: Companion) -> None:
    opened: list[FedSource] = []

    def open_live(_: str) -> Source:
        opened.append(FedSource())
        opened[-1].feed(picture(90, 320, 240))
        return opened[-1]

    companion.opener.open_live = open_live
    client = client_with(companion)
    assert client.get("/cameras/2/preview.jpg").mimetype == "image/jpeg"
    assert until(opened[0]._closing.is_set)
    client.get("/cameras/2/preview.jpg")
    assert len(opened) == 1, "the picture is kept for a moment"
    assert client.get("/cameras/9/preview.jpg").status_code == 404
    assert len(opened) == 1


def test_a_camera_without_a_picture_says_why(companion: Companion) -> None:
    client = client_with(companion)
    answer = client.get("/cameras/2/preview.jpg")
    assert answer.status_code == 404
    assert answer.json == {"error": "2: there is no such camera."}


def test_a_preview_never_waits_long_for_a_camera_that_hangs() -> None:
    hanging = [FedSource(), FedSource()]
    for each in hanging:
        each.state = "lost"
    previews = Previews(lambda number: hanging[int(number)], wait_s=0.2)
    began = time.monotonic()
    others = threading.Thread(target=lambda: _refused(previews, "0"))
    others.start()
    assert "gives no picture" in _refused(previews, "1")
    others.join()
    assert time.monotonic() - began < 2


def _refused(previews: Previews, number: str) -> str:
    with pytest.raises(SourceError) as error:
        previews.of(number)
    return str(error.value)


def test_a_phone_is_chosen_as_the_camera_and_its_code_is_shown(companion: Companion) -> None:
    class Phone:
        source = PushedSource("the phone", "Open it on the phone.")
        url = "https://192.168.1.7:5001/?key=secret"
        fingerprint = "AB:CD"
        closed = False

        def instructions(self) -> str:
            return ""

        def close(self) -> None:
            type(self).closed = True

    companion.opener._open_phone = Phone
    client = client_with(companion)
    assert client.get("/camera/phone.svg").status_code == 404
    camera = (client.post("/camera", {"spec": "phone"}).json or {})["camera"]
    assert camera["phone"] == {
        "url": Phone.url,
        "fingerprint": "AB:CD",
        "qr": "/api/v1/camera/phone.svg",
    }
    assert client.get("/camera/phone.svg").mimetype == "image/svg+xml"
    assert until(lambda: companion.table.state.data["source"]["says"] == "Open it on the phone.")
    assert client.post("/camera", {"spec": "none"}).status_code == 200
    assert until(lambda: Phone.closed)


@pytest.mark.parametrize("spec", ["/etc/passwd", "table.mp4", "../x", "camera:x", "~", " "])
def test_no_file_is_opened_from_the_page(companion: Companion, spec: str) -> None:
    answer = client_with(companion).post("/camera", {"spec": spec})
    assert answer.status_code in (400, 409)
    assert companion.chosen.spec == "0"


def test_the_check_says_what_is_good_and_what_to_mend(companion: Companion) -> None:
    told = client_with(companion).get("/check").json or {}
    assert told["source"] == "camera 0"
    checks = {each["check"]: each for each in told["checks"]}
    assert {"camera", "light", "sharpness", "dice", "mat"} <= set(checks)
    assert checks["mat"]["says"].startswith("No mat is found: lay a printed one")
    assert checks["dice"]["dice"] == 11
    assert [(each["colour"], each["count"]) for each in told["colours"]] == [
        ("red", 8),
        ("blue", 3),
    ]


def test_every_colour_is_shown_by_a_picture_of_its_die(companion: Companion) -> None:
    client = client_with(companion)
    for colour in (client.get("/check").json or {})["colours"]:
        answer = client.client.get(colour["picture"])
        assert (answer.status_code, answer.mimetype) == (200, "image/jpeg")
    assert client.get("/check/colours/green.jpg").status_code == 404


def test_without_a_camera_the_check_says_so(tmp_path: Path) -> None:
    _, companion = by_hand(tmp_path)
    told = client_with(companion).get("/check").json or {}
    assert told["usable"] is False
    assert "by hand" in told["checks"][0]["says"]
    companion.close()


def test_a_source_that_is_switched_twice_at_once_is_let_go_once(source: FedSource) -> None:
    eyes: Any = FedEyes(MockViewer([]), None)
    table = LiveTable(source, eyes)
    gone: list[str] = []

    def noted(name: str) -> Callable[[], None]:
        return lambda: gone.append(name)

    table.switch(FedSource(), eyes, noted("first"))
    table.switch(FedSource(), eyes, noted("second"))
    with table:
        assert until(lambda: len(gone) == 2)
    assert gone == ["first", "second"]
