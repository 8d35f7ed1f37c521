"""The videos that phones make: HEVC, AV1, changing frame rates, lying on their side."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

import vision.av_video
from vision.frames import SourceError
from vision.sources import open_source

TIMES_MS = [0, 40, 80, 200, 210, 500, 1500]


@contextmanager
def as_scheduled() -> Iterator[None]:
    """SVT-AV1 gives whoever encodes with it, as root, the highest real-time priority, and does not take it back:
    the tests that follow would leave nothing of the machine to the browser."""
    if not hasattr(os, "sched_getscheduler"):  # only Linux has it
        yield
        return
    before = os.sched_getscheduler(0), os.sched_getparam(0)
    try:
        yield
    finally:
        os.sched_setscheduler(0, *before)


def write(path: Path, codec: str, times_ms: list[int] = TIMES_MS) -> Path:
    """A video whose pictures are 128x96, red on the left, brighter with each picture, at these times."""
    with as_scheduled(), av.open(str(path), "w") as file:
        stream = file.add_stream(codec, rate=30)
        stream.width, stream.height, stream.pix_fmt = 128, 96, "yuv420p"
        stream.time_base = stream.codec_context.time_base = Fraction(1, 1000)
        for number, time_ms in enumerate(times_ms):
            picture = np.full((96, 128, 3), 30 + 25 * number, np.uint8)
            picture[:, :64, 2] = 255
            frame = av.VideoFrame.from_ndarray(picture, format="bgr24")
            frame.pts, frame.time_base = time_ms, Fraction(1, 1000)
            file.mux(stream.encode(frame))
        file.mux(stream.encode())
    return path


def turned(path: Path) -> Path:
    """The same file with a phone's note "turn by a quarter to the right": the matrix in its track header."""
    data = path.read_bytes()
    upright = bytes.fromhex(
        "00010000 00000000 00000000 00000000 00010000 00000000 00000000 00000000 40000000"
    )
    quarter = bytes.fromhex(
        "00000000 00010000 00000000 ffff0000 00000000 00000000 00600000 00000000 40000000"
    )
    at = data.index(b"tkhd")
    matrix = data.index(upright, at)
    path.write_bytes(data[:matrix] + quarter + data[matrix + len(upright) :])
    return path


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has these priorities")
def test_writing_such_videos_leaves_the_process_its_priority(tmp_path: Path) -> None:
    write(tmp_path / "game.mp4", "libsvtav1")
    threads = [int(task.name) for task in Path("/proc/self/task").iterdir()]
    assert {os.sched_getscheduler(thread) for thread in threads} == {os.SCHED_OTHER}


@pytest.mark.parametrize("codec", ["libx264", "libx265", "libsvtav1"])
def test_a_video_keeps_its_true_times_at_a_changing_rate(tmp_path: Path, codec: str) -> None:
    with open_source(str(write(tmp_path / "game.mp4", codec))) as source:
        frames = list(source)
    assert np.allclose([frame.time_s * 1000 for frame in frames], TIMES_MS, atol=1.5)
    brightness = [frame.image[:, 100:, 0].mean() for frame in frames]
    assert brightness == sorted(brightness)


@pytest.mark.parametrize("codec", ["libx264", "libsvtav1"])
def test_a_phone_held_upright_gives_upright_pictures(tmp_path: Path, codec: str) -> None:
    with open_source(str(turned(write(tmp_path / "game.mp4", codec)))) as source:
        frame = next(iter(source))
    assert frame.image.shape == (128, 96, 3)
    red = frame.image[..., 2].astype(int) - frame.image[..., 0]
    # Turned to the right, the left half has come to the top.
    assert red[:60].mean() > 100 > 20 > abs(red[68:].mean())


def test_without_pyav_a_video_that_gives_nothing_is_said_plainly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "game.mp4", "libsvtav1")
    monkeypatch.setattr(vision.av_video, "available", lambda: False)
    with pytest.raises(SourceError, match=r"game\.mp4: no picture of this video.*\[video\]"):
        open_source(str(path))


def test_a_cut_off_av1_video_ends_where_it_was_cut(tmp_path: Path) -> None:
    path = write(tmp_path / "game.mkv", "libsvtav1")
    path.write_bytes(path.read_bytes()[:-200])
    with open_source(str(path)) as source:
        frames = list(source)
    assert 1 <= len(frames) <= len(TIMES_MS)


def test_a_file_without_video_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "noise.mp4").write_bytes(b"\0\0\0\x18ftypmp42 nothing else")
    with pytest.raises(SourceError, match=r"noise\.mp4: "):
        open_source(str(tmp_path / "noise.mp4"))
