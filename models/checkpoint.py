"""A training that was cut off goes on from the end of its last whole epoch."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from models.exported import put_back, tensors_of
from models.train import TrainingError

if TYPE_CHECKING:
    import torch


class Checkpoint:
    """The file of a training run.

    path: of the file, written whole or not at all. marks: what the run depends on; another run's file is
    not gone on with. parts: what has a state, such as the network, its optimizer and its schedule.
    """

    def __init__(self, path: Path, marks: str, **parts: Any) -> None:
        self.path = path
        self.marks = marks
        self.parts = parts

    def resume(self) -> int:
        """Put the parts back to where the file has them; returns how many epochs are done, 0 without it."""
        import torch

        if not self.path.is_file():
            return 0
        saved = torch.load(self.path, weights_only=True)
        if saved["marks"] != self.marks:
            return 0
        for name, part in self.parts.items():
            part.load_state_dict(saved[name])
        return int(saved["epoch"])

    def save(self, epochs: int) -> None:
        """Write the file: so many epochs are done."""
        import torch

        states = {name: part.state_dict() for name, part in self.parts.items()}
        part_written = self.path.with_suffix(".part")
        torch.save({"marks": self.marks, "epoch": epochs, **states}, part_written)
        os.replace(part_written, self.path)


def start_from(
    start: Path, network: Any, shown: Iterable[torch.Tensor], command: str, last: str = ""
) -> None:
    """Give a network the weights of an earlier run: a checkpoint of `command`, or what was exported of it (.onnx).

    shown: batches as it is trained on, for an export (see models.exported). last: what the export calls the
    network's last layer, where it is named by its part. Raises TrainingError, models.exported.ExportedError.
    """
    import torch

    if start.suffix == ".onnx":
        tensors = tensors_of(start)
        if last:
            number = f"{len(network) - 1}."
            tensors = {name.replace(f"{last}.", number): each for name, each in tensors.items()}
        put_back(network, tensors, shown, start, in_order=True)
        return
    try:
        network.load_state_dict(torch.load(start, weights_only=True)["network"])
    except Exception as error:  # torch raises a dozen kinds for a bad file
        raise TrainingError(
            f"{start}: not the checkpoint of 'lawn {command}' of this version (FOLDER/*.pt)."
        ) from error
