"""Rulings where the rule book is silent, as named options; the defaults are the house's rulings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Literal

from engine.errors import OptionsError, shown

OwnPush = Literal["reroll", "keep-face"]
EndgameBlock = Literal["after-roll", "before-roll"]
Grind = Literal["after-boundary-roll", "at-once"]
Ending = Literal["gridlock", "lawn-locked", "first-out"]
TieBreak = Literal["base-and-bonus", "base"]
BonusClaim = Literal["elect", "best"]
Flank = Literal["free-flank-only"]
Lock = Literal["after-every-placement"]
MatchTie = Literal["play-on", "shared"]
EmptyRow = Literal["passed-over"]


@dataclass(frozen=True, slots=True)
class Ruling:
    """One ruling: its number, the option's name, and what each value means (default first)."""

    number: str
    option: str
    title: str
    values: tuple[tuple[str, str], ...]

    @property
    def default(self) -> str:
        return self.values[0][0]


RULINGS: tuple[Ruling, ...] = (
    Ruling(
        "R1",
        "own-push",
        "A player pushes an own die off the Lawn",
        (
            ("reroll", "the pusher rolls it and puts it back in the own row, as in 5:2"),
            ("keep-face", "it goes back to the own row with the face it had"),
        ),
    ),
    Ruling(
        "R2",
        "endgame-block",
        "When the last one or two dice are judged to be blocked (6:2.A)",
        (
            ("after-roll", "after the mandatory boundary roll, so it is the lost turn of 6:1"),
            ("before-roll", "before it, without rolling; all players stuck so end the round"),
        ),
    ),
    Ruling(
        "R3",
        "grind",
        "When the only player with dice left re-rolls all of them (6:2.B)",
        (
            ("after-boundary-roll", "after a boundary roll that leaves the player blocked"),
            ("at-once", "at the start of the turn, instead of the boundary roll"),
        ),
    ),
    Ruling(
        "R4",
        "ending",
        "End of a three-player round (two-player rounds end by 7:1.A alone)",
        (
            ("gridlock", "all players who hold dice lose their turn in a row, or no row is open"),
            ("lawn-locked", "all six rows are locked"),
            ("first-out", "a player's row is empty at the end of a turn, or no row is open"),
        ),
    ),
    Ruling(
        "R5",
        "tie-break",
        "What a tie-break roll compares",
        (
            ("base-and-bonus", "the sum of the eight dice plus the best bonus"),
            ("base", "the sum of the eight dice"),
        ),
    ),
    Ruling(
        "R6",
        "bonus",
        "A Big Roll that qualifies for several bonuses",
        (
            ("elect", "the player elects one; the best is proposed"),
            ("best", "the best is claimed for the player"),
        ),
    ),
    Ruling(
        "R7",
        "flank",
        "A row with one free flank",
        (("free-flank-only", "the die goes to the free flank; a push needs three dice"),),
    ),
    Ruling(
        "R8",
        "lock",
        "When a lock is judged",
        (("after-every-placement", "after every placement and push; neutral dice never lock"),),
    ),
    Ruling(
        "R9",
        "match-tie",
        "Highest totals at or past the threshold are tied",
        (
            ("play-on", "another round is played"),
            ("shared", "the tied players share the victory"),
        ),
    ),
    Ruling(
        "R10",
        "empty-row",
        "A player whose row is empty",
        (("passed-over", "is passed over until a die re-enters the row"),),
    ),
)
"""All rulings in order. R7, R8 and R10 have one value: nothing else would be playable."""

_BY_OPTION = {ruling.option: ruling for ruling in RULINGS}


@dataclass(frozen=True, slots=True)
class Options:
    """The rulings a round is played by; see RULINGS for what each value means.

    Raises:
        OptionsError: a value that the option does not have.
    """

    own_push: OwnPush = "reroll"
    endgame_block: EndgameBlock = "after-roll"
    grind: Grind = "after-boundary-roll"
    ending: Ending = "gridlock"
    tie_break: TieBreak = "base-and-bonus"
    bonus: BonusClaim = "elect"
    flank: Flank = "free-flank-only"
    lock: Lock = "after-every-placement"
    match_tie: MatchTie = "play-on"
    empty_row: EmptyRow = "passed-over"

    def __post_init__(self) -> None:
        for field in fields(self):
            _check_value(field.name.replace("_", "-"), getattr(self, field.name))

    def to_mapping(self) -> dict[str, str]:
        """Every option by its public name (with hyphens), for JSON and for the rules page."""
        return {name.replace("_", "-"): value for name, value in asdict(self).items()}

    def changed(self) -> dict[str, str]:
        """Only the options that differ from their defaults, in the order of the rulings."""
        return {
            name: value
            for name, value in self.to_mapping().items()
            if value != _BY_OPTION[name].default
        }

    @classmethod
    def from_mapping(cls, mapping: object) -> Options:
        """Options by public name; those not named keep their defaults.

        Raises:
            OptionsError: not a mapping, an unknown name, or an unknown value.
        """
        if not isinstance(mapping, Mapping):
            raise OptionsError(f"Options are given as names with values, not {shown(mapping)}.")
        chosen = {}
        for name, value in mapping.items():
            if not isinstance(name, str) or name not in _BY_OPTION:
                known = ", ".join(_BY_OPTION)
                raise OptionsError(f"There is no option {shown(name)}; the options are {known}.")
            _check_value(name, value)
            chosen[name.replace("-", "_")] = value
        return cls(**chosen)


def _check_value(name: str, value: object) -> None:
    allowed = [each for each, _ in _BY_OPTION[name].values]
    if not isinstance(value, str) or value not in allowed:
        listed = " or ".join(allowed)
        raise OptionsError(f"Option {name} takes {listed}, not {shown(value)}.")
