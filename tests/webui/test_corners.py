"""The page where a person drags the lawn's corners, in a real browser, and its API."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from tests.webui.companions import Client, client_of
from tests.webui.conftest import console
from tests.webui.pages import every, one, resize, soon, text
from tests.webui.tables import FedSource, ToldEyes, ToldReader, picture, reading, seen, until
from vision.kept_corners import CornersStore, corners_from
from webui.live import LiveTable
from webui.server import TableServer

CORNERS = [[100.0, 60.0], [400.0, 70.0], [420.0, 300.0], [90.0, 310.0]]
DRAWN = np.array([[200, 40], [350, 40], [350, 340], [200, 340]], np.float64)


def with_a_grid() -> np.ndarray[Any, np.dtype[np.uint8]]:
    """A picture with a drawn grid of 3 x 6 cells of 50 px."""
    image = picture(200)
    for x in range(200, 351, 50):
        cv2.line(image, (x, 40), (x, 340), (30, 30, 30), 2)
    for y in range(40, 341, 50):
        cv2.line(image, (200, y), (350, y), (30, 30, 30), 2)
    return image


def test_a_folder_that_cannot_be_written_to_is_said(table: LiveTable, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    client = client_of(table, CornersStore(tmp_path / "file" / "corners"))
    refused = client.post("/corners", {"width": 480, "height": 360, "corners": CORNERS})
    assert refused.status_code == 409, refused.json
    assert "could not be kept" in (refused.json or {})["error"]


@pytest.fixture
def store(tmp_path: Path) -> CornersStore:
    return CornersStore(tmp_path / "corners")


@pytest.fixture
def client(table: LiveTable, source: FedSource, store: CornersStore) -> Client:
    source.feed(with_a_grid())
    assert until(lambda: table.state.data["picture"] is not None)
    return client_of(table, store)


def test_corners_are_kept_and_given_back(client: Client, store: CornersStore) -> None:
    assert client.get("/corners").json["corners"] is None
    sent = {"width": 640, "height": 360, "corners": CORNERS}
    answer = client.post("/corners", sent)
    assert (answer.status_code, answer.json) == (
        200, {"corners": CORNERS, "mirrored": False, "says": "Kept."}
    )  # fmt: skip
    assert client.get("/corners").json["corners"] == CORNERS
    assert store.load("camera 0") == corners_from(np.array(CORNERS), 640, 360)


def test_corners_that_go_round_the_other_way_are_kept_as_mirrored_and_explained(
    client: Client,
) -> None:
    swapped = [CORNERS[i] for i in (1, 0, 3, 2)]
    answer = client.post("/corners", {"width": 640, "height": 360, "corners": swapped})
    assert answer.json["mirrored"] is True
    assert "as in a mirror" in answer.json["says"]


@pytest.mark.parametrize(
    ("sent", "says"),
    [
        ({"width": 640, "height": 360, "corners": CORNERS[:3]}, "four corners"),
        ({"width": 640, "height": 360}, "four corners"),
        ({"width": 640, "height": 360, "corners": [["a", 1]] * 4}, "four corners"),
        ([], "four corners"),
        ({"width": 640, "height": 360, "corners": [[1, 1]] * 4}, "same point"),
        ({"width": 640, "height": 360, "corners": [*CORNERS[:3], [90, 999]]}, "outside"),
    ],
)
def test_bad_corners_are_refused_in_one_sentence_and_not_kept(
    client: Client, store: CornersStore, sent: Any, says: str
) -> None:
    answer = client.post("/corners", sent)
    assert answer.status_code == 400
    assert says in answer.json["error"]
    assert store.load("camera 0") is None


def test_only_json_is_taken_so_that_no_other_sites_form_gets_in(client: Client) -> None:
    answer = client.client.post("/api/v1/corners", data="{}", content_type="text/plain")
    assert answer.status_code == 415
    strange = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"}
    assert client.post("/corners", headers=strange).status_code == 403


def test_the_grids_lines_are_proposed(client: Client) -> None:
    found = client.get("/corners/proposal").json
    assert found["confidence"] > 0.5
    either = [DRAWN, DRAWN[[2, 3, 0, 1]]]
    off = min(np.abs(np.array(found["corners"]) - each).max() for each in either)
    assert off < 2


@pytest.fixture
def corner_page(
    page: webdriver.Chrome,
    table: LiveTable,
    source: FedSource,
    reader: ToldReader,  # noqa: ARG001
    serve_table: Callable[..., TableServer],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> webdriver.Chrome:
    """The page over a plain picture of which corners are kept, in a user's folder of its own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    mine = CornersStore()
    assert mine.folder.is_relative_to(tmp_path)
    mine.save("camera 0", corners_from(np.array(CORNERS), 640, 360))
    source.feed(picture())
    assert until(lambda: table.state.data["picture"] is not None)
    page.get(f"{serve_table(table).address}corners")
    soon(page, lambda: len(every(page, ".handle")) == 4)
    return page


def where(page: webdriver.Chrome) -> list[list[float]]:
    """The corners as their marks say them."""
    names = [str(mark.get_attribute("aria-label")) for mark in every(page, ".handle")]
    return [[float(part) for part in name.split(": ")[1].split(", ")] for name in names]


