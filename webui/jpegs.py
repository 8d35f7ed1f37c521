"""Pictures as JPEGs for the page: whole ones made small enough, and single dice."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

PREVIEW_WIDTH = 480
"""Of a picture that is a hint of what is seen, px."""
CROP_PX = 160
"""Height of the picture of a die."""
CROP_MARGIN = 0.5
"""Around the die, in dice."""


def jpeg_of(image: NDArray[np.uint8], widest: int = PREVIEW_WIDTH, quality: int = 80) -> bytes:
    """A picture (H, W, 3) uint8 BGR as a JPEG that is at most so wide, px. quality: 0 to 100."""
    height, width = image.shape[:2]
    if width > widest:
        size = (widest, max(1, round(height * widest / width)))
        image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    return _encoded(image, quality)


def crop_jpeg(image: NDArray[np.uint8], box: tuple[float, float, float, float]) -> bytes:
    """A die with some of the table around it, as a JPEG of CROP_PX height. box: x0, y0, x1, y1 px."""
    x0, y0, x1, y1 = box
    margin = CROP_MARGIN * max(x1 - x0, y1 - y0)
    height, width = image.shape[:2]
    left, top = (int(np.clip(at - margin, 0, most - 2)) for at, most in ((x0, width), (y0, height)))
    right, bottom = (
        int(np.clip(at + margin, low + 2, most))
        for at, low, most in ((x1, left, width), (y1, top, height))
    )
    part = image[top:bottom, left:right]
    size = (max(1, round(CROP_PX * part.shape[1] / part.shape[0])), CROP_PX)
    return _encoded(np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_CUBIC), np.uint8), 95)


def _encoded(image: NDArray[np.uint8], quality: int) -> bytes:
    made, jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not made:
        raise RuntimeError("The picture could not be made a JPEG.")
    return bytes(jpeg)
