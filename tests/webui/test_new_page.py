"""New Match with a camera: what it shows, whether the table can be read, and whose colours lie there."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from selenium import webdriver

import webui.app
from tests.webui.companions import by_hand, companion_of
from tests.webui.conftest import console
from tests.webui.pages import every, one, resize, soon, text
from tests.webui.tables import FedSource, ToldReader, big_rolls, picture
from vision.cameras import Camera
from vision.frames import Source, SourceError
from webui.camera_api import camera_routes
from webui.companion import Companion
from webui.live import LiveTable
from webui.no_camera import NoCamera
from webui.server import TableServer

EIGHT = (1, 2, 3, 4, 5, 6, 6, 6)
CAMERAS = (Camera(0, "HD Webcam"), Camera(1, "Phone Link"))


@pytest.fixture
def companion(
    table: LiveTable, source: FedSource, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Companion:
    """Two cameras are plugged in; the first is used, the second gives no picture."""

    def open_live(spec: str) -> Source:
        if spec == "none":
            return NoCamera()
        raise SourceError(f"Camera {spec} gives no picture; check its cable.")

    monkeypatch.setattr(webui.app, "camera_routes", partial(camera_routes, cameras=lambda: CAMERAS))
    return companion_of(table, tmp_path, source=source, open_live=open_live)


@pytest.fixture
def opened(
    page: webdriver.Chrome,
    companion: Companion,
    source: FedSource,
    reader: ToldReader,
    serve_table: Callable[..., TableServer],
) -> webdriver.Chrome:
    """The page while orange, purple and white dice lie before the camera."""
    reader.answer = big_rolls({"orange": EIGHT, "purple": EIGHT, "white": (1, 2, 3, 4, 5, 6)})
    source.feed(picture())
    page.get(f"{serve_table(companion).address}new")
    soon(page, lambda: len(every(page, ".colours-seen li")) == 3)
    return page


def test_the_colours_before_the_camera_are_shown_and_taken_for_the_players(
    opened: webdriver.Chrome,
) -> None:
    seen = [each.text for each in every(opened, ".colours-seen li")]
    assert seen == ["8 orange dice", "8 purple dice", "6 white dice"]
    loaded = "return [...document.querySelectorAll('.colours-seen img')].every((e) => e.naturalWidth > 0)"
    soon(opened, lambda: opened.execute_script(loaded))
    chosen = [each.get_attribute("value") for each in every(opened, '[name^="colour-"]:checked')]
    assert chosen[:2] == ["orange", "purple"]
    assert text(opened, "#equipment").startswith(
        "Needed: eight orange dice and eight purple dice, and six white dice"
    )
    assert len(every(opened, ".swatch-choice.noticed")) == 2 * 3
    assert len(every(opened, "#frame .box")) == 22
    # A preview that has no picture within its time, as on a busy machine, is left out and tried again.
    assert [line for line in console(opened) if "/preview.jpg" not in line] == []


def test_mat_light_and_sharpness_are_looked_over_each_with_what_to_do(
    opened: webdriver.Chrome,
) -> None:
    soon(opened, lambda: len(every(opened, ".check")) >= 3)
    rows = every(opened, ".check")
    marks = every(opened, ".check .level")
    levels = {
        row.text.split(":")[0].split()[-1]: mark.get_attribute("aria-label")
        for row, mark in zip(rows, marks, strict=True)
    }
    assert levels["Light"] == "good"
    assert levels["Mat"] == "could be better"
    assert all(row.text.endswith(".") for row in rows)  # a sentence each
    assert one(opened, "#again").is_enabled()


def test_a_camera_that_cannot_be_used_says_why_and_the_old_one_stays(
    opened: webdriver.Chrome,
) -> None:
    names = [each.text for each in every(opened, ".camera strong")]
    assert names == ["HD Webcam", "Phone Link", "A phone", "No camera"]
    one(opened, '.camera input[value="1"]').click()
    soon(opened, lambda: "Camera 1 gives no picture; check its cable." in text(opened, "#problems"))
    soon(opened, lambda: one(opened, '.camera input[value="0"]').is_selected())


def test_without_a_camera_the_dice_are_typed(opened: webdriver.Chrome) -> None:
    one(opened, '.camera input[value="none"]').click()
    soon(opened, lambda: not one(opened, "#check").is_displayed())
    one(opened, "#begin").click()
    soon(opened, lambda: opened.current_url.endswith("/live"))
    soon(opened, lambda: text(opened, "#prompt") == "Orange rolls all eight dice: the Big Roll.")
    assert every(opened, "#pad .face")[0].is_displayed()
    assert not one(opened, "#seen").is_displayed()


def test_without_a_camera_by_choice_none_is_missed_and_the_button_hides_no_player(
    page: webdriver.Chrome,
    serve_table: Callable[..., TableServer],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(webui.app, "camera_routes", partial(camera_routes, cameras=lambda: ()))
    _, companion = by_hand(tmp_path)
    resize(page, 1280, 757)
    page.get(f"{serve_table(companion).address}new")
    soon(page, lambda: one(page, "#begin").is_enabled())
    soon(page, lambda: every(page, "#cameras .note"))
    assert text(page, "#cameras .note").startswith("No camera is used, as was chosen")
    left = page.execute_script("return document.querySelector('.begin').getBoundingClientRect().x")
    players = one(page, ".who").rect
    assert left >= players["x"] + players["width"]
