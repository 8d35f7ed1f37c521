"""A phone sends its pictures here: they are taken, timed, and missed when they stop."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.frames import SourceError
from vision.pushed_source import PushedSource


def jpeg(shade: int, width: int = 64, height: int = 48) -> bytes:
    encoded, data = cv2.imencode(".jpg", np.full((height, width, 3), shade, np.uint8))
    assert encoded
    return data.tobytes()


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_pictures_come_with_their_times_and_the_newest_counts() -> None:
    clock = Clock()
    with PushedSource("the phone", "Open the page.", clock) as source:
        assert source.newest() is None
        assert source.status().says == "Open the page."
        clock.now = 101.5
        source.push(jpeg(50))
        clock.now = 101.9
        source.push(jpeg(200))
        newest = source.newest()
        assert newest is not None
        assert (newest.index, round(newest.time_s, 3)) == (1, 1.9)
        assert abs(float(newest.image.mean()) - 200) < 3
        assert source.status().state == "live"


def test_a_phone_that_falls_asleep_is_lost_and_its_last_picture_is_not_new() -> None:
    clock = Clock()
    with PushedSource("the phone", clock=clock) as source:
        source.push(jpeg(50))
        clock.now += 2.5
        assert source.status().state == "lost"
        assert "wake it up" in source.status().says
        assert source.wait_newer(0, 0.01) is None
        source.push(jpeg(60))
        assert source.status().state == "live"


@pytest.mark.parametrize("data", [b"", b"x", b"no picture at all", jpeg(9)[:40]])
def test_what_is_no_picture_is_refused_and_changes_nothing(data: bytes) -> None:
    with PushedSource("the phone") as source:
        source.push(jpeg(50))
        with pytest.raises(SourceError, match="no picture that can be used"):
            source.push(data)
        newest = source.newest()
        assert newest is not None
        assert newest.index == 0


def test_a_picture_of_a_monstrous_size_is_refused() -> None:
    huge = np.zeros((8000, 8000, 3), np.uint8)
    with PushedSource("the phone") as source, pytest.raises(SourceError):
        source.push(cv2.imencode(".jpg", huge)[1].tobytes())
