"""Faults of which a later view shows less than an earlier one did: what was seen still counts."""

from __future__ import annotations

from dataclasses import replace

from engine.faults import faults
from engine.lawn import NEUTRAL
from engine.position import Position
from engine.table import Area, LawnPlace
from engine.verdict import Infringement
from tests.engine.tables import table
from tests.engine.views import Lying
from tests.engine.watched import Table

BLUES = "1123456"
LAWN = {5: "rw.", 6: ".wb"}
RED, BLUE = 0, 1


def reds_turn(red: str, blue: str = BLUES, lawn: dict[int, str] | None = None) -> Table:
    seen = Table(table("boundary-choice red", {"red": red, "blue": blue}, lawn or LAWN))
    seen.look()
    return seen


def accused(seen: Table) -> list[tuple[str, str | None]]:
    return [(fault.kind, fault.player) for fault in seen.infringements()]


def rolled(seen: Table, owner: int, face: int, shows: int) -> None:
    """A die of a Player Row is rolled, and shows that."""
    seen.scene.take(owner, face)
    seen.scene.put(owner, shows, Area("row", owner))


def overlooked(seen: Table, owner: int, face: int, still_s: float) -> Lying:
    """A die is not seen in one view; in the next one it lies there, and has lost its key."""
    lay = seen.scene.take(owner, face)
    seen.look(1, still_s=still_s)
    assert lay.xy_mm is not None
    x, y = lay.xy_mm
    return seen.scene.put(owner, face, lay.place, (x + 0.3, y - 0.3))


def test_a_part_of_a_set_stays_named_though_the_proof_is_found_anew() -> None:  # rule 4:1.B
    seen = reds_turn("3344556")
    rolled(seen, RED, 3, 1)
    seen.look(4)
    assert accused(seen) == [("part-of-set-rolled", "red")]
    overlooked(seen, RED, 3, 2.5)
    seen.look(3, still_s=3.0)  # that both 3s were rolled would be legal, and was not so
    assert isinstance(seen.referee.standing, Infringement)
    assert seen.referee.standing.kind == "part-of-set-rolled"


def test_a_fault_is_put_right_where_the_rest_of_the_set_is_rolled_too() -> None:  # rule 4:1.B
    seen = reds_turn("3344556")
    rolled(seen, RED, 3, 1)
    seen.look(4)
    rolled(seen, RED, 3, 2)
    seen.look(4)
    assert seen.referee.standing is None


def test_who_waits_has_not_rolled_a_die_that_was_only_overlooked() -> None:  # rule 3:4.A
    seen = reds_turn("2333444")
    rolled(seen, BLUE, 6, 2)
    seen.look(2)
    overlooked(seen, RED, 2, 1.5)
    seen.look(6, still_s=2.0)  # the edge was not rolled and shows its old face (4)
    assert accused(seen) == [("out-of-turn", "blue")]


def test_a_row_to_which_a_pushed_die_has_come_home_may_be_put_in_order() -> None:  # rule 3:4.A
    lawn = {1: "rbr", 4: "wrr", 5: "bwb", 6: "bbb"}
    rows = {"red": "6666", "blue": "25"}
    start = table("boundary-choice blue", rows, lawn, order="blue>red", captured={"red": "16"})
    seen = Table(start)
    seen.look()
    for _ in range(4):
        seen.scene.take(RED, 6)
    for face in (3, 4, 5):
        seen.scene.put(RED, face, Area("row", RED))
    seen.scene.slide(5, (RED, BLUE, NEUTRAL))
    for face in (2, 4, 5):  # blue's 5 was pushed off and shows a 4
        if face != 4:
            seen.scene.take(BLUE, face)
        seen.scene.put(BLUE, face, Area("row", BLUE))
    seen.look(6)
    assert accused(seen) == [("out-of-turn", "red")], "not the turn of blue passed (4)"


def test_who_pushes_off_an_own_die_out_of_turn_is_named() -> None:  # rule 3:4.A
    lawn = {1: "wrb", 2: "bwr", 3: "rbw", 4: "wrr", 5: "brb", 6: "bbr"}
    rows = {"red": "1", "blue": "4"}
    start = table("boundary-choice red", rows, lawn, order="blue>red", captured={"blue": "56"})
    seen = Table(start)
    seen.look()
    seen.scene.take(BLUE, 4)
    seen.scene.slide(6, (BLUE, RED, BLUE))
    seen.scene.put(BLUE, 1, Area("row", BLUE))
    seen.look(8)
    assert accused(seen) == [("out-of-turn", "blue")]


