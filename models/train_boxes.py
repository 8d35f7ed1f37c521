"""Train the box refiner: `lawn train-boxes`.

It learns from made tables, whose boxes are exact, where the whole die's edges lie in the square around a box that is
wrong as a detector's are: the detector's own boxes of these dice, and true ones that were shifted, that took in a
shadow's width or lost a side face. Squares are cut anew in every epoch, mirrored, recoloured, overexposed, crossed by
shadows' edges, and spoiled as cheap cameras do.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from datasets.tiles import spoil
from models.checkpoint import start_from
from models.small_networks import stages, write_onnx
from models.small_training import set_up, starting_batches, train_epochs
from models.train import TrainingError, TrainingPlan, make_sure_of_writing, training_pictures
from vision.box_refiner import CROP_PX, REACH, Image, around
from vision.crop_input import as_input
from vision.detect import Detector
from vision.overlap import overlaps

WIDTHS = (24, 48, 64)
"""Channels of the network's stages."""
NARROW = 16
"""Channels that are left where places are joined."""
SAME_DIE = 0.4
"""Overlap (IoU) from which on a box of the detector is that of a true die."""
KEPT_PX = 64.0
"""Dice are kept no larger than this, px; the network sees them half as large."""
SURROUNDINGS = 1.6
"""How far from its middle a die's surroundings are kept, in longer sides of its box."""


@dataclass(frozen=True)
class BoxPlan:
    """epochs: times that every die is seen."""

    epochs: int = 30
    batch: int = 128
    learning_rate: float = 0.003
    seed: int = 20


SMOKE = BoxPlan(epochs=1, batch=16)
"""A run of seconds that learns nothing of use."""


@dataclass(frozen=True)
class Example:
    """What lies around a die (H, W, 3) uint8 BGR, its true box (4,) px in it, and the detector's, NaN: none."""

    image: Image
    true: NDArray[np.float64]
    seen: NDArray[np.float64]


def examples_of(
    image: Image, boxes: NDArray[np.float32], detector: Detector | None
) -> list[Example]:
    """The dice of a picture, each with its surroundings and what the detector (None: nothing) sees of it."""
    true = np.asarray(boxes, np.float64).reshape(-1, 4)
    seen = np.full(true.shape, np.nan)
    found = np.array([die.box for die in detector.find(image)] if detector else [], np.float32)
    if len(found) and len(true):
        shared = overlaps(found.reshape(-1, 4), true.astype(np.float32))
        for die, at in enumerate(shared.argmax(0)):
            if shared[at, die] >= SAME_DIE and shared[at].argmax() == die:
                seen[die] = found[at]
    return [_cut_out(image, *both) for both in zip(true, seen, strict=True)]


def _cut_out(image: Image, true: NDArray[np.float64], seen: NDArray[np.float64]) -> Example:
    """A die with its surroundings, so that whole pictures need not be kept."""
    longer = max(true[2] - true[0], true[3] - true[1])
    middle = (true[:2] + true[2:]) / 2
    low = np.maximum(np.floor(middle - SURROUNDINGS * longer), 0).astype(int)
    high = np.ceil(middle + SURROUNDINGS * longer).astype(int)
    part = image[low[1] : high[1], low[0] : high[0]]
    share = np.ones(2)
    if longer > KEPT_PX:
        small = cv2.resize(
            part, None, fx=KEPT_PX / longer, fy=KEPT_PX / longer, interpolation=cv2.INTER_AREA
        )
        share = np.array([small.shape[1] / part.shape[1], small.shape[0] / part.shape[0]])
        part = np.asarray(small, np.uint8)
    moved = [(box - np.tile(low, 2)) * np.tile(share, 2) for box in (true, seen)]
    return Example(part.copy(), moved[0], moved[1])


