"""Find the mat again by the dice that lie on it: after a bump of the camera they lie as they lay, seen from elsewhere.

What a plain table cannot show (`vision.refind`), its dice do: four or more of them, each known by its face and colour,
fit one camera only. First a turn, a scale and a shift of the old picture that bring most dice to dice like them; then
a camera is fitted to their feet. A second way that fits as well, or dice that do not fit, and nothing is said.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.footprint import footprints_mm
from vision.lens import fit_camera
from vision.mat import Array, FoundMat, from_fit
from vision.overlap import Box

LEAST_DICE = 4
LEAST_SHARE = 0.7
"""Share of the dice that should be in view which must be found again, and of those found which must be known."""
MOST_TURN = np.radians(25.0)
SCALES = (0.75, 1.33)
"""A bump turns and nears no camera by more."""
NEAR_DICE = 0.9
"""A die that is nearer than this, in die sizes, to where a rough shift has it may be that die."""
FITS_DICE = 0.18
"""The same once the camera is fitted."""
PAIRS = 150
"""Pairs of dice that are tried, among those that are not close together."""
CLOSE = 0.3
"""This share of all pairs is close together."""
ROUNDS = 4
WORST_ERROR_MM = 8.0
"""A mat that could be further off than this is not given."""
FOOT_PX = 0.8
"""Deviation of a die's foot along each axis, px, as boxes give it (datasets.mat_tables)."""
LIKE_COLOURS = 0.2
"""Beliefs of colours that share less than this are of different dice."""


@dataclass(frozen=True)
class StarDie:
    """A die as it is seen: box px, its likeliest face, P(colour) by names."""

    box: Box
    face: int
    colour_p: Mapping[str, float]


def found_by_dice(
    before: Sequence[StarDie], mat: FoundMat, now: Sequence[StarDie]
) -> FoundMat | None:
    """Where the mat is whose dice lay so before the camera was bumped; None when that is not proven. By "features".

    before: the dice in the picture in which `mat` was found; now: those of the new picture, of the same size.
    """
    if min(len(before), len(now)) < LEAST_DICE:
        return None
    alike = _alike(before, now)
    old, new = _boxes(before), _boxes(now)
    lay = footprints_mm(old, mat)
    die_px = float(np.median(np.sqrt(np.prod(new[:, 2:] - new[:, :2], axis=1))))
    rough = _rough(_middles(old), _middles(new), alike, NEAR_DICE * die_px, mat.size)
    if rough is None:
        return None
    pairs = rough
    found = None
    for _ in range(ROUNDS):
        found = _fitted(mat, found, lay, new, pairs)
        if found is None:
            return None
        again = _pairs(
            found.to_px(lay), found.to_px(footprints_mm(new, found)), alike, 0.5 * die_px
        )
        if len(again) < LEAST_DICE:
            return None
        settled = again == pairs
        pairs = again
        if settled:
            break
    assert found is not None
    feet = found.to_px(footprints_mm(new, found))
    there = found.to_px(lay)
    off = [float(np.linalg.norm(feet[s] - there[k])) for k, s in pairs]
    fitting = sum(each < FITS_DICE * die_px for each in off)
    width, height = mat.size
    margin = die_px / 2
    in_view = int(((there > margin) & (there < [width - margin, height - margin])).all(1).sum())
    if fitting < max(LEAST_DICE, LEAST_SHARE * in_view, LEAST_SHARE * len(pairs)):
        return None
    return found if found.error_mm <= WORST_ERROR_MM else None


def _boxes(dice: Sequence[StarDie]) -> Array:
    return np.array([die.box for die in dice], np.float64)


def _middles(boxes: Array) -> Array:
    return np.asarray((boxes[:, :2] + boxes[:, 2:]) / 2)


def _alike(before: Sequence[StarDie], now: Sequence[StarDie]) -> NDArray[np.bool_]:
    """(K, S): which die of then may be which of now, by face and colour."""
    return np.array(
        [
            [
                one.face == two.face
                and sum(min(p, two.colour_p.get(name, 0.0)) for name, p in one.colour_p.items())
                >= LIKE_COLOURS
                for two in now
            ]
            for one in before
        ],
        np.bool_,
    )


