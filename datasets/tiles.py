"""Square training tiles cut from pictures, with every die at a size that the detector will meet.

Scale decides how well a detector reads (measured: mAP50 0.99 at the trained size, 0.56 at half of it), so a tile
is cut from a picture resized until its dice have a size drawn from the range that inference sees.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

TILE_PX = 320
"""Side of a tile, px."""
DIE_PX = (13.0, 110.0)
"""Range of the middle die's size (square root of its box's area) in a tile, px."""
LEAST_VISIBLE = 0.65
"""A die with less of its box than this inside the tile is painted out: its face can no longer be told."""

Image = NDArray[np.uint8]


@dataclass(frozen=True)
class Tile:
    """A training tile: `image` (TILE_PX, TILE_PX, 3) uint8 BGR, `boxes` (N, 4) float32 px, `faces` (N,) 1..6."""

    image: Image
    boxes: NDArray[np.float32]
    faces: NDArray[np.int64]

    def label_lines(self) -> str:
        """The tile's truth as YOLO lines (class x_center y_center width height, normalised)."""
        lines = []
        for (x0, y0, x1, y1), face in zip(self.boxes / TILE_PX, self.faces, strict=True):
            lines.append(
                f"{face - 1} {(x0 + x1) / 2:.6f} {(y0 + y1) / 2:.6f} {x1 - x0:.6f} {y1 - y0:.6f}\n"
            )
        return "".join(lines)


def cut_tile(
    image: Image,
    boxes: NDArray[np.float32],
    faces: NDArray[np.int64],
    rng: np.random.Generator,
    empty_share: float = 0.06,
) -> Tile:
    """Cut one random tile from a picture.

    `image` (H, W, 3) uint8 BGR; `boxes` (N, 4) px; `faces` (N,) 1..6. With probability `empty_share` the tile is
    put anywhere, else around a die. Sizes are spread evenly on a log scale over DIE_PX and the aspect is stretched by
    up to a fifth (some cameras and collections do so). Tiles stay upright: seen at a slant, the face that lies on top
    is the one that is up in the picture, and nothing else tells it from a side face.
    """
    height, width = image.shape[:2]
    size = (
        float(np.median(np.sqrt(np.prod(boxes[:, 2:] - boxes[:, :2], axis=1))))
        if len(boxes)
        else 60.0
    )
    wanted = math.exp(rng.uniform(math.log(DIE_PX[0]), math.log(DIE_PX[1])))
    # More than doubling a picture only trains on blur, so the draw is limited at the upper end.
    scale = min(wanted / size, 2.0)
    stretch = math.exp(rng.uniform(-0.18, 0.18))
    sx, sy = scale * math.sqrt(stretch), scale / math.sqrt(stretch)
    if len(boxes) and rng.random() >= empty_share:
        x0, y0, x1, y1 = boxes[rng.integers(len(boxes))]
        centre = np.array([(x0 + x1) / 2 * sx, (y0 + y1) / 2 * sy])
        centre += rng.uniform(-0.42, 0.42, 2) * TILE_PX
    else:
        centre = np.array([rng.uniform(0, width * sx), rng.uniform(0, height * sy)])
    # A tile that hangs far over the edge shows mostly filling: pull it back where the picture is large enough.
    for axis, extent in enumerate((width * sx, height * sy)):
        if extent > TILE_PX:
            centre[axis] = np.clip(centre[axis], TILE_PX / 2, extent - TILE_PX / 2)
        else:
            centre[axis] = extent / 2 + rng.uniform(-0.5, 0.5) * (TILE_PX - extent)
    left, top = centre - TILE_PX / 2

    matrix = np.array([[sx, 0, -left], [0, sy, -top]])
    if scale < 1:
        # warpAffine does not average; shrinking by area first keeps pips from breaking up.
        reduced = cv2.resize(image, None, fx=sx, fy=sy, interpolation=cv2.INTER_AREA)
        matrix = np.array([[1.0, 0, -left], [0, 1.0, -top]])
    else:
        reduced = image
    tile = cv2.warpAffine(
        reduced,
        matrix,
        (TILE_PX, TILE_PX),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=(114, 114, 114),
    )
    moved = boxes * np.array([sx, sy, sx, sy], np.float32) - np.array(
        [left, top, left, top], np.float32
    )
    tile, moved, kept = _keep_visible(np.asarray(tile, np.uint8), moved)
    return Tile(spoil(relit(tile, rng), rng), moved, faces[kept])


def _keep_visible(
    tile: Image, boxes: NDArray[np.float32]
) -> tuple[Image, NDArray[np.float32], NDArray[np.bool_]]:
    """Clip boxes to the tile and paint out dice of which too little is left."""
    clipped = np.clip(boxes, 0, TILE_PX)
    area = np.prod(boxes[:, 2:] - boxes[:, :2], axis=1)
    inside = np.prod(np.maximum(clipped[:, 2:] - clipped[:, :2], 0), axis=1)
    share = inside / np.maximum(area, 1e-6)
    kept = share >= LEAST_VISIBLE
    for x0, y0, x1, y1 in np.rint(clipped[(share > 0) & ~kept]).astype(int):
        tile[y0:y1, x0:x1] = 114
    return tile, clipped[kept], kept


