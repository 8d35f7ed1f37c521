"""What is final and comes to be doubted is asked, before the log leaves it as it is for good."""

from __future__ import annotations

import pytest

from engine.verdict import Happened
from tests.engine.tables import table
from tests.engine.watched import Table

ROWS = {"red": "1244456", "blue": "1123456"}
LAWN = {5: "rw.", 6: ".wb"}


@pytest.fixture
def misread() -> Table:
    """Red has rolled a 3 that is surely read as a 5, and placed a 6; the log has it so."""
    seen = Table(table("boundary-choice red", ROWS, LAWN))
    seen.look()
    seen.act("boundary low", "rolled 3")
    seen.misread = {seen.rolled(3): {5: 0.9995, 3: 0.0005}}
    seen.look(3)
    seen.act("place 6 left")
    seen.look(3)
    assert seen.final() == ["boundary low", "rolled 5", "place 6 left"]
    return seen


def test_what_is_final_is_asked_once_another_story_is_as_likely(misread: Table) -> None:
    die = next(iter(misread.misread))
    misread.misread = {die: {3: 0.9995, 5: 0.0005}}
    misread.look(20)
    (asked,) = misread.questions()
    said = {str(guess.actions[1].action): guess for guess in asked.guesses}
    assert {"rolled 3", "rolled 5"} <= set(said)
    answer = said["rolled 3"]
    match = misread.referee.match
    assert answer.replaces == match.length
    start = Table(table("boundary-choice red", ROWS, LAWN)).referee.match
    misread.referee = misread.referee.played(start.played(answer.actions))
    misread.look(2)
    assert misread.referee.position.rows[0] == (2, 3, 4, 4, 4, 5)


def test_nobody_is_asked_while_no_other_story_comes_near_the_log(misread: Table) -> None:
    misread.look(20)
    assert misread.questions() == []
    assert all(verdict.replaces == 0 for verdict in misread.said if isinstance(verdict, Happened))


def test_nothing_is_logged_on_top_of_what_is_doubted_however_fast_the_others_play(
    misread: Table,
) -> None:
    die = next(iter(misread.misread))
    misread.misread = {die: {3: 0.998, 5: 0.002}}
    misread.look()
    misread.act("boundary low", "rolled 2 4")
    misread.look()
    misread.act("place 2 left")
    misread.look()
    misread.act("boundary low", "rolled 1")
    misread.look()
    misread.act("place 1 left")
    for number in range(8):
        misread.look(1, still_s=0.5 * number)
        if misread.questions():
            break
    assert misread.final() == ["boundary low", "rolled 5", "place 6 left"]
    (asked,) = misread.questions()
    assert {str(guess.actions[1].action) for guess in asked.guesses} >= {"rolled 3", "rolled 5"}
    misread.look(4)
    assert misread.final()[-1] == "place 1 left", "who does not answer is not held up"
