"""Train the close-up reader of faces: `lawn train-closeup`.

It learns the six faces and that something is no die at all: the places where the detector sees dice that are none in
the train pictures, and others chosen at random. Close-ups are cut anew in every epoch: turned a little, shifted and
zoomed as a detector's boxes are, mirrored, recoloured, given glare, and spoiled as cheap cameras do.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from datasets.tiles import relit, spoil
from models.checkpoint import start_from
from models.small_networks import stages, write_onnx
from models.small_training import set_up, starting_batches, train_epochs
from models.train import (
    Sample,
    TrainingError,
    TrainingPlan,
    make_sure_of_writing,
    training_pictures,
)
from vision.closeup import CROP_PX, DIE_SHARE, NO_DIE, close_up
from vision.crop_input import as_input_by_die
from vision.detect import Detector
from vision.overlap import overlaps

WIDTHS = (32, 64, 96, 128, 160)
"""Channels of the network's stages."""
FOUND_PX = 40.0
"""Side of the places that are taken at random from a picture without dice, px."""
SHADOWS = 4.0
"""How many times larger than in a tile of many dice a shadow is in a close-up of one."""
CLEAR_OVERLAP = 0.15
"""A place that overlaps (IoU) a die by less than this holds no die."""


@dataclass(frozen=True)
class CloseUpPlan:
    """epochs: times that every die is seen; at most `most_of_a_picture` dice are taken from one picture an epoch, so
    that a few crowded pictures do not outweigh the others, and at most `most_empty` places without a die."""

    epochs: int = 30
    batch: int = 128
    learning_rate: float = 0.003
    seed: int = 20
    most_of_a_picture: int = 12
    most_empty: int = 4


SMOKE = CloseUpPlan(epochs=1, batch=16)
"""A run of seconds that learns nothing of use."""


def random_close_up(
    image: NDArray[np.uint8], box: NDArray[np.float32], rng: np.random.Generator
) -> NDArray[np.uint8]:
    """A close-up (CROP_PX, CROP_PX, 3) of a die as training sees it."""
    x0, y0, x1, y1 = (float(edge) for edge in box)
    crop = close_up(
        image,
        (x0, y0, x1, y1),
        turn=rng.normal(0, 0.15),  # what is up tells the top face from the sides
        shift=(rng.normal(0, 0.03), rng.normal(0, 0.03)),
        zoom=math.exp(rng.normal(0.03, 0.07)),
    )
    if rng.random() < 0.5:
        crop = crop[:, ::-1]  # a mirrored face keeps its count
    if rng.random() < 0.4:  # a small die
        side = int(rng.integers(18, 48))
        small = cv2.resize(crop, (side, side), interpolation=cv2.INTER_AREA)
        crop = np.asarray(cv2.resize(small, (CROP_PX, CROP_PX)), np.uint8)
    if rng.random() < 0.6:
        hsv = cv2.cvtColor(np.ascontiguousarray(crop), cv2.COLOR_BGR2HSV).astype(np.float32)
        hsv[..., 0] = (hsv[..., 0] + rng.uniform(0, 180)) % 180
        hsv[..., 1] = np.clip(hsv[..., 1] * rng.uniform(0.2, 1.6), 0, 255)
        crop = np.asarray(cv2.cvtColor(hsv.astype(np.uint8), cv2.COLOR_HSV2BGR), np.uint8)
    if rng.random() < 0.25:
        crop = add_glare(np.ascontiguousarray(crop), rng)
    if rng.random() < 0.1:
        crop = 255 - crop  # light pips on dark dice and dark on light
    return spoil(relit(np.ascontiguousarray(crop), rng, SHADOWS), rng)


