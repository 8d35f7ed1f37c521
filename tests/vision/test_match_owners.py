"""Owners in a match: by names at first, then by what the sets on this table look like, all dice together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from datasets.compose import DrawnTable, draw
from datasets.die import DieStyle, Lamp
from datasets.scenes import Camera, PlacedDie, Scene, hex_rgb
from engine.lawn import NEUTRAL, Owner
from engine.table import TableView
from tests.vision.clip import Image, KnownDice, styles
from vision.colours import ColourNamer
from vision.crop_reader import DieNow
from vision.match_owners import MatchOwners, match_owners, names_in
from vision.owners import ColouredDie, OwnerError, players
from vision.view import Viewer

Light = tuple[float, float, float]
DAYLIGHT: Light = (1.0, 1.0, 1.0)
BULB: Light = (1.5, 1.0, 0.42)  # a warm bulb, the camera's white balance left at daylight
CANDLES: Light = (1.8, 1.0, 0.22)
SHADE: Light = (0.75, 0.95, 1.3)
BODIES = {"red": "c01820", "orange": "ee7a1c", "white": "f4f2ec"}
COUNTS = {"red": 8, "orange": 8, "white": 6}  # rules 1:1.A, 1:1.B
OWNER: dict[str, Owner] = {"red": 0, "orange": 1, "white": NEUTRAL}


class SampledDice(KnownDice):
    """Known dice whose colours are looked at in the picture, and named by the shipped network."""

    def __init__(self, *tables: DrawnTable) -> None:
        super().__init__(*tables)
        self._namer = ColourNamer()

    def _seen(self, image: Image) -> list[DieNow]:
        return self.again(image, super()._seen(image))

    def again(self, image: Image, dice: Sequence[DieNow]) -> list[DieNow]:
        looks = self._namer.look(image, [die.box for die in dice])
        return [
            replace(die, colour_p=colour_p, sample=sample)
            for die, (colour_p, sample) in zip(dice, looks, strict=True)
        ]


def style(colour: str) -> DieStyle:
    shape = styles()["white" if colour == "white" else "red"]
    return replace(shape, colour=colour, body=hex_rgb(BODIES[colour]))


@cache
def laid(light: Light, seed: int = 1, **counts: int) -> DrawnTable:
    """Dice of these colours scattered under a light; every die of the match by default."""
    rng = np.random.default_rng(seed)
    colours = [name for name, count in (counts or COUNTS).items() for _ in range(count)]
    spots = [(x * 30.0 - 75, y * 30.0 - 45) for y in range(4) for x in range(6)]
    rng.shuffle(spots)
    dice = [
        PlacedDie(style(colour), int(rng.integers(1, 7)), x, y, rng.uniform(0, 6))
        for colour, (x, y) in zip(colours, spots, strict=False)
    ]
    lamp = Lamp(direction=(0.4, 0.3, math.sqrt(0.75)), strength=0.5, colour=light, sky=light)
    camera = Camera(distance_mm=330, tilt=0.2, azimuth=-math.pi / 2, roll=0, focal=1.0)
    scene = Scene("scatter", tuple(dice), camera, lamp, "cloth", False, seed)
    return draw(scene, 480, 270, clean=True)


def watcher(*tables: DrawnTable) -> tuple[Viewer, MatchOwners]:
    owners = match_owners(["red", "orange"])
    assert isinstance(owners, MatchOwners)
    return Viewer(SampledDice(*tables), owners=owners), owners


def wrong(view: TableView, drawn: DrawnTable) -> int:
    """How many of the view's dice are given to the wrong owner."""
    truth = {die.box: OWNER[die.colour] for die in drawn.dice}
    assert len(view.dice) == len(truth)
    return sum(max(die.owner_p) < 0.5 or die.owner != truth[die.box] for die in view.dice)


