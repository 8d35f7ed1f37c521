"""The Big Roll (rule 3): base score, bonus formations, election, turn order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from engine.dice import DICE_PER_PLAYER, FACES, Face, Faces, faces
from engine.errors import DiceError, shown

Player = TypeVar("Player")

STRAIGHT = "six-dice straight"
FULLY_MATCHED = "fully matched"
OF_A_KIND = {
    5: "five of a kind",
    6: "six of a kind",
    7: "seven of a kind",
    8: "eight of a kind",
}
CATEGORIES: tuple[str, ...] = (*OF_A_KIND.values(), STRAIGHT, FULLY_MATCHED)
"""Names of all bonus categories (3:2.A, 3:2.B, 3:2.C)."""


@dataclass(frozen=True, slots=True)
class Bonus:
    """One bonus formation that a Big Roll qualifies for (3:2).

    Attributes:
        category: one of CATEGORIES.
        points: the sum of `dice`.
        dice: the faces that make the formation, sorted.
    """

    category: str
    points: int
    dice: Faces


@dataclass(frozen=True, slots=True)
class BigRoll:
    """The score of eight dice.

    Attributes:
        faces: the eight faces, sorted.
        base: their sum (3:1.B).
        bonuses: every formation that qualifies, best first; of equal points, n of a kind first.
    """

    faces: tuple[Face, ...]
    base: int
    bonuses: tuple[Bonus, ...]

    @property
    def best(self) -> Bonus | None:
        """The bonus worth most, or None when nothing qualifies."""
        return self.bonuses[0] if self.bonuses else None

    @property
    def total(self) -> int:
        """Base plus the best bonus."""
        return self.base + (self.bonuses[0].points if self.bonuses else 0)

    def bonus(self, category: str) -> Bonus:
        """The bonus of that category.

        Raises:
            DiceError: this roll does not qualify for it.
        """
        for bonus in self.bonuses:
            if bonus.category == category:
                return bonus
        qualifying = ", ".join(bonus.category for bonus in self.bonuses) or "no bonus at all"
        raise DiceError(
            f"This Big Roll does not qualify for {shown(category)}; it qualifies for {qualifying}."
        )

    def total_with(self, category: str | None) -> int:
        """Base plus the one bonus that the player elects (3:2.D); None claims no bonus.

        Raises:
            DiceError: this roll does not qualify for that category.
        """
        return self.base if category is None else self.base + self.bonus(category).points


def score(faces: Sequence[int]) -> BigRoll:
    """Score a Big Roll of exactly eight faces, in any order (3:1.B, 3:2).

    Raises:
        DiceError: not exactly eight dice, or a face that is not 1 to 6.
    """
    return _score(_eight(faces))


def turn_order(rolls: Mapping[Player, BigRoll]) -> tuple[tuple[Player, ...], ...]:
    """Players in descending order of their totals, tied ones kept together as a group (3:4).

    A group of more than one re-rolls for order (3:4.B). Within a group the mapping's order stays.
    """
    return order_of_totals({player: roll.total for player, roll in rolls.items()})


def order_of_totals(totals: Mapping[Player, int]) -> tuple[tuple[Player, ...], ...]:
    """As `turn_order`, from totals that already hold the elected bonuses."""
    distinct = sorted(set(totals.values()), reverse=True)
    return tuple(tuple(p for p, total in totals.items() if total == each) for each in distinct)


def _eight(values: Sequence[int]) -> Faces:
    try:
        return faces(values, DICE_PER_PLAYER)
    except DiceError as error:
        raise DiceError(f"A Big Roll is eight dice with faces 1 to 6. {error}") from None


@lru_cache(maxsize=2048)
def _score(rolled: Faces) -> BigRoll:
    counts = {value: rolled.count(value) for value in FACES if value in rolled}
    bonuses = []
    # 3:2.A: all matching dice make one set, so six 4s are six of a kind and never also five.
    for value, count in counts.items():
        if count in OF_A_KIND:
            bonuses.append(Bonus(OF_A_KIND[count], value * count, (value,) * count))
    if len(counts) == len(FACES):  # 3:2.B
        bonuses.append(Bonus(STRAIGHT, sum(FACES), FACES))
    if min(counts.values()) >= 2:  # 3:2.C: no orphan
        bonuses.append(Bonus(FULLY_MATCHED, sum(rolled), rolled))
    bonuses.sort(key=lambda bonus: -bonus.points)
    return BigRoll(rolled, sum(rolled), tuple(bonuses))
