"""Whose die it is, from its colour: one small interface, so that learned sets can take its place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from engine.lawn import NEUTRAL, Owner
from engine.table import OWNERS
from vision.colours import DieColours
from vision.reading import COLOURS

NEUTRAL_COLOUR = "white"  # rule 1:1.B prefers it
SEATS = (2, 3)


class OwnerError(ValueError):
    """These colours cannot be the players'; the message says which can."""


@dataclass(frozen=True)
class ColouredDie:
    """What is known of a die's colour: P(name), what it looks like (None: not known), and found_p: that
    there is a die at all."""

    colour_p: Mapping[str, float]
    sample: DieColours | None = None
    found_p: float = 1.0


class Owners(Protocol):
    """Turns what is believed of dice's colours into what is believed of their owners."""

    def together(self, dice: Sequence[ColouredDie]) -> list[tuple[float, ...]]:
        """P(owner) of all dice of a table, each in the order of engine.table.OWNERS, summing to 1 at most."""
        ...


class ColourOwners:
    """Owners by the names of colours.

    colours: name of vision.reading.COLOURS -> owner; names in none's set leave their probability to
    nobody.
    """

    def __init__(self, colours: Mapping[str, Owner]) -> None:
        self.colours = dict(colours)

    def owner_p(self, colour_p: Mapping[str, float]) -> tuple[float, ...]:
        """P(owner) of a die in the order of engine.table.OWNERS."""
        return tuple(
            sum(p for name, p in colour_p.items() if self.colours.get(name) == owner)
            for owner in OWNERS
        )

    def together(self, dice: Sequence[ColouredDie]) -> list[tuple[float, ...]]:
        return [self.owner_p(die.colour_p) for die in dice]


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


def colours_of(names: Sequence[str]) -> dict[Owner, str]:
    """The colour of every owner in a match of players with these colours. Raises OwnerError."""
    return {owner: name for name, owner in players(names).colours.items()}
