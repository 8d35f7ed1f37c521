"""How much of the processor reading a table takes, against one pass of stock YOLO11n: part of `make bench`.

Both run on one thread, and processor time is counted, so that other programs beside do not matter much.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.train import quiet_ultralytics
from vision.colours import ColourNamer
from vision.find import DiceFinder

SAMPLE = Path(__file__).parents[2] / "webui" / "samples" / "demo-table.jpg"
MOST_OF_STOCK = 1.5
SIDE_PX = 640
TURNS = 9


def milliseconds(work: Callable[[], object]) -> float:
    """Processor time of a piece of work: the middle of some turns, after one to warm up."""
    work()
    took = []
    for _ in range(TURNS):
        begun = time.process_time()
        work()
        took.append(time.process_time() - begun)
    return 1000 * statistics.median(took)


@pytest.fixture(scope="module")
def stock(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], object]:
    """One pass of stock YOLO11n at 640 px in ONNX Runtime; untrained weights cost what trained ones do."""
    import onnxruntime

    folder = tmp_path_factory.mktemp("stock")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        quiet_ultralytics(folder)
        from ultralytics import YOLO

        made = YOLO("yolo11n.yaml", task="detect").export(format="onnx", imgsz=SIDE_PX)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(
        str(folder / made), options, providers=["CPUExecutionProvider"]
    )
    picture = np.random.default_rng(0).random((1, 3, SIDE_PX, SIDE_PX), np.float32)
    name = session.get_inputs()[0].name
    return lambda: session.run(None, {name: picture})


def test_a_whole_table_is_read_in_one_and_a_half_passes_of_stock_yolo11n(
    stock: Callable[[], object], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("vision.networks.THREADS", 1)
    picture = np.asarray(cv2.imread(str(SAMPLE)), np.uint8)
    assert picture.shape == (720, 1280, 3)
    finder, namer = DiceFinder(), ColourNamer()

    def read() -> int:
        """Detect, face and colour; where the mat is, a watched table looks seldom."""
        dice = finder.find(picture)
        return len(namer.name(picture, [die.box for die in dice]))

    assert read() == 24
    ours, theirs = milliseconds(read), milliseconds(stock)
    with capsys.disabled():
        print(
            f"\nwhole read of 24 dice at 1280x720: {ours:.0f} ms; stock YOLO11n at {SIDE_PX} px: {theirs:.0f} ms; "
            f"ratio {ours / theirs:.2f} (at most {MOST_OF_STOCK})"
        )
    assert ours <= MOST_OF_STOCK * theirs