def paint_out(image: Image, boxes: NDArray[np.float32]) -> Image:
    """A copy of a picture (H, W, 3) uint8 BGR with what boxes (N, 4) px hold painted in the colour around them.

    For dice that are there but cannot be taught: neither as dice (no label) nor as background.
    """
    out = image.copy()
    height, width = image.shape[:2]
    for x0, y0, x1, y1 in np.rint(boxes).astype(int):
        x0, y0, x1, y1 = max(x0, 0), max(y0, 0), min(x1, width), min(y1, height)
        if x1 <= x0 or y1 <= y0:
            continue
        around = out[max(y0 - 3, 0) : y1 + 3, max(x0 - 3, 0) : x1 + 3].reshape(-1, 3)
        rim = np.concatenate([around[: x1 - x0], around[-(x1 - x0) :]])
        out[y0:y1, x0:x1] = np.median(rim, axis=0).astype(np.uint8)
    return out


def relit(tile: Image, rng: np.random.Generator, coarse: float = 1.0) -> Image:
    """A picture as it would be under a lamp of narrow beam, beside a window with bars, in a dim room, or exposed so
    long that nothing but its pips is seen of a white die on white paper.

    `tile` (H, W, 3) uint8 BGR; half of the pictures stay as they are. coarse: how many times larger the shadows are,
    since a single die is crossed by few. Returns an array of the same shape and type.
    """
    if rng.random() < 0.5:
        return tile
    light = np.full(tile.shape, math.exp(rng.uniform(math.log(0.3), math.log(3.0))), np.float32)
    light *= np.exp(rng.normal(0, 0.12, 3)).astype(np.float32)
    if rng.random() < 0.6:
        light *= _shade(tile.shape, rng, coarse)
    if rng.random() < 0.4:
        light *= _beam(tile.shape, rng, coarse)
    linear = (tile.astype(np.float32) / 255) ** 2.2 * light
    return np.asarray(np.clip(linear, 0, 1) ** (1 / 2.2) * 255, np.uint8)


def _shade(shape: tuple[int, ...], rng: np.random.Generator, coarse: float) -> NDArray[np.float32]:
    """(H, W, 1) share of the light that is left where something stands before the lamp: on one side of a line, in a
    strip, or in strips side by side."""
    height, width = shape[:2]
    turn, whole = rng.uniform(0, 2 * math.pi), float(max(height, width))
    x, y = np.arange(width) / whole - 0.5, np.arange(height) / whole - 0.5
    along = x[None, :] * math.cos(turn) + y[:, None] * math.sin(turn)
    soft, start = rng.uniform(0.004, 0.1) * coarse, rng.uniform(-0.4, 0.4)
    kind = rng.random()
    if kind < 0.4:
        shade = np.clip((along - start) / soft, 0, 1)
    elif kind < 0.6:
        shade = np.clip((along - start) / soft, 0, 1)
        shade = shade * np.clip((start + rng.uniform(0.05, 0.5) * coarse - along) / soft, 0, 1)
    else:
        pitch, part = rng.uniform(0.05, 0.4) * coarse, rng.uniform(0.3, 0.7)
        # 1 at the edges of a period, 0 in its middle
        phase = np.abs(((along - start) / pitch) % 1 - 0.5) * 2
        shade = np.clip((part - phase) * pitch / soft / 2 + 0.5, 0, 1)
    left = math.exp(rng.uniform(math.log(0.08), math.log(0.7)))
    return np.asarray(1 - (1 - left) * shade[..., None], np.float32)


def _beam(shape: tuple[int, ...], rng: np.random.Generator, coarse: float) -> NDArray[np.float32]:
    """(H, W, 1) light of a lamp that shines on one place and falls off around it."""
    height, width = shape[:2]
    middle_y, middle_x = rng.uniform(-0.2, 1.2) * height, rng.uniform(-0.2, 1.2) * width
    reach = rng.uniform(0.25, 1.2) * coarse * max(height, width)
    y, x = np.ogrid[:height, :width]
    gap = np.sqrt((y - middle_y) ** 2 + (x - middle_x) ** 2) / reach
    brightest, least = rng.uniform(1.0, 2.0), rng.uniform(0.1, 0.5)
    return np.asarray((least + (brightest - least) * np.exp(-(gap**2)))[..., None], np.float32)


def spoil(tile: Image, rng: np.random.Generator) -> Image:
    """Spoil a picture as cheap cameras do: out of focus or moved, noisy, compressed, under coloured light.

    `tile` (H, W, 3) uint8 BGR; each fault comes by chance. Returns a new array of the same shape and type.
    """
    out: NDArray[Any] = tile
    if rng.random() < 0.25:
        out = cv2.GaussianBlur(out, (0, 0), rng.uniform(0.4, 1.4))
    if rng.random() < 0.12:
        length = int(rng.integers(3, 8))
        kernel = np.zeros((length, length), np.float32)
        kernel[length // 2] = 1 / length
        turn = cv2.getRotationMatrix2D((length / 2 - 0.5, length / 2 - 0.5), rng.uniform(0, 180), 1)
        kernel = cv2.warpAffine(kernel, turn, (length, length))
        out = cv2.filter2D(out, -1, kernel / max(float(kernel.sum()), 1e-3))
    if rng.random() < 0.35:
        gains = np.exp(rng.uniform(-0.2, 0.2, 3)) * rng.uniform(0.7, 1.25)
        out = np.clip(out * gains, 0, 255).astype(np.uint8)
    if rng.random() < 0.35:
        noise = rng.normal(0, rng.uniform(2, 10), out.shape)
        out = np.clip(out + noise, 0, 255).astype(np.uint8)
    if rng.random() < 0.12:  # dead and hot pixels
        spots = rng.random(out.shape[:2]) < rng.uniform(0.002, 0.02)
        out = out.copy()
        out[spots] = rng.choice([0, 255], size=(int(spots.sum()), 1))
    if rng.random() < 0.35:
        quality = int(rng.integers(30, 85))
        _, packed = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, quality])
        out = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR))
    return np.asarray(out, np.uint8)
