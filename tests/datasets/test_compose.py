"""Drawn tables: the same every time, with truth that fits the picture."""

import json
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.compose import draw, render, view_of
from datasets.real import read_labels
from datasets.sample import make_sample
from datasets.scenes import Camera, big_roll_scene, lawn_scene, random_scene
from datasets.table_files import RenderError


def test_the_same_seed_draws_the_same_table() -> None:
    scene = random_scene(4)
    assert scene == random_scene(4)
    first, second = draw(scene, 320, 180), draw(scene, 320, 180)
    assert np.array_equal(first.image, second.image)
    assert first.dice == second.dice


def test_boxes_lie_in_the_picture_and_are_not_empty() -> None:
    for seed in range(3):
        for die in draw(random_scene(seed), 640, 360).dice:
            x0, y0, x1, y1 = die.box
            assert 0 <= x0 < x1 <= 640
            assert 0 <= y0 < y1 <= 360
            assert 0.6 <= die.visible <= 1


def test_a_die_changes_the_pixels_of_its_box_and_not_those_far_from_it() -> None:
    scene = big_roll_scene(112, players=3, calm=True)
    empty = draw(type(scene)(**{**scene.__dict__, "dice": ()}), 640, 360, clean=True)
    table = draw(scene, 640, 360, clean=True)
    changed = np.abs(table.image.astype(int) - empty.image.astype(int)).max(2) > 25
    near = np.zeros_like(changed)
    for die in table.dice:
        x0, y0, x1, y1 = (round(v) for v in die.box)
        assert changed[y0:y1, x0:x1].mean() > 0.5
        near[max(0, y0 - 25) : y1 + 25, max(0, x0 - 25) : x1 + 25] = True
    assert changed[~near].mean() < 0.001


def test_a_big_roll_has_eight_dice_of_each_colour() -> None:
    for seed in range(20):  # rule 3:1.A
        dice = big_roll_scene(seed).dice
        assert set(Counter(die.style.colour for die in dice).values()) == {8}


def test_dice_on_the_lawn_lie_on_the_row_of_their_face() -> None:
    for seed in range(20):  # rule 4:3.A
        for die in lawn_scene(seed).dice:
            row = 3.5 - die.y_mm / 26.0
            if abs(die.x_mm) < 50 and abs(die.y_mm) < 80:
                assert abs(row - die.face) < 0.5


def test_the_homography_agrees_with_the_projection_of_table_points() -> None:
    view = view_of(Camera(500.0, 0.4, 0.7, 0.1, 1.0, (20.0, -10.0)), 1280, 720)
    points = np.array([[0, 0, 0], [100, 50, 0], [-80, 60, 0], [20, -10, 0.0]])
    flat = np.column_stack([points[:, :2], np.ones(4)]) @ view.homography().T
    assert np.allclose(flat[:, :2] / flat[:, 2:], view.project(points))
    assert np.allclose(view.project(points)[3], (640, 360))  # what the camera looks at


def test_a_cut_off_render_goes_on_and_ends_with_the_same_files(tmp_path: Path) -> None:
    assert render(3, 7, tmp_path) == 3
    kept = {path: path.read_bytes() for path in tmp_path.rglob("*.*")}
    (tmp_path / "truth" / "table-0000008.json").unlink()  # as if it had been cut off there
    assert render(3, 7, tmp_path) == 1
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.*")} == kept


def test_labels_and_truth_say_the_same(tmp_path: Path) -> None:
    render(1, 2, tmp_path)
    truth = json.loads((tmp_path / "truth" / "table-0000002.json").read_text())["dice"]
    boxes, faces = read_labels(tmp_path / "labels" / "table-0000002.txt")
    assert [die["face"] for die in truth] == faces.tolist()
    scaled = boxes * np.array([1280, 720, 1280, 720])
    assert np.allclose([die["box"] for die in truth], scaled, atol=0.1)


def test_an_unwritable_folder_is_said_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(RenderError, match="cannot be made"):
        render(1, 0, tmp_path / "file" / "below")


def test_the_shipped_sample_is_what_the_generator_makes(tmp_path: Path) -> None:
    made = make_sample(tmp_path)
    shipped = Path(__file__).parents[2] / "webui" / "samples" / "demo-table.jpg"
    ours, theirs = cv2.imread(str(made)).astype(int), cv2.imread(str(shipped)).astype(int)
    assert np.abs(ours - theirs).mean() < 0.5  # JPEG libraries may differ in the last bit
    assert json.loads((tmp_path / "demo-table.json").read_text()) == json.loads(
        shipped.with_suffix(".json").read_text()
    )
