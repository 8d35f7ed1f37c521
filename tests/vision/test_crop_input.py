"""Crops of dice as the small networks take them."""

from __future__ import annotations

import numpy as np

from vision.crop_input import as_input, as_input_by_die


def test_dim_light_does_not_change_the_networks_input() -> None:
    crop = np.random.default_rng(1).integers(60, 200, (64, 64, 3)).astype(np.uint8)
    bright, dim = as_input([crop])[0], as_input([(crop * 0.6).astype(np.uint8)])[0]
    assert bright.shape == (3, 64, 64)
    assert np.abs(bright - dim).mean() < 0.12


def test_red_comes_first() -> None:
    crop = np.zeros((8, 8, 3), np.uint8)
    crop[..., 2] = 255
    red, green, blue = as_input([crop])[0]
    assert red.min() > 0 > green.max() == blue.max()


def test_dark_pips_on_a_dark_die_stand_out_however_bright_the_table_is() -> None:
    white, black = (np.full((64, 64, 3), table, np.uint8) for table in (230, 10))
    for crop, die, pip in ((white, 40, 10), (black, 215, 95)):
        crop[8:56, 8:56] = die
        crop[28:36, 28:36] = pip
    by_die = as_input_by_die([white, black], 0.6)
    contrast = np.abs(by_die[:, 0, 32, 32] - by_die[:, 0, 20, 20])
    assert contrast.min() > 1.5
    assert np.ptp(as_input([white])[0, 0, 20:36, 20:36]) < 0.5
    assert np.abs(by_die).max() <= 4
