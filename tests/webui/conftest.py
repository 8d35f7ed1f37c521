"""A live table fed by the test, a real server for it, and a real headless Chromium."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

from tests.webui.companions import app_of, by_hand
from tests.webui.pages import Found, one, soon
from tests.webui.playing import shown
from tests.webui.tables import FedSource, ToldReader
from webui.companion import Companion
from webui.live import LiveTable
from webui.server import TableServer, listen

CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "chrome")
# Quiet, without a network of its own, and startable by root, as CI machines run it.
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
)


@pytest.fixture
def source() -> Iterator[FedSource]:
    with FedSource() as fed:
        yield fed


@pytest.fixture
def reader() -> ToldReader:
    return ToldReader()


@pytest.fixture
def table(source: FedSource, reader: ToldReader) -> Iterator[LiveTable]:
    """A running live table whose versions start at 1."""
    with LiveTable(source, reader, first_version=0) as live:
        yield live
        source.close()  # wakes the table, which would else look for pictures a little longer


@pytest.fixture
def serve_table() -> Iterator[Callable[..., TableServer]]:
    """Start a real server for a table, or for a whole companion, on any free port or the given one; all
    end with the test."""
    running: list[tuple[TableServer, threading.Thread]] = []

    def start(shown: LiveTable | Companion, port: int = 0) -> TableServer:
        table = shown.table if isinstance(shown, Companion) else shown
        server = TableServer(app_of(shown), table, listen("127.0.0.1", port))
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        running.append((server, thread))
        return server

    yield start
    for server, thread in running:
        server.stop()
        assert server.ended.wait(10), "the server does not end"
        thread.join()


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    """One Chromium for all page tests; it keeps what the console says."""
    browser = next(filter(None, map(shutil.which, CHROMIUM)), None)
    driver = shutil.which("chromedriver")
    if browser is None or driver is None:
        pytest.fail(
            "Page tests need Chromium and its driver; install the packages chromium and "
            "chromium-driver (Debian), or put chromium and chromedriver on the PATH."
        )
    options = Options()
    options.binary_location = browser
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('chromium')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    page = webdriver.Chrome(options=options, service=Service(driver))
    page._web_element_cls = Found  # Selenium's own place for a class of elements
    try:
        yield page
    finally:
        page.quit()


@pytest.fixture
def page(chromium: webdriver.Chrome) -> Iterator[webdriver.Chrome]:
    """The browser with an empty page and console, 1280 x 800."""
    chromium.set_window_size(1280, 800)
    chromium.get("about:blank")
    console(chromium)
    yield chromium
    chromium.get("about:blank")
    chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {})


def console(page: webdriver.Chrome) -> list[str]:
    """What the browser's console said since it was last asked."""
    return [entry["message"] for entry in page.get_log("browser")]  # type: ignore[no-untyped-call]


@pytest.fixture
def screenshots(tmp_path: Path) -> Path:
    """Where page tests leave their screenshots: LAWN_SCREENSHOTS, else the test's own folder."""
    folder = Path(os.environ.get("LAWN_SCREENSHOTS") or tmp_path)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture
def hand_played(tmp_path: Path, serve_table: Callable[..., TableServer]) -> str:
    """The address of a server without a camera, whose matches are kept in the test's own folder."""
    _, companion = by_hand(tmp_path)
    return serve_table(companion).address


@pytest.fixture
def begin(page: webdriver.Chrome, hand_played: str) -> Callable[..., None]:
    """Begin a match without a camera on the New Match page; the live table is shown then."""

    def press(*players: tuple[str, str], threshold: int | None = None) -> None:
        page.get(f"{hand_played}new")
        soon(page, lambda: one(page, "#begin").is_enabled())
        if len(players) == 3:
            one(page, 'input[name="count"][value="3"]').click()
        for seat, (name, colour) in enumerate(players):
            one(page, f"#name-{seat}").send_keys(name)
            one(page, f'input[name="colour-{seat}"][value="{colour}"]').click()
        if threshold is not None:
            one(page, "#threshold").clear()
            one(page, "#threshold").send_keys(str(threshold))
        one(page, "#begin").click()
        soon(page, lambda: page.current_url.endswith("/live") and shown(page))

    return press
