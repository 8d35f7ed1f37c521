"""Close-ups: the square around a die, whole and upright, and a network that reads it."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.closeup import CROP_PX, NO_DIE, CloseUpReader, close_up
from vision.detect import shipped_weights
from vision.networks import ModelError

SAMPLE = Path(__file__).parents[2] / "webui" / "samples" / "demo-table.jpg"


def with_square(side: int, at: tuple[int, int]) -> tuple[np.ndarray, tuple[float, ...]]:
    """A dark picture with one white square and the square's box."""
    image = np.full((900, 1200, 3), 10, np.uint8)
    x, y = at
    image[y : y + side, x : x + side] = 255
    return image, (float(x), float(y), float(x + side), float(y + side))


@pytest.mark.parametrize("side", [12, 40, 64, 300])  # enlarged, as it is, and shrunk by area
@pytest.mark.parametrize("at", [(0, 0), (500, 400), (880, 580)])  # also at the picture's edges
def test_the_die_fills_the_middle_of_its_close_up(side: int, at: tuple[int, int]) -> None:
    image, box = with_square(side, at)
    crop = close_up(image, box)
    assert crop.shape == (CROP_PX, CROP_PX, 3)
    rows, columns = np.nonzero(crop[..., 0] > 130)
    # Beyond the picture its edge is repeated, so only the sides within it end in the crop.
    if at == (500, 400):
        assert rows.min() == pytest.approx(columns.min(), abs=2)
        width = columns.max() - columns.min() + 1
        assert width == pytest.approx(CROP_PX / 1.1, abs=4)
    assert crop[CROP_PX // 2, CROP_PX // 2].min() > 200


def test_a_turned_close_up_turns_about_the_dies_middle() -> None:
    image, box = with_square(60, (500, 400))
    image[400:430, 500:530] = (0, 0, 255)  # the upper left quarter is red
    plain, turned = close_up(image, box), close_up(image, box, turn=np.pi / 2)
    quarter = CROP_PX // 4 + 2
    assert plain[quarter, quarter].tolist() == [0, 0, 255]
    corners = [turned[quarter, -quarter], turned[-quarter, quarter]]
    assert any(corner.tolist() == [0, 0, 255] for corner in corners)


def test_every_face_of_the_sample_is_read_from_close_up() -> None:
    reader = CloseUpReader(shipped_weights("face-closeup.onnx"))
    truth = json.loads(SAMPLE.with_suffix(".json").read_text())["dice"]
    image = np.asarray(cv2.imread(str(SAMPLE)), np.uint8)
    logits = reader.logits([close_up(image, tuple(die["box"])) for die in truth])
    assert logits.shape == (24, 7)
    assert (logits.argmax(1) + 1).tolist() == [die["face"] for die in truth]


def test_what_is_no_die_is_said_to_be_none() -> None:
    reader = CloseUpReader(shipped_weights("face-closeup.onnx"))
    knob = np.full((200, 200, 3), 225, np.uint8)
    cv2.circle(knob, (100, 100), 40, (110, 110, 110), -1, cv2.LINE_AA)
    table = np.asarray(cv2.imread(str(SAMPLE)), np.uint8)
    crops = [
        close_up(knob, (58.0, 58.0, 142.0, 142.0)),
        close_up(table, (60.0, 560.0, 120.0, 620.0)),
    ]
    assert reader.logits(crops).argmax(1).tolist() == [NO_DIE, NO_DIE]


class Sides:
    """A stand-in for the network: sure of even close-ups; of others, the brighter their left halves the more a 1."""

    def __init__(self) -> None:
        self.shown: list[int] = []

    def run(self, crops: np.ndarray) -> np.ndarray:
        self.shown.append(len(crops))
        logits = np.zeros((len(crops), NO_DIE + 1), np.float32)
        logits[:, 3] = np.where(np.ptp(crops, axis=(1, 2, 3)) < 0.1, 20, 0)
        logits[:, 0] = crops[..., : CROP_PX // 2].mean((1, 2, 3))
        return logits


def test_a_doubtful_close_up_is_read_as_in_the_mirror_and_a_clear_one_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    network = Sides()
    reader = CloseUpReader(shipped_weights("face-closeup.onnx"))
    monkeypatch.setattr(reader, "_network", network)
    doubtful, clear = (np.full((CROP_PX, CROP_PX, 3), 90, np.uint8) for _ in range(2))
    doubtful[:, : CROP_PX // 2] = 110
    there, clear_read, back = reader.logits([doubtful, clear, doubtful[:, ::-1]])
    assert network.shown == [3, 2]
    assert there == pytest.approx(back)
    assert clear_read.argmax() == 3
    assert reader.logits([clear])[0] == pytest.approx(clear_read)
    assert network.shown == [3, 2, 1]


def test_no_dice_are_no_work() -> None:
    assert CloseUpReader(shipped_weights("face-closeup.onnx")).logits([]).shape == (0, 7)


def test_foreign_weights_are_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "text.onnx").write_text("not a network")
    with pytest.raises(ModelError, match=r"text\.onnx: not a network"):
        CloseUpReader(tmp_path / "text.onnx")
    with pytest.raises(ModelError, match=r"gone\.onnx.*missing"):
        shipped_weights("gone.onnx")