def _rough(
    old: Array, new: Array, alike: NDArray[np.bool_], near_px: float, size: tuple[int, int]
) -> list[tuple[int, int]] | None:
    """Pairs of dice that one turn, scale and shift of the picture (complex a z + b) brings together.

    None where too few are, or where another way does it as well.
    """
    z, w = old @ (1, 1j), new @ (1, 1j)
    first, second = np.triu_indices(len(z), 1)
    order = np.argsort(-np.abs(z[first] - z[second]))
    order = order[: max(1, round((1 - CLOSE) * len(order)))]
    order = order[:: max(1, math.ceil(len(order) / PAIRS))]
    ways = []
    for i, j in zip(first[order], second[order], strict=True):
        for a in np.flatnonzero(alike[i]):
            for b in np.flatnonzero(alike[j]):
                if a != b:
                    turn = (w[a] - w[b]) / (z[i] - z[j])
                    ways.append((turn, w[a] - turn * z[i]))
    if not ways:
        return None
    turns, shifts = np.array(ways).T
    usual = (
        (np.abs(np.angle(turns)) < MOST_TURN) & (np.abs(turns) > SCALES[0]) & (np.abs(turns) < SCALES[1])
    )  # fmt: skip
    turns, shifts = turns[usual], shifts[usual]
    if not len(turns):
        return None
    moved = turns[:, None] * z + shifts[:, None]
    apart = np.abs(moved[:, :, None] - w)
    apart = np.where(alike, apart, np.inf).min(2) / near_px
    # Each die that comes near one like it counts, more the nearer it comes.
    scores = np.maximum(1 - apart**2, 0).sum(1)
    best = int(scores.argmax())
    middle = complex(size[0] / 2, size[1] / 2)
    other = np.abs(turns * middle + shifts - (turns[best] * middle + shifts[best])) > 1.5 * near_px
    if other.any() and scores[other].max() > 0.75 * scores[best]:
        return None
    pairs = _pairs(np.column_stack([moved[best].real, moved[best].imag]), new, alike, near_px)
    return pairs if len(pairs) >= LEAST_DICE else None


def _pairs(
    there: Array, new: Array, alike: NDArray[np.bool_], near_px: float
) -> list[tuple[int, int]]:
    """(die of then, die of now) that are each other's nearest of their kind, and near."""
    apart = np.linalg.norm(there[:, None] - new, axis=2)
    apart = np.where(alike, apart, np.inf)
    nearest, back = apart.argmin(1), apart.argmin(0)
    return [(k, int(s)) for k, s in enumerate(nearest) if apart[k, s] < near_px and back[s] == k]


def _fitted(
    mat: FoundMat, found: FoundMat | None, lay: Array, new: Array, pairs: Sequence[tuple[int, int]]
) -> FoundMat | None:
    """The mat by these pairs; found: where it is about, which tells how a die's foot lies in its box."""
    ours, theirs = [k for k, _ in pairs], [s for _, s in pairs]
    boxes = new[theirs]
    if found is None:
        # At first the foot lies in the box as it did before the bump.
        feet = _middles(boxes) + (
            mat.to_px(lay[ours]) - mat.to_px(lay[ours], mat.layout.dice_mm / 2)
        )
    else:
        feet = found.to_px(footprints_mm(boxes, found))
    if mat.mirrored:
        feet = np.column_stack([mat.size[0] - feet[:, 0], feet[:, 1]])
    fit = fit_camera(lay[ours], feet, mat.size, mat.lens)
    if fit is None or np.linalg.det(fit.to_px) <= 0:
        return None
    # What a box tells of a foot is less exact than the points that `fit_camera` counts with.
    scatter = max(FOOT_PX, fit.residual_px) / max(0.3, fit.residual_px)
    made = from_fit(fit, mat.layout, mat.mirrored, by="features")
    error = float(np.hypot(made.error_mm * scatter, mat.error_mm))
    return replace(made, error_mm=error)
