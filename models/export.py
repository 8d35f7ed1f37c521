"""Turn trained weights into what the product ships: `lawn export`.

The ONNX file carries its class names and stride, and must agree with the trained network on a
picture before it is kept.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from pathlib import Path

import numpy as np
from tqdm import tqdm

from models.train import TrainingError, make_sure_of_writing, quiet_ultralytics

MOST_APART = 1e-3
"""Largest difference of a face score between the trained and the exported network on the check picture."""


def export(weights: Path, out: Path) -> Path:
    """Write `weights` (.pt) to `out` (.onnx) and return it.

    Raises TrainingError when the weights are unusable or the export disagrees with them.
    """
    if not weights.is_file():
        raise TrainingError(
            f"{weights}: there is no such file of weights; train some with 'lawn train'."
        )
    make_sure_of_writing(out)
    weights, out = weights.resolve(), out.resolve()
    with (
        tempfile.TemporaryDirectory() as scratch,
        tqdm(total=3, desc="exporting", unit="step") as bar,
    ):
        quiet_ultralytics(Path(scratch) / "ultralytics")
        import onnx
        import torch
        from ultralytics import YOLO

        # ultralytics writes beside the weights; work on a copy so that nothing is left there.
        copy = Path(scratch) / "face.pt"
        shutil.copyfile(weights, copy)
        try:
            model = YOLO(str(copy), task="detect")
            names = {str(k): v for k, v in sorted(model.names.items())}
        except Exception as error:  # torch and ultralytics raise a dozen kinds for a bad file
            raise TrainingError(f"{weights}: not weights that 'lawn train' made.") from error
        bar.update()
        made = model.export(format="onnx", dynamic=True, simplify=False, imgsz=320, verbose=False)
        network = onnx.load(made)
        # ultralytics' own notes name folders of the machine it ran on; keep only what the product reads.
        del network.metadata_props[:]
        stride = int(max(model.model.stride))
        notes = {
            "names": json.dumps(names),
            "stride": str(stride),
            "licence": "AGPL-3.0-or-later",
        }
        onnx.helper.set_model_props(network, notes)
        for node in network.graph.node:
            node.doc_string = ""
            del node.metadata_props[:]  # where in the exporter's source each operator came from
        bar.update()
        ready = Path(scratch) / "ready.onnx"
        onnx.save(network, str(ready))
        apart = _difference(model.model, ready, torch)
        if apart > MOST_APART:
            raise TrainingError(
                f"{weights}: the exported network differs from the trained one by {apart:.4f}; it was not kept."
            )
        out.parent.mkdir(parents=True, exist_ok=True)
        part = out.with_suffix(".part")
        shutil.copyfile(ready, part)
        os.replace(part, out)
        bar.update()
    return out


def _difference(network: object, exported: Path, torch: object) -> float:
    """Largest difference of a face score on a fixed random picture whose size is not that of the export."""
    import onnxruntime

    picture = np.random.default_rng(0).random((1, 3, 224, 352), dtype=np.float32)
    session = onnxruntime.InferenceSession(str(exported), providers=["CPUExecutionProvider"])
    ours = session.run(None, {session.get_inputs()[0].name: picture})[0]
    with torch.no_grad():  # type: ignore[attr-defined]
        theirs = network.float().eval()(torch.from_numpy(picture))  # type: ignore[attr-defined]
    theirs = (theirs[0] if isinstance(theirs, tuple | list) else theirs).numpy()
    return float(np.abs(ours[:, 4:] - theirs[:, 4:]).max())
