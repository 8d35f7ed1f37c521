"""The page in a real browser: what a person sees, hears and can do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from selenium import webdriver
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from tests.webui.conftest import console
from tests.webui.pages import every, one, resize, soon, text
from tests.webui.tables import FedSource, ToldReader, big_rolls, die, picture, reading
from vision.reading import COLOURS, Reading
from webui.catalogue import Speaker, languages
from webui.live import LiveTable
from webui.server import TableServer

Serve = Callable[..., TableServer]
# Totals by rule 3: red 33 + straight 21 = 54; blue 24 + fully matched 24 = 48 (six of a kind 12
# is worth less); black 23 and nothing qualifies.
ROLLS = {
    "red": (1, 2, 3, 4, 5, 6, 6, 6),
    "blue": (2, 2, 2, 2, 2, 2, 6, 6),
    "black": (1, 1, 2, 2, 3, 4, 5, 5),
}


@pytest.fixture
def show(
    page: webdriver.Chrome,
    table: LiveTable,
    source: FedSource,
    reader: ToldReader,
    serve_table: Serve,
) -> Callable[..., None]:
    """Put a reading on the page, opening it the first time, and wait until its picture is there."""
    address = f"{serve_table(table).address}live"

    def put(answer: Reading | Exception, width: int = 640, height: int = 360) -> None:
        reader.answer = answer
        shown = (table.state.data["picture"] or {}).get("version")
        source.feed(picture(100, width, height))
        if page.current_url != address:
            page.get(address)
        soon(page, lambda: (table.state.data["picture"] or {}).get("version") != shown)
        url = table.state.data["picture"]["url"]
        soon(page, lambda: str(one(page, "#frame img").get_attribute("src")).endswith(url))

    return put


def spoken(page: webdriver.Chrome) -> str:
    return str(one(page, "#spoken").get_property("textContent"))


def test_every_colours_big_roll_is_shown_with_base_bonuses_and_total(
    page: webdriver.Chrome, show: Callable[..., None]
) -> None:
    show(big_rolls(ROLLS))
    # In the order of play: rule 3:4.A.
    names = [card.get_attribute("data-colour") for card in every(page, ".card")]
    assert names == ["red", "blue", "black"]
    totals = [total.text.split()[-1] for total in every(page, ".card .total")]
    assert totals == ["54", "48", "23"]
    assert [base.text for base in every(page, ".sums li:first-child .points")] == ["33", "24", "23"]
    assert text(page, "[data-colour=red] .counts") == "Six-dice straight +21"
    # Rule 3:2.D: both are shown, one counts.
    assert text(page, "[data-colour=blue] .counts") == "Fully matched set counts +24"
    assert (
        text(page, "[data-colour=blue] .bonus-line:not(.counts)") == "Six of a kind not counted +12"
    )
    assert len(every(page, "[data-colour=blue] .bonus-line:not(.counts) .formation .die")) == 6
    assert text(page, "[data-colour=black] .sums li:last-child") == "Bonus no formation qualifies 0"
    drawn = [d.get_attribute("aria-label") for d in every(page, "[data-colour=red] .dice .die")]
    assert drawn == list("12345666")
    assert text(page, "#order") == "Red starts with 54, then blue with 48, then black with 23."
    assert console(page) == []


def test_every_die_has_its_box_face_and_colour_in_words(
    page: webdriver.Chrome, show: Callable[..., None]
) -> None:
    show(big_rolls(ROLLS))
    assert len(every(page, ".box")) == 24
    assert not every(page, ".box.unsure")
    labels = [label.text for label in every(page, ".label text")]
    # A crowded label may use the short form of the colour.
    for label, face in zip(labels[:8], ROLLS["red"], strict=True):
        assert label in {f"{face} red", f"{face} rd"}
    said = str(one(page, ".overlay").get_attribute("aria-label"))
    assert said.startswith("Picture of the table; 24 dice. red: 1, 2, 3, 4, 5, 6, 6, 6; blue:")


COVERED = """
const boxes = [...document.querySelectorAll("#frame .edge")].map((e) => e.getBBox());
const labels = [...document.querySelectorAll("#frame .label .plate")].map((e) => e.getBBox());
const over = (a, b) => Math.max(0, Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x))
  * Math.max(0, Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)) / (b.width * b.height);
