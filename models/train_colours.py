"""Fit the network that names colours: `lawn train-colours`.

It learns from drawn tables, whose colours are known, and from dice of the real train photographs that were named by eye
(datasets/real_colours.csv), each time under another light than they were seen by. Val photographs are only measured,
never fitted.
"""

from __future__ import annotations

import csv
import itertools
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from datasets.real import CollectionError, load_photos
from models.train import TrainingError
from vision.colours import FEATURES, LAB_UNIT, ColourNamer, features, sample_die, white_point
from vision.reading import COLOURS

NAMED_BY_EYE = Path(__file__).parent.parent / "datasets" / "real_colours.csv"
HIDDEN = (48, 32)
"""Values of the layers between."""
OTHER_LIGHT = 0.7
"""Share of the dice that are shown under another light."""
TINT_SPREAD, EXPOSURE_SPREAD = 0.25, 0.2
"""Of that light's red, green and blue among each other, and of its strength (natural logarithms)."""


@dataclass(frozen=True)
class Named:
    """Dice with known colours: inputs (N, FEATURES), names (N,) as indices into COLOURS, sources (N,)."""

    inputs: NDArray[np.float64]
    names: NDArray[np.int64]
    sources: tuple[str, ...]


def _named(rows: list[tuple[NDArray[np.float64], str, str]]) -> Named:
    return Named(
        np.array([row[0] for row in rows], np.float64).reshape(-1, FEATURES),
        np.array([COLOURS.index(row[1]) for row in rows], np.int64),
        tuple(row[2] for row in rows),
    )


def _picture(path: Path) -> NDArray[np.uint8]:
    image = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if image is None:
        raise CollectionError(f"{path}: this picture cannot be read.")
    return np.asarray(image, np.uint8)


def drawn_dice(folders: Iterable[Path]) -> Named:
    """The dice of tables made by `lawn render`. Raises CollectionError when a folder holds none."""
    rows: list[tuple[NDArray[np.float64], str, str]] = []
    for folder in folders:
        truths = sorted((folder / "truth").glob("*.json"))
        if not truths:
            raise CollectionError(f"{folder}: no drawn tables here; make some with 'lawn render'.")
        for truth in tqdm(truths, desc="sampling drawn dice", unit="table"):
            image = _picture(folder / "images" / f"{truth.stem}.jpg")
            white = white_point(image)
            for box, colour in _drawn_truth(truth):
                sample = sample_die(image, box)
                if sample is not None:
                    rows.append((features(sample, white), colour, "drawn"))
    return _named(rows)


def _drawn_truth(truth: Path) -> list[tuple[tuple[float, float, float, float], str]]:
    """Boxes (px) and colours of a drawn table's dice. Raises CollectionError when the file is damaged."""
    try:
        dice = []
        for die in json.loads(truth.read_text(encoding="utf-8"))["dice"]:
            if not die.get("labelled", True):
                continue  # covered or cut off: what is seen of it is not its colour
            x0, y0, x1, y1 = (float(edge) for edge in die["box"])
            if die["colour"] not in COLOURS:
                raise ValueError(die["colour"])
            dice.append(((x0, y0, x1, y1), str(die["colour"])))
    except (ValueError, KeyError, TypeError) as error:
        raise CollectionError(
            f"{truth}: not the truth of a drawn table; draw it again with 'lawn render'."
        ) from error
    return dice


def real_dice(photos: Path, split: str) -> Named:
    """The dice of one split of the photographs that were named by eye. Raises CollectionError."""
    by_path = {photo.path: photo for photo in load_photos(photos, split)}
    wanted: dict[Path, list[tuple[int, str]]] = {}
    with NAMED_BY_EYE.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            wanted.setdefault(photos / row["image"], []).append((int(row["die"]), row["colour"]))
    rows: list[tuple[NDArray[np.float64], str, str]] = []
    for path, dice in wanted.items():
        photo = by_path.get(path)
        if photo is None:
            continue
        image = _picture(path)
        white = white_point(image)
        boxes = photo.boxes_px(image.shape[1], image.shape[0])
        for index, colour in dice:
            x0, y0, x1, y1 = (float(edge) for edge in boxes[index])
            sample = sample_die(image, (x0, y0, x1, y1))
            if sample is not None:
                rows.append((features(sample, white), colour, photo.source))
    return _named(rows)


