"""Train the face detector: `lawn train`.

The recipe is for two CPU cores: tiles of 320 px in which dice have the sizes that inference shows, a YOLO11n cut to
its two fine heads (yolo11-p34.yaml) seeded with COCO weights, small batches and no mosaic. Where it was measured is in
MODEL_CARD.md. A run that was cut off goes on from its last finished epoch when it is started again.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from datasets.compose import render
from datasets.real import CollectionError, load_photos, load_unlabelled, read_labels
from datasets.tiles import TILE_PX, cut_tile, paint_out
from models.exported import put_back, tensors_of

ARCHITECTURE = Path(__file__).with_name("yolo11-p34.yaml")
# Where a layer of stock YOLO11n stands in the cut network (the others of the cut network start from nothing).
COCO_LAYERS = {**{i: i for i in range(7)}, 16: 10, 17: 11, 19: 13, 23: 14}


class TrainingError(ValueError):
    """Training cannot start; the message says which input is wrong and what to do."""


@dataclass(frozen=True)
class TrainingPlan:
    """What a training run is made of; two runs of the same plan see the same tiles in the same order.

    photos: folder of labelled real photographs (datasets/real.py), or None for none.
    drawn: folders made by `lawn render`.
    tiles: number of tiles cut from the photographs; drawn_tiles: the same from the drawn tables.
    epochs: times that every tile is seen; batch: tiles a step; seed: of cutting, shuffling and starting weights.
    without: sources of photographs that are left out (for the leave-one-source-out check).
    """

    photos: str | None
    drawn: tuple[str, ...] = ()
    tiles: int = 9000
    drawn_tiles: int = 4000
    epochs: int = 3
    batch: int = 16
    learning_rate: float = 0.002
    seed: int = 20
    without: tuple[str, ...] = ()


def make_sure_of_writing(out: Path) -> None:
    """Raise TrainingError now, rather than after hours, when a file could not be written."""
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        if out.is_dir():
            raise TrainingError(f"{out}: this is a folder; give the name of a file.")
        with tempfile.TemporaryFile(dir=out.parent):
            pass
    except OSError as error:
        raise TrainingError(f"{out}: this file cannot be written ({error.strerror}).") from error


def smoke_plan(out: Path) -> TrainingPlan:
    """A plan that runs the whole recipe in seconds on four tables drawn into OUT/drawn; it learns nothing of use."""
    folder = out / "drawn"
    render(4, 0, folder)
    return TrainingPlan(
        photos=None, drawn=(str(folder),), tiles=0, drawn_tiles=24, epochs=1, batch=8
    )


Sample = tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[np.int64]]


def _photo_samples(plan: TrainingPlan) -> list[tuple[Callable[[], Sample], int]]:
    """A reader for each train photograph, so that only one is in memory at a time, and how many dice are in it."""
    if plan.photos is None or plan.tiles == 0:
        return []
    readers: list[tuple[Callable[[], Sample], int]] = []
    photos = load_photos(Path(plan.photos), "train")
    unlabelled = load_unlabelled()
    sources = {photo.source for photo in photos}
    for name in plan.without:
        # A misspelt name would train on the very source that a later check takes for unseen.
        if name not in sources:
            raise TrainingError(
                f"--without {name}: there is no such source; the sources are {', '.join(sorted(sources))}."
            )
    for photo in photos:
        if photo.source in plan.without or len(photo.faces) == 0:
            continue

        def read(photo: Any = photo) -> Sample:
            image = _read_image(photo.path)
            height, width = image.shape[:2]
            left_out = unlabelled.get((photo.source, photo.path.name))
            if left_out is not None:
                image = paint_out(image, left_out * np.array([width, height] * 2, np.float32))
            return image, photo.boxes_px(width, height), photo.faces

        readers.append((read, len(photo.faces)))
    return readers


def _drawn_samples(plan: TrainingPlan) -> list[Callable[[], Sample]]:
    """A reader for each drawn table."""
    readers: list[Callable[[], Sample]] = []
    for folder in plan.drawn:
        images = sorted((Path(folder) / "images").glob("*.*"))
        if not images:
            raise TrainingError(f"{folder}: no drawn tables here; make some with 'lawn render'.")
        for path in images:

            def read(path: Path = path) -> Sample:
                image = _read_image(path)
                boxes, faces = read_labels(path.parent.parent / "labels" / f"{path.stem}.txt")
                height, width = image.shape[:2]
                image = paint_out(image, _untaught(path))
                return image, boxes * np.array([width, height, width, height], np.float32), faces

            readers.append(read)
    return readers


def _untaught(picture: Path) -> NDArray[np.float32]:
    """Boxes (N, 4) px of dice in a made table that are cut or covered too far to be taught; its truth lists them."""
    truth = picture.parent.parent / "truth" / f"{picture.stem}.json"
    found: list[Any] = []
    if truth.is_file():
        found = json.loads(truth.read_text(encoding="utf-8")).get("ignore", [])
    boxes = [die["box"] if isinstance(die, dict) else die for die in found]
    return np.array(boxes, np.float32).reshape(-1, 4)


def _read_image(path: Path) -> NDArray[np.uint8]:
    image = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if image is None:
        raise TrainingError(f"{path}: this picture cannot be read; restore or remove it.")
    return np.asarray(image, np.uint8)


def training_pictures(plan: TrainingPlan) -> list[Callable[[], Sample]]:
    """A reader for each picture of the plan: photographs first, then drawn tables.

    A reader returns the picture (H, W, 3) uint8 BGR, boxes (N, 4) px and faces (N,) 1..6. Raises TrainingError,
    CollectionError.
    """
    return [*(reader for reader, _ in _photo_samples(plan)), *_drawn_samples(plan)]


def shares(
    readers: list[Callable[[], Sample]], count: int, dice: Sequence[int] = ()
) -> Iterator[tuple[Callable[[], Sample], int]]:
    """Spread `count` tiles over the pictures.

    A picture's part goes with the square root of how many dice are in it (all alike when that is not given): a heap
    has more to teach than a single die, but its dice lie in one light on one table.
    """
    weights = np.sqrt(np.array(dice if len(dice) else [1] * len(readers), float))
    ends = np.rint(np.cumsum(weights) / max(weights.sum(), 1e-9) * count).astype(int)
    for reader, share in zip(readers, np.diff(ends, prepend=0), strict=True):
        if share:
            yield reader, int(share)


def cut_training_tiles(plan: TrainingPlan, out: Path) -> Path:
    """Cut the plan's tiles into OUT/tiles and return the data file for ultralytics.

    Skipped when the folder already holds the tiles of this very plan, so that a resumed run costs nothing.
    Raises TrainingError or CollectionError when the pictures are missing or unreadable.
    """
    folder = out / "tiles"
    done = folder / "plan.json"
    wanted = json.dumps(asdict(plan), indent=1)
    data = folder / "data.yaml"
    if done.is_file() and done.read_text() == wanted:
        return data
    shutil.rmtree(folder, ignore_errors=True)
    images, labels = folder / "images" / "train", folder / "labels" / "train"
    images.mkdir(parents=True)
    labels.mkdir(parents=True)
    real, drawn = _photo_samples(plan), _drawn_samples(plan)
    work = [
        *shares([reader for reader, _ in real], plan.tiles, [dice for _, dice in real]),
        *shares(drawn, plan.drawn_tiles),
    ]
    if not work:
        raise TrainingError(
            "Nothing to train on: give photographs (--photos) or drawn tables (--drawn)."
        )
    number = 0
    for index, (reader, share) in enumerate(tqdm(work, desc="cutting tiles", unit="picture")):
        rng = np.random.default_rng([plan.seed, index])
        image, boxes, faces = reader()
        for _ in range(share):
            tile = cut_tile(image, boxes, faces, rng)
            cv2.imwrite(
                str(images / f"{number:06}.jpg"), tile.image, [cv2.IMWRITE_JPEG_QUALITY, 95]
            )
            (labels / f"{number:06}.txt").write_text(tile.label_lines())
            number += 1
    names = "".join(f"  {face - 1}: '{face}'\n" for face in range(1, 7))
    # ultralytics insists on validating at the end; models/evaluate.py is what measures, on whole unseen pictures,
    # so it gets no more than a handful of tiles here.
    few = folder / "few.txt"
    few.write_text("".join(f"{path.resolve()}\n" for path in sorted(images.iterdir())[:8]))
    data.write_text(f"path: {folder.resolve()}\ntrain: images/train\nval: few.txt\nnames:\n{names}")
    done.write_text(wanted)
    return data


def quiet_ultralytics(settings: Path) -> None:
    """Keep ultralytics from reaching for the network; `settings` is the folder for what it writes of its own.

    Must be called before ultralytics is first imported.
    """
    os.environ.setdefault("YOLO_OFFLINE", "1")
    os.environ.setdefault("YOLO_AUTOINSTALL", "false")
    settings.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("YOLO_CONFIG_DIR", str(settings.resolve()))
    try:
        import matplotlib

        font = Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"
        target = settings / "Ultralytics" / "Arial.ttf"  # what ultralytics would download
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(font, target)
    except ImportError as error:
        raise TrainingError(
            "Training needs the extra 'train'; in the project's folder, run: pip install -e '.[train]'"
        ) from error


def seed_from_coco(model: Any, weights: Path) -> int:
    """Copy COCO-trained YOLO11n tensors into the cut network where the shapes agree; return how many were copied.

    `weights` is an .npz of the state of ultralytics' yolo11n.yaml. Raises TrainingError when it is not one.
    """
    import torch

    try:
        archive = np.load(weights)
        names = list(archive.keys())
    except (OSError, ValueError) as error:
        raise TrainingError(
            f"{weights}: not a readable .npz of YOLO11n weights ({error})."
        ) from error
    state = model.state_dict()
    copied = {}
    for name in names:
        parts = name.split(".")
        if parts[0] != "model" or int(parts[1]) not in COCO_LAYERS:
            continue
        target = ".".join(["model", str(COCO_LAYERS[int(parts[1])]), *parts[2:]])
        if target in state and tuple(state[target].shape) == archive[name].shape:
            copied[target] = torch.from_numpy(archive[name]).to(state[target].dtype)
    if not copied:
        raise TrainingError(f"{weights}: no tensor fits YOLO11n; give the COCO weights of yolo11n.")
    model.load_state_dict(copied, strict=False)
    return len(copied)


def _few_tiles(out: Path, batches: int = 12, size: int = 16) -> Iterator[Any]:
    """Batches (N, 3, TILE_PX, TILE_PX) of the training tiles in OUT, as the network sees them: RGB, 0 to 1."""
    import torch

    tiles = sorted((out / "tiles" / "images" / "train").iterdir())
    step = max(len(tiles) // (batches * size), 1)
    chosen = tiles[::step][: batches * size]
    for at in range(0, len(chosen), size):
        pictures = [_read_image(path)[..., ::-1] for path in chosen[at : at + size]]
        yield torch.from_numpy(np.stack(pictures).transpose(0, 3, 1, 2).astype(np.float32) / 255)


def untrained(folder: Path, seed: int = 20) -> Path:
    """Weights that have learned nothing, written to FOLDER/untrained.pt: for trying what follows training."""
    quiet_ultralytics(folder / "ultralytics")
    import torch
    from ultralytics import YOLO

    torch.manual_seed(seed)
    model = YOLO(str(ARCHITECTURE), task="detect")
    model.model.names = {face - 1: str(face) for face in range(1, 7)}
    weights = folder / "untrained.pt"
    model.save(str(weights))
    return weights


def train(
    plan: TrainingPlan,
    out: Path,
    coco: Path | None = None,
    start: Path | None = None,
    threads: int | None = None,
) -> Path:
    """Train to the end of the plan and return the weights file, OUT/fit/weights/last.pt.

    coco: .npz of COCO YOLO11n weights to seed from; start: an earlier run of ours to go on from instead, its .pt or
    what was exported of it (.onnx); threads: of the processor, None for all (give 1 when other work runs beside).
    An unfinished run of the same OUT is resumed. Raises TrainingError or CollectionError on unusable input.
    """
    if start is not None and not start.is_file():
        raise TrainingError(f"{start}: there is no such file of weights to start from.")
    data = cut_training_tiles(plan, out)
    quiet_ultralytics(out / "ultralytics")
    import torch
    from ultralytics import YOLO, settings
    from ultralytics.models.yolo.detect import DetectionTrainer
    from ultralytics.nn.tasks import DetectionModel

    settings.update({"sync": False})
    # ultralytics asks for one thread; two gave 1.5 times its speed here, on a machine that does nothing else.
    torch.set_num_threads(threads or os.cpu_count() or 1)
    random.seed(plan.seed)
    last = out / "fit" / "weights" / "last.pt"
    finished = out / "finished"
    if finished.is_file() and last.is_file():
        return last

    class Trainer(DetectionTrainer):  # type: ignore[misc]
        def get_model(self, cfg: Any = None, weights: Any = None, verbose: bool = True) -> Any:  # noqa: ARG002
            # Always today's architecture: an earlier run may have had another head, which starts anew.
            model = DetectionModel(str(ARCHITECTURE), nc=6, verbose=verbose)
            if weights is not None:
                model.load(weights)
            elif exported:
                put_back(model, exported, _few_tiles(out), Path(str(start)))
            elif coco is not None:
                seed_from_coco(model, coco)
            return model.to(memory_format=torch.channels_last)

    fresh = not last.is_file()
    exported = tensors_of(start) if fresh and start and start.suffix == ".onnx" else {}
    begin = start if fresh and start and not exported else ARCHITECTURE if fresh else last
    try:
        model = YOLO(str(begin), task="detect")
    except Exception as error:  # torch and ultralytics raise a dozen kinds for a bad file
        raise TrainingError(f"{begin}: not weights that 'lawn train' made.") from error
    model.train(
        trainer=Trainer,
        data=str(data),
        resume=not fresh,
        project=str(out.resolve()),
        name="fit",
        exist_ok=True,
        imgsz=TILE_PX,
        epochs=plan.epochs,
        batch=plan.batch,
        nbs=plan.batch,  # the default of 64 would update four times less often
        optimizer="AdamW",
        lr0=plan.learning_rate,
        lrf=0.02,
        cos_lr=True,
        warmup_epochs=0.2,
        seed=plan.seed,
        deterministic=True,
        # A face does not depend on colour or handedness, so both are drawn at random.
        hsv_h=0.4,
        hsv_s=0.6,
        hsv_v=0.4,
        fliplr=0.5,
        flipud=0.0,  # what is up in a picture tells the top face from the sides
        scale=0.15,
        translate=0.1,
        mosaic=0.0,
        amp=False,
        cache=False,
        workers=0,
        val=False,
        plots=False,
    )
    finished.write_text("all epochs done\n")
    return last


__all__ = [
    "CollectionError",
    "TrainingError",
    "TrainingPlan",
    "cut_training_tiles",
    "smoke_plan",
    "train",
]
