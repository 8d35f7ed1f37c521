"""Whose die it is, from its colour: one small interface, so that learned sets can take its place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from engine.lawn import NEUTRAL, Owner
from engine.table import OWNERS
from vision.reading import COLOURS

NEUTRAL_COLOUR = "white"  # rule 1:1.B prefers it
SEATS = (2, 3)


class OwnerError(ValueError):
    """These colours cannot be the players'; the message says which can."""


class Owners(Protocol):
    """Turns what is believed of a die's colour into what is believed of its owner."""

    def owner_p(self, colour_p: Mapping[str, float]) -> tuple[float, ...]:
        """P(owner) in the order of engine.table.OWNERS; it sums to 1 at most."""
        ...


class ColourOwners:
    """Owners by the names of colours.

    colours: name of vision.reading.COLOURS -> owner; names in none's set leave their probability to
    nobody.
    """

    def __init__(self, colours: Mapping[str, Owner]) -> None:
        self.colours = dict(colours)

    def owner_p(self, colour_p: Mapping[str, float]) -> tuple[float, ...]:
        return tuple(
            sum(p for name, p in colour_p.items() if self.colours.get(name) == owner)
            for owner in OWNERS
        )


def players(names: Sequence[str]) -> ColourOwners:
    """The owners in a match of players with these colours, in seat order.

    Of two players' tables, white dice are the neutral ones (1:1.B), or black ones where a player
    has white. No names: nobody owns anything. Raises OwnerError.
    """
    if not names:
        return ColourOwners({})
    for name in names:
        if name not in COLOURS:
            raise OwnerError(f"{name!r} is no colour of dice here; take {', '.join(COLOURS)}.")
    if len(names) not in SEATS or len(set(names)) != len(names):
        raise OwnerError("Name two or three different colours, such as --players red,blue.")
    owners: dict[str, Owner] = {}
    seats: tuple[Owner, ...] = (0, 1, 2)
    for seat, name in zip(seats, names, strict=False):
        owners[name] = seat
    if len(names) == 2:
        owners["black" if NEUTRAL_COLOUR in owners else NEUTRAL_COLOUR] = NEUTRAL
    return ColourOwners(owners)
