"""Readings are compared die by die, and the programs that run the networks agree."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.agree import compare, installed_backends, unlike
from vision.detect import Detection
from vision.find import DiceFinder

SAMPLE = Path(__file__).parents[2] / "webui" / "samples" / "demo-table.jpg"
TWO = Detection((10, 10, 40, 40), 0.9, (0.01, 0.95, 0.01, 0.01, 0.01, 0.01))
SIX = Detection((60, 10, 90, 40), 0.9, (0.01, 0.01, 0.01, 0.01, 0.01, 0.95))


def test_the_order_of_dice_and_the_last_digits_are_no_difference() -> None:
    nearly = replace(TWO, box=(10.1, 10, 40, 39.9))
    assert unlike([TWO, SIX], [SIX, nearly]) == []


@pytest.mark.parametrize(
    ("theirs", "said"),
    [
        ([TWO], "see 1 and 2 dice"),
        ([TWO, replace(SIX, box=(160, 10, 190, 40))], "different places"),
        ([TWO, replace(SIX, box=(62, 10, 90, 40))], "box the die at 60, 10, 90, 40 differently"),
        ([TWO, replace(SIX, face_p=TWO.face_p)], "read the die at 60, 10, 90, 40 differently"),
        ([TWO, replace(SIX, face_p=(0.06, 0, 0, 0, 0, 0.94))], "not equally sure"),
    ],
)
def test_every_kind_of_difference_is_said(theirs: list[Detection], said: str) -> None:
    (only,) = unlike([TWO, SIX], theirs)
    assert said in only


def test_openvino_reads_what_onnx_runtime_reads() -> None:
    assert installed_backends() == ("onnxruntime", "openvino"), "the extra `test` brings both"
    picture = cv2.imread(str(SAMPLE))
    finders = [(name, DiceFinder(backend=name)) for name in installed_backends()]
    found = compare([("sample", np.asarray(picture, np.uint8))], finders)
    assert found.dice >= 16
    assert found.differences == ()
