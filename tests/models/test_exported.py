"""Weights read back from what was exported: the network goes on computing what it did."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from models.exported import ExportedError, put_back, tensors_of
from models.train_closeup import build_network, export_closeup
from vision.closeup import CROP_PX

if TYPE_CHECKING:
    import torch


def crops(seed: int, count: int = 16) -> torch.Tensor:
    import torch

    chance = torch.Generator().manual_seed(seed)
    return torch.randn(count, 3, CROP_PX, CROP_PX, generator=chance)


@pytest.fixture(scope="module")
def trained() -> Any:
    """A close-up network after some steps of training: its normalisations have seen something."""
    import torch

    torch.manual_seed(7)
    network = build_network().train()
    optimizer = torch.optim.AdamW(network.parameters(), lr=0.003)
    for seed in range(4):
        loss = torch.nn.functional.cross_entropy(network(crops(seed)), torch.arange(16) % 7)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return network


def read_back(exported: Path, pictures: list[torch.Tensor]) -> Any:
    network = build_network()
    tensors = {
        name.replace("last.", f"{len(network) - 1}."): tensor
        for name, tensor in tensors_of(exported).items()
    }
    put_back(network, tensors, pictures, exported, in_order=True)
    return network


def test_an_export_that_is_read_back_computes_what_was_exported(
    trained: Any, tmp_path: Path
) -> None:
    import torch

    exported = export_closeup(trained, tmp_path / "closeup.onnx")
    network = read_back(exported, [crops(20)])
    with torch.no_grad():
        assert torch.allclose(network.eval()(crops(21)), trained.eval()(crops(21)), atol=1e-4)


def test_training_goes_on_from_it_without_a_jump(trained: Any, tmp_path: Path) -> None:
    import torch

    exported = export_closeup(trained, tmp_path / "closeup.onnx")
    network = read_back(exported, [crops(20, 64), crops(22, 64)])
    network[-2].p = 0.0  # what drops out is left to chance
    with torch.no_grad():
        still = network.eval()(crops(20, 64))
        moving = network.train()(crops(20, 64))
    # In training each batch has its own means and spreads; measured ones keep that from mattering.
    assert float((moving - still).abs().mean()) < 0.1 * float(still.std())


def test_an_export_of_another_network_is_refused(trained: Any, tmp_path: Path) -> None:
    exported = export_closeup(trained, tmp_path / "closeup.onnx")
    tensors = tensors_of(exported)
    kernel = next(name for name, tensor in tensors.items() if tensor.ndim == 4)
    tensors[kernel] = tensors[kernel][:-1]
    with pytest.raises(ExportedError, match=r"closeup\.onnx: an export of another network"):
        put_back(build_network(), tensors, [], exported, in_order=True)


def test_a_file_that_is_no_network_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "torn.onnx"
    path.write_bytes(b"torn")
    with pytest.raises(ExportedError, match=r"torn\.onnx: this is not an exported network"):
        tensors_of(path)
