"""Tables of pasted dice: cut-outs of labelled pictures on drawn tables, with light, shadow and blur matched.

The second, cheap way to more variety: the dice are real (or traced) and the table tops are drawn (datasets.surfaces).
`lawn render --engine pasted --photos PHOTOS OUT` writes them in the layout that training reads; of the photographs only
the train split is used.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from datasets.compose import HEIGHT, LEAST_VISIBLE, LOOSE, WIDTH, draw
from datasets.cutouts import CutOut, cut_out
from datasets.real import CollectionError, load_photos, read_labels
from datasets.scenes import random_scene
from datasets.table_files import make_missing, write_files
from datasets.tiles import spoil

DICE = (3, 25)
"""How many dice are pasted on a table, at least and at most."""
DIE_PX = (22.0, 90.0)
"""Range of a table's dice, px; a cut-out is never enlarged by more than ENLARGED."""
ENLARGED = 1.3
MOST_GAIN = 1.7
"""A cut-out is made brighter or darker by no more than this factor to fit a table's light."""
POOL = 1500
"""So many cut-outs are kept in memory, chosen evenly from all pictures."""
TRIES = 30


@dataclass(frozen=True)
class PastedDie:
    """Truth of a pasted die: box x0 y0 x1 y1 px, face, visible share 0..1."""

    box: tuple[float, float, float, float]
    face: int
    visible: float


def cut_outs(photos: Path | None, made: Sequence[Path], seed: int) -> list[CutOut]:
    """Up to POOL cut-outs of the train photographs of a collection and of folders made by `lawn render`.

    Raises CollectionError when there are none, or a picture cannot be read.
    """
    sources: list[tuple[Path, Callable[[], tuple[NDArray[np.float32], NDArray[np.int64]]]]] = []
    for photo in load_photos(photos, "train") if photos is not None else ():
        sources.append((photo.path, lambda photo=photo: (photo.boxes, photo.faces)))  # type: ignore[misc]
    for folder in made:
        for path in sorted((folder / "images").glob("*.*")):
            labels = folder / "labels" / f"{path.stem}.txt"
            sources.append((path, lambda labels=labels: read_labels(labels)))  # type: ignore[misc]
    rng = np.random.default_rng([seed, 11])
    found: list[CutOut] = []
    each = max(1, math.ceil(POOL / max(len(sources), 1)))
    for index in tqdm(rng.permutation(len(sources)), desc="cutting out dice", unit="picture"):
        path, truth = sources[index]
        boxes, faces = truth()
        if not len(faces):
            continue
        image = cv2.imread(str(path), cv2.IMREAD_COLOR)
        if image is None:
            raise CollectionError(f"{path}: this picture cannot be read.")
        size = np.array([image.shape[1], image.shape[0]] * 2, np.float32)
        for die in rng.permutation(len(faces))[:each]:
            cut = cut_out(np.asarray(image, np.uint8), boxes[die] * size, int(faces[die]))
            if cut is not None:
                found.append(cut)
        if len(found) >= POOL:
            break
    if not found:
        raise CollectionError(
            "No dice to cut out: name the photographs with --photos or tables of 'lawn render' with --from."
        )
    return found


