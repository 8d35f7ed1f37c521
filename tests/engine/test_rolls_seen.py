"""Rolls of which a camera does not see all, or not rightly, at once."""

from __future__ import annotations

from engine.evidence import Die
from engine.pools import ONE, Pool, any_of, packed
from engine.position import Position
from engine.story_parts import throws_of
from engine.table import ELSEWHERE, LawnPlace
from engine.verdict import Desync, Infringement
from tests.engine.tables import table
from tests.engine.views import Scene
from tests.engine.watched import Table

ROWS = {"red": "1244456", "blue": "1123456"}
LAWN = {5: "rw.", 6: ".wb"}


def roll(scene: Scene, seat: int, *faces: int) -> None:
    for face in faces:
        scene.put(seat, face, scene.row_of(seat))


def put_in_order(scene: Scene, seat: int) -> None:
    """The seat's dice off the Lawn are moved."""
    for die in [d for d in scene.dice if d.owner == seat and not isinstance(d.place, LawnPlace)]:
        scene.move(die, die.place)


def out_of_step(seen: Table) -> list[object]:
    return [verdict for verdict in seen.said if isinstance(verdict, Desync | Infringement)]


# --- which throws are possible --------------------------------------------------------------------


def pool_of(*faces: int) -> Pool:
    dice = tuple(
        Die(n, tuple(float(f == face) for f in range(1, 7)), (1.0, 0, 0, 0), ((ELSEWHERE, 1.0),), 0)
        for n, face in enumerate(faces)
    )
    return Pool(dice, False)


def test_of_many_dice_one_may_be_placed_while_one_that_was_kept_is_hidden() -> None:
    thrown = {faces for faces, _ in throws_of(pool_of(3, 5, 6), packed((2,)), 4)}
    assert (3, 5, 6, 6) in thrown  # the 2 is hidden, a 6 is placed
    assert all({3, 5, 6} <= set(faces) for faces in thrown)


def test_all_multisets_of_some_dice() -> None:
    assert any_of(0) == (0,)
    assert any_of(1) == tuple(sorted(ONE))
    assert len(any_of(2)) == 21


# --- rolls of eight -------------------------------------------------------------------------------


def test_a_big_roll_of_which_two_dice_are_overlooked_holds_up_no_turn() -> None:  # rule 3:1.A
    seen = Table(Position.start(3))
    scene = seen.scene
    roll(scene, 2, 1, 1, 2, 3, 3, 4, 4, 6)
    overlooked = [scene.take(2, 3), scene.take(2, 4)]
    seen.look(3)
    roll(scene, 0, 1, 1, 2, 5, 5, 6, 6, 6)
    seen.look(3)
    roll(scene, 1, 1, 1, 1, 2, 2, 3, 5, 6)
    seen.look(1)
    for _ in range(3):
        scene.take(0, 6)
    roll(scene, 0, 3, 3, 5)
    seen.look(1)
    scene.dice += overlooked
    seen.look(2)
    scene.take(0, 5)
    scene.put(0, 5, LawnPlace(5, "center"))
    seen.look(3)
    assert out_of_step(seen) == []
    assert seen.final() == [
        "rolled 1 1 2 5 5 6 6 6",
        "rolled 1 1 1 2 2 3 5 6",
        "rolled 1 1 2 3 3 4 4 6",
        "boundary high",
        "rolled 3 3 5",
        "place 5 center",
    ]


def test_a_die_that_was_never_seen_may_be_one_that_stays_when_others_are_rolled() -> None:  # 4:1.B
    seen = Table(Position.start(2))
    scene = seen.scene
    roll(scene, 0, 1, 1, 2, 2, 3, 4, 4, 5)
    roll(scene, 1, 1, 3, 4, 5, 6, 6, 6, 6)
    overlooked = scene.take(1, 4)
    seen.look(3)
    for _ in range(4):
        scene.take(1, 6)
    seen.look(1)
    scene.dice.append(overlooked)
    roll(scene, 1, 1, 1, 5, 6)  # 1 3 5 lay there; a 4 comes to light besides
    seen.look(2)
    scene.take(1, 6)
    scene.put(1, 6, LawnPlace(6, "left"))
    seen.look(4)
    assert "rolled 1 3 5 6 6 6 6 6" not in seen.final()
    assert out_of_step(seen) == []


