"""Faults that only the dice prove which lie where they lay, and what hides them no more."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.fault_parts import Fault
from engine.fault_words import said
from engine.faults import faults
from engine.lawn import NEUTRAL
from engine.pools import packed
from engine.referee_state import Trail
from engine.referee_trouble import FAULT_MARGIN, held
from engine.table import ELSEWHERE, Area
from engine.touches import Touched, seat_touch
from engine.tracks import Tracks
from engine.verdict import Infringement
from tests.engine.tables import table
from tests.engine.views import read_faces
from tests.engine.watched import Table

LAWN = {5: "rw.", 6: ".wb"}
BLUES = "1123456"
RED, BLUE = 0, 1


def red_has(row: str) -> Table:
    seen = Table(table("boundary-choice red", {"red": row, "blue": BLUES}, LAWN))
    seen.look()
    return seen


def named(seen: Table, looks: int = 6) -> list[tuple[str, str, str | None]]:
    seen.look(looks)
    return [(fault.kind, fault.rule, fault.player) for fault in seen.infringements()]


def test_a_part_of_a_set_that_shows_the_other_edge_is_no_roll_of_that_edge() -> None:
    seen = red_has("3334456")
    seen.scene.take(RED, 3)
    seen.scene.put(RED, 6, Area("row", RED))
    assert named(seen) == [("part-of-set-rolled", "4:1.B", "red")]


def test_a_die_that_lies_as_it_was_read_when_all_were_read_right_is_not_the_misread_one() -> None:
    # A 3 was rolled and shows a 6 (4:1.B); that the 6 was rolled, and the one that lies is a 3, costs more.
    row = (3, 3, 3, 4, 4, 5, 6)
    lie, kept, both = packed((3, 3, 4, 4, 5, 6)), packed(row[:6]), packed((3, 3, 4, 4, 5, 6, 6))
    now = Touched((lie,), (6,), (0,), (0,), (7,), (packed(row),), held=(lie,), shown=(both,))
    now = replace(now, gone=(packed((3,)),), new=(packed((6,)),), reread=(0,))
    assert seat_touch(now.since((row,)), 0, kept, packed(row), True, True) < 1e-3
    # But one that is read otherwise than before may be.
    other = replace(now, reread=(packed((6,)),))
    assert seat_touch(other.since((row,)), 0, kept, packed(row), True, True) > 0.1


def test_an_inner_die_that_shows_an_edge_is_no_roll_of_that_edge() -> None:
    seen = red_has("1255566")
    seen.scene.take(RED, 2)
    seen.scene.put(RED, 1, Area("row", RED))
    assert named(seen) == [("inner-die-rolled", "4:1.A", "red")]


@pytest.mark.parametrize("moved_mm", [0.0, 30.0])
def test_a_die_that_was_not_seen_for_a_while_was_moved_where_it_lies_elsewhere(
    moved_mm: float,
) -> None:
    seen = red_has("1233356")
    lay = seen.scene.take(RED, 2)
    assert lay.xy_mm is not None
    seen.look(1)
    x, y = lay.xy_mm
    seen.scene.put(RED, 1, Area("row", RED), (x + moved_mm, y + 1.0))
    _, look = seen.referee._looked(seen.scene.view(0.5, after_s=0.5))
    assert seen.referee.trail is not None
    touched = seen.referee.trail.tracks.touched(look.seen, look.sights()[0], {})
    assert touched.elsewhere == (frozenset({2} if moved_mm else ()), frozenset())


def test_a_die_that_is_pushed_off_is_none_that_was_overlooked_beside_the_lawn() -> None:  # rule 5:2
    lawn = {6: "bwr"}
    seen = Table(table("boundary-choice red", {"red": "1235556", "blue": "1233356"}, lawn))
    seen.look()
    seen.act("boundary low", "rolled 6")
    seen.look()
    seen.scene.take(BLUE, 2)
    seen.look()
    seen.act("place 6 right")
    assert seen.position.phase == "re-entry"
    _, look = seen.referee._looked(seen.scene.view(0.5, after_s=0.5))
    assert seen.referee.trail is not None
    touched = seen.referee.trail.tracks.touched(look.seen, look.sights()[0], {})
    assert touched.new[1] == packed((6,))
    assert touched.elsewhere == (frozenset(), frozenset())


def test_a_turn_that_began_with_a_blocked_row_was_not_lost_where_the_roll_was_seen() -> None:
    lawn = {1: "rrr", 2: "rrb", 3: "rbr", 6: "bbb"}
    rows, captured = {"red": "6", "blue": "125"}, {"red": "-", "blue": "1236"}
    seen = Table(table("boundary-choice red", rows, lawn, captured=captured))
    seen.look()
    seen.act("boundary low", "rolled 5")
    seen.look(3)
    seen.scene.take(BLUE, 1)
    seen.scene.put(BLUE, 4, Area("row", BLUE))
    assert named(seen) == [("turn-passed", "4", "red")]  # rule 6:1.A does not excuse it


def test_what_is_hardly_a_die_is_not_the_one_that_is_missing() -> None:  # rule 1:1
    seen = red_has("1244456")
    seen.scene.take(BLUE, 3)
    for count in range(1, 15):
        view = seen.scene.view(0.5 * count, after_s=0.5)
        if count == 8:
            die = seen.scene.put(BLUE, 3, Area("row", BLUE))
            view = seen.scene.view(0.5 * count, after_s=0.0)
            view = replace(
                view,
                dice=tuple(replace(d, found_p=0.4) if d.key == die.key else d for d in view.dice),
            )
            seen.scene.dice.remove(die)
        seen.referee, verdicts = seen.referee.see(view)
        seen.said += verdicts
    assert [fault.kind for fault in seen.infringements()] == ["die-missing"]
    thing = seen.scene.put(BLUE, 6, Area("row", BLUE))  # nor does it put right what is named
    view = seen.scene.view(8.0, after_s=0.5)
    dice = tuple(replace(d, found_p=0.4) if d.key == thing.key else d for d in view.dice)
    assert isinstance(seen.referee.standing, Infringement)
    seen.referee, _ = seen.referee.see(replace(view, dice=dice))
    assert isinstance(seen.referee.standing, Infringement)


def test_a_rolled_die_may_be_put_where_one_lay_that_showed_the_same() -> None:
    row, kept = packed((1, 3, 3, 4)), packed((1, 3, 3))
    now = Touched((row,), (4,), (1,), (0,), (4,), (row,), held=(kept,))
    covered = seat_touch(now, 0, kept, row, True, True)
    assert covered == pytest.approx(0.02)
    # One that nothing has passed over was not taken up; only that very die counts.
    other = replace(now, held=(packed((3, 3, 4)),))
    assert seat_touch(other, 0, kept, row, True, True) < 1e-3


def test_a_pushed_die_that_was_taken_up_and_shows_the_same_may_be_rolled() -> None:  # rule 5:2.A
    rows = {"red": "123", "blue": "3466"}
    lawn = {1: "rwr", 2: "bwr", 3: "bwb", 4: "rwb", 6: "rw."}
    seen = Table(table("boundary-choice red", rows, lawn), areas=False)
    seen.look()
    seen.act("boundary high", "rolled 4")
    seen.look(3)
    seen.act("place 4 left")
    seen.look(3)
    pushed = seen.scene.dice.pop()
    assert (pushed.owner, pushed.face) == (BLUE, 4)
    assert pushed.xy_mm is not None
    x, y = pushed.xy_mm
    seen.scene.put(BLUE, 4, ELSEWHERE, (x + 6.0, y + 5.0))
    seen.look(1)
    assert seen.referee.trail is not None
    tracks = seen.referee.trail.tracks.tracks
    rolled = sum(t.prior * t.likelihood for t in tracks if t.position.phase != "re-entry")
    assert rolled > 0.1 * sum(t.prior * t.likelihood for t in tracks)


# --- a legal story that hardly fits ----------------------------------------------------------------


def a_fault(weight: float) -> Fault:
    position = table("boundary-choice red", {"red": "1244456", "blue": BLUES}, LAWN)
    return Fault(weight, 1.0, said("inner-die-rolled", position, RED, row=(1, 2)))


def test_the_last_view_without_doubt_is_kept_as_long_as_a_fault_comes_near() -> None:
    trail = Trail.at(table("boundary-choice red", {"red": "1244456", "blue": BLUES}, LAWN))
    near = held(trail, a_fault(1.0), FAULT_MARGIN * 0.9)
    assert near.firm is trail.tracks
    later = held(replace(near, tracks=Tracks(())), a_fault(1.0), 1.0)
    assert later.firm is trail.tracks
    assert held(later, a_fault(1.0), FAULT_MARGIN * 1.1).firm is None
    assert held(later, None, 1.0).firm is None


def test_what_is_hardly_a_die_is_no_pushed_die_in_a_strangers_row() -> None:  # rule 5:2.B
    seen = Table(table("boundary-choice red", {"red": "3456666", "blue": "1122345"}, {4: "bwr"}))
    seen.look()
    seen.act("boundary low", "rolled 4", "place 4 right")
    seen.look(4)
    assert seen.referee.position.phase == "re-entry"
    thing = seen.scene.put(BLUE, 3, Area("row", RED))
    for count in range(1, 8):
        view = seen.scene.view(0.5 * count, after_s=0.5)
        dice = (
            replace(d, found_p=0.77, owner_p=(0.2, 0.3, 0.0, 0.0)) if d.key == thing.key else d
            for d in view.dice
        )
        seen.referee, verdicts = seen.referee.see(replace(view, dice=tuple(dice)))
        seen.said += verdicts
    assert seen.infringements() == []


def test_a_die_of_the_lawn_that_is_seen_nowhere_else_is_overlooked_and_not_moved() -> None:  # 5:1
    seen = red_has("1244456")
    seen.scene.dice.remove(seen.scene.at(5, "left"))
    for more, kinds in ((0, set[str]()), (1, {"lawn-die-moved"})):
        for _ in range(more):
            seen.scene.put(RED, 5, Area("row", RED))
        _, look = seen.referee._looked(seen.scene.view())
        found = faults(seen.position, None, look.sights()[0], (0, 0))
        assert {fault.said.kind for fault in found} & {"lawn-die-moved"} == kinds


def test_a_blocked_turn_was_not_lost_where_its_dice_lie_as_they_lay() -> None:  # rule 6:1.A
    lawn = {1: "rrr", 2: "rrb", 3: "rbr", 6: "bbb"}
    rows, captured = {"red": "6", "blue": "125"}, {"red": "-", "blue": "1236"}
    seen = Table(table("boundary-choice red", rows, lawn, captured=captured))
    seen.look()
    seen.scene.take(BLUE, 1)
    seen.scene.put(BLUE, 4, Area("row", BLUE))
    _, look = seen.referee._looked(seen.scene.view())
    assert seen.referee.trail is not None
    sight, tracks = look.sights()[0], seen.referee.trail.tracks
    untold = faults(seen.position, None, sight, (0, 0))
    known = faults(seen.position, None, sight, (0, 0), (), tracks.touched(look.seen, sight, {}))
    assert "out-of-turn" not in {fault.said.kind for fault in untold}
    assert "out-of-turn" in {fault.said.kind for fault in known}


def test_nobody_has_a_die_too_many_by_one_that_is_doubtfully_theirs() -> None:  # rule 1:1
    for owner_p, kinds in (
        ((0.13, 0.87, 0.0, 0.0), set[str]()),
        ((0.0, 1.0, 0.0, 0.0), {"die-too-many"}),
    ):
        seen = red_has("1244456")
        more = seen.scene.put(BLUE, 4, Area("row", BLUE))
        for count in range(1, 6):
            view = seen.scene.view(0.5 * count, after_s=0.5)
            dice = (replace(d, owner_p=owner_p) if d.key == more.key else d for d in view.dice)
            seen.referee, verdicts = seen.referee.see(replace(view, dice=tuple(dice)))
            seen.said += verdicts
        assert {fault.kind for fault in seen.infringements()} == kinds


def test_an_edge_die_that_pushes_off_an_own_one_was_not_an_inner_die() -> (
    None
):  # rules 4:2.A and 5:2
    lawn, captured = {1: "rrr", 2: "bwr", 5: "rwr"}, {"red": "1", "blue": "-"}
    rows = {"red": "12", "blue": "1123456"}
    seen = Table(table("boundary-choice red", rows, lawn, captured=captured))
    seen.look()
    before = seen.position
    seen.act("boundary low", "rolled 4", "place 2 left", "rolled 4")
    _, look = seen.referee._looked(seen.scene.view())
    found = faults(before, None, look.sights()[0], (0, 0))
    assert "inner-die-placed" not in {fault.said.kind for fault in found}


def test_a_captured_die_that_is_read_so_since_it_was_staged_aside_was_not_changed() -> (
    None
):  # 5:3.B
    lawn, captured = {**LAWN, 1: "rbr"}, {"red": "1", "blue": "-"}
    rows = {"red": "12346", "blue": "112345"}
    seen = Table(table("boundary-choice red", rows, lawn, captured=captured))
    white = next(
        d for d in seen.scene.dice if d.owner == NEUTRAL and d.place == Area("captured", RED)
    )
    for misread, kinds in ((True, set[str]()), (False, {"captured-die-altered"})):
        seen.misread = {white.key: {3: 0.9985, 1: 0.0015}} if misread else {}
        seen.look(1)
        assert seen.referee.trail is not None
        tracks = seen.referee.trail.tracks
        if not misread:
            seen.scene.move(white, white.place, 3)
        view = seen.scene.view()
        if misread:
            view = read_faces(view, white.key, seen.misread[white.key])
        _, look = seen.referee._looked(view)
        sight = look.sights()[0]
        found = faults(seen.position, None, sight, (0, 0), (), tracks.touched(look.seen, sight, {}))
        assert {fault.said.kind for fault in found} & {"captured-die-altered"} == kinds


def test_a_captured_die_that_was_changed_while_another_was_overlooked_is_no_misread_one() -> (
    None
):  # 5:3.B
    lawn, captured = {**LAWN, 1: "rbr"}, {"red": "1", "blue": "-"}
    rows = {"red": "12346", "blue": "112345"}
    seen = Table(table("boundary-choice red", rows, lawn, captured=captured))
    seen.look()
    white = next(
        d for d in seen.scene.dice if d.owner == NEUTRAL and d.place == Area("captured", RED)
    )
    overlooked = seen.scene.take(RED, 6)
    seen.scene.move(white, white.place, 3)
    seen.look(2, still_s=0.2)  # a 6 is lifted, as it seems, and the white die is misread
    seen.scene.dice.append(overlooked)
    assert seen.referee.trail is not None
    tracks = seen.referee.trail.tracks
    _, look = seen.referee._looked(seen.scene.view())
    sight = look.sights()[0]
    found = faults(seen.position, None, sight, (0, 0), (), tracks.touched(look.seen, sight, {}))
    assert found[0].said.kind == "captured-die-altered"


def test_an_inner_die_that_was_rolled_is_no_misread_one_however_often_it_is_read_so() -> (
    None
):  # 4:1.A
    rows, lawn = {"red": "111234", "blue": "12455"}, {4: ".wr", 5: "bwr", 6: "bwb"}
    seen = Table(table("boundary-choice red", rows, lawn))
    seen.scene.take(RED, 4)  # overlooked from the first on
    seen.look()
    seen.scene.take(RED, 2)
    rolled = seen.scene.put(RED, 5, Area("row", RED)).key
    seen.misread = {rolled: {5: 0.9991, 2: 0.0001}}
    seen.look()
    seen.scene.put(RED, 4, Area("row", RED))
    seen.look(1)
    assert not seen.infringements(), "a 5 that is a misread 2, and a 4 that was rolled again"
    for doubt in (1e-4, 5e-5):
        seen.misread = {rolled: {5: 1 - doubt, 2: 2e-6}}
        seen.look(3, still_s=1.0)
    assert [(fault.kind, fault.player) for fault in seen.infringements()] == [
        ("inner-die-rolled", "red")
    ]
