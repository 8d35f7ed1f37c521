"""Beliefs of several readings of one die made one, without false certainty.

The frames of a still table are nearly the same picture: what misleads the network in one misleads it
in the next. Their log beliefs may not simply be added up. As with any correlated sample (Kish 1965,
"design effect"), n readings whose errors correlate by r are worth

    n / (1 + (n - 1) r)

independent ones, never more than 1 / r. So the mean log belief is multiplied by that number. A
single reading's probability is floored, so that one wild reading cannot forbid a face, and the mean
forgets after MEMORY readings, so that a wrong belief is overturned by a few better pictures, however
long it has stood.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

CORRELATION = 0.7
"""Of the errors of two readings of one still picture; so at most 1.43 readings' worth of certainty."""
MEMORY = 6
"""Readings after which older ones count less and less."""
LEAST_P = 0.003
"""No single reading is believed to exclude anything further than this."""


@dataclass(frozen=True)
class Belief:
    """A fused belief over some alternatives.

    mean: their mean log probabilities (K,); readings: how many were fused.
    """

    mean: NDArray[np.float64]
    readings: int = 1

    @classmethod
    def of(cls, probabilities: Sequence[float]) -> Belief:
        """From the first reading's probabilities (K,); they may sum to less than one."""
        return cls(_logs(probabilities))

    def fused(self, probabilities: Sequence[float]) -> Belief:
        """With one more reading."""
        weight = 1 / min(self.readings + 1, MEMORY)
        mean = self.mean + weight * (_logs(probabilities) - self.mean)
        return Belief(mean, self.readings + 1)

    @property
    def worth(self) -> float:
        """How many independent readings this one stands for."""
        count = min(self.readings, MEMORY)
        return count / (1 + (count - 1) * CORRELATION)

    @cached_property
    def probabilities(self) -> tuple[float, ...]:
        """The fused probabilities (K,), summing to 1."""
        values = self.worth * self.mean
        weights = np.exp(values - values.max())
        return tuple(float(p) for p in weights / weights.sum())


def _logs(probabilities: Sequence[float]) -> NDArray[np.float64]:
    return np.asarray(np.log(np.maximum(np.array(probabilities, np.float64), LEAST_P)))
