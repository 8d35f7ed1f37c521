"""Whose die is it, by the colours that this match's own dice have.

Names of colours are for people: under a yellow lamp the white dice of one set can look like the yellow ones of another
photograph. But once a match is set up it is known which sets lie on the table and how many dice each has (1:1.A,
1:1.B), so a die need only be told from the two other sets, and all dice are assigned together.

A die's body and its whole top are described by the logarithms of their linear red, green and blue. A change of the
light multiplies these (von Kries 1902), so in logarithms it moves all dice alike; that common move is estimated from
the dice themselves each time. Which die belongs to which set is then summed exactly over all assignments that give no
set more dice than it has.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.lawn import NEUTRAL, Owner
from engine.table import OWNERS
from vision.colours import DieColours
from vision.linear_light import linear_of

Array = NDArray[np.float64]

FLOOR = 0.012
"""Of linear light, 0..1: below it a camera shows noise and stray light."""
LIGHT_SPREAD, HUE_SPREAD = 0.30, 0.11
"""Of one set's dice about their common colour: how much brighter or darker, and how much tinted otherwise, some stand
(natural logarithms)."""
LAMP_SPREAD = 0.9
"""Of a change of the light since the colours were learned."""
STRANGER_P = 0.002
"""That a die belongs to no set of this match."""
STRANGER_DENSITY = 1e-4
"""How densely the colours of strangers' dice lie; makes a die a stranger that fits no set by a wide margin."""
FEWEST = 3
"""Dice of a set that must be seen for its colour to be learned."""
ROUNDS = 12
STARTS = 8
NAMES_WORTH = 2.0
"""What the names of a set's dice count for, in dice: they err together under a strange lamp."""
TYPICAL_SPREAD = np.array([0.6, 0.3, 0.3])
"""Of a colour's dice about its usual colour: in brightness, and in two directions of tint (natural logarithms)."""
_FAR = float(np.log(STRANGER_P * STRANGER_DENSITY))


def description(die: DieColours) -> Array:
    """(6,) logarithms of linear r, g, b of the die's body and of all of its top."""
    both = np.stack([die.body, die.whole]).astype(np.float32)[None]
    linear = np.asarray(cv2.cvtColor(both, cv2.COLOR_Lab2LRGB), np.float64)[0]
    return np.asarray(np.log(np.clip(linear, 0, 1) + FLOOR).ravel(), np.float64)


def _logarithms(hexadecimal: str) -> Array:
    """(3,) of an sRGB colour such as "c01820"."""
    return np.asarray(
        np.log(linear_of(np.frombuffer(bytes.fromhex(hexadecimal), np.uint8)) + FLOOR)
    )


# Dice as they are commonly sold, looked at by daylight.
TYPICAL: Mapping[str, Array] = {
    name: _logarithms(colour)
    for name, colour in {
        "white": "f2f0e8", "black": "161618", "grey": "808285", "red": "b8181e", "orange": "ea7a20", "yellow": "f0cf14",
        "green": "1f8a3c", "blue": "2258b4", "purple": "5e2888", "pink": "ee88b0", "brown": "6b4226",
    }.items()
}  # fmt: skip


def _basis() -> Array:
    """Rows: brightness and two directions of tint for the body, then the same for the whole."""
    three = np.array([[1, 1, 1], [1, -1, 0], [1, 1, -2]], np.float64)
    three /= np.linalg.norm(three, axis=1, keepdims=True)
    return np.asarray(np.kron(np.eye(2), three), np.float64)


BASIS = _basis()
SPREADS = np.array([LIGHT_SPREAD, HUE_SPREAD, HUE_SPREAD] * 2)


