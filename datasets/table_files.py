"""The files of a made table, and making those that are missing: one layout for every way of making tables."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

Box = tuple[float, float, float, float]


class RenderError(ValueError):
    """A table cannot be drawn or written; the message says which and why."""


def write_files(
    image: NDArray[np.uint8],
    dice: Iterable[tuple[Box, int]],
    truth: dict[str, Any],
    out: Path,
    name: str,
) -> None:
    """Write a picture (H, W, 3) uint8 BGR, its labels and its truth below `out`.

    dice: box x0 y0 x1 y1 px and face 1..6 of each labelled die. Raises RenderError.
    """
    for folder in ("images", "labels", "truth"):
        (out / folder).mkdir(parents=True, exist_ok=True)
    height, width = image.shape[:2]
    lines = [
        f"{face - 1} {(x0 + x1) / 2 / width:.6f} {(y0 + y1) / 2 / height:.6f} "
        f"{(x1 - x0) / width:.6f} {(y1 - y0) / height:.6f}\n"
        for (x0, y0, x1, y1), face in dice
    ]
    picture = out / "images" / f"{name}.jpg"
    if not cv2.imwrite(str(picture), image, [cv2.IMWRITE_JPEG_QUALITY, 92]):
        raise RenderError(f"{picture}: the picture could not be written; is the disk full?")
    (out / "labels" / f"{name}.txt").write_text("".join(lines))
    # The truth is written last: it marks the table as whole when a run that was cut off is started again.
    (out / "truth" / f"{name}.json").write_text(json.dumps(truth))


def make_missing(
    numbers: Sequence[int], out: Path, prefix: str, says: str, make: Callable[[int, str], None]
) -> int:
    """Call make(number, name) for each table that is not whole below `out` yet; returns how many were made.

    Raises RenderError when `out` cannot be made.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RenderError(f"{out}: this folder cannot be made ({error.strerror}).") from error
    made = 0
    for number in tqdm(numbers, desc=says, unit="table"):
        name = f"{prefix}-{number:07}"
        if not (out / "truth" / f"{name}.json").is_file():
            make(number, name)
            made += 1
    return made
