"""Names as people have them and as they try them out: long, of any script, with emoji, or like a page's own text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver

from engine.record import Record
from tests.webui.companions import Client, by_hand, client_of
from tests.webui.conftest import console
from tests.webui.pages import every, resize, soon, text
from tests.webui.playing import shown
from webui.matches_api import LONGEST_NAME
from webui.server import TableServer

LONG = ("W" * LONGEST_NAME, "Wmmm" * (LONGEST_NAME // 4), "W i " * (LONGEST_NAME // 4))
STICKS_OUT = """
const found = [];
const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (texts.nextNode()) {
  const within = texts.currentNode.parentElement;
  if (!/WWWW|Wmmm/.test(texts.currentNode.textContent) || !within.checkVisibility()) continue;
  if (within.closest(".quiet, .scroll, script, option")) continue;
  const right = within.closest("section, li, h1, .panel, .bar, main").getBoundingClientRect().right;
  const range = document.createRange();
  range.selectNodeContents(within);
  if ([...range.getClientRects()].some((each) => each.right > Math.min(right, innerWidth) + 1)) {
    found.push(within.outerHTML.slice(0, 120));
  }
}
return [document.documentElement.scrollWidth - innerWidth, found];
"""
SIZES = ((360, 640), (768, 1024), (1366, 768))


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    _, companion = by_hand(tmp_path)
    client = client_of(companion)
    client.client.application.config["companion"] = companion
    yield client
    companion.close()


def begun(client: Client, *names: str) -> str:
    """Begin a match of players with those names, who have rolled; its id."""
    colours = ("red", "blue", "green")
    players = [{"name": n, "colour": c} for n, c in zip(names, colours, strict=False)]
    answer = client.post("/matches", {"players": players})
    assert answer.status_code == 201, answer.json
    rolls = ("rolled 1 2 3 4 5 6 6 6", "rolled 1 1 2 2 3 3 4 5", "rolled 2 2 2 3 3 4 5 5")
    client.play(*rolls[: len(names)])
    return str((answer.json or {})["id"])


def test_names_of_forty_letters_without_a_space_stay_within_every_page(
    page: webdriver.Chrome, client: Client, serve_table: Callable[..., TableServer]
) -> None:
    match = begun(client, *LONG)
    address = serve_table(client.client.application.config["companion"]).address.rstrip("/")
    for path in ("/", "/new", "/live", "/archive", f"/match/{match}", "/statistics", "/scoreboard"):
        page.get(address + path)
        if path == "/live":
            soon(page, lambda: shown(page))
        if path == "/scoreboard":
            soon(page, lambda: every(page, ".player"))
        for width, height in SIZES:
            resize(page, width, height)
            wider, sticks_out = page.execute_script(STICKS_OUT)
            assert (wider <= 0, sticks_out) == (True, []), (path, width)
    assert [line for line in console(page) if "favicon" not in line] == []


@pytest.mark.parametrize(
    "name",
    ["👩‍👩‍👧‍👦 Team", "نرگس می‌خواهد", "שלום", "Zoë", "<b>B</b>", "A: B", "{name}", "Team #1; x"],
)
def test_a_name_of_any_script_or_emoji_is_kept_and_shown_as_it_is(
    client: Client, name: str
) -> None:
    match = begun(client, name, "Ben")
    state: Any = client.state()["match"]
    bare = state["players"][0]["name"].strip("\u2068\u2069")
    assert bare == name
    record = client.get(f"/matches/{match}/record").text
    assert Record.from_string(record).names[0] == name
    for path in (f"/match/{match}", "/archive", "/"):
        html = client.client.get(path).text
        assert "<b>B</b>" not in html
        assert name.replace("<", "&lt;").replace(">", "&gt;") in html


def test_a_name_written_from_right_to_left_does_not_turn_the_sentence_around_it(
    client: Client,
) -> None:
    begun(client, "שלום", "Ben")
    state: Any = client.state()["match"]
    # Set apart (Unicode's FSI and PDI), so that points and dice that follow stay on its right.
    assert [each["name"] for each in state["players"]] == ["\u2068שלום\u2069", "Ben"]
    assert state["prompt"]["text"] == "\u2068שלום\u2069 chooses an edge and rolls it."


@pytest.mark.parametrize("name", ["\u202eabc", "a\u2066b", "\u200b", "a\x07", "\ud800"])
def test_what_turns_the_page_around_or_cannot_be_seen_is_no_name(client: Client, name: str) -> None:
    players = [{"name": name, "colour": "red"}, {"name": "Ben", "colour": "blue"}]
    assert client.post("/matches", {"players": players}).status_code == 400


def test_a_page_of_a_match_shows_markup_as_text(
    page: webdriver.Chrome, client: Client, serve_table: Callable[..., TableServer]
) -> None:
    begun(client, "<img src=x>", "<b>Ben</b>")
    page.get(f"{serve_table(client.client.application.config['companion']).address}live")
    soon(page, lambda: shown(page))
    assert text(page, "#prompt") == "<img src=x> chooses an edge and rolls it."
    assert not every(page, "main b, main img[src='x']")
