"""Measure on photographs of a kind that training never saw: `lawn leave-one-out`.

The val photographs of some sources show the same desks as train ones, so they flatter. Here each source is left out in
turn: networks are trained without any of its photographs, and read all of them. What needs no photographs is
trained once, on made tables: a detector and a close-up reader to start from, and the box refiner.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from datasets.real import load_photos
from models.evaluate import Tally, pictures_of, tallies, write_result
from models.export import export
from models.train import TrainingError, TrainingPlan, make_sure_of_writing, train
from models.train_boxes import BoxPlan, train_boxes
from models.train_closeup import CloseUpPlan, train_closeup
from vision.find import DiceFinder


@dataclass(frozen=True)
class LeftOutPlan:
    """The detector's and the close-up reader's two runs: on made tables alone, then with photographs.

    Numbers are those of TrainingPlan, CloseUpPlan and BoxPlan; the seeds follow on `seed`.
    """

    base_tiles: int = 14000
    base_epochs: int = 1
    tiles: int = 4000
    drawn_tiles: int = 1000
    epochs: int = 1
    base_closeup_epochs: int = 10
    closeup_epochs: int = 5
    closeup_batch: int = 128
    boxes_epochs: int = 6
    learning_rate: float = 0.0015
    seed: int = 200


SMOKE = LeftOutPlan(
    base_tiles=8,
    tiles=8,
    drawn_tiles=8,
    base_closeup_epochs=1,
    closeup_epochs=1,
    closeup_batch=16,
    boxes_epochs=1,
)
"""A run of seconds that learns nothing of use."""


@dataclass(frozen=True)
class LeaveOneOut:
    """One check: `photos` and `drawn` as in TrainingPlan, COCO weights to seed the detector or None, the folder of
    everything that is made, and threads of the processor (None: all)."""

    photos: str
    drawn: tuple[str, ...]
    out: Path
    coco: Path | None = None
    threads: int | None = None
    plan: LeftOutPlan = LeftOutPlan()

    def sources(self) -> list[str]:
        """The collection's sources, in the order of their names. Raises CollectionError."""
        return sorted({photo.source for photo in load_photos(Path(self.photos))})

    def bases(self) -> tuple[Path, Path, Path]:
        """What saw made tables only: the detector's weights (.pt), the close-up reader and the refiner (.onnx)."""
        plan, out = self.plan, self.out
        made = TrainingPlan(photos=None, drawn=self.drawn)
        first = replace(
            made,
            tiles=0,
            drawn_tiles=plan.base_tiles,
            epochs=plan.base_epochs,
            seed=plan.seed,
        )
        detector = train(first, out / "base-detector", self.coco, None, self.threads)
        closeup = out / "base-closeup.onnx"
        if not closeup.is_file():
            close = CloseUpPlan(
                epochs=plan.base_closeup_epochs, seed=plan.seed + 1, batch=plan.closeup_batch
            )
            source = replace(made, seed=plan.seed + 1)
            train_closeup(source, close, out / "base-closeup", closeup, None, self.threads)
        boxes = out / "base-boxes.onnx"
        if not boxes.is_file():
            exported = _exported(detector, out / "base-detector.onnx")
            edges = BoxPlan(epochs=plan.boxes_epochs, seed=plan.seed + 2, batch=plan.closeup_batch)
            source = replace(made, seed=plan.seed + 2)
            train_boxes(source, edges, out / "base-boxes", boxes, exported, self.threads)
        return detector, closeup, boxes

    def seen(self, source: str) -> TrainingPlan:
        """What the networks for a left-out source are trained on: the photographs of all others, and made tables."""
        return TrainingPlan(
            photos=self.photos,
            drawn=self.drawn,
            tiles=self.plan.tiles,
            drawn_tiles=self.plan.drawn_tiles,
            epochs=self.plan.epochs,
            learning_rate=self.plan.learning_rate,
            seed=self.plan.seed + 3,
            without=(source,),
        )

    def without(self, source: str) -> DiceFinder:
        """The reader that was trained on every source but this one."""
        detector, closeup, boxes = self.bases()
        plan, folder = self.plan, self.out / f"without-{source}"
        seen = self.seen(source)
        weights = train(seen, folder, None, detector, self.threads)
        exported = _exported(weights, folder / "detector.onnx")
        reader = folder / "closeup.onnx"
        if not reader.is_file():
            close = CloseUpPlan(
                epochs=plan.closeup_epochs,
                batch=plan.closeup_batch,
                learning_rate=plan.learning_rate,
                seed=plan.seed + 4,
            )
            train_closeup(seen, close, folder / "closeup", reader, exported, self.threads, closeup)
        # The second look at what is doubted is left out: what ships has seen photographs of every source.
        return DiceFinder(exported, reader, boxes=boxes, second_look=False)

    def measured(self, source: str) -> dict[str, Any]:
        """Counts over all photographs of a source that was left out, train and val ones; see Tally.to_json.

        Kept in OUT/without-SOURCE/measured.json: a source that was measured is not trained for again.
        """
        kept = self.out / f"without-{source}" / "measured.json"
        if not kept.is_file():
            finder, total = self.without(source), Tally()
            pictures = [
                picture
                for split in ("train", "val")
                for picture in pictures_of(Path(self.photos), split, ())
                if picture.source == source
            ]
            for _, tally in tallies(pictures, finder.find):
                total.add(tally)
            write_result(total.to_json(), kept)
        counts: dict[str, Any] = json.loads(kept.read_text(encoding="utf-8"))
        return counts


def _exported(weights: Path, out: Path) -> Path:
    return out if out.is_file() else export(weights, out)


def leave_one_out(check: LeaveOneOut, only: Sequence[str] = ()) -> dict[str, Any]:
    """Leave out each source of the collection in turn, or those of `only`.

    Returns {"sources": {name: counts}, "mean": {"found_percent", "face_right_percent"}}, the mean over sources. What
    was cut off goes on where it ended. Raises TrainingError, CollectionError, vision.networks.ModelError.
    """
    sources = check.sources()
    for name in only:
        if name not in sources:
            raise TrainingError(
                f"--source {name}: there is no such source; the sources are {', '.join(sources)}."
            )
    if len(sources) < 2:
        raise TrainingError(
            f"{check.photos}: photographs of two sources at least are needed to leave one out."
        )
    make_sure_of_writing(check.out / "measured.json")
    counts = {name: check.measured(name) for name in only or sources}
    mean = {}
    for share in ("found_percent", "face_right_percent"):
        known = [each[share] for each in counts.values() if each[share] is not None]
        mean[share] = round(sum(known) / len(known), 2) if known else None
    return {"sources": counts, "mean": mean}


def report_left_out(result: dict[str, Any]) -> str:
    """A line for each source, the mean below."""
    lines = [f"{'left out':<16}{'photos':>8}{'dice':>7}{'found %':>9}{'face %':>8}{'false':>7}"]
    for name, counts in result["sources"].items():
        lines.append(
            f"{name:<16}{counts['pictures']:>8}{counts['dice']:>7}{_shown(counts['found_percent']):>9}"
            f"{_shown(counts['face_right_percent']):>8}{counts['false_boxes']:>7}"
        )
    mean = result["mean"]
    lines.append(
        f"{'mean':<31}{_shown(mean['found_percent']):>9}{_shown(mean['face_right_percent']):>8}"
    )
    return "\n".join(lines)


def _shown(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
