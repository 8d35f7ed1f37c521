"""Whether every program that can run the networks reads the same dice: `lawn evaluate --agree`.

Programs add in another order, so scores differ in the last digits; readings must not differ for that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from datasets.real import CollectionError
from models.evaluate import Picture, match, pictures_of
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
    backends: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """A dict of plain JSON types with the attributes' names."""
        return asdict(self)

    def report(self) -> str:
        """The comparison for people."""
        who = " and ".join(self.backends)
        if len(self.backends) < 2:
            return f"Only {who} is installed; there is nothing to compare."
        head = f"{who} on {self.dice} dice in {self.pictures} pictures: "
        if not self.differences:
            return head + "the same readings."
        return head + f"{len(self.differences)} differences\n" + "\n".join(self.differences)


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


def agreement_on(
    photos: Path | None, split: str, drawn: Sequence[Path], weights: Path | None = None
) -> Agreement:
    """Compare all installed programs on a split of the photographs and on made tables. Raises CollectionError."""
    pictures = pictures_of(photos, split, drawn)
    backends = installed_backends()
    finders = [(backend, DiceFinder(weights, backend=backend)) for backend in backends]
    agreed = compare(pictures_read(pictures), finders)
    agreed.backends = backends
    return agreed


def pictures_read(pictures: Sequence[Picture]) -> Iterator[tuple[str, NDArray[np.uint8]]]:
    """Name and pixels, (H, W, 3) uint8 BGR, of each picture, with a progress bar. Raises CollectionError."""
    for picture in tqdm(pictures, desc="comparing", unit="picture"):
        image = cv2.imread(str(picture.path), cv2.IMREAD_COLOR)
        if image is None:
            raise CollectionError(f"{picture.path}: this picture cannot be read.")
        yield picture.path.name, np.asarray(image, np.uint8)
