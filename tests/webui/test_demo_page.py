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

from tests.webui.conftest import console
from tests.webui.pages import every, resize, soon, text
from tests.webui.tables import die, reading
from vision.reader import TableReader
from vision.scoring import TableScore, score_reading
from vision.sources import open_source
from webui.live import LiveTable
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
