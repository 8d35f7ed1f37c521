"""Matches followed from made recordings, by the shipped networks and the real referee, on the page.

LAWN_SCREENSHOTS=docs/images python -m pytest -m slow tests/webui/test_match_from_film.py
paints the pictures of the page that the README shows anew: page.png, referee.png, new-match.png and big-roll.png.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest
from selenium import webdriver

from engine.actions import Rolled
from engine.match_log import Entry
from engine.position import Position
from tests.webui.conftest import console
from tests.webui.filmed import NAMES, Film, filmed
from tests.webui.pages import every, one, resize, soon, text
from tests.webui.playing import do, same_table, shown
from webui.companion import Companion
from webui.demo_command import FILM
from webui.live import LiveTable
from webui.match_state import as_seen
from webui.server import TableServer

Serve = Callable[..., TableServer]
pytestmark = pytest.mark.slow
DEMO = Path(str(files("webui") / "demo"))
REST_S = 5.0
"""So long the last picture stands, so that what it shows is final."""
SEEN_TURNS = 15
"""So many turns have been seen, the Big Rolls among them, when the round is painted."""
LOOK_EVERY_S = 5.0
"""So often, by the film's clock, the page is compared with the match while a film goes on."""


def watched(
    page: webdriver.Chrome,
    serve: Serve,
    film: Film,
    made: tuple[LiveTable, Companion],
    look: Callable[[], None] = lambda: None,
) -> None:
    """Let the page follow a whole film, and look now and then whether it shows what the referee holds.

    look: called after every picture.
    """
    _, companion = made
    page.get(f"{serve(companion).address}live")
    soon(page, lambda: shown(page))
    next_s = 0.0
    for time_s, image in film.pictures(rests_s=REST_S):
        film.show(time_s, image)
        look()
        if time_s < next_s:
            continue
        next_s = time_s + LOOK_EVERY_S
        soon(page, lambda: shown(page) == str(companion.room.shown.version))
        same_table(page, as_seen(companion.room.session.state())[0].position)
    film.close()
    soon(page, lambda: shown(page) == str(companion.room.shown.version))


def entries(companion: Companion) -> list[Entry]:
    return [entry for turn in companion.room.session.log.game.turns for entry in turn.entries]


def test_a_whole_round_of_two_is_played_through_the_page_from_a_recording(
    page: webdriver.Chrome, serve_table: Serve, tmp_path: Path, screenshots: Path
) -> None:
    # The recording that ships: Big Rolls, pushes, captures, locks, a lost turn, and the round's end.
    film = Film(Path(FILM).stem, DEMO)
    made = filmed(film, tmp_path)
    done: list[bool] = []

    def paint() -> None:
        """In the middle of the round, while all lies still: with a lock, pushes and captures."""
        session, table = made[1].room.session, made[0].state.data["table"]
        if len(session.log.game.turns) == SEEN_TURNS and table and table["state"] == "still":
            soon(page, lambda: shown(page) == str(made[1].room.shown.version))
            soon(page, lambda: text(page, "#lying") == "Still.")
            painted(page, screenshots / "page.png")
            resize(page, 1280, 800)
            done.append(True)

    with made[0]:
        watched(page, serve_table, film, made, lambda: None if done else paint())
        assert done
        assert entries(made[1]) == list(film.log)
        (ended,) = made[1].room.session.log.game.match.rounds
        assert ended == film.match.rounds[0]
        soon(page, lambda: every(page, ".sheet tbody tr"))
        for line, name, score, total in zip(
            every(page, ".sheet tbody tr"), NAMES, ended.scores, ended.totals, strict=False
        ):
            lead, parts = score.base + score.bonus, (score.captured, score.lawn, score.total)
            # Rule 7:2: the three parts of the round, their sum, and the total.
            assert line.text.split() == [name, *map(str, (lead, *parts, total))]
        assert len(every(page, ".past")) == len(made[1].room.session.log.game.turns)
        assert not one(page, "#referee").is_displayed()
        assert console(page) == []


def test_three_players_open_a_round_through_the_page_from_a_recording(
    page: webdriver.Chrome, serve_table: Serve, tmp_path: Path
) -> None:
    film = Film("three")
    made = filmed(film, tmp_path)
    with made[0]:
        watched(page, serve_table, film, made)
        assert entries(made[1]) == list(film.log)
        opening = film.match.position.opening
        # Rule 3:4.A: the order of play goes by the Big Rolls' totals, base and bonus.
        order = sorted(range(3), key=lambda seat: -opening.lead(seat))
        assert list(film.match.position.order) == order != [0, 1, 2]
        names = [each.text for each in every(page, "#tally .name")]
        assert names == [NAMES[seat] for seat in order]
        points = {each.get_attribute("data-colour"): each for each in every(page, "#tally .player")}
        for seat, colour in enumerate(film.match.colours):
            shown_points = points[colour].find_element("css selector", ".running").text
            assert shown_points == str(opening.lead(seat))
        # Rule 4:3.B: the first die on an open row lies in its center, the next one on a flank.
        words = [each.text for each in every(page, ".past-text")][:3]
        assert [each.split(", ")[1] for each in words] == ["5 left", "6 center", "5 center"]
        same_table(page, film.match.position)
        assert console(page) == []


