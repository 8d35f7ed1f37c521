"""Trained weights read back from an exported network, so that training can go on from what ships.

An export has every batch normalisation folded into the convolution before it. Put back with neutral numbers, the
normalisation would wreck the network with the first batch that it is shown; so its means and spreads are measured
again on training pictures, which leaves what the network computes as it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import torch

Tensors = dict[str, NDArray[np.float32]]


class ExportedError(ValueError):
    """The file is not an export of this network; the message says so."""


def load_exported(exported: Path) -> Any:
    """The network in an .onnx file, an onnx.ModelProto. Raises ExportedError."""
    import onnx

    try:
        return onnx.load(str(exported))
    except Exception as error:  # protobuf raises its own kinds for a bad file
        raise ExportedError(f"{exported}: this is not an exported network (.onnx).") from error


def tensors_of(exported: Path) -> Tensors:
    """The weights in an .onnx file by their names, in the order in which they stand there. Raises ExportedError."""
    import onnx

    graph = load_exported(exported).graph
    return {each.name: onnx.numpy_helper.to_array(each) for each in graph.initializer}


def normalised(network: torch.nn.Module) -> Iterator[tuple[str, Any, Any]]:
    """Each convolution that a batch normalisation follows: its name, itself, the normalisation."""
    import torch

    before: tuple[str, Any] | None = None
    for name, module in network.named_modules():
        if isinstance(module, torch.nn.Conv2d):
            before = (name, module)
        elif isinstance(module, torch.nn.BatchNorm2d) and before is not None:
            yield (*before, module)
            before = None


def put_back(
    network: torch.nn.Module,
    tensors: Tensors,
    pictures: Iterable[torch.Tensor],
    source: Path,
    in_order: bool = False,
) -> None:
    """Give a network with batch normalisation the weights of its own export.

    pictures: batches as the network is trained on, for the means and spreads; without any the normalisations are left
    neutral, for a network that is not trained on. in_order: the export's names of folded
    convolutions say nothing (those of the small networks), so these are taken in their order. Raises ExportedError
    when a weight is missing or of another shape.
    """
    import torch

    pairs = list(normalised(network))
    folded = dict(tensors)
    if in_order:
        named = dict(network.named_parameters())
        kernels = [name for name, each in tensors.items() if each.ndim == 4 and name not in named]
        if len(kernels) != len(pairs):
            raise ExportedError(f"{source}: an export of another network than this version trains.")
        for (name, _, _), kernel in zip(pairs, kernels, strict=True):
            following = list(tensors)[list(tensors).index(kernel) + 1]
            folded[f"{name}.weight"], folded[f"{name}.bias"] = tensors[kernel], tensors[following]
    biases: dict[Any, torch.Tensor] = {}
    with torch.no_grad():
        for name, conv, norm in pairs:
            conv.weight.copy_(_fitting(folded, f"{name}.weight", conv.weight, source))
            biases[norm] = _fitting(folded, f"{name}.bias", norm.bias, source)
            norm.weight.fill_(1)
            norm.bias.copy_(biases[norm])
            norm.running_mean.zero_()
            norm.running_var.fill_(1 - norm.eps)
        inside = {id(each) for _, conv, norm in pairs for each in (conv.weight, *norm.parameters())}
        for name, value in network.named_parameters():
            if id(value) not in inside and value.requires_grad:
                value.copy_(_fitting(folded, name, value, source))
        _measure(network, {norm: conv for _, conv, norm in pairs}, biases, pictures)


def _fitting(tensors: Tensors, name: str, wanted: torch.Tensor, source: Path) -> torch.Tensor:
    import torch

    found = tensors.get(name)
    if found is None or tuple(found.shape) != tuple(wanted.shape):
        raise ExportedError(f"{source}: an export of another network than this version trains.")
    return torch.from_numpy(np.array(found)).to(wanted.dtype)


def _measure(
    network: torch.nn.Module,
    convolutions: dict[Any, Any],
    biases: dict[Any, torch.Tensor],
    pictures: Iterable[torch.Tensor],
) -> None:
    """Measure what comes out of each convolution and let the normalisation undo just that."""
    import torch

    sums = {norm: torch.zeros(2, len(bias), dtype=torch.float64) for norm, bias in biases.items()}
    counts = dict.fromkeys(biases, 0)

    def watched(norm: Any) -> Any:
        def take(_module: Any, _inputs: Any, out: torch.Tensor) -> None:
            flat = out.detach().double().transpose(0, 1).flatten(1)
            sums[norm] += torch.stack([flat.sum(1), (flat * flat).sum(1)])
            counts[norm] += flat.shape[1]

        return take

    hooks = [conv.register_forward_hook(watched(norm)) for norm, conv in convolutions.items()]
    trained = network.training
    network.eval()
    for batch in pictures:
        network(batch)
    for hook in hooks:
        hook.remove()
    network.train(trained)
    for norm, bias in biases.items():
        if not counts[norm]:
            continue
        mean, square = sums[norm] / max(counts[norm], 1)
        spread = (square - mean * mean).clamp(min=1e-6)
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(spread)
        norm.weight.copy_((spread + norm.eps).sqrt())
        norm.bias.copy_(bias + mean)
