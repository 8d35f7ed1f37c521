"""Read the whole of a picture, a part of it, or known dice once more: what watching a table needs.

A table that is watched changes in a few places, and how large its dice are is known by then. So a
part is shown to the detector at once at the right scale, and dice that merely lie there are read
again by the close-up reader alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.closeup import NO_DIE, close_up
from vision.colours import ColourNamer, DieColours
from vision.detect import (
    FACES,
    Detection,
)
from vision.find import DiceFinder, die_probability, joint
from vision.overlap import Box

Image: TypeAlias = NDArray[np.uint8]
Window: TypeAlias = tuple[int, int, int, int]

EDGE_PX = 2.0
"""A box that ends so near to a part's edge, px, may be cut off by it."""


@dataclass(frozen=True)
class DieNow:
    """A die as one frame shows it.

    box: x0 y0 x1 y1 px of the whole picture; found_p: that there is a die, 0..1; face_p: P(face 1..6)
    summing to 1; colour_p: P(name) for the names of vision.reading.COLOURS; sample: what it looks like,
    None where that is not known.
    """

    box: Box
    found_p: float
    face_p: tuple[float, ...]
    colour_p: Mapping[str, float]
    sample: DieColours | None = None

    @property
    def size_px(self) -> float:
        """Square root of the box's area, px."""
        x0, y0, x1, y1 = self.box
        return float(np.sqrt(max(x1 - x0, 0.0) * max(y1 - y0, 0.0)))


class DiceReader(Protocol):
    """What reads dice for a watched table: CropReader, or a stand-in. Pictures are (H, W, 3) uint8 BGR."""

    def whole(self, image: Image) -> list[DieNow]:
        """All dice of a picture whose scale is not known."""
        ...

    def part(self, image: Image, window: Window, die_px: float) -> list[DieNow]:
        """The dice in a window x0 y0 x1 y1 px of a picture, whose dice are about `die_px` large."""
        ...

    def again(self, image: Image, dice: Sequence[DieNow]) -> list[DieNow]:
        """Known dice, in the same order, as this picture shows them."""
        ...


class CropReader:
    """The networks; make one and keep it. Not to be used from two threads at once.

    weights: an .onnx of the face detector, or None for the shipped one. Raises
    vision.detect.ModelError when it is unusable.
    """

    def __init__(self, weights: Path | None = None, finder: DiceFinder | None = None) -> None:
        self._finder = finder or DiceFinder(weights)
        self._namer = ColourNamer()

    def whole(self, image: Image) -> list[DieNow]:
        return self._named(image, self._finder.find(image))

    def part(self, image: Image, window: Window, die_px: float) -> list[DieNow]:
        seen = self._finder.detector.look_in(image, window, die_px)
        found = [die for die in seen if not cut_by(die.box, window, image.shape)]
        return self._named(image, self._finder.closer(image, found))

    def again(self, image: Image, dice: Sequence[DieNow]) -> list[DieNow]:
        boxes = [die.box for die in dice]
        logits = self._finder.closeup.logits([close_up(image, box) for box in boxes])
        colours = self._namer.look(image, boxes)
        level = (1 / FACES,) * FACES
        return [
            DieNow(
                box,
                die_probability(row),
                joint(level, row[:NO_DIE], self._finder.closeup.temperature),
                colour_p,
                sample,
            )
            for box, row, (colour_p, sample) in zip(boxes, logits, colours, strict=True)
        ]

    def _named(self, image: Image, found: list[Detection]) -> list[DieNow]:
        colours = self._namer.look(image, [die.box for die in found])
        return [
            DieNow(die.box, die.found_p, die.face_p, colour_p, sample)
            for die, (colour_p, sample) in zip(found, colours, strict=True)
        ]


def cut_by(box: Box, window: Window, shape: tuple[int, ...]) -> bool:
    """Whether a window's edge may cut the box off, where that edge is not the picture's own."""
    height, width = shape[:2]
    return (
        (window[0] > 0 and box[0] < window[0] + EDGE_PX)
        or (window[1] > 0 and box[1] < window[1] + EDGE_PX)
        or (window[2] < width and box[2] > window[2] - EDGE_PX)
        or (window[3] < height and box[3] > window[3] - EDGE_PX)
    )
