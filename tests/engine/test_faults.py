"""Which of several faults that look alike is named, and whose it is."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.actions import Action, parse_action
from engine.evidence import Evidence
from engine.fault_parts import patterns
from engine.faults import faults
from engine.lawn import NEUTRAL
from engine.pools import packed
from engine.position import Position
from engine.sight import Seen, sightings
from engine.story_parts import Story, re_entering
from engine.table import ELSEWHERE, Area, LawnPlace
from engine.verdict import Infringement
from tests.engine.tables import table
from tests.engine.views import Scene
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


def test_a_fault_is_not_put_right_by_a_die_that_is_only_overlooked(reds_turn: Table) -> None:  # 4
    reds_turn.act("boundary low", "rolled 3")
    reds_turn.look()
    blue_rolls(reds_turn)
    assert named(reds_turn) == [("turn-passed", "4", "red")]
    rolled = reds_turn.scene.take(BLUE, 2)
    reds_turn.look(2, still_s=3.5)  # nothing has been moved since
    assert isinstance(reds_turn.referee.standing, Infringement)
    reds_turn.scene.put(BLUE, 6, Area("row", BLUE), rolled.xy_mm)
    reds_turn.look(2)
    assert reds_turn.referee.standing is None


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


# --- what only looks like a fault ---------------------------------------------------------------


def blue_row_is_moved(seen: Table, *faces: int) -> None:
    for face in faces:
        seen.scene.take(BLUE, face)
        seen.scene.put(BLUE, face, Area("row", BLUE))


def test_a_row_that_is_moved_and_misread_while_another_player_rolls_accuses_nobody(
    reds_turn: Table,
) -> None:  # rule 4
    reds_turn.act("boundary low", "rolled 3")
    blue_row_is_moved(reds_turn, 1, 1, 2, 3, 4, 5, 6)
    reds_turn.misread[reds_turn.rolled(6)] = {2: 0.9995}
    assert named(reds_turn) == []


# --- what is seen only in part --------------------------------------------------------------------


def test_who_pushes_a_die_of_the_player_in_turn_has_been_passed_the_turn() -> None:  # rule 4
    rows = {"red": "123", "blue": "3466"}
    lawn = {1: "rwr", 2: "bwr", 3: "bwb", 4: "rwb", 6: "rw."}
    seen = Table(table("boundary-choice red", rows, lawn), areas=False)
    seen.look()
    seen.act("boundary high", "rolled 5")
    seen.look(3)
    scene = seen.scene
    scene.take(BLUE, 6)
    scene.take(BLUE, 6)
    scene.put(BLUE, 2, ELSEWHERE)
    scene.put(BLUE, 4, ELSEWHERE)
    seen.look()
    scene.take(BLUE, 4)
    scene.slide(4, (NEUTRAL, BLUE, BLUE))
    scene.put(RED, 3, ELSEWHERE)  # with it, red might as well not have rolled
    assert named(seen) == [("turn-passed", "4", "red")]


def test_that_many_dice_were_rolled_and_some_are_doubtful_hides_no_fault() -> None:  # rule 4
    rows = {"red": "255555", "blue": "1111246"}
    seen = Table(table("boundary-choice red", rows, {4: "rw.", 6: "rwb"}))
    seen.look()
    seen.act("boundary high", "rolled 1 3 4 6 6")
    scene = seen.scene
    for face in (2, 3, 3, 5):
        scene.take(BLUE, 1)
        scene.put(BLUE, face, Area("row", BLUE))
    scene.take(BLUE, 6)
    scene.slide(6, (NEUTRAL, BLUE, BLUE))
    scene.put(RED, 2, Area("row", RED))
    for row in (1, 2):
        doubtful = scene.at(row, "center")
        scene.dice.remove(doubtful)
        put = scene.put(NEUTRAL, row, LawnPlace(row, "center"))
        seen.misread[put.key] = {row + 1: 0.75}
    assert named(seen) == [("turn-passed", "4", "red")]


def test_a_die_is_missing_though_another_one_is_overlooked_for_a_while(reds_turn: Table) -> None:
    reds_turn.scene.take(BLUE, 3)  # rule 1:1
    overlooked = reds_turn.scene.dice[-1]
    for count in range(1, 15):
        if count == 9:
            reds_turn.scene.dice.remove(overlooked)
        reds_turn.look(1, 0.5 * count)
    (fault,) = reds_turn.infringements()
    assert fault.kind == "die-missing"
    assert "maybe under another die or off the table" in fault.mend


# --- what explains no more than a story ------------------------------------------------------------


def test_a_big_roll_that_was_misread_and_is_put_in_order_accuses_nobody() -> None:  # rule 4:1.A
    seen = Table(Position.start(2))
    scene = seen.scene
    for face in (1, 2, 3, 3, 3, 4, 4, 4):
        scene.put(BLUE, face, scene.row_of(BLUE))
    seen.look(3)
    for face in (1, 2, 2, 2, 4, 4, 6):
        scene.put(RED, face, scene.row_of(RED))
    wrong = scene.put(RED, 4, scene.row_of(RED))
    seen.misread[wrong.key] = {5: 0.9985, 4: 0.0014}
    seen.look(4)
    for face in (1, 2, 2, 2, 4, 4, 4, 6):
        scene.dice.remove(next(die for die in scene.dice if (die.owner, die.face) == (RED, face)))
        scene.put(RED, face, scene.row_of(RED))
    assert named(seen) == []


def test_dice_that_came_to_lie_where_others_lay_prove_no_roll_of_a_part() -> None:
    rows, lawn = {"red": "222", "blue": "3336"}, {2: "bw.", 4: "rrr", 5: "brr", 6: "bwb"}
    seen = Table(table("boundary-choice red", rows, lawn, captured={"red": "4", "blue": "5"}))
    spots = [(10.0 + 20 * n, 200.0) for n in range(3)]
    for _ in spots:
        seen.scene.take(RED, 2)
    for spot in spots:
        seen.scene.put(RED, 2, Area("row", RED), spot)
    seen.look()
    for _ in spots:
        seen.scene.take(RED, 2)
    for (x, y), face in zip(spots, (2, 2, 4), strict=True):  # all were rolled, and put in order
        seen.scene.put(RED, face, Area("row", RED), (x + (0.7 if face == 2 else 9.0), y + 0.3))
    seen.look(4)
    assert seen.infringements() == []  # rule 4:1.B: only a die that surely lay there proves it


@pytest.mark.parametrize("more", [0, 1])
def test_a_die_is_too_many_only_where_more_are_seen_than_the_row_has(more: int) -> None:
    position = table("boundary-choice red", ROWS, LAWN)  # rule 1:1
    scene = Scene.of(position)
    scene.take(BLUE, 3)
    for _ in range(2 * more):
        scene.put(BLUE, 3, scene.row_of(BLUE))
    _, dice = Evidence().seen(scene.view())
    sight = sightings(Seen(dice, frozenset(), 2))[0]
    found = faults(position, None, sight, tuple(map(packed, position.rows)))
    said = {(fault.said.kind, fault.said.player) for fault in found}
    assert (("die-too-many", "blue") in said) == bool(more)


def test_a_re_entry_that_is_not_final_yet_may_have_gone_to_the_wrong_row() -> None:  # rule 5:2.B
    lawn = {1: "bw.", 2: "rrr", 3: "rrb", 4: "wbr", 5: "brb", 6: "brb"}
    rows, captured = {"red": "", "blue": "1"}, {"red": "35", "blue": "26"}
    start = table("boundary-choice blue", rows, lawn, captured=captured)
    seen = Table(start)
    seen.act("boundary low", "rolled 4", "place 4 left")
    pushed, steps = seen.position, list[tuple[Action, Position]]()
    here = start
    for text in ("boundary low", "rolled 4", "place 4 left", "rolled 6", "boundary high"):
        action = parse_action(text)
        here = here.apply(action)
        steps.append((action, here))
    told = [Story(1.0, 1.0, tuple(steps[:count]), steps[count - 1][1]) for count in (3, 4, 5)]
    assert [re_entering(start, story) for story in told] == [pushed, pushed, here]
    assert re_entering(pushed, told[1]) == pushed
