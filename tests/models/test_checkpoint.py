"""Where a training goes on that was cut off."""

from __future__ import annotations

from pathlib import Path

import torch

from models.checkpoint import Checkpoint


def checkpoint(path: Path, marks: str, network: torch.nn.Module) -> Checkpoint:
    return Checkpoint(path, marks, network=network)


def test_a_run_goes_on_with_what_it_had(tmp_path: Path) -> None:
    torch.manual_seed(1)
    first, again = torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)
    path = tmp_path / "run.pt"
    assert checkpoint(path, "a plan", first).resume() == 0
    checkpoint(path, "a plan", first).save(3)
    assert [file.name for file in tmp_path.iterdir()] == ["run.pt"]
    assert checkpoint(path, "a plan", again).resume() == 3
    assert torch.equal(first.weight, again.weight)


def test_another_run_begins_anew(tmp_path: Path) -> None:
    first, other = torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)
    before = other.weight.clone()
    checkpoint(tmp_path / "run.pt", "a plan", first).save(3)
    assert checkpoint(tmp_path / "run.pt", "another plan", other).resume() == 0
    assert torch.equal(other.weight, before)
