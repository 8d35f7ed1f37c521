"""Whether somebody erred hangs on what one die shows: the players are asked what it is."""

from __future__ import annotations

import pytest

from engine.evidence import Pin
from engine.questions import reading
from engine.referee import Referee
from engine.table import Area
from engine.verdict import Agrees, Infringement, Unsure
from tests.engine.tables import table
from tests.engine.watched import Table

LAWN = {5: "rw.", 6: ".wb"}
RED = 0


def a_die_is_moved() -> tuple[Table, int]:
    """A 2, an inner die, is moved, and is read as a 3, which it may be or not."""
    seen = Table(table("boundary-choice red", {"red": "1244456", "blue": "1123456"}, LAWN))
    seen.look()
    seen.scene.take(RED, 2)
    key = seen.scene.put(RED, 3, Area("row", RED)).key
    seen.misread = {key: {3: 0.97, 2: 0.003}}
    seen.look(8)
    return seen, key


def test_where_one_die_decides_whether_somebody_erred_it_is_asked_for_once() -> None:
    seen, key = a_die_is_moved()
    (asked,) = seen.questions()
    assert (asked.keys, asked.look_at, asked.guesses) == ((key,), (Area("row", RED),), ())
    assert "off the Lawn" in asked.sentence
    assert not seen.infringements()
    said = seen.look(3, still_s=4.5)
    assert not any(isinstance(each, Agrees) for each in said), "it is no answer"
    assert seen.referee.standing == asked


@pytest.mark.parametrize("face", [2, 3])
def test_what_is_answered_settles_it(face: int) -> None:  # rule 4:1.A
    seen, key = a_die_is_moved()
    seen.referee = seen.referee.corrected(Pin(key, face=face))
    assert seen.referee.standing is None, "the question is answered"
    seen.look(4, still_s=4.5)
    accused = [(fault.kind, fault.player) for fault in seen.infringements()]
    assert accused == ([("inner-die-rolled", "red")] if face == 3 else [])
    assert len(seen.questions()) == 1


def test_a_question_of_a_reading_is_kept_in_the_referees_json() -> None:
    seen, _ = a_die_is_moved()
    again = Referee.from_json(seen.referee.to_json())
    assert isinstance(again.standing, Unsure)
    assert again.standing == seen.referee.standing


def test_a_question_goes_away_with_what_was_asked_about() -> None:
    seen, key = a_die_is_moved()
    moved = next(die for die in seen.scene.dice if die.key == key)
    seen.scene.dice.remove(moved)
    seen.scene.put(RED, 2, Area("row", RED), moved.xy_mm)
    seen.misread = {}
    seen.look(4)
    assert seen.referee.standing is None
    assert not seen.infringements()


def test_a_die_that_has_been_said_is_not_asked_for_again() -> None:
    seen, key = a_die_is_moved()
    _, look = seen.referee._looked(seen.scene.view())
    sight = look.sights()[0]
    asked = reading(seen.position, sight)
    assert asked is not None
    assert asked.keys == (key,)
    _, look = seen.referee.corrected(Pin(key, face=3))._looked(seen.scene.view())
    assert reading(seen.position, look.sights()[0]) is None


def test_a_fault_that_is_sure_is_named_and_not_asked() -> None:
    seen = Table(table("boundary-choice red", {"red": "1244456", "blue": "1123456"}, LAWN))
    seen.look()
    seen.scene.take(RED, 2)
    seen.scene.put(RED, 3, Area("row", RED))
    seen.look(8)
    assert isinstance(seen.referee.standing, Infringement)
    assert not seen.questions()
