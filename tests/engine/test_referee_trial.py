"""How a referee's log is judged against what happened."""

from __future__ import annotations

import random

import pytest

from engine.actions import Action, BoundaryRoll, Place, Rolled
from engine.bots import greedy_bot
from engine.mock_turns import play_turn
from engine.position import Position
from engine.referee_trial import difference, happened, judged
from tests.engine.tables import table

LAWN = {1: "rbr", 2: "bwr", 3: "brb", 4: ".wb", 5: "bwr", 6: ".w."}
CAPTURED = {"red": "13"}


def a_round(players: int) -> list[Action]:
    rng = random.Random(players)
    position, truth = Position.start(players), []
    while not position.is_over:
        position, actions = play_turn(position, [greedy_bot] * players, rng)
        truth += actions
    return truth


@pytest.mark.parametrize("players", [2, 3])
def test_the_log_of_all_that_happened_is_right(players: int) -> None:
    start, truth = Position.start(players), a_round(players)
    assert judged(start, truth, truth) == ("right", 0)


@pytest.mark.parametrize("players", [2, 3])
def test_a_log_that_ends_early_is_open_wherever_it_ends(players: int) -> None:
    start, truth = Position.start(players), a_round(players)
    for length in range(len(truth)):
        assert judged(start, truth, truth[:length])[0] == "open"
    assert "is missing" in difference(start, truth, truth[:20])


def test_one_other_face_makes_a_log_wrong() -> None:
    start, truth = Position.start(2), a_round(2)
    at = next(n for n, a in enumerate(truth) if isinstance(a, Rolled) and len(a.faces) == 8)
    faces = truth[at].faces  # type: ignore[union-attr]
    other = Rolled((*faces[:-1], 1 if faces[-1] != 1 else 2))
    log = [*truth[:at], other]
    assert judged(start, truth, log)[0] == "wrong"
    assert str(other) in difference(start, truth, log)


def test_turns_that_never_happened_make_a_log_wrong() -> None:
    start, truth = Position.start(2), a_round(2)
    assert judged(start, truth[:-3], truth)[0] == "wrong"


def test_an_edge_that_looks_like_the_other_is_counted_and_not_held_against_the_log() -> None:
    # 4:1.A: the row shows 2 3 5 before and 3 5 afterwards, and a 2 was placed.
    start = table("boundary-choice red", {"red": "235", "blue": "44"}, LAWN, captured=CAPTURED)
    placed = Place(2, "left")
    low = [BoundaryRoll("low"), Rolled((2,)), placed]
    high = [BoundaryRoll("high"), Rolled((5,)), placed]
    assert judged(start, [*low, Rolled((6,))], [*high, Rolled((6,))]) == ("right", 1)
    assert judged(start, [*low, Rolled((6,))], [*high, Rolled((5,))])[0] == "wrong"


def test_a_row_of_one_face_has_one_edge() -> None:
    lawn = {**LAWN, 6: "rw."}
    start = table("boundary-choice red", {"red": "22", "blue": "44"}, lawn, captured=CAPTURED)
    low, high = BoundaryRoll("low"), BoundaryRoll("high")
    rest = [Rolled((1, 3)), Place(3, "left")]
    assert judged(start, [low, *rest], [high, *rest]) == ("right", 0)


def test_a_solo_player_who_rolls_the_face_again_has_changed_nothing() -> None:  # rule 6:2.B
    lawn = {1: "rbr", 2: "bbb", 3: "brb", 4: "rbw", 5: "rw.", 6: "rrr"}
    captured = {"red": "1", "blue": "236"}
    start = table("boundary-choice blue", {"red": "", "blue": "6"}, lawn, captured=captured)
    low = BoundaryRoll("low")
    placed = [Rolled((3,)), Place(3, "left"), Rolled((1,))]
    again = [low, Rolled((6,)), Rolled((2,)), Rolled((2,)), *placed]
    assert judged(start, again, [low, Rolled((2,)), *placed]) == ("right", 1)
    assert judged(start, [low, Rolled((2,)), *placed], again) == ("right", 1)
    assert judged(start, again, [low, *placed])[0] == "wrong"


def test_a_turn_that_a_log_leaves_in_the_middle_must_have_come_so_far() -> None:
    rows = {"red": "334", "blue": "23"}
    lawn = {1: ".w.", 2: ".w.", 3: "bbb", 4: "wrr", 5: "bbr", 6: "rrb"}
    start = table("boundary-choice red", rows, lawn, captured={"red": "6", "blue": "35"})
    turn: list[Action] = [BoundaryRoll("low"), Rolled((1, 6)), Place(6, "left"), Rolled((2,))]
    other: list[Action] = [
        BoundaryRoll("low"),
        Rolled((4, 6)),
        Place(6, "left"),
    ]  # blue's die is off the Lawn
    assert judged(start, turn, other)[0] == "open"
    assert not happened(start, turn, other)
    assert all(happened(start, turn, turn[:count]) for count in range(len(turn) + 1))


def test_an_answer_that_leaves_out_a_roll_is_none_though_the_turn_goes_on_as_it_says() -> None:
    # rule 6:2.B: alone, blue rolls a 2 that is blocked, then a 4.
    lawn = {1: "rbr", 2: "bbb", 3: "brb", 4: "rbw", 5: "rw.", 6: "rrr"}
    captured = {"red": "1", "blue": "236"}
    start = table("boundary-choice blue", {"red": "", "blue": "5"}, lawn, captured=captured)
    low, place = BoundaryRoll("low"), Place(4, "right")
    truth = [low, Rolled((2,)), Rolled((4,)), place]
    assert all(happened(start, truth, truth[:count]) for count in range(len(truth) + 1))
    assert not happened(start, truth, [low, Rolled((4,)), place])
    shown_again = table("boundary-choice blue", {"red": "", "blue": "6"}, lawn, captured=captured)
    again = [low, Rolled((6,)), Rolled((2,)), Rolled((4,)), place]
    assert all(happened(shown_again, again, again[:count]) for count in range(len(again) + 1))
    assert happened(shown_again, again, [low, *again[2:]])