def test_who_broke_a_tie_first_and_put_the_row_in_order_has_rolled_that() -> None:  # rule 3:4.B
    seen = Table(Position.start(2))
    scene = seen.scene
    roll(scene, 0, 1, 1, 3, 3, 4, 4, 5, 6)
    roll(scene, 1, 1, 1, 2, 3, 3, 5, 6, 6)
    seen.look(3)
    put_in_order(scene, 0)
    seen.look(1)
    scene.dice = [die for die in scene.dice if die.owner != 1]
    roll(scene, 1, 1, 1, 2, 2, 2, 3, 4, 6)
    seen.misread[seen.rolled(2)] = {4: 0.58, 2: 0.36}
    seen.look(3)
    seen.misread.clear()
    put_in_order(scene, 1)
    seen.look(4)
    scene.dice = [die for die in scene.dice if die.owner != 0]
    roll(scene, 0, 2, 2, 3, 5, 6, 6, 6, 6)
    seen.look(3)
    assert out_of_step(seen) == []
    assert seen.final()[2:] == ["rolled 2 2 3 5 6 6 6 6", "rolled 1 1 2 2 2 3 4 6"]


# --- two errors at once -----------------------------------------------------------------------------


def test_a_die_misread_and_another_overlooked_do_not_put_the_match_out_of_step() -> None:
    seen = Table(table("boundary-choice red", ROWS, LAWN))
    scene = seen.scene
    seen.look()
    seen.act("boundary low", "rolled 3")
    seen.look(3)
    put_in_order(scene, 0)
    seen.misread[seen.rolled(4)] = {2: 0.998}
    seen.look(1)
    seen.act("place 6 left")
    five = scene.take(0, 5)
    seen.look(3)
    seen.act("boundary high", "rolled 2")
    seen.look(3)
    seen.act("place 5 right")
    seen.look(3)
    scene.dice.append(five)
    seen.look(3)
    assert out_of_step(seen) == []
    assert seen.referee.position.lawn[5][0] == 0


def test_a_big_roll_of_which_three_dice_are_overlooked_is_gone_on_from() -> None:  # rule 3:1.A
    seen = Table(Position.start(2))
    scene = seen.scene
    seen.look(2)
    roll(scene, 0, 1, 1, 3, 3, 4, 5, 6, 6)
    seen.look(2)
    roll(scene, 1, 1, 1, 2, 2, 3, 4, 4, 5)
    overlooked = [scene.take(0, 6), scene.at(1, "center"), scene.at(4, "center")]
    scene.dice = [die for die in scene.dice if die not in overlooked]
    seen.look(1)
    for _ in range(2):
        scene.take(0, 1)
    roll(scene, 0, 2, 3)
    seen.look(3)
    scene.dice += overlooked
    scene.take(0, 2)
    scene.put(0, 2, LawnPlace(2, "left"))
    seen.look(4)
    assert out_of_step(seen) == []
    assert seen.final()[:2] == ["rolled 1 1 3 3 4 5 6 6", "rolled 1 1 2 2 3 4 4 5"]


def test_a_view_that_leaves_more_possible_than_can_be_followed_is_not_gone_on_from() -> None:
    rows = {"red": "3333346", "blue": "224555"}
    seen = Table(table("boundary-choice red", rows, {**LAWN, 2: "bw."}), areas=False)
    seen.look()
    seen.act("boundary low", "rolled 1 1 5 5 6", "place 1 left")
    hidden = [die for die in seen.scene.dice if die.owner == 0 and die.place == ELSEWHERE]
    seen.scene.dice = [die for die in seen.scene.dice if die not in hidden]
    view = seen.scene.view(0.5, after_s=0.5, hidden=(ELSEWHERE,))
    seen.referee, _ = seen.referee.see(view)
    seen.scene.dice += hidden
    seen.look(3)
    assert seen.final() == ["boundary low", "rolled 1 1 5 5 6", "place 1 left"]
