"""Find dice and read their top faces with the shipped network, by default through ONNX Runtime.

The network is fully convolutional and reads dice best at the sizes it was trained on, so a picture is looked at twice:
once small, to learn how large its dice are, and then at the scale that brings them to the wanted size. Dice that fill a
picture are seen by neither, but for their pips: where few dice are seen, the picture is looked at from afar, too.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.letterbox import letterbox
from vision.networks import Backend, ModelError, open_network
from vision.overlap import holds, iou

FACES = 6
FIRST_LOOK_PX = 960
"""Longest side of the first look, px."""
WANTED_DIE_PX = 60.0
"""Size that the second look brings the middle die to, px."""
GOOD_DIE_PX = (45.0, 96.0)
"""No second look is needed when the middle die of the first has a size in this range, px."""
GOOD_SHRUNK_DIE_PX = (16.0, 100.0)
"""The same where the first look had to shrink the picture: there a larger one costs more than it finds."""
SURELY = 0.6
"""Where the middle confidence of the first look is this or more, it saw dice: of pips it is below 0.5, of real dice on
sheets of paper, which look like large dice from afar, above 0.7."""
FEW = 16
"""With no more dice than this in a doubtful first look, one from afar is taken: a table in play shows more."""
PIP_PX = 30.0
"""The same where the middle die of the first look is smaller than this, px: it may be a pip."""
FAR_PX = 320
"""Longest side of the look from afar, px: the network knows dice that fill a third of it."""
CLOSE_DIE_PX = 75.0
"""Dice that are larger in the first look than this are near the end of what the network knows, or beyond."""
PIP_SHARE = 0.13
"""A pip is at least so large a share of its die: boxes of pips are 0.17 to 0.25 of it. Of a mat that looks like one
large die from afar the dice on it are a tenth."""
CLEARLY = 0.3
"""Confidence of a die seen from afar that is believed."""
LONGEST_PX = 1920
"""Longest side of any look, px: bounds the time that a picture can take."""
MOST_ENLARGED = 2.0
"""Enlarging a picture further than this only shows blur."""
LEAST_FOUND = 0.25
"""Detections of lower confidence are dropped."""
SAME_DIE_IOU = 0.55
"""Boxes that overlap by more than this are the same die."""


@dataclass(frozen=True)
class Detection:
    """A die found: box x0 y0 x1 y1 in picture px, confidence that it is a die 0..1, P(face 1..6) summing to 1."""

    box: tuple[float, float, float, float]
    found_p: float
    face_p: tuple[float, ...]

    @property
    def size_px(self) -> float:
        """Square root of the box's area, px."""
        x0, y0, x1, y1 = self.box
        return math.sqrt(max(x1 - x0, 0) * max(y1 - y0, 0))


def shipped_weights(name: str) -> Path:
    """A network that comes with the product, by its file's name.

    Raises ModelError when it is not there.
    """
    path = Path(str(resources.files("models") / name))
    if not path.is_file():
        raise ModelError(
            f"The shipped weights {path.name} are missing; install the product again or give a file of weights."
        )
    return path


