"""Crops of dice as the small networks of the second stage take them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def as_input(crops: Sequence[NDArray[np.uint8]]) -> NDArray[np.float32]:
    """Square crops (SIZE, SIZE, 3) uint8 BGR of one size as a network's input (N, 3, SIZE, SIZE) float32 RGB.

    Each is brought to mean 0 and about deviation 1, so that neither a dim lamp nor a dark die matters.
    """
    stacked = np.stack(crops)[..., ::-1].astype(np.float32)
    mean = stacked.mean((1, 2, 3), keepdims=True)
    spread = stacked.std((1, 2, 3), keepdims=True)
    return np.ascontiguousarray(((stacked - mean) / (spread + 8.0)).transpose(0, 3, 1, 2))