def paste_table(
    seed: int, pool: Sequence[CutOut], width: int = WIDTH, height: int = HEIGHT
) -> tuple[NDArray[np.uint8], list[PastedDie]]:
    """A table (H, W, 3) uint8 BGR of dice of the pool, and its truth; the same seed and pool give the same table."""
    rng = np.random.default_rng([seed, 13])
    table = draw(replace(random_scene(seed), dice=()), width, height, clean=True).image
    picture = table.astype(np.float32)
    wanted = math.exp(rng.uniform(*np.log(DIE_PX)))
    shadow = rng.uniform(0.15, 0.45) * np.array([math.cos(a := rng.uniform(0, 2 * math.pi)), math.sin(a)])  # fmt: skip
    dark = rng.uniform(0.2, 0.6)
    crowded = rng.random() < 0.3
    spots = _spots(rng, int(rng.integers(*DICE)), wanted, crowded, width, height)
    covers: list[tuple[int, int, int, NDArray[np.float32]]] = []
    for x, y in sorted(spots, key=lambda spot: spot[1]):  # what is lower in the picture is nearer
        cut = pool[int(rng.integers(len(pool)))]
        # Things higher in a slanted picture are farther away and smaller.
        size = wanted * (0.85 + 0.3 * y / height) * rng.uniform(0.93, 1.07)
        scale = min(size / cut.size_px, ENLARGED)
        die = cv2.resize(cut.bgra, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        if rng.random() < 0.5:
            die = die[:, ::-1]  # a mirrored face keeps its count
        h, w = die.shape[:2]
        left, top = int(x - w / 2), int(y - h / 2)
        if left < 0 or top < 0 or left + w > width or top + h > height:
            continue
        alpha = die[..., 3].astype(np.float32) / 255
        _cast(picture, alpha, (left + shadow[0] * h, top + shadow[1] * h), dark, 0.12 * h)
        region = picture[top : top + h, left : left + w]
        colour = die[..., :3].astype(np.float32) * _gain(cut, region)
        region[:] = region * (1 - alpha[..., None]) + np.clip(colour, 0, 255) * alpha[..., None]
        covers.append((left, top, cut.face, alpha))
    image = np.clip(picture, 0, 255).astype(np.uint8)
    return spoil(image, rng), _truth(covers, width, height)


def _spots(
    rng: np.random.Generator, count: int, size: float, crowded: bool, width: int, height: int
) -> list[tuple[float, float]]:
    """Middles px of up to `count` dice; crowded ones may hide a little of each other."""
    apart = size * (0.8 if crowded else 1.25)
    middle = np.array([width, height]) * rng.uniform(0.35, 0.65, 2)
    spread = np.array([width, height]) * (0.15 if crowded else 0.3)
    found: list[NDArray[np.float64]] = []
    for _ in range(count * TRIES):
        if len(found) == count:
            break
        spot = middle + rng.normal(0, 1, 2) * spread
        if all(np.linalg.norm(spot - other) >= apart for other in found):
            found.append(spot)
    return [(float(x), float(y)) for x, y in found]


def _cast(
    picture: NDArray[np.float32],
    alpha: NDArray[np.float32],
    at: tuple[float, float],
    dark: float,
    soft: float,
) -> None:
    """Darken the picture where a die of that outline throws its shadow, its upper left corner at `at` px."""
    pad = int(3 * soft) + 1
    shape = cv2.GaussianBlur(cv2.copyMakeBorder(alpha, pad, pad, pad, pad, 0), (0, 0), soft)
    left, top = int(at[0]) - pad, int(at[1]) - pad
    x0, y0 = max(left, 0), max(top, 0)
    x1 = min(left + shape.shape[1], picture.shape[1])
    y1 = min(top + shape.shape[0], picture.shape[0])
    if x1 > x0 and y1 > y0:
        part = shape[y0 - top : y1 - top, x0 - left : x1 - left]
        picture[y0:y1, x0:x1] *= 1 - dark * part[..., None]


def _gain(cut: CutOut, region: NDArray[np.float32]) -> NDArray[np.float32]:
    """BGR factors (3,) that bring a die from the light of its picture into that of the region (h, w, 3).

    A table is not white, so only half of the difference (on a log scale) is taken for one of light, and the colours'
    part of it at a quarter.
    """
    here = np.percentile(region.reshape(-1, 3), 75, axis=0)
    ratio = np.log(np.maximum(here, 8) / np.maximum(cut.light, 8))
    level = ratio.mean()
    gain = np.exp(0.5 * level + 0.25 * (ratio - level))
    return np.asarray(np.clip(gain, 1 / MOST_GAIN, MOST_GAIN), np.float32)


def _truth(
    covers: Sequence[tuple[int, int, int, NDArray[np.float32]]], width: int, height: int
) -> list[PastedDie]:
    """Truth of the dice, pasted in this order (later ones hide earlier ones)."""
    hidden = np.zeros((height, width), np.float32)
    found = []
    for left, top, face, alpha in reversed(covers):
        h, w = alpha.shape
        region = hidden[top : top + h, left : left + w]
        visible = float((alpha * (1 - region)).sum() / alpha.sum())
        np.maximum(region, alpha, out=region)
        dx, dy = w * LOOSE, h * LOOSE
        box = (
            max(left - dx, 0.0),
            max(top - dy, 0.0),
            min(left + w + dx, float(width)),
            min(top + h + dy, float(height)),
        )
        found.append(PastedDie(box, face, round(visible, 3)))
    return found[::-1]


def render_pasted(
    count: int, seed: int, out: Path, photos: Path | None, made: Sequence[Path] = ()
) -> int:
    """Paste `count` tables from `seed` on into `out`; those already there are kept. Returns how many were made.

    Dice of which too little is visible are listed in the truth's "ignore". Raises RenderError, CollectionError.
    """
    pool: list[CutOut] = []

    def make(number: int, name: str) -> None:
        if not pool:
            pool.extend(cut_outs(photos, made, seed=0))
        image, dice = paste_table(number, pool)
        clear = [die for die in dice if die.visible >= LEAST_VISIBLE]
        truth = {
            "dice": [
                {"box": [round(v, 1) for v in die.box], "face": die.face, "visible": die.visible}
                for die in clear
            ],
            "ignore": [list(die.box) for die in dice if die.visible < LEAST_VISIBLE],
            "seed": number,
            "kind": "pasted",
        }
        write_files(image, [(die.box, die.face) for die in clear], truth, out, name)

    return make_missing(range(seed, seed + count), out, "pasted", "pasting tables", make)
