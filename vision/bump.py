"""The dice as they lay before the camera was bumped: they are known again by their spots, and show where the mat is."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from vision.constellation import StarDie, found_by_dice
from vision.footprint import footprint_mm, footprints_mm
from vision.layout import Point
from vision.mat import FoundMat
from vision.tracks import Track, Tracks

SAME_SPOT_MM = 6.0
"""After a bump a die within this distance of where one lay is that one."""
KNOWN_S = 5.0
"""So long after a bump the dice may still lie as they did."""


@dataclass(frozen=True)
class Lain:
    """The dice as they lay when nothing moved last, with their keys."""

    version: int = -1
    dice: tuple[tuple[int, StarDie], ...] = ()

    def now(self, tracks: Tracks) -> Lain:
        """As they lie now."""
        if tracks.version == self.version:
            return self
        return Lain(tracks.version, tuple((die.key, _star(die)) for die in tracks))

    def bumped(self, mat: FoundMat, time_s: float) -> Bump:
        """The camera was bumped, whose mat was there until then."""
        return Bump(self, mat, time_s)


@dataclass
class Bump:
    """A bump of the camera: what lay on which mat before it, and when it came, s."""

    lain: Lain
    mat: FoundMat
    time_s: float
    _spots: list[tuple[int, int, Point]] = field(init=False)
    _tried: int = -1

    def __post_init__(self) -> None:
        boxes = np.array([die.box for _, die in self.lain.dice], np.float64).reshape(-1, 4)
        self._spots = [
            (key, die.face, (float(x), float(y)))
            for (key, die), (x, y) in zip(
                self.lain.dice, footprints_mm(boxes, self.mat), strict=True
            )
        ]

    def outdated(self, time_s: float) -> bool:
        return time_s - self.time_s > KNOWN_S

    def found_by(self, tracks: Tracks, size: tuple[int, int]) -> FoundMat | None:
        """The mat in a picture of that size, px, by its dice; None when they do not tell."""
        if tracks.version == self._tried or size != self.mat.size:
            return None
        self._tried = tracks.version
        before = [die for _, die in self.lain.dice]
        return found_by_dice(before, self.mat, [_star(die) for die in tracks])

    def same(self, mat: FoundMat) -> Callable[[Track], int | None]:
        """Tells the key of the die that lay where a die of now lies on `mat`, if one did."""

        def key_of(die: Track) -> int | None:
            spot = footprint_mm(die.box, mat)
            near = [
                (math.dist(spot, at), key) for key, face, at in self._spots if face == die.likeliest
            ]
            distance, key = min(near, default=(math.inf, 0))
            return key if distance < SAME_SPOT_MM else None

        return key_of


def _star(die: Track) -> StarDie:
    return StarDie(die.box, die.likeliest, die.colour_p)
