"""The pages beside the table in a real browser: each opens, is found in, and fits every screen."""

from __future__ import annotations

import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.keys import Keys

from tests.webui.axe import faults
from tests.webui.companions import Client, by_hand, client_of
from tests.webui.conftest import console
from tests.webui.pages import every, one, resize, soon, text
from tests.webui.shelves import DAY_S, NOW_S, shelve, small_jpeg
from webui.server import TableServer

PAGES = ("", "archive", "match/left", "rules", "statistics", "settings", "scoreboard", "source")
SIZES = ((320, 640), (390, 844), (1280, 800), (1920, 1080))
TOO_WIDE = "return document.documentElement.scrollWidth - innerWidth"
SMALL = """
const shown = (e) => e.checkVisibility() && getComputedStyle(e.closest("li, p, div") ?? e).position !== "absolute";
return [...document.querySelectorAll("button, .button, summary, select, input, nav a, a.chip, a.num, .opens")]
  .filter((each) => shown(each) && !each.closest("label") && !each.classList.contains("skip"))
  .filter((each) => { const { width, height } = each.getBoundingClientRect(); return width < 43.9 || height < 43.9; })
  .map((each) => each.outerHTML.slice(0, 90));
"""


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three matches: one over, one left in its second round, one of three players."""
    folder = tmp_path_factory.mktemp("pages")
    people = {"yellow": "Cem", "red": "Zoë", "green": ""}
    shelve(folder, "three", seed=5, people=people, threshold=60, at_s=NOW_S - 40 * DAY_S)
    jpeg = small_jpeg()
    shelve(folder, "over", seed=3, threshold=60, at_s=NOW_S - 3 * DAY_S, jpeg=jpeg, note="tea")
    shelve(folder, "left", seed=4, part=0.4, at_s=NOW_S, ruled="As it lies.")
    (folder / "left.match.damaged-2026-11-29-200000").write_bytes(b"")
    return folder


@pytest.fixture
def product(shelf: Path, serve_table: Callable[..., TableServer]) -> tuple[str, Client]:
    """The whole product on these matches, without a camera: its address, and a page's client to it."""
    _, companion = by_hand(shelf)
    return serve_table(companion).address, client_of(companion)


@pytest.fixture
def address(product: tuple[str, Client]) -> str:
    return product[0]


def speak(page: webdriver.Chrome, address: str, language: str) -> None:
    page.get(f"{address}source")
    page.add_cookie({"name": "lawn-language", "value": language})


@pytest.fixture(autouse=True)
def forget(page: webdriver.Chrome, address: str) -> None:
    page.get(f"{address}source")
    page.delete_all_cookies()
    page.execute_script("localStorage.clear()")
    console(page)


@pytest.mark.parametrize("path", PAGES)
def test_every_page_opens_in_both_languages_fits_every_screen_and_axe_finds_nothing_serious(
    page: webdriver.Chrome, address: str, path: str
) -> None:
    page.get(address + path)
    assert one(page, "html").get_attribute("lang") == "en"
    assert len(every(page, "h1")) == 1
    assert faults(page, "light") == []
    titles = [text(page, "title"), page.title]
    speak(page, address, "de")
    page.get(address + path)
    assert one(page, "html").get_attribute("lang") == "de"
    assert page.title not in titles or path == ""
    for width, height in SIZES:
        resize(page, width, height)
        assert page.execute_script(TOO_WIDE) <= 0, width
        assert page.execute_script(SMALL) == [], width
    assert faults(page, "dark") == []
    said = [line for line in console(page) if "favicon" not in line]
    assert said == []


def test_every_link_of_the_frame_and_of_home_leads_somewhere(
    page: webdriver.Chrome, address: str
) -> None:
    page.get(address)
    links = {str(each.get_attribute("href")) for each in every(page, "a[href]")}
    assert {f"{address}{path}" for path in ("new", "live", "rules", "archive", "source")} <= links
    for link in links - {f"{address}teach"}:  # the reader of this test cannot be taught
        with urllib.request.urlopen(link) as answer:
            assert answer.status == 200, link


def test_on_a_phone_the_pages_are_in_a_menu_that_escape_closes(
    page: webdriver.Chrome, address: str
) -> None:
    page.get(address)
    resize(page, 390, 844)
    assert not one(page, ".places").is_displayed()
    one(page, ".menu summary").click()
    menu = one(page, ".menu nav")
    assert menu.is_displayed()
    one(page, "body").send_keys(Keys.ESCAPE)
    assert not menu.is_displayed()
    one(page, ".menu summary").click()
    next(each for each in every(page, ".menu a") if each.text == "Rules").click()
    soon(page, lambda: page.current_url == f"{address}rules")


