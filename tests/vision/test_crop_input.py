"""Crops of dice as the small networks take them."""

from __future__ import annotations

import numpy as np

from vision.crop_input import as_input


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
