"""Turn trained weights into what the product ships: `lawn export`.

The ONNX file carries its class names and stride. Before it is kept its scores must agree with the trained network's,
and every program that can run it must read the same dice as the trained network in the test pictures.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from tqdm import tqdm

from models.agree import compare, installed_backends, pictures_read
from models.evaluate import Picture
from models.train import TrainingError, make_sure_of_writing, quiet_ultralytics
from vision.find import DiceFinder

WEIGHTS_BEGIN = (b"PK", b"\x80")
"""torch writes ZIP archives; long ago it wrote plain pickles."""
MOST_APART = 1e-3
"""Largest difference of a face score between the trained and the exported network on the check picture."""


def make_sure_of_weights(weights: Path) -> None:
    """Raise TrainingError at once for what can be no weights, before anything heavy is loaded."""
    if not weights.is_file():
        raise TrainingError(
            f"{weights}: there is no such file of weights; train some with 'lawn train'."
        )
    with weights.open("rb") as file:
        if not file.read(2).startswith(WEIGHTS_BEGIN):
            raise TrainingError(f"{weights}: not weights that 'lawn train' made.")


def export(weights: Path, out: Path, pictures: Sequence[Picture] = ()) -> Path:
    """Write `weights` (.pt) to `out` (.onnx) and return it.

    pictures: what both must read alike, besides the scores that are compared on a fixed random picture.
    Raises TrainingError when the weights are unusable or the export disagrees with them, CollectionError for a picture
    that cannot be read.
    """
    make_sure_of_weights(weights)
    make_sure_of_writing(out)
    weights, out = weights.resolve(), out.resolve()
    with (
        tempfile.TemporaryDirectory() as scratch,
        tqdm(total=4, desc="exporting", unit="step") as bar,
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
        bar.update()
        differences = read_differently(copy, ready, pictures)
        if differences:
            raise TrainingError(
                f"{weights}: the exported network reads {len(differences)} dice differently; it was not kept. "
                f"The first: {differences[0]}."
            )
        out.parent.mkdir(parents=True, exist_ok=True)
        part = out.with_suffix(".part")
        shutil.copyfile(ready, part)
        os.replace(part, out)
        bar.update()
    return out


def read_differently(trained: Path, exported: Path, pictures: Sequence[Picture]) -> tuple[str, ...]:
    """What every installed program reads in the exported network otherwise than ultralytics in the trained one."""
    finders = [("ultralytics", DiceFinder(trained, backend="ultralytics"))]
    finders += [(each, DiceFinder(exported, backend=each)) for each in installed_backends()]
    return compare(pictures_read(pictures), finders).differences


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
