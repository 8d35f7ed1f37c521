"""Tables of pasted dice: the same every time, with truth that fits, and never of validation photographs."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.compose import render
from datasets.cutouts import CutOut
from datasets.paste import cut_outs, paste_table, render_pasted
from datasets.real import CollectionError, read_labels
from tests.datasets.test_real import collection


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two drawn tables to cut dice out of."""
    folder = tmp_path_factory.mktemp("made")
    render(2, 0, folder)
    return folder


@pytest.fixture(scope="module")
def pool(made: Path) -> list[CutOut]:
    return cut_outs(None, (made,), seed=0)


def in_magenta(cut: CutOut) -> CutOut:
    """The same cut-out in a colour that no table has."""
    bgra = cut.bgra.copy()
    bgra[..., :3] = (255, 0, 255)
    return CutOut(bgra, cut.face, cut.light)


def test_the_same_seed_pastes_the_same_table(pool: list[CutOut]) -> None:
    (first, dice), (second, again) = paste_table(5, pool), paste_table(5, pool)
    assert np.array_equal(first, second)
    assert dice == again
    assert not np.array_equal(first, paste_table(6, pool)[0])


def test_boxes_lie_in_the_picture_and_hold_what_was_pasted(pool: list[CutOut]) -> None:
    image, dice = paste_table(7, [in_magenta(cut) for cut in pool])
    assert dice
    blue, green, red = cv2.split(image.astype(int))
    pasted = (blue - green > 60) & (red - green > 60)
    inside = np.zeros(pasted.shape, bool)
    for die in dice:
        x0, y0, x1, y1 = die.box
        assert 0 <= x0 < x1 <= 1280
        assert 0 <= y0 < y1 <= 720
        assert 0 < die.visible <= 1
        inside[int(y0) : int(y1) + 1, int(x0) : int(x1) + 1] = True
    assert pasted[inside].mean() > 0.4
    assert pasted[~inside].mean() < 0.01


def test_labels_and_truth_are_written_and_whole_tables_kept(made: Path, tmp_path: Path) -> None:
    assert render_pasted(2, 0, tmp_path, None, (made,)) == 2
    truth = json.loads((tmp_path / "truth" / "pasted-0000000.json").read_text("utf-8"))
    boxes, faces = read_labels(tmp_path / "labels" / "pasted-0000000.txt")
    assert [die["face"] for die in truth["dice"]] == faces.tolist()
    assert len(boxes) == len(truth["dice"]) > 0
    assert render_pasted(3, 0, tmp_path, None, (made,)) == 1


def test_dice_of_the_validation_split_are_never_cut_out(tmp_path: Path) -> None:
    root = collection(tmp_path, "3 0.5 0.5 0.4 0.4\n")
    picture = np.full((200, 200, 3), 60, np.uint8)
    cv2.rectangle(picture, (65, 65), (135, 135), (240, 240, 240), cv2.FILLED)
    cv2.imwrite(str(root / "desk" / "images" / "one.jpg"), picture)
    assert len(cut_outs(root, (), seed=0)) == 1
    (root / "split.csv").write_text("image,source,split\ndesk/images/one.jpg,desk,val\n")
    with pytest.raises(CollectionError, match="No dice to cut out"):
        cut_outs(root, (), seed=0)
