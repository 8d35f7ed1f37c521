"""Step 3: where a die may be put, and the lock-out."""

from __future__ import annotations

import pytest

from engine.errors import IllegalAction
from engine.lawn import EMPTY, NEUTRAL, lock_owner, placements
from tests.engine.tables import names, play, rules, table, texts

THREE = {"red": "11235566", "blue": "11223344", "green": "11223344"}
TWO = {"red": "11235566", "blue": "11223344"}


def test_a_die_is_placed_on_the_row_of_its_face() -> None:
    # rule 4:3.A
    position = play(table("placement red", TWO), "place 6 right")
    assert position.lawn[5] == (EMPTY, NEUTRAL, 0)
    assert all(row == (EMPTY, NEUTRAL, EMPTY) for row in position.lawn[:5])


def test_the_first_die_on_an_open_row_goes_to_the_center_for_three() -> None:
    # rule 4:3.B
    position = table("placement red", THREE)
    assert names(position) == ["place 1 at the center", "place 6 at the center"]
    assert rules(position, "place 1 left") == ["4:3.B"]
    assert play(position, "place 1 center").lawn[0] == (EMPTY, 0, EMPTY)


def test_for_two_the_first_plays_go_to_the_flanks_of_the_neutral_die() -> None:
    # rule 4:3.B, 1:2.C
    position = table("placement red", TWO)
    assert names(position)[:2] == ["place 1 at left flank", "place 1 at right flank"]
    assert rules(position, "place 1 center") == ["4:3.C"]


def test_later_dice_go_to_either_free_flank() -> None:
    # rule 4:3.C
    position = table("placement red", {**THREE, "blue": "1122334"}, {6: ".b."})
    assert texts(position.legal_actions())[1:] == ["place 6 left", "place 6 right"]


def test_with_one_free_flank_only_that_flank_may_be_played() -> None:
    # R7, rule 5:1.A: a push needs three dice
    position = table("placement red", {**THREE, "blue": "112233"}, {6: "bb."})
    assert texts(position.legal_actions())[1:] == ["place 6 right"]
    assert rules(position, "place 6 left") == ["4:3.C", "5:1.A"]
    position = table("placement red", {**TWO, "blue": "1122334"}, {1: ".wb"})
    assert texts(position.legal_actions())[0] == "place 1 left"
    assert "place 1 right" not in texts(position.legal_actions())


def test_three_dice_of_one_player_lock_the_row() -> None:
    # rule 4:3.D
    lawn = {6: "rr."}
    position = table("placement red", {**THREE, "red": "112356"}, lawn)
    assert names(position)[-1] == "place 6 at right flank, locks row 6"
    position = play(position, "place 6 right")
    assert position.locked_rows == (6,)
    assert position.score(0).lawn == 18


def test_nothing_is_played_or_pushed_on_a_locked_row() -> None:
    # rule 4:3.D
    position = table("placement blue", {**THREE, "red": "11235", "blue": "11223346"}, {6: "rrr"})
    assert texts(position.legal_actions()) == ["place 1 center"]
    for side in ("left", "center", "right"):
        assert rules(position, f"place 6 {side}") == ["4:3.D"]
    with pytest.raises(IllegalAction, match="Row 6 is locked by red"):
        play(position, "place 6 left")


def test_the_owner_cannot_play_on_the_own_locked_row_either() -> None:
    # rule 4:3.D
    position = table("placement red", {**THREE, "red": "11256"}, {6: "rrr"})
    assert texts(position.legal_actions()) == ["place 1 center"]


def test_neutral_dice_never_lock() -> None:
    # R8
    assert lock_owner((NEUTRAL, NEUTRAL, NEUTRAL)) == EMPTY
    assert lock_owner((EMPTY, EMPTY, EMPTY)) == EMPTY
    assert lock_owner((0, NEUTRAL, 0)) == EMPTY
    assert lock_owner((2, 2, 2)) == 2


def test_whoever_completes_a_row_is_the_only_one_who_can_own_it() -> None:
    # R8: a placed die is part of the row, so no placement can lock a row for somebody else
    owners = (EMPTY, 0, 1, 2, NEUTRAL)
    for row in ((a, b, c) for a in owners for b in owners for c in owners):
        for seat in (0, 1, 2):
            for after, _ in placements(row, seat).values():
                assert lock_owner(after) in (EMPTY, seat)


def test_every_reason_is_told_not_only_the_first() -> None:
    # rule 4:2.A and 4:3.D together
    position = table("placement blue", {**THREE, "red": "11235", "blue": "11233456"}, {5: "rrr"})
    assert rules(position, "place 5 left") == ["4:2.A", "4:3.D"]
    with pytest.raises(IllegalAction) as caught:
        position.apply(position.action_named("place 5 left"), by="green")
    assert caught.value.rules == {"3:4.A", "4:2.A", "4:3.D"}
    assert [reason.rule for reason in caught.value.reasons] == ["3:4.A", "4:2.A", "4:3.D"]
    assert str(caught.value) == (
        "'place 5 left' is not legal here. It is blue's turn, not green's (rule 3:4.A). The 5 is "
        "an inner die; only the edges 1 and 6 may be placed (rule 4:2.A). Row 5 is locked by red "
        "(rule 4:3.D)."
    )
