"""The Big Rolls that a reading shows: dice grouped by colour and scored by the engine."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from engine.big_roll import BigRoll, score, turn_order
from vision.reading import DieReading, Reading

DICE_A_PLAYER = 8


@dataclass(frozen=True)
class ColourGroup:
    """The dice of one colour in a picture.

    faces: sorted, unreadable ones left out; unsure: how many of the dice are unsure.
    roll: the scored Big Roll, or None; problem: why it is None, one sentence for the player.
    """

    colour: str
    count: int
    faces: tuple[int, ...]
    unsure: int
    roll: BigRoll | None
    problem: str | None

    def to_json(self) -> dict[str, Any]:
        """The object of this colour in `lawn score --json` and in the page's state."""
        best = self.roll.best if self.roll else None
        return {
            "colour": self.colour,
            "count": self.count,
            "faces": list(self.faces),
            "unsure": self.unsure,
            "scored": self.roll is not None,
            "base": self.roll.base if self.roll else None,
            "bonuses": [
                {"category": bonus.category, "points": bonus.points, "dice": list(bonus.dice)}
                for bonus in (self.roll.bonuses if self.roll else ())
            ],
            "best": {"category": best.category, "points": best.points} if best else None,
            "total": self.roll.total if self.roll else None,
            "problem": self.problem,
        }


@dataclass(frozen=True)
class TableScore:
    """The Big Rolls of a picture, most dice first, and who starts.

    order: colours with a scored roll in the order of play, ties kept together (rule 3:4).
    """

    groups: tuple[ColourGroup, ...]
    order: tuple[tuple[str, ...], ...]

    def to_json(self) -> dict[str, Any]:
        """`{"colours": [...], "order": [[colour, ...], ...]}`; colours that tie share a place in the order."""
        return {
            "colours": [group.to_json() for group in self.groups],
            "order": [list(tied) for tied in self.order],
        }


def score_reading(reading: Reading) -> TableScore:
    """Score the Big Roll of every colour that lies in the picture with exactly eight readable dice."""
    by_colour: dict[str, list[DieReading]] = {}
    for die in reading.dice:
        by_colour.setdefault(die.colour, []).append(die)
    groups = sorted(
        (_group(colour, dice) for colour, dice in by_colour.items()),
        key=lambda group: (-group.count, group.colour),
    )
    rolls = {group.colour: group.roll for group in groups if group.roll is not None}
    order = tuple(tuple(tied) for tied in turn_order(rolls)) if rolls else ()
    return TableScore(tuple(groups), order)


def _group(colour: str, dice: Iterable[DieReading]) -> ColourGroup:
    dice = list(dice)
    faces = tuple(sorted(die.face for die in dice if die.face is not None))
    unsure = sum(die.unsure for die in dice)
    problem = None
    if len(dice) != DICE_A_PLAYER:
        noun = "die" if len(dice) == 1 else "dice"
        problem = f"{len(dice)} {colour} {noun} seen; a Big Roll has {DICE_A_PLAYER}, so it is not scored."
    elif len(faces) != len(dice):
        problem = (
            f"{len(dice) - len(faces)} of the {colour} dice cannot be read, so it is not scored."
        )
    roll = score(faces) if problem is None else None
    return ColourGroup(colour, len(dice), faces, unsure, roll, problem)
