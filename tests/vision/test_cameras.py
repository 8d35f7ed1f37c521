"""Cameras are named, found again by what they are, and never exchanged for others."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

import vision.sources as sources
from vision.cameras import Camera, find_again, wanted_camera, why_not
from vision.frames import Image, SourceError
from vision.live_source import LiveSource

DESK = Camera(0, "C920 HD Webcam", "046d:082d", "usb-0:1", "")
LID = Camera(2, "Integrated Camera", "04f2:b6dd", "usb-0:8", "")
TWIN = Camera(4, "C920 HD Webcam", "046d:082d", "usb-0:2", "")


@pytest.mark.parametrize(
    ("spec", "found"),
    [
        ("0", DESK),
        ("2", LID),
        ("C920 HD Webcam", DESK),
        ("integrated", LID),  # a part of the name, in any case
        ("7", None),  # some systems cannot list what they can open
    ],
)
def test_a_camera_is_named_by_number_or_name(spec: str, found: Camera | None) -> None:
    assert wanted_camera(spec, [DESK, LID]) == found


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("BRIO", r"no camera is called so; plugged in: 0 \(C920 HD Webcam\), 2"),
        ("c920", r"several cameras are called so; give one's number: 0 \(C920 .*4 \(C920"),
    ],
)
def test_a_name_that_fits_none_or_several_is_answered_with_the_list(spec: str, says: str) -> None:
    with pytest.raises(SourceError, match=says):
        wanted_camera(spec, [DESK, LID, TWIN])


@pytest.mark.parametrize(
    ("now", "found"),
    [
        ([replace(DESK, number=3), LID], 3),  # the same socket, another number
        ([replace(DESK, number=1, socket="usb-0:5")], 1),  # moved to another socket, the only one
        ([replace(TWIN, number=0)], 0),  # cannot be told from the lost one, but there is no other
        ([LID], None),  # another model in its place is never taken
        ([TWIN, replace(TWIN, number=6, socket="usb-0:3")], None),  # it could be either
        ([TWIN, DESK], 0),  # twins: the one in the same socket
        ([], None),
    ],
)
def test_a_lost_camera_is_found_again_and_never_exchanged(
    now: list[Camera], found: int | None
) -> None:
    again = find_again(DESK, now)
    assert (None if again is None else again.number) == found


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (PermissionError(13, "Permission denied"), "may not be used by you"),
        (FileNotFoundError(2, "No such file"), "is not plugged in"),
        (OSError(16, "Device or resource busy"), r"\(Device or resource busy\); close the other"),
    ],
)
def test_why_a_device_cannot_be_opened_is_said(
    monkeypatch: pytest.MonkeyPatch, error: OSError, says: str
) -> None:
    def refuse(*_: object) -> int:
        raise error

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(AssertionError, match=says):
        raise AssertionError(why_not(replace(DESK, path="/dev/video0")))


def test_a_device_that_can_be_opened_has_no_trouble(tmp_path: Path) -> None:
    assert why_not(DESK) is None  # no device file is known
    file = tmp_path / "video0"
    file.write_bytes(b"")
    assert why_not(replace(DESK, path=str(file))) is None


# ---- the whole source, on a made-up bus


class Bus:
    """Cameras that can be plugged in and pulled out; each shows its own shade of grey."""

    def __init__(self, *plugged: Camera) -> None:
        self.plugged = list(plugged)
        self.opened: list[int] = []
        self.busy = False

    def cameras(self) -> list[Camera]:
        return list(self.plugged)

    def open(self, number: int, _: int = 0) -> Device:
        self.opened.append(number)
        return Device(self, number)


class Device:
    def __init__(self, bus: Bus, number: int) -> None:
        self._bus, self._number = bus, number
        self._camera = next((c for c in bus.plugged if c.number == number), None)

    def isOpened(self) -> bool:
        return self._camera in self._bus.plugged

    def read(self) -> tuple[bool, Image | None]:
        time.sleep(0.002)
        if self._bus.busy or not self.isOpened():
            return False, None
        return True, np.full((4, 6, 3), 10 * self._number + 5, np.uint8)

    def get(self, _: int, /) -> float:
        return 0.0

    def set(self, *_: float) -> bool:
        return False

    def release(self) -> None:
        return


def opened(bus: Bus, spec: str, monkeypatch: pytest.MonkeyPatch) -> LiveSource:
    monkeypatch.setattr(sources, "_quietly", bus.open)
    monkeypatch.setattr(sources, "FIRST_PICTURE_S", 1.0)
    quick = lambda *args: LiveSource(*args, stall_s=0.1, retry_s=(0.01, 0.02))  # noqa: E731
    monkeypatch.setattr(sources, "LiveSource", quick)
    source = sources._open_camera(spec, bus.cameras)
    assert isinstance(source, LiveSource)
    return source


def until(true: Callable[[], bool], seconds: float = 5.0) -> bool:
    end = time.monotonic() + seconds
    while not true() and time.monotonic() < end:
        time.sleep(0.005)
    return true()


def test_an_unplugged_camera_is_lost_and_found_again_under_another_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bus = Bus(DESK, LID)
    with opened(bus, "C920", monkeypatch) as source:
        assert source.status().state == "live"
        bus.plugged = [replace(LID, number=0)]  # pulled out, and the other one takes its number
        assert until(lambda: source.status().state == "lost")
        assert "is not plugged in; plug it in again" in source.status().says
        shown = source.newest()
        assert shown is not None
        time.sleep(0.1)
        assert source.newest() is shown, "no picture of another camera"
        bus.plugged = [replace(LID, number=0), replace(DESK, number=3)]
        assert until(lambda: source.status().state == "live")
        newest = source.newest()
        assert newest is not None
        assert newest.image[0, 0, 0] == 35
        assert set(bus.opened) == {0, 3}


def test_a_camera_that_another_program_uses_is_said_and_taken_once_it_is_free(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bus = Bus(DESK)
    bus.busy = True
    with pytest.raises(SourceError, match="no other program uses it"):
        opened(bus, "0", monkeypatch)
    bus.busy = False
    with opened(bus, "0", monkeypatch) as source:
        assert source.status().says == "Camera 0 (C920 HD Webcam) is live."


def test_a_camera_that_may_not_be_used_is_said_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "why_not", lambda camera: f"Camera {camera.name} may not be used.")
    with pytest.raises(SourceError, match=r"^Camera C920 HD Webcam may not be used\.$"):
        opened(Bus(DESK), "0", monkeypatch)


def test_what_a_camera_gives_is_told_as_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(Bus(DESK), "0", monkeypatch) as source:
        assert until(lambda: (got := source.got()) is not None and got.fps is not None)
        got = source.got()
        assert got is not None
        assert (got.width, got.height) == (6, 4)
        assert got.fps is not None
        assert 10 < got.fps < 600
        dropped = got.dropped
        assert until(lambda: (later := source.got()) is not None and later.dropped > dropped), (
            "pictures that nobody looks at are counted"
        )


def test_mjpeg_and_720p_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[float, float] = {}
    monkeypatch.setattr(Device, "set", lambda _, prop, value: asked.update({prop: value}))
    with opened(Bus(DESK), "0", monkeypatch):
        pass
    assert asked[cv2.CAP_PROP_FOURCC] == cv2.VideoWriter.fourcc(*"MJPG")
    assert (asked[cv2.CAP_PROP_FRAME_WIDTH], asked[cv2.CAP_PROP_FRAME_HEIGHT]) == (1280, 720)
