"""Average close-up readers of one line of training: `lawn average`.

Networks that were trained on from one another err in different places, and the mean of their weights reads better than
either (Wortsman et al. 2022, "Model soups"), at the cost of one.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from models.exported import ExportedError, load_exported
from models.train import TrainingError, make_sure_of_writing

LAST_LAYER = ("last_weight", "last_bias")
"""Notes of a close-up reader that repeat its last layer, for `lawn teach`."""


def average(networks: Sequence[Path], out: Path) -> Path:
    """Write the mean of close-up readers (.onnx, two or more) to `out` and return it.

    It has no temperature yet: `lawn calibrate` fits that. Raises TrainingError for less than two, ExportedError for one
    that cannot be read, is no close-up reader or does not have the layers of the first.
    """
    make_sure_of_writing(out)
    if len(networks) < 2:
        raise TrainingError("Give two or more networks to average.")
    import onnx
    from onnx import numpy_helper

    read = [load_exported(path) for path in networks]
    layers = [{each.name: each for each in network.graph.initializer} for network in read]
    made = read[0]
    for path, others in zip(networks[1:], layers[1:], strict=True):
        if _shapes(others) != _shapes(layers[0]):
            raise ExportedError(
                f"{path}: its layers are not those of {networks[0]}; only networks of one kind have a mean."
            )
    for layer in made.graph.initializer:
        values = [numpy_helper.to_array(each[layer.name]) for each in layers]
        if np.issubdtype(values[0].dtype, np.floating):
            mean = np.mean(np.array(values, np.float64), axis=0).astype(values[0].dtype)
            layer.CopyFrom(numpy_helper.from_array(mean, layer.name))
    notes = [{note.key: note.value for note in network.metadata_props} for network in read]
    for path, each in zip(networks, notes, strict=True):
        if not set(LAST_LAYER) <= set(each):
            raise ExportedError(
                f"{path}: this is no close-up reader; name files of 'lawn train-closeup'."
            )
    kept = {key: value for key, value in notes[0].items() if key != "temperature"}
    for key in LAST_LAYER:
        kept[key] = json.dumps(np.mean([json.loads(each[key]) for each in notes], axis=0).tolist())
    del made.metadata_props[:]
    onnx.helper.set_model_props(made, kept)
    part = out.with_suffix(".part")
    onnx.save(made, str(part))
    os.replace(part, out)
    return out


def _shapes(layers: dict[str, Any]) -> dict[str, tuple[int, ...]]:
    return {name: tuple(layer.dims) for name, layer in layers.items()}