class Detector:
    """The face detector.

    weights: an .onnx made by `lawn export` (for the backend "ultralytics" a .pt made by `lawn train`), or None for the
    shipped one. Raises ModelError when it is unusable.
    """

    def __init__(self, weights: Path | None = None, backend: Backend = "onnxruntime") -> None:
        if backend == "ultralytics" and weights is None:
            raise ModelError(
                "--backend ultralytics runs weights of your own; name them with --weights FILE.pt."
            )
        path = weights or shipped_weights("face-detector.onnx")
        self._network = open_network(path, backend)
        meta = self._network.notes
        try:
            names: dict[str, str] = json.loads(meta["names"])
            self.stride = int(meta["stride"])
        except (KeyError, ValueError) as error:
            raise ModelError(
                f"{path}: not made by 'lawn export' (its class names or stride are missing)."
            ) from error
        if list(names.values()) != [str(face) for face in range(1, FACES + 1)]:
            raise ModelError(
                f"{path}: its classes are {list(names.values())}, not the faces 1 to 6."
            )
        self.path = path

    def find(self, image: NDArray[np.uint8]) -> list[Detection]:
        """Find the dice of a picture, (H, W, 3) uint8 BGR, best found first."""
        longest = max(image.shape[:2])
        first = min(FIRST_LOOK_PX / longest, 1.0)
        seen = self.look(image, first)
        close = self._close_by(image, seen, first)
        if close:
            size = float(np.median([die.size_px for die in close]))
            return self.look(image, min(WANTED_DIE_PX / size, 1.0))
        second = self.better_scale(seen, first, longest)
        return seen if second is None else self.look(image, second)

    def _close_by(
        self, image: NDArray[np.uint8], seen: list[Detection], first: float
    ) -> list[Detection]:
        """The dice that fill so much of a picture that a look at the scale `first` saw nothing of them or their pips
        only: these are `seen`. [] when there is none, or when most of them were seen rightly."""
        if seen and float(np.median([die.found_p for die in seen])) >= SURELY:
            return []
        if len(seen) > FEW and float(np.median([die.size_px for die in seen])) * first >= PIP_PX:
            return []
        far = self.look(image, min(FAR_PX / max(image.shape[:2]), first))
        close = [
            die for die in far if die.found_p >= CLEARLY and die.size_px * first > CLOSE_DIE_PX
        ]
        best = [max((iou(die.box, each.box) for each in seen), default=0.0) for die in close]
        known = sum(each > SAME_DIE_IOU for each in best)
        within = sum(
            any(
                holds(die.box, each.box) and each.size_px > PIP_SHARE * die.size_px for die in close
            )
            for each in seen
        )
        pips = within - known
        if 2 * within < len(seen) or len(close) - known + pips <= known:
            return []
        return close

    def better_scale(self, seen: list[Detection], scale: float, longest: int) -> float | None:
        """The scale at which to look again, or None when the first look was good.

        seen: what was found at `scale`; longest: the picture's longest side, px.
        """
        most = min(MOST_ENLARGED, LONGEST_PX / longest)
        if not seen:
            # Nothing was found: the dice may be too small to be seen at all in the first look.
            wanted = min(1.0, most)
        else:
            size = float(np.median([die.size_px for die in seen])) * scale
            low, high = GOOD_SHRUNK_DIE_PX if scale < 1 else GOOD_DIE_PX
            if low <= size <= high:
                return None
            wanted = min(scale * WANTED_DIE_PX / size, most)
        return wanted if abs(math.log(wanted / scale)) > 0.1 else None

    def look(self, image: NDArray[np.uint8], scale: float) -> list[Detection]:
        """Find the dice of a picture (H, W, 3) uint8 BGR, shown to the network resized by `scale`."""
        shown, boxed = letterbox(image, scale, self.stride)
        blob = np.ascontiguousarray(shown[..., ::-1].transpose(2, 0, 1)[None], np.float32)
        blob /= 255
        output = self._network.run(blob)
        # (4 + 6, N): box centre and size in input px, then one independent score a face.
        rows = output[0].T
        # Scores of the six faces are independent: that there is a die is that not all of them are wrong.
        found_p = 1 - np.prod(1 - rows[:, 4:], axis=1)
        rows, found_p = rows[found_p >= LEAST_FOUND], found_p[found_p >= LEAST_FOUND]
        centre, size = rows[:, :2], rows[:, 2:4]
        boxes = boxed.to_picture(np.concatenate([centre - size / 2, centre + size / 2], axis=1))
        face_p = self.face_probabilities(rows[:, 4:])
        found = []
        for index in _best_of_each_die(boxes, found_p):
            x0, y0, x1, y1 = (float(v) for v in boxes[index])
            found.append(
                Detection(
                    (x0, y0, x1, y1), float(found_p[index]), tuple(float(p) for p in face_p[index])
                )
            )
        return found

    def look_in(
        self, image: NDArray[np.uint8], window: tuple[int, int, int, int], die_px: float
    ) -> list[Detection]:
        """Find the dice in a window x0 y0 x1 y1 px of a picture (H, W, 3) uint8 BGR, at the scale that brings dice of
        `die_px` to the wanted size; boxes are in px of the picture."""
        x0, y0, x1, y1 = window
        part = np.ascontiguousarray(image[y0:y1, x0:x1])
        scale = min(WANTED_DIE_PX / die_px, MOST_ENLARGED, LONGEST_PX / max(part.shape[:2]))
        found = []
        for die in self.look(part, scale):
            left, top, right, bottom = die.box
            found.append(replace(die, box=(left + x0, top + y0, right + x0, bottom + y0)))
        return found

    def face_probabilities(self, scores: NDArray[np.float32]) -> NDArray[np.float64]:
        """P(face) (N, 6), rows summing to 1, from the network's independent scores (N, 6) in 0..1.

        The scores are independent, so their logits are made one distribution by a softmax.
        """
        clipped = np.clip(scores.astype(np.float64), 1e-6, 1 - 1e-6)
        logits = np.log(clipped / (1 - clipped))
        logits -= logits.max(1, keepdims=True)
        weights = np.exp(logits)
        return np.asarray(weights / weights.sum(1, keepdims=True))


def _best_of_each_die(boxes: NDArray[np.float32], scores: NDArray[np.float32]) -> list[int]:
    """Indices of the boxes (N, 4) that stay after non-maximum suppression over all faces, best first."""
    if not len(boxes):
        return []
    sides = [[float(x0), float(y0), float(x1 - x0), float(y1 - y0)] for x0, y0, x1, y1 in boxes]
    kept = cv2.dnn.NMSBoxes(sides, [float(s) for s in scores], LEAST_FOUND, SAME_DIE_IOU)
    return [int(index) for index in np.asarray(kept).ravel()]
