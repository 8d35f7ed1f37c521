"""The sample that `lawn demo` shows, read by the shipped reader, on the page in a real browser.

LAWN_SCREENSHOTS=docs/images python -m pytest tests/webui/test_demo_page.py
writes docs/images/demo.png, the picture of the page before a photo.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest
from selenium import webdriver

from engine.game_steps import Started
from engine.match import STANDARD_THRESHOLD
from engine.options import Options
from tests.webui.companions import companion_of
from tests.webui.conftest import console
from tests.webui.pages import every, one, resize, soon, text
from tests.webui.tables import FedSource, die, picture, reading
from vision.reader import TableReader
from vision.scoring import TableScore, score_reading
from vision.sources import open_source
from webui.demo_command import COLOURS, FILM, NAMES
from webui.live import LiveTable
from webui.review_page import review_of
from webui.server import TableServer
from webui.words import who_starts

SAMPLES = Path(str(files("webui") / "samples"))


@pytest.fixture(scope="module")
def truth() -> TableScore:
    """The scores of the dice that were drawn into the sample."""
    dice = json.loads((SAMPLES / "demo-table.json").read_text("utf-8"))["dice"]
    return score_reading(reading([die(each["face"], each["colour"]) for each in dice]))


def test_the_sample_is_a_whole_big_roll_of_three(truth: TableScore) -> None:
    # Rules 1:1.A and 3:1.A: three colours, eight dice each.
    assert [group.count for group in truth.groups] == [8, 8, 8]
    assert any(group.roll is not None and group.roll.bonuses for group in truth.groups)


def test_the_page_shows_the_scores_of_the_samples_truth(
    page: webdriver.Chrome,
    serve_table: Callable[..., TableServer],
    truth: TableScore,
    screenshots: Path,
) -> None:
    with (
        open_source(str(SAMPLES / "demo-table.jpg")) as source,
        LiveTable(source, TableReader()) as table,
    ):
        page.get(f"{serve_table(table).address}live")
        soon(page, lambda: every(page, ".overlay"))
        resize(page, 1280, 780)
        page.save_screenshot(str(screenshots / "demo.png"))
        assert (screenshots / "demo.png").stat().st_size > 50_000

        assert text(page, "#alarm") == ""
        assert len(every(page, ".box")) == 24
        assert len(every(page, ".card")) == 3
        for group in truth.groups:
            assert group.roll is not None
            card = f".card[data-colour={group.colour}]"
            dice = [each.get_attribute("aria-label") for each in every(page, f"{card} .dice .die")]
            assert [str(label)[:1] for label in dice] == [str(face) for face in group.faces]
            assert text(page, f"{card} .sums li:first-child .points") == str(group.roll.base)
            assert text(page, f"{card} .total").split()[-1] == str(group.roll.total)
            shown = [
                row.get_attribute("data-category") for row in every(page, f"{card} .bonus-line")
            ]
            assert shown == [bonus.category for bonus in group.roll.bonuses]
            points = [row.text for row in every(page, f"{card} .bonus-line .points")]
            assert points == [f"+{bonus.points}" for bonus in group.roll.bonuses]
        assert text(page, "#order") == " ".join(who_starts(truth))
        assert console(page) == []


def test_at_the_end_of_a_recording_its_end_and_its_review_are_said(
    page: webdriver.Chrome,
    serve_table: Callable[..., TableServer],
    table: LiveTable,
    source: FedSource,
    tmp_path: Path,
) -> None:
    companion = companion_of(table, tmp_path, source=source)
    source.name = FILM
    companion.begin(Started(COLOURS, NAMES, Options(), STANDARD_THRESHOLD))
    source.feed(picture())
    page.get(f"{serve_table(companion).address}live")
    soon(page, lambda: text(page, "#prompt") == "Anna rolls all eight dice: the Big Roll.")
    assert not one(page, "#recording").is_displayed()
    source.state = "ended"
    soon(page, lambda: text(page, "#prompt") == "The recording is over.")
    one(page, "#recording a").click()
    soon(page, lambda: page.current_url.endswith("/review/demo/"))
    companion.room.leave()


def test_only_a_film_with_a_finished_review_has_the_address_of_one(tmp_path: Path) -> None:
    assert review_of(FILM, tmp_path) == "/review/demo/"
    assert review_of("evening.mp4", tmp_path) == ""
