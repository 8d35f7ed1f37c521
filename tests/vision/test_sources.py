"""Sources: every kind of name opens, plays, ends, fails in one sentence and comes back."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.file_sources import FolderSource, VideoSource
from vision.frames import Image, Source
from vision.live_source import LiveSource
from vision.sources import (
    FIRST_PICTURE_S,
    SourceError,
    open_source,
    with_first_picture,
    without_password,
)


def grey(value: int) -> Image:
    return np.full((48, 64, 3), value, np.uint8)


def write_photo(path: Path, value: int) -> Path:
    assert cv2.imwrite(str(path), grey(value))
    return path


def write_video(path: Path, values: list[int], fps: float) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), fps, (64, 48))
    for value in values:
        writer.write(grey(value))
    writer.release()
    return path


def until(true: Callable[[], bool], seconds: float = 5.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if true():
            return True
        time.sleep(0.005)
    return true()


class Camera:
    """A device made of what it gives: pictures, None for a failed read, a callable to run first."""

    def __init__(self, *gives: Image | Callable[[], object] | None) -> None:
        self.gives = list(gives)
        self.released = False
        self.grabbed: Image | None = None

    def isOpened(self) -> bool:
        return True

    def grab(self) -> bool:
        read, self.grabbed = self.read()
        return read

    def retrieve(self) -> tuple[bool, Image | None]:
        return self.grabbed is not None, self.grabbed

    def set(self, prop: int, value: float, /) -> bool:  # noqa: ARG002
        return False

    def read(self) -> tuple[bool, Image | None]:
        while self.gives:
            given = self.gives.pop(0)
            if callable(given):
                given()
                continue
            return given is not None, given
        return False, None

    def get(self, prop: int, /) -> float:
        return 25.0 if prop == cv2.CAP_PROP_FPS else 0.0

    def release(self) -> None:
        self.released = True


def live(*cameras: Camera, stall_s: float = 0.1) -> LiveSource:
    """A live source that opens these devices one after the other, then none any more."""
    left = list(cameras)

    def open_next() -> Camera:
        return left.pop(0) if left else Camera()

    return LiveSource("camera 0", "camera", open_next, stall_s=stall_s, retry_s=(0.01, 0.04))


# ---- photos and folders


def test_a_photo_is_one_frame_that_stays(tmp_path: Path) -> None:
    with open_source(str(write_photo(tmp_path / "dice.png", 90))) as source:
        first = source.newest()
        assert first is not None
        assert (first.name, first.index, first.image[0, 0].tolist()) == ("dice.png", 0, [90] * 3)
        assert source.wait_newer(first.index, timeout_s=0.05) is None
        assert source.status().state == "still"
        assert not source.live
        assert [frame.name for frame in source] == ["dice.png"]


def test_photos_of_a_folder_come_in_natural_order_and_over_again(tmp_path: Path) -> None:
    for name, value in (("dice10.png", 100), ("dice2.png", 20), ("Dice1.png", 10)):
        write_photo(tmp_path / name, value)
    (tmp_path / "notes.txt").write_text("no photo")
    with FolderSource(tmp_path, photo_s=0.02) as source:
        assert [frame.name for frame in source] == ["Dice1.png", "dice2.png", "dice10.png"]
        shown: list[str] = []
        index = -1
        while len(shown) < 4:
            frame = source.wait_newer(index, timeout_s=5)
            assert frame is not None
            index = frame.index
            shown.append(frame.name)
        start = ["Dice1.png", "dice2.png", "dice10.png"].index(shown[0])
        order = ["Dice1.png", "dice2.png", "dice10.png"] * 3
        assert shown == order[start : start + 4]


def test_a_photo_put_into_the_folder_later_is_shown(tmp_path: Path) -> None:
    write_photo(tmp_path / "a.png", 10)
    with FolderSource(tmp_path, photo_s=0.02) as source:
        first = source.newest()
        assert first is not None
        assert source.wait_newer(first.index, timeout_s=0.1) is None, "one photo is not re-posted"
        write_photo(tmp_path / "b.png", 200)
        later = source.wait_newer(first.index, timeout_s=5)
        assert later is not None
        assert later.name == "b.png"


def test_a_broken_photo_of_a_folder_is_left_out_and_named(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(b"\xff\xd8\xff no photo")
    write_photo(tmp_path / "b.png", 20)
    with open_source(str(tmp_path)) as source:
        frame = source.newest()
        assert frame is not None
        assert frame.name == "b.png"
        assert "One photo is left out" in source.status().says
        assert "a.jpg" in source.status().says


def test_a_folder_that_goes_away_keeps_its_last_picture_and_says_so(tmp_path: Path) -> None:
    folder = tmp_path / "evening"
    folder.mkdir()
    photo = write_photo(folder / "a.png", 10)
    with FolderSource(folder, photo_s=0.02) as source:
        assert source.newest() is not None
        photo.unlink()
        folder.rmdir()
        assert until(lambda: "cannot be read" in source.status().says)
        assert source.newest() is not None


@pytest.mark.parametrize("content", [None, b"", b"\xff\xd8\xff cut off"])
def test_a_folder_without_a_readable_photo_is_refused(
    tmp_path: Path, content: bytes | None
) -> None:
    if content is not None:
        (tmp_path / "a.jpg").write_bytes(content)
    with pytest.raises(SourceError, match=r"no photo in this folder"):
        open_source(str(tmp_path))


# ---- videos


def test_every_picture_of_a_video_comes_once_with_its_own_time(tmp_path: Path) -> None:
    path = write_video(tmp_path / "table.avi", [0, 50, 100, 150, 200], fps=10)
    with open_source(str(path)) as source:
        frames = list(source)
    assert [frame.index for frame in frames] == [0, 1, 2, 3, 4]
    assert [frame.time_s for frame in frames] == pytest.approx([0, 0.1, 0.2, 0.3, 0.4])
    means = [float(frame.image.mean()) for frame in frames]
    assert means == pytest.approx([0, 50, 100, 150, 200], abs=6)


def test_a_video_plays_at_its_own_speed_and_holds_its_last_picture(tmp_path: Path) -> None:
    path = write_video(tmp_path / "table.avi", [0, 50, 100, 150, 200], fps=10)
    with open_source(str(path)) as source:
        began = time.monotonic()
        first = source.newest()
        assert first is not None
        assert source.status().state == "playing"
        assert until(lambda: source.status().state == "ended")
        # Four tenths of a second lie between the first and the last picture.
        assert time.monotonic() - began >= 0.38
        last = source.newest()
        assert last is not None
        assert last.index == 4
        assert "ended" in source.status().says


def test_a_video_without_time_stamps_goes_by_its_frame_rate(tmp_path: Path) -> None:
    # A container that repeats one stamp for every picture, 25 pictures a second.
    source = VideoSource(tmp_path / "x.avi", lambda: Camera(grey(1), grey(2), grey(3)))
    assert [frame.time_s for frame in source] == pytest.approx([0, 0.04, 0.08])


def test_a_video_that_opens_but_gives_no_picture_is_refused(tmp_path: Path) -> None:
    # AV1 files do this with OpenCV 5.0.
    with pytest.raises(SourceError, match=r"av1\.mp4: no picture .* can be decoded; convert"):
        VideoSource(tmp_path / "av1.mp4", lambda: Camera(None))


def test_a_video_cut_off_in_the_middle_ends_there(tmp_path: Path) -> None:
    cameras = [Camera(grey(1)), Camera(grey(1), grey(2), None)]
    with VideoSource(tmp_path / "cut.mp4", lambda: cameras.pop(0)) as source:
        assert source.newest() is not None
        assert until(lambda: source.status().state == "ended")
        last = source.newest()
        assert last is not None
        assert last.image[0, 0, 0] == 2


# ---- cameras and streams


def test_a_slow_reader_gets_the_newest_picture_only() -> None:
    stop = threading.Event()
    camera = Camera(*[grey(value) for value in range(50)], lambda: stop.wait(5))
    with live(camera, stall_s=60) as source:
        assert source.wait_first(5)
        assert until(lambda: source._has_newer(48))
        frame = source.wait_newer(-1, timeout_s=0)
        assert frame is not None
        assert (frame.index, frame.image[0, 0, 0]) == (49, 49)
        stop.set()


def test_a_camera_that_hangs_is_lost_and_blocks_nobody() -> None:
    hang = threading.Event()
    with live(Camera(grey(7), lambda: hang.wait(20))) as source:
        assert source.wait_newer(-1, timeout_s=5) is not None
        assert source.status().state == "live"
        assert until(lambda: source.status().state == "lost")
        assert "Camera 0 gives no picture; check its cable" in source.status().says
        began = time.monotonic()
        held = source.newest()
        assert held is not None
        assert held.image[0, 0, 0] == 7
        assert time.monotonic() - began < 0.5
        hang.set()


def test_a_camera_that_breaks_is_opened_again_by_itself() -> None:
    gap = threading.Event()
    broken, mended = Camera(grey(1), None), Camera(lambda: gap.wait(20), grey(2))
    with live(broken, mended) as source:
        assert source.wait_newer(-1, timeout_s=5) is not None
        assert until(lambda: source.status().state == "lost")
        assert broken.released
        gap.set()
        frame = source.wait_newer(0, timeout_s=5)
        assert frame is not None
        assert (frame.index, frame.image[0, 0, 0]) == (1, 2)
        assert source.status().state == "live"


def test_the_wait_between_tries_doubles_up_to_a_limit() -> None:
    tried: list[float] = []

    def broken() -> Camera:
        tried.append(time.monotonic())
        raise cv2.error("no such device")

    source = LiveSource("camera 0", "camera", broken, retry_s=(0.02, 0.08))
    with source:
        source.wait_first(5)
        assert until(lambda: len(tried) >= 6)
    waits = [later - earlier for earlier, later in pairwise(tried)]
    assert waits[0] >= 0.02
    assert waits[1] >= 0.04
    assert all(wait >= 0.08 for wait in waits[2:])


def test_a_device_that_hangs_while_opening_is_given_up_in_time() -> None:
    hang = threading.Event()

    def never() -> Camera:
        hang.wait(20)
        return Camera()

    began = time.monotonic()
    source = LiveSource("camera 3", "camera", never)
    with pytest.raises(SourceError, match=r"^Camera 3 is silent\.$"):
        with_first_picture(source, "Camera 3 is silent.", timeout_s=0.1)
    assert time.monotonic() - began < 3
    hang.set()


def test_a_device_that_opens_slowly_is_waited_for() -> None:
    assert FIRST_PICTURE_S > 20  # some webcams take that long

    def slowly() -> Camera:
        time.sleep(0.4)
        return Camera(grey(7), lambda: time.sleep(1))

    source = LiveSource("camera 3", "camera", slowly, stall_s=0.1)
    with with_first_picture(source, "Camera 3 is silent.", timeout_s=5) as opened:
        frame = opened.newest()
        assert frame is not None
        assert frame.image[0, 0, 0] == 7


def test_iterating_a_live_source_ends_when_it_is_closed() -> None:
    hold = threading.Event()
    source = live(Camera(grey(1), lambda: hold.wait(20)))
    seen = []
    for frame in source:
        seen.append(frame.index)
        hold.set()
        source.close()
    assert seen == [0]


# ---- names


class Mjpeg(BaseHTTPRequestHandler):
    """A network camera: one JPEG after the other, as most of them serve it."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=lawn")
        self.end_headers()
        jpeg = cv2.imencode(".jpg", grey(130))[1].tobytes()
        while not self.server.stopping:  # type: ignore[attr-defined]
            head = f"--lawn\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
            try:
                self.wfile.write(head.encode() + jpeg + b"\r\n")
            except OSError:
                return
            time.sleep(0.04)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def network_camera() -> Iterator[tuple[str, Callable[[], None]]]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Mjpeg)
    server.daemon_threads = True
    server.stopping = False  # type: ignore[attr-defined]
    threading.Thread(target=server.serve_forever, daemon=True).start()

    def stop() -> None:
        server.stopping = True  # type: ignore[attr-defined]
        server.shutdown()
        server.server_close()

    yield f"http://user:secret@127.0.0.1:{server.server_port}/video", stop
    stop()


