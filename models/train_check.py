"""Train the second look at what is doubted to be a die: `lawn train-check`.

It learns dice and what is none by what lies around them, from the boxes that the shipped detector and refiner give in
the train pictures: the dice among them, and what they take for dice in pictures of other things; most of all from what
the close-up reader takes for dice, too, or doubts. Squares are cut anew
in every epoch: shifted and zoomed as boxes are, mirrored, recoloured and spoiled as for the box refiner.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

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
from models.train_boxes import varied
from models.train_closeup import CLEAR_OVERLAP, with_empty_places
from vision.box_refiner import BoxRefiner, Image, around
from vision.closeup import CloseUpReader, close_up
from vision.crop_input import as_input
from vision.detect import Detector, shipped_weights
from vision.die_check import CROP_PX, DOUBTED, REACH, square
from vision.find import die_probability
from vision.overlap import Box, overlaps

WIDTHS = (24, 48, 72, 96)
"""Channels of the network's stages."""
KEPT_PX, KEPT_REACH = 96, 1.4 * REACH
"""Of what is kept around a box: its side px, and the same in die sizes."""
SAME_DIE = 0.5
"""Overlap (IoU) from which on a box is that of a true die."""
SMALL_PX = (32, 60)
"""Sides px that a square has in pictures where dice are small: of 12 to 23 px."""
LIKELY = 0.05
"""What is less likely a die from close up will hardly be asked about."""
WORTH = 4.0
"""How much oftener than others what will be asked about is shown."""


@dataclass(frozen=True)
class CheckPlan:
    """epochs: times that as many other things are shown as were found, and as many dice beside them.

    empty: whether places without a die that are chosen at random count as other things, too.
    """

    epochs: int = 20
    batch: int = 128
    learning_rate: float = 0.003
    seed: int = 20
    empty: bool = False


SMOKE = CheckPlan(epochs=1, batch=16, empty=True)
"""A run of seconds that learns nothing of use."""


@dataclass
class Places:
    """What lies around some boxes.

    kept: (KEPT_PX, KEPT_PX, 3) uint8 BGR each; worth: how much oftener than others each is shown.
    """

    kept: list[Image] = field(default_factory=list)
    worth: list[float] = field(default_factory=list)

    def add(self, image: Image, box: Box, asked: bool) -> None:
        """A box px of a picture; asked: whether the product would ask about it."""
        self.kept.append(around(image, *square(box, KEPT_REACH), px=KEPT_PX))
        self.worth.append(WORTH if asked else 1.0)

    def chosen(self, count: int, rng: np.random.Generator) -> list[Image]:
        """So many of them, some perhaps more than once."""
        odds = np.array(self.worth) / sum(self.worth)
        return [self.kept[at] for at in rng.choice(len(self.kept), count, p=odds)]


class Finders:
    """What finds dice, and how surely they are dice from close up.

    detector, boxes, closeup: .onnx of the three networks, None for the shipped ones.
    """

    def __init__(
        self, detector: Path | None = None, boxes: Path | None = None, closeup: Path | None = None
    ) -> None:
        self._detector = Detector(detector)
        self._refiner = BoxRefiner(boxes or shipped_weights("box-refiner.onnx"))
        self._closeup = CloseUpReader(closeup or shipped_weights("face-closeup.onnx"))

    def found(self, image: Image) -> list[tuple[Box, float]]:
        """Boxes px of a picture (H, W, 3) uint8 BGR, and P(die) of each."""
        boxes = self._refiner.refined(image, [die.box for die in self._detector.find(image)])
        logits = self._closeup.logits([close_up(image, box) for box in boxes])
        return [(box, die_probability(row)) for box, row in zip(boxes, logits, strict=True)]


def add_places(
    sample: Sample, found: Sequence[tuple[Box, float]], dice: Places, things: Places
) -> None:
    """Add a picture's dice, as they were found or else as they are, and what was found there besides.

    found: boxes px and how surely each is a die from close up.
    """
    image, true, _ = sample
    boxes = np.array([box for box, _ in found], np.float32).reshape(-1, 4)
    shared = overlaps(boxes, true.reshape(-1, 4))
    for (box, die_p), best in zip(found, shared.max(1, initial=0.0), strict=True):
        if best >= SAME_DIE:
            dice.add(image, box, asked=die_p < DOUBTED)
        elif best < CLEAR_OVERLAP:
            things.add(image, box, asked=die_p > LIKELY)
    missed = shared.max(0, initial=0.0) < SAME_DIE
    for x0, y0, x1, y1 in true[missed].tolist():
        dice.add(image, (x0, y0, x1, y1), asked=False)


