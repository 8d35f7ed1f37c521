"""Whether dice are fair: Pearson's chi-square test of a colour's recorded rolls, for people.

A colour's dice are one bag: all rolls of all its dice are counted together. With six faces the statistic has five
degrees of freedom, for which its tail has a closed form, so no table and no approximation of it is needed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import erfc, exp, pi, sqrt
from typing import Any, Literal, TypeAlias

from engine.dice import FACES

Finding: TypeAlias = Literal["too-few", "fair", "doubtful", "loaded"]
"""too-few: no answer yet; fair: nothing speaks against it; doubtful, loaded: fair dice would be this uneven in less
than one of 20, or one of 1000, such collections of colours."""

FEWEST = 30
"""Fewer rolls are not tested: the chi-square distribution describes the statistic well from five expected a face
(W. G. Cochran, "Some methods for strengthening the common chi-square tests", Biometrics 10, 1954)."""
DOUBTFUL, LOADED = 0.05, 0.001

NONCENTRALITY = 12.83
"""With this noncentrality a test with five degrees of freedom at the level 0.05 finds loaded dice in 80 of 100."""


@dataclass(frozen=True, slots=True)
class ColourFairness:
    """What the rolls of one colour say.

    Attributes:
        colour: whose dice.
        counts: how often each face 1 to 6 came.
        statistic: chi-square, 0 without rolls.
        p: chance that fair dice are at least this uneven; 1 when there are too few rolls.
        p_corrected: the same for the most uneven of all colours tested (Holm); what `finding` goes by.
        finding: see Finding.
        noticeable: so often, as a share of rolls, a face would have to come that this many rolls would show it in 80 of
            100 cases; at most 1.
    """

    colour: str
    counts: tuple[int, ...]
    statistic: float
    p: float
    p_corrected: float
    finding: Finding
    noticeable: float

    @property
    def rolls(self) -> int:
        return sum(self.counts)

    @property
    def expected(self) -> float:
        """How often each face comes on average from as many rolls of fair dice."""
        return self.rolls / len(FACES)

    def to_json(self) -> dict[str, Any]:
        return {
            "colour": self.colour,
            "counts": list(self.counts),
            "rolls": self.rolls,
            "chi_square": round(self.statistic, 4),
            "p": self.p,
            "p_corrected": self.p_corrected,
            "finding": self.finding,
            "noticeable": round(self.noticeable, 4),
        }


def chi_square(counts: Sequence[int]) -> float:
    """Pearson's statistic of six counts against equal shares; 0 without rolls.

    Raises ValueError when there are not six counts, or one is negative.
    """
    if len(counts) != len(FACES) or min(counts) < 0:
        raise ValueError("Rolls are counted for six faces.")
    expected = sum(counts) / len(FACES)
    return sum((count - expected) ** 2 for count in counts) / expected if expected else 0.0


def tail(statistic: float) -> float:
    """The chance that chi-square with five degrees of freedom is at least this large, exact to floating point.

    For odd degrees of freedom the integral is a finite sum (Abramowitz and Stegun, 26.4.4).
    """
    if statistic <= 0:
        return 1.0
    root = sqrt(statistic)
    density = exp(-statistic / 2) / sqrt(2 * pi)
    return min(1.0, erfc(root / sqrt(2)) + 2 * density * (root + root**3 / 3))


def holm(chances: Sequence[float]) -> tuple[float, ...]:
    """p-values corrected for being several, in the same order (S. Holm, Scand. J. Statist. 6, 1979)."""
    corrected = [1.0] * len(chances)
    at_least = 0.0
    ranked = sorted(range(len(chances)), key=lambda index: chances[index])
    for rank, index in enumerate(ranked):
        at_least = max(at_least, min(1.0, (len(chances) - rank) * chances[index]))
        corrected[index] = at_least
    return tuple(corrected)


def noticeable_share(rolls: int) -> float:
    """The share of rolls in which one face must come, the others equally less, to be noticed in 80 of 100 cases.

    If a face comes in 1/6 + d of the rolls and every other one in 1/6 - d/5, the noncentrality after n rolls is
    n * 6 * (d^2 + 5 (d/5)^2) = 7.2 n d^2.
    """
    if rolls <= 0:
        return 1.0
    return min(1.0, 1 / len(FACES) + sqrt(NONCENTRALITY / (7.2 * rolls)))


def fairness(counts: Mapping[str, Sequence[int]]) -> tuple[ColourFairness, ...]:
    """The test of every colour, in the order given; the correction counts the colours with enough rolls."""
    statistics = {colour: chi_square(each) for colour, each in counts.items()}
    tested = [colour for colour, each in counts.items() if sum(each) >= FEWEST]
    p = {colour: tail(statistics[colour]) for colour in tested}
    corrected = dict(zip(tested, holm(list(p.values())), strict=True))
    return tuple(
        ColourFairness(
            colour,
            tuple(each),
            statistics[colour],
            p.get(colour, 1.0),
            corrected.get(colour, 1.0),
            _finding(corrected.get(colour)),
            noticeable_share(sum(each)),
        )
        for colour, each in counts.items()
    )


def _finding(p: float | None) -> Finding:
    if p is None:
        return "too-few"
    return "loaded" if p < LOADED else "doubtful" if p < DOUBTFUL else "fair"
