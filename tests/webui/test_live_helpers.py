"""What helps at the live table: a connection that comes back, hints, speech and sounds, ties, elections."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from selenium import webdriver

from engine.actions import BoundaryRoll, Elect, Place, Rolled
from engine.match import Match
from tests.webui.axe import faults
from tests.webui.companions import by_hand
from tests.webui.conftest import console
from tests.webui.pages import every, one, soon, text
from tests.webui.playing import do, same_table, shown
from webui.server import TableServer

Begin = Callable[..., None]
RED, BLUE = (1, 2, 3, 4, 5, 6, 6, 6), (1, 1, 1, 1, 2, 2, 3, 5)


def opened(page: webdriver.Chrome) -> Match:
    """Both Big Rolls are typed; red is to choose an edge."""
    match = Match.start(colours=("red", "blue"))
    for faces in (RED, BLUE):
        do(page, match.position, Rolled(faces))
        match = match.apply(Rolled(faces))
    return match


def test_a_lost_connection_is_said_and_the_match_goes_on_where_it_was(
    page: webdriver.Chrome, tmp_path: Path, serve_table: Callable[..., TableServer]
) -> None:
    _, companion = by_hand(tmp_path)
    server = serve_table(companion)
    port = int(server.address.rstrip("/").rsplit(":", 1)[1])
    page.get(f"{server.address}new")
    soon(page, lambda: one(page, "#begin").is_enabled())
    one(page, "#begin").click()
    soon(page, lambda: page.current_url.endswith("/live") and shown(page))
    match = opened(page)
    name = companion.room.name
    server.stop()
    assert server.ended.wait(5)
    companion.close()
    soon(page, lambda: text(page, "#alarm").startswith("Connection lost."))
    moves = [each.get_attribute("aria-disabled") for each in every(page, "#moves .move")]
    assert moves == ["true", "true"]  # nothing can be done that would be lost
    same_table(page, match.position)
    console(page)  # the browser says that the server was gone
    _, again = by_hand(tmp_path)
    again.room.resume(name)
    serve_table(again, port)
    soon(page, lambda: not one(page, "#alarm").is_displayed())
    soon(page, lambda: one(page, "#moves .move").get_attribute("aria-disabled") is None)
    do(page, match.position, BoundaryRoll("low"))  # with the token of the new run
    same_table(page, match.apply(BoundaryRoll("low")).position)


def test_a_page_left_open_over_a_restart_offers_the_match_and_goes_on_with_it(
    page: webdriver.Chrome, tmp_path: Path, serve_table: Callable[..., TableServer]
) -> None:
    _, companion = by_hand(tmp_path)
    server = serve_table(companion)
    port = int(server.address.rstrip("/").rsplit(":", 1)[1])
    page.get(f"{server.address}new")
    soon(page, lambda: one(page, "#begin").is_enabled())
    one(page, "#name-0").send_keys("Anna")
    one(page, "#begin").click()
    soon(page, lambda: page.current_url.endswith("/live") and shown(page))
    match = opened(page)
    server.stop()
    assert server.ended.wait(5)
    companion.close()
    soon(page, lambda: text(page, "#alarm").startswith("Connection lost."))
    serve_table(by_hand(tmp_path)[1], port)
    # The program that comes back plays nothing: the page says so instead of what was to be done.
    soon(page, lambda: text(page, "#start h1") == "No match is being played.")
    seen = [each.text for each in every(page, "h1") if each.is_displayed()]
    assert seen == ["No match is being played."]
    assert not one(page, "#turn").is_displayed()
    soon(page, lambda: text(page, "#offers button") == "Go on with Anna 54 and Blue 16")
    one(page, "#offers button").click()
    soon(page, lambda: shown(page))
    assert text(page, "#prompt") == "Anna chooses an edge and rolls it."
    same_table(page, match.position)


def test_hints_speech_and_sounds_are_off_until_they_are_switched_on(
    page: webdriver.Chrome, begin: Begin
) -> None:
    begin(("Anna", "red"), ("Ben", "blue"))
    page.execute_script(
        "window.said = []; speechSynthesis.speak = (each) => window.said.push(`${each.lang}: ${each.text}`);"
        "window.tones = 0; const start = OscillatorNode.prototype.start;"
        "OscillatorNode.prototype.start = function (...all) { window.tones += 1; start.apply(this, all); };"
    )
    match = opened(page)
    assert page.execute_script("return [window.said.length, window.tones]") == [0, 0]
    assert not every(page, ".hint")
    for name in ("hints", "speech", "sounds"):
        assert one(page, f"#{name}").get_attribute("aria-pressed") == "false"
        one(page, f"#{name}").click()
        assert one(page, f"#{name}").get_attribute("aria-pressed") == "true"
    try:
        soon(page, lambda: len(every(page, "#moves .hint")) == 2)
        assert text(page, "#moves .hint.best").startswith("Hint: best, ")
        assert page.execute_script("return window.said") == [
            "en: Anna chooses an edge and rolls it."
        ]
        assert page.execute_script("return window.tones") == 1
        do(page, match.position, BoundaryRoll("low"))
        soon(
            page,
            lambda: page.execute_script("return window.said.at(-1)") == "en: Anna rolls one die.",
        )
    finally:
        page.execute_script("localStorage.clear()")


def test_the_chances_of_each_edge_are_shown(page: webdriver.Chrome, begin: Begin) -> None:
    begin(("Anna", "red"), ("Ben", "blue"))
    opened(page)
    low = every(page, '#moves [data-action="boundary low"] .bars')[0].get_attribute("aria-label")
    # One die is rolled from 1 2 3 4 5 6 6 6: only a 1 stays the lowest below the 2, a 2 or more leaves a 2.
    assert low == "1: 17 %, 2: 83 %"
    high = every(page, '#moves [data-action="boundary high"] .bars')[0].get_attribute("aria-label")
    # Of three dice none shows a 6 with (5/6)^3, and a 5 is there already.
    assert high == "5: 58 %, 6: 42 %"
    for each in every(page, "#moves .chances"):  # what the bars are is said above them
        assert each.text.startswith("Chance that this edge then shows:")


def test_tied_players_are_told_to_roll_again_and_scores_stay(
    page: webdriver.Chrome, begin: Begin
) -> None:
    begin(("Anna", "red"), ("Ben", "blue"))
    match = Match.start(colours=("red", "blue"))
    for faces in (RED, RED):
        do(page, match.position, Rolled(faces))
        match = match.apply(Rolled(faces))
    # Rule 3:4.B.
    assert text(page, "#rolls .order").startswith(
        "Anna and Ben tie: both roll all eight dice again"
    )
    for faces in (BLUE, RED):
        do(page, match.position, Rolled(faces))
        match = match.apply(Rolled(faces))
    same_table(page, match.position)
    assert text(page, "#prompt") == "Ben chooses an edge and rolls it."
    assert [text(page, f'.player[data-colour="{each}"] .running') for each in ("red", "blue")] == [
        "54"
    ] * 2


def test_a_bonus_is_elected_by_a_tap_and_its_dice_are_highlighted(
    page: webdriver.Chrome, begin: Begin
) -> None:
    begin(("Anna", "red"), ("Ben", "blue"))
    match = Match.start(colours=("red", "blue"))
    for faces in ((2, 2, 2, 2, 2, 2, 6, 6), BLUE):
        do(page, match.position, Rolled(faces))
        match = match.apply(Rolled(faces))
    # Rule 3:2.D: both are offered, best first.
    offered = [each.text.split("\n") for each in every(page, ".elect")]
    assert [each[0] for each in offered] == ["Fully matched set", "Six of a kind"]
    assert [each[-1] for each in offered] == ["+24", "+12"]
    assert len(every(page, '.roll[data-colour="red"] .die.chosen')) == 8
    do(page, match.position, Elect("six of a kind"))
    assert text(page, '.player[data-colour="red"] .running') == "36"
    assert "six of a kind" in text(page, '.player[data-colour="red"] .score-parts')


def test_what_changes_moves_unless_the_browser_asks_for_less_motion(
    page: webdriver.Chrome, begin: Begin
) -> None:
    begin(("Anna", "red"), ("Ben", "blue"))
    match = opened(page)
    page.execute_script(
        "window.moved = 0; const animate = Element.prototype.animate;"
        "Element.prototype.animate = function (...all) { window.moved += 1; return animate.apply(this, all); };"
    )
    for action in (BoundaryRoll("low"), Rolled((4,)), Place(6, "left")):
        do(page, match.position, action)
        match = match.apply(action)
    # The rolled die tumbles; the placed one flies to its place, where it appears.
    assert page.execute_script("return window.moved") == 3
    reduced = {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]}
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", reduced)
    for action in (BoundaryRoll("low"), Rolled((5, 5, 5, 5)), Place(5, "left")):
        do(page, match.position, action)
        match = match.apply(action)
    assert page.execute_script("return window.moved") == 3
    same_table(page, match.position)


def test_who_only_watches_sees_everything_and_can_change_nothing(
    page: webdriver.Chrome, begin: Begin
) -> None:
    begin(("Anna", "red"), ("Ben", "blue"))
    match = opened(page)
    page.execute_cdp_cmd("Network.enable", {})
    from_elsewhere = {"headers": {"X-Forwarded-For": "192.0.2.7"}}  # as another device asks
    page.execute_cdp_cmd("Network.setExtraHTTPHeaders", from_elsewhere)
    try:
        page.refresh()
        soon(page, lambda: every(page, "#board .field"))
        same_table(page, match.position)
        assert text(page, "#watching") == "This browser only watches. Control the match"
        assert str(one(page, "#watching a").get_attribute("href")).endswith("/join")
        assert not one(page, "#tools").is_displayed()
        assert not every(page, "#board .taps, #board button")
        before = shown(page)
        one(page, "#moves .move").click()
        assert shown(page) == before
        assert not one(page, "#oops").is_displayed()
        assert faults(page) == []
    finally:
        page.execute_cdp_cmd("Network.setExtraHTTPHeaders", {"headers": {}})
