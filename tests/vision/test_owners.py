"""Whose a die is, by its colour."""

from __future__ import annotations

import pytest

from vision.owners import ColourOwners, OwnerError, players


def test_a_colour_is_its_players() -> None:
    owners = players(["red", "blue"])
    assert owners.owner_p({"red": 0.7, "blue": 0.2, "white": 0.05, "orange": 0.05}) == (
        0.7,
        0.2,
        0.0,
        0.05,
    )


def test_of_two_players_white_dice_are_neutral_unless_one_plays_white() -> None:  # rule 1:1.B
    assert players(["red", "blue"]).owner_p({"white": 1.0}) == (0, 0, 0, 1.0)
    assert players(["white", "blue"]).owner_p({"white": 1.0, "black": 0.0}) == (1.0, 0, 0, 0)
    assert players(["white", "blue"]).owner_p({"black": 1.0}) == (0, 0, 0, 1.0)


def test_three_players_have_no_neutral_dice() -> None:  # rule 1:1.A
    owners = players(["red", "blue", "green"])
    assert owners.owner_p({"green": 0.8, "white": 0.2}) == (0, 0, 0.8, 0)


def test_without_players_nobody_owns_anything() -> None:
    assert players([]).owner_p({"red": 1.0}) == (0, 0, 0, 0)


def test_several_names_can_mean_one_owner() -> None:
    assert ColourOwners({"red": 0, "pink": 0}).owner_p({"red": 0.5, "pink": 0.4})[0] == 0.9


@pytest.mark.parametrize(
    ("names", "says"),
    [
        (["red"], "two or three different colours"),
        (["red", "red"], "two or three different colours"),
        (["red", "teal"], "'teal' is no colour of dice here; take white, black"),
    ],
)
def test_colours_that_cannot_be_are_said(names: list[str], says: str) -> None:
    with pytest.raises(OwnerError, match=says):
        players(names)
