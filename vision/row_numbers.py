"""Which end of a lawn is row 1, by the numbers 1 to 6 that are printed beside its rows.

A strip at each side is straightened and its blobs compared with digits of several fonts. Only a run of digits counts:
a single blob looks like a digit too easily, and what is not like any digit says nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pictures
from PIL import ImageDraw, ImageFont

from vision.frames import Image
from vision.mat import Array, MatError, mat_of_corners
from vision.mat_shapes import font_file

PX_PER_MM = 3
STRIP_MM = (1.5, 27.0)
"""Numbers stand so far from the lawn's side, mm of a lawn of usual size."""
DIGIT_MM = (2.6, 15.0)
"""How high they are."""
SIDE_PX = 28
"""Digits are compared at this size, px."""
LIKE = 0.66
"""Correlation from which on a blob is like a digit."""
SHARPNESS = 16.0
"""How fast the chance of a digit falls with its correlation."""
SLIP = 0.03
"""How often a blob is none of the digit that it looks like."""
FEWEST = 4
"""So many rows of a side must show their digits, or that side says nothing."""
MOST_LOG = 8.0
"""No side says more than this (logarithm)."""
LEAST_LOG = 5.0
"""Numbers that fit less than so well (logarithm) are none: chance alone reaches 2."""
TURNS = 4

_DIGITS = "123456"


def numbers_told(
    image: Image, readings: Sequence[Array], dice: Array | None = None
) -> tuple[float, ...]:
    """For each reading of one lawn, its corners (4, 2) px, the logarithm of how likely numbers beside it make it.

    All 0 where no reading has its numbers in a run, as on most mats. image, dice: as `number_evidence` takes them.
    """
    found = [number_evidence(image, corners, dice) for corners in readings]
    best = max(found, default=0.0)
    return tuple(each - best if best >= LEAST_LOG else 0.0 for each in found)


def number_evidence(image: Image, corners: Array, dice: Array | None = None) -> float:
    """How well numbers beside the lawn fit that these corners (4, 2) px are row 1 left, row 1 right, row 6 right, row 6
    left: the logarithm of how much likelier they are so than by chance; 0 where no numbers are read.

    image: (H, W, 3) uint8 BGR; dice: boxes (N, 4) px of what is no number.
    """
    total = 0.0
    for strip, rows in _strips(image, corners, dice):
        likes = _likes(strip, rows)
        if likes is None:
            continue
        said = [_run(likes[turn]) for turn in range(TURNS)]
        total += max(said, key=abs) if max(said) <= 0 else max(said)
    return total


def _run(likes: Array) -> float:
    """The logarithm for one side whose rows (6, 6) are like these digits; NaN: no digit there."""
    seen = ~np.isnan(likes[:, 0])
    if seen.sum() < FEWEST:
        return 0.0
    weights = np.exp(SHARPNESS * (likes[seen] - likes[seen].max(1, keepdims=True)))
    chances = (1 - SLIP) * weights / weights.sum(1, keepdims=True) + SLIP / len(_DIGITS)
    own = chances[np.arange(len(chances)), np.flatnonzero(seen)]
    return float(np.clip(np.log(len(_DIGITS) * own).sum(), -MOST_LOG, MOST_LOG))