def test_under_a_lamp_that_makes_names_wrong_the_sets_themselves_tell() -> None:
    drawn = laid(CANDLES)
    names = Viewer(SampledDice(drawn), owners=players(["red", "orange"]))
    assert wrong(names.see_alone(drawn.image, 0.0), drawn) >= 4
    viewer, _ = watcher(drawn)
    assert wrong(viewer.see_alone(drawn.image, 0.0), drawn) == 0


def test_names_are_right_under_a_warm_bulb() -> None:
    drawn = laid(BULB)
    names = Viewer(SampledDice(drawn), owners=players(["red", "orange"]))
    assert wrong(names.see_alone(drawn.image, 0.0), drawn) == 0


def test_what_was_learned_by_daylight_is_told_when_the_light_changes() -> None:
    day, evening = laid(DAYLIGHT), laid(SHADE, seed=2, red=3, orange=2, white=4)
    viewer, _ = watcher(day, evening)
    assert wrong(viewer.see_alone(day.image, 0.0), day) == 0
    assert wrong(viewer.see_alone(evening.image, 60.0), evening) == 0


@pytest.mark.parametrize(
    "counts", [{"red": 8, "orange": 8}, {"red": 4, "orange": 2, "white": 5}], ids=str
)
def test_while_a_set_is_missing_names_tell_and_no_set_is_taken_for_two(
    counts: dict[str, int],
) -> None:
    drawn = laid(DAYLIGHT, seed=3, **counts)
    viewer, owners = watcher(drawn)
    view = viewer.see_alone(drawn.image, 0.0)
    assert owners.learned is None
    names = Viewer(SampledDice(drawn), owners=players(["red", "orange"]))
    said = names.see_alone(drawn.image, 0.0)
    assert [die.owner_p for die in view.dice] == [die.owner_p for die in said.dice]


def test_colours_are_learned_anew_from_fuller_views_until_every_die_was_seen() -> None:
    few, full = laid(DAYLIGHT, seed=4, red=3, orange=3, white=3), laid(DAYLIGHT)
    viewer, owners = watcher(few, full)
    viewer.see_alone(few.image, 0.0)
    first = owners.learned
    assert first is not None
    viewer.see_alone(full.image, 1.0)
    second = owners.learned
    assert second is not first
    viewer.see_alone(few.image, 2.0)
    assert owners.learned is second


def test_a_table_that_lies_still_is_not_worked_out_again() -> None:
    drawn = laid(DAYLIGHT)
    reader = SampledDice(drawn)
    dice = [ColouredDie(die.colour_p, die.sample) for die in reader.whole(drawn.image)]
    owners = match_owners(["red", "orange"])
    assert isinstance(owners, MatchOwners)
    first = owners.together(dice)
    told = owners._told
    assert owners.together(list(dice)) == first
    assert owners._told is told


def test_a_die_without_a_sample_is_told_by_its_name() -> None:
    drawn = laid(DAYLIGHT)
    seen = SampledDice(drawn).whole(drawn.image)
    dice = [ColouredDie(die.colour_p, die.sample) for die in seen]
    dice[5] = ColouredDie({"red": 0.6, "white": 0.4})
    assert match_owners(["red", "orange"]).together(dice)[5] == (0.6, 0.0, 0.0, 0.4)


def test_colours_that_were_taught_before_are_used_at_once() -> None:
    day, few = laid(DAYLIGHT), laid(SHADE, seed=5, red=2, white=1)
    viewer, owners = watcher(day)
    viewer.see_alone(day.image, 0.0)
    taught = match_owners(["red", "orange"], owners.learned)
    again = Viewer(SampledDice(few), owners=taught)
    assert wrong(again.see_alone(few.image, 0.0), few) == 0


def test_no_names_are_nobodys_and_wrong_ones_are_said() -> None:
    assert names_in(None) == ()
    assert names_in("red, blue") == ("red", "blue")
    assert match_owners([]).together([ColouredDie({"red": 1.0})]) == [(0, 0, 0, 0)]
    with pytest.raises(OwnerError, match="two or three different colours"):
        match_owners(["red"])
