"""Draw the pictures of docs/camera.md, how to place a camera: `python -m datasets.placement docs/images`.

Each is the printed mat under one camera, drawn by this project at 1280 x 720 px and shown smaller. With
`--full FOLDER` the pictures are also kept at full size, for `lawn doctor` to look at.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.mat_tables import MatShot, draw_shot

SHOWN = (640, 360)
QUALITY = 78

GOOD = MatShot(elevation=62.0, turn=0.0, focal=0.85, dice=18, seed=11)
SHOTS: dict[str, MatShot] = {
    "camera-good": GOOD,
    "camera-phone-above": replace(GOOD, elevation=88.0, seed=12),
    "camera-flat": replace(GOOD, elevation=22.0),
    "camera-far": replace(GOOD, spare=2.4),
    "camera-blurred": replace(GOOD, blur=7.0),
    "camera-dark": GOOD,
    "camera-glare": GOOD,
}


def picture(name: str) -> NDArray[np.uint8]:
    """(720, 1280, 3) uint8 BGR of one of SHOTS; always the same."""
    table = draw_shot(SHOTS[name])
    image = table.image
    if name == "camera-dark":
        noise = np.random.default_rng(1).normal(0, 3, image.shape)
        image = np.asarray(np.clip(image * 0.14 + noise, 0, 255), np.uint8)
    elif name == "camera-glare":
        middle = table.corners.mean(0)
        lamp = np.zeros(image.shape[:2], np.float32)
        spot = (round(float(middle[0]) + 40), round(float(middle[1]) - 50))
        cv2.ellipse(lamp, spot, (95, 60), 15, 0, 360, 1.0, -1)
        lamp = cv2.GaussianBlur(lamp, (0, 0), 14)[..., None]
        image = np.asarray(np.clip(image + 330 * lamp, 0, 255), np.uint8)
    return image


def write(out: Path, full: Path | None = None) -> list[Path]:
    """Write all pictures into `out` as small JPEG files; `full`: also as they were drawn, as PNG."""
    out.mkdir(parents=True, exist_ok=True)
    written = []
    for name in SHOTS:
        image = picture(name)
        if full is not None:
            full.mkdir(parents=True, exist_ok=True)
            cv2.imwrite(str(full / f"{name}.png"), image)
        path = out / f"{name}.jpg"
        small = cv2.resize(image, SHOWN, interpolation=cv2.INTER_AREA)
        cv2.imwrite(str(path), small, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        written.append(path)
    return written


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the pictures into the folder that is named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--full", type=Path)
    chosen = parser.parse_args(arguments)
    for path in write(chosen.out, chosen.full):
        print(path)


if __name__ == "__main__":
    main()
