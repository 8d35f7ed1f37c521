"""Measure a detector on pictures with known dice: `lawn evaluate`.

Per source of pictures: dice, found, face right, false boxes, pictures exactly right, and the confusion of faces; and
for all of them the calibration of the face probabilities. Found means a box with an overlap (IoU) of at least 0.5,
matched one to one, best overlap first.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from datasets.real import (
    CollectionError,
    LabelledPhoto,
    load_photos,
    load_unlabelled,
    read_labels,
)
from models.train_colours import Named, drawn_dice, measure, real_dice
from vision.colours import ColourNamer
from vision.detect import Detection
from vision.find import DiceFinder
from vision.networks import Backend
from vision.overlap import overlaps

LEAST_OVERLAP = 0.5
SURE = 0.99
COUNTED = (
    *("pictures", "dice", "found", "face_right", "false_boxes", "on_unlabelled_dice"),
    "exactly_right",
)
"""The plain counts of a tally."""

Find = Callable[[NDArray[np.uint8]], list[Detection]]


@dataclass
class Tally:
    """Counts over some pictures. confusion[true face - 1, read face - 1] counts found dice."""

    pictures: int = 0
    dice: int = 0
    found: int = 0
    face_right: int = 0
    false_boxes: int = 0
    exactly_right: int = 0
    confusion: NDArray[np.int64] = field(default_factory=lambda: np.zeros((6, 6), np.int64))
    face_p: list[tuple[float, bool]] = field(default_factory=list)
    worst: list[tuple[int, str]] = field(default_factory=list)
    on_unlabelled_dice: int = 0
    """How many of the false boxes lie on real dice that the labels leave out (datasets/real_unlabelled.csv)."""

    def add(self, other: Tally) -> None:
        """Add another tally's counts to this one."""
        for name in COUNTED:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.confusion += other.confusion
        self.face_p += other.face_p
        self.worst += other.worst

    def to_json(self) -> dict[str, Any]:
        """Counts, shares in percent, calibration and the worst pictures."""
        sure = [right for p, right in self.face_p if p >= SURE]
        return {
            "pictures": self.pictures,
            "dice": self.dice,
            "found": self.found,
            "found_percent": percent(self.found, self.dice),
            "face_right": self.face_right,
            "face_right_percent": percent(self.face_right, self.found),
            "false_boxes": self.false_boxes,
            "false_per_100_dice": percent(self.false_boxes, self.dice),
            "false_boxes_on_unlabelled_dice": self.on_unlabelled_dice,
            "exactly_right": self.exactly_right,
            "exactly_right_percent": percent(self.exactly_right, self.pictures),
            "confusion": self.confusion.tolist(),
            "calibration_error": calibration_error(self.face_p),
            "said_99_sure": len(sure),
            "of_these_right_percent": percent(sum(sure), len(sure)),
            "worst": [name for _, name in sorted(self.worst, reverse=True)[:10]],
        }


def percent(part: int, whole: int) -> float | None:
    """100 part / whole to two places, None of nothing."""
    return round(100 * part / whole, 2) if whole else None


def match(found: NDArray[np.float32], truth: NDArray[np.float32]) -> list[tuple[int, int]]:
    """Pairs (found, truth) of boxes that overlap enough, one to one, best overlap first."""
    if not len(found) or not len(truth):
        return []
    iou = overlaps(found, truth)
    pairs: list[tuple[int, int]] = []
    for flat in np.argsort(-iou, axis=None):
        f, t = divmod(int(flat), len(truth))
        if iou[f, t] < LEAST_OVERLAP:
            break
        if all(f != a and t != b for a, b in pairs):
            pairs.append((f, t))
    return pairs


def tally_picture(
    name: str,
    found: Sequence[Detection],
    boxes: NDArray[np.float32],
    faces: NDArray[np.int64],
    left_out: NDArray[np.float32] | None = None,
) -> Tally:
    """Compare what was found with the truth, boxes (N, 4) px and faces (N,) 1..6.

    left_out: boxes (M, 4) px of real dice that the truth leaves out; a box there still counts as false.
    """
    ours = np.array([die.box for die in found], np.float32).reshape(-1, 4)
    pairs = match(ours, boxes)
    tally = Tally(
        pictures=1, dice=len(faces), found=len(pairs), false_boxes=len(found) - len(pairs)
    )
    for f, t in pairs:
        read = int(np.argmax(found[f].face_p))
        right = bool(read == faces[t] - 1)
        tally.face_right += right
        tally.confusion[faces[t] - 1, read] += 1
        tally.face_p.append((max(found[f].face_p), bool(right)))
    wrong = (len(faces) - len(pairs)) + (len(pairs) - tally.face_right) + tally.false_boxes
    tally.exactly_right = int(wrong == 0)
    if wrong:
        tally.worst.append((int(wrong), name))
    if left_out is not None:
        matched = {f for f, _ in pairs}
        rest = [index for index in range(len(ours)) if index not in matched]
        tally.on_unlabelled_dice = len(match(ours[rest], left_out))
    return tally


def calibration_error(face_p: Sequence[tuple[float, bool]], bins: int = 15) -> float | None:
    """Expected calibration error of face probabilities, over bins of equal width (Guo et al. 2017)."""
    if not face_p:
        return None
    said, right = np.array(face_p, float).T
    which = np.minimum((said * bins).astype(int), bins - 1)
    gaps = [abs(float((said - right)[which == each].sum())) for each in range(bins)]
    return round(sum(gaps) / len(said), 4)


