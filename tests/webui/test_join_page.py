"""The page by which other devices join, in a real browser: code, PIN, and what a viewer may do afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.keys import Keys

from tests.webui.axe import faults
from tests.webui.companions import by_hand
from tests.webui.conftest import console
from tests.webui.pages import every, one, resize, soon, text
from tests.webui.test_server import Serve
from webui.access import Access
from webui.companion import Companion


@pytest.fixture
def companion(tmp_path: Path) -> Iterator[Companion]:
    made = by_hand(tmp_path)[1]
    made.access = Access(lan=True, pin="123456")
    yield made
    made.close()


def test_the_host_sees_the_code_and_the_pin(
    page: webdriver.Chrome, companion: Companion, serve_table: Serve, screenshots: Path
) -> None:
    page.get(f"{serve_table(companion).address}join")
    soon(page, lambda: one(page, ".code").get_property("naturalWidth"))
    assert text(page, ".pin") == "123456"
    assert not every(page, "form")
    page.save_screenshot(str(screenshots / "join.png"))
    for theme in ("light", "dark"):
        assert faults(page, theme) == []
    resize(page, 320)
    assert page.execute_script("return document.documentElement.scrollWidth") <= 320
    assert console(page) == []


def test_a_viewer_gives_the_pin_and_controls(
    page: webdriver.Chrome,
    companion: Companion,
    serve_table: Serve,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # The browser of the tests runs on this machine; let it be taken for one elsewhere.
    monkeypatch.setattr(companion.access, "is_host", lambda _: False)
    address = serve_table(companion).address
    page.get(f"{address}join")
    field = one(page, "#pin")
    assert one(page, "form button").size["height"] >= 44
    assert faults(page, "light") == []
    field.send_keys("111111", Keys.ENTER)
    soon(page, lambda: text(page, "#says").startswith("This is not the PIN"))
    field.send_keys("123456", Keys.ENTER)
    soon(page, lambda: page.current_url == f"{address}live")
    assert page.execute_script("return document.cookie") == "", "no script can read the key"
    page.get(f"{address}join")
    assert text(page, "#control ~ p") == "This browser may control the match."
