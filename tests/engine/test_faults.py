"""Which of several faults that look alike is named, and whose it is."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.fault_parts import patterns
from engine.lawn import NEUTRAL
from engine.table import ELSEWHERE, Area, LawnPlace
from tests.engine.tables import table
from tests.engine.watched import Table

ROWS = {"red": "1244456", "blue": "1123456"}
LAWN = {5: "rw.", 6: ".wb"}
RED, BLUE = 0, 1


@pytest.fixture
def reds_turn() -> Table:
    seen = Table(table("boundary-choice red", ROWS, LAWN))
    seen.look()
    return seen


def named(seen: Table) -> list[tuple[str, str, str | None]]:
    """The faults that are named once the table has lain so for a while."""
    seen.look(6)
    return [(fault.kind, fault.rule, fault.player) for fault in seen.infringements()]


def blue_rolls(seen: Table) -> None:
    seen.scene.take(BLUE, 6)
    seen.scene.put(BLUE, 2, Area("row", BLUE))


def blue_places(seen: Table) -> None:
    blue_rolls(seen)
    seen.scene.take(BLUE, 5)
    seen.scene.put(BLUE, 5, LawnPlace(5, "right"))


# --- who has acted out of turn ----------------------------------------------------------------


@pytest.mark.parametrize("does", [blue_rolls, blue_places])
@pytest.mark.parametrize("looked", [False, True])
def test_who_rolled_and_did_not_place_before_the_next_one_acts_has_passed(
    reds_turn: Table, looked: bool, does: Callable[[Table], None]
) -> None:
    reds_turn.act("boundary low", "rolled 3")
    if looked:
        reds_turn.look()
    does(reds_turn)
    assert named(reds_turn) == [("turn-passed", "4", "red")]


@pytest.mark.parametrize("does", [blue_rolls, blue_places])
def test_who_acts_before_the_player_in_turn_has_acts_out_of_turn(
    reds_turn: Table, does: Callable[[Table], None]
) -> None:
    does(reds_turn)
    assert named(reds_turn) == [("out-of-turn", "3:4.A", "blue")]


# --- how a push has gone wrong ------------------------------------------------------------------


def test_a_replaced_flank_die_is_called_that_though_a_wrong_slide_would_look_the_same() -> None:
    seen = Table(table("boundary-choice red", {"red": "1445566", "blue": "1123456"}, {4: "bwr"}))
    seen.look()
    seen.act("boundary low", "rolled 4")
    seen.look()
    scene = seen.scene
    scene.take(RED, 4)
    scene.take(BLUE, 4, LawnPlace(4, "left"))
    scene.put(RED, 4, LawnPlace(4, "left"))
    scene.put(BLUE, 4, ELSEWHERE, (-14.0, 91.0))
    assert named(seen) == [("push-not-slid", "5:1.B", "red")]


def test_a_wrong_slide_is_told_where_nothing_else_looks_so() -> None:  # rule 5:1.B
    kinds = [kind for kind, _, _ in patterns((BLUE, NEUTRAL, RED), (NEUTRAL, BLUE, RED), RED)]
    assert kinds
    assert set(kinds) == {"push-wrong-way"}
