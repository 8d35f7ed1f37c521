"""Playing a match through the page by hand, as a person would: taps on the Lawn, the list of moves and the faces."""

from __future__ import annotations

import random
from collections.abc import Callable

from selenium import webdriver

from engine.actions import Action, BoundaryRoll, Elect, Place, Rolled
from engine.bots import greedy_bot
from engine.match import Match
from engine.position import Position
from tests.webui.pages import every, one, soon

BOARD = """
const owner = (spot) => document.querySelector(`[data-spot="${spot}"]`)?.dataset.owner;
return [1, 2, 3, 4, 5, 6].map((row) => ["left", "center", "right"].map((side) => owner(`${row}-${side}`)));
"""
ROWS = """
return Object.fromEntries([...document.querySelectorAll(".prow")].map((row) => [row.dataset.colour,
  [...row.querySelectorAll(".row-die")].map((die) => Number(die.dataset.face))]));
"""
# One call for all taps of a throw, as each call takes its time.
TAP_FACES = """
for (const face of arguments[0]) document.querySelector(`#pad .face[data-face="${face}"]`).click();
if (arguments[0].length > 1) document.querySelector("#pad .enter").click();
"""


def shown(page: webdriver.Chrome) -> str:
    """Which state of the match the page shows; "" before it shows any."""
    return one(page, "#table").get_attribute("data-match") or ""


def other_than(page: webdriver.Chrome, before: str) -> None:
    """Wait until the page shows another state of the match."""
    soon(page, lambda: shown(page) != before)


def do(page: webdriver.Chrome, position: Position, action: Action, on_board: bool = False) -> None:
    """Take one step by taps, and wait until the page shows it."""
    before = shown(page)
    if isinstance(action, Rolled):
        page.execute_script(TAP_FACES, list(action.faces))
    elif isinstance(action, Elect):
        category = action.category.replace(" ", "-")
        one(page, f"#elect-{position.turn_colour}-{category}").click()
    elif on_board and isinstance(action, BoundaryRoll):
        row = position.rows[position.turn]
        index = 0 if action.edge == "low" else len(row) - 1
        one(page, f'[data-spot="{position.turn_colour}-{index}"]').click()
    elif on_board and isinstance(action, Place):
        one(page, f'[data-spot="{action.face}-{action.side}"]').click()
    else:
        one(page, f'#moves [data-action="{action}"]').click()
    other_than(page, before)


def play(
    page: webdriver.Chrome,
    match: Match,
    rng: random.Random,
    stop: Callable[[Match], bool],
    check: bool = True,
) -> Match:
    """Play on, every player by a bot's choices and every throw from `rng`, until `stop` says so.

    Steps are taken on the board and in the list of moves in turn.
    """
    step = 0
    while not stop(match):
        position = match.position
        action = position.throw(rng) if position.is_chance else greedy_bot(position, rng)
        do(page, position, action, on_board=step % 2 == 0)
        match = match.apply(action)
        step += 1
        if check and step % 8 == 0:
            same_table(page, match.position)
    return match


def same_table(page: webdriver.Chrome, position: Position) -> None:
    """The page shows the Lawn and the Player Rows of that position."""
    if not every(page, "#board .field"):
        return  # the Big Roll, whose dice lie in a row of their own
    names = {-1: "", 3: "white", **dict(enumerate(position.colours))}
    assert page.execute_script(BOARD) == [[names[each] for each in row] for row in position.lawn]
    rows = {c: list(row) for c, row in zip(position.colours, position.rows, strict=True)}
    assert page.execute_script(ROWS) == rows