def test_theme_and_language_are_switched_in_the_footer_and_kept(
    page: webdriver.Chrome, address: str
) -> None:
    page.get(f"{address}archive")
    ground = "return getComputedStyle(document.documentElement).backgroundColor"
    light = page.execute_script(ground)
    one(page, '[data-set-theme="dark"]').click()
    dark = page.execute_script(ground)
    assert dark != light
    one(page, '[data-set-language="de"]').click()
    soon(page, lambda: text(page, "h1") == "Archiv")
    assert page.execute_script(ground) == dark
    assert text(page, ".kept .outcome").endswith(("gewonnen", "Runde 2", "Runde 3"))
    page.get(f"{address}settings")
    assert one(page, '[name="theme"][value="dark"]').is_selected()
    one(page, '[name="language"][value="en"]').click()
    soon(page, lambda: text(page, "h1") == "Settings")


def test_the_archive_is_searched_by_names_colours_dates_and_results(
    page: webdriver.Chrome, address: str
) -> None:
    page.get(f"{address}archive")

    def found(**fields: str) -> list[str]:
        for name in ("words", "result", "from", "to"):
            script = "const e = document.getElementById(arguments[0]); e.value = arguments[1];"
            script += "e.dispatchEvent(new Event('input'));"
            page.execute_script(script, name, fields.get(name.rstrip("_"), ""))
        shown = [each for each in every(page, ".kept") if each.is_displayed()]
        return sorted(str(e.find_element("css selector", "a").get_attribute("href")) for e in shown)

    def at(*names: str) -> list[str]:
        return [f"{address}match/{name}" for name in sorted(names)]

    assert found() == at("left", "over", "three")
    assert found(words="anna") == at("left", "over")
    assert found(words="zoë yellow") == at("three")
    assert found(words="november") == at("left", "over")
    assert found(words="2026-10") == at("three")
    assert found(result="open") == at("left")
    assert found(words="won", result="over") == at("over", "three")
    assert found(to="2026-11-01") == at("three")
    assert found(words="nobody") == []
    assert text(page, "#found") == "0 matches"
    assert page.current_url.endswith("/archive?words=nobody")
    page.get(f"{address}archive?words=cem")
    assert text(page, "#found") == "1 match"
    one(page, ".kept:not([hidden]) .opens").click()
    soon(page, lambda: page.current_url == f"{address}match/three")


def test_a_deep_link_shows_its_rule_and_a_search_finds_and_marks(
    page: webdriver.Chrome, address: str
) -> None:
    page.get(f"{address}rules#rule-5-1-B")
    top = "return document.getElementById('rule-5-1-B').getBoundingClientRect().top"
    soon(page, lambda: 0 <= page.execute_script(top) < 400)
    field = one(page, "#words")
    field.send_keys("duplicates identical")
    shown = [each for each in every(page, "[data-rule]") if each.is_displayed()]
    assert [each.find_element("css selector", ".num").text for each in shown] == ["4:1.B"]
    marks = [each.text for each in every(page, "mark") if each.is_displayed()]
    assert marks == ["duplicates", "identical"]
    assert text(page, "#found") == "1 place"
    field.clear()
    field.send_keys("gridlock")
    assert text(page, "#found") != "1 place"
    one(page, "[data-rule]:not([hidden]) a.chip").click()  # leads to a rule that was hidden
    soon(
        page,
        lambda: (
            one(page, "#words").get_attribute("value") == ""
            and one(page, "#rule-7-1-A").is_displayed()
        ),
    )
    field.send_keys("zzz")
    assert text(page, "#found") == "Nothing is found; try fewer words."


def test_home_offers_the_match_that_was_left_and_goes_on_with_it(
    page: webdriver.Chrome, address: str, screenshots: Path
) -> None:
    page.get(address)
    page.save_screenshot(str(screenshots / "home.png"))
    assert text(page, "#left").startswith("Go on with")
    one(page, "[data-resume]").click()
    soon(page, lambda: page.current_url == f"{address}live")
    page.get(address)
    assert text(page, "#now") == "A match is being played"
    assert not every(page, "[data-resume]")


