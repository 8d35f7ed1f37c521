"""Find the dice of a picture and read their faces: all at once, then each by a closer box and from close up.

What is doubted to be a die is looked at once more, with what lies around it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.box_refiner import BoxRefiner
from vision.closeup import NO_DIE, CloseUpReader, close_up
from vision.detect import (
    LEAST_FOUND,
    Detection,
    Detector,
    shipped_weights,
)
from vision.die_check import DOUBTED, DieCheck
from vision.networks import Backend
from vision.overlap import Box, apart, holds
from vision.two_in_one import APART, suspects, window_around

CLOSE_UP_WEIGHT = 0.85
"""How much the close-up's opinion of a face counts against the detector's (weighted sum of log probabilities)."""
ONE_DIE = 0.65
"""Refined boxes that overlap (IoU) by more are of one die that was found twice. On 190 made tables all eighteen pairs
of one die had 0.74 or more, and of two dice, in rows seen at a slant, none more than 0.58."""


class DiceFinder:
    """The four networks together; holds them, so make one and keep it.

    weights, closeup, boxes, check: files made by `lawn export`, `lawn train-closeup`, `lawn train-boxes` and
    `lawn train-check`, or None for the shipped ones.
    backend: the program that runs them. second_look: whether what is doubted to be a die is looked at again.
    Raises vision.networks.ModelError when one is unusable.
    """

    def __init__(
        self,
        weights: Path | None = None,
        closeup: Path | None = None,
        backend: Backend = "onnxruntime",
        boxes: Path | None = None,
        check: Path | None = None,
        second_look: bool = True,
    ) -> None:
        self.detector = Detector(weights, backend)
        # The others are always files of ours, so a backend for foreign weights leaves them where they are.
        ours: Backend = "openvino" if backend == "openvino" else "onnxruntime"
        self.closeup = CloseUpReader(closeup or shipped_weights("face-closeup.onnx"), ours)
        self.refiner = BoxRefiner(boxes or shipped_weights("box-refiner.onnx"), ours)
        self.check = (
            DieCheck(check or shipped_weights("die-check.onnx"), ours) if second_look else None
        )

    def find(self, image: NDArray[np.uint8]) -> list[Detection]:
        """The dice of a picture, (H, W, 3) uint8 BGR, best found first, with the joint face probabilities."""
        return sorted(self.closer(image, self.detector.find(image)), key=lambda die: -die.found_p)

    def closer(self, image: NDArray[np.uint8], seen: Sequence[Detection]) -> list[Detection]:
        """What the detector saw in a picture, (H, W, 3) uint8 BGR, without what is no die from close up; in its order.

        The boxes are those of the whole dice, the faces are joint ones. What it took for one die and is two is made
        two, the second one at the end; a die that it saw twice, by two boxes that are the same when refined, is one.
        """
        boxes = self.refiner.refined(image, [die.box for die in seen])
        read = self._read(image, seen, boxes)
        dice = _each_once(read)
        found = [read[at] for at in dice]
        more: list[Detection] = []
        for each in suspects([seen[at].box for at in dice]):
            others = [die.box for at, die in enumerate(found) if at != each.at]
            two = self._apart(image, seen[dice[each.at]].box, each.size, others)
            if len(two) > 1:
                found[each.at] = two[0]
                more += two[1:]
        return found + more

    def _read(
        self, image: NDArray[np.uint8], seen: Sequence[Detection], boxes: Sequence[Box]
    ) -> list[Detection]:
        """The same detections with their refined boxes, px, as they look from close up."""
        logits = self.closeup.logits([close_up(image, box) for box in boxes])
        die_p = np.array([die_probability(row) for row in logits])
        if self.check is not None:
            likely = die_p * np.array([die.found_p for die in seen]) >= LEAST_FOUND
            doubted = np.flatnonzero(likely & (die_p < DOUBTED))
            again = self.check.die_p(image, [boxes[at] for at in doubted.tolist()])
            # It is heard where it takes something rather for no die: it is there to refuse, not to find.
            die_p[doubted] *= np.minimum(2 * again, 1.0)
        return [
            replace(
                die,
                box=box,
                face_p=joint(die.face_p, row[:NO_DIE], self.closeup.temperature),
                found_p=die.found_p * float(p),
            )
            for die, box, row, p in zip(seen, boxes, logits, die_p, strict=True)
        ]

    def _apart(
        self, image: NDArray[np.uint8], box: Box, size: float, others: Sequence[Box]
    ) -> list[Detection]:
        """The dice in a box, px, seen from closer; those of the other boxes left out. [] when it finds none."""
        window = window_around(box, size, image.shape)
        looked = self.detector.look_in(image, window, size)
        within = [die for die in looked if holds(box, die.box)]
        boxes = self.refiner.refined(image, [die.box for die in within], size)
        kept = apart(boxes, APART, others)
        read = self._read(image, [within[at] for at in kept], [boxes[at] for at in kept])
        return [die for die in read if die.found_p >= LEAST_FOUND]


def _each_once(read: Sequence[Detection]) -> list[int]:
    """Numbers of those that are dice, in their order; of a die that was found twice only the surer one."""
    dice = [at for at, die in enumerate(read) if die.found_p >= LEAST_FOUND]
    surest = sorted(dice, key=lambda at: -read[at].found_p)
    return sorted(surest[kept] for kept in apart([read[at].box for at in surest], ONE_DIE))


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
