"""Name the colour of each die from its own pixels: not its pips, not the table, not the highlight.

A die is described by colours found inside its box (its body, its brightest and its darkest part, which are pips,
highlights or side faces, and all between in the order of their lightness) and by the picture's white point, or relative
to white paper where a mat's is in sight; a small network (vision/colours.json, made by `lawn train-colours`) turns that
into a probability for each name. Dice that look the same in one picture belong to the same set, so they are given one
another's opinion.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib import resources
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading import COLOURS

SAMPLE_PX = 32
"""Dice are sampled at this size, px."""
SLICES = (0.0, 0.05, 0.15, 0.3, 0.5, 0.7, 0.85, 0.95, 1.0)
"""Shares of a die's top, the darkest first, between which its colours are averaged: speckles, marble and what light
does to a clear die are seen in them."""
FEATURES = 3 * (3 + len(SLICES) - 1 + 1)
LAB_UNIT = 50.0
"""The network's inputs are L*a*b* divided by this."""
SAME_SET_DELTA_E = 7.0
"""CIE76 colour difference at which the opinion of another die counts a third."""

DARKEST = 0.004
"""Of linear light: darker paper is taken for as dark as this."""
PAPER = 0.85
"""Of linear light, 0..1: what white paper shows where a camera exposes as it should."""
GREY_SPREAD = 4
"""Channels of a grey picture differ by no more than this (of 255; JPEG rounds)."""

Array = NDArray[np.float64]


def _diamond() -> NDArray[np.bool_]:
    """(SAMPLE_PX, SAMPLE_PX): a die turned by 45 degrees fills only the diamond of its box, so stay inside that."""
    v, u = (np.indices((SAMPLE_PX, SAMPLE_PX)) + 0.5) / SAMPLE_PX * 2 - 1
    return np.asarray(np.abs(u) + np.abs(v) < 0.85)


_INSIDE = _diamond()


@dataclass(frozen=True)
class DieColours:
    """What a die looks like, CIE L*a*b*.

    (3,) of its body, its brightest and its darkest part, and of all of its top; slices (8, 3) of the parts of its top
    between SLICES.
    """

    body: Array
    bright: Array
    dark: Array
    whole: Array
    slices: Array


def lab(image: NDArray[np.uint8]) -> NDArray[np.float32]:
    """CIE L*a*b* (H, W, 3), L in 0..100, of an sRGB picture (H, W, 3) uint8 BGR."""
    return np.asarray(cv2.cvtColor(image.astype(np.float32) / 255, cv2.COLOR_BGR2LAB), np.float32)


def colourless(image: NDArray[np.uint8]) -> bool:
    """Whether a picture (H, W, 3) uint8 BGR is grey all over, as infrared cameras and grey prints are.

    Even a grey table under a grey sky has some colour in a colour camera's noise.
    """
    return _is_grey(_small(image))


