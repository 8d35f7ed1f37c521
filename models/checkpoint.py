"""A training that was cut off goes on from the end of its last whole epoch."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any


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
