"""A second look at what is doubted to be a die: at what lies around it.

From close up the half of a domino is the top face of a die, and so are four spots of a cloth. From farther away they
are not: a die ends where its face ends. Few dice are doubted, so the second look costs next to nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.box_refiner import around
from vision.crop_input import as_input
from vision.networks import Backend, open_network
from vision.overlap import Box

CROP_PX = 64
"""Side of what the network sees, px."""
REACH = 2.6
"""The same in die sizes, the square root of the area of a die's box."""
DOUBTED = 0.97
"""What is less surely a die from close up is looked at again: one in twelve dice of 190 made tables, nine of ten other
things that would be read as dice in 59 pictures of such."""


class DieCheck:
    """The network. weights: an .onnx made by `lawn train-check`.

    Raises vision.networks.ModelError when it is unusable.
    """

    def __init__(self, weights: Path, backend: Backend = "onnxruntime") -> None:
        self._network = open_network(weights, backend)

    def die_p(self, image: NDArray[np.uint8], boxes: Sequence[Box]) -> NDArray[np.float64]:
        """P(die) (N,) of boxes x0 y0 x1 y1 px of a picture (H, W, 3) uint8 BGR, if half of all such were dice."""
        if not boxes:
            return np.zeros(0)
        crops = [around(image, *square(box), px=CROP_PX) for box in boxes]
        logits = self._network.run(as_input(crops)).astype(np.float64)[:, 0]
        return np.asarray(1 / (1 + np.exp(-logits)))


def square(box: Box, reach: float = REACH) -> tuple[NDArray[np.float64], float]:
    """The middle (2,) and the side px of the square that is looked at around a box."""
    corners = np.array(box, np.float64)
    across, down = np.maximum(corners[2:] - corners[:2], 1.0)
    return (corners[:2] + corners[2:]) / 2, reach * float(np.sqrt(across * down))
