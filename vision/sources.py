"""Where pictures come from: camera, stream, video, photo or folder, opened by one name."""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import cv2

from vision import av_video
from vision.cameras import (
    BACKENDS,
    ListCameras,
    find_again,
    list_cameras,
    wanted_camera,
    why_not,
)
from vision.file_sources import PHOTO_SUFFIXES, FolderSource, PhotoSource, VideoSource
from vision.frames import Capture, Frame, Source, SourceError, SourceStatus
from vision.live_source import LiveSource
from vision.snapshots import SnapshotCapture, gives_single_pictures

FIRST_PICTURE_S = 25.0
"""How long opening a camera or stream may take before it is called broken."""
NETWORK_TIMEOUT_MS = 5000
CAMERA_SIZE = (1280, 720)
"""Asked of a camera; it answers with the nearest that it has."""

NAMED = "camera:"
"""In front of a camera's name, or a part of it, so that it is not taken for a file's."""
SCHEMES = ("http", "https", "rtsp", "rtsps")
VIDEO_SUFFIXES = frozenset(
    {".mp4", ".m4v", ".mov", ".mkv", ".webm", ".avi", ".mpg", ".mpeg", ".ts", ".mts", ".3gp"}
)

# FFmpeg would write to the terminal what is said here in a sentence; OpenCV looks at this once, at
# the first video it opens.
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")


def open_source(spec: str, *, patient: bool = False) -> Source:
    """Open a camera number ("0") or name ("camera:C920"), a URL, a video file, a photo file or a folder of photos.

    The source already has its first picture when it is returned; a patient caller gets a camera or stream
    at once, which is then tried all the time until it gives pictures. Raises SourceError.
    """
    spec = spec.strip()
    path = Path(os.path.expanduser(spec))
    device = re.fullmatch(r"(?:/dev/video)?([0-9]{1,4})", spec)
    if device and not path.is_file() and not path.is_dir():
        return _open_camera(str(int(device[1])), patient=patient)
    if "://" in spec:
        return _open_stream(spec, patient)
    if spec.startswith(NAMED) and spec != NAMED:
        return _open_camera(spec.removeprefix(NAMED).strip(), patient=patient)
    if not spec or not path.exists():
        raise SourceError(
            f"{spec or 'An empty name'}: there is no such file or folder; "
            "give a camera number, a URL, a video, a photo or a folder of photos."
        )
    if path.is_dir():
        return FolderSource(path)
    if not path.is_file():
        raise SourceError(
            f"{spec}: this is no ordinary file; give a camera number, a URL, a video, a photo or a folder of photos."
        )
    return _open_file(path)


def _open_file(path: Path) -> Source:
    def video() -> Source:
        try:
            return VideoSource(path, lambda: _quietly(str(path), cv2.CAP_FFMPEG))
        except SourceError:
            # OpenCV opens some files and then gives no picture of them (AV1); PyAV has more decoders.
            if not av_video.available():
                raise
            return VideoSource(path, lambda: av_video.AvCapture(path))

    try:
        with path.open("rb") as file:
            empty = not file.read(1)
    except OSError as error:
        why = error.strerror or error
        raise SourceError(f"{path}: this file cannot be read ({why}); check it.") from error
    if empty:
        raise SourceError(f"{path}: this file is empty; copy it again.")
    suffix = path.suffix.lower()
    if suffix in VIDEO_SUFFIXES:
        return video()
    if suffix in PHOTO_SUFFIXES:
        return PhotoSource(path)
    openers: tuple[Callable[[], Source], ...] = (lambda: PhotoSource(path), video)
    for opener in openers:
        with contextlib.suppress(SourceError):
            return opener()
    raise SourceError(
        f"{path}: this is neither a photo nor a video that can be read; give JPEG, PNG or MP4."
    )


def _open_camera(spec: str, cameras: ListCameras = list_cameras, patient: bool = False) -> Source:
    """A camera by number or name; once open, it is found again by what it is, not by its number."""
    wanted = wanted_camera(spec, cameras())
    name = f"camera {spec}" if wanted is None else f"camera {wanted.number} ({wanted.name})"

    def capture() -> Capture:
        number = int(spec) if wanted is None else wanted.number
        if wanted is not None:
            now = find_again(wanted, cameras())
            if now is None:
                raise SourceError(
                    f"{name[:1].upper()}{name[1:]} is not plugged in; plug it in again."
                )
            trouble = why_not(now)
            if trouble is not None:
                raise SourceError(trouble)
            number = now.number
        camera = _quietly(number, BACKENDS.get(sys.platform, cv2.CAP_ANY))
        if camera.isOpened():
            # Compressed pictures: of raw ones a USB camera gives only a few a second at this size.
            camera.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
            camera.set(cv2.CAP_PROP_FRAME_WIDTH, CAMERA_SIZE[0])
            camera.set(cv2.CAP_PROP_FRAME_HEIGHT, CAMERA_SIZE[1])
        return camera

    source = LiveSource(name, "camera", capture)
    if patient:
        return source
    return with_first_picture(
        source,
        f"{name[:1].upper()}{name[1:]} gives no picture; check that it is plugged in and that no other program "
        "uses it, or give another number (the first camera is 0; 'lawn cameras' lists them).",
    )


def _open_stream(url: str, patient: bool = False) -> Source:
    name = without_password(url)
    wrong = f"{name}: this is no camera's address; one begins with http://, https:// or rtsp://."
    try:
        parts = urlsplit(url)
        is_address = bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError as error:  # an open bracket, a port that is no number
        raise SourceError(wrong) from error
    if parts.scheme.lower() not in SCHEMES or not is_address:
        raise SourceError(wrong)

    def capture() -> Capture:
        if parts.scheme.lower() in ("http", "https") and gives_single_pictures(url, name):
            return SnapshotCapture(url, name)
        # Without these a dead network holds the thread for half a minute a try.
        timeouts = (cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, cv2.CAP_PROP_READ_TIMEOUT_MSEC)
        params = [value for prop in timeouts for value in (prop, NETWORK_TIMEOUT_MS)]
        return _quietly(url, cv2.CAP_FFMPEG, params)

    source = LiveSource(name, "stream", capture)
    if patient:
        return source
    return with_first_picture(
        source,
        f"{name}: no picture comes from this address; check that the camera is on, "
        "that the address is right and that both are in the same network.",
    )


def with_first_picture(
    source: LiveSource, else_say: str, timeout_s: float = FIRST_PICTURE_S
) -> LiveSource:
    """The source once it has a picture. Raises SourceError(else_say), the source then being closed."""
    if source.wait_first(timeout_s):
        return source
    trouble = source.trouble
    source.close()
    raise SourceError(trouble or else_say)


def without_password(url: str) -> str:
    """The address as it may be shown: user name and password left out."""
    return re.sub(r"(?<=://)[^/?#]*@", "", url)


def _quietly(*what: object) -> cv2.VideoCapture:
    """VideoCapture(*what), without OpenCV's own warnings on the terminal."""
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    return cv2.VideoCapture(*what)


__all__ = ["Frame", "Source", "SourceError", "SourceStatus", "open_source"]
