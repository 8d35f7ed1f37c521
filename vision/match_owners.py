"""Whose die it is in a match whose players' colours are known: by names at first, then by what the sets look like.

The colours of the sets are learned from the first view that shows enough dice of each, and anew from
fuller ones, until every die of the match was seen; see vision.set_colours.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.colours import DieColours
from vision.owners import ColouredDie, ColourOwners, Owners, players
from vision.set_colours import FEWEST, SetColours, dice_in_match

MISTAKEN = 2
"""So many things more than the match has dice may have been taken for dice."""
SURE = 0.5
"""Colours are learned from what is a die with more than this probability."""


class MatchOwners:
    """The owners in a match. names: by the names of colours; count: of players, 2 or 3; learned: colours
    that were learned before, such as by `lawn teach`. Not to be used from two threads at once."""

    def __init__(self, names: ColourOwners, count: int, learned: SetColours | None = None) -> None:
        self.learned = learned
        """What the sets look like; None until enough of them was seen, and names alone tell."""
        self._names = names
        self._counts = dice_in_match(count)
        self._all = sum(self._counts.values())
        self._learned_from = 0 if learned is None else self._all
        self._asked: list[DieColours] = []
        self._told: NDArray[np.float64] | None = None

    def together(self, dice: Sequence[ColouredDie]) -> list[tuple[float, ...]]:
        """P(owner) of all dice of a table, each in the order of engine.table.OWNERS, summing to 1 at most."""
        samples = [die.sample for die in dice if die.sample is not None]
        same = len(samples) == len(self._asked) and all(
            new is old for new, old in zip(samples, self._asked, strict=True)
        )
        if not same:  # a table that lies still is asked for over and over
            self._learn(dice)
            self._asked = samples
            self._told = None if self.learned is None else self.learned.owner_p(samples)
        if self._told is None:
            return self._names.together(dice)
        told = iter(self._told)
        return [
            self._names.owner_p(die.colour_p)
            if die.sample is None
            else tuple(float(p) for p in next(told))
            for die in dice
        ]

    def _learn(self, dice: Sequence[ColouredDie]) -> None:
        seen = [die for die in dice if die.sample is not None and die.found_p > SURE]
        if not self._learned_from < len(seen) <= self._all + MISTAKEN:
            return
        guess = np.array(self._names.together(seen), np.float64)
        if not self._shows_all(guess):
            return
        colour_of = {owner: name for name, owner in self._names.colours.items()}
        looks = [die.sample for die in seen if die.sample is not None]
        learned = SetColours.learn(looks, guess, self._counts, colour_of)
        if learned is not None:
            self.learned, self._learned_from = learned, len(seen)

    def _shows_all(self, guess: NDArray[np.float64]) -> bool:
        """Whether no set can be missing: by the names, or since the others have not so many dice.

        Else the dice of one set, some in light and some in shade, could be taken for two.
        """
        if len(guess) >= self._all - min(self._counts.values()) + FEWEST:
            return True
        likeliest = guess[guess.max(1) > 0].argmax(1)
        return all(int((likeliest == owner).sum()) >= FEWEST for owner in self._counts)


def match_owners(names: Sequence[str], learned: SetColours | None = None) -> Owners:
    """The owners in a match of players with these colours, in seat order; of no names nobody owns anything.

    Raises vision.owners.OwnerError.
    """
    by_names = players(names)
    return MatchOwners(by_names, len(names), learned) if names else by_names


def names_in(text: str | None) -> tuple[str, ...]:
    """The colours in what a person wrote, such as "red, blue"; none of None."""
    return () if text is None else tuple(name.strip() for name in text.split(","))
