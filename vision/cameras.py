"""The cameras that are plugged in: their names, and how to know one again after it was unplugged.

A camera's number is only its place in today's list. What stays is what it says of itself over USB and the socket it is
in, so a lost camera is found again by those, and another one is never taken in its place.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2

from vision.frames import SourceError

BACKENDS = {"linux": cv2.CAP_V4L2, "win32": cv2.CAP_MSMF, "darwin": cv2.CAP_AVFOUNDATION}


@dataclass(frozen=True)
class Camera:
    """A camera of the list.

    number: to open it now; name: as it calls itself; usb: "vendor:product" in hexadecimal or ""; socket: where it is
    plugged in, or "" where the system does not tell; path: its device file or "".
    """

    number: int
    name: str
    usb: str = ""
    socket: str = ""
    path: str = ""

    def is_same_model(self, other: Camera) -> bool:
        """Whether both say the same of themselves."""
        return (self.name, self.usb) == (other.name, other.usb)


ListCameras = Callable[[], Sequence[Camera]]


def list_cameras() -> list[Camera]:
    """The cameras plugged in now, lowest number first."""
    from cv2_enumerate_cameras import enumerate_cameras

    backend = BACKENDS.get(sys.platform, cv2.CAP_ANY)
    try:
        found = enumerate_cameras(backend)
    except Exception:  # a system without cameras may lack the very interface that lists them
        return []
    cameras = []
    for info in found:
        usb = f"{info.vid:04x}:{info.pid:04x}" if info.vid and info.pid else ""
        path = str(info.path or "")
        cameras.append(Camera(info.index, str(info.name), usb, _socket(path), path))
    return sorted(cameras, key=lambda camera: camera.number)


def _socket(path: str) -> str:
    """Which socket a device is plugged into: on Linux by its link in /dev/v4l/by-path, elsewhere by its path."""
    links = Path("/dev/v4l/by-path")
    if not links.is_dir():
        return path
    for link in sorted(links.iterdir()):
        if link.is_symlink() and str(link.resolve()) == path:
            return link.name
    return ""


def wanted_camera(spec: str, cameras: Sequence[Camera]) -> Camera | None:
    """The camera that a person named: by its number, its name or a part of it that fits one only.

    None for a number that is in no list, since some systems cannot list what they can open. Raises SourceError when a
    name fits none or several.
    """
    if spec.isdecimal():
        return next((camera for camera in cameras if camera.number == int(spec)), None)
    exact = [camera for camera in cameras if camera.name == spec]
    fitting = exact or [c for c in cameras if spec.casefold() in c.name.casefold()]
    if len(fitting) == 1:
        return fitting[0]
    listed = ", ".join(f"{c.number} ({c.name})" for c in fitting or cameras) or "none"
    if fitting:
        raise SourceError(f"{spec}: several cameras are called so; give one's number: {listed}.")
    raise SourceError(f"{spec}: no camera is called so; plugged in: {listed}.")


def find_again(lost: Camera, cameras: Sequence[Camera]) -> Camera | None:
    """Where a camera is now, whatever its number has become; None while it is not plugged in.

    The same socket and model is it. So is the only one of its model in another socket. Of several like it in other
    sockets none is taken: it could be another.
    """
    alike = [camera for camera in cameras if camera.is_same_model(lost)]
    here = [camera for camera in alike if lost.socket and camera.socket == lost.socket]
    if len(here) == 1:
        return here[0]
    return alike[0] if len(alike) == 1 else None


def why_not(camera: Camera) -> str | None:
    """Why a device file cannot be opened, as a sentence; None when it can, or where there are no device files."""
    if not camera.path.startswith("/dev/"):
        return None
    try:
        os.close(os.open(camera.path, os.O_RDWR | os.O_NONBLOCK))
    except PermissionError:
        return (
            f"Camera {camera.name} may not be used by you; ask for it, on Linux with: "
            "sudo usermod -aG video $USER, and log in again."
        )
    except FileNotFoundError:
        return f"Camera {camera.name} is not plugged in; plug it in again."
    except OSError as error:
        return (
            f"Camera {camera.name} cannot be opened ({error.strerror}); close the other program that uses it, "
            "or plug it in again."
        )
    return None
