"""Which end of a grid is row 1: told by the dice that lie on it, since every row has its own face (1:2.A).

Dice cannot tell a mirrored picture: the rules treat left and right alike. Cameras do not mirror unless told to, so that
is assumed rarely; a printed marker or the person settles it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.mat import Array

SURE = 0.95
"""An orientation of less probability is asked of the person."""
FITTING = 0.95
"""How often a die on the lawn shows its row's face: nearly always, but hands err and dice are read wrongly."""
NO_GAME = 0.2
"""How likely it is, before any die is seen, that the dice lie there without meaning, as after a throw."""
MIRROR = 0.01
"""How likely a camera mirrors, before anything is known of it."""


@dataclass(frozen=True)
class Orientation:
    """One way to read a grid: turned by half a turn or not, mirrored or not, and how likely that is.

    corners: (4, 2) px of row 1 left, row 1 right, row 6 right, row 6 left in this reading.
    """

    turned: bool
    mirrored: bool
    probability: float
    corners: Array


@dataclass(frozen=True)
class LyingDie:
    """A die: where its foot is (px) and the probabilities of its top faces 1..6."""

    px: tuple[float, float]
    face_p: Sequence[float]


def oriented(
    corners: Array,
    dice: Iterable[LyingDie] = (),
    mirror: float = MIRROR,
    numbers: Callable[[Sequence[Array]], Sequence[float]] | None = None,
) -> tuple[Orientation, ...]:
    """The four readings of a grid by its corners (4, 2) px in any of them, likeliest first; they sum to 1.

    mirror: how likely the picture is mirrored, by what else is known. Dice off the grid are passed over. The neutral
    dice of the two-player set-up (1:2.C) count like all others: they show their row's face too. numbers: tells of
    readings, by their corners, the logarithm of how likely the numbers printed beside them make each.
    """
    order = [0, 1, 2, 3] if _goes_round(corners) else [1, 0, 3, 2]
    upright = np.asarray(corners, np.float64)[order]
    logs = {False: 0.0, True: 0.0}
    anyhow = 0.0
    for row, face_p in _on_rows(upright, dice):
        for turned in logs:
            logs[turned] += _log_fit(face_p[5 - row if turned else row])
        anyhow += math.log(1 / 6)
    weights = {turned: (1 - NO_GAME) / 2 * math.exp(log) for turned, log in logs.items()}
    lost = NO_GAME * math.exp(anyhow)
    total = sum(weights.values()) + lost
    found = []
    for turned, weight in weights.items():
        ends = (weight + lost / 2) / total
        for mirrored, share in ((False, 1 - mirror), (True, mirror)):
            names = [2, 3, 0, 1] if turned else [0, 1, 2, 3]
            names = [names[i] for i in ((1, 0, 3, 2) if mirrored else (0, 1, 2, 3))]
            found.append(Orientation(turned, mirrored, ends * share, upright[names]))
    if numbers is not None:
        told = np.exp(numbers([each.corners for each in found]))
        chances = told * [each.probability for each in found]
        found = [
            replace(each, probability=float(chance))
            for each, chance in zip(found, chances / chances.sum(), strict=True)
        ]
    return tuple(sorted(found, key=lambda each: -each.probability))


def settled(orientations: Sequence[Orientation]) -> Orientation | None:
    """The likeliest reading if it is sure enough to be used without asking, else None."""
    best = max(orientations, key=lambda each: each.probability)
    return best if best.probability >= SURE else None


def evidence(corners: Array, dice: Iterable[LyingDie]) -> float:
    """How well the dice show their rows on a grid with row 1 at its first two corners (4, 2) px.

    The logarithm of how much likelier they are so than by chance: 1.7 for a die that fits, -4 for one that does not.
    """
    return sum(_log_fit(face_p[row]) + math.log(6) for row, face_p in _on_rows(corners, dice))


def _log_fit(own: float) -> float:
    """The logarithm of how likely a die is read so in a game; own: the probability of its row's face."""
    return math.log(FITTING * own + (1 - FITTING) / 5 * (1 - own))


def _on_rows(upright: Array, dice: Iterable[LyingDie]) -> Iterable[tuple[int, Sequence[float]]]:
    """Row index 0..5 from the end of the first two corners, and face beliefs, of the dice on the grid."""
    to_px = _to_px(upright)
    for die in dice:
        u, v, w = np.linalg.solve(to_px, [*die.px, 1.0])
        x, y = u / w, v / w
        if 0 <= x < 3 and 0 <= y < 6:
            yield int(y), die.face_p


def _to_px(corners: Array) -> Array:
    """(3, 3) grid units to px, by the four corners (4, 2) px."""
    rows, goals = [], []
    for (x, y), (u, v) in zip([(0, 0), (3, 0), (3, 6), (0, 6)], corners, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -x * u, -y * u], [0, 0, 0, x, y, 1, -x * v, -y * v]]
        goals += [u, v]
    return np.append(np.linalg.solve(np.array(rows, np.float64), np.array(goals)), 1).reshape(3, 3)


def _goes_round(corners: Array) -> bool:
    """Whether the corners go round as in a picture that is not mirrored (x right, y down)."""
    x, y = np.asarray(corners, np.float64).T
    return float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum()) > 0
