"""Training tiles: the truth moves with the pixels."""

import cv2
import numpy as np
import pytest

from datasets.tiles import DIE_PX, TILE_PX, cut_tile, paint_out, relit, spoil


def picture_with_squares() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A dark picture with white squares as dice, boxes (N, 4) px and faces (N,)."""
    image = np.full((600, 800, 3), 20, np.uint8)
    boxes = np.array([[100, 100, 160, 160], [400, 300, 460, 360], [640, 420, 700, 480]], np.float32)
    for x0, y0, x1, y1 in boxes.astype(int):
        cv2.rectangle(image, (x0, y0), (x1 - 1, y1 - 1), (255, 255, 255), -1)
    return image, boxes, np.array([1, 3, 6])


def test_every_box_of_a_tile_holds_its_die_and_no_die_is_unlabelled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for change in ("spoil", "relit"):  # only the cutting is looked at
        monkeypatch.setattr(f"datasets.tiles.{change}", lambda tile, _: tile)
    image, boxes, faces = picture_with_squares()
    seen = 0
    for seed in range(60):
        tile = cut_tile(image, boxes, faces, np.random.default_rng(seed))
        assert tile.image.shape == (TILE_PX, TILE_PX, 3)
        white = tile.image.min(2) > 200
        labelled = np.zeros_like(white)
        for x0, y0, x1, y1 in tile.boxes:
            inside = white[round(y0) + 2 : round(y1) - 2, round(x0) + 2 : round(x1) - 2]
            assert inside.mean() > 0.85
            labelled[max(0, int(y0) - 4) : int(y1) + 5, max(0, int(x0) - 4) : int(x1) + 5] = True
            seen += 1
        assert not (white & ~labelled).any()
    assert seen > 40


def test_tiles_show_dice_in_the_sizes_that_inference_sees() -> None:
    image, boxes, faces = picture_with_squares()
    sizes = []
    for seed in range(200):
        tile = cut_tile(image, boxes, faces, np.random.default_rng(seed))
        whole = tile.boxes[(tile.boxes > 0).all(1) & (tile.boxes < TILE_PX).all(1)]
        sizes += list(np.sqrt(np.prod(whole[:, 2:] - whole[:, :2], axis=1)))
    assert min(sizes) > DIE_PX[0] * 0.9
    assert max(sizes) < DIE_PX[1] * 1.1
    # Spread over the whole range; whole dice in the tile are rather the smaller ones.
    assert np.percentile(sizes, 10) < 25
    assert np.percentile(sizes, 90) > 70


def test_label_lines_are_yolo_lines() -> None:
    image, boxes, faces = picture_with_squares()
    tile = cut_tile(image, boxes, faces, np.random.default_rng(3), empty_share=0)
    lines = tile.label_lines().splitlines()
    assert len(lines) == len(tile.faces) > 0
    klass, *numbers = lines[0].split()
    assert int(klass) + 1 == tile.faces[0]
    assert all(0 <= float(number) <= 1 for number in numbers)


def test_a_spoiled_picture_keeps_its_shape_and_most_of_its_content() -> None:
    image, _, _ = picture_with_squares()
    changed = 0
    for seed in range(30):
        spoiled = spoil(image, np.random.default_rng(seed))
        assert spoiled.shape == image.shape
        assert spoiled.dtype == np.uint8
        assert np.corrcoef(spoiled.ravel(), image.ravel())[0, 1] > 0.8
        changed += not np.array_equal(spoiled, image)
    assert 15 < changed <= 30


@pytest.mark.parametrize("coarse", [1.0, 4.0])  # of many dice, and of one
def test_other_light_leaves_what_is_there_and_makes_some_of_it_darker(coarse: float) -> None:
    image = np.full((TILE_PX, TILE_PX, 3), 120, np.uint8)
    image[::2] = 180  # stripes that must stay in sight
    left, uneven = 0, 0
    for seed in range(60):
        lit = relit(image, np.random.default_rng(seed), coarse)
        assert (lit.shape, lit.dtype) == (image.shape, np.uint8)
        if np.array_equal(lit, image):
            left += 1
            continue
        assert (lit[::2].astype(int) >= lit[1::2]).mean() > 0.95
        rows = lit[::2].mean(2)
        uneven += rows.max() > 1.5 * rows.min()
    assert 20 < left < 40, "half of the pictures stay as they are"
    assert uneven > 10, "shadows and beams make some of them uneven"


def test_what_cannot_be_taught_is_painted_in_the_colour_around_it() -> None:
    picture = np.full((40, 40, 3), 90, np.uint8)
    picture[10:20, 12:30] = 255
    out = paint_out(picture, np.array([[12, 10, 30, 20], [-9, -9, -1, -1]], np.float32))
    assert (out == 90).all()
    assert (picture[10:20, 12:30] == 255).all(), "the picture that came in is left alone"
