"""Which dice were touched between two views, where one of them was overlooked before."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace

import pytest

from engine.going_on import go_on
from engine.lawn import NEUTRAL
from engine.match import Match
from engine.pools import MISSED_ANEW, chosen, packed
from engine.table import ELSEWHERE, Area
from engine.touches import Touched, seat_touch
from tests.engine.tables import table
from tests.engine.watched import Table

ROW = (1, 1, 2, 3, 3, 4, 5, 5)
LAWN = {5: "rw.", 6: ".wb"}


@pytest.fixture
def one_overlooked() -> Touched:
    """Seven of eight dice were seen; they lie where they lay, and now the eighth is seen too."""
    return Touched(
        sure=(packed(ROW[1:]),),
        same=(7,),
        over=(0,),
        ghosts=(0,),
        seen=(8,),
        before=(packed(ROW[1:]),),
        lacked=(1,),
    )


def test_a_die_that_was_overlooked_and_is_found_was_not_moved(one_overlooked: Touched) -> None:
    row = packed(ROW)
    assert seat_touch(one_overlooked, 0, row, row, False, True) == 1.0
    moved = replace(one_overlooked, lacked=(0,))
    assert seat_touch(moved, 0, row, row, False, True) < 0.1


def test_another_die_that_is_overlooked_now_is_no_more_likely_for_it(
    one_overlooked: Touched,
) -> None:
    row, kept = packed((*ROW[1:], 6)), packed(ROW[1:])  # it was rolled, and shows a 6 now
    other = replace(one_overlooked, same=(6,), seen=(7,))
    assert seat_touch(other, 0, kept, row, True, True) == pytest.approx(MISSED_ANEW / 8)
    row = packed(ROW)
    still = replace(one_overlooked, seen=(7,))
    assert seat_touch(still, 0, row, row, False, True) == 1.0


def test_the_tracks_tell_of_whom_a_die_was_overlooked() -> None:
    seen = Table(table("boundary-choice red", {"red": "1244456", "blue": "1123456"}, LAWN))
    seen.look()
    overlooked = seen.scene.take(1, 3)
    seen.look()
    assert seen.referee.trail is not None
    tracks = seen.referee.trail.tracks
    _, now = seen.referee._looked(seen.scene.view())
    assert tracks.lacked(seen.position, now.seen) == (0, 1)
    _, now = seen.referee._looked(seen.scene.view(hidden=(Area("row", 1),)))
    assert tracks.lacked(seen.position, now.seen) == (0, 0), "all of them are under a hand now"
    seen.scene.dice.append(overlooked)
    seen.look()
    _, now = seen.referee._looked(seen.scene.view())
    assert seen.referee.trail.tracks.lacked(seen.position, now.seen) == (0, 0)


def test_dice_under_a_hand_are_not_overlooked_anew() -> None:
    seen = Table(Match.start(2))
    seen.look()
    seen.act("rolled 1 1 2 3 3 3 4 5", "rolled 1 1 1 1 1 2 2 5")
    seen.scene.take(0, 3)  # overlooked: it lies there
    seen.look(4)
    assert seen.referee.trail is not None
    tracks = seen.referee.trail.tracks
    assert 0 in tracks.lost_of
    _, look = seen.referee._looked(seen.scene.view(hidden=(Area("row", 0),)))
    best = go_on(tracks, look.seen, look.sights())[0]
    assert [str(action) for action, _ in best.steps][2:] == []  # nothing has happened since
    assert best.fit > 0.01


def test_a_misread_die_is_not_taken_for_one_that_was_rolled_and_shows_that_face() -> None:
    # Of 2 3 4 4 5 5 6 6 one 5 is read as a 4; the 2 is rolled, and a 4 lies there now.
    kept, row = packed((3, 4, 4, 5, 5, 6, 6)), packed((3, 4, 4, 4, 5, 5, 6, 6))
    lie = packed((3, 4, 4, 4, 5, 6, 6))
    now = Touched((lie,), (7,), (0,), (0,), (8,), shown=(lie + packed((4,)),))
    assert seat_touch(now, 0, kept, row, True, True) == 1.0
    # Where all is read rightly, a 4 that lies where it lay was not rolled.
    sure = replace(now, shown=(row,))
    assert seat_touch(sure, 0, kept, row, True, True) < 1e-3


def test_a_die_that_has_kept_its_key_was_not_rolled_however_it_is_read() -> None:  # rule 4:1.B
    kept, row = packed((1, 1)), packed((1, 1, 4, 5))
    # Of 1 1 5 5 both 5 are to be rolled; one lies where it lay, and is not read surely.
    lies = Touched((kept,), (3,), (0,), (0,), (4,), (packed((1, 1, 5, 5)),), held=(kept,))
    assert seat_touch(lies, 0, kept, row, True, True) < 1e-3
    # Only one that something has passed over may be another one that looks like it.
    passed = replace(lies, over=(1,))
    assert seat_touch(passed, 0, kept, row, True, True) > 1e-3


def test_a_die_that_is_gone_is_no_other_than_one_that_was_overlooked_before(
    one_overlooked: Touched,
) -> None:
    row = packed(ROW)
    lies = replace(one_overlooked, same=(6,), seen=(7,), gone=(packed((5,)),))
    moved, found = replace(lies, new=(packed((5,)),)), replace(lies, new=(packed((1,)),))
    touch = seat_touch(found, 0, row, row, False, True) / seat_touch(
        moved, 0, row, row, False, True
    )
    assert touch == pytest.approx(MISSED_ANEW / 8)  # the 1 was overlooked, and now the 5 is


def test_of_a_die_that_is_overlooked_anew_it_is_left_to_chance_which_it_is() -> None:
    row = packed((1, 3, 3, 4))
    assert chosen(row, packed((1, 3, 4))) == 1 / 2
    assert chosen(row, packed((1, 3, 3))) == 1 / 4
    assert chosen(row, packed((1, 3, 5))) == 1 / 4  # something is misread, too


def test_a_die_on_a_line_is_off_the_lawn_in_one_sorting_only() -> None:
    seen = Table(table("boundary-choice red", {"red": "1244456", "blue": "1123456"}, LAWN))
    seen.look()
    seen.act("boundary low", "rolled 6")
    seen.look(3)
    seen.act("place 6 left")
    placed = seen.scene.at(6, "left")
    for number in range(2):
        view = seen.scene.view(0.5 + 0.5 * number, after_s=0.5)
        on_a_line = ((ELSEWHERE, 0.53), (placed.place, 0.47))
        dice = [
            replace(die, place_p=on_a_line) if die.key == placed.key else die for die in view.dice
        ]
        seen.referee, _ = seen.referee.see(replace(view, dice=tuple(dice)))
    assert seen.referee.trail is not None
    tracks = seen.referee.trail.tracks.tracks
    shares = {track.position: track.prior * track.likelihood for track in tracks}
    assert shares[seen.position] > 0.1 * max(shares.values())


def test_a_die_of_the_lawn_that_was_overlooked_and_lies_where_it_lay_was_not_moved() -> None:
    seen = Table(table("boundary-choice red", {"red": "1244456", "blue": "1123456"}, LAWN))
    seen.look()
    assert seen.referee.trail is not None
    tracks = seen.referee.trail.tracks
    for beside, moved in ((1.5, False), (6.0, True)):
        scene = deepcopy(seen.scene)
        found = scene.at(6, "right")
        assert found.xy_mm is not None
        scene.dice.remove(found)
        scene.put(1, 6, found.place, (found.xy_mm[0] + beside, found.xy_mm[1]))
        _, look = seen.referee._looked(scene.view())
        touched = tracks.touched(look.seen, look.sights()[0], None)
        assert (5 in touched.lawn) == moved


def test_captured_dice_are_moved_by_nobody_but_who_captures_one() -> None:  # 5:3.B
    rows, captured = {"red": "12346", "blue": "112345"}, {"red": "1", "blue": "-"}
    seen = Table(table("boundary-choice red", rows, {**LAWN, 1: "rbr"}, captured=captured))
    seen.look()
    assert seen.referee.trail is not None
    tracks = seen.referee.trail.tracks

    def touched() -> Touched:
        _, look = seen.referee._looked(seen.scene.view())
        return tracks.touched(look.seen, look.sights()[0], None)

    white = next(
        die for die in seen.scene.dice if die.owner == NEUTRAL and die.place == Area("captured", 0)
    )
    assert touched().moved_captured(0) == 1.0
    seen.scene.dice.remove(white)  # overlooked
    assert touched().moved_captured(0) == 1.0
    seen.scene.put(NEUTRAL, 2, Area("captured", 1))
    assert touched().moved_captured(1) == 1.0, "and another one was captured"
    assert touched().moved_captured(0) < 0.1
    seen.scene.put(NEUTRAL, 1, Area("captured", 0))
    assert touched().moved_captured(1) < 0.1


def test_a_die_of_doubtful_colour_that_goes_on_lying_there_is_not_new_to_its_row() -> None:
    seen = Table(table("boundary-choice red", {"red": "1244456", "blue": "1123456"}, LAWN))
    doubtful = next(die for die in seen.scene.dice if die.owner == 1 and die.face == 4)
    view = seen.scene.view()
    red = (0.8, 0.2, 0.0, 0.0)
    dice = tuple(replace(d, owner_p=red) if d.key == doubtful.key else d for d in view.dice)
    seen.referee, _ = seen.referee.see(replace(view, dice=dice))
    assert seen.referee.trail is not None
    tracks = seen.referee.trail.tracks
    seen.scene.take(0, 1)
    seen.scene.put(0, 3, seen.scene.row_of(0))
    _, look = seen.referee._looked(seen.scene.view())
    touched = tracks.touched(look.seen, look.sights()[0], None)
    assert touched.same[:2] == (6, 7)
    assert touched.new[1] == 0


def test_who_takes_up_all_dice_has_overlooked_none_anew(one_overlooked: Touched) -> None:  # 3:4.B
    row = packed(ROW)
    in_hand = replace(one_overlooked, sure=(0,), same=(0,), seen=(0,), gone=(packed(ROW[1:]),))
    assert seat_touch(in_hand, 0, row, row, False, False) == 1.0