def random_square(kept: Image, rng: np.random.Generator) -> Image:
    """What training sees of a box: (CROP_PX, CROP_PX, 3) uint8 BGR."""
    size = KEPT_PX / KEPT_REACH
    centre = KEPT_PX / 2 + rng.normal(0, 0.05, 2) * size
    side = REACH * size * math.exp(rng.normal(0, 0.08))
    return varied(around(kept, centre, side, bool(rng.random() < 0.5), CROP_PX), rng, SMALL_PX)


def build_network() -> Any:
    """The network: four stages of two 3x3 convolutions, each halving the picture; (N, 1) logit of a die."""
    import torch

    return torch.nn.Sequential(
        *stages(WIDTHS, halving=len(WIDTHS)),
        torch.nn.AdaptiveAvgPool2d(1),
        torch.nn.Flatten(),
        torch.nn.Dropout(0.1),
        torch.nn.Linear(WIDTHS[-1], 1),
    )


def train_check(
    source: TrainingPlan,
    plan: CheckPlan,
    folder: Path,
    out: Path,
    finders: Finders | None = None,
    threads: int | None = None,
    start: Path | None = None,
) -> Path:
    """Train on the pictures of a plan and write the network to `out` (.onnx).

    finders: whose boxes are looked at, None: the shipped networks. threads: of the processor, None for all.
    start: an earlier run whose weights are gone on from, its check.pt or what was exported of it (.onnx). The
    checkpoint in `folder` is gone on from when it is of the same plans. Raises TrainingError, CollectionError,
    vision.networks.ModelError, models.exported.ExportedError.
    """
    make_sure_of_writing(out)
    readers = training_pictures(source)
    if not readers:
        raise TrainingError(
            "Nothing to train on: give photographs (--photos) or drawn tables (--drawn)."
        )
    finders = finders or Finders()
    dice, things = Places(), Places()
    rng = np.random.default_rng(plan.seed)
    for reader in tqdm(readers, desc="reading pictures", unit="picture"):
        sample = reader()
        found = finders.found(sample[0])
        if plan.empty:
            _, boxes, faces = with_empty_places(sample, None, rng)
            found += [((x0, y0, x1, y1), 0.0) for x0, y0, x1, y1 in boxes[faces == 0].tolist()]
        add_places(sample, found, dice, things)
    if not dice.kept or not things.kept:
        raise TrainingError(
            "Both dice and other things must be found in the pictures: add some of "
            "'lawn render --engine traced --distractors-only'."
        )
    network = fit(dice, things, plan, folder, repr((source, start)), threads, start)
    return write_onnx(network, out, CROP_PX, ["die"])


def fit(
    dice: Places,
    things: Places,
    plan: CheckPlan,
    folder: Path,
    made_of: str,
    threads: int | None = None,
    start: Path | None = None,
) -> Any:
    """The network trained on some places; made_of: where these are from, told by the checkpoint in `folder`."""
    import torch

    many = len(things.kept)

    def shown(rng: np.random.Generator) -> list[tuple[Image, float]]:
        both = [
            *((kept, 1.0) for kept in dice.chosen(many, rng)),
            *((kept, 0.0) for kept in things.chosen(many, rng)),
        ]
        return [both[at] for at in rng.permutation(len(both))]

    def crops(batch: Sequence[tuple[Image, float]], rng: np.random.Generator) -> Any:
        return as_input([random_square(kept, rng) for kept, _ in batch])

    def loss_of(batch: Sequence[tuple[Image, float]], rng: np.random.Generator) -> torch.Tensor:
        told = network(torch.from_numpy(crops(batch, rng)))[:, 0]
        # A label or two in a hundred is wrong, and 'surely' should be rare.
        wanted = torch.tensor([0.02 + 0.96 * die for _, die in batch])
        return torch.nn.functional.binary_cross_entropy_with_logits(told, wanted)

    set_up(plan, threads)
    network = build_network()
    if start is not None:
        some = np.random.default_rng(plan.seed)
        first = starting_batches(shown(some), plan, lambda batch: crops(batch, some))
        start_from(start, network, first, "train-check")
    train_epochs(
        network,
        plan,
        folder / "check.pt",
        repr((made_of, plan, len(dice.kept), many)),
        2 * many,
        shown,
        loss_of,
    )
    return network