@dataclass(frozen=True)
class SetColours:
    """The learned colours of the sets on a table.

    owners: whose they are; counts: how many dice each set has; means: (K, 6) descriptions.
    """

    owners: tuple[Owner, ...]
    counts: tuple[int, ...]
    means: Array

    @classmethod
    def learn(
        cls,
        dice: Sequence[DieColours],
        said: Array,
        counts: Mapping[Owner, int],
        names: Mapping[Owner, str] | None = None,
    ) -> SetColours | None:
        """From dice seen together, such as the Big Rolls at the start.

        said: (N, 4) P(owner) in the order of OWNERS by the names of their colours, a first guess; counts: dice of each
        owner, 8 or 6; names: each owner's colour, where it is one of vision.reading.COLOURS.

        The dice are first divided into sets by likeness alone, and then the sets are given to the owners: by the names
        that their dice got, and by how the sets differ from one another (the white set is the lightest one under any
        lamp). None while too few dice of some set are seen to tell it.
        """
        owners = tuple(sorted(counts))
        if len(dice) < FEWEST * len(owners):
            return None
        points = np.stack([description(die) for die in dice])
        guess = np.maximum(said[:, [OWNERS.index(owner) for owner in owners]], 0.01)
        guess /= guess.sum(1, keepdims=True)
        limits = tuple(counts[owner] for owner in owners)
        means = _likely_sets(points, guess, max(limits))
        share = joint_shares(_log_fit(points, means), (max(limits),) * len(owners))
        if (share.sum(0) < FEWEST - 0.5).any():
            return None
        typical = [TYPICAL.get((names or {}).get(owner, "")) for owner in owners]
        order = max(
            permutations(range(len(owners))),
            key=lambda order: _ownership(order, share, means, guess, limits, typical),
        )
        return cls(owners, limits, means[list(order)])

    def owner_p(self, dice: Sequence[DieColours]) -> Array:
        """P(owner) (N, 4) in the order of OWNERS for dice seen together; what is missing to 1 is nobody's."""
        if not dice:
            return np.zeros((0, len(OWNERS)))
        points = np.stack([description(die) for die in dice])
        move = self.lamp_move(points)
        share = joint_shares(_log_fit(points - move, self.means), self.counts, STRANGER_P)
        out = np.zeros((len(dice), len(OWNERS)))
        out[:, [OWNERS.index(owner) for owner in self.owners]] = share
        return out

    def lamp_move(self, points: Array) -> Array:
        """(6,) how the light has moved all colours since they were learned; points (N, 6).

        By expectation and maximisation from several starts (no change, and the middle of the dice brought to the
        middle of the sets), since a large change could otherwise end in a wrong assignment; the likeliest end wins.
        """
        weights = np.array(self.counts, np.float64)
        middle = points.mean(0) - weights @ self.means / weights.sum()
        best, best_fit = np.zeros(6), -np.inf
        for start in (np.zeros(3), (middle[:3] + middle[3:]) / 2):
            move = np.tile(start, 2)
            for _ in range(ROUNDS):
                share = _lone_shares(_log_fit(points - move, self.means), self.counts)
                gap = (share[:, :, None] * (points[:, None] - self.means[None])).sum((0, 1))
                # Body and whole are lit by the same lamp, so they move together.
                total = share.sum()
                each = (gap[:3] + gap[3:]) / (2 * total + (HUE_SPREAD / LAMP_SPREAD) ** 2)
                move = np.tile(each, 2)
            fit = _log_fit(points - move, self.means)
            value = float(np.logaddexp.reduce(fit, axis=1).sum())
            value -= float((move[:3] ** 2).sum()) / (2 * LAMP_SPREAD**2)
            if value > best_fit:
                best, best_fit = move, value
        return best

    def to_json(self) -> dict[str, Any]:
        """A dict of plain JSON types; `set_colours_from_json` reads it back."""
        return {
            "owners": list(self.owners),
            "counts": list(self.counts),
            "means": self.means.round(5).tolist(),
        }


