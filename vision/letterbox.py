"""Letterboxing: a picture resized with its aspect kept and padded to what a network takes, and boxes taken back."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

PADDING = 114
"""Grey level of the padding, as in training."""


@dataclass(frozen=True)
class Letterbox:
    """How a picture of `width` x `height` px was put into a network's input.

    scale: input px per picture px (both axes, each rounded to whole input px: see scale_xy);
    left, top: padding in input px; input_width, input_height: the input's size.
    """

    width: int
    height: int
    scale_xy: tuple[float, float]
    left: int
    top: int
    input_width: int
    input_height: int

    def to_picture(self, boxes: NDArray[np.float32]) -> NDArray[np.float32]:
        """Boxes (N, 4) x0 y0 x1 y1 in input px to picture px, clipped to the picture."""
        shift = np.array([self.left, self.top, self.left, self.top], np.float32)
        scale = np.array([*self.scale_xy, *self.scale_xy], np.float32)
        limit = np.array([self.width, self.height, self.width, self.height], np.float32)
        return np.asarray(np.clip((boxes - shift) / scale, 0, limit), np.float32)


def letterbox(
    image: NDArray[np.uint8], scale: float, stride: int
) -> tuple[NDArray[np.uint8], Letterbox]:
    """Resize a picture by `scale` and pad it evenly to multiples of `stride`.

    image (H, W, 3) uint8; returns the padded picture (H', W', 3) uint8 and how to take boxes back.
    """
    height, width = image.shape[:2]
    inner_w, inner_h = max(1, round(width * scale)), max(1, round(height * scale))
    if (inner_w, inner_h) != (width, height):
        how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        image = np.asarray(cv2.resize(image, (inner_w, inner_h), interpolation=how), np.uint8)
    input_w = -(-inner_w // stride) * stride
    input_h = -(-inner_h // stride) * stride
    left, top = (input_w - inner_w) // 2, (input_h - inner_h) // 2
    padded = np.full((input_h, input_w, 3), PADDING, np.uint8)
    padded[top : top + inner_h, left : left + inner_w] = image
    return padded, Letterbox(
        width, height, (inner_w / width, inner_h / height), left, top, input_w, input_h
    )
