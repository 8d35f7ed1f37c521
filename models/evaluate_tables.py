"""Measure whole tables: `lawn evaluate --tables FOLDER`, on tables made by `lawn render` with their truth.

A table is exactly right when every die that can be judged has its face, its colour and its place right, and nothing
else was read. A die can be judged when its top face is at least 20 px large (the square root of its area) and 90 % of
it is visible. Places count where a lawn lies on the table: row and side on it, and off it that it is off it.

Colours are judged twice: by the names of colours, each picture alone; and as a match knows them, where the players' are
given and each set has its number of dice (vision.set_colours).
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from datasets.real import CollectionError
from engine.lawn import NEUTRAL, Owner
from engine.table import OWNERS
from models.evaluate import match, percent
from vision.colours import sample_die
from vision.networks import Backend
from vision.reader import TableReader
from vision.reading import DieReading
from vision.set_colours import SetColours, dice_in_match

LEAST_TOP_PX = 20.0
LEAST_TOP_VISIBLE = 0.9


@dataclass
class TableTally:
    """Counts over made tables; `worst` lists (errors, picture, what was wrong)."""

    tables: int = 0
    exact: int = 0
    at_most_one_error: int = 0
    dice: int = 0
    found: int = 0
    faces_right: int = 0
    names_right: int = 0
    places: int = 0
    places_right: int = 0
    false: int = 0
    owners: int = 0
    owners_right: int = 0
    without_dice: int = 0
    without_dice_read: int = 0
    worst: list[tuple[int, str, str]] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Counts, shares in percent, and the worst tables."""
        data: dict[str, Any] = asdict(self)
        data["exact_percent"] = percent(self.exact, self.tables)
        data["at_most_one_error_percent"] = percent(self.at_most_one_error, self.tables)
        data["found_percent"] = percent(self.found, self.dice)
        data["faces_right_percent"] = percent(self.faces_right, self.found)
        data["names_right_percent"] = percent(self.names_right, self.found)
        data["owners_right_percent"] = percent(self.owners_right, self.owners)
        data["places_right_percent"] = percent(self.places_right, self.places)
        data["worst"] = [list(each) for each in sorted(self.worst, reverse=True)[:10]]
        return data


def evaluate_tables(
    folder: Path, weights: Path | None = None, backend: Backend = "onnxruntime"
) -> TableTally:
    """Read every table of a folder. Raises CollectionError when there is none or a file cannot be read."""
    truths = sorted((folder / "truth").glob("*.json"))
    if not truths:
        raise CollectionError(
            f"{folder}: no tables with their truth here; make some with 'lawn render'."
        )
    reader, tally = TableReader(weights, backend), TableTally()
    for path in tqdm(truths, desc="reading tables", unit="table"):
        picture = next(iter((folder / "images").glob(f"{path.stem}.*")), None)
        image = None if picture is None else cv2.imread(str(picture), cv2.IMREAD_COLOR)
        if image is None:
            raise CollectionError(f"{path}: its picture is missing or cannot be read.")
        truth = json.loads(path.read_text(encoding="utf-8"))
        _tally(tally, path.stem, np.asarray(image, np.uint8), truth, reader)
    return tally


def can_be_judged(die: dict[str, Any]) -> bool:
    """Whether a true die's top is large and clear enough."""
    top = np.array(die["top"], np.float32).reshape(-1, 2)
    size = float(np.sqrt(abs(cv2.contourArea(top)))) if len(top) > 2 else 0.0
    clear = die["top_visible"] >= LEAST_TOP_VISIBLE and not die["cut_off"]
    return bool(size >= LEAST_TOP_PX and clear)


