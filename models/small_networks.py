"""What the small networks of the second stage have in common: their first layers, and their file."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any


def stages(widths: Sequence[int], halving: int) -> list[Any]:
    """Layers of a stage for each width: two 3x3 convolutions, the first of which halves the picture (N, 3, H, W) in the
    first `halving` stages."""
    import torch

    layers: list[Any] = []
    before = 3
    for stage, width in enumerate(widths):
        for repeat in range(2):
            stride = 2 if repeat == 0 and stage < halving else 1
            layers += [
                torch.nn.Conv2d(before, width, 3, stride, 1, bias=False),
                torch.nn.BatchNorm2d(width),
                torch.nn.SiLU(),
            ]
            before = width
    return layers


def write_onnx(
    network: Any,
    out: Path,
    side_px: int,
    outputs: Sequence[str],
    notes: Mapping[str, str] | None = None,
) -> Path:
    """Write a trained network that takes crops (N, 3, side_px, side_px) as .onnx; returns `out`.

    outputs: names of its outputs; notes: what the file tells besides the licence.
    """
    import onnx
    import torch

    out.parent.mkdir(parents=True, exist_ok=True)
    part = out.with_suffix(".part")
    torch.onnx.export(
        network.eval(),
        (torch.zeros(1, 3, side_px, side_px),),
        str(part),
        input_names=["crops"],
        output_names=list(outputs),
        dynamic_axes={name: {0: "dice"} for name in ("crops", *outputs)},
        dynamo=False,
    )
    made = onnx.load(str(part))
    for node in made.graph.node:
        node.doc_string = ""
    onnx.helper.set_model_props(made, {"licence": "AGPL-3.0-or-later", **(notes or {})})
    onnx.save(made, str(part))
    os.replace(part, out)
    return out
