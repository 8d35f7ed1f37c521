"""What differs between two small pictures of one table, whatever the light does.

A small picture holds the logarithm of what the camera saw, so that more light, a longer exposure or
a shadow adds a number to it and leaves the table's texture as it was. Two pictures are compared in
three steps:

1. The change of light that fits the whole picture (a gain and a contrast for each channel, and a
   smooth band along the rows and columns, as flickering lamps give with a rolling shutter) is taken
   away. The fit is robust: a hand over a third of the picture does not bend it.
2. Where the hue has changed, or the texture (what is left after a median filter, which keeps the
   edge of a shadow but no pips, lines or grain), something else lies there now.
3. Where only the brightness has changed, a whole patch is judged: light if its border is soft, or if
   the texture inside is what it was; something else otherwise. A patch with a hard border on a bare
   table cannot be told from a shadow by its pixels and counts as something else, which is safe: the
   table is looked at again a little later.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

SMALL_WIDTH = 480
"""Longest side of a small picture, px: a die of 22 px at 1280 px is then 8 px large."""
OFFSET = 8.0
"""Added before the logarithm: below it a camera mostly sees its own noise (grey levels)."""

LEAST_HUE = 0.16
"""Change of log(blue / green) or log(red / green) that is none of a shadow's."""
SHADE_HUE = 0.2
"""So much more for each step of brightness: what lights a shadow has another hue than the lamp."""
LEAST_NOISE = 1.2
"""Deviation of a level, grey levels, that compression leaves even where no noise is seen: in what is nearly black two
pictures of one thing differ by two or three levels, and a level there is a tenth of the light."""
LEAST_TEXTURE = 0.07
LEAST_LIGHT = 0.16
"""Change of brightness (log) of which a patch is judged; flicker and vignetting stay below."""
MOST_BAND = 0.2
"""Flicker is taken away up to this change of brightness (log)."""
HARD_SHARE = 0.15
"""A patch of which more than this share has another hue or texture is not light alone."""
KEPT_TEXTURE = 0.5
"""A patch in which more than this share of the texture is what it was is light."""
SOFT_PX = 5.0
"""A shadow's border that is wider than this, px of the small picture, is soft."""
MARGIN_PX = 4
"""So much around a patch, px, is looked at with it: half of the widest filter."""
LEAST_AREA = 24
"""Smaller spots, px of the small picture, are noise; a die of 22 px at 1280 px has 60."""

Array: TypeAlias = NDArray[np.float32]
Mask: TypeAlias = NDArray[np.bool_]
Window: TypeAlias = tuple[slice, slice]

_LOGS = np.log(np.arange(256, dtype=np.float32) + OFFSET)
_CLIPPED = float(np.log(250 + OFFSET))
_MOST = float(np.log(255 + OFFSET))
_LIGHT_AND_HUES = np.array(
    [
        [0.25 / LEAST_TEXTURE, 0.5 / LEAST_TEXTURE, 0.25 / LEAST_TEXTURE],
        [1 / LEAST_HUE, -1 / LEAST_HUE, 0],
        [0, -1 / LEAST_HUE, 1 / LEAST_HUE],
    ],
    np.float32,
)
"""From a change of (blue, green, red) to that of the light and of two hues, in shares of what counts."""
_OPEN = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))
_CLOSE = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (7, 7))


@dataclass(frozen=True)
class Small:
    """A small picture: log(level + OFFSET), (h, w, 3) float32 BGR; scale: its px per picture px."""

    logs: Array
    scale: float


@dataclass(frozen=True)
class Difference:
    """How a small picture differs from a reference.

    mask: (h, w) bool, where something else lies now. expected: (h, w, 3) float32, the reference as
    it would look in the light of now.
    """

    mask: Mask
    expected: Array

    @property
    def share(self) -> float:
        """Share of the picture that differs."""
        return float(self.mask.mean())


def shrink(image: NDArray[np.uint8]) -> Small:
    """The small picture of a frame (H, W, 3) uint8 BGR."""
    height, width = image.shape[:2]
    scale = min(1.0, SMALL_WIDTH / max(height, width))
    if scale < 1:
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        # Halving and a last step between neighbours takes a fifth of the time of one step over areas.
        while image.shape[1] >= 2 * size[0] and image.shape[0] >= 2 * size[1]:
            half = (image.shape[1] // 2, image.shape[0] // 2)
            image = np.asarray(cv2.resize(image, half, interpolation=cv2.INTER_AREA), np.uint8)
        if image.shape[1::-1] != size:
            image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_LINEAR), np.uint8)
    return Small(np.asarray(cv2.LUT(image, _LOGS), np.float32), scale)


