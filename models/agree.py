"""Whether every program that can run the networks reads the same dice: `lawn evaluate --agree`.

Programs add in another order, so scores differ in the last digits; readings must not differ for that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

from models.evaluate import match
from vision.detect import Detection
from vision.find import DiceFinder
from vision.networks import Backend

SAME_BOX_PX = 0.5
"""Boxes whose edges differ by no more than this are the same."""
SAME_P = 0.002
"""Probabilities that differ by no more than this are the same."""


@dataclass
class Agreement:
    """Readings compared: `dice` of the first program in so many `pictures`, and one sentence for each difference."""

    pictures: int = 0
    dice: int = 0
    differences: tuple[str, ...] = ()


def installed_backends() -> tuple[Backend, ...]:
    """The programs for the shipped files that this installation has; ONNX Runtime always."""
    return ("onnxruntime", "openvino") if find_spec("openvino") else ("onnxruntime",)


def compare(
    pictures: Iterable[tuple[str, NDArray[np.uint8]]], finders: Sequence[tuple[str, DiceFinder]]
) -> Agreement:
    """Read each named picture, (H, W, 3) uint8 BGR, by every finder and compare with the first one's readings."""
    result = Agreement()
    (first, reference), *others = finders
    for name, picture in pictures:
        ours = reference.find(picture)
        result.pictures += 1
        result.dice += len(ours)
        for other, finder in others:
            differences = [
                f"{name}: {other} and {first} {why}" for why in unlike(ours, finder.find(picture))
            ]
            result.differences += tuple(differences)
    return result


def unlike(ours: Sequence[Detection], theirs: Sequence[Detection]) -> list[str]:
    """What differs between two readings of one picture, in words; nothing when they are the same."""
    if len(ours) != len(theirs):
        return [f"see {len(theirs)} and {len(ours)} dice"]
    boxes = [
        np.array([die.box for die in dice], np.float32).reshape(-1, 4) for dice in (ours, theirs)
    ]
    pairs = match(*boxes)
    if len(pairs) != len(ours):
        return ["see dice at different places"]
    said = []
    for one, other in pairs:
        a, b = ours[one], theirs[other]
        at = "the die at " + ", ".join(f"{edge:.0f}" for edge in a.box)
        if np.abs(np.subtract(a.box, b.box)).max() > SAME_BOX_PX:
            said.append(f"box {at} differently")
        if np.argmax(a.face_p) != np.argmax(b.face_p):
            said.append(f"read {at} differently")
        elif np.abs(np.subtract(a.face_p, b.face_p)).max() > SAME_P:
            said.append(f"are not equally sure of {at}")
    return said
