"""The last layer of the close-up network, which can be learned anew for the dice of one table.

The network before it stays as it was shipped, so a few photographs are enough and PyTorch is not needed: it is a
logistic regression on 160 features, drawn towards the shipped layer.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

PULL = 0.02
"""How strongly the learned layer is drawn back to the shipped one, so that faces seldom shown are not forgotten."""
STEPS = 300
RATE = 0.05


@dataclass(frozen=True)
class Head:
    """logits = features @ weight.T + bias; weight (7, F), bias (7,): the faces 1 to 6, and no die."""

    weight: Array
    bias: Array

    def logits(self, features: NDArray[np.float32]) -> Array:
        """(N, 7) logits of features (N, F)."""
        return np.asarray(features.astype(np.float64) @ self.weight.T + self.bias)


def learn_head(
    features: NDArray[np.float32], faces: NDArray[np.int64], start: Head, steps: int = STEPS
) -> Head:
    """The layer that reads features (N, F) of dice with known faces (N,) 1..6 best, starting from a shipped one.

    Minimises the mean cross-entropy plus PULL / 2 times the squared distance from `start`, in units of the features'
    own size, by gradient descent with Nesterov's momentum. Deterministic.
    """
    inputs = features.astype(np.float64)
    scale = float(np.sqrt((inputs**2).sum(1).mean())) or 1.0
    inputs = np.column_stack([inputs / scale, np.ones(len(inputs))])
    origin = np.column_stack([start.weight * scale, start.bias])
    wanted = np.eye(len(origin))[faces - 1]
    layer, before = origin.copy(), origin.copy()
    for step in range(steps):
        ahead = layer + step / (step + 3) * (layer - before)
        logits = inputs @ ahead.T
        shares = np.exp(logits - logits.max(1, keepdims=True))
        shares /= shares.sum(1, keepdims=True)
        slope = (shares - wanted).T @ inputs / len(inputs) + PULL * (ahead - origin)
        before, layer = layer, ahead - RATE * 20 * slope / (1 + 20 * PULL * RATE)
    return Head(layer[:, :-1] / scale, layer[:, -1])