@dataclass(frozen=True)
class Picture:
    """A picture with truth: file, source, boxes (N, 4) in 0..1 and faces (N,); left_out (M, 4) in 0..1 of real dice
    that the truth leaves out."""

    path: Path
    source: str
    boxes: NDArray[np.float32]
    faces: NDArray[np.int64]
    left_out: NDArray[np.float32] = field(default_factory=lambda: np.zeros((0, 4), np.float32))


def pictures_of(photos: Path | None, split: str, drawn: Iterable[Path]) -> list[Picture]:
    """Pictures of one split of a photo collection and of folders made by `lawn render`.

    Raises CollectionError when there are none or they cannot be read.
    """
    pictures = []
    if photos is not None:
        found: list[LabelledPhoto] = load_photos(photos, split)
        left_out = load_unlabelled()
        nothing = np.zeros((0, 4), np.float32)
        pictures += [
            Picture(
                p.path, p.source, p.boxes, p.faces, left_out.get((p.source, p.path.name), nothing)
            )
            for p in found
        ]
    for folder in drawn:
        images = sorted((folder / "images").glob("*.*"))
        if not images:
            raise CollectionError(f"{folder}: no drawn tables here; make some with 'lawn render'.")
        for path in images:
            boxes, faces = read_labels(folder / "labels" / f"{path.stem}.txt")
            pictures.append(Picture(path, f"drawn:{folder.name}", boxes, faces))
    if not pictures:
        raise CollectionError(f"No pictures to evaluate on (photos: {photos}, split: {split}).")
    return pictures


def tallies(pictures: Sequence[Picture], find: Find) -> Iterator[tuple[str, Tally]]:
    """Read each picture and compare; yields (source, tally of this picture)."""
    for picture in tqdm(pictures, desc="evaluating", unit="picture"):
        image = cv2.imread(str(picture.path), cv2.IMREAD_COLOR)
        if image is None:
            raise CollectionError(f"{picture.path}: this picture cannot be read.")
        height, width = image.shape[:2]
        size = np.array([width, height, width, height], np.float32)
        found = find(np.asarray(image, np.uint8))
        yield (
            picture.source,
            tally_picture(
                picture.path.name,
                found,
                picture.boxes * size,
                picture.faces,
                picture.left_out * size,
            ),
        )


def evaluate(
    weights: Path | None,
    photos: Path | None,
    split: str = "val",
    drawn: Sequence[Path] = (),
    backend: Backend = "onnxruntime",
) -> dict[str, Any]:
    """Evaluate a detector (None: the shipped one); returns the JSON object that `lawn evaluate` writes.

    `{"weights", "split", "colours": {kind: counts}, "sources": {name: counts}, "all": counts}`; see Tally.to_json and
    models.train_colours.measure. Raises CollectionError, vision.networks.ModelError.
    """
    finder = DiceFinder(weights, backend=backend)
    by_source: dict[str, Tally] = {}
    total = Tally()
    for source, tally in tallies(pictures_of(photos, split, drawn), finder.find):
        by_source.setdefault(source, Tally()).add(tally)
        total.add(tally)
    return {
        "weights": finder.detector.path.name,
        "split": split,
        "colours": colours_named(photos, split, drawn),
        "sources": {source: tally.to_json() for source, tally in sorted(by_source.items())},
        "all": total.to_json(),
    }


def colours_named(
    photos: Path | None, split: str, drawn: Sequence[Path]
) -> dict[str, dict[str, Any]]:
    """How often the shipped colour network names dice with known colours rightly, each die judged alone."""
    namer = ColourNamer()
    known: dict[str, Named] = {}
    if photos is not None:
        known["named by eye"] = real_dice(photos, split)
    if drawn:
        known["drawn"] = drawn_dice(drawn)
    return {kind: measure(namer, dice) for kind, dice in known.items()}


def report(result: dict[str, Any]) -> str:
    """The result as a table for people, the confusion of faces below it."""
    head = f"{'source':<22}{'pictures':>9}{'dice':>7}{'found %':>9}{'face %':>8}{'false':>7}{'exact %':>9}\n"
    lines = [head]
    for name, counts in [*result["sources"].items(), ("all", result["all"])]:
        lines.append(
            f"{name:<22}{counts['pictures']:>9}{counts['dice']:>7}{_shown(counts['found_percent']):>9}"
            f"{_shown(counts['face_right_percent']):>8}{counts['false_boxes']:>7}"
            f"{_shown(counts['exactly_right_percent']):>9}\n"
        )
    lines.append("\nConfusion (rows: true face, columns: read face)\n")
    lines.append("      " + "".join(f"{face:>6}" for face in range(1, 7)) + "\n")
    for face, row in enumerate(result["all"]["confusion"], start=1):
        lines.append(f"{face:>6}" + "".join(f"{count:>6}" for count in row) + "\n")
    counts = result["all"]
    lines.append(
        f"\nSaid 99 % sure: {counts['said_99_sure']} dice, of these right: "
        f"{_shown(counts['of_these_right_percent'])} %. Calibration error {_shown(counts['calibration_error'], 4)}.\n"
    )
    if counts["false_boxes_on_unlabelled_dice"]:
        lines.append(
            f"{counts['false_boxes_on_unlabelled_dice']} of the {counts['false_boxes']} false boxes lie on real dice "
            f"that the labels leave out (datasets/real_unlabelled.csv).\n"
        )
    for kind, named in result["colours"].items():
        lines.append(
            f"Colours of {named['dice']} dice {kind}: {_shown(named['right_percent'])} % right.\n"
        )
    return "".join(lines)


def _shown(value: float | None, places: int = 2) -> str:
    return "-" if value is None else f"{value:.{places}f}"


def write_result(result: dict[str, Any], out: Path) -> None:
    """Write the result as JSON; raises CollectionError when that is not possible."""
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise CollectionError(f"{out}: the result cannot be written ({error.strerror}).") from error
