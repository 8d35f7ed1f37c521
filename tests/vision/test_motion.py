"""What changes on a table, and what is only light."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.clip import arm, die, in_place, shade, table
from vision.motion import Small, difference, grown, shrink, without_specks

Picture = NDArray[np.float32]

DICE = (
    in_place("red", 3, "left"),
    in_place("blue", 3, "center"),
    in_place("white", 1, "center"),
    die("red", 6, -100, -60),
    die("blue", 2, -75, -65),
)


def noisy(picture: Picture, noise: float = 3.0, seed: int = 0) -> NDArray[np.uint8]:
    grain = np.random.default_rng(seed).normal(0, noise, picture.shape)
    return np.clip(picture + grain, 0, 255).astype(np.uint8)


@pytest.fixture(scope="module")
def still() -> Picture:
    return table(*DICE).image.astype(np.float32)


@pytest.fixture(scope="module")
def settled(still: Picture) -> Small:
    return shrink(noisy(still, seed=9))


def rows(picture: Picture) -> Picture:
    return np.arange(picture.shape[0], dtype=np.float32)[:, None, None] / picture.shape[0]


LIGHT: dict[str, Callable[[Picture], Picture]] = {
    "nothing": lambda p: p,
    "a brighter exposure": lambda p: p * 1.35,
    "a darker exposure": lambda p: p * 0.6,
    "another contrast": lambda p: 255 * (p / 255) ** 0.8,
    "another white balance": lambda p: p * np.float32([1.12, 1.0, 0.88]),
    "a lamp that flickers at 50 Hz": lambda p: p * (1 + 0.12 * np.sin(9 * rows(p) + 1)),
    "a lamp that flickers at 60 Hz": lambda p: p * (1 + 0.08 * np.sin(25 * rows(p) + 2)),
    "dusk from one side": lambda p: p * (1 - 0.12 * rows(p)),
    "a soft shadow": lambda p: shade(p, (0.5, 0.3), 0.04),
    "a shadow's hard edge": lambda p: shade(p, (0.5, 0.3), 0.002),
    "a deep shadow": lambda p: shade(p, (0.45, 0.28), 0.01, dark=0.6),
    "a spot of light": lambda p: shade(p, (0.5, 0.3), 0.03, dark=-0.4),
}


@pytest.mark.parametrize("what", LIGHT)
def test_light_is_no_motion(what: str, still: Picture, settled: Small) -> None:
    found = difference(shrink(noisy(LIGHT[what](still), seed=1)), settled.logs)
    assert not found.mask.any()


@pytest.mark.parametrize("noise", [0.0, 6.0, 10.0])
def test_a_sensors_noise_is_no_motion(noise: float, still: Picture) -> None:
    dark = still * 0.5
    reference = shrink(noisy(dark, noise, seed=2)).logs
    for seed in range(3, 6):
        assert not difference(shrink(noisy(dark, noise, seed)), reference).mask.any()


def sleeve(picture: Picture) -> Picture:
    shown = picture.copy()
    cv2.line(shown, (400, 150), (640, 360), (70, 70, 70), 50, cv2.LINE_AA)
    return shown


@pytest.mark.parametrize("light", ["nothing", "a darker exposure", "a lamp that flickers at 50 Hz"])
def test_an_arm_is_seen_and_outlined_in_any_light(
    light: str, still: Picture, settled: Small
) -> None:
    for reach in (lambda p: arm(p, (0.5, 0.3)), sleeve):
        shown = reach(still)
        truth = shrink(
            (np.abs(shown - still).max(2) > 8).astype(np.uint8)[..., None].repeat(3, 2) * 200
        )
        covered = truth.logs[..., 1] > np.log(100)
        mask = difference(shrink(noisy(LIGHT[light](shown), seed=4)), settled.logs).mask
        assert (mask & covered).sum() > 0.85 * covered.sum()
        assert (mask & ~grown(covered, 9)).sum() < 0.02 * covered.sum()


@pytest.mark.parametrize("colour", ["red", "blue", "white"])
def test_a_die_that_comes_or_goes_is_seen(colour: str, still: Picture, settled: Small) -> None:
    new = table(*DICE, in_place(colour, 5, "right")).image.astype(np.float32)
    box = next(d.box for d in table(*DICE, in_place(colour, 5, "right")).dice if d.face == 5)
    for now, then in ((new, settled.logs), (still, shrink(noisy(new, seed=5)).logs)):
        mask = difference(shrink(noisy(now, seed=6)), then).mask
        y, x = (float(values.mean()) / settled.scale for values in np.nonzero(mask))
        assert box[0] < x < box[2]
        assert box[1] < y < box[3]


def test_a_die_that_was_rolled_anew_on_its_spot_is_seen(settled: Small) -> None:
    x, y = DICE[0].x_mm, DICE[0].y_mm
    again = table(die("red", 5, x + 3, y, 0.8), *DICE[1:]).image.astype(np.float32)
    mask = difference(shrink(noisy(again)), settled.logs).mask
    assert 20 < mask.sum() < 800


def test_a_die_put_down_in_a_shadow_is_seen_and_the_shadow_is_not(
    settled: Small,
) -> None:
    new = table(*DICE, in_place("blue", 4, "left")).image.astype(np.float32)
    mask = difference(shrink(noisy(shade(new, (0.45, 0.28), 0.02))), settled.logs).mask
    assert 30 < mask.sum() < 500


def test_the_reference_is_given_in_the_light_of_now(still: Picture, settled: Small) -> None:
    now = shrink(noisy(still * 0.7, seed=8))
    assert np.abs(difference(now, settled.logs).expected - now.logs).mean() < 0.04


def test_what_is_nearly_black_may_drift_by_a_few_levels_as_compression_makes_it(
    still: Picture,
) -> None:
    marker = np.s_[60:140, 60:140]
    before, drifted, sheet = still.copy(), still.copy(), still.copy()
    before[marker] = 3
    drifted[marker] = (5.5, 3, 2)
    sheet[marker] = (20, 8, 3)  # dark blue paper on it: another thing
    reference = shrink(noisy(before, 0.0)).logs
    assert not difference(shrink(noisy(drifted, 0.0)), reference).mask.any()
    assert difference(shrink(noisy(sheet, 0.0)), reference).mask.any()


def test_specks_are_told_from_parts() -> None:
    mask = np.zeros((40, 40), np.bool_)
    mask[2, 2] = True
    mask[10:20, 10:20] = True
    specks, parts = without_specks(mask)
    assert specks.sum() == 1
    assert parts.sum() == 100
