"""The end of a round under the referee's eyes, and the beginning of the next one."""

from __future__ import annotations

import pytest

from engine.referee import UNSURE_S
from engine.table import Area, LawnPlace
from engine.weighing import LONG_S
from tests.engine.matches import last_die
from tests.engine.tables import play, table
from tests.engine.views import Scene, read_as
from tests.engine.watched import Table


def test_a_last_roll_that_was_misread_is_corrected_after_the_end() -> None:  # rule 7:1.A
    lawn = {1: "rrr", 2: "ggb", 3: "brb", 4: "bbb", 5: "ggg", 6: "ggb"}
    dice = {"red": "5555", "blue": "4", "green": "5"}
    order = "blue>green>red"
    seen = Table(table("boundary-choice blue", dice, lawn, order=order, lost=2))
    seen.look()
    seen.act("boundary low", "rolled 1")
    key = seen.scene.dice[-1].key
    for still_s in (0.5, 1.0, 1.5, 2.0):
        view = read_as(seen.scene.view(still_s, after_s=0.5), key, face=5, belief=0.999)
        seen.referee, verdicts = seen.referee.see(view)
        seen.said += verdicts
    assert seen.final() == ["boundary low", "rolled 5"]
    assert seen.referee.ended is not None
    for still_s, doubt in ((2.5, 0.05), (3.0, 1e-6), (3.5, 2e-6)):
        seen.referee, verdicts = seen.referee.see(
            seen.scene.view(still_s, after_s=0.5, doubt=doubt)
        )
        seen.said += verdicts
    assert seen.final()[2:] == ["boundary low", "rolled 1"]
    assert seen.referee.ended == seen.position


def test_the_last_re_entry_of_a_round_is_final_after_a_long_rest_where_no_row_is_marked() -> None:
    lawn = {1: "rrr", 2: "ggb", 3: "bgr", 4: "brr", 5: "ggg", 6: "rb."}  # rules 5:2.B and 7:1.A
    dice = {"red": "3", "blue": "4455", "green": "55"}
    start = table("boundary-choice red", dice, lawn, options="ending first-out")
    seen = Table(start, areas=False)
    seen.look()
    seen.act("boundary low", "rolled 3", "place 3 right")
    seen.look(3)
    assert seen.referee.position.phase == "re-entry"
    seen.act("rolled 6")
    assert seen.position.is_over
    still_s = 0.5
    while still_s < LONG_S:
        seen.look(1, still_s)
        assert seen.final()[3:] == []
        still_s += 0.5
    seen.look(2, still_s)
    assert seen.final()[3:] == ["rolled 6"]


# --- the next round -------------------------------------------------------------------------


@pytest.fixture
def next_round() -> Table:
    """A round has ended, and all have rolled for the next one; a 3 of red's is taken for a 4, or not."""
    seen = Table(last_die({"red": "26", "blue": "15"}, threshold=500))
    seen.look()
    seen.act("place 3 left")
    seen.look(3)
    ended = seen.referee.ended
    assert ended == seen.position
    seen.position = seen.referee.position
    scene = Scene.of(seen.position)
    scene.time_s, scene._key = (
        seen.scene.time_s + 5,
        500,
    )  # other dice than those of the round before
    seen.scene = scene
    seen.look()
    for seat, faces in enumerate(((1, 2, 2, 3, 4, 5, 6, 6), (1, 1, 2, 2, 3, 4, 5, 5))):
        assert seen.referee.ended == ended  # some have yet to roll
        for face in faces:
            scene.put(seat, face, Area("row", seat))
        if seat == 0:
            seen.misread[seen.rolled(3)] = {3: 0.5, 4: 0.499}
        seen.look(3)
    assert seen.referee.match.is_between_rounds  # what red has rolled is not sure
    seen.position = play(seen.position, "rolled 1 2 2 3 4 5 6 6", "rolled 1 1 2 2 3 4 5 5")
    seen.said.clear()
    return seen


def test_once_all_have_rolled_the_table_shows_the_end_no_more(next_round: Table) -> None:
    assert next_round.referee.ended is None  # rule 3:1.A


def test_a_doubtful_big_roll_of_the_next_round_is_asked(next_round: Table) -> None:  # rule 3:1.A
    next_round.act("boundary low", "rolled 5", "place 6 left")
    next_round.look(int(2 * UNSURE_S) + 4)
    (question,) = next_round.questions()
    assert "red: rolled 1 2 2 3 4 5 6 6" in [str(guess.actions[0]) for guess in question.guesses]


def test_a_fault_in_the_first_turn_of_the_next_round_is_named(next_round: Table) -> None:
    next_round.act("boundary low", "rolled 5")  # rule 4:3.A
    next_round.look()
    next_round.scene.take(0, 6)
    next_round.scene.put(0, 6, LawnPlace(1, "left"))
    next_round.look(6)
    assert [(v.kind, v.player) for v in next_round.infringements()] == [("wrong-row", "red")]
