"""A closer look: read a found die's face again from a picture of it alone.

The detector must find dice of every size among everything else; this small network only tells six faces apart, on a
square cut around the die and brought to one size, or says that this is no die, and so it is right where the detector
wavers.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.crop_input import as_input_by_die
from vision.heads import Head
from vision.networks import Backend, ModelError, open_network

CROP_PX = 64
"""Side of a close-up, px."""
NO_DIE = 6
"""Index of the network's opinion that there is no die, behind the six faces."""
MARGIN = 1.1
"""A close-up's side, in longer sides of the die's box."""
DIE_SHARE = 0.6
"""The middle of a close-up, a share of its side, that shows nothing but the die, whatever its turn."""
DOUBTED = 0.9
"""A close-up whose likeliest reading is less likely than this is looked at in the mirror, too."""


def close_up(
    image: NDArray[np.uint8],
    box: tuple[float, float, float, float],
    turn: float = 0.0,
    shift: tuple[float, float] = (0.0, 0.0),
    zoom: float = 1.0,
) -> NDArray[np.uint8]:
    """The square around a box, brought to CROP_PX.

    image (H, W, 3) uint8 BGR; box x0 y0 x1 y1 px. For training the square can be turned by `turn` radians, shifted by a
    share of its side and zoomed. Returns (CROP_PX, CROP_PX, 3) uint8 BGR; beyond the picture its edge is repeated.
    """
    x0, y0, x1, y1 = box
    side = max(x1 - x0, y1 - y0, 1.0) * MARGIN / zoom
    centre = np.array([(x0 + x1) / 2 + shift[0] * side, (y0 + y1) / 2 + shift[1] * side])
    scale = CROP_PX / side
    if scale < 0.5:
        # warpAffine does not average: shrink first by area, around the die only.
        reach = side * 0.75
        low = np.maximum(centre - reach, 0).astype(int)
        high = np.minimum(centre + reach, [image.shape[1], image.shape[0]]).astype(int) + 1
        part = image[low[1] : high[1], low[0] : high[0]]
        if part.size:
            small = cv2.resize(
                part, None, fx=scale * 1.2, fy=scale * 1.2, interpolation=cv2.INTER_AREA
            )
            shrunk = np.array([small.shape[1] / part.shape[1], small.shape[0] / part.shape[0]])
            image, centre, scale = np.asarray(small, np.uint8), (centre - low) * shrunk, 1 / 1.2
    c, s = np.cos(turn) * scale, np.sin(turn) * scale
    matrix = np.array([[c, -s, 0.0], [s, c, 0.0]])
    matrix[:, 2] = CROP_PX / 2 - matrix[:, :2] @ centre
    crop = cv2.warpAffine(
        image, matrix, (CROP_PX, CROP_PX), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(crop, np.uint8)


class CloseUpReader:
    """The close-up network. weights: an .onnx made by `lawn train-closeup`.

    Raises vision.networks.ModelError when it is unusable.
    """

    def __init__(self, weights: Path, backend: Backend = "onnxruntime") -> None:
        self._network = open_network(weights, backend)
        notes = self._network.notes
        self.path = weights
        self.temperature = float(json.loads(notes.get("temperature", "1")))
        """Divides the joint logits of a face; fitted by `lawn calibrate`."""
        self.taught: Head | None = None
        """A last layer learned for the dice of this table (`lawn teach`), in place of the shipped one."""

    def shipped_head(self) -> Head:
        """The network's own last layer. Raises ModelError when the file does not tell it."""
        notes = self._network.notes
        try:
            weight = np.array(json.loads(notes["last_weight"]), np.float64)
            return Head(weight, np.array(json.loads(notes["last_bias"]), np.float64))
        except (KeyError, ValueError) as error:
            raise ModelError(
                f"{self.path}: this close-up network cannot be taught; make it anew with 'lawn train-closeup'."
            ) from error

    @property
    def fingerprint(self) -> str:
        """Tells this network from others: a layer taught on one is of no use to another."""
        return hashlib.sha256(self._network.notes.get("last_weight", "").encode()).hexdigest()[:12]

    def features(self, crops: list[NDArray[np.uint8]]) -> NDArray[np.float32]:
        """What the last layer sees of close-ups: (N, F). Raises ModelError when the network does not give it."""
        outputs = self._network.run_all(as_input_by_die(crops, DIE_SHARE))
        if len(outputs) < 2:
            raise ModelError(f"{self.path}: this close-up network cannot be taught.")
        return outputs[1]

    def logits(self, crops: list[NDArray[np.uint8]]) -> NDArray[np.float64]:
        """Logits (N, 7) of close-ups: the six faces, and no die.

        A mirrored face keeps its count, so a doubtful close-up has two readings; the mean of both is given. That
        costs a fifth more where the dice are read well.
        """
        if not crops:
            return np.zeros((0, NO_DIE + 1))
        told = self._look(crops)
        weights = np.exp((told - told.max(1, keepdims=True)) / self.temperature)
        doubted = np.flatnonzero(weights.max(1) < DOUBTED * weights.sum(1))
        if len(doubted):
            mirrored = [np.ascontiguousarray(crops[die][:, ::-1]) for die in doubted]
            told[doubted] = (told[doubted] + self._look(mirrored)) / 2
        return told

    def _look(self, crops: list[NDArray[np.uint8]]) -> NDArray[np.float64]:
        """Logits (N, 7) of close-ups as they are."""
        if self.taught is not None:
            return self.taught.logits(self.features(crops))
        return np.array(self._network.run(as_input_by_die(crops, DIE_SHARE)), np.float64)