def test_a_mark_is_moved_by_the_keyboard(corner_page: webdriver.Chrome) -> None:
    assert where(corner_page) == CORNERS
    mark = every(corner_page, ".handle")[0]
    mark.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_DOWN)
    mark.send_keys(Keys.SHIFT, Keys.ARROW_LEFT)
    assert where(corner_page)[0] == [91, 61]
    assert one(corner_page, "#loupe").is_displayed()
    assert console(corner_page) == []


def test_a_mark_is_dragged_by_the_mouse_and_kept(corner_page: webdriver.Chrome) -> None:
    scale = (
        corner_page.execute_script("return document.querySelector('#stage img').clientWidth") / 640
    )
    drag = ActionChains(corner_page, duration=20)
    drag.click_and_hold(every(corner_page, ".handle")[2]).move_by_offset(50, 20).release().perform()
    moved = where(corner_page)[2]
    assert moved == pytest.approx([420 + 50 / scale, 300 + 20 / scale], abs=1.6)
    one(corner_page, "#keep").click()
    soon(corner_page, lambda: text(corner_page, "#says") == "Kept.")
    kept = CornersStore().load("camera 0")
    assert kept is not None
    assert kept.corners[2] == pytest.approx(moved, abs=1)
    assert console(corner_page) == []


def test_a_mark_is_dragged_by_a_finger(corner_page: webdriver.Chrome) -> None:
    mark = every(corner_page, ".handle")[1].rect
    x, y = mark["x"] + 22, mark["y"] + 22
    shift = corner_page.execute_script("return [scrollX, scrollY]")
    at = {"x": x - shift[0], "y": y - shift[1]}
    for kind, points in (
        ("touchStart", [at]),
        ("touchMove", [{"x": at["x"] + 15, "y": at["y"] + 5}]),
        ("touchMove", [{"x": at["x"] - 40, "y": at["y"] + 30}]),
        ("touchEnd", []),
    ):
        corner_page.execute_cdp_cmd(
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": points}
        )
    scale = (
        corner_page.execute_script("return document.querySelector('#stage img').clientWidth") / 640
    )
    soon(corner_page, lambda: where(corner_page)[1] != CORNERS[1])
    assert where(corner_page)[1] == pytest.approx([400 - 40 / scale, 70 + 30 / scale], abs=1.6)


def test_the_grid_is_drawn_between_the_corners(corner_page: webdriver.Chrome) -> None:
    drawn = str(one(corner_page, "#stage svg .line").get_attribute("d"))
    assert drawn.count("M") == 4 + 7
    first = str(one(corner_page, "#stage svg .first").get_attribute("d"))
    ends = [[float(v) for v in point.split(",")] for point in first[1:].split("L")]
    assert ends == [pytest.approx(corner) for corner in CORNERS[:2]], (
        "row 1 is marked between its two corners"
    )


def test_swapping_sides_is_explained_as_a_mirror_and_ends_are_turned(
    corner_page: webdriver.Chrome,
) -> None:
    one(corner_page, "#turn").click()
    assert where(corner_page) == [CORNERS[i] for i in (2, 3, 0, 1)]
    assert text(corner_page, "#says") == ""
    one(corner_page, "#swap").click()
    assert "as in a mirror" in text(corner_page, "#says")


def test_what_is_refused_is_said_on_the_page(corner_page: webdriver.Chrome) -> None:
    mark = every(corner_page, ".handle")[0]
    for _ in range(40):
        mark.send_keys(Keys.SHIFT, Keys.ARROW_RIGHT)
    one(corner_page, "#keep").click()
    soon(corner_page, lambda: "corners" in text(corner_page, "#says.wrong"))


@pytest.mark.parametrize("width", [320, 1280])
def test_marks_and_buttons_are_large_enough_and_the_page_fits(
    corner_page: webdriver.Chrome, width: int
) -> None:
    resize(corner_page, width)
    soon(corner_page, lambda: one(corner_page, "#stage img").size["width"] <= width)
    assert corner_page.execute_script("return document.documentElement.scrollWidth") <= width
    for target in every(corner_page, "button, main a"):
        assert target.size["height"] >= 44, target.text
        assert target.size["width"] >= 44, target.text


def test_the_marks_begin_at_the_corners_of_the_mat_that_is_found(
    page: webdriver.Chrome,
    source: FedSource,
    serve_table: Callable[..., TableServer],
    tmp_path: Path,
) -> None:
    store = CornersStore(tmp_path / "corners")
    store.save("camera 0", corners_from(np.array(CORNERS), 640, 360))  # of another evening
    found = [[150.0, 50.0], [350.0, 55.0], [360.0, 320.0], [140.0, 310.0]]
    mat = {"found": True, "by": "markers", "corners": found, "error_mm": 0.4}
    with LiveTable(source, ToldEyes(seen(reading(()), mat=mat)), first_version=0) as table:
        source.feed(picture())
        assert until(lambda: table.state.data["mat"]["found"])
        assert client_of(table, store).get("/corners").json["corners"] == found
        page.get(f"{serve_table(table).address}corners")
        soon(page, lambda: text(page, "#says").startswith("These are the corners of the mat"))
        assert where(page) == found
        source.close()


def test_without_a_camera_the_page_says_why_there_is_no_picture(
    page: webdriver.Chrome, hand_played: str
) -> None:
    page.get(f"{hand_played}corners")
    soon(page, lambda: text(page, "#says").startswith("No camera is used"))