def _small(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.asarray(cv2.resize(image, (160, 120), interpolation=cv2.INTER_AREA), np.uint8)


def _is_grey(small: NDArray[np.uint8]) -> bool:
    blue, green, red = cv2.split(small)
    spread = cv2.subtract(cv2.max(cv2.max(blue, green), red), cv2.min(cv2.min(blue, green), red))
    return int(spread.max()) <= GREY_SPREAD


def white_point(image: NDArray[np.uint8]) -> Array:
    """L*a*b* (3,) of the picture's brightest hundredth: what its light makes of white, roughly.

    image (H, W, 3) uint8 BGR.
    """
    return _white_of(_small(image))


def _white_of(small: NDArray[np.uint8]) -> Array:
    colours = lab(small).reshape(-1, 3)
    bright = colours[:, 0] >= np.percentile(colours[:, 0], 99)
    return np.asarray(np.median(colours[bright], axis=0), np.float64)


def sample_die(
    image: NDArray[np.uint8], box: tuple[float, float, float, float]
) -> DieColours | None:
    """Colours of the die in a box (x0, y0, x1, y1 px) of a picture (H, W, 3) uint8 BGR; None for an empty box."""
    height, width = image.shape[:2]
    x0, y0 = max(0, int(box[0])), max(0, int(box[1]))
    x1, y1 = min(width, int(np.ceil(box[2]))), min(height, int(np.ceil(box[3])))
    if x1 - x0 < 3 or y1 - y0 < 3:
        return None
    crop = cv2.resize(image[y0:y1, x0:x1], (SAMPLE_PX, SAMPLE_PX), interpolation=cv2.INTER_AREA)
    colours = lab(np.asarray(crop, np.uint8))[_INSIDE].astype(np.float64)
    return DieColours(
        _body(colours),
        _part(colours, colours[:, 0] >= _at_share(colours[:, 0], 0.92)),
        _part(colours, colours[:, 0] <= _at_share(colours[:, 0], 0.08)),
        np.asarray(colours.mean(axis=0)),
        _slices(colours),
    )


def _slices(colours: Array) -> Array:
    """The mean colours (8, 3) between SLICES of L*a*b* colours (N, 3), N of 8 and more."""
    ordered = colours[np.argsort(colours[:, 0], kind="stable")]
    edges = [int(share * len(ordered)) for share in SLICES]
    return np.stack(
        [ordered[low : max(high, low + 1)].mean(axis=0) for low, high in pairwise(edges)]
    )


def _at_share(values: Array, share: float) -> Any:
    """The value (of each column) below which that share of values lies; many times quicker than numpy's percentile."""
    at = int(share * (len(values) - 1))
    return np.partition(values, at, axis=0)[at]


def _part(colours: Array, chosen: NDArray[np.bool_]) -> Array:
    return np.asarray(_at_share(colours[chosen], 0.5))


def _body(colours: Array) -> Array:
    """The commonest colour (3,) of L*a*b* colours (N, 3): pips and highlights are the fewer."""
    centre = _at_share(colours, 0.5)
    for reach in (30.0, 18.0, 12.0):
        distance = np.linalg.norm(colours - centre, axis=1)
        near = distance <= max(reach, float(_at_share(distance, 0.3)))
        centre = _at_share(colours[near], 0.5)
    return np.asarray(centre)


def features(die: DieColours, white: Array) -> Array:
    """The network's input (FEATURES,), each value of the order of one."""
    return np.concatenate([die.body, die.bright, die.dark, die.slices.ravel(), white]) / LAB_UNIT


def under_usual_light(die: DieColours, white: Array) -> DieColours:
    """The die as it would look where white paper shows PAPER; white (3,): L*a*b* of white paper beside it.

    A lamp's colour multiplies linear red, green and blue (von Kries 1902).
    """
    colours = [die.body, die.bright, die.dark, die.whole, *die.slices, white]
    seen = np.stack(colours).astype(np.float32)[None]
    linear = cv2.cvtColor(seen, cv2.COLOR_Lab2LRGB)[0]
    usual = linear[:-1] / np.maximum(linear[-1], DARKEST) * PAPER
    told = cv2.cvtColor(np.clip(usual, 0, 1)[None], cv2.COLOR_LRGB2Lab)[0]
    body, bright, dark, whole, *slices = np.asarray(told, np.float64)
    return DieColours(body, bright, dark, whole, np.stack(slices))


USUAL_WHITE: Array = np.asarray(
    cv2.cvtColor(np.full((1, 1, 3), PAPER, np.float32), cv2.COLOR_LRGB2Lab)[0, 0], np.float64
)
"""L*a*b* (3,) of white paper there."""


class ColourNamer:
    """The colour network: dense layers, tanh between, softmax behind."""

    def __init__(self, stored: Path | None = None) -> None:
        """stored: a file made by `lawn train-colours`, or None for the shipped one; raises ValueError on others."""
        text = (stored or resources.files("vision") / "colours.json").read_text(encoding="utf-8")
        stored_network = json.loads(text)
        if tuple(stored_network["names"]) != COLOURS:
            raise ValueError(f"{stored}: these are not the colours of this version.")
        self._layers = [
            (np.array(layer["weight"]), np.array(layer["bias"]))
            for layer in stored_network["layers"]
        ]

    def probabilities(self, inputs: Array) -> Array:
        """P(name) (N, 11), in the order of COLOURS, of dice described by `inputs` (N, FEATURES)."""
        values = inputs
        for index, (weight, bias) in enumerate(self._layers):
            values = values @ weight.T + bias
            if index + 1 < len(self._layers):
                values = np.tanh(values)
        values = values - values.max(1, keepdims=True)
        weights = np.exp(values)
        return np.asarray(weights / weights.sum(1, keepdims=True))

    def name(
        self,
        image: NDArray[np.uint8],
        boxes: list[tuple[float, float, float, float]],
        white: Array | None = None,
    ) -> list[dict[str, float]]:
        """For each box (px) of a picture (H, W, 3) uint8 BGR the probability of each colour name.

        white: L*a*b* (3,) of white paper on the table, where it is known (vision.mat_white); else it is guessed.

        A box too small to sample, and every box of a picture without colours, gets the same probability for every name.
        """
        return [colour_p for colour_p, _ in self.look(image, boxes, white)]

    def look(
        self,
        image: NDArray[np.uint8],
        boxes: list[tuple[float, float, float, float]],
        white: Array | None = None,
    ) -> list[tuple[dict[str, float], DieColours | None]]:
        """As `name`, each with what the die looks like: None where that cannot be told."""
        level = {name: 1 / len(COLOURS) for name in COLOURS}
        small = _small(image)
        if _is_grey(small):
            return [(level, None) for _ in boxes]
        samples = [sample_die(image, box) for box in boxes]
        seen = [sample for sample in samples if sample is not None]
        if not seen:
            return [(level, None) for _ in boxes]
        if white is None:
            guess = _white_of(small)
        else:
            seen, guess = [under_usual_light(sample, white) for sample in seen], USUAL_WHITE
        own = self.probabilities(np.stack([features(sample, guess) for sample in seen]))
        pooled = iter(pool_alike(own, np.stack([sample.body for sample in seen])))
        return [
            (level, None)
            if sample is None
            else (dict(zip(COLOURS, (float(p) for p in next(pooled)), strict=True)), sample)
            for sample in samples
        ]


def pool_alike(probabilities: Array, bodies: Array) -> Array:
    """Share opinions between dice that look the same.

    probabilities (N, K) of each die alone; bodies (N, 3) L*a*b*. Returns (N, K): the geometric mean of the opinions
    of all dice, weighted by how alike their bodies are, so that the dice of one set are named alike.
    """
    # A set's dice differ in lightness by where they stand, in hue hardly.
    scaled = bodies * np.array([0.5, 1.0, 1.0])
    gap = np.linalg.norm(scaled[:, None] - scaled[None], axis=2)
    weight = np.exp(-((gap / SAME_SET_DELTA_E) ** 2))
    weight /= weight.sum(1, keepdims=True)
    logs = weight @ np.log(np.maximum(probabilities, 1e-6))
    shared = np.exp(logs - logs.max(1, keepdims=True))
    return np.asarray(shared / shared.sum(1, keepdims=True))
