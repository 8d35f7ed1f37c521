"""Equipment and set-up: how many dice there are, and where they lie."""

from __future__ import annotations

import copy
import pickle

import pytest

from engine.errors import LawnError, OptionsError, PositionError
from engine.lawn import EMPTY, NEUTRAL
from engine.options import Options
from engine.position import Position
from tests.engine.tables import table


def test_each_of_three_players_rolls_eight_dice_of_a_colour() -> None:
    # rule 1:1.A
    position = Position.start(3)
    assert position.colours == ("red", "blue", "green")
    assert position.dice_in_the_air == 8


def test_two_players_share_six_neutral_dice() -> None:
    # rule 1:1.B
    lawn = Position.start(2).lawn
    assert sum(row.count(NEUTRAL) for row in lawn) == 6


def test_the_lawn_has_six_rows_of_three_places() -> None:
    # rule 1:2.A, 1:2.B
    for players in (2, 3):
        lawn = Position.start(players).lawn
        assert [len(row) for row in lawn] == [3] * 6


def test_neutral_dice_start_in_the_centers_for_two() -> None:
    # rule 1:2.C
    assert set(Position.start(2).lawn) == {(EMPTY, NEUTRAL, EMPTY)}


def test_the_lawn_starts_empty_for_three() -> None:
    # rule 1:2.D
    assert set(Position.start(3).lawn) == {(EMPTY, EMPTY, EMPTY)}


def test_each_player_has_a_row_of_the_own_dice() -> None:
    # rule 1:3.A
    position = table("boundary-choice red", {"red": "11223344", "blue": "12345666"})
    assert position.rows == ((1, 1, 2, 2, 3, 3, 4, 4), (1, 2, 3, 4, 5, 6, 6, 6))


@pytest.mark.parametrize(
    "colours",
    [
        *(("red",), ("red", "red"), ("red", "white"), ("a", "b", "c", "d"), ("Red", "blue")),
        *(("", "b"), ("red", 3), "red", (), ("red", "bl ue"), ("x" * 13, "blue"), 2),
    ],
)
def test_players_need_two_or_three_colours_that_can_be_told_apart(colours: object) -> None:
    # rule 1:1: unique colours; 1:1.B: white is for the neutral dice
    with pytest.raises(PositionError):
        Position.start(colours=colours)  # type: ignore[arg-type]


@pytest.mark.parametrize("players", [0, 1, 4, "2", 2.5])
def test_only_two_or_three_can_play(players: object) -> None:
    # rule 1:1
    with pytest.raises(PositionError, match="wo or three"):
        Position.start(players)  # type: ignore[arg-type]


def test_the_number_of_players_must_fit_the_colours() -> None:
    # rule 1:1
    with pytest.raises(PositionError, match="2 colours do not fit 3 players"):
        Position.start(3, colours=("red", "blue"))


def test_options_must_be_options() -> None:
    with pytest.raises(OptionsError):
        Position.start(2, options="first-out")  # type: ignore[arg-type]


def test_a_die_too_many_or_too_few_is_no_position() -> None:
    # rule 1:1.A, 1:1.B
    with pytest.raises(PositionError, match="red has 9 dice") as caught:
        table("boundary-choice red", {"red": "111223344", "blue": "12345666"})
    assert caught.value.rule == "1:1.B"
    with pytest.raises(PositionError, match="green has 7 dice") as caught:
        table(
            "boundary-choice red", dict.fromkeys(("red", "blue"), "11223344") | {"green": "1" * 7}
        )
    assert caught.value.rule == "1:1.A"


def test_a_neutral_die_missing_from_the_lawn_must_be_captured() -> None:
    # rule 1:1.B, 5:3.B
    rows = {"red": "112233", "blue": "1234566"}
    with pytest.raises(PositionError, match="without a neutral die are 4"):
        table("boundary-choice red", rows, {4: "rrb"})
    assert table("boundary-choice red", rows, {4: "rrb"}, captured={"red": "4"})


def test_a_position_never_changes() -> None:
    position = Position.start(2)
    with pytest.raises(AttributeError):
        position.turn = 1
    with pytest.raises(AttributeError):
        del position.turn
    with pytest.raises(TypeError):
        Position()


def test_copies_and_pickles_are_equal_positions() -> None:
    position = table("placement blue", {"red": "11223344", "blue": "12345666"})
    assert copy.copy(position) is position
    assert copy.deepcopy(position) is position
    twin = pickle.loads(pickle.dumps(position))
    assert twin == position
    assert hash(twin) == hash(position)
    assert twin.legal_actions() == position.legal_actions()
    assert position != position.to_string()


def test_every_engine_error_is_one_family() -> None:
    for error in (PositionError("x"), OptionsError("x")):
        assert isinstance(error, LawnError)
        assert isinstance(error, ValueError)
    assert Position.start(2).options == Options()
