"""Films as phones make them: frames that come when they like, cropped, too bright, too dark, and out of focus."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from models.review_bench import compared
from tests.vision.reviews import CLIPS
from vision.film import Film
from vision.frames import Image
from vision.review import Review
from vision.review_folder import ReviewFolder, Wishes

av = pytest.importorskip("av", reason="Films with a changing frame rate are made with PyAV.")

EXPOSURES = ((3.0, 6.0, 0.7), (6.0, 9.0, 1.25), (12.0, 15.0, 0.6), (19.0, 22.0, 1.3))
"""From, to (s), and how much brighter."""
HUNTS = ((2.0, 3.2), (7.5, 8.5), (13.0, 14.5), (20.0, 21.0))
"""When the focus is lost and found again, s."""
MOST_BLUR_PX = 4.0
LOST_FRAMES = 0.3
JITTER_S = 0.012
TICKS = 1000
"""Of the film's clock in a second."""


def ugly(image: Image, time_s: float) -> Image:
    """A frame without its rim, as exposed and as sharp as at that moment."""
    height, width = image.shape[:2]
    image = image[height // 50 : height - height // 50, width // 16 : width - width // 16]
    image = image[: image.shape[0] // 2 * 2, : image.shape[1] // 2 * 2]
    for from_s, to_s, gain in EXPOSURES:
        if from_s <= time_s < to_s:
            image = np.asarray(cv2.convertScaleAbs(image, alpha=gain), np.uint8)
    for from_s, to_s in HUNTS:
        blur = MOST_BLUR_PX * math.sin(math.pi * (time_s - from_s) / (to_s - from_s))
        if from_s <= time_s < to_s and blur > 0.3:
            image = np.asarray(cv2.GaussianBlur(image, (0, 0), blur), np.uint8)
    return np.ascontiguousarray(image)


def frames(path: Path, lost: float = LOST_FRAMES) -> Iterator[tuple[float, Image]]:
    """Most of a film's frames, at times that waver."""
    rng = np.random.default_rng(0)
    with av.open(str(path)) as film:
        for number, frame in enumerate(film.decode(video=0)):
            if number and rng.random() < lost:
                continue
            wavers = float(rng.uniform(-JITTER_S, JITTER_S)) if number else 0.0
            yield float(frame.time) + wavers, frame.to_ndarray(format="bgr24")


def write(path: Path, shown: Iterator[tuple[float, Image]]) -> None:
    with av.open(str(path), "w") as film:
        stream = None
        for time_s, image in shown:
            if stream is None:
                stream = film.add_stream("libx264", rate=30, options={"preset": "veryfast"})
                stream.height, stream.width = image.shape[:2]
                stream.codec_context.time_base = Fraction(1, TICKS)
            frame = av.VideoFrame.from_ndarray(image, format="bgr24")
            frame.pts, frame.time_base = round(time_s * TICKS), Fraction(1, TICKS)
            film.mux(stream.encode(frame))
        assert stream is not None
        film.mux(stream.encode(None))


def reviewed(film: Path, folder: Path) -> dict[str, Any]:
    """What is told of a film of the clip: every turn, and one question, about what was before it."""
    found = Review(Film([film]), ReviewFolder(folder), Wishes()).run()
    truth = json.loads((CLIPS / "pushes.json").read_text(encoding="utf-8"))
    result = compared("ugly", "", truth, found)
    assert result.exact, result.pairs
    assert result.judged
    assert [doubt["t0_s"] for doubt in found["unsure"]] == [0.0]
    return found


@pytest.mark.slow
def test_a_changing_frame_rate_a_crop_and_jumps_of_exposure_and_focus_change_no_turn(
    tmp_path: Path,
) -> None:
    shown = ((time_s, ugly(image, time_s)) for time_s, image in frames(CLIPS / "pushes.mp4"))
    write(tmp_path / "ugly.mp4", shown)
    reviewed(tmp_path / "ugly.mp4", tmp_path / "review")
    gaps = np.diff(ReviewFolder(tmp_path / "review").read_times())
    assert gaps.max() > 2 * np.median(gaps)  # so it was a changing rate


@pytest.mark.slow
def test_a_film_on_its_side_tells_the_same_turns(tmp_path: Path) -> None:
    shown = (
        (time_s, np.asarray(cv2.rotate(image, cv2.ROTATE_90_CLOCKWISE), np.uint8))
        for time_s, image in frames(CLIPS / "pushes.mp4", lost=0.0)
    )
    write(tmp_path / "portrait.mp4", shown)
    found = reviewed(tmp_path / "portrait.mp4", tmp_path / "review")
    assert found["size"][0] < found["size"][1]
    assert [player["colour"] for player in found["players"]] == ["red", "blue"]
