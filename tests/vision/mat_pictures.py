"""Pictures of a mat under a known camera, drawn in milliseconds, and what is true of them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.compose import View, view_of
from datasets.mat_tables import mat_sheet, to_table
from datasets.scenes import Camera
from vision.layout import MatLayout, printed

Array = NDArray[np.float64]
SIZE = (1280, 720)
MAT = printed()
GROUND = (96, 110, 120)


@dataclass(frozen=True)
class Look:
    """A camera on a mat: elevation, turn and roll in degrees, distance mm, focal in picture widths, aimed at x, y mm
    from the Lawn's middle."""

    elevation: float = 60.0
    turn: float = 0.0
    roll: float = 0.0
    distance: float = 520.0
    focal: float = 0.9
    at: tuple[float, float] = (0.0, 0.0)
    layout: MatLayout = MAT
    size: tuple[int, int] = SIZE

    @property
    def view(self) -> View:
        camera = Camera(
            self.distance,
            math.radians(90 - self.elevation),
            math.radians(self.turn - 90),
            math.radians(self.roll),
            self.focal,
            self.at,
        )
        return view_of(camera, *self.size)

    def px(self, points: Array, height_mm: float = 0.0) -> Array:
        """Where points (N, 2) mm of the mat are in the picture, px."""
        on_table = to_table(self.layout, np.asarray(points, np.float64))
        return self.view.project(np.column_stack([on_table, np.full(len(on_table), height_mm)]))

    def markers(self) -> dict[int, Array]:
        return {number: self.px(np.array(c)) for number, c in self.layout.markers.items()}


def picture(look: Look, hidden: Iterable[int] = (), bend: float = 0.0) -> NDArray[np.uint8]:
    """The mat alone on grey ground; hidden: which markers (0 to 3) are covered; bend: radial term of the lens."""
    sheet = mat_sheet(look.layout)
    width, height = look.size
    # `View` counts from the first pixel's corner, OpenCV from its middle; twice as fine keeps edges smooth.
    twice = np.array([[2, 0, -0.5], [0, 2, -0.5], [0, 0, 1.0]]) @ look.view.homography()
    colours = np.ascontiguousarray(sheet.rgba[..., 2::-1] * 255)
    large = cv2.warpPerspective(
        colours,
        twice @ sheet.to_mm,
        (2 * width, 2 * height),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=GROUND,
    )
    image = cv2.resize(large, look.size, interpolation=cv2.INTER_AREA)
    numbers = list(look.layout.markers)
    for which in hidden:
        outline = look.markers()[numbers[which]]
        grown = outline.mean(0) + (outline - outline.mean(0)) * 1.2
        cv2.fillConvexPoly(image, grown.astype(np.int32), (60, 90, 170), cv2.LINE_AA)
    if bend:
        image = bent(image, look.focal * width, bend)
    return np.ascontiguousarray(np.clip(image, 0, 255).astype(np.uint8))


def bent(image: Array, focal_px: float, bend: float) -> Array:
    """The picture as a lens with that radial term shows it."""
    height, width = image.shape[:2]
    k = np.array([[focal_px, 0, width / 2 - 0.5], [0, focal_px, height / 2 - 0.5], [0, 0, 1]])
    x, y = np.meshgrid(np.arange(width, dtype=np.float64), np.arange(height, dtype=np.float64))
    points = np.stack([x, y], -1).reshape(-1, 1, 2)
    straight = cv2.undistortPoints(points, k, np.array([bend, 0, 0, 0]), P=k)
    source = straight.reshape(height, width, 2).astype(np.float32)
    return np.asarray(
        cv2.remap(image, source[..., 0], source[..., 1], cv2.INTER_LINEAR, borderValue=GROUND)
    )


def grid(layout: MatLayout) -> Array:
    """Points (N, 2) mm all over the sheet."""
    x = np.linspace(layout.extent.x0 + 10, layout.extent.x1 - 10, 6)
    y = np.linspace(layout.extent.y0 + 10, layout.extent.y1 - 10, 7)
    return np.array([(a, b) for a in x for b in y])
