"""A view of a watched table as a reading: what the page, scores and drawings of single pictures take."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from engine.lawn import Owner
from engine.table import OWNERS, SeenDie, TableView
from vision.flags import WHAT_TO_DO
from vision.located import mat_notices, place_shown
from vision.mat import NOT_FOUND, FoundMat
from vision.reading import (
    COLOURS,
    UNSURE_COLOUR,
    UNSURE_FACE,
    UNSURE_FOUND,
    DieReading,
    Reading,
)

LEAST_FOUND = 0.3
"""What is a die with a probability below this is not shown."""
LEVEL = dict.fromkeys(COLOURS, 1 / len(COLOURS))


def shown_dice(view: TableView) -> tuple[SeenDie, ...]:
    """The dice of a view that a reading shows, from the top of the picture to its bottom, left to right."""
    dice = (die for die in view.dice if die.found_p >= LEAST_FOUND)
    return tuple(sorted(dice, key=lambda die: (die.box[1] + die.box[3], die.box[0] + die.box[2])))


def reading_of(
    view: TableView,
    name: str,
    size: tuple[int, int],
    mat: FoundMat | None,
    colours: Mapping[int, Mapping[str, float]],
    names: Mapping[Owner, str] | None = None,
) -> Reading:
    """The reading of a view, its dice as `shown_dice` orders them.

    name: of the picture, as the user knows it; size: its width and height, px; colours: P(name) by the
    dice's keys; names: the colour of every owner in the match, if it is known whose dice lie there: a
    die is then called by its owner's colour.
    """
    dice = shown_dice(view)
    notices = [] if dice else ["No dice are seen in this picture."]
    flags = {flag for die in dice for flag in die.flags}
    notices += [text for flag, text in WHAT_TO_DO.items() if flag in flags]
    if mat is not None:
        notices += mat_notices(mat)
    return Reading(
        name,
        *size,
        tuple(_die(die, colours.get(die.key, LEVEL), names or {}, mat is not None) for die in dice),
        NOT_FOUND if mat is None else mat.to_json(),
        tuple(notices),
    )


def _die(
    die: SeenDie, named: Mapping[str, float], names: Mapping[Owner, str], located: bool
) -> DieReading:
    colour_p = _colour_p(die, named, names)
    colour = max(colour_p, key=lambda each: colour_p[each])
    unsure = (
        bool(die.flags)
        or max(die.face_p) < UNSURE_FACE
        or colour_p[colour] < UNSURE_COLOUR
        or die.found_p < UNSURE_FOUND
    )
    return DieReading(
        box=die.box,
        face=int(np.argmax(die.face_p)) + 1,
        face_p=die.face_p,
        colour=colour,
        colour_p=colour_p,
        found_p=die.found_p,
        place=place_shown(die.place) if located else None,
        unsure=unsure,
    )


def _colour_p(
    die: SeenDie, named: Mapping[str, float], names: Mapping[Owner, str]
) -> dict[str, float]:
    """P(colour): the owners' colours as the owners are believed; what is nobody's goes by its name."""
    owned = {
        names[owner]: p for owner, p in zip(OWNERS, die.owner_p, strict=True) if owner in names
    }
    nobodys = {name: p for name, p in named.items() if name not in owned}
    left = max(1 - sum(owned.values()), 0.0)
    total = sum(nobodys.values())
    colour_p = {
        name: owned.get(name, left * nobodys.get(name, 0.0) / total if total else 0.0)
        for name in COLOURS
    }
    total = sum(colour_p.values())
    return {name: p / total for name, p in colour_p.items()} if total else dict(LEVEL)