def wrong_box(
    true: NDArray[np.float64], seen: NDArray[np.float64], rng: np.random.Generator
) -> NDArray[np.float64]:
    """A box (4,) px as a detector might give it of a die: its own or the true one, made wrong."""
    base = seen if rng.random() < 0.6 and np.isfinite(seen).all() else true
    size = math.sqrt((true[2] - true[0]) * (true[3] - true[1]))
    off = rng.normal(0, 0.04, 4)
    if rng.random() < 0.4:  # a shadow or a neighbour beside it is taken in
        reach = rng.uniform(0, 0.4)
        turn = rng.uniform(0, 2 * math.pi)
        x, y = reach * math.cos(turn), reach * math.sin(turn)
        off += [min(x, 0), min(y, 0), max(x, 0), max(y, 0)]
    if rng.random() < 0.25:  # a side face is cut off
        side = int(rng.integers(4))
        off[side] += rng.uniform(0, 0.3) * (1 if side < 2 else -1)
    box = base + off * size
    return np.concatenate([box[:2], np.maximum(box[2:], box[:2] + 2)])


def random_square(one: Example, rng: np.random.Generator) -> tuple[Image, NDArray[np.float32]]:
    """What training sees of a die: a square (CROP_PX, CROP_PX, 3) and the true edges (4,) from its middle, sides."""
    box = wrong_box(one.true, one.seen, rng)
    centre = (box[:2] + box[2:]) / 2
    # Neighbours tell a die's size but for its turn; a lone die's box tells it badly.
    told, off = (box, 0.02) if rng.random() < 0.25 else (one.true, 0.08)
    size = math.sqrt((told[2] - told[0]) * (told[3] - told[1])) * math.exp(rng.normal(0, off))
    side = REACH * size
    mirrored = bool(rng.random() < 0.5)
    crop = around(one.image, centre, side, mirrored)
    edges = (one.true - np.tile(centre, 2)) / side
    if mirrored:
        edges[[0, 2]] = -edges[[2, 0]]
    return varied(crop, rng), edges.astype(np.float32)


def varied(crop: Image, rng: np.random.Generator, small_px: tuple[int, int] = (16, 40)) -> Image:
    """A square crop (SIDE, SIDE, 3) uint8 BGR under other light, by another camera; same shape and type.

    small_px: the least and largest side px that it has in a picture where dice are small.
    """
    whole = crop.shape[0]
    if rng.random() < 0.3:  # a small die
        side = int(rng.integers(*small_px))
        small = cv2.resize(crop, (side, side), interpolation=cv2.INTER_AREA)
        crop = np.asarray(cv2.resize(small, (whole, whole)), np.uint8)
    if rng.random() < 0.6:
        hsv = cv2.cvtColor(crop, cv2.COLOR_BGR2HSV).astype(np.float32)
        hsv[..., 0] = (hsv[..., 0] + rng.uniform(0, 180)) % 180
        hsv[..., 1] = np.clip(hsv[..., 1] * rng.uniform(0.2, 1.6), 0, 255)
        crop = np.asarray(cv2.cvtColor(hsv.astype(np.uint8), cv2.COLOR_HSV2BGR), np.uint8)
    if rng.random() < 0.3:
        crop = _crossed_by_a_shadow(crop, rng)
    if rng.random() < 0.2:  # white dice on a white mat that the camera shows as one
        crop = np.asarray(np.clip(crop * rng.uniform(1.0, 2.2), 0, 255), np.uint8)
    if rng.random() < 0.3:
        curve = (np.arange(256) / 255) ** math.exp(rng.uniform(-0.5, 0.5)) * 255
        crop = np.asarray(cv2.LUT(crop, curve.astype(np.uint8)), np.uint8)
    return spoil(np.ascontiguousarray(crop), rng)


def _crossed_by_a_shadow(crop: Image, rng: np.random.Generator) -> Image:
    """A crop of which a strip or all on one side of a line lies in the shade."""
    turn = rng.uniform(0, 2 * math.pi)
    whole = crop.shape[0]
    at = (np.arange(whole) + 0.5) / whole - 0.5
    along = at[None, :] * math.cos(turn) + at[:, None] * math.sin(turn)
    soft, start = rng.uniform(0.01, 0.12), rng.uniform(-0.5, 0.5)
    shade = np.clip((along - start) / soft, 0, 1)
    if rng.random() < 0.5:
        shade = shade * np.clip((start + rng.uniform(0.1, 0.5) - along) / soft, 0, 1)
    darker = 1 - rng.uniform(0.15, 0.7) * shade
    return np.asarray(crop * darker[..., None], np.uint8)


