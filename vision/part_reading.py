"""Reads the parts of a watched table that are to be read, and keeps what is believed of its dice.

A die that lies is read a few times more, at growing intervals, and its beliefs are fused (vision.belief).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np

from vision.crop_reader import DiceReader, Window
from vision.die_fit import EdgeFit, flat_fit
from vision.flags import may_lean, of_another_size
from vision.footprint import footprint_mm, footprints_mm
from vision.frames import Image
from vision.lean_fit import lean_fit
from vision.mat import FoundMat
from vision.motion import Mask, grown
from vision.pending import round_die
from vision.seen_marker import is_seen_marker
from vision.tracks import Tracks, share_of
from vision.watch import Look, Watch

AGAIN_S = (0.12, 0.3, 0.7, 1.5)
"""When new dice are read again, s after the first time; the second time the detector looks, too."""
DETECT_AGAIN = 1
FITS_A_FRAME = 4
LEANS_A_FRAME = 1
"""Dice whose edges are compared with a flat die's in one frame, and with a leaning one's: that takes much longer."""
SELDOM_S = 20.0
"""All dice of a still table are read again so often, s."""
USUAL_DIE = 1 / 40
"""Size of a die in picture widths where nothing better is known: 32 px at 1280 px."""
WHOLE_SHARE = 0.5
"""When the windows to read are a larger share of the picture, it is read whole."""
COVER_DICE = 1.3
"""Something that holds no dice and is larger than so many dice covers the table."""
LEAST_FOUND = 0.3
OVERLAID = 0.5
"""A find of which more than this is moving or covered is no die, or none that can be read."""


@dataclass(frozen=True)
class _Again:
    """A region to read once more: from when on, what step of AGAIN_S, which mask."""

    due_s: float
    step: int
    region: Mask


class PartReading:
    """Reads with `reader`, and keeps the dice in `tracks`; `watch` is told what lies over the table.

    whole_reads, part_reads, read_px: how much was read so far. fused: how many frames since the last change.
    """

    def __init__(self, reader: DiceReader, watch: Watch) -> None:
        self.tracks = Tracks()
        self.whole_reads = self.part_reads = self.read_px = 0
        self.fused = 0
        self.read_s = -math.inf
        """When a region was read last, s by the source's clock."""
        self._reader = reader
        self._watch = watch
        self._again: list[_Again] = []
        self._seldom_s = -math.inf
        self._frame = 0

    def next_frame(self) -> None:
        self._frame += 1

    def forget(self) -> None:
        """Nothing is known of any die any more."""
        self.tracks.drop(lambda _: True)
        self._again = []

    def touch(self, look: Look) -> None:
        """What was to be read again has changed since."""
        self._again = [each for each in self._again if not (each.region & look.touched).any()]

    def die_px(self, width: int) -> float:
        """The middle size of the dice, px, in a picture that is so many px wide."""
        return self.tracks.die_px or USUAL_DIE * width

    def read(
        self, image: Image, look: Look, region: Mask, patches: Iterable[Mask], mat: FoundMat | None
    ) -> None:
        """Read a region (h, w) of the small picture that is at rest, and settle what its patches are."""
        self.tracks.drop(lambda die: share_of(region, die.box, look.scale) > OVERLAID)
        self._detect(image, look, region, mat)
        for patch in patches:
            self._settle(patch, look, image, mat)
        self.fused = 1
        self._seldom_s = self.read_s = look.time_s
        self._again.append(_Again(look.time_s + AGAIN_S[0], 0, region))

    def read_again(self, image: Image, look: Look, mat: FoundMat | None) -> None:
        """Read what lies still once more, if it is time to."""
        due = [each for each in self._again if each.due_s <= look.time_s]
        seldom = look.time_s - self._seldom_s >= SELDOM_S
        if not due and not seldom:
            return
        for each in due:
            self._again.remove(each)
            if each.step + 1 < len(AGAIN_S):
                later = look.time_s + AGAIN_S[each.step + 1] - AGAIN_S[each.step]
                self._again.append(_Again(later, each.step + 1, each.region))
            if each.step == DETECT_AGAIN:
                self._detect(image, look, each.region, mat)
        dice = [
            die
            for die in self.tracks
            if seldom or any(share_of(each.region, die.box, look.scale) > 0.5 for each in due)
        ]
        if seldom:
            self._seldom_s = look.time_s
        if not dice:
            return
        now = self._reader.again(image, [each.now() for each in dice])
        self.tracks.read_again(dice, now, self._frame)
        self.fused += 1
        self.tracks.drop(lambda die: die.found_p < LEAST_FOUND / 2)

    def fit(self, image: Image, mat: FoundMat) -> None:
        """Look whether some dice lie flat that were not looked at yet: a few a frame, since each takes some ms."""
        new = [die for die in self.tracks if die.fit is None][:FITS_A_FRAME]
        for die in new:
            spot = footprint_mm(die.box, mat)
            self.tracks.fitted(die, EdgeFit(flat_fit(image, die.box, spot, mat)))
        if not new:
            self._compare(image, mat)

    def _compare(self, image: Image, mat: FoundMat) -> None:
        """Compare dice that fit a flat one badly with a leaning one."""
        dice = list(self.tracks)
        strange = [
            die for die, may in zip(dice, may_lean([each.fit for each in dice]), strict=True) if may
        ]
        for die in strange[:LEANS_A_FRAME]:
            assert die.fit is not None
            leans = lean_fit(image, die.box, footprint_mm(die.box, mat), mat)
            self.tracks.fitted(die, EdgeFit(die.fit.flat, leans))

    def _detect(self, image: Image, look: Look, region: Mask, mat: FoundMat | None) -> None:
        height, width = image.shape[:2]
        die_px = self.die_px(width)
        windows = _windows(region, look, (width, height), 1.2 * die_px)
        area = sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in windows)
        known = self.tracks.die_px
        if known is None or area > WHOLE_SHARE * height * width:
            found = self._reader.whole(image)
            self.whole_reads += 1
            self.read_px += height * width
        else:
            found = [die for each in windows for die in self._reader.part(image, each, known)]
            self.part_reads += len(windows)
            self.read_px += area
        blocked = look.moving | look.covered
        if look.moving.any():
            # Close to a hand that moves, its fingers look like many things.
            blocked = grown(blocked, round_die(die_px * look.scale))
        self.tracks.add(
            [
                die
                for die in found
                if die.found_p >= LEAST_FOUND and share_of(blocked, die.box, look.scale) < OVERLAID
            ],
            self._frame,
        )
        if mat is not None and len(self.tracks):
            boxes = [die.box for die in self.tracks]
            spots = [(float(x), float(y)) for x, y in footprints_mm(np.array(boxes), mat)]
            other = of_another_size(boxes, spots, mat)
            wrong = {box for box, strange in zip(boxes, other, strict=True) if strange}
            self.tracks.drop(lambda die: die.box in wrong)

    def _settle(self, patch: Mask, look: Look, image: Image, mat: FoundMat | None) -> None:
        """Decide what a patch at rest is: dice and bare table, or something that covers them."""
        if look.unknown[patch].any():
            self._watch.accept(patch)
            return
        rest = patch.astype(np.uint8)
        for die in self.tracks:
            # A little more than the box: a die has a shadow at its foot.
            middle = ((die.box[0] + die.box[2]) / 2, (die.box[1] + die.box[3]) / 2)
            half = (0.65 * (die.box[2] - die.box[0]), 0.65 * (die.box[3] - die.box[1]))
            x0, y0 = (math.floor((m - h) * look.scale) for m, h in zip(middle, half, strict=True))
            x1, y1 = (math.ceil((m + h) * look.scale) for m, h in zip(middle, half, strict=True))
            rest[max(0, y0) : max(0, y1), max(0, x0) : max(0, x1)] = 0
        die_px = self.die_px(image.shape[1]) * look.scale
        side = max(3, round(die_px * 0.5))
        rest = np.asarray(cv2.morphologyEx(rest, cv2.MORPH_OPEN, np.ones((side, side), np.uint8)))
        count, labels, stats, _ = cv2.connectedComponentsWithStats(rest)
        accepted = patch.copy()
        for index in range(1, count):
            part = np.asarray(labels == index)
            large = stats[index, cv2.CC_STAT_AREA] > COVER_DICE * die_px**2
            if large and not (self._watch.has_left(part) or _is_marker(part, look, image, mat)):
                self._watch.cover(part)
                accepted &= ~part
        self._watch.accept(accepted)


