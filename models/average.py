"""Average networks of one line of training: `lawn average`.

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

from models.exported import ExportedError, load_exported, put_back, tensors_of
from models.train import ARCHITECTURE, TrainingError, make_sure_of_writing, quiet_ultralytics

LAST_LAYER = ("last_weight", "last_bias")
"""Notes of a close-up reader that repeat its last layer, for `lawn teach`."""


def average(networks: Sequence[Path], out: Path) -> Path:
    """Write the mean of exported networks (.onnx, two or more) to `out` and return it.

    Close-up readers where `out` ends in .onnx: the mean has no temperature yet, `lawn calibrate` fits that. Detectors
    where it ends in .pt: `lawn export` makes of it what ships, if every program reads it alike. Raises TrainingError
    for less than two, ExportedError for one that cannot be read, is of another kind or does not have the layers of the
    first.
    """
    make_sure_of_writing(out)
    if len(networks) < 2:
        raise TrainingError("Give two or more networks to average.")
    made, notes = _mean(networks)
    part = out.with_suffix(".part")
    if out.suffix == ".pt":
        _write_detector(made, networks[0], part)
    else:
        _write_closeup(made, networks, notes, part)
    os.replace(part, out)
    return out


def _mean(networks: Sequence[Path]) -> tuple[Any, list[dict[str, str]]]:
    """The first network with the mean weights of all, an onnx.ModelProto, and the notes of each."""
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
    return made, [{note.key: note.value for note in network.metadata_props} for network in read]


def _write_closeup(
    made: Any, networks: Sequence[Path], notes: Sequence[dict[str, str]], out: Path
) -> None:
    import onnx

    for path, each in zip(networks, notes, strict=True):
        if not set(LAST_LAYER) <= set(each):
            raise ExportedError(
                f"{path}: this is no close-up reader; name files of 'lawn train-closeup', or OUT.pt for detectors."
            )
    kept = {key: value for key, value in notes[0].items() if key != "temperature"}
    for key in LAST_LAYER:
        kept[key] = json.dumps(np.mean([json.loads(each[key]) for each in notes], axis=0).tolist())
    del made.metadata_props[:]
    onnx.helper.set_model_props(made, kept)
    onnx.save(made, str(out))


def _write_detector(made: Any, source: Path, out: Path) -> None:
    """The mean as weights of `lawn train`; source: which file is named where they are of another network."""
    from tempfile import TemporaryDirectory

    import onnx

    with TemporaryDirectory() as scratch:
        exported = Path(scratch) / "mean.onnx"
        onnx.save(made, str(exported))
        tensors = tensors_of(exported)
        quiet_ultralytics(Path(scratch) / "ultralytics")
        from ultralytics import YOLO

        model = YOLO(str(ARCHITECTURE), task="detect")
        model.model.names = {face - 1: str(face) for face in range(1, 7)}
        put_back(model.model, tensors, (), source)
        model.save(str(out))


def _shapes(layers: dict[str, Any]) -> dict[str, tuple[int, ...]]:
    return {name: tuple(layer.dims) for name, layer in layers.items()}
