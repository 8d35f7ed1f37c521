"""The dice of a watched table from frame to frame: what is believed of each, and its key.

A die keeps its key for as long as nothing has touched it (engine.table.SeenDie.key); what touches
its spot in the picture ends it, and what is found there later is another die with another key.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from vision.belief import Belief
from vision.colours import DieColours
from vision.crop_reader import DieNow
from vision.die_fit import EdgeFit
from vision.motion import Mask
from vision.overlap import Box, iou
from vision.owners import ColouredDie
from vision.reading import COLOURS

SAME_DIE_IOU = 0.4
"""Boxes of two readings that share more than this of their union are of one die."""
TOUCHED_SHARE = 0.15
"""A die is touched when more of its box than this differs from the settled table."""


@dataclass(eq=False)
class Track:
    """One die. Beliefs are fused over its readings; box: x0 y0 x1 y1 px, their mean; sample: what it
    looked like when it was read last; fit: how well its edges fit a flat die's, None: not looked at yet."""

    key: int
    box: Box
    found: Belief
    face: Belief
    colour: Belief
    frames: set[int] = field(default_factory=set)
    sample: DieColours | None = None
    fit: EdgeFit | None = None

    @classmethod
    def of(cls, key: int, die: DieNow, frame: int) -> Track:
        return cls(
            key,
            die.box,
            Belief.of((die.found_p, 1 - die.found_p)),
            Belief.of(die.face_p),
            Belief.of(_colours(die)),
            {frame},
            die.sample,
        )

    def add(self, die: DieNow, frame: int) -> None:
        """One more reading of the die as it lies; the same frame counts once."""
        if frame in self.frames:
            return
        count = len(self.frames)
        a, b, c, d = (
            (count * old + new) / (count + 1) for old, new in zip(self.box, die.box, strict=True)
        )
        self.box = (a, b, c, d)
        self.found = self.found.fused((die.found_p, 1 - die.found_p))
        self.face = self.face.fused(die.face_p)
        self.colour = self.colour.fused(_colours(die))
        self.sample = die.sample or self.sample
        self.frames.add(frame)
        if len(self.frames) > 100:  # a still table may be watched for hours
            self.frames = set(sorted(self.frames)[-50:])

    @property
    def size_px(self) -> float:
        """Square root of the box's area, px."""
        x0, y0, x1, y1 = self.box
        return math.sqrt(max(x1 - x0, 0.0) * max(y1 - y0, 0.0))

    @property
    def found_p(self) -> float:
        return self.found.probabilities[0]

    @property
    def colour_p(self) -> dict[str, float]:
        return dict(zip(COLOURS, self.colour.probabilities, strict=True))

    @property
    def likeliest(self) -> int:
        """The likeliest face."""
        return 1 + int(np.argmax(self.face.mean))

    def now(self) -> DieNow:
        """The die as the next reading is asked for."""
        return DieNow(self.box, self.found_p, self.face.probabilities, self.colour_p, self.sample)

    def coloured(self) -> ColouredDie:
        """The die as its owner is asked for."""
        return ColouredDie(self.colour_p, self.sample, self.found_p)


class Tracks:
    """All dice that are known to lie on the table now. version: another number after every change."""

    def __init__(self) -> None:
        self.version = 0
        self._dice: list[Track] = []
        self._next_key = 1
        self._sized: tuple[int, float | None] = (0, None)

    def __iter__(self) -> Iterator[Track]:
        return iter(self._dice)

    def __len__(self) -> int:
        return len(self._dice)

    @property
    def die_px(self) -> float | None:
        """The middle size of the dice, px; None while there are none."""
        if self._sized[0] != self.version:
            sizes = [die.size_px for die in self._dice]
            self._sized = (self.version, float(np.median(sizes)) if sizes else None)
        return self._sized[1]

    def touch(self, mask: Mask, scale: float) -> list[Box]:
        """Forget the dice that differ from the settled table; returns where they lay.

        mask (h, w) of the small picture, scale: its px per picture px.
        """
        return self.drop(lambda die: share_of(mask, die.box, scale) > TOUCHED_SHARE)

    def drop(self, wanted: Callable[[Track], bool]) -> list[Box]:
        """Forget the dice that are wanted gone; returns where they lay."""
        gone = [die for die in self._dice if wanted(die)]
        if gone:
            self._dice = [die for die in self._dice if die not in gone]
            self.version += 1
        return [die.box for die in gone]

    def add(self, dice: Sequence[DieNow], frame: int) -> list[Track]:
        """Take in what was read in a frame; returns the dice that were not known."""
        self.version += 1
        new = []
        for die in sorted(dice, key=lambda die: -die.found_p):
            known = max(self._dice, key=lambda track: iou(track.box, die.box), default=None)
            if known is not None and iou(known.box, die.box) > SAME_DIE_IOU:
                known.add(die, frame)
                continue
            track = Track.of(self._next_key, die, frame)
            self._next_key += 1
            self._dice.append(track)
            new.append(track)
        return new

    def read_again(self, dice: Sequence[Track], now: Sequence[DieNow], frame: int) -> None:
        """Take in dice of these tracks as they were read once more in a frame."""
        self.version += 1
        for die, each in zip(dice, now, strict=True):
            die.add(each, frame)

    def fitted(self, die: Track, fit: EdgeFit) -> None:
        """How well a die's edges fit was looked at."""
        self.version += 1
        die.fit = fit

    def rekey(self, same: Callable[[Track], int | None]) -> None:
        """Give dice the keys that `same` knows them by, where it does."""
        self.version += 1
        for die in self._dice:
            known = same(die)
            if known is not None:
                die.key = known


def share_of(mask: Mask, box: Box, scale: float) -> float:
    """The share of a box's middle (without its loose rim) that a small picture's mask covers."""
    height, width = mask.shape
    rim_x, rim_y = 0.1 * (box[2] - box[0]), 0.1 * (box[3] - box[1])
    x0 = min(max(int((box[0] + rim_x) * scale), 0), width - 1)
    y0 = min(max(int((box[1] + rim_y) * scale), 0), height - 1)
    x1 = min(max(math.ceil((box[2] - rim_x) * scale), x0 + 1), width)
    y1 = min(max(math.ceil((box[3] - rim_y) * scale), y0 + 1), height)
    return float(np.count_nonzero(mask[y0:y1, x0:x1]) / ((y1 - y0) * (x1 - x0)))


def _colours(die: DieNow) -> tuple[float, ...]:
    return tuple(die.colour_p.get(name, 0.0) for name in COLOURS)