def painted(page: webdriver.Chrome, path: Path, width: int = 1440, height: int = 900) -> None:
    """Save how the page looks, once nothing moves on it any more."""
    resize(page, width, height)
    page.execute_script("scrollTo(0, 0)")
    soon(page, lambda: not page.execute_script("return document.getAnimations().length"))
    page.save_screenshot(str(path))
    assert path.stat().st_size > 50_000


def test_turns_of_a_recording_with_a_push_a_capture_and_a_lock_reach_the_page(
    page: webdriver.Chrome, serve_table: Serve, tmp_path: Path
) -> None:
    film = Film("pushes")
    table, companion = filmed(film, tmp_path)
    stills = film.truth["stills"]
    with table:
        companion.room.session.play(film.log[: stills[0]["applied"]])
        page.get(f"{serve_table(companion).address}live")
        soon(page, lambda: every(page, "#board .field"))
        for time_s, image in film.pictures():
            film.show(time_s, image)
        end = Position.from_string(stills[-1]["position"])
        soon(
            page,
            lambda: page.execute_script("return document.querySelectorAll('.fence').length") == 1,
        )
        soon(page, lambda: shown(page) == str(companion.room.shown.version))
        same_table(page, end)
        said = [each.text for each in every(page, ".past-text")][:3]
        assert "captures 5" in said[0]
        assert "locks row 5" in said[0]
        assert "6 left" in said[1]
        assert "pushes Anna" in said[2]
        assert text(page, "#heard").endswith("% sure")
        assert text(page, '.player[data-colour="blue"] .running') == "44"  # 24 + 5 + 15
        one(page, ".past-says").click()  # each turn has its picture
        soon(
            page,
            lambda: page.execute_script(
                "return document.querySelector('.moment')?.naturalWidth > 0"
            ),
        )
        assert console(page) == []
        film.close()


def test_big_rolls_are_read_and_a_die_on_the_wrong_row_is_named_until_it_is_mended(
    page: webdriver.Chrome, serve_table: Serve, tmp_path: Path, screenshots: Path
) -> None:
    film = Film("cheat")
    table, companion = filmed(film, tmp_path)
    wrong = next(each for each in film.truth["events"] if each["type"] == "infringement")
    mended = next(each for each in film.truth["events"] if each["type"] == "mended")
    named = False
    with table:
        page.get(f"{serve_table(companion).address}live")
        for time_s, image in film.pictures():
            film.show(time_s, image)
            if companion.room.session.log.question is not None and not named:
                named = True
                assert wrong["t0_s"] < time_s < mended["t1_s"]
                soon(page, lambda: one(page, "#referee").is_displayed())
                assert text(page, "#referee .rule") == "Rule 4:3.A"
                assert every(page, ".cell.lit")
                painted(page, screenshots / "referee.png")
                resize(page, 1280, 800)
            if time_s > mended["t1_s"] + 2:
                break
        assert named
        soon(page, lambda: not one(page, "#referee").is_displayed())
        film.close()
    rolls = [turn.entries[0].action for turn in companion.room.session.log.game.turns[:2]]
    assert rolls == [entry.action for entry in film.log[:2]]


def test_new_match_shows_the_table_and_whose_colours_lie_there(
    page: webdriver.Chrome, serve_table: Serve, tmp_path: Path, screenshots: Path
) -> None:
    film = Film("pushes")
    table, companion = filmed(film, tmp_path)
    companion.leave()
    with table:
        page.get(f"{serve_table(companion).address}new")
        for time_s, image in film.pictures():
            film.show(time_s, image)
            if len(every(page, ".colours-seen li")) == 3 and len(every(page, ".check.good")) > 2:
                break
        for seat, name in enumerate(("Anna", "Ben")):
            one(page, f"#name-{seat}").send_keys(name)
        assert not any(each.is_displayed() for each in every(page, "#cameras .note"))
        page.execute_script("document.activeElement.blur()")
        painted(page, screenshots / "new-match.png", height=1420)
        film.close()


def test_three_big_rolls_with_an_election(
    page: webdriver.Chrome, begin: Callable[..., None], screenshots: Path
) -> None:
    begin(("Anna", "red"), ("Ben", "blue"), ("Cleo", "green"))
    start = Position.start(3)
    for faces in ((3, 3, 3, 3, 3, 4, 4, 4), (1, 2, 3, 4, 5, 6, 6, 6), (2, 2, 2, 2, 2, 2, 5, 6)):
        do(page, start, Rolled(faces))
    assert text(page, "#rolls .order").startswith("Anna has several bonuses")
    painted(page, screenshots / "big-roll.png", height=820)
