"""How a small network of the second stage is trained: in epochs of batches that are cut anew each time."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np
from tqdm import tqdm

from models.checkpoint import Checkpoint

if TYPE_CHECKING:
    import torch

Example = TypeVar("Example")

STARTING_BATCHES = 12
"""Batches on which an export's normalisations are measured before training goes on from it."""


class Steps(Protocol):
    """A plan's part that says how it is trained; `seed` is of all that is left to chance."""

    @property
    def epochs(self) -> int: ...
    @property
    def batch(self) -> int: ...
    @property
    def learning_rate(self) -> float: ...
    @property
    def seed(self) -> int: ...


def set_up(plan: Steps, threads: int | None) -> None:
    """What must be done before the network is built; threads: of the processor, None for all."""
    import torch

    torch.manual_seed(plan.seed)
    torch.set_num_threads(threads or os.cpu_count() or 1)


def starting_batches(
    examples: Sequence[Example], plan: Steps, inputs: Callable[[Sequence[Example]], Any]
) -> Iterator[torch.Tensor]:
    """The first examples, a batch at a time as the network takes them: for models.checkpoint.start_from.

    inputs: makes of a batch (N, 3, H, W) float32.
    """
    import torch

    for batch in batches(examples[: STARTING_BATCHES * plan.batch], plan.batch):
        yield torch.from_numpy(inputs(batch))


def batches(examples: Sequence[Example], size: int) -> list[Sequence[Example]]:
    """Parts of that size; the last one may be smaller."""
    return [examples[at : at + size] for at in range(0, len(examples), size)]


def train_epochs(
    network: Any,
    plan: Steps,
    file: Path,
    marks: str,
    an_epoch: int,
    shown: Callable[[np.random.Generator], Sequence[Example]],
    loss_of: Callable[[Sequence[Example], np.random.Generator], torch.Tensor],
    weight_decay: float = 0.02,
) -> None:
    """Train a network to the end of its plan.

    file: of the checkpoint, gone on from when its marks are these. an_epoch: examples that an epoch shows; shown:
    which, in their order; loss_of: the mean loss of a batch of them. What chance decides in an epoch follows from the
    plan's seed and the epoch's number alone, so that a run that was cut off ends as it would have.
    """
    import torch

    optimizer = torch.optim.AdamW(
        network.parameters(), lr=plan.learning_rate, weight_decay=weight_decay
    )
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer,
        plan.learning_rate,
        total_steps=plan.epochs * math.ceil(an_epoch / plan.batch) + 1,
        pct_start=0.1,
    )
    file.parent.mkdir(parents=True, exist_ok=True)
    checkpoint = Checkpoint(file, marks, network=network, optimizer=optimizer, schedule=schedule)
    for epoch in range(checkpoint.resume(), plan.epochs):
        rng = np.random.default_rng([plan.seed, epoch])
        todo = batches(shown(rng), plan.batch)
        network.train()
        total, count = 0.0, 0
        for batch in tqdm(todo, desc=f"epoch {epoch + 1}", unit="step", leave=False):
            loss = loss_of(batch, rng)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            total += float(loss.detach()) * len(batch)
            count += len(batch)
        tqdm.write(f"epoch {epoch + 1}/{plan.epochs}: loss {total / max(count, 1):.4f}")
        checkpoint.save(epoch + 1)