def difference(now: Small, reference: Array) -> Difference:
    """Where `now` shows something else than the reference (h, w, 3) float32 logs of the same size."""
    expected = _relit(now.logs, reference)
    change = np.asarray(cv2.subtract(now.logs, expected), np.float32)
    if _most(reference) > _CLIPPED:  # what was clipped may have been brighter still
        change[(reference > _CLIPPED) & (change > 0)] = 0
    shares = np.asarray(cv2.transform(change, _LIGHT_AND_HUES), np.float32)
    smooth = _smooth(shares)
    if _most(smooth) < 1:  # most frames of a table without grain end here
        return Difference(np.zeros(change.shape[:2], np.bool_), expected)
    light = _channel(shares, 0)
    light *= LEAST_TEXTURE
    noise = _noise(light, expected[..., 1])
    hue = cv2.max(np.abs(_channel(smooth, 1)), np.abs(_channel(smooth, 2)))
    hue *= LEAST_HUE
    light -= _bands(light)
    shaded = _smooth(light)
    texture = _smooth(np.asarray(cv2.absdiff(light, cv2.medianBlur(light, 5)), np.float32))
    hard = (hue > np.maximum(LEAST_HUE + SHADE_HUE * np.maximum(-shaded, 0), 3 * noise)) | (
        texture > np.maximum(LEAST_TEXTURE, 2 * noise)
    )
    hard_spots = cv2.morphologyEx(hard.astype(np.uint8), cv2.MORPH_OPEN, _OPEN)
    patches = _not_only_light(shaded, hard, now.logs[..., 1], expected[..., 1], noise)
    mask = cv2.morphologyEx(hard_spots | patches, cv2.MORPH_CLOSE, _CLOSE)
    return Difference(without_specks(mask > 0)[1], expected)


def _smooth(values: Array) -> Array:
    return np.asarray(cv2.blur(values, (3, 3)), np.float32)


def _channel(values: Array, number: int) -> Array:
    return np.asarray(cv2.extractChannel(values, number), np.float32)


def _most(values: Array) -> float:
    """The largest absolute value; without a copy, as numpy would make one."""
    return float(cv2.norm(values, cv2.NORM_INF))