def _tally(
    tally: TableTally,
    name: str,
    image: NDArray[np.uint8],
    truth: dict[str, Any],
    reader: TableReader,
) -> None:
    read = reader.read(image, name).dice
    if not truth["dice"]:
        tally.without_dice += 1
        tally.without_dice_read += len(read)
        if read:
            tally.worst.append((len(read), name, f"{len(read)} things read as dice"))
        return
    boxes = np.array([die.box for die in read], np.float32).reshape(-1, 4)
    true = np.array([die["box"] for die in truth["dice"]], np.float32).reshape(-1, 4)
    reading_of = {t: read[f] for f, t in match(boxes, true)}
    wrong: list[str] = []
    false = len(read) - len(reading_of)
    if false:
        wrong.append(f"{false} false")
    has_lawn = truth["mat"]["lawn_corners"] is not None
    for index, die in enumerate(truth["dice"]):
        if can_be_judged(die):
            wrong += _judge(tally, die, reading_of.get(index), has_lawn)
    tally.tables += 1
    tally.false += false
    errors = len(wrong) + max(false - 1, 0)
    tally.exact += errors == 0
    tally.at_most_one_error += errors <= 1
    if errors:
        tally.worst.append((errors, name, ", ".join(wrong)))
    _judge_owners(tally, image, truth, reading_of)


def _judge(
    tally: TableTally, die: dict[str, Any], read: DieReading | None, has_lawn: bool
) -> list[str]:
    """What is wrong with the reading of one true die; the tally counts it."""
    tally.dice += 1
    if read is None:
        return [f"a {die['colour']} {die['face']} not seen"]
    tally.found += 1
    face, name = read.face == die["face"], read.colour == die["colour"]
    tally.faces_right += face
    tally.names_right += name
    wrong = [] if face else [f"a {die['face']} read as {read.face}"]
    wrong += [] if name else [f"{die['colour']} named {read.colour}"]
    if has_lawn:
        place = _same_place(die["place"], read.place)
        tally.places += 1
        tally.places_right += place
        wrong += [] if place else [f"a {die['colour']} {die['face']} misplaced"]
    return wrong


def _same_place(true: dict[str, Any], read: dict[str, Any] | None) -> bool:
    if read is None:
        return False
    if true["area"] == "lawn":
        return (read.get("row"), read.get("side")) == (true["row"], true["side"])
    return "row" not in read


def _judge_owners(
    tally: TableTally,
    image: NDArray[np.uint8],
    truth: dict[str, Any],
    reading_of: dict[int, DieReading],
) -> None:
    """Tell the sets of a match apart as a session does: learned from this picture, the players' colours being known."""
    players = [str(player) for player in truth.get("players", [])]
    if len(players) not in (2, 3):
        return
    seats: tuple[Owner, ...] = (0, 1, 2)
    owner_of: dict[str, Owner] = dict(zip(players, seats, strict=False))
    if len(players) == 2:
        owner_of[str(truth["neutral"])] = NEUTRAL
    samples, said, true = [], [], []
    for index, die in enumerate(truth["dice"]):
        read = reading_of.get(index)
        look = None if read is None else sample_die(image, read.box)
        if read is None or look is None or die["colour"] not in owner_of:
            continue
        samples.append(look)
        named = {owner: read.colour_p.get(name, 0.0) for name, owner in owner_of.items()}
        said.append([named.get(owner, 0.0) for owner in OWNERS])
        true.append(owner_of[die["colour"]])
    learned = SetColours.learn(
        samples,
        np.array(said).reshape(-1, 4),
        dice_in_match(len(players)),
        {owner: name for name, owner in owner_of.items()},
    )
    if learned is None:
        return
    owners = [OWNERS[int(np.argmax(row))] for row in learned.owner_p(samples)]
    tally.owners += len(true)
    tally.owners_right += sum(a == b for a, b in zip(owners, true, strict=True))


def report_tables(tally: TableTally) -> str:
    """The tally for people."""
    data = tally.to_json()
    lines = [
        f"{tally.tables} tables with dice: exactly right {data['exact_percent']} %, at most one error "
        f"{data['at_most_one_error_percent']} %",
        f"{tally.dice} dice that can be judged: found {data['found_percent']} %, of these faces right "
        f"{data['faces_right_percent']} %, colours named {data['names_right_percent']} %, places "
        f"{data['places_right_percent']} % of {tally.places}; {tally.false} false",
        f"sets told apart as a match knows them: {data['owners_right_percent']} % of {tally.owners} dice",
        f"{tally.without_dice} pictures without dice: {tally.without_dice_read} things read as dice",
        *(f"  {name}: {what}" for _, name, what in data["worst"]),
    ]
    return "\n".join(lines)
