"""Find the dice of a picture and read their faces, first all at once and then each from close up."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.closeup import NO_DIE, CloseUpReader, close_up
from vision.detect import LEAST_FOUND, Detection, Detector, shipped_weights
from vision.networks import Backend

CLOSE_UP_WEIGHT = 0.85
"""How much the close-up's opinion of a face counts against the detector's (weighted sum of log probabilities)."""


class DiceFinder:
    """The detector and the close-up reader together; holds the networks, so make one and keep it.

    weights, closeup: files made by `lawn export` and `lawn train-closeup`, or None for the shipped ones.
    backend: the program that runs them. Raises vision.networks.ModelError when one is unusable.
    """

    def __init__(
        self,
        weights: Path | None = None,
        closeup: Path | None = None,
        backend: Backend = "onnxruntime",
    ) -> None:
        self.detector = Detector(weights, backend)
        # The close-up reader is always a file of ours, so a backend for foreign weights leaves it where it is.
        self.closeup = CloseUpReader(
            closeup or shipped_weights("face-closeup.onnx"),
            "openvino" if backend == "openvino" else "onnxruntime",
        )

    def find(self, image: NDArray[np.uint8]) -> list[Detection]:
        """The dice of a picture, (H, W, 3) uint8 BGR, best found first, with the joint face probabilities."""
        seen = self.detector.find(image)
        logits = self.closeup.logits([close_up(image, die.box) for die in seen])
        found = [
            replace(
                die,
                face_p=joint(die.face_p, row[:NO_DIE], self.closeup.temperature),
                found_p=die.found_p * die_probability(row),
            )
            for die, row in zip(seen, logits, strict=True)
        ]
        return sorted(
            (die for die in found if die.found_p >= LEAST_FOUND), key=lambda d: -d.found_p
        )


def die_probability(logits: NDArray[np.float64]) -> float:
    """P(die) by a close-up's logits (7,): one less its probability that there is none."""
    weights = np.exp(logits - logits.max())
    return float(1 - weights[NO_DIE] / weights.sum())


def joint(
    face_p: tuple[float, ...], logits: NDArray[np.float64], temperature: float = 1.0
) -> tuple[float, ...]:
    """Face probabilities (6) from the detector's and the close-up's logits (6,), summing to 1.

    temperature: above 1 makes them more doubtful, below 1 surer.
    """
    own = np.log(np.maximum(np.array(face_p), 1e-6))
    values = (1 - CLOSE_UP_WEIGHT) * own + CLOSE_UP_WEIGHT * (logits - logits.max())
    values = (values - values.max()) / temperature
    weights = np.exp(values)
    return tuple(float(p) for p in weights / weights.sum())
