"""A match begun and played through the page by hand alone, in a real browser: no camera is needed."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import webui
from engine.actions import BoundaryRoll, Rolled
from engine.bots import greedy_bot
from engine.match import Match
from tests.webui.axe import faults
from tests.webui.conftest import console
from tests.webui.pages import every, one, resize, soon, text
from tests.webui.playing import do, other_than, play, same_table, shown

Begin = Callable[..., None]
WEBUI = Path(webui.__file__).parent


def sheet(page: webdriver.Chrome) -> list[list[str]]:
    return [
        [cell.text for cell in row.find_elements(By.CSS_SELECTOR, "th, td")]
        for row in every(page, ".sheet tbody tr")
    ]


def test_a_whole_round_of_two_is_played_by_taps(page: webdriver.Chrome, begin: Begin) -> None:
    begin(("Anna", "red"), ("Ben", "blue"))
    assert text(page, "#prompt") == "Anna rolls all eight dice: the Big Roll."
    # This seed has an election (3:2.D), pushes, captures and locks.
    start = Match.start(colours=("red", "blue"))
    match = play(page, start, random.Random(1016), lambda each: bool(each.rounds))
    (ended,) = match.rounds
    assert any(score.category for score in ended.scores)
    expected = [
        [name, *map(str, (score.lead, score.captured, score.lawn, score.total, total))]
        for name, score, total in zip(("Anna", "Ben"), ended.scores, ended.totals, strict=True)
    ]
    assert sheet(page) == expected
    running = {each.text for each in every(page, ".running")}
    assert running == {str(total) for total in ended.totals}
    assert text(page, "#round") == "Round 2"
    assert console(page) == []


def test_typed_dice_are_entered_with_the_enter_key_wherever_the_mouse_was(
    page: webdriver.Chrome, begin: Begin
) -> None:
    begin(("Anna", "red"), ("Ben", "blue"))
    before = shown(page)
    one(page, '#pad .face[data-face="1"]').click()
    page.execute_script("document.activeElement.blur()")
    ActionChains(page).send_keys("2345666", Keys.ENTER).perform()
    other_than(page, before)
    assert text(page, "#prompt") == "Ben rolls all eight dice: the Big Roll."


def test_while_a_match_rests_nothing_looks_as_if_it_could_be_done(
    page: webdriver.Chrome, begin: Begin
) -> None:
    begin(("Anna", "red"), ("Ben", "blue"))
    match = Match.start(colours=("red", "blue"))
    rolls = (Rolled((1, 2, 3, 4, 5, 6, 6, 6)), Rolled((1, 1, 2, 2, 3, 3, 4, 5)))
    for action in rolls:
        do(page, match.position, action)
        match = match.apply(action)
    active = one(page, "#moves .move").value_of_css_property("color")
    one(page, "#pause").click()
    soon(page, lambda: text(page, "#prompt") == "The match is paused.")
    assert {each.get_attribute("aria-disabled") for each in every(page, "#moves .move")} == {"true"}
    assert one(page, "#moves .move").value_of_css_property("color") != active
    assert not one(page, "#typed").is_displayed()
    one(page, "#pause").click()
    soon(page, lambda: every(page, "#moves .move:not([aria-disabled])"))


def test_three_players_open_a_round_with_the_keyboard_alone(
    page: webdriver.Chrome, begin: Begin
) -> None:
    begin(("Anna", "orange"), ("Ben", "purple"), ("Cleo", "green"))
    match = Match.start(colours=("orange", "purple", "green"))
    rng = random.Random(8)

    def keys(*typed: str) -> None:
        ActionChains(page).send_keys(*typed).perform()

    while not match.position.is_over and match.length < 12:
        position, before = match.position, shown(page)
        action = position.throw(rng) if position.is_chance else greedy_bot(position, rng)
        if isinstance(action, Rolled):
            keys("".join(map(str, action.faces)))
            if len(action.faces) > 1:
                one(page, "#pad .enter").send_keys(Keys.ENTER)
        else:
            one(page, f'#moves [data-action="{action}"]').send_keys(Keys.ENTER)
        other_than(page, before)
        match = match.apply(action)
        if isinstance(action, BoundaryRoll):  # the faces wait for the keys at once
            soon(page, lambda: page.switch_to.active_element.get_attribute("data-face") == "1")
    same_table(page, match.position)
    order = [each.get_attribute("data-colour") for each in every(page, ".player")]
    assert order == [match.colours[seat] for seat in match.position.order]
    assert console(page) == []


def test_what_a_placement_would_cause_is_shown_before_it_is_done(
    page: webdriver.Chrome, begin: Begin
) -> None:
    begin(("Anna", "red"), ("Ben", "blue"))

    def pushes(match: Match) -> bool:
        position = match.position
        return position.phase == "placement" and any(
            position.effects(each).pushed for each in position.legal_actions()
        )

    start = Match.start(colours=("red", "blue"))
    match = play(page, start, random.Random(1016), pushes, check=False)
    position = match.position
    action = next(a for a in position.legal_actions() if position.effects(a).pushed)
    pushed = "Anna" if position.effects(action).pushed == "red" else "Ben"
    move = one(page, f'#moves [data-action="{action}"]')
    own = position.effects(action).pushed == position.turn_colour
    assert ("an own die" if own else f"{pushed}'s die") in move.text
    ActionChains(page).move_to_element(one(page, "#prompt")).perform()
    soon(page, lambda: not every(page, ".preview"))
    ActionChains(page).move_to_element(move).perform()
    soon(page, lambda: every(page, ".preview .leaves"))
    assert len(every(page, ".preview .arrow")) == 3
    ActionChains(page).move_to_element(one(page, "#prompt")).perform()
    soon(page, lambda: not every(page, ".preview"))


def test_a_tap_where_the_die_may_not_go_says_the_rule(page: webdriver.Chrome, begin: Begin) -> None:
    begin(("Anna", "red"), ("Ben", "blue"))
    start = Match.start(colours=("red", "blue"))
    rng = random.Random(1016)
    match = play(page, start, rng, lambda each: each.position.phase == "placement", check=False)
    row = match.position.rows[match.position.turn]
    face = next(each for each in range(1, 7) if each not in row)
    before = shown(page)
    one(page, f'[data-spot="{face}-left"]').click()
    soon(page, lambda: f"has no {face};" in text(page, "#oops"))  # rule 4:2.A
    assert "Anna" in text(page, "#oops") or "Ben" in text(page, "#oops")
    assert "4:2.A" in text(page, "#oops")
    one(page, f'[data-spot="{row[0]}-center"]').click()
    soon(page, lambda: "4:3.C" in text(page, "#oops"))  # a white die lies there
    assert shown(page) == before
    play(page, match, rng, lambda each: each.length == match.length + 1)
    soon(page, lambda: not one(page, "#oops").is_displayed())


def test_without_a_camera_nothing_of_one_is_there_even_before_the_table_is_drawn(
    page: webdriver.Chrome, begin: Begin
) -> None:
    begin(("Anna", "red"), ("Ben", "blue"))
    assert text(page, "#typed").startswith("Tap what each die shows.")
    # The page as it is sent, which is seen until its scripts have run.
    hidden = page.execute_async_script(
        "const done = arguments[0];"
        "fetch(location.href).then((answer) => answer.text()).then((sent) =>"
        " done(new DOMParser().parseFromString(sent, 'text/html').getElementById('seen').hidden))"
    )
    assert hidden is True


def test_steps_are_undone_and_done_again_and_the_page_may_be_loaded_anew(
    page: webdriver.Chrome, begin: Begin
) -> None:
    begin(("Anna", "red"), ("Ben", "blue"))
    start = Match.start(colours=("red", "blue"))
    rng = random.Random(1016)
    match = play(page, start, rng, lambda each: each.length == 12, check=False)
    for button, expected in (("undo", match.undo(past_others=True)), ("redo", match)):
        before = shown(page)
        one(page, f"#{button}").click()
        other_than(page, before)
        same_table(page, expected.position)
    page.refresh()
    soon(page, lambda: every(page, "#board .field"))
    same_table(page, match.position)
    play(page, match, rng, lambda each: each.length == 15)


def test_a_throw_that_is_typed_by_half_outlives_a_reload_and_not_the_next_step(
    page: webdriver.Chrome, begin: Begin
) -> None:
    begin(("Anna", "red"), ("Ben", "blue"))
    for face in (5, 1, 3):
        one(page, f'#pad .face[data-face="{face}"]').click()
    page.refresh()
    soon(page, lambda: shown(page) and len(every(page, "#pad button.slot")) == 3)
    drops = [str(each.get_attribute("aria-label")) for each in every(page, "#pad button.slot")]
    assert [each for label in drops for each in label if each.isdigit()] == ["5", "1", "3"]
    for face in (1, 2, 2, 4, 6):
        one(page, f'#pad .face[data-face="{face}"]').click()
    before = shown(page)
    one(page, "#pad .enter").click()
    other_than(page, before)
    page.refresh()
    soon(page, lambda: shown(page) and every(page, "#pad .face"))
    assert every(page, "#pad button.slot") == []


def test_on_a_phone_the_faces_stay_in_reach_while_a_throw_is_due(
    page: webdriver.Chrome, begin: Begin
) -> None:
    begin(("Anna", "red"), ("Ben", "blue"), ("Cleo", "green"))
    resize(page, 360, 640)
    for scroll in ("0", "document.body.scrollHeight"):
        page.execute_script(f"scrollTo(0, {scroll})")
        low = page.execute_script(
            "return document.querySelector('#pad').getBoundingClientRect().bottom - innerHeight"
        )
        assert -100 < low <= 0
    below, hand = page.execute_script(
        "return [document.querySelector('footer').getBoundingClientRect().bottom,"
        " document.querySelector('#hand').getBoundingClientRect().top]"
    )
    assert below <= hand, "what it would hide can be scrolled to"


def test_a_past_turn_is_set_right(page: webdriver.Chrome, begin: Begin) -> None:
    begin(("Anna", "red"), ("Ben", "blue"))
    for colour, faces in (("red", (1, 2, 3, 4, 5, 6, 6, 6)), ("blue", (1, 1, 1, 1, 2, 2, 3, 5))):
        assert one(page, ".roll.turn").get_attribute("data-colour") == colour
        do(page, Match.start(2).position, Rolled(faces))
    one(page, ".past-says").click()
    soon(page, lambda: every(page, '#past[open] [name="showed"]'))
    field = one(page, '#past [name="showed"]')
    assert field.get_attribute("value") == "1 1 1 1 2 2 3 5"
    field.clear()
    field.send_keys("1 1 1 1 2 2 3")
    one(page, "#past .button").click()
    soon(
        page, lambda: "8 dice" in text(page, "#past .warning")
    )  # it is refused, and nothing changes
    field.clear()
    field.send_keys("11112236")
    before = shown(page)
    one(page, "#past .button").click()
    soon(page, lambda: shown(page) != before and not every(page, "#past[open]"))
    assert text(page, '.player[data-colour="blue"] .running') == "17"


def test_two_browsers_show_the_same_match(page: webdriver.Chrome, begin: Begin) -> None:
    begin(("Anna", "red"), ("Ben", "blue"))
    first = page.current_window_handle
    page.switch_to.new_window("tab")
    second = page.current_window_handle
    try:
        page.get("about:blank")
        page.switch_to.window(first)
        address = page.current_url
        page.switch_to.window(second)
        page.get(address)
        soon(page, lambda: every(page, ".roll.turn"))
        page.switch_to.window(first)
        do(page, Match.start(2).position, Rolled((1, 2, 3, 4, 5, 6, 6, 6)))
        page.switch_to.window(second)
        soon(page, lambda: text(page, '.roll[data-colour="red"] .total') == "total 54")
        do(page, Match.start(2).position, Rolled((1, 1, 1, 1, 2, 2, 3, 5)))
        page.switch_to.window(first)
        soon(page, lambda: every(page, "#board .field"))
        assert text(page, "#prompt") == "Anna chooses an edge and rolls it."
    finally:
        page.switch_to.window(second)
        page.close()
        page.switch_to.window(first)


def test_an_unfinished_match_is_offered_and_gone_on_with(
    page: webdriver.Chrome, begin: Begin
) -> None:
    begin(("Anna", "red"), ("Ben", "blue"), threshold=300)
    do(page, Match.start(2).position, Rolled((1, 2, 3, 4, 5, 6, 6, 6)))
    one(page, "#leave").click()
    page.switch_to.alert.accept()
    soon(page, lambda: text(page, "#start h1") == "No match is being played.")
    page.get(page.current_url.replace("/live", "/new"))
    soon(page, lambda: "Anna" in text(page, "#offers"))
    one(page, "#offers .button").click()
    soon(page, lambda: page.current_url.endswith("/live") and shown(page))
    assert text(page, "#prompt") == "Ben rolls all eight dice: the Big Roll."
    assert "246 points to go" in text(page, '.player[data-colour="red"]')


def test_what_cannot_begin_is_said_beside_the_button(
    page: webdriver.Chrome, hand_played: str
) -> None:
    page.get(f"{hand_played}new")
    soon(page, lambda: one(page, "#begin").is_enabled())
    # Choosing another's colour swaps them: two players never have one colour.
    one(page, 'input[name="colour-0"][value="blue"]').click()
    chosen = [each.get_attribute("value") for each in every(page, '[name^="colour-"]:checked')]
    assert chosen[:2] == ["blue", "red"]
    for seat in (0, 1):
        one(page, f"#name-{seat}").send_keys("Anna")
    one(page, "#threshold").clear()
    one(page, "#begin").click()
    soon(page, lambda: "same name" in text(page, "#problems"))
    assert "whole number" in text(page, "#problems")
    assert page.current_url.endswith("/new")


def test_the_page_speaks_german(page: webdriver.Chrome, begin: Begin) -> None:
    begin(("Anna", "red"), ("Ben", "blue"))
    one(page, '[data-set-language="de"]').click()
    try:
        soon(
            page, lambda: text(page, "#prompt") == "Anna würfelt alle acht Würfel: der Große Wurf."
        )
        left = page.execute_script(
            "return [...document.querySelectorAll('body *')].filter((e) => e.children.length === 0)"
            ".map((e) => e.textContent).filter((text) => /\\b(live|new|colour|bonus)\\.[a-z]/.test(text)"
            " && !text.includes('{'))"
        )
        assert left == []
    finally:
        page.delete_all_cookies()


def reached(length: int) -> Callable[[Match], bool]:
    return lambda match: match.length == length


SIZES = ((320, 640), (390, 844), (820, 1180), (1920, 1080))


def test_every_width_fits_every_target_is_large_enough_and_axe_finds_nothing_serious(
    page: webdriver.Chrome, hand_played: str, begin: Begin
) -> None:
    page.get(f"{hand_played}new")
    soon(page, lambda: one(page, "#begin").is_enabled())
    one(page, "#options summary").click()
    fits_all(page, "light")
    begin(("Anna", "red"), ("Ben", "blue"), ("Cleo", "green"))
    match, rng = Match.start(colours=("red", "blue", "green")), random.Random(8)
    # The Big Roll, its middle, and in the middle of a turn.
    for length, scheme in ((0, "dark"), (2, "light"), (5, "dark")):
        match = play(page, match, rng, reached(length), check=False)
        fits_all(page, scheme)
    one(page, ".past-says").click()
    soon(page, lambda: every(page, "#past[open]"))
    fits_all(page, "light")


def test_on_a_tall_window_the_board_leaves_the_moves_their_width(
    page: webdriver.Chrome, begin: Begin
) -> None:
    begin(("Anna", "red"), ("Ben", "blue"))
    play(page, Match.start(colours=("red", "blue")), random.Random(8), reached(2))
    resize(page, 1280, 1500)
    soon(page, lambda: one(page, "#middle").rect["width"] >= 300)


THREE = (("Anna", "red"), ("Maximilian", "blue"), ("Cleo", "green"))


@pytest.mark.parametrize("players", [2, 3])
def test_on_a_low_window_the_eight_dice_of_a_row_stay_in_one_line(
    page: webdriver.Chrome, begin: Begin, players: int
) -> None:
    begin(*THREE[:players])
    colours = tuple(colour for _, colour in THREE[:players])
    play(page, Match.start(colours=colours), random.Random(8), reached(players))
    resize(page, 1366, 650)
    for row in every(page, ".prow:not(.seat-2) .row-dice"):  # a third player's stand in one column
        dice = row.find_elements(By.CSS_SELECTOR, ".row-die")
        assert len(dice) == 8
        assert len({round(die.rect["y"]) for die in dice}) == 1


STICKS_OUT = """
return [...document.querySelectorAll("section :is(button, .slot, .running, .place)")].filter((e) => {
  const box = e.getBoundingClientRect();
  const { left, right } = e.closest("section").getBoundingClientRect();
  return e.checkVisibility() && !e.closest(".scroll") && (box.left < left - 1 || box.right > right + 1);
}).map((e) => e.outerHTML.slice(0, 90));
"""
BROKEN = """
return [...document.querySelectorAll(".player-head > :not(.quiet)")].filter((e) => {
  const range = document.createRange();
  range.selectNodeContents(e);
  return e.matches(".name, .running") && new Set([...range.getClientRects()].map((each) => each.top)).size > 1;
}).map((e) => e.textContent);
"""


def test_with_three_players_nothing_sticks_out_of_its_panel_and_no_name_is_broken(
    page: webdriver.Chrome, hand_played: str, begin: Begin
) -> None:
    page.get(hand_played)
    page.add_cookie({"name": "lawn-language", "value": "de"})  # whose words are longer
    try:
        begin(*THREE)
        match, rng = Match.start(colours=("red", "blue", "green")), random.Random(8)
        for length in (0, 2, 3, 4):  # Big Rolls, the first edge, its roll, its die
            match = play(page, match, rng, reached(length), check=False)
            for width, height in ((360, 640), (768, 1024), (1366, 768), (1920, 1080)):
                resize(page, width, height)
                assert page.execute_script(STICKS_OUT) == [], (length, width)
                assert page.execute_script(BROKEN) == [], (length, width)
    finally:
        page.delete_all_cookies()


@pytest.mark.parametrize("path", ["new", "live"])
def test_a_page_is_small_and_soon_ready(page: webdriver.Chrome, begin: Begin, path: str) -> None:
    begin(("Anna", "red"), ("Ben", "blue"))
    page.get(page.current_url.replace("/live", f"/{path}"))
    soon(page, lambda: page.execute_script("return document.readyState") == "complete")
    names, ready_ms = page.execute_script(
        "const names = performance.getEntriesByType('resource').map((e) => new URL(e.name).pathname);"
        "const { domContentLoadedEventEnd } = performance.getEntriesByType('navigation')[0];"
        "return [names.filter((name) => name.endsWith('.js')), domContentLoadedEventEnd]"
    )
    assert len(names) > 5
    # All the JavaScript of the page, as it is written.
    assert sum((WEBUI / name.lstrip("/")).stat().st_size for name in set(names)) < 100_000
    # Modules have run by then. It is 1 s on a quiet machine; tests share theirs.
    assert ready_ms < 5_000


def fits_all(page: webdriver.Chrome, scheme: str) -> None:
    for width, height in SIZES:
        resize(page, width, height)
        wide = page.execute_script(WIDE, width)
        assert wide == [], width
        assert page.execute_script(SMALL) == [], width
    resize(page, 1280, 800)
    assert faults(page, scheme) == []
    page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


WIDE = """
if (document.documentElement.scrollWidth <= arguments[0]) return [];
return [...document.querySelectorAll("#content *")].filter((e) => e.getBoundingClientRect().right > arguments[0])
  .map((e) => e.outerHTML.slice(0, 90));
"""
SMALL = """
return [...document.querySelectorAll("a, button, input, select, summary, [role=button]")]
  .filter((e) => e.checkVisibility() && !e.closest("label, .quiet, p:not(.row), .skip"))
  .map((e) => [e.outerHTML.slice(0, 90), e.getBoundingClientRect()])
  .filter(([, { width, height }]) => width < 43.5 || height < 43.5).map(([html]) => html);
"""