return labels.map((label, i) => Math.max(
  ...boxes.filter((_, j) => j !== i).map((box) => over(label, box)),
  ...labels.filter((_, j) => j !== i).map((other) => over(label, other))));
"""


@pytest.mark.parametrize("wide", [30, 60])
def test_labels_cover_no_neighbour_even_where_dice_touch(
    page: webdriver.Chrome, show: Callable[..., None], wide: int
) -> None:
    rows = [(row, column) for row in range(3) for column in range(8)]
    dice = [
        die(5, "yellow", (40 + wide * x, 60 + wide * y, 40 + wide * (x + 1), 60 + wide * (y + 1)))
        for y, x in rows
    ]
    show(reading(dice))
    covered = page.execute_script(COVERED)
    assert len(covered) == 24
    assert max(covered) < 0.05
    assert {label.text for label in every(page, ".label text")} <= {"5 yellow", "5 ye"}


@pytest.mark.parametrize("size", [(640, 360), (300, 900)], ids=["wide", "tall"])
def test_boxes_lie_on_their_dice(
    page: webdriver.Chrome, show: Callable[..., None], size: tuple[int, int]
) -> None:
    width, height = size
    box = (50.0, 200.0, 110.0, 260.0)
    show(reading([die(5, "red", box)], width, height), width, height)
    seen = page.execute_script(
        "const i = document.querySelector('#frame img').getBoundingClientRect();"
        "const e = document.querySelector('.edge').getBoundingClientRect();"
        "return [i.x, i.y, i.width, i.height, e.x, e.y, e.width, e.height]"
    )
    x, y, shown_width, shown_height, *edge = seen
    scale = min(shown_width / width, shown_height / height)
    left = x + (shown_width - width * scale) / 2
    top = y + (shown_height - height * scale) / 2
    # The browser counts the stroke (3 px) of a rectangle to its own size or does not.
    expected = [left + box[0] * scale, top + box[1] * scale, 60 * scale, 60 * scale]
    assert edge == pytest.approx(expected, abs=4)
    assert one(page, "#frame img").value_of_css_property("object-fit") == "contain"
    assert shown_height <= 800, "a tall picture fits into the window"


def test_a_new_picture_updates_the_page_without_loading_it_again(
    page: webdriver.Chrome, show: Callable[..., None]
) -> None:
    show(big_rolls(ROLLS))
    page.execute_script("window.stillTheSame = true")
    show(big_rolls({"red": (6, 6, 6, 6, 6, 6, 6, 6)}))
    # Rule 3:2.A: eight 6s are 48 and eight of a kind 48.
    soon(page, lambda: [each.text.split()[-1] for each in every(page, ".card .total")] == ["96"])
    assert len(every(page, ".box")) == 8
    assert page.execute_script("return window.stillTheSame") is True
    assert console(page) == []


def test_what_is_unsure_carries_a_question_mark_and_a_dashed_box(
    page: webdriver.Chrome, show: Callable[..., None]
) -> None:
    rolls = big_rolls({"red": ROLLS["red"]}).dice
    spot = (20.0, 200.0, 70.0, 250.0)
    show(reading([replace(rolls[0], unsure=True, face_p=(0.6, 0.4, 0, 0, 0, 0)), *rolls[1:]]))
    assert [e.get_attribute("data-face") for e in every(page, ".box.unsure")] == ["1"]
    assert one(page, ".box.unsure .edge").get_attribute("stroke-dasharray")
    assert text(page, ".label.unsure text") in {"1? red", "1? rd"}
    assert "not read for sure" in text(page, ".unsure-note")
    assert text(page, ".total") == "total, unsure 54"
    show(reading([die(None, "pink", spot)]))
    soon(page, lambda: text(page, ".label.unsure text") in {"? pink", "? pk"})
    labels = [each.get_attribute("aria-label") for each in every(page, ".dice .die")]
    assert labels == ["not readable"]


def test_a_colour_without_its_eight_dice_says_why_it_is_not_scored(
    page: webdriver.Chrome, show: Callable[..., None]
) -> None:
    show(big_rolls({"red": ROLLS["red"], "white": (1, 2, 3, 4, 5, 6)}))
    assert text(page, "[data-colour=white] .problem") == (
        "6 white dice seen; a Big Roll has 8, so it is not scored."
    )
    assert not every(page, "[data-colour=white] .total")
    assert text(page, "#order").startswith("Red has 54.")


def test_notices_about_the_picture_are_shown(
    page: webdriver.Chrome, show: Callable[..., None]
) -> None:
    notice = "The dice are too small; move the camera closer."
    show(reading([], notices=[notice]))
    assert text(page, "#notices") == notice
    assert text(page, "#order") == "No dice are seen."
    show(reading([]))
    soon(page, lambda: not one(page, "#notices").is_displayed())


def test_a_lost_camera_is_said_and_the_last_reading_is_not_passed_off_as_current(
    page: webdriver.Chrome, show: Callable[..., None], source: FedSource
) -> None:
    show(big_rolls(ROLLS))
    assert text(page, "#status") == "Live"
    source.state = "lost"
    soon(page, lambda: text(page, "#alarm").startswith("Camera lost. Camera 0 gives no picture"))
    assert text(page, "#status") == "Camera lost"
    assert page.title.startswith("Camera lost.")
    assert text(page, "#stale").startswith("Not current: seen at ")
    assert not one(page, "#order").is_displayed()
    assert not one(page, ".overlay").is_displayed()
    assert "grayscale" in one(page, "#frame img").value_of_css_property("filter")
    soon(page, lambda: spoken(page).startswith("Camera lost."))
    show(big_rolls(ROLLS))
    soon(page, lambda: not one(page, "#alarm").is_displayed())
    assert one(page, "#order").is_displayed()
    assert one(page, "#frame img").value_of_css_property("filter") == "none"
    assert console(page) == []


def test_a_picture_that_cannot_be_read_is_shown_with_the_reason(
    page: webdriver.Chrome, show: Callable[..., None]
) -> None:
    show(big_rolls(ROLLS))
    show(RuntimeError("odd"))
    soon(page, lambda: text(page, "#alarm").startswith("Not read. This picture could not be read"))
    assert not every(page, ".card")
    assert not every(page, ".box")


def test_a_lost_connection_is_said_and_the_page_comes_back_by_itself(
    page: webdriver.Chrome, serve_table: Serve
) -> None:
    def run(port: int, rolls: dict[str, tuple[int, ...]]) -> Iterator[TableServer]:
        with FedSource() as source, LiveTable(source, ToldReader(big_rolls(rolls))) as table:
            source.feed(picture())
            yield serve_table(table, port)
            source.close()

    first = run(0, {"red": ROLLS["red"]})
    server = next(first)
    page.get(f"{server.address}live")
    soon(page, lambda: [each.text.split()[-1] for each in every(page, ".total")] == ["54"])
    server.stop()
    assert server.ended.wait(5)
    list(first)
    soon(page, lambda: text(page, "#alarm").startswith("Connection lost. The program does not"))
    assert text(page, "#stale").startswith("Not current")
    again = run(int(server.address.rstrip("/").rsplit(":", 1)[1]), {"blue": (6,) * 8})
    next(again)
    soon(page, lambda: [each.text.split()[-1] for each in every(page, ".total")] == ["96"])
    assert not one(page, "#alarm").is_displayed()
    list(again)


def test_the_boxes_are_hidden_and_shown_by_keyboard(
    page: webdriver.Chrome, show: Callable[..., None]
) -> None:
    show(big_rolls(ROLLS))
    button = one(page, "#boxes")
    button.send_keys(Keys.ENTER)
    assert not one(page, ".overlay").is_displayed()
    assert button.get_attribute("aria-pressed") == "false"
    button.send_keys(Keys.SPACE)
    assert one(page, ".overlay").is_displayed()
    assert button.get_attribute("aria-pressed") == "true"


def test_who_starts_is_spoken_to_those_who_do_not_see_it(
    page: webdriver.Chrome, show: Callable[..., None]
) -> None:
    show(big_rolls(ROLLS))
    assert one(page, "#spoken").get_attribute("aria-live") == "polite"
    soon(page, lambda: spoken(page).startswith("Red starts with 54, then blue"))


@pytest.mark.parametrize("width", [320, 390, 800, 1920])
def test_the_page_fits_every_width_and_its_targets_every_finger(
    page: webdriver.Chrome, show: Callable[..., None], width: int
) -> None:
    resize(page, width)
    show(big_rolls({**ROLLS, "white": (1, 2, 3, 4, 5, 6)}))
    wide = page.execute_script("return document.documentElement.scrollWidth")
    assert wide <= width
    for target in filter(WebElement.is_displayed, every(page, "a, button")):
        assert target.size["height"] >= 44, target.text
        assert target.size["width"] >= 44, target.text


CONTRAST = """
const lum = (c) => { const [r, g, b] = c.map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
const parse = (s) => s.match(/[\\d.]+/g).map(Number);
const ratio = (a, b) => { const [x, y] = [lum(a), lum(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
const ground = (e) => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor);
  if (c.length < 4 || c[3] > 0) return c.slice(0, 3); } return [255, 255, 255]; };
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_word_has_enough_contrast(
    page: webdriver.Chrome, show: Callable[..., None], source: FedSource, scheme: str
) -> None:
    # WCAG 2.2, 1.4.3: 4.5 to 1.
    media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    show(reading([*big_rolls(ROLLS).dice, die(None, "pink")], notices=["Closer, please."]))
    source.state = "lost"
    soon(page, lambda: one(page, "#alarm").is_displayed())
    page.execute_script("document.querySelector('#table').classList.remove('old')")
    low = page.execute_script(
        CONTRAST
        + "return [...document.querySelectorAll('body *')].filter((e) => !e.closest('svg, .quiet') "
        "&& [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) && e.checkVisibility())"
        ".map((e) => [e.textContent.trim(), ratio(parse(getComputedStyle(e).color).slice(0, 3), ground(e))])"
    )
    assert len(low) > 30
    assert [(words, ratio) for words, ratio in low if ratio < 4.5] == []


def test_the_words_on_every_dice_colour_have_enough_contrast(
    page: webdriver.Chrome, show: Callable[..., None]
) -> None:
    show(reading([]))
    ratios = page.execute_async_script(
        CONTRAST
        + "const done = arguments[1]; const hex = (s) => [1, 3, 5].map((i) => parseInt(s.slice(i, i + 2), 16));"
        "import('/static/dice.js').then(({ look }) => done(arguments[0].map((name) => {"
        "const { paint, ink } = look(name); return [name, ratio(hex(paint), hex(ink))]; })))",
        list(COLOURS),
    )
    assert [name for name, ratio in ratios if ratio < 4.5] == []
    for language in languages():
        shorts = {Speaker(language).t(f"colour.short-{name}") for name in COLOURS}
        assert len(shorts) == len(COLOURS), "no two share a short form"


def test_nothing_is_fetched_from_elsewhere(
    page: webdriver.Chrome, show: Callable[..., None]
) -> None:
    show(big_rolls(ROLLS))
    origins = page.execute_script(
        "return [...new Set(performance.getEntriesByType('resource').map((e) => new URL(e.name).origin))]"
    )
    assert origins == [page.current_url.removesuffix("/live")]


def test_pages_of_words_lead_back_to_the_start(
    page: webdriver.Chrome, show: Callable[..., None]
) -> None:
    show(reading([]))
    start = page.current_url.removesuffix("live")
    one(page, "footer a").click()
    soon(page, lambda: text(page, "h1") == "The source of this program")
    page.get(f"{start}nowhere")
    assert text(page, "h1") == "There is no such page here."
    one(page, "main .button").click()
    soon(page, lambda: page.current_url == start)


def test_on_a_tablet_the_picture_of_a_table_without_a_match_has_the_whole_width(
    page: webdriver.Chrome, show: Callable[..., None]
) -> None:
    show(reading([]))
    resize(page, 820, 1180)
    soon(page, lambda: one(page, "#picture").size["width"] > 700)