def test_a_network_camera_streams_and_is_lost_when_it_goes(
    network_camera: tuple[str, Callable[[], None]],
) -> None:
    url, stop = network_camera
    with open_source(url) as source:
        frame = source.newest()
        assert frame is not None
        assert frame.image.shape == (48, 64, 3)
        assert source.live
        assert "secret" not in source.name
        assert source.wait_newer(frame.index, timeout_s=5) is not None
        stop()
        assert until(lambda: source.status().state == "lost", seconds=8)
        assert "secret" not in source.status().says


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("9876", "Camera 9876 gives no picture; check that it is plugged in"),
        ("/dev/video9876", "Camera 9876 gives no picture"),
        (
            "http://127.0.0.1:9/video",
            "http://127.0.0.1:9/video: the device is there but nothing answers on this port",
        ),
        ("ftp://host/video", "ftp://host/video: this is no camera's address"),
        ("http://[", "http://[: this is no camera's address"),
        ("rtsp://[::1/live", "rtsp://[::1/live: this is no camera's address"),
        ("http://host:0x/video", "http://host:0x/video: this is no camera's address"),
        ("~nobody-of-that-name/x", "~nobody-of-that-name/x: there is no such file"),
        ("http:///video", "http:///video: this is no camera's address"),
        ("missing.mp4", "missing.mp4: there is no such file or folder; give a camera number"),
        ("", "An empty name: there is no such file"),
    ],
)
def test_a_name_that_leads_nowhere_is_said_in_one_sentence(spec: str, says: str) -> None:
    with pytest.raises(SourceError) as error:
        open_source(spec)
    assert str(error.value).startswith(says)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("name", ["x.mp4", "x.jpg", "x.dat", "x"])