def add_glare(crop: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Reflections of a window or a tube on a glossy face: one or two bright streaks, here and there broken.

    crop (CROP_PX, CROP_PX, 3) uint8 BGR; returns the same shape and type.
    """
    light = np.zeros((CROP_PX, CROP_PX), np.float32)
    for _ in range(int(rng.integers(1, 3))):
        middle = CROP_PX / 2 + rng.normal(0, 8, 2)
        turn, reach = rng.uniform(0, math.pi), rng.uniform(6, 24)
        along = np.array([math.cos(turn), math.sin(turn)]) * reach
        width = int(rng.integers(1, 5))
        pieces = int(rng.integers(1, 4))
        for piece in range(pieces):
            ends = np.sort(rng.uniform(piece / pieces, (piece + 1) / pieces, 2)) * 2 - 1
            start, stop = (tuple(np.rint(middle + along * end).astype(int)) for end in ends)
            cv2.line(light, start, stop, 1.0, width)
    light = cv2.GaussianBlur(light, (0, 0), rng.uniform(0.5, 1.6)) * rng.uniform(0.5, 1.2)
    share = np.clip(light, 0, 1)[..., None]
    return np.asarray(crop * (1 - share) + 255 * share, np.uint8)


def build_network() -> Any:
    """The network: five stages of two 3x3 convolutions, each but the last halving the picture; (N, 7) logits, six
    faces and no die."""
    import torch

    return torch.nn.Sequential(
        *stages(WIDTHS, halving=len(WIDTHS) - 1),
        torch.nn.AdaptiveAvgPool2d(1),
        torch.nn.Flatten(),
        torch.nn.Dropout(0.1),
        torch.nn.Linear(WIDTHS[-1], NO_DIE + 1),
    )


def with_empty_places(
    sample: Sample, detector: Detector | None, rng: np.random.Generator
) -> Sample:
    """A picture's dice and, with face 0, places where there is none.

    These are what the detector takes for dice (None: nothing) and two squares chosen at random, all of the size of a
    die and clear of the true ones.
    """
    image, boxes, faces = sample
    height, width = image.shape[:2]
    empty = [die.box for die in detector.find(image)] if detector else []
    side = FOUND_PX
    if len(boxes):
        side = float(np.median(np.sqrt(np.prod(boxes[:, 2:] - boxes[:, :2], axis=1))))
    for _ in range(2):
        x, y = rng.uniform(0, max(width - side, 1)), rng.uniform(0, max(height - side, 1))
        empty.append((x, y, x + side, y + side))
    places = np.array(empty, np.float32)
    clear = overlaps(places, boxes).max(1, initial=0.0) < CLEAR_OVERLAP
    places = places[clear]
    return (
        image,
        np.concatenate([boxes, places]),
        np.concatenate([faces, np.zeros(len(places), np.int64)]),
    )


def train_closeup(
    source: TrainingPlan,
    plan: CloseUpPlan,
    folder: Path,
    out: Path,
    detector: Path | None = None,
    threads: int | None = None,
    start: Path | None = None,
) -> Path:
    """Train on the pictures of a detector's plan and write the network to `out` (.onnx).

    start: an earlier run whose weights are gone on from, its closeup.pt or what was exported of it (.onnx).

    detector: weights (.onnx) whose false boxes are learned as no dice; None for none. threads: of the processor, None
    for all. The checkpoint in `folder` is gone on from when it is of the same plans. Raises TrainingError,
    CollectionError, vision.networks.ModelError.
    """
    make_sure_of_writing(out)
    readers = training_pictures(source)
    if not readers:
        raise TrainingError(
            "Nothing to train on: give photographs (--photos) or drawn tables (--drawn)."
        )
    finder = Detector(detector) if detector else None
    rng = np.random.default_rng(plan.seed)
    samples: list[Sample] = []
    for reader in tqdm(readers, desc="reading pictures", unit="picture"):
        samples.append(with_empty_places(reader(), finder, rng))
    network = fit(samples, plan, folder, repr(source), threads, start)
    return export_closeup(network, out)


def fit(
    samples: list[Sample],
    plan: CloseUpPlan,
    folder: Path,
    made_of: str,
    threads: int | None = None,
    start: Path | None = None,
) -> Any:
    """The network trained on the dice and empty places (face 0) of some pictures; made_of: where these are from, told
    by the checkpoint in `folder`."""
    import torch

    def loss_of(batch: Sequence[tuple[int, int]], rng: np.random.Generator) -> torch.Tensor:
        scores = network(torch.from_numpy(_crops(samples, batch, rng)))
        faces = torch.tensor([(int(samples[i][2][die]) - 1) % (NO_DIE + 1) for i, die in batch])
        # A hundredth or two of the labels are wrong; smoothing keeps them from being learned by heart.
        return torch.nn.functional.cross_entropy(scores, faces, label_smoothing=0.05)

    set_up(plan, threads)
    network = build_network()
    some = np.random.default_rng(plan.seed)
    if start is not None:
        first = starting_batches(
            _todo(samples, plan, some), plan, lambda batch: _crops(samples, batch, some)
        )
        start_from(start, network, first, "train-closeup", last="last")
    train_epochs(
        network,
        plan,
        folder / "closeup.pt",
        repr((made_of, plan)),
        sum(len(chosen_dice(faces, plan, some)) for _, _, faces in samples),
        lambda rng: _todo(samples, plan, rng),
        loss_of,
    )
    return network


def chosen_dice(
    faces: NDArray[np.int64], plan: CloseUpPlan, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Which of a picture's dice and empty places (face 0) an epoch takes: indices, at most as many as the plan says."""
    dice, empty = np.flatnonzero(faces > 0), np.flatnonzero(faces == 0)
    few = rng.choice(dice, min(len(dice), plan.most_of_a_picture), replace=False)
    # A picture of other things only is there for what it shows.
    most = plan.most_empty if len(dice) else plan.most_of_a_picture
    none = rng.choice(empty, min(len(empty), most), replace=False)
    return np.concatenate([few, none])


def _todo(
    samples: list[Sample], plan: CloseUpPlan, rng: np.random.Generator
) -> list[tuple[int, int]]:
    """What an epoch shows, in its order: (picture, which of its dice and empty places)."""
    todo: list[tuple[int, int]] = []
    for index, (_, _, faces) in enumerate(samples):
        todo += [(index, int(die)) for die in chosen_dice(faces, plan, rng)]
    rng.shuffle(todo)
    return todo


def _crops(
    samples: list[Sample], chosen: Sequence[tuple[int, int]], rng: np.random.Generator
) -> NDArray[np.float32]:
    """Close-ups of these dice as the network takes them."""
    crops = [random_close_up(samples[i][0], samples[i][1][die], rng) for i, die in chosen]
    return as_input_by_die(crops, DIE_SHARE)


def export_closeup(network: Any, out: Path) -> Path:
    """Write a trained network as .onnx; returns `out`. `lawn calibrate` notes its temperature in it.

    Its second output is what the last layer sees, so that `lawn teach` can learn that layer anew for a table.
    """
    import torch

    class WithFeatures(torch.nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.before, self.last = network[:-1], network[-1]

        def forward(self, crops: Any) -> Any:
            features = self.before(crops)
            return self.last(features), features

    last = network[-1]
    notes = {
        "last_weight": json.dumps(last.weight.detach().tolist()),
        "last_bias": json.dumps(last.bias.detach().tolist()),
    }
    return write_onnx(WithFeatures(), out, CROP_PX, ["logits", "features"], notes)
