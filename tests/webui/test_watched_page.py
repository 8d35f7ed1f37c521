"""What the page shows of a watched table: hands and motion, the lawn, what is hidden, a bumped camera."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from selenium import webdriver
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from tests.webui.conftest import console
from tests.webui.pages import every, one, resize, soon, text
from tests.webui.tables import FedSource, ToldEyes, die, picture, reading, seen
from tests.webui.test_watched_table import HAND, MAT, MOVING, READING
from webui.eyes import Seen
from webui.live import LiveTable
from webui.server import TableServer

STILL = seen(READING, mat=MAT)
Show = Callable[[Seen], None]


@pytest.fixture
def eyes() -> ToldEyes:
    return ToldEyes(STILL)


@pytest.fixture
def table(source: FedSource, eyes: ToldEyes) -> Iterator[LiveTable]:
    with LiveTable(source, eyes, first_version=0) as live:
        yield live
        source.close()


@pytest.fixture
def show(
    page: webdriver.Chrome,
    table: LiveTable,
    source: FedSource,
    eyes: ToldEyes,
    serve_table: Callable[..., TableServer],
) -> Show:
    """Let the table be seen so, opening the page the first time, and wait until its picture is there."""
    address = f"{serve_table(table).address}live"

    def put(answer: Seen) -> None:
        eyes.answer = answer
        index = source.feed(picture())
        if page.current_url != address:
            page.get(address)
        soon(page, lambda: (table.state.data["picture"] or {}).get("time_s") == index)
        url = table.state.data["picture"]["url"]
        soon(page, lambda: str(one(page, "#frame img").get_attribute("src")).endswith(url))

    return put


def test_a_hand_over_the_table_is_said_and_what_it_touched_is_not_shown_as_lying_there(
    page: webdriver.Chrome, show: Show
) -> None:
    show(STILL)
    assert text(page, "#lying") == "Still."
    assert len(every(page, ".box")) == 8
    assert text(page, "#stale") == ""
    show(MOVING)
    soon(page, lambda: text(page, "#lying") == "A hand is over the table.")
    assert len(every(page, ".box")) == 6
    assert len(every(page, ".hidden polygon")) == 1
    assert text(page, "#stale").startswith("As it lay at ")
    # The picture is of now, so it is not greyed, and the last scores stay.
    assert one(page, "#frame img").value_of_css_property("filter") == "none"
    assert [each.text.split()[-1] for each in every(page, ".total")] == ["54"]
    show(seen(READING, mat=MAT, current=False, lying="moving", says="The dice are moving."))
    soon(page, lambda: text(page, "#lying") == "The dice are moving.")
    show(STILL)
    soon(page, lambda: text(page, "#lying") == "Still.")
    assert text(page, "#stale") == ""
    assert not every(page, ".hidden polygon")
    assert console(page) == []


def test_a_bumped_camera_that_was_found_again_is_shown_and_spoken_for_a_while(
    page: webdriver.Chrome, show: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webui.live.BUMPED_S", 4.0)
    show(STILL)
    notice = one(page, "#moved")
    assert not notice.is_displayed()
    assert notice.get_attribute("aria-live") == "polite"
    show(seen(READING, mat=MAT, bumped=True))
    soon(page, lambda: text(page, "#moved").startswith("The camera was moved; the mat is found"))
    soon(page, lambda: not one(page, "#moved").is_displayed())


def test_a_lost_camera_greys_the_picture_and_takes_all_that_is_drawn_off_it(
    page: webdriver.Chrome, show: Show, source: FedSource
) -> None:
    show(MOVING)
    source.state = "lost"
    soon(page, lambda: text(page, "#alarm").startswith("Camera lost."))
    assert "grayscale" in one(page, "#frame img").value_of_css_property("filter")
    assert not one(page, ".ground").is_displayed()
    assert not one(page, ".overlay").is_displayed()
    assert text(page, "#lying") == ""
    assert text(page, "#stale").startswith("Not current: seen at ")


def test_the_lawns_grid_lies_between_its_corners_and_is_hidden_by_a_button(
    page: webdriver.Chrome, show: Show
) -> None:
    show(STILL)
    path = str(one(page, ".lawn .line").get_attribute("d"))
    lines = [[point.split(",") for point in line.split("L")] for line in path.split("M")[1:]]
    assert len(lines) == 4 + 7  # rules 1:2.A, B: six rows of three places
    ends = {(round(float(x)), round(float(y))) for line in lines for x, y in line}
    assert {tuple(map(round, corner)) for corner in MAT["corners"]} <= ends
    assert [each.text for each in every(page, ".lawn text")][::2] == list("123456")
    button = one(page, "#lawn")
    button.send_keys(Keys.ENTER)
    assert button.get_attribute("aria-pressed") == "false"
    assert not one(page, ".ground").is_displayed()
    assert one(page, ".overlay").is_displayed()
    button.send_keys(Keys.SPACE)
    assert one(page, ".ground").is_displayed()


NUMBERS_COVERED = """
const numbers = [...document.querySelectorAll("#frame circle")].map((e) => e.getBBox());
const labels = [...document.querySelectorAll("#frame .label .plate")].map((e) => e.getBBox());
const along = (a, b, x, width) => Math.min(a[x] + a[width], b[x] + b[width]) - Math.max(a[x], b[x]);
return [numbers.length, labels.length, labels.filter((label) => numbers.some((each) =>
  along(label, each, "x", "width") > 0.5 && along(label, each, "y", "height") > 0.5)).length];
"""


@pytest.mark.parametrize("size", [(1280, 800), (360, 640)], ids=["laptop", "phone"])
def test_words_at_the_dice_cover_no_number_of_a_row(
    page: webdriver.Chrome, show: Show, size: tuple[int, int]
) -> None:
    # White dice on all flanks, in a picture so small that their words are wider than their places.
    left, top, wide, high = 230, 70, 60, 40
    dice = [
        die(row + 1, "white", (x, top + high * row, x + 30, top + high * row + 30))
        for row in range(6)
        for x in (left + 15, left + 2 * wide + 15)
    ]
    corners = [[left, top - 5], [left + 3 * wide, top - 5]]
    corners += [[x, y + 6 * high] for x, y in reversed(corners)]
    resize(page, *size)
    show(seen(reading(dice), mat={**MAT, "corners": corners}))
    soon(page, lambda: every(page, "#frame circle"))
    assert page.execute_script(NUMBERS_COVERED) == [12, 12, 0]


def test_what_is_hidden_is_hatched_where_it_is(page: webdriver.Chrome, show: Show) -> None:
    show(MOVING)
    points = str(one(page, ".hidden polygon").get_attribute("points")).split()
    assert [[float(v) for v in point.split(",")] for point in points] == HAND.tolist()


def test_without_a_mat_and_hidden_regions_there_is_no_lawn_to_hide(
    page: webdriver.Chrome, show: Show
) -> None:
    show(seen(READING))
    assert not one(page, "#lawn").is_displayed()
    assert not every(page, ".lawn")


@pytest.mark.parametrize("width", [320, 800])
def test_all_that_is_said_fits_narrow_pages(page: webdriver.Chrome, show: Show, width: int) -> None:
    resize(page, width)
    show(MOVING)
    soon(page, lambda: one(page, "#lawn").is_displayed())
    assert page.execute_script("return document.documentElement.scrollWidth") <= width
    for button in filter(WebElement.is_displayed, every(page, "button")):
        assert button.size["height"] >= 44, button.text