@pytest.mark.parametrize("content", [b"", b"no picture at all " * 200])
def test_a_file_that_is_no_picture_is_named(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(SourceError) as error:
        open_source(str(path))
    assert str(error.value).startswith(str(path))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("name", ["7", "dice.photo", "dice.film"])
def test_a_file_is_opened_by_what_it_holds_when_its_name_does_not_say(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    if name == "dice.film":
        write_video(tmp_path / "dice.avi", [9, 9], fps=10).rename(tmp_path / name)
    else:
        write_photo(tmp_path / "dice.png", 9).rename(tmp_path / name)
    with open_source(name) as source:
        assert source.kind == ("video" if name == "dice.film" else "photo")


def test_a_password_in_an_address_is_never_shown() -> None:
    shown = without_password("rtsp://me:a@b:c@10.0.0.7:554/live?x=@y")
    assert shown == "rtsp://10.0.0.7:554/live?x=@y"
    with pytest.raises(SourceError) as error:
        open_source("rtsp://me:secret@127.0.0.1:9/live")
    assert "secret" not in str(error.value)


def test_nothing_is_written_to_the_terminal(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "x.mp4").write_bytes(b"junk " * 100)
    for spec in ("9876", "http://127.0.0.1:9/video", str(tmp_path / "x.mp4")):
        with pytest.raises(SourceError):
            open_source(spec)
    assert capfd.readouterr() == ("", "")


def test_a_source_closes_twice_and_before_it_was_used() -> None:
    source: Source = live(Camera(grey(1)))
    source.close()
    source.close()
    assert source.newest() is None
