"""Measure whole tables: `lawn evaluate --tables FOLDER`, on tables made by `lawn render` with their truth.

A table is exactly right when every die that can be judged has its face, its colour and its place right, and nothing
else was read. A die can be judged when its top face is at least 20 px large (the square root of its area) and 90 % of
it is visible. Places count where a lawn lies on the table: row and side on it, and off it that it is off it. What was
not laid in a place, such as a Big Roll that lies scattered, may lie on the Lawn, too: its place is where its middle
lies, and is not judged within 3 mm of a line.

Colours are judged twice: by the names of colours, each picture alone; and, on tables with the dice of a match, by whose
dice they are, as a match knows where the players' colours are given and each set has its number of dice
(vision.set_colours).
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
from engine.table import OWNERS, LawnPlace
from models.evaluate import match, percent
from models.evaluate_mat import INSIDE_MM
from vision.colours import sample_die
from vision.layout import MatLayout, lawn_only
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
    of_a_match: int = 0
    match_exact: int = 0
    match_at_most_one_error: int = 0
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
        data["match_exact_percent"] = percent(self.match_exact, self.of_a_match)
        data["match_at_most_one_error_percent"] = percent(
            self.match_at_most_one_error, self.of_a_match
        )
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
    false = len(read) - len(reading_of)
    wrong = [f"{false} false"] if false else []
    lawn = lawn_only(tuple(truth["mat"]["pitch_mm"])) if truth["mat"]["lawn_corners"] else None
    judged = {index: die for index, die in enumerate(truth["dice"]) if can_be_judged(die)}
    misnamed: list[str] = []
    for index, die in judged.items():
        wrong += _judge(tally, die, reading_of.get(index), lawn)
        misnamed += _misnamed(tally, die, reading_of.get(index))
    tally.tables += 1
    tally.false += false
    errors = len(wrong) + max(false - 1, 0)
    tally.exact += errors + len(misnamed) == 0
    tally.at_most_one_error += errors + len(misnamed) <= 1
    if wrong or misnamed:
        tally.worst.append((errors + len(misnamed), name, ", ".join([*wrong, *misnamed])))
    owners = _owners_right(image, truth, reading_of)
    if owners is not None:
        tally.owners += len(owners)
        tally.owners_right += sum(owners.values())
        errors += sum(not right for index, right in owners.items() if index in judged)
        tally.of_a_match += 1
        tally.match_exact += errors == 0
        tally.match_at_most_one_error += errors <= 1


def _judge(
    tally: TableTally, die: dict[str, Any], read: DieReading | None, lawn: MatLayout | None
) -> list[str]:
    """What is wrong with the reading of one true die but for its colour; the tally counts it.

    lawn: None where there is none.
    """
    tally.dice += 1
    if read is None:
        return [f"a {die['colour']} {die['face']} not seen"]
    tally.found += 1
    face = read.face == die["face"]
    tally.faces_right += face
    wrong = [] if face else [f"a {die['face']} read as {read.face}"]
    if lawn is not None:
        right = _right_place(die, read.place, lawn)
        tally.places += right is not None
        tally.places_right += right is True
        wrong += [f"a {die['colour']} {die['face']} misplaced"] if right is False else []
    return wrong


def _misnamed(tally: TableTally, die: dict[str, Any], read: DieReading | None) -> list[str]:
    """That the colour of one true die is named wrong; the tally counts it."""
    right = read is not None and read.colour == die["colour"]
    tally.names_right += right
    return [] if right or read is None else [f"{die['colour']} named {read.colour}"]


def _right_place(die: dict[str, Any], read: dict[str, Any] | None, lawn: MatLayout) -> bool | None:
    """Whether a die was read where it lies; None where that cannot be judged."""
    true = die["place"]
    if true["area"] == "lawn":
        where = true["row"], true["side"]
    else:
        place, clearance = lawn.place_of((die["xy_mm"][0], die["xy_mm"][1]))
        if clearance < INSIDE_MM:
            return None
        where = (place.row, place.side) if isinstance(place, LawnPlace) else (None, None)
    return read is not None and (read.get("row"), read.get("side")) == where


def _owners_right(
    image: NDArray[np.uint8], truth: dict[str, Any], reading_of: dict[int, DieReading]
) -> dict[int, bool] | None:
    """Of which true dice that were read the owner is told right, as a session tells the sets of a match apart.

    Their colours are learned from this picture, the players' being known, or by these names alone where too few dice
    of a set are seen. None where the dice are not those of a match.
    """
    players = [str(player) for player in truth.get("players", [])]
    if len(players) not in (2, 3):
        return None
    seats: tuple[Owner, ...] = (0, 1, 2)
    owner_of: dict[str, Owner] = dict(zip(players, seats, strict=False))
    if len(players) == 2:
        if truth["neutral"] is None:
            return None  # two sets of any size are no match: rule 1:1.A
        owner_of[str(truth["neutral"])] = NEUTRAL
    dice, samples, said = [], [], []
    for index, die in enumerate(truth["dice"]):
        read = reading_of.get(index)
        look = None if read is None else sample_die(image, read.box)
        if read is None or look is None or die["colour"] not in owner_of:
            continue
        dice.append(index)
        samples.append(look)
        named = {owner: read.colour_p.get(name, 0.0) for name, owner in owner_of.items()}
        said.append([named.get(owner, 0.0) for owner in OWNERS])
    by_names = np.array(said).reshape(-1, len(OWNERS))
    learned = SetColours.learn(
        samples,
        by_names,
        dice_in_match(len(players)),
        {owner: name for name, owner in owner_of.items()},
    )
    told = by_names if learned is None else learned.owner_p(samples)
    owners = [OWNERS[int(np.argmax(row))] for row in told]
    return {
        index: owner == owner_of[truth["dice"][index]["colour"]]
        for index, owner in zip(dice, owners, strict=True)
    }


def report_tables(tally: TableTally) -> str:
    """The tally for people."""
    data = tally.to_json()
    lines = [
        f"{tally.tables} tables with dice: exactly right {data['exact_percent']} %, at most one error "
        f"{data['at_most_one_error_percent']} %",
        f"{tally.dice} dice that can be judged: found {data['found_percent']} %, of these faces right "
        f"{data['faces_right_percent']} %, colours named {data['names_right_percent']} %, places "
        f"{data['places_right_percent']} % of {tally.places}; {tally.false} false",
        f"{tally.of_a_match} of a match, whose sets are known: exactly right {data['match_exact_percent']} %, at most "
        f"one error {data['match_at_most_one_error_percent']} %; owners right {data['owners_right_percent']} % of "
        f"{tally.owners} dice",
        f"{tally.without_dice} pictures without dice: {tally.without_dice_read} things read as dice",
        *(f"  {name}: {what}" for _, name, what in data["worst"]),
    ]
    return "\n".join(lines)
