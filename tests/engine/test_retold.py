"""Nobody is accused of what a mistake in the log may explain."""

from __future__ import annotations

from engine.actions import parse_action
from engine.referee import Referee
from engine.referee_state import Look
from engine.retold import misread
from engine.verdict import Unsure
from tests.engine.tables import play, table
from tests.engine.views import Scene
from tests.engine.watched import Table

ROWS = {"red": "1244456", "blue": "1123456"}
LAWN = {5: "rw.", 6: ".wb"}
TURN = ("boundary low", "rolled 3", "place 6 left")


def asked(seen: Table, *true: str) -> Unsure | None:
    """What is asked in the place of an accusation, when the table shows what follows these actions."""
    scene = Scene.of(play(table("boundary-choice red", ROWS, LAWN), *true))
    scene.time_s = seen.scene.time_s
    referee, look = seen.referee._looked(scene.view())
    assert isinstance(referee, Referee)
    assert isinstance(look, Look)
    assert referee.trail is not None
    return misread(referee.match, referee.trail, look, look.sights())


def logged() -> Table:
    seen = Table(table("boundary-choice red", ROWS, LAWN))
    seen.look()
    seen.act(*TURN)
    seen.look(4)
    assert seen.final() == list(TURN)
    return seen


def test_where_another_turn_than_the_logged_one_explains_all_it_is_asked() -> None:  # rule 3:4.A
    true = ("boundary low", "rolled 2", "place 2 left")
    question = asked(logged(), *true, "boundary low", "rolled 5 5")
    assert question is not None
    told = [[entry.action for entry in guess.actions] for guess in question.guesses]
    assert list(map(parse_action, true)) in told
    assert {guess.replaces for guess in question.guesses} == {len(TURN)}


def test_where_the_log_explains_the_table_nothing_is_asked() -> None:
    assert asked(logged(), *TURN) is None