def _relit(now: Array, reference: Array) -> Array:
    """The reference in the light of now: for each channel now = (1 + a) reference + b, robustly."""
    step = max(1, now.shape[0] // 45)
    olds = np.ascontiguousarray(reference[::step, ::step].reshape(-1, 3).T)
    news = np.ascontiguousarray(now[::step, ::step].reshape(-1, 3).T)
    light = np.eye(3, 4, dtype=np.float64)
    for channel, (old, new) in enumerate(zip(olds, news, strict=True)):
        shift = new - old
        b = _middle(shift)
        off = np.abs(shift - b)
        kept = (off < max(0.06, 3 * _middle(off))) & (old < _CLIPPED) & (new < _CLIPPED)
        a, middle = 0.0, 0.0
        if np.count_nonzero(kept) > 0.3 * len(old):
            there, shift = old[kept], shift[kept]
            middle = float(there.mean())
            around = there - middle
            spread_of_old = float(around @ around)
            b = float(shift.mean())
            if spread_of_old > 1e-3 * len(around):
                a = float(np.clip(around @ (shift - b) / spread_of_old, -0.4, 0.4))
        light[channel, channel], light[channel, 3] = 1 + a, b - a * middle
    expected = np.asarray(cv2.transform(reference, light), np.float32)
    if _most(expected) > _MOST:
        np.minimum(expected, _MOST, out=expected)
    return expected


def _middle(values: Array) -> float:
    """The median of values (N,); of an even number the upper of the two middle ones.

    Sorted whole: numpy's partition is ten times as slow with the many equal values that 256 levels give.
    """
    return float(np.sort(values)[len(values) // 2])


def _bands(light: Array) -> Array:
    """Bands of flicker (h, w): what most of a row, or of a column, has in common."""
    rows = _middles(light[:, ::6])
    rows = cv2.blur(np.clip(rows, -MOST_BAND, MOST_BAND)[:, None], (1, 5))
    columns = _middles((light[::6] - rows[::6]).T)
    columns = cv2.blur(np.clip(columns, -MOST_BAND, MOST_BAND)[None, :], (5, 1))
    return np.asarray(rows + columns, np.float32)


def _middles(values: Array) -> Array:
    """The median of each row of values (N, M), (N,)."""
    return np.asarray(np.sort(values, axis=1)[:, values.shape[1] // 2], np.float32)


def _noise(light: Array, level: Array) -> Array:
    """Deviation (h, w) of a pixel's change by the sensor's noise, which grows in the dark.

    Measured in the picture itself: most of it does not change. A level's logarithm moves by
    noise / level.
    """
    levels = np.asarray(cv2.exp(np.ascontiguousarray(level)), np.float32)
    fine = np.abs(light[::3, ::3] - _smooth(light)[::3, ::3]) * levels[::3, ::3]
    # 1.48: from the median absolute value to the deviation; 1.06: a pixel less its own mean of 9.
    deviation = max(1.48 * 1.06 * _middle(fine.ravel()), LEAST_NOISE)
    return np.asarray(cv2.divide(deviation, levels), np.float32)


def _not_only_light(
    light: Array, hard: Mask, now: Array, expected: Array, noise: Array
) -> NDArray[np.uint8]:
    """Patches (h, w) of 0 or 1 whose brightness has changed, and not by light alone."""
    changed = (np.abs(light) > np.maximum(LEAST_LIGHT, 2 * noise)).astype(np.uint8)
    (rows, columns), labels, stats = components(changed)
    found = np.zeros_like(changed)
    for index in np.flatnonzero(stats[1:, cv2.CC_STAT_AREA] >= LEAST_AREA) + 1:
        x, y, w, h = (int(v) for v in stats[index, :4])
        window = np.s_[max(0, y - 1) : y + h + 1, max(0, x - 1) : x + w + 1]
        top, left = window[0].start - rows.start, window[1].start - columns.start
        own = labels[top : y + h + 1 - rows.start, left : x + w + 1 - columns.start]
        patch = (own == index).astype(np.uint8)
        inside = patch > 0
        if float(hard[window][inside].mean()) > HARD_SHARE or not _lit_alone(
            patch, (window[0].start, window[1].start), light, now, expected, noise
        ):
            found[window][inside] = 1
    return found


def _lit_alone(
    patch: NDArray[np.uint8],
    at: tuple[int, int],
    light: Array,
    now: Array,
    expected: Array,
    noise: Array,
) -> bool:
    """As `_is_light`, of a patch whose upper left pixel lies at row, column `at` of these (h, w) pictures."""
    (top, left), (high, wide) = at, patch.shape
    y0, x0 = max(0, top - MARGIN_PX), max(0, left - MARGIN_PX)
    around = np.s_[y0 : top + high + MARGIN_PX, x0 : left + wide + MARGIN_PX]
    own = np.s_[top - y0 : top - y0 + high, left - x0 : left - x0 + wide]
    lit, is_now, was = (np.ascontiguousarray(each[around]) for each in (light, now, expected))
    slope = cv2.magnitude(
        cv2.Sobel(lit, cv2.CV_32F, 1, 0, scale=1 / 8), cv2.Sobel(lit, cv2.CV_32F, 0, 1, scale=1 / 8)
    )
    fine_now, fine_then = is_now - cv2.blur(is_now, (7, 7)), was - cv2.blur(was, (7, 7))
    fine_then[np.abs(fine_then) < np.maximum(0.03, 3 * noise[around])] = 0
    return _is_light(patch, lit[own], slope[own], fine_now[own], fine_then[own])


def _is_light(
    patch: NDArray[np.uint8], light: Array, slope: Array, fine_now: Array, fine_then: Array
) -> bool:
    """Whether a patch (h, w) of 0 or 1 is a shadow or a lamp's spot.

    fine_then: texture of the reference, 0 where it is lost in noise; fine_now: that of the picture.
    """
    core = _eroded(patch, 3)
    border = (patch > 0) & (core == 0)
    height = float(np.median(np.abs(light[patch > 0])))
    if float(np.median(slope[border])) * SOFT_PX < height:
        return True
    core = _eroded(core, 5)
    then, now = fine_then[core > 0], fine_now[core > 0]
    if np.count_nonzero(then) < max(20.0, 0.02 * float(patch.sum())):
        return False  # a bare table: see above
    # Under a shadow the texture stays what it was; under a thing it is gone.
    return float((now * then).sum()) > KEPT_TEXTURE * float((then * then).sum())


def _eroded(patch: NDArray[np.uint8], size: int) -> NDArray[np.uint8]:
    kernel = np.ones((size, size), np.uint8)
    eroded = cv2.erode(patch, kernel, borderType=cv2.BORDER_CONSTANT, borderValue=0)
    return np.asarray(eroded, np.uint8)


def without_specks(mask: Mask) -> tuple[Mask, Mask]:
    """A mask's parts smaller than LEAST_AREA, and the others."""
    window, labels, stats = components(mask.astype(np.uint8))
    large = stats[:, cv2.CC_STAT_AREA] >= LEAST_AREA
    large[0] = False
    if large[1:].all():
        return np.zeros_like(mask), mask
    kept = np.zeros_like(mask)
    kept[window] = large.take(labels)
    return mask & ~kept, kept


def components(
    spots: NDArray[np.uint8],
) -> tuple[Window, NDArray[np.int32], NDArray[np.int32]]:
    """The connected components of spots (H, W) of 0 or 1: the window that holds them all with two px around, and in it,
    as OpenCV gives them, labels (h, w) and statistics (N, 5), the first of the background.

    To measure components takes OpenCV as long as to compare small pictures, and mostly few px are set.
    """
    x, y, w, h = cv2.boundingRect(spots)
    # OpenCV numbers components by blocks of two by two.
    x0, y0 = max(0, x - 2) & ~1, max(0, y - 2) & ~1
    window = np.s_[y0 : y + h + 2, x0 : x + w + 2]
    if w == 0:
        return window, np.zeros(spots[window].shape, np.int32), np.zeros((1, 5), np.int32)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(spots[window])
    stats[:, [cv2.CC_STAT_LEFT, cv2.CC_STAT_TOP]] += x0, y0
    return window, np.asarray(labels, np.int32), np.asarray(stats, np.int32)


def grown(mask: Mask, size: int) -> Mask:
    """A mask with all that lies within size // 2 px of it."""
    kernel = np.ones((size, size), np.uint8)
    return np.asarray(cv2.dilate(mask.astype(np.uint8), kernel) > 0, np.bool_)
