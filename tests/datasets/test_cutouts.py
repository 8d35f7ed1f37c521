"""Dice are cut out along their outline, and what is no die's outline is left."""

import cv2
import numpy as np
import pytest

from datasets.compose import draw
from datasets.cutouts import LEAST_PX, cut_out
from datasets.scenes import big_roll_scene


def test_dice_of_a_calm_table_are_cut_out_whole_and_without_the_table() -> None:
    table = draw(big_roll_scene(112, players=3, calm=True), clean=True)
    dice = [die for die in table.dice if min(die.box[2] - die.box[0], die.box[3] - die.box[1]) > 45]
    cuts = [cut_out(table.image, np.array(die.box, np.float32), die.face) for die in dice]
    found = [(die, cut) for die, cut in zip(dice, cuts, strict=True) if cut is not None]
    assert len(found) >= 0.5 * len(dice) > 6
    for die, cut in found:
        assert cut.face == die.face
        height, width = cut.bgra.shape[:2]
        # The truth's box is a little larger than the silhouette, the cut-out a pixel smaller.
        assert height == pytest.approx(die.box[3] - die.box[1], rel=0.25)
        assert width == pytest.approx(die.box[2] - die.box[0], rel=0.25)
        solid = cut.bgra[..., 3] > 200
        assert 0.4 < solid.mean() < 0.97  # a square on its corner fills half of its box
        assert solid[height // 2, width // 2]


def test_the_light_around_a_die_is_kept_with_it() -> None:
    picture = np.full((200, 200, 3), (60, 120, 180), np.uint8)
    cv2.rectangle(picture, (75, 75), (125, 125), (230, 230, 230), cv2.FILLED)
    cut = cut_out(picture, np.array([70, 70, 131, 131], np.float32), 3)
    assert cut is not None
    assert np.allclose(cut.light, (60, 120, 180), atol=2)
    assert np.allclose(cut.bgra[25, 25], (230, 230, 230, 255), atol=2)


@pytest.mark.parametrize(
    ("box", "why"),
    [
        ((70, 70, 70 + LEAST_PX - 1, 70 + LEAST_PX - 1), "too small"),
        ((0, 60, 60, 120), "at the picture's edge"),
        ((60, 60, 140, 140), "nothing there but the table"),
    ],
)
def test_what_is_not_a_whole_die_is_not_cut_out(box: tuple[int, int, int, int], why: str) -> None:
    picture = np.full((200, 200, 3), 90, np.uint8)
    assert cut_out(picture, np.array(box, np.float32), 1) is None, why