def test_the_scoreboard_follows_the_match_and_as_an_overlay_has_no_ground(
    page: webdriver.Chrome, product: tuple[str, Client], screenshots: Path
) -> None:
    address, client = product
    page.get(f"{address}scoreboard")
    soon(page, lambda: text(page, "#prompt") == "No match is being played.")
    client.begin(threshold=200)
    client.play("rolled 1 2 3 4 5 6 6 6", "rolled 1 1 2 2 3 3 4 5")
    soon(page, lambda: len(every(page, ".player")) == 2)
    anna = '.player[data-colour="red"]'
    soon(page, lambda: text(page, f"{anna} .total") == "54")
    assert text(page, ".player.now .name") == "Anna to play"
    assert text(page, "#head") == "Round 1, to 200 points"
    client.play("boundary low", "rolled 4", "place 6 left")
    soon(page, lambda: text(page, ".player.now .name").startswith("Ben"))
    resize(page, 1920, 1080)
    assert page.execute_script(TOO_WIDE) <= 0
    assert page.execute_script("return document.documentElement.scrollHeight - innerHeight") <= 0
    page.save_screenshot(str(screenshots / "scoreboard.png"))
    assert faults(page, "light") == []
    page.get(f"{address}scoreboard?overlay=1")
    soon(page, lambda: text(page, f"{anna} .total") == "54")
    for of in ("documentElement", "body"):
        ground = page.execute_script(f"return getComputedStyle(document.{of}).backgroundColor")
        assert ground == "rgba(0, 0, 0, 0)"
    assert not every(page, ".leave")


def test_what_a_browser_is_set_to_is_kept_for_the_live_table(
    page: webdriver.Chrome, address: str
) -> None:
    page.get(f"{address}settings")
    one(page, '[name="sounds"]').click()
    assert text(page, "#says") == "Kept."
    assert page.execute_script("return localStorage.getItem('lawn-sounds')") == "on"
    page.get(f"{address}settings")
    assert one(page, '[name="sounds"]').is_selected()
    assert not one(page, '[name="speech"]').is_selected()


def test_pages_over_many_matches_as_the_pictures_of_the_documentation_show_them(
    page: webdriver.Chrome,
    serve_table: Callable[..., TableServer],
    tmp_path: Path,
    screenshots: Path,
) -> None:
    seats = [("Anna", "Ben"), ("Ben", "Anna"), ("Anna", "Cem"), ("Cem", "Ben", "Anna")] * 2
    for at, names in enumerate(seats):
        people = dict(zip(("red", "blue", "green"), names, strict=False))
        at_s = NOW_S - (len(seats) - at) * 3 * DAY_S
        shelve(tmp_path, f"m{at}", seed=at, people=people, threshold=200, at_s=at_s)
    address = serve_table(by_hand(tmp_path)[1]).address
    for path, name in (
        ("statistics", "statistics"),
        ("statistics#fair", "fair-dice"),
        ("rules#rule-5-1-B", "rules"),
        ("archive", "archive"),
        ("match/m3", "match"),
    ):
        page.get("about:blank")
        page.get(address + path)
        soon(page, lambda: page.execute_script("return document.readyState") == "complete")
        soon(page, lambda: not page.execute_script("return document.getAnimations().length"))
        page.save_screenshot(str(screenshots / f"{name}.png"))
        drawn = "return [...document.images].every((e) => !e.complete || e.naturalWidth > 0)"
        assert page.execute_script(drawn)
        assert len(every(page, "main")) == 1
    page.get(f"{address}statistics")
    assert len(every(page, ".lines .line")) == 3
    assert len(every(page, ".colour")) == 3


@pytest.mark.parametrize("size", [(390, 844), (820, 1180), (1280, 800), (1920, 1080)])
def test_the_whole_scoreboard_is_seen_at_once(
    page: webdriver.Chrome, product: tuple[str, Client], size: tuple[int, int]
) -> None:
    address, client = product
    if client.match() is None:
        colours = (("Anna", "red"), ("Ben", "blue"), ("Cleo", "green"))
        client.begin([{"name": name, "colour": colour} for name, colour in colours])
    page.get(f"{address}scoreboard")
    resize(page, *size)
    soon(page, lambda: every(page, ".player") and one(page, ".field").is_displayed())
    page.execute_script("scrollTo(0, 0)")
    lowest = page.execute_script(
        "return document.querySelector('.prompt').getBoundingClientRect().bottom - innerHeight"
    )
    assert lowest <= 0