def _is_marker(part: Mask, look: Look, image: Image, mat: FoundMat | None) -> bool:
    """Whether a part of the small picture shows a corner marker, whatever was there before."""
    if mat is None:
        return False
    spots = (np.argwhere(part)[:, ::-1].astype(np.float64) + 0.5) / look.scale
    return is_seen_marker(image, spots, mat)


def _windows(region: Mask, look: Look, size: tuple[int, int], margin: float) -> list[Window]:
    """The parts of a picture of that size px that show a region with a margin px, as few as may be."""
    windows: list[Window] = []
    for outline in look.outlines(region):
        x0, y0 = outline.min(axis=0) - margin
        x1, y1 = outline.max(axis=0) + margin + 1 / look.scale
        windows.append(
            (max(0, int(x0)), max(0, int(y0)), min(size[0], int(x1)), min(size[1], int(y1)))
        )
    return merged(windows)


def merged(windows: Iterable[Window]) -> list[Window]:
    """Windows that overlap made one, until none do."""
    left = list(windows)
    done: list[Window] = []
    while left:
        x0, y0, x1, y1 = left.pop()
        for index, (a0, b0, a1, b1) in enumerate(left):
            if x0 < a1 and a0 < x1 and y0 < b1 and b0 < y1:
                left[index] = (min(x0, a0), min(y0, b0), max(x1, a1), max(y1, b1))
                break
        else:
            done.append((x0, y0, x1, y1))
    return done
