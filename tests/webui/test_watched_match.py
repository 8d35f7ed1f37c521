"""A match that a camera follows, on the page: turns as they are seen, infringements, doubts, corrections.

The views are those of a simulated table, given to the real session and referee behind a real server.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from engine.actions import BoundaryRoll, Rolled
from engine.game_events import Asked
from engine.journal_file import SUFFIX
from engine.match_log import Entry
from engine.mock_cheats import infringe
from engine.mock_table import MockTable
from engine.mock_turns import Manners, play_turn, turn_of
from engine.table import Area, TableView
from engine.verdict import Guess, Infringement, Unsure
from tests.engine.mock_games import evaluation
from tests.vision.tables import SimulatedTable, claims_best, noise
from tests.webui.axe import faults
from tests.webui.companions import by_hand
from tests.webui.conftest import console
from tests.webui.pages import every, one, soon, text
from tests.webui.playing import same_table, shown
from webui.companion import Companion
from webui.server import TableServer


class Elsewhere:
    """The eyes of a session whose views come from a test."""

    mat = None

    def see(self, image: object, time_s: float) -> TableView | None:  # noqa: ARG002
        return None

    def current(self) -> TableView | None:
        return None

    def lost(self) -> None:
        return


@dataclass
class Watched:
    """A simulated table, the session that follows it, and the page that shows it."""

    table: SimulatedTable
    companion: Companion
    page: webdriver.Chrome

    def shows(self) -> None:
        """Wait until the page shows the newest state."""
        version = str(self.companion.room.shown.version)
        soon(self.page, lambda: shown(self.page) == version)


@pytest.fixture
def watched(
    page: webdriver.Chrome, tmp_path: Path, serve_table: Callable[..., TableServer]
) -> Iterator[Watched]:
    """Six turns were played before the camera came; the table lies at rest."""
    path = tmp_path / f"2026-03-14-1500-anna-ben{SUFFIX}"
    table = SimulatedTable(path, noise(evaluation()), seed=4, turns=6)
    table.session.close()
    _, companion = by_hand(tmp_path)
    companion.room.resume(path.name.removesuffix(SUFFIX), lambda _: Elsewhere())
    table.session = companion.room.session
    table.rest()
    page.get(f"{serve_table(companion).address}live")
    made = Watched(table, companion, page)
    soon(page, lambda: every(page, "#board .field"))
    yield made
    companion.room.leave()


def test_a_turn_that_is_seen_is_shown_with_its_certainty(watched: Watched) -> None:
    page, table = watched.page, watched.table
    same_table(page, table.position)
    turns = int(text(page, ".past .number"))
    table.play()
    watched.shows()
    soon(page, lambda: int(text(page, ".past .number")) > turns)
    same_table(page, table.position)
    assert text(page, "#heard")
    assert text(page, "#heard").endswith("% sure")
    turn = watched.companion.room.session.log.game.match.position.turn_colour
    assert one(page, ".prow.turn").get_attribute("data-colour") == turn
    assert console(page) == []


def test_what_only_seems_to_have_been_done_heads_the_turns_until_it_is_final(
    watched: Watched,
) -> None:
    page, table = watched.page, watched.table
    before, manners = table.position, Manners((1.0, 1.0))
    _, actions = play_turn(before, [claims_best] * 2, table.rng)
    table.follow(turn_of(table.table, before, actions, manners, table.rng))
    assert watched.companion.room.session.state().provisional is not None
    watched.shows()
    soon(page, lambda: len(every(page, ".seeming")) == 1)
    assert text(page, ".seeming .source") == "not sure yet"
    assert "99 % sure" in text(page, "#seems")
    table.rest(3)
    watched.shows()
    soon(page, lambda: not every(page, ".seeming"))
    assert not one(page, "#seems").is_displayed()


def cheat(watched: Watched) -> MockTable:
    """A die is laid on the wrong row (4:3.A); the table as it is when that is mended."""
    table = watched.table
    manners, rng = Manners((1.0, 1.0)), random.Random(4)
    fault = infringe("wrong-row", table.table, table.position, manners, rng)
    assert fault is not None
    table.watcher.uncovered = fault.uncovered
    table.see(table.watcher.shots(fault.moments))
    table.moment = fault.moments[-1]
    table.rest(12)
    watched.shows()
    return fault.mended


def test_an_infringement_is_lit_with_its_rule_and_mend_until_the_table_is_right(
    watched: Watched,
) -> None:
    page, table = watched.page, watched.table
    mended = cheat(watched)
    question = watched.companion.room.session.log.question
    assert question is not None
    assert isinstance(question.verdict, Infringement)
    soon(page, lambda: one(page, "#referee").is_displayed())
    # The headline says what happened, by whose name, and the mend stands below it (rule 4:3.A).
    named = question.verdict.sentence.replace("Blue", "Ben")
    what, _, why = named.removesuffix(" (4:3.A).").partition(": ")
    assert text(page, "#prompt") == f"{what}."
    assert text(page, "#heard") == question.verdict.mend
    assert text(page, "#referee .verdict") == f"{what}: {why}. Rule 4:3.A"
    assert text(page, "#referee").count("4:3.A") == 1
    assert question.verdict.mend in text(page, "#referee .mend")
    link = one(page, "#referee .rule")
    assert link.text == "Rule 4:3.A"
    assert str(link.get_attribute("href")).endswith("/rules#rule-4-3-A")
    assert len(every(page, "#board .cell.lit .strange")) == 1  # with the die as it lies there
    assert [faults(page, scheme) for scheme in ("light", "dark")] == [[], []]
    table.table, table.moment = mended, replace(table.moment, table=mended)
    table.rest(5)
    watched.shows()
    soon(page, lambda: not one(page, "#referee").is_displayed())
    assert not every(page, "#board .lit")


def test_an_infringement_is_accepted_as_played(watched: Watched) -> None:
    page = watched.page
    cheat(watched)
    soon(page, lambda: one(page, "#referee .plain").is_displayed())
    assert text(page, "#referee .plain") == "Accept as played"
    one(page, "#referee .plain").click()
    soon(page, lambda: not one(page, "#referee").is_displayed())
    assert watched.companion.room.session.log.game.turns[-1].source == "ruling"
    soon(page, lambda: "ruling" in text(page, ".past .source"))


def test_a_doubt_is_settled_by_one_tap(watched: Watched) -> None:
    page, session = watched.page, watched.companion.room.session
    position = session.log.game.match.position
    colour = str(position.turn_colour)
    count = position.apply(BoundaryRoll("low")).dice_in_the_air
    guesses = tuple(
        Guess(
            (Entry(BoundaryRoll("low"), colour), Entry(Rolled((face,) * count), colour)),
            p,
            f"{colour} rolled the low edge and it shows {face}.",
        )
        for face, p in ((2, 0.55), (3, 0.4))
    )
    key = session.keeper.view.dice[0].key if session.keeper.view else 0
    look = (Area("row", position.turn),)
    session.keeper.write(
        Asked(Unsure("One die could be a 2 or a 3; look at it.", look, (key,), guesses))
    )
    session.note("asked")  # tells the page
    watched.shows()
    soon(page, lambda: len(every(page, "#referee .guess")) == 2)
    assert [each.text for each in every(page, ".guess .p")] == ["55 %", "40 %"]
    assert every(page, "#referee .crop img")
    assert "lit" in str(one(page, f'.prow[data-colour="{colour}"]').get_attribute("class"))
    one(page, "#referee .guess").click()
    soon(page, lambda: not one(page, "#referee").is_displayed())
    rolled = session.log.game.match.log[-1].action
    assert rolled == Rolled((2,) * count)


def test_a_doubt_without_guesses_is_settled_by_what_the_die_shows(watched: Watched) -> None:
    page, session = watched.page, watched.companion.room.session
    view = session.keeper.view
    assert view is not None
    die = next(die for die in view.dice)
    sentence = (
        "It hangs on one die whether all was done by the rules; look at the die off the Lawn and "
        "say what it is."
    )
    look = (Area("row", session.log.game.match.position.turn),)
    session.keeper.write(Asked(Unsure(sentence, look, (die.key,), ())))
    session.note("asked")  # tells the page
    watched.shows()
    soon(page, lambda: every(page, "#referee .say-face"))
    assert text(page, "#referee .verdict") == sentence
    assert not every(page, "#referee .guesses"), "there is nothing to choose from"
    every(page, "#referee .say-face button")[die.face - 1].click()
    soon(page, lambda: any(pin.key == die.key for pin in session.keeper.referee.evidence.pins))


def test_a_tap_on_a_die_corrects_what_was_read(watched: Watched) -> None:
    page, session = watched.page, watched.companion.room.session
    view = session.keeper.view
    assert view is not None
    place, die = next((p, dice[0]) for p, dice in view.on_lawn().items())
    one(page, f'[data-spot="{place.row}-{place.side}"]').click()
    soon(page, lambda: every(page, "#fix[open] .faces"))
    assert text(page, "#fix h2").endswith(
        f"Row {place.row}, {place.side}" + (" flank" if place.side != "center" else "")
    )
    pressed = one(page, '#fix .face[aria-pressed="true"]')
    assert pressed.get_attribute("data-value") == str(die.face)
    assert faults(page) == []
    face = die.face % 6 + 1
    one(page, f'#fix .face[data-value="{face}"]').click()
    soon(page, lambda: not every(page, "#fix[open]"))
    soon(page, lambda: die.key in session.state().corrected)
    assert one(page, "#undo").is_enabled()
    one(page, "#undo").click()
    soon(page, lambda: die.key not in session.state().corrected)


def test_everything_can_be_reached_by_keyboard(watched: Watched) -> None:
    page = watched.page
    reached: list[str] = []
    one(page, "#content").send_keys("")
    for _ in range(80):
        ActionChains(page).send_keys(Keys.TAB).perform()
        focused = page.switch_to.active_element
        name = (
            focused.get_attribute("data-spot")
            or focused.get_attribute("id")
            or focused.get_attribute("class")
        )
        reached.append(str(name))
    places = {f"{row}-{side}" for row in range(1, 7) for side in ("left", "center", "right")}
    assert places <= set(reached)
    assert {"undo", "pause", "leave", "hints", "speech", "sounds", "pasts"} <= set(reached)
    cell = one(page, '[data-spot="3-left"]')
    cell.send_keys(Keys.ENTER)
    soon(page, lambda: every(page, "#fix[open]"))
    ActionChains(page).send_keys(Keys.ESCAPE).perform()
    soon(page, lambda: not every(page, "#fix[open]"))