def _strips(
    image: Image, corners: Array, dice: Array | None
) -> list[tuple[NDArray[np.uint8], float]]:
    """The strips left and right of the lawn, grey, and the height of a row in them, px; what dice cover is flat."""
    try:
        mat = mat_of_corners(corners, (image.shape[1], image.shape[0]))
    except MatError:
        return []
    grey = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    wide, high = mat.layout.lawn.width, mat.layout.lawn.height
    near, far = STRIP_MM
    found = []
    for x0 in (-far, wide + near):
        size = (round((far - near) * PX_PER_MM), round(high * PX_PER_MM))
        x, y = np.meshgrid(np.arange(size[0]) + 0.5, np.arange(size[1]) + 0.5)
        at = mat.to_px(np.column_stack([x.ravel() / PX_PER_MM + x0, y.ravel() / PX_PER_MM]))
        seen = (at - 0.5).astype(np.float32).reshape(size[1], size[0], 2)
        strip = np.asarray(
            cv2.remap(grey, seen, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8
        )
        out = (
            (seen < 0).any(2) | (seen[..., 0] >= image.shape[1]) | (seen[..., 1] >= image.shape[0])
        )
        for left, top, right, bottom in dice if dice is not None else ():
            out |= (
                (seen[..., 0] > left) & (seen[..., 0] < right) & (seen[..., 1] > top) & (seen[..., 1] < bottom)
            )  # fmt: skip
        strip[out] = np.uint8(np.median(strip[~out])) if (~out).any() else 0
        found.append((strip, size[1] / len(_DIGITS)))
    return found


def _likes(strip: NDArray[np.uint8], row_px: float) -> Array | None:
    """(turns, rows, digits): how like each digit, turned by quarters, the likest blob of each row is; NaN for none."""
    digits = _templates()
    likes = np.full((TURNS, len(_DIGITS), len(_DIGITS)), np.nan)
    for mask, middle in _blobs(strip):
        row = int(middle / row_px)
        if abs(middle / row_px - row - 0.5) > 0.33:
            continue  # numbers stand beside the middles of their rows
        blob = _normal(mask)
        for turn in range(TURNS):
            turned = np.ascontiguousarray(np.rot90(blob, turn)).ravel()
            like = (digits @ turned).max(1)
            old = likes[turn, row].max()
            if like.max() >= LIKE and (np.isnan(old) or like.max() > old):
                likes[turn, row] = like
    return None if np.isnan(likes).all() else likes


def _blobs(strip: NDArray[np.uint8]) -> list[tuple[NDArray[np.float32], float]]:
    """What stands out of a strip and is as large as a digit: its cut-out (h, w) 0..1 and its middle's height, px."""
    wide = round(9 * PX_PER_MM) | 1
    off = cv2.absdiff(strip, cv2.medianBlur(strip, wide)).astype(np.float32)
    noise = 1.48 * float(np.median(off))
    strongest = float(np.percentile(off, 99))
    if strongest < max(14.0, 5 * noise):
        return []
    shown = (off > 0.45 * strongest).astype(np.uint8)
    count, labels, stats, centres = cv2.connectedComponentsWithStats(shown)
    low, high = (edge * PX_PER_MM for edge in DIGIT_MM)
    found = []
    for index in range(1, count):
        x, y, w, h, area = (int(v) for v in stats[index])
        touches = x == 0 or x + w == strip.shape[1]
        if touches or not low <= max(w, h) <= high or not 0.12 * w * h < area < 0.85 * w * h:
            continue
        mask = (labels[y : y + h, x : x + w] == index).astype(np.float32)
        found.append(
            (mask * np.minimum(off[y : y + h, x : x + w] / strongest, 1), float(centres[index][1]))
        )
    return found


def _normal(mask: NDArray[np.float32]) -> NDArray[np.float32]:
    """A cut-out in the middle of a square of SIDE_PX, a little blurred, of mean 0 and length 1."""
    scale = (SIDE_PX - 6) / max(mask.shape)
    size = (max(1, round(mask.shape[1] * scale)), max(1, round(mask.shape[0] * scale)))
    small = cv2.resize(mask, size, interpolation=cv2.INTER_AREA)
    square = np.zeros((SIDE_PX, SIDE_PX), np.float32)
    x, y = (SIDE_PX - size[0]) // 2, (SIDE_PX - size[1]) // 2
    square[y : y + size[1], x : x + size[0]] = small
    square = cv2.GaussianBlur(square, (0, 0), 1.2)
    square -= square.mean()
    return np.asarray(square / max(float(np.linalg.norm(square)), 1e-6), np.float32)


@cache
def _templates() -> NDArray[np.float32]:
    """(digits, fonts, SIDE_PX**2): the digits 1 to 6 in several fonts, as `_normal` makes them."""
    return np.array(
        [[_normal(cut).ravel() for cut in _drawn(digit)] for digit in _DIGITS], np.float32
    )


def _drawn(digit: str) -> list[NDArray[np.float32]]:
    found = []
    for name, weight in (
        ("sans", 300),
        ("sans", 500),
        ("sans", 800),
        ("italic", 500),
        ("uni", 400),
    ):
        page = np.zeros((90, 90, 3), np.uint8)
        cv2.putText(page, digit, (20, 70), (255, 255, 255), cv2.FontFace(name), 60, weight)
        found.append(page[..., 0])
    for font in (
        ImageFont.truetype(str(font_file("Caladea-Regular")), 60),
        ImageFont.load_default(60),
    ):
        sheet = Pictures.new("L", (90, 90))
        ImageDraw.Draw(sheet).text((20, 70), digit, 255, font, anchor="ls")
        found.append(np.asarray(sheet, np.uint8))
    return [_cut(page) for page in found]


def _cut(page: NDArray[np.uint8]) -> NDArray[np.float32]:
    x, y, w, h = cv2.boundingRect((page > 60).astype(np.uint8))
    return np.asarray(page[y : y + h, x : x + w] / 255, np.float32)
