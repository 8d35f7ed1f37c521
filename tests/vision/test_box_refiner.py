"""Boxes brought closer to their dice."""

from pathlib import Path

import numpy as np
import pytest

from datasets.mat_tables import MatShot, draw_shot
from vision.box_refiner import (
    CROP_PX,
    MOST,
    REACH,
    BoxRefiner,
    around,
    sizes_by_neighbours,
)
from vision.detect import shipped_weights
from vision.networks import ModelError

BOX = (500.0, 400.0, 540.0, 430.0)


@pytest.fixture(scope="module")
def refiner() -> BoxRefiner:
    return BoxRefiner(shipped_weights("box-refiner.onnx"))


@pytest.mark.parametrize("side", [12, 40, 300])  # enlarged, about as it is, and shrunk by area
@pytest.mark.parametrize("mirrored", [False, True])
def test_the_square_has_its_centre_in_the_middle(side: int, mirrored: bool) -> None:
    image = np.full((900, 1200, 3), 10, np.uint8)
    image[400 : 400 + side, 500 : 500 + side] = 250
    image[400 : 400 + side, 500 : 500 + side // 2] = 130  # its left half
    centre = np.array([500 + side / 2, 400 + side / 2])
    crop = around(image, centre, side * REACH, mirrored)
    assert crop.shape == (CROP_PX, CROP_PX, 3)
    middle = crop[CROP_PX // 2, :, 0].astype(float)
    halves = [middle[: CROP_PX // 2], middle[CROP_PX // 2 :]]
    lighter, darker = halves if mirrored else halves[::-1]
    wide = CROP_PX / REACH / 2
    assert (lighter - 10).sum() / 240 == pytest.approx(wide, abs=0.5)
    assert (darker - 10).sum() / 120 == pytest.approx(wide, abs=0.8)


def test_beyond_the_picture_its_edge_is_repeated() -> None:
    image = np.full((60, 80, 3), 77, np.uint8)
    assert (around(image, np.array([5.0, 5.0]), 50.0) == 77).all()


def test_neighbours_tell_a_dies_size_at_a_slant() -> None:
    rng = np.random.default_rng(2)
    middles = rng.uniform([100, 100], [1180, 620], (16, 2))
    sizes = 30 + 0.05 * middles[:, 1]  # nearer dice are larger
    half = sizes[:, None] / 2
    boxes = np.hstack([middles - half, middles + half])
    assert sizes_by_neighbours(boxes) == pytest.approx(sizes, rel=0.04)
    taken_in = boxes.copy()
    taken_in[3, 2:] += 0.35 * sizes[3]  # one box holds a shadow, too
    assert sizes_by_neighbours(taken_in)[3] == pytest.approx(sizes[3], rel=0.06)
    larger = boxes.copy()
    larger[5, 2:] += sizes[5]  # a die of another set
    assert sizes_by_neighbours(larger)[5] == pytest.approx(2 * sizes[5])
    assert sizes_by_neighbours(taken_in[3:4])[0] == pytest.approx(1.35 * sizes[3])


def test_wrong_boxes_come_closer_to_their_dice(refiner: BoxRefiner) -> None:
    table = draw_shot(MatShot(elevation=55, dice=16, seed=7300801, clean=False))
    true = np.array([die.box for die in table.dice])
    rng = np.random.default_rng(3)
    sizes = np.sqrt(np.prod(true[:, 2:] - true[:, :2], axis=1))
    wrong = true + rng.normal(0, 0.1, true.shape) * sizes[:, None]
    better = np.array(refiner.refined(table.image, [tuple(box) for box in wrong.tolist()]))
    before, after = (np.abs(boxes - true) / sizes[:, None] for boxes in (wrong, better))
    assert after.mean() < 0.5 * before.mean()
    assert after.mean() < 0.035  # half a millimetre of a die of 16 mm


def test_a_true_box_stays_where_it_is(refiner: BoxRefiner) -> None:
    table = draw_shot(MatShot(elevation=70, dice=12, seed=7300802, clean=False))
    true = [die.box for die in table.dice]
    moved = np.abs(np.array(refiner.refined(table.image, true)) - np.array(true))
    assert moved.max() < 0.12 * (true[0][2] - true[0][0])


def test_no_edge_is_moved_far_and_no_box_turned_inside_out(
    refiner: BoxRefiner, monkeypatch: pytest.MonkeyPatch
) -> None:
    image = np.zeros((720, 1280, 3), np.uint8)

    class Wild:
        edges = np.array([[-9.0, -9.0, 9.0, 9.0]], np.float32)

        def run(self, _: np.ndarray) -> np.ndarray:
            return self.edges

    wild = Wild()
    monkeypatch.setattr(refiner, "_network", wild)
    most = MOST * np.sqrt(40 * 30)
    assert refiner.refined(image, [BOX])[0] == pytest.approx(
        (500 - most, 400 - most, 540 + most, 430 + most)
    )
    wild.edges = -Wild.edges
    assert refiner.refined(image, [BOX]) == [BOX]


def test_what_is_moved_far_is_looked_at_once_more_from_there(
    refiner: BoxRefiner, monkeypatch: pytest.MonkeyPatch
) -> None:
    image = np.zeros((720, 1280, 3), np.uint8)
    boxes = [(100.0 * at, 300.0, 100.0 * at + 36, 336.0) for at in range(1, 6)]
    half = 0.5 / REACH  # of the square's side: a box as large as before
    asked: list[int] = []

    class Told:
        def run(self, crops: np.ndarray) -> np.ndarray:
            asked.append(len(crops))
            edges = np.tile(np.array([-half, -half, half, half], np.float32), (len(crops), 1))
            if len(asked) == 1:
                edges[2] += 0.3 / REACH  # the third die lies three tenths of its size off
            return edges

    monkeypatch.setattr(refiner, "_network", Told())
    better = refiner.refined(image, boxes)
    assert asked == [5, 1]
    assert better[2] == pytest.approx(np.add(boxes[2], 0.3 * 36))
    assert better[:2] + better[3:] == [pytest.approx(box) for box in boxes[:2] + boxes[3:]]


def test_no_dice_are_no_work(refiner: BoxRefiner) -> None:
    assert refiner.refined(np.zeros((9, 9, 3), np.uint8), []) == []


def test_foreign_weights_are_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "text.onnx").write_text("not a network")
    with pytest.raises(ModelError, match=r"text\.onnx: not a network"):
        BoxRefiner(tmp_path / "text.onnx")
