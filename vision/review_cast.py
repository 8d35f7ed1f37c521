"""Who plays in a recording: how many players, of which colours, and where each of them sits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from engine.dice import NEUTRAL_DICE
from vision.film import Film
from vision.footprint import footprints_mm
from vision.frames import SourceError
from vision.mat import FoundMat, mat_of_corners
from vision.owners import NEUTRAL_COLOUR
from vision.reader import TableReader
from vision.reading import Reading

SAMPLES = 14
"""Pictures that are looked at, at most; players are known as soon as two of them agree."""
A_SET = 5
"""So many dice of one colour at once are a set of a player or the neutral one."""
SURE = 0.6
"""Dice found with less are not counted."""

WAYS = ((0.0, 1.0), (0.0, -1.0), (1.0, 0.0))
"""Where each seat is, from the Lawn's middle: x to the right flank, y to row 6."""

TELL = "give the players' colours in seat order, such as --players red,blue"


@dataclass(frozen=True)
class Cast:
    """The players' colours in seat order."""

    colours: tuple[str, ...]


def find_cast(film: Film, reader: TableReader | None = None) -> Cast:
    """The cast of a recording, from a few of its pictures. Raises SourceError when it cannot be told."""
    reader = reader or TableReader()
    seen: list[Reading] = []
    told: Counter[frozenset[str]] = Counter()
    for time_s, image in film.samples(SAMPLES):
        seen.append(reader.read(image, f"{film.name} at {time_s:.0f} s"))
        sets = sets_in(seen)
        if sets is None:
            continue
        told[sets] += 1
        if told[sets] >= 2:
            break
    if not told:
        raise SourceError(
            f"{film.name}: it cannot be told who plays, since no two or three sets of dice were seen; {TELL}."
        )
    colours = told.most_common(1)[0][0]
    return Cast(seated(sorted(colours), seen))


def sets_in(readings: Iterable[Reading]) -> frozenset[str] | None:
    """The players' colours, or None while too little was seen."""
    most: Counter[str] = Counter()
    for reading in readings:
        here = Counter(die.colour for die in reading.dice if die.found_p > SURE)
        for colour, count in here.items():
            most[colour] = max(most[colour], count)
    large = [colour for colour, count in most.most_common() if count >= A_SET]
    neutral = NEUTRAL_COLOUR
    if neutral in large and most[neutral] <= NEUTRAL_DICE:
        others = [colour for colour in large if colour != neutral]
        return frozenset(others[:2]) if len(others) >= 2 else None
    if most[neutral] > NEUTRAL_DICE and most["black"] in range(A_SET, NEUTRAL_DICE + 1):
        others = [colour for colour in large if colour != "black"]  # a player has the white ones
        return frozenset(others[:2]) if len(others) >= 2 else None
    return frozenset(large[:3]) if len(large) >= 3 else None


def seated(colours: list[str], readings: Iterable[Reading]) -> tuple[str, ...]:
    """The colours in seat order, by where their dice lie off the Lawn.

    As on our mat, seat 1 sits below row 6, seat 2 above row 1, seat 3 right of the right flanks.
    """
    lying: dict[str, list[tuple[float, float]]] = {colour: [] for colour in colours}
    for reading in readings:
        for colour, spot in _off_lawn(reading):
            if colour in lying:
                lying[colour].append(spot)
    middles = {
        colour: np.median(np.array(spots), axis=0) for colour, spots in lying.items() if spots
    }

    def fit(order: tuple[str, ...]) -> float:
        """How well the seats fit; whoever has no dice off the Lawn takes what is left."""
        return sum(
            float(np.dot(middles[colour], way))
            for colour, way in zip(order, WAYS, strict=False)
            if colour in middles
        )

    return max(permutations(colours), key=fit)


def _off_lawn(reading: Reading) -> Iterator[tuple[str, tuple[float, float]]]:
    """Colour and place of every die off the Lawn: from the Lawn's middle, x right, y to row 6, in Lawns."""
    mat = _mat_of(reading)
    dice = [die for die in reading.dice if die.found_p > SURE]
    if mat is None or not dice:
        return
    spots = footprints_mm(np.array([die.box for die in dice], np.float64), mat)
    lawn = mat.layout.lawn
    (mx, my), width, height = lawn.centre, lawn.width, lawn.height
    for die, (x, y) in zip(dice, spots, strict=True):
        if die.place is not None and "row" not in die.place:
            yield die.colour, ((float(x) - mx) / width, (float(y) - my) / height)


def _mat_of(reading: Reading) -> FoundMat | None:
    found = reading.mat
    if not found or not found.get("found"):
        return None
    corners = np.array(found["corners"], np.float64)
    return mat_of_corners(corners, (reading.width, reading.height))
