"""Paint a mat's display list into a picture: for the page, for tests and for drawn tables."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from vision.layout import MatLayout, Point
from vision.mat_design import Style, shapes
from vision.mat_shapes import Box, Font, Line, Polygon, Shape, Text, font_file, rgb

FINER = 4
"""The picture is painted this many times larger and then reduced, so that edges are smooth."""
MOST_PX = 60_000_000
"""A larger finer picture is painted less fine."""


def draw_mat(layout: MatLayout, px_per_mm: float, style: Style = "colour") -> NDArray[np.uint8]:
    """The whole sheet as (H, W, 3) uint8 BGR, seen with row 1 at the top.

    The outer corner of the picture's first pixel is at (extent.x0, extent.y0) of the layout, so a point
    x, y mm is at ((x - extent.x0) * px_per_mm - 0.5, (y - extent.y0) * px_per_mm - 0.5) px by pixel centres.
    """
    extent = layout.extent
    width, height = (max(1, round(side * px_per_mm)) for side in (extent.width, extent.height))
    finer = FINER
    while finer > 1 and width * height * finer * finer > MOST_PX:
        finer -= 1
    canvas = Image.new("RGB", (width * finer, height * finer), "white")
    painter = _Painter(canvas, (extent.x0, extent.y0), px_per_mm * finer)
    for shape in shapes(layout, style):
        painter.paint(shape)
    if finer > 1:
        canvas = canvas.resize((width, height), Image.Resampling.BOX)
    return np.ascontiguousarray(np.asarray(canvas, np.uint8)[..., ::-1])


@lru_cache(maxsize=64)
def _font(font: Font, size_px: float) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(font_file(font)), size_px)


class _Painter:
    """Paints shapes onto a picture of `scale` px per mm whose first pixel's corner is `origin` mm."""

    def __init__(self, canvas: Image.Image, origin: Point, scale: float) -> None:
        self.canvas, self.origin, self.scale = canvas, origin, scale
        self.draw = ImageDraw.Draw(canvas)

    def at(self, point: Point) -> Point:
        return (
            (point[0] - self.origin[0]) * self.scale,
            (point[1] - self.origin[1]) * self.scale,
        )

    def paint(self, shape: Shape) -> None:
        if isinstance(shape, Box):
            self._box(shape)
        elif isinstance(shape, Line):
            self._line(shape)
        elif isinstance(shape, Polygon):
            # Pillow's coordinates name pixel centres, ours corners.
            points = [(x - 0.5, y - 0.5) for x, y in map(self.at, shape.points)]
            self.draw.polygon(points, fill=rgb(shape.fill))
        else:
            self._text(shape)

    def _box(self, box: Box) -> None:
        half = box.line_mm / 2 if box.line else 0.0
        x0, y0 = self.at((box.rect.x0 - half, box.rect.y0 - half))
        x1, y1 = self.at((box.rect.x1 + half, box.rect.y1 + half))
        self.draw.rounded_rectangle(
            # Pillow's last column and row are within the box.
            (round(x0), round(y0), max(round(x1) - 1, round(x0)), max(round(y1) - 1, round(y0))),
            radius=(box.radius_mm + half) * self.scale if box.radius_mm else 0,
            fill=rgb(box.fill) if box.fill else None,
            outline=rgb(box.line) if box.line else None,
            width=max(1, round(box.line_mm * self.scale)) if box.line else 0,
        )

    def _line(self, line: Line) -> None:
        """As a polygon: Pillow's own wide lines are not centred."""
        (ax, ay), (bx, by) = self.at(line.start), self.at(line.end)
        length = math.hypot(bx - ax, by - ay)
        half = max(line.width_mm * self.scale, 1.0) / 2
        nx, ny = -(by - ay) / length * half, (bx - ax) / length * half
        if ax == bx or ay == by:
            x0, x1 = sorted((round(min(ax, bx) - abs(nx)), round(max(ax, bx) + abs(nx))))
            y0, y1 = sorted((round(min(ay, by) - abs(ny)), round(max(ay, by) + abs(ny))))
            self.draw.rectangle((x0, y0, max(x1 - 1, x0), max(y1 - 1, y0)), fill=rgb(line.colour))
            return
        ends = ((ax + nx, ay + ny), (bx + nx, by + ny), (bx - nx, by - ny), (ax - nx, ay - ny))
        self.draw.polygon([(x - 0.5, y - 0.5) for x, y in ends], fill=rgb(line.colour))

    def _text(self, text: Text) -> None:
        font = _font(text.font, text.size_mm * self.scale)
        x0, y0, x1, y1 = font.getbbox(text.words, anchor="ms")
        reach = math.ceil(max(abs(x0), abs(x1), abs(y0), abs(y1))) + 2
        stamp = Image.new("L", (2 * reach, 2 * reach))
        ImageDraw.Draw(stamp).text((reach, reach), text.words, 255, font, anchor="ms")
        if text.turn % 4:
            # Pillow turns counter-clockwise; the stamp's middle is the baseline's middle.
            stamp = stamp.rotate(-90 * text.turn)
        x, y = self.at(text.at)
        self.canvas.paste(rgb(text.colour), (round(x) - reach, round(y) - reach), stamp)