def fit(
    drawn: Named, real: Named, out: Path, steps: int = 8000, seed: int = 20, real_share: float = 0.4
) -> Path:
    """Fit the network and write it as JSON to `out`; the same input and seed give the same file.

    Each step draws `real_share` of its dice from the real ones. Raises TrainingError without dice.
    """
    if not len(drawn.names) and not len(real.names):
        raise TrainingError("No dice with known colours to learn from.")
    import torch

    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    widths = (FEATURES, *HIDDEN, len(COLOURS))
    layers: list[Any] = []
    for before, width in itertools.pairwise(widths):
        layers += [torch.nn.Linear(before, width), torch.nn.Tanh()]
    network = torch.nn.Sequential(*layers[:-1])
    optimizer = torch.optim.AdamW(network.parameters(), lr=0.01, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
    sets = [(dice, _even_odds(dice)) for dice in (drawn, real) if len(dice.names)]
    shares = [1 - real_share, real_share] if len(sets) == 2 else [1.0]
    for _ in tqdm(range(steps), desc="fitting colours", unit="step"):
        inputs, names = [], []
        for (dice, odds), share in zip(sets, shares, strict=True):
            chosen = rng.choice(len(dice.names), max(1, round(256 * share)), p=odds)
            inputs.append(dice.inputs[chosen])
            names.append(dice.names[chosen])
        batch = np.concatenate(inputs)
        elsewhere = rng.random(len(batch)) < OTHER_LIGHT
        batch[elsewhere] = under_other_light(batch[elsewhere], rng)
        # Light drifts between pictures: shift all of a die's colours alike, and each a little.
        drift = rng.normal(0, 0.06, (len(batch), 1, 3))
        batch = batch + drift.repeat(FEATURES // 3, 1).reshape(len(batch), -1)
        batch = batch + rng.normal(0, 0.03, batch.shape)
        loss = torch.nn.functional.cross_entropy(
            network(torch.tensor(batch, dtype=torch.float32)),
            torch.tensor(np.concatenate(names)),
            label_smoothing=0.02,  # so that it is never surer than a person would be
        )
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
    stored = [
        {
            "weight": [[round(float(v), 4) for v in row] for row in layer.weight.detach()],
            "bias": [round(float(v), 4) for v in layer.bias.detach()],
        }
        for layer in network
        if isinstance(layer, torch.nn.Linear)
    ]
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps({"names": COLOURS, "layers": stored}) + "\n")
    return out


def under_other_light(inputs: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    """Inputs (N, FEATURES) of dice as they would be under lamps of another colour and strength.

    A lamp's colour multiplies linear red, green and blue (von Kries 1902), those of the die and of the picture's white
    alike; what it makes brighter than a camera can show is cut off.
    """
    colours = (inputs * LAB_UNIT).reshape(-1, 1, 3).astype(np.float32)
    linear = cv2.cvtColor(colours, cv2.COLOR_Lab2LRGB).reshape(len(inputs), -1, 3)
    tint = np.exp(rng.normal(0, TINT_SPREAD, (len(inputs), 1, 3)))
    tint *= np.exp(rng.normal(0, EXPOSURE_SPREAD, (len(inputs), 1, 1))) / tint.mean(
        2, keepdims=True
    )
    lit = np.clip(linear * tint, 0, 1).astype(np.float32).reshape(-1, 1, 3)
    lab = np.asarray(cv2.cvtColor(lit, cv2.COLOR_LRGB2Lab), np.float64)
    return lab.reshape(inputs.shape) / LAB_UNIT


def _even_odds(dice: Named) -> NDArray[np.float64]:
    """Chances (N,) that draw every colour equally often."""
    counts = np.bincount(dice.names, minlength=len(COLOURS))
    odds = 1.0 / counts[dice.names]
    return np.asarray(odds / odds.sum())


def measure(namer: ColourNamer, dice: Named) -> dict[str, Any]:
    """How often the likeliest name is the true one, each die judged alone.

    `{"dice", "right", "right_percent", "mistakes": {"true > named": count}}`.
    """
    if not len(dice.names):
        return {"dice": 0, "right": 0, "right_percent": None, "mistakes": {}}
    named = namer.probabilities(dice.inputs).argmax(1)
    mistakes: dict[str, int] = {}
    for true, said in zip(dice.names, named, strict=True):
        if true != said:
            key = f"{COLOURS[true]} > {COLOURS[said]}"
            mistakes[key] = mistakes.get(key, 0) + 1
    right = int((named == dice.names).sum())
    return {
        "dice": len(named),
        "right": right,
        "right_percent": round(100 * right / len(named), 2),
        "mistakes": dict(sorted(mistakes.items(), key=lambda item: -item[1])),
    }