def set_colours_from_json(data: object) -> SetColours:
    """Read `SetColours.to_json` back. Raises ValueError on anything else."""
    try:
        fields: Any = data
        owners, counts = tuple(fields["owners"]), tuple(fields["counts"])
        means = np.array(fields["means"], np.float64)
        good = (
            set(owners) <= set(OWNERS)
            and all(isinstance(count, int) and count > 0 for count in counts)
            and means.shape == (len(owners), 6)
            and len(counts) == len(owners)
            and bool(np.isfinite(means).all())
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError("These are no learned colours of dice; learn them anew.") from error
    if not good:
        raise ValueError("These are no learned colours of dice; learn them anew.")
    return SetColours(owners, counts, means)


def dice_in_match(players: int) -> dict[Owner, int]:
    """How many dice each owner has: 8 a player, and six neutral ones for two (1:1.A, 1:1.B)."""
    seats: tuple[Owner, ...] = (0, 1, 2)
    counts = dict.fromkeys(seats[:players], 8)
    return {**counts, NEUTRAL: 6} if players == 2 else counts


def _likely_sets(points: Array, guess: Array, limit: int) -> Array:
    """Means (K, 6) of the likeliest division of descriptions (N, 6) into K sets of at most `limit` dice.

    guess: (N, K) one division to start from; others start from dice far apart from each other (k-means++, Arthur and
    Vassilvitskii 2007, with a fixed seed). The end that fits best wins.
    """
    sets, rng = guess.shape[1], np.random.default_rng(0)
    limits = (limit,) * sets
    best, best_fit = np.zeros((sets, points.shape[1])), -np.inf
    for start in range(STARTS):
        if start == 0:
            means = (guess / guess.sum(0)).T @ points
        else:
            chosen = [int(rng.integers(len(points)))]
            while len(chosen) < sets:
                gaps = (((points[:, None] - points[chosen]) @ BASIS.T / SPREADS) ** 2).sum(2).min(1)
                chosen.append(int(rng.choice(len(points), p=gaps / gaps.sum())))
            means = points[chosen]
        for _ in range(ROUNDS):
            share = _lone_shares(_log_fit(points, means), limits)
            means = ((share + 1e-9) / (share + 1e-9).sum(0)).T @ points
        fit = _log_fit(points, means)
        value = float((joint_shares(fit, limits) * fit).sum())
        if value > best_fit:
            best, best_fit = means, value
    return best


def _ownership(
    order: Sequence[int],
    share: Array,
    means: Array,
    guess: Array,
    limits: Sequence[int],
    typical: Sequence[Array | None],
) -> float:
    """How well it fits, in natural logarithms, that owner k has the set order[k].

    share: (N, K) dice of sets; means: (K, 6); guess: (N, K) P(owner) by names; typical: (3,) each owner's usual colour.
    """
    value, gaps = 0.0, []
    for owner, each in enumerate(order):
        dice = share[:, each]
        value += NAMES_WORTH * math.log(float((dice * guess[:, owner]).sum() / dice.sum()) + 0.02)
        value -= 4 * max(float(dice.sum()) - limits[owner] - 0.5, 0.0)
        usual = typical[owner]
        if usual is not None:
            gaps.append(BASIS[:3, :3] @ (means[each, :3] - usual))
    if gaps:
        # The lamp moves all sets alike: only what is left of the gaps without their common part tells them apart.
        gap = np.stack(gaps)
        precision = 1 / TYPICAL_SPREAD**2
        lamp = gap.sum(0) * precision / (len(gap) * precision + 1 / LAMP_SPREAD**2)
        value -= float(((gap - lamp) ** 2 * precision).sum() + (lamp**2).sum() / LAMP_SPREAD**2) / 2
    return value


def _log_fit(points: Array, means: Array) -> Array:
    """Log density (N, K) of descriptions (N, 6) about sets' means (K, 6), with a Student t's heavy tails.

    A highlight or a shadow across a die is no rarer than that.
    """
    gaps = (points[:, None] - means[None]) @ BASIS.T / SPREADS
    freedom = 6.0
    return np.asarray(-(freedom + 6) / 2 * np.log1p((gaps**2).sum(2) / freedom))


def _lone_shares(fit: Array, counts: Sequence[int]) -> Array:
    """P(set) (N, K) of dice each taken alone; strangers count little: quick, for steps on the way."""
    logs = np.column_stack([fit + np.log(np.array(counts, np.float64)), np.full(len(fit), _FAR)])
    weight = np.exp(logs - logs.max(1, keepdims=True))
    return np.asarray((weight / weight.sum(1, keepdims=True))[:, :-1])


def joint_shares(fit: Array, limits: Sequence[int], stranger_p: float = 0.0) -> Array:
    """P(set) (N, K) of dice assigned together, no set k having more than limits[k] of them.

    fit: (N, K) log likelihoods. stranger_p: a priori that a die is of none of the sets; what a row lacks to 1 is that.
    Exact: the sum over all assignments by forward and backward passes over how many dice each set has so far.
    """
    count, sets = fit.shape
    shift = fit.max(1, keepdims=True)
    weight = np.exp(fit - shift)
    stranger = np.zeros(count)
    if stranger_p > 0:
        stranger = stranger_p * STRANGER_DENSITY * np.exp(-np.maximum(shift[:, 0], -600))
    elif count > sum(limits):
        stranger = np.full(
            count, 1e-9
        )  # there are more dice than the sets have: some are strangers
    shape = tuple(limit + 1 for limit in limits)

    def step(table: Array, die: int, back: bool) -> Array:
        out = table * stranger[die]
        for k in range(sets):
            given = [slice(None)] * sets
            taken = [slice(None)] * sets
            given[k], taken[k] = slice(0, -1), slice(1, None)
            source, target = (taken, given) if back else (given, taken)
            out[tuple(target)] += table[tuple(source)] * weight[die, k]
        return np.asarray(out / max(float(out.max()), 1e-300))

    ahead = np.zeros(shape)
    ahead[(0,) * sets] = 1.0
    before = []
    for die in range(count):
        before.append(ahead)
        ahead = step(ahead, die, back=False)
    behind = np.ones(shape)
    shares = np.zeros((count, sets))
    for die in range(count - 1, -1, -1):
        none = float((before[die] * behind).sum()) * stranger[die]
        for k in range(sets):
            given = [slice(None)] * sets
            taken = [slice(None)] * sets
            given[k], taken[k] = slice(0, -1), slice(1, None)
            together = before[die][tuple(given)] * behind[tuple(taken)]
            shares[die, k] = float(together.sum()) * weight[die, k]
        shares[die] /= max(shares[die].sum() + none, 1e-300)
        behind = step(behind, die, back=True)
    return shares
