"""A phone's browser is the camera: over HTTPS, with its key, and nobody else's pictures are taken."""

from __future__ import annotations

import http.client
import shutil
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import cv2
import numpy as np
import pytest
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

from tests.webui.conftest import CHROMIUM, FLAGS
from tests.webui.tables import until
from vision.pushed_source import PushedSource
from webui.phone_server import MOST_OF_ONE, PhoneServer
from webui.server import listen

PICTURE = cv2.imencode(".jpg", np.full((48, 64, 3), 120, np.uint8))[1].tobytes()


@pytest.fixture
def phone(tmp_path: Path) -> Iterator[PhoneServer]:
    with (
        PushedSource("the phone") as source,
        PhoneServer(source, listen("127.0.0.1", 0), "127.0.0.1", "127.0.0.1", tmp_path) as server,
    ):
        yield server


def ask(
    phone: PhoneServer,
    method: str,
    path: str,
    body: bytes = b"",
    kind: str = "image/jpeg",
    host: str | None = None,
) -> tuple[int, str, dict[str, str]]:
    context = ssl.create_default_context(cafile=None)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    parts = urlsplit(phone.url)
    link = http.client.HTTPSConnection(str(parts.hostname), parts.port, timeout=10, context=context)
    headers = {"Content-Type": kind, **({"Host": host} if host else {})}
    try:
        link.request(method, path.replace("KEY", parts.query), body, headers)
        answer = link.getresponse()
        return answer.status, answer.read().decode(), dict(answer.getheaders())
    finally:
        link.close()


def test_a_picture_with_the_key_is_taken(phone: PhoneServer) -> None:
    assert ask(phone, "POST", "/picture?KEY", PICTURE)[0] == 204
    newest = phone.source.newest()
    assert newest is not None
    assert newest.image.shape == (48, 64, 3)


@pytest.mark.parametrize(
    ("method", "path", "body", "kind", "status", "says"),
    [
        ("GET", "/", b"", "", 403, "not complete"),  # no key
        ("POST", "/picture?key=guess", PICTURE, "image/jpeg", 403, "not complete"),
        ("POST", "/picture?KEY", b"no picture", "image/jpeg", 400, "no picture that can be used"),
        ("POST", "/picture?KEY", PICTURE, "text/plain", 415, "as JPEG"),
        ("POST", "/picture?KEY", b"x" * 8_000_001, "image/jpeg", 413, "too large"),
    ],
)
def test_what_is_not_wanted_is_refused_in_a_sentence(
    phone: PhoneServer, method: str, path: str, body: bytes, kind: str, status: int, says: str
) -> None:
    got, text, _ = ask(phone, method, path, body, kind)
    assert (got, says in text) == (status, True)
    assert phone.source.newest() is None


def test_a_page_elsewhere_cannot_lead_its_own_name_here(phone: PhoneServer) -> None:
    assert ask(phone, "GET", "/?KEY", host="evil.example")[0] == 403
    status, _, headers = ask(phone, "GET", "/?KEY")
    assert status == 200
    assert headers["Permissions-Policy"].startswith("camera=(self)")


def test_a_device_that_connects_and_says_nothing_keeps_nobody_out(phone: PhoneServer) -> None:
    parts = urlsplit(phone.url)
    with socket.create_connection((str(parts.hostname), parts.port)):
        assert ask(phone, "GET", "/?KEY")[0] == 200
        phone.close()  # and the server ends while it is there


def test_one_device_holds_only_some_connections_and_gets_its_places_back(
    phone: PhoneServer,
) -> None:
    parts = urlsplit(phone.url)
    before = threading.active_count()
    with ExitStack() as held:
        silent = [
            held.enter_context(socket.create_connection((str(parts.hostname), parts.port), 10))
            for _ in range(3 * MOST_OF_ONE)
        ]
        assert silent[-1].recv(1) == b"", "one too many is closed"
        assert threading.active_count() - before <= MOST_OF_ONE
    assert until(lambda: threading.active_count() <= before)
    assert ask(phone, "GET", "/?KEY")[0] == 200


def test_the_instructions_hold_the_address_and_explain_the_warning(phone: PhoneServer) -> None:
    said = phone.instructions()
    assert phone.url in said
    assert "warns once" in said
    assert phone.fingerprint[:23] in said
    assert phone.source.status().says.startswith("No phone sends pictures yet; open https://")


@pytest.mark.slow
def test_a_real_browser_sends_what_its_camera_sees(phone: PhoneServer, tmp_path: Path) -> None:
    options = Options()
    options.binary_location = next(filter(None, map(shutil.which, CHROMIUM)))
    for flag in (
        *FLAGS,
        f"--user-data-dir={tmp_path / 'profile'}",
        "--ignore-certificate-errors",
        "--use-fake-device-for-media-stream",
        "--use-fake-ui-for-media-stream",
        "--window-size=400,800",
    ):
        options.add_argument(flag)
    browser = webdriver.Chrome(options, Service(shutil.which("chromedriver")))
    try:
        browser.get(phone.url)
        button = browser.find_element(By.ID, "start")
        assert button.size["height"] >= 44
        button.click()
        end = time.monotonic() + 20
        while (frame := phone.source.newest()) is None or frame.index < 2:
            assert time.monotonic() < end, browser.find_element(By.ID, "says").text
            time.sleep(0.05)
        assert max(frame.image.shape[:2]) <= 1280
        assert frame.image.std() > 5, "the made-up camera shows a moving picture"
        assert "being watched" in browser.find_element(By.ID, "says").text
    finally:
        browser.quit()
