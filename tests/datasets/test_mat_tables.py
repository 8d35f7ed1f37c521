"""Drawn tables on our mat: their truth is what the picture shows."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.mat_tables import (
    SMALL,
    MatShot,
    draw_shot,
    faint_shot,
    random_shot,
    render_mats,
    write_mat_table,
)
from datasets.scenes import FAINT, brightness, faint_style
from engine.table import LawnPlace
from vision.markers import find_markers


def test_markers_corners_and_boxes_lie_where_the_truth_says() -> None:
    table = draw_shot(MatShot(elevation=50, turn=30, dice=10, cover=2, seed=4))
    seen = find_markers(table.image)
    assert set(seen) < set(table.layout.markers)
    assert len(seen) in (2, 3)  # one that a die reaches into counts as hidden and may yet be seen
    assert 8 <= len(table.dice) <= 10
    for die in table.dice:
        assert die.place == table.layout.place_of(die.xy_mm)[0]
        x0, y0, x1, y1 = die.box
        x, y = table.layout.lawn.centre
        on_table = [[die.xy_mm[0] - x, y - die.xy_mm[1], die.edge_mm / 2]]
        ((u, v),) = table.view.project(np.array(on_table))
        assert x0 < u < x1
        assert y0 < v < y1
    assert any(isinstance(die.place, LawnPlace) for die in table.dice)


def test_a_mirrored_table_is_the_same_one_flipped() -> None:
    shot = MatShot(dice=4, seed=5)
    plain, flipped = draw_shot(shot), draw_shot(MatShot(dice=4, seed=5, mirrored=True))
    assert np.array_equal(flipped.image, plain.image[:, ::-1])
    assert [die.xy_mm for die in flipped.dice] == [die.xy_mm for die in plain.dice]
    assert flipped.corners[0][0] == pytest.approx(1280 - plain.corners[0][0])
    assert flipped.dice[0].box[0] == pytest.approx(1280 - plain.dice[0].box[2])


def test_a_table_is_written_with_all_that_is_true_of_it(tmp_path: Path) -> None:
    table = draw_shot(MatShot(dice=3, seed=6))
    write_mat_table(table, tmp_path, "one")
    assert cv2.imread(str(tmp_path / "images" / "one.jpg")).shape == (720, 1280, 3)
    assert len((tmp_path / "labels" / "one.txt").read_text().splitlines()) == len(table.dice)
    truth = json.loads((tmp_path / "truth" / "one.json").read_text())
    assert truth["mat"]["paper"] == "A4"
    assert len(truth["mat"]["corners"]) == 4
    assert set(truth["dice"][0]) == {"box", "face", "colour", "xy_mm", "place", "edge_mm"}


def test_random_shots_vary_and_repeat() -> None:
    shots = [random_shot(seed) for seed in range(40)]
    assert shots == [random_shot(seed) for seed in range(40)]
    assert {shot.paper for shot in shots} == {"A4", "Letter", "A3"}
    assert {shot.cover for shot in shots} == {0, 1, 2}
    assert min(shot.elevation for shot in shots) < 35 < 80 < max(shot.elevation for shot in shots)


def test_a_harsh_lamp_throws_darker_shadows_and_changes_nothing_else() -> None:
    shot = MatShot(dice=6, seed=6, elevation=80)
    soft, harsh = draw_shot(shot), draw_shot(replace(shot, harsh=True))
    assert harsh.dice == soft.dice
    assert np.array_equal(harsh.corners, soft.corners)
    darkest = [np.percentile(table.image.max(2) / table.image.max(), 5) for table in (soft, harsh)]
    assert darkest[1] < darkest[0]


def test_only_mats_of_one_print_can_be_asked_for(tmp_path: Path) -> None:
    first = next(seed for seed in range(100) if random_shot(seed).style == "ink-saving")
    assert first > 0
    assert render_mats(1, 0, tmp_path, "ink-saving") == 1
    assert [path.stem for path in (tmp_path / "images").iterdir()] == [f"mat-{first:07}"]


def test_dice_with_faint_pips_are_seen_from_above_and_their_pips_can_still_be_told() -> None:
    shots = [faint_shot(seed) for seed in range(40)]
    assert shots == [faint_shot(seed) for seed in range(40)]
    assert {size for _, size in shots} == {SMALL, (1280, 720)}
    assert all(shot.faint and 60 <= shot.elevation <= 90 for shot, _ in shots)
    assert all(size != SMALL for shot, size in shots if shot.paper == "A3")
    rng = np.random.default_rng(9)
    for colour in FAINT:
        for style in (faint_style(colour, rng, 16.0) for _ in range(20)):
            body, pips = brightness(np.array(style.body)), brightness(np.array(style.pips))
            assert 0.025 < abs(body - pips) < 0.41, (colour, style)


def test_a_small_picture_of_faint_pips_is_drawn_at_its_size() -> None:
    shot, _ = faint_shot(2)
    table = draw_shot(replace(shot, dice=4), SMALL)
    assert table.image.shape == (480, 854, 3)
    assert table.dice