def test_a_die_that_was_overlooked_before_lies_elsewhere_on_the_lawn() -> None:  # rule 5:1
    seen = reds_turn("1255666")
    seen.scene.take(RED, place=LawnPlace(5, "left"))
    seen.look(2)
    seen.scene.put(RED, 5, LawnPlace(3, "right"))
    seen.look(6)
    assert accused(seen) == [("lawn-die-moved", None)]


def test_a_die_is_moved_off_the_lawn_while_another_one_is_overlooked() -> None:  # rule 5:1
    seen = reds_turn("1255666")
    seen.scene.take(BLUE, place=LawnPlace(6, "right"))
    seen.scene.move(seen.scene.at(5, "left"), Area("row", RED))
    seen.look(6)
    assert accused(seen) == [("lawn-die-moved", None)]


def test_a_rolled_inner_die_that_is_put_where_it_lay_was_seen_to_lie_elsewhere() -> None:  # 4:1.A
    seen = reds_turn("1244456")
    lay = seen.scene.take(RED, 2)
    seen.look(2)
    seen.scene.put(RED, 3, Area("row", RED))
    seen.look(2)
    moved = seen.scene.take(RED, 3)
    seen.scene.put(RED, 3, moved.place, lay.xy_mm)
    seen.look(6)
    assert accused(seen) == [("inner-die-rolled", "red")]


def test_the_one_who_was_named_is_not_exchanged_for_another_one_that_is_little_likelier() -> None:
    seen = reds_turn("2333444")
    rolled(seen, BLUE, 6, 2)
    seen.look(6)
    assert accused(seen) == [("out-of-turn", "blue")]
    for face in (2, 3):  # moved, maybe rolled
        die = seen.scene.take(RED, face)
        seen.scene.put(RED, face, replace(die).place)
    seen.look(6)
    assert accused(seen) == [("out-of-turn", "blue")]


def test_a_die_of_the_lawn_that_was_overlooked_lies_in_its_owners_row_now() -> None:  # rule 5:1
    seen = reds_turn("1255666")
    seen.scene.take(RED, place=LawnPlace(5, "left"))
    seen.look(2)
    seen.scene.put(RED, 5, Area("row", RED))
    seen.look(6)
    assert accused(seen) == [("lawn-die-moved", None)], "no die too many (1:1)"


def test_a_die_that_is_moved_on_the_lawn_hardly_shows_another_face() -> None:  # rule 5:1
    weights = []
    for face in (5, 4):
        seen = reds_turn("1255666")
        seen.scene.take(RED, place=LawnPlace(5, "left"))
        seen.look(2)
        seen.scene.put(RED, face, LawnPlace(3, "right"))
        _, look = seen.referee._looked(seen.scene.view())
        found = faults(seen.position, None, look.sights()[0], (0, 0))
        weights += [each.weight for each in found if each.said.kind == "lawn-die-moved"]
    kept, other = weights
    assert other < kept / 10, "it was played from a row"


def test_a_fault_that_is_named_stands_though_a_legal_story_fits_that_hardly_happens() -> None:
    # Both edges were rolled (4:1.A). That the 3 was rolled first, blocked the row and was rolled on is legal.
    seen = Table(
        Position.from_string(
            "players red,blue; phase boundary-choice red; order blue>red; rows red 35, blue -; "
            "lawn 1 bw., 2 brr, 3 rwr, 4 rwr, 5 bbb, 6 bbb; captured red 2, blue 56; "
            "big-rolls red 11233455, blue 11233455"
        )
    )
    seen.look()
    for face, rolled in ((3, 1), (5, 4)):
        seen.scene.take(RED, face)
        seen.scene.put(RED, rolled, Area("row", RED))
    seen.look(12)
    assert accused(seen) == [("inner-die-rolled", "red")]
    assert isinstance(seen.referee.standing, Infringement)


def test_a_fault_is_not_put_right_by_dice_that_are_gone_while_all_others_lie_as_they_lay() -> None:
    seen = reds_turn("1244456")
    seen.act("boundary high", "rolled 3")
    seen.look()
    rolled(seen, BLUE, 6, 2)
    seen.look(6)
    assert accused(seen) == [("turn-passed", "red")]
    seen.scene.take(RED, 5)
    seen.look(4)  # red may have placed a 5 that nobody sees, were it not for what was seen before
    assert isinstance(seen.referee.standing, Infringement)
    seen.scene.put(RED, 5, Area("row", RED))
    rolled(seen, BLUE, 2, 6)
    seen.look(4)
    assert seen.referee.standing is None


def test_a_die_too_many_is_put_right_when_it_is_taken_away() -> None:  # rule 1:1
    seen = reds_turn("1244456")
    more = seen.scene.put(RED, 3, Area("row", RED))
    seen.look(6)
    assert accused(seen) == [("die-too-many", "red")]
    seen.scene.dice.remove(more)
    seen.look(4)
    assert seen.referee.standing is None
