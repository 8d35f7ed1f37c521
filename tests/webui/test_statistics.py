"""The statistics page and its charts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from engine.luck import BigRollLuck
from tests.webui.shelves import DAY_S, NOW_S, pages_app, shelve
from webui.charts import (
    HEIGHT,
    LABEL_GAP,
    WIDTH,
    against,
    face_chart,
    line_chart,
    round_ticks,
    spread_out,
)
from webui.paints import paint
from webui.statistics_page import lucky


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> FlaskClient:
    folder = tmp_path_factory.mktemp("statistics")
    for day in range(3):
        people = {"red": "Anna", "blue": "<Ben>"} if day else {"blue": "Anna", "green": ""}
        shelve(folder, f"m{day}", seed=day, people=people, threshold=80, at_s=NOW_S + day * DAY_S)
    return pages_app(folder).test_client()


def test_the_page_tells_what_the_api_counts(client: FlaskClient) -> None:
    told = client.get("/api/v1/statistics").get_json()
    assert told["matches"] == 3
    assert {each["name"] for each in told["players"]} == {"Anna", "<Ben>", "green"}
    page = client.get("/statistics").text
    assert "&lt;Ben&gt;" in page
    assert "<Ben>" not in page
    for each in told["fairness"]:
        for count in each["counts"]:
            assert f">{count}</text>" in page
    anna = next(each for each in told["players"] if each["name"] == "Anna")
    assert f"{anna['won']} of 3" in page
    assert f"{anna['points'] / anna['rounds']:.1f}" in page
    assert page.count('class="line style-') == 3
    # A line has the colour of the dice that its player had last, beside dashes of its own.
    for name, colour in (("Anna", "red"), ("&lt;Ben&gt;", "blue"), ("Green", "green")):
        (line,) = (
            each
            for each in re.findall(r'<g class="line.*?</g>', page, re.DOTALL)
            if f">{name}</text>" in each
        )
        assert f'stroke="{paint(colour)[0]}"' in line


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_single_match_and_none_at_all_are_no_trouble(tmp_path: Path, language: str) -> None:
    client = pages_app(tmp_path).test_client()
    german = {"Accept-Language": language}
    assert 'href="/new"' in client.get("/statistics", headers=german).text
    shelve(tmp_path, "one", part=0.02)
    assert client.get("/statistics", headers=german).status_code == 200
    shelve(tmp_path, "two", part=0.4)
    assert client.get("/statistics", headers=german).status_code == 200


def test_luck_has_a_word_for_every_chance() -> None:
    words = [
        lucky(BigRollLuck(10, 0, 0.0, 0, 0.0, chance))
        for chance in (0.0, 0.02, 0.1, 0.5, 0.79, 0.9, 0.99, 1.0)
    ]
    assert (
        words
        == ["very-lucky", "very-lucky", "lucky", "usual", "usual", "unlucky"] + ["very-unlucky"] * 2
    )
    assert lucky(BigRollLuck(1, 0, 0.0, 0, 0.0, 0.001)) == "few"


@given(st.floats(-1e6, 1e6), st.floats(0, 1e6))
def test_ticks_are_round_and_enclose_what_is_drawn(low: float, span: float) -> None:
    ticks = round_ticks(low, low + span)
    unseen = 1e-6 * max(1, abs(low), span)  # a millionth of the axis
    assert ticks[0] <= low + unseen
    assert ticks[-1] >= low + span - unseen
    assert 2 <= len(ticks) <= 12
    assert all(tick.is_integer() for tick in ticks), "labels are whole numbers"
    assert round_ticks(40.2, 68.9) == [40, 50, 60, 70]
    assert round_ticks(32, 41) == [30, 35, 40, 45]


@given(st.lists(st.floats(0, 300), max_size=8))
def test_names_at_lines_never_lie_on_each_other(places: list[float]) -> None:
    moved = spread_out(places, LABEL_GAP)
    for above, below in zip(sorted(moved), sorted(moved)[1:], strict=False):
        assert below - above >= LABEL_GAP - 0.11
    order = sorted(range(len(places)), key=lambda at: places[at])
    assert [moved[at] for at in order] == sorted(moved)


def test_lines_stay_inside_the_drawing_and_a_single_point_has_a_place() -> None:
    chart = line_chart([("a", [(0, 50), (10, 60)]), ("b", [(5, 41)]), ("c", [])])
    assert chart is not None
    assert [line.label for line in chart.lines] == ["a", "b"]
    for line in chart.lines:
        for x, y in line.points:
            assert chart.left <= x <= chart.right <= WIDTH
            assert chart.top <= y <= chart.bottom <= HEIGHT
        assert re.fullmatch(r"M[\d. ]+(L[\d. ]+)*", line.path)
    assert line_chart([("a", [(1, 1)])]) is not None
    assert line_chart([("a", [])]) is None


def test_bars_and_shares_are_to_scale() -> None:
    chart = face_chart((0, 10, 20, 30, 0, 0), 10.0)
    heights = [bar.height for bar in chart.bars]
    assert heights[2] == pytest.approx(2 * heights[1], abs=0.2)
    assert heights[0] == 0
    assert chart.even_y == pytest.approx(chart.bars[1].y, abs=0.11)
    row = against(0.1, (0.05, 0.2), 0.12, 0.2)
    assert (row.share, row.low, row.high, row.expected) == (150, 75, 300, 180)
