"""Colours come from the die's body: not its pips, not the table, not the lamp's glare."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from datasets.compose import draw
from datasets.die import DieStyle, Lamp
from datasets.real import DEFAULT_ROOT
from datasets.scenes import BODIES, Camera, PlacedDie, Scene, hex_rgb
from models.train_colours import measure, real_dice
from vision.colours import ColourNamer, lab, pool_alike, sample_die
from vision.reading import COLOURS

PIPS = {"white": (0.03, 0.03, 0.04), "yellow": (0.03, 0.03, 0.04), "pink": (0.03, 0.03, 0.04)}
REPOSITORY = Path(__file__).parents[2]


def table(colours: list[str], surface: str, lamp: Lamp, face: int = 5) -> Scene:
    """Two dice of each colour side by side."""
    dice = []
    for column, colour in enumerate(colours):
        style = DieStyle(
            colour, hex_rgb(BODIES[colour][0]), PIPS.get(colour, (0.95,) * 3), (0.9,) * 3, gloss=0.5
        )
        for row in range(2):
            x = (column - (len(colours) - 1) / 2) * 27
            dice.append(PlacedDie(style, face, x, row * 34 - 17, 0.3 * column + row))
    return Scene(
        "scatter", tuple(dice), Camera(400, 0.2, -math.pi / 2, 0, 1.0), lamp, surface, False, 5
    )


@pytest.mark.parametrize("surface", ["wood", "paper", "felt", "cloth"])
@pytest.mark.parametrize("face", [1, 6])  # one pip, and as many as there can be
def test_every_colour_is_named_on_any_table(surface: str, face: int) -> None:
    drawn = draw(table(list(COLOURS), surface, Lamp((0.3, 0.2, 0.93), 0.5), face), clean=True)
    named = ColourNamer().name(drawn.image, [die.box for die in drawn.dice])
    said = [max(p, key=lambda name: p[name]) for p in named]
    wrong = [(s, die.colour) for s, die in zip(said, drawn.dice, strict=True) if s != die.colour]
    assert len(wrong) <= 2, wrong  # one set of two may be taken for its neighbour


def test_probabilities_name_all_colours_and_sum_to_one() -> None:
    drawn = draw(table(["red", "blue"], "wood", Lamp((0, 0, 1), 0.5)), clean=True)
    for p in ColourNamer().name(drawn.image, [die.box for die in drawn.dice]):
        assert tuple(p) == COLOURS
        assert sum(p.values()) == pytest.approx(1)


@pytest.mark.parametrize("face", range(1, 7))
def test_the_body_is_sampled_and_not_the_pips(face: int) -> None:
    scene = table(["red"], "paper", Lamp((0, 0, 1.0), 0.5), face)
    pipless = replace(scene.dice[0].style, pips=scene.dice[0].style.body, ace=hex_rgb("c01820"))
    plain = replace(scene, dice=tuple(replace(die, style=pipless) for die in scene.dice))
    with_pips, without = draw(scene, clean=True), draw(plain, clean=True)
    for die in with_pips.dice:
        ours, theirs = sample_die(with_pips.image, die.box), sample_die(without.image, die.box)
        assert ours is not None
        assert theirs is not None
        assert np.linalg.norm(ours.body - theirs.body) < 4  # CIE76, hardly visible


def test_an_empty_box_is_no_die_and_gets_no_opinion() -> None:
    image = np.full((50, 50, 3), 128, np.uint8)
    assert sample_die(image, (10, 10, 11, 40)) is None
    (p,) = ColourNamer().name(image, [(10.0, 10.0, 11.0, 40.0)])
    assert set(p.values()) == {1 / len(COLOURS)}


def test_lab_of_white_and_black_is_as_defined() -> None:
    image = np.array([[[255, 255, 255], [0, 0, 0]]], np.uint8)
    assert np.allclose(lab(image)[0], [[100, 0, 0], [0, 0, 0]], atol=0.1)


def test_dice_that_look_alike_are_named_alike_and_others_are_left_alone() -> None:
    # Three dice of one set, one of them misjudged, and one of another set.
    own = np.array([[0.8, 0.2], [0.9, 0.1], [0.4, 0.6], [0.05, 0.95]])
    bodies = np.array([[50, 40, 30], [55, 41, 30], [47, 40, 31], [40, -30, 10.0]])
    shared = pool_alike(own, bodies)
    assert (shared[:3].argmax(1) == 0).all()
    assert np.allclose(shared[3], own[3], atol=0.01)
    assert np.allclose(shared.sum(1), 1)


@pytest.mark.photos
def test_real_dice_of_photographs_never_fitted_are_named_as_a_person_would() -> None:
    photos = REPOSITORY / DEFAULT_ROOT
    if not photos.is_dir():
        pytest.skip("the real photographs are not beside this checkout")
    result = measure(ColourNamer(), real_dice(photos, "val"))
    assert result["dice"] > 200
    assert result["right_percent"] >= 98, result