def build_network() -> Any:
    """The network: three stages of two 3x3 convolutions, each halving the picture; (N, 4) edges x0 y0 x1 y1 of the
    die from the square's middle, in sides of the square."""
    import torch

    places = (CROP_PX // 2 ** len(WIDTHS)) ** 2
    return torch.nn.Sequential(
        *stages(WIDTHS, halving=len(WIDTHS)),
        torch.nn.Conv2d(WIDTHS[-1], NARROW, 1),
        torch.nn.SiLU(),
        torch.nn.Flatten(),
        torch.nn.Linear(NARROW * places, 64),
        torch.nn.SiLU(),
        torch.nn.Linear(64, 4),
    )


def train_boxes(
    source: TrainingPlan,
    plan: BoxPlan,
    folder: Path,
    out: Path,
    detector: Path | None = None,
    threads: int | None = None,
    start: Path | None = None,
) -> Path:
    """Train on the pictures of a plan and write the network to `out` (.onnx).

    detector: weights (.onnx) whose boxes on made tables are learned from, too; None for none. threads: of the
    processor, None for all.
    start: an earlier run whose weights are gone on from, its boxes.pt or what was exported of it (.onnx). The
    checkpoint in `folder` is gone on from when it is of the same plans. Raises TrainingError, CollectionError,
    vision.networks.ModelError, models.exported.ExportedError.
    """
    make_sure_of_writing(out)
    photos = training_pictures(replace(source, drawn=()))
    made = training_pictures(replace(source, photos=None))
    if not photos and not made:
        raise TrainingError(
            "Nothing to train on: give made tables (--drawn) or photographs (--photos)."
        )
    # The detector was trained on the photographs: there its boxes are better than elsewhere.
    finder = Detector(detector) if detector else None
    todo = [*((reader, None) for reader in photos), *((reader, finder) for reader in made)]
    dice: list[Example] = []
    for reader, looks in tqdm(todo, desc="reading pictures", unit="picture"):
        image, boxes, _ = reader()
        dice += examples_of(image, boxes, looks)
    made_of = repr((source, detector, start))
    network = fit(dice, plan, folder, made_of, threads, start)
    return write_onnx(network, out, CROP_PX, ["edges"])


def fit(
    dice: list[Example],
    plan: BoxPlan,
    folder: Path,
    made_of: str,
    threads: int | None = None,
    start: Path | None = None,
) -> Any:
    """The network trained on some dice; made_of: where these are from, told by the checkpoint in `folder`."""
    import torch

    def inputs(batch: Sequence[Example], rng: np.random.Generator) -> Any:
        pairs = [random_square(one, rng) for one in batch]
        return as_input([crop for crop, _ in pairs]), np.stack([edges for _, edges in pairs])

    def loss_of(batch: Sequence[Example], rng: np.random.Generator) -> torch.Tensor:
        crops, edges = inputs(batch, rng)
        told = network(torch.from_numpy(crops))
        return torch.nn.functional.smooth_l1_loss(told, torch.from_numpy(edges), beta=0.02)

    def shown(rng: np.random.Generator) -> list[Example]:
        return [dice[at] for at in rng.permutation(len(dice))]

    set_up(plan, threads)
    network = build_network()
    if start is not None:
        some = np.random.default_rng(plan.seed)
        first = starting_batches(shown(some), plan, lambda batch: inputs(batch, some)[0])
        start_from(start, network, first, "train-boxes")
    train_epochs(
        network,
        plan,
        folder / "boxes.pt",
        repr((made_of, plan, len(dice))),
        len(dice),
        shown,
        loss_of,
        weight_decay=0.01,
    )
    return network
