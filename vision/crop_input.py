"""Crops of dice as the small networks of the second stage take them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

MOST = 4.0
"""What lies around a die may be far lighter or darker than the die: it is cut off here, in deviations."""


def as_input(crops: Sequence[NDArray[np.uint8]]) -> NDArray[np.float32]:
    """Square crops (SIZE, SIZE, 3) uint8 BGR of one size as a network's input (N, 3, SIZE, SIZE) float32 RGB.

    Each is brought to mean 0 and about deviation 1, so that neither a dim lamp nor a dark die matters.
    """
    stacked = np.stack(crops)[..., ::-1].astype(np.float32)
    mean = stacked.mean((1, 2, 3), keepdims=True)
    spread = stacked.std((1, 2, 3), keepdims=True)
    return np.ascontiguousarray(((stacked - mean) / (spread + 8.0)).transpose(0, 3, 1, 2))


def as_input_by_die(crops: Sequence[NDArray[np.uint8]], inner: float) -> NDArray[np.float32]:
    """As `as_input`, but brought to mean 0 and deviation 1 by the die itself, each colour channel apart.

    inner: the share of a crop's side, in its middle, that is all die. So dark pips on a dark die stand out as white
    ones do, however bright the table is that it lies on.
    """
    stacked = np.stack(crops)[..., ::-1].astype(np.float32)
    side = stacked.shape[1]
    edge = round(side * (1 - inner) / 2)
    die = stacked[:, edge : side - edge, edge : side - edge]
    mean, spread = (of(die, (1, 2), keepdims=True) for of in (np.mean, np.std))
    given = np.clip((stacked - mean) / (spread + 8.0), -MOST, MOST)
    return np.ascontiguousarray(given.transpose(0, 3, 1, 2))
