"""The box of a found die brought closer to the die: detectors take a die's shadow in, or cut a side face off.

A small network looks at a square around the box and tells where the whole die's edges lie. How large the square is says
the picture's other dice, so that a box with a shadow in it does not make the die look small. Where a die stands on the
mat is worked out from its box (vision.footprint), so a pixel that is wrong there is a millimetre that is wrong.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.crop_input import as_input
from vision.networks import Backend, open_network
from vision.overlap import Box

CROP_PX = 48
"""Side of what the network sees, px."""
REACH = 1.8
"""The same in die sizes, the square root of the area of a die's box."""
MOST = 0.5
"""No edge is moved by more than this share of the die's size."""
FEWEST = 4
"""From so many dice on their sizes are those of a flat table at a slant; fewer are looked at each by its own box."""
OWN_SIZE = 1.45
"""A die that is so many times larger or smaller than its neighbours say is of another size."""
FAR = 0.08
"""A box of which an edge is moved by more than this, in die sizes, is looked at a second time."""
ROUNDS = 4
"""Fits of the sizes; each weighs the boxes that fit the last one badly less."""

Image = NDArray[np.uint8]
Array = NDArray[np.float64]


def around(
    image: Image, centre: Array, side: float, mirrored: bool = False, px: int = CROP_PX
) -> Image:
    """The square of that centre (2,) and side px of a picture (H, W, 3) uint8 BGR: (px, px, 3) uint8 BGR.

    Beyond the picture its edge is repeated. mirrored: left and right changed, for training.
    """
    across = down = px / side
    x, y = float(centre[0]), float(centre[1])
    if across < 0.5:
        # warpAffine does not average: shrink first by area, around the die only.
        reach = side * 0.75
        x0, y0 = int(max(x - reach, 0)), int(max(y - reach, 0))
        part = image[
            y0 : math.ceil(min(y + reach, image.shape[0])),
            x0 : math.ceil(min(x + reach, image.shape[1])),
        ]
        if part.size:
            share = across * 1.2
            small = cv2.resize(part, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
            wide, high = small.shape[1] / part.shape[1], small.shape[0] / part.shape[0]
            image = np.asarray(small, np.uint8)
            x, y, across, down = (x - x0) * wide, (y - y0) * high, across / wide, down / high
    if mirrored:
        across = -across
    # OpenCV counts from the first pixel's middle, boxes from its corner.
    middle = px / 2 - 0.5
    matrix = np.array(
        [[across, 0, middle - across * (x - 0.5)], [0, down, middle - down * (y - 0.5)]]
    )
    crop = cv2.warpAffine(
        image, matrix, (px, px), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(crop, np.uint8)


def sizes_by_neighbours(boxes: Array) -> Array:
    """The sizes (N,) px, square roots of areas, that boxes (N, 4) of dice should have by all of them together."""
    own = np.sqrt(np.maximum(np.prod(boxes[:, 2:] - boxes[:, :2], axis=1), 1.0))
    if len(boxes) < FEWEST:
        return np.asarray(own)
    due = due_by_neighbours(boxes, own)
    other = np.abs(np.log(own / due)) > np.log(OWN_SIZE)
    return np.asarray(np.where(other, own, due))


def due_by_neighbours(boxes: Array, own: Array) -> Array:
    """What lengths (N,) px of boxes (N, 4), at least one, should be by all of them together over a flat table."""
    middles = (boxes[:, :2] + boxes[:, 2:]) / 2
    # Over a flat table a die's size changes steadily; one that lies far from the others is not extrapolated to.
    spread = np.maximum(middles.std(0), 2 * np.median(own))
    places = np.column_stack([np.ones(len(boxes)), (middles - np.median(middles, 0)) / spread])
    ridge = np.diag([0.0, 1.0, 1.0])
    wanted = np.log(own)
    fitted = np.full(len(boxes), np.median(wanted))
    for _ in range(ROUNDS):
        weights = 1 / np.maximum(np.abs(wanted - fitted), 0.05)
        weights /= weights.mean()
        normal = places.T @ (places * weights[:, None]) + ridge
        fitted = places @ np.linalg.solve(normal, places.T @ (weights * wanted))
    return np.asarray(np.exp(fitted))


class BoxRefiner:
    """The network. weights: an .onnx made by `lawn train-boxes`.

    Raises vision.networks.ModelError when it is unusable.
    """

    def __init__(self, weights: Path, backend: Backend = "onnxruntime") -> None:
        self._network = open_network(weights, backend)

    def refined(self, image: Image, boxes: Sequence[Box], size: float | None = None) -> list[Box]:
        """Boxes x0 y0 x1 y1 px of the same dice, each of the whole die and nothing else.

        size: of these dice, the square root of a box's area, px; None: what the boxes say together.
        """
        if not boxes:
            return []
        known = np.array(boxes, np.float64)
        sizes = sizes_by_neighbours(known) if size is None else np.full(len(known), size)
        better = self._once(image, known, sizes)
        # What was moved far is looked at once more, from the right middle now.
        far = np.abs(better - known).max(1) > FAR * sizes
        if far.any():
            better[far] = self._once(image, better[far], sizes[far])
        most = MOST * sizes[:, None]
        better = np.clip(better, known - most, known + most)
        whole = (better[:, 2:] - better[:, :2]).min(1) > 1
        return [
            (float(x0), float(y0), float(x1), float(y1))
            for x0, y0, x1, y1 in np.where(whole[:, None], better, known)
        ]

    def _once(self, image: Image, known: Array, sizes: Array) -> Array:
        """The edges (N, 4) px that the network tells of dice with known boxes (N, 4) and sizes (N,) px."""
        centres, sides = (known[:, :2] + known[:, 2:]) / 2, REACH * sizes
        crops = [around(image, *each) for each in zip(centres, sides.tolist(), strict=True)]
        edges = self._network.run(as_input(crops)).astype(np.float64)
        return np.asarray(np.tile(centres, 2) + edges * sides[:, None])
