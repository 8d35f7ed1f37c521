"""Make the face probabilities honest: `lawn calibrate`.

One number, the temperature, divides the joint logits of a face (Guo et al. 2017, "On calibration of modern neural
networks"). It is fitted on val photographs, changes no reading, and is noted in the close-up network's file.
"""

from __future__ import annotations

import json
import math
import os
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.evaluate import match, pictures_of
from vision.find import DiceFinder

LEAST, MOST = 0.2, 5.0


def fit_temperature(face_p: NDArray[np.float64], faces: NDArray[np.int64]) -> float:
    """The temperature that makes the true faces likeliest.

    face_p (N, 6): probabilities at temperature 1; faces (N,) 1..6. Golden-section search of the mean negative log
    likelihood over its logarithm. Raises ValueError without dice.
    """
    if not len(faces):
        raise ValueError("No dice to calibrate on.")
    logits = np.log(np.maximum(face_p, 1e-9))

    def cost(log_t: float) -> float:
        scaled = logits / math.exp(log_t)
        scaled = scaled - scaled.max(1, keepdims=True)
        sums = np.log(np.exp(scaled).sum(1))
        return float((sums - scaled[np.arange(len(faces)), faces - 1]).mean())

    low, high = math.log(LEAST), math.log(MOST)
    shrink = (math.sqrt(5) - 1) / 2
    for _ in range(60):
        left, right = high - shrink * (high - low), low + shrink * (high - low)
        if cost(left) < cost(right):
            high = right
        else:
            low = left
    return round(math.exp((low + high) / 2), 4)


def found_dice(finder: DiceFinder, photos: Path) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Face probabilities (N, 6) and true faces (N,) of the dice found in val photographs.

    Raises CollectionError when there are none.
    """
    from tqdm import tqdm

    said: list[tuple[float, ...]] = []
    true: list[int] = []
    for picture in tqdm(pictures_of(photos, "val", ()), desc="calibrating", unit="picture"):
        image = np.asarray(cv2.imread(str(picture.path), cv2.IMREAD_COLOR), np.uint8)
        height, width = image.shape[:2]
        boxes = picture.boxes * np.array([width, height, width, height], np.float32)
        found = finder.find(image)
        ours = np.array([die.box for die in found], np.float32).reshape(-1, 4)
        for f, t in match(ours, boxes):
            said.append(found[f].face_p)
            true.append(int(picture.faces[t]))
    return np.array(said, np.float64).reshape(-1, 6), np.array(true, np.int64)


def calibrate(
    photos: Path, closeup: Path | None = None, weights: Path | None = None
) -> tuple[Path, float]:
    """Fit the temperature of a close-up network (None: the shipped one) and note it in its file.

    Returns the file and the temperature. Raises CollectionError, vision.networks.ModelError.
    """
    finder = DiceFinder(weights, closeup)
    finder.closeup.temperature = 1.0
    temperature = fit_temperature(*found_dice(finder, photos))
    note_temperature(finder.closeup.path, temperature)
    return finder.closeup.path, temperature


def note_temperature(path: Path, temperature: float) -> None:
    """Write the temperature into a network's file, in one step so that a cut-off run leaves the old file."""
    import onnx

    network = onnx.load(str(path))
    notes = {entry.key: entry.value for entry in network.metadata_props}
    notes["temperature"] = json.dumps(temperature)
    del network.metadata_props[:]
    onnx.helper.set_model_props(network, notes)
    part = path.with_suffix(".part")
    onnx.save(network, str(part))
    os.replace(part, path)
