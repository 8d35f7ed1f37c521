"""Dice are told by the colours of this match's own sets, under any lamp, all of them together."""

from __future__ import annotations

import itertools
import json
import math
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets.compose import draw
from datasets.die import DieStyle, Lamp
from datasets.scenes import Camera, PlacedDie, Scene
from engine.lawn import NEUTRAL, Owner
from engine.table import OWNERS
from vision.colours import DieColours, sample_die
from vision.set_colours import (
    SetColours,
    dice_in_match,
    joint_shares,
    set_colours_from_json,
)

TRACED = Path(__file__).parent.parent / "fixtures" / "traced"
DAYLIGHT = (1.0, 1.0, 1.0)
LAMPS = {
    "bulb": (1.5, 1.0, 0.42),  # a warm bulb, the camera's white balance left at daylight
    "shade": (0.75, 0.95, 1.3),
    "green lamp": (0.8, 1.2, 0.75),
    "dim": (0.35, 0.32, 0.28),
}
RED, ORANGE = (0.75, 0.09, 0.12), (0.93, 0.48, 0.11)
WHITE, YELLOW = (0.95, 0.94, 0.9), (0.95, 0.82, 0.15)
BLACK, DARK_BLUE = (0.06, 0.06, 0.065), (0.07, 0.15, 0.4)
OWNER = (0, 1, NEUTRAL)
GREEN, PURPLE = (0.12, 0.5, 0.22), (0.4, 0.15, 0.55)


def style(body: tuple[float, float, float], marble: float = 0.0, gloss: float = 0.4) -> DieStyle:
    dark_pips = sum(body) > 1.6
    pips = (0.04, 0.04, 0.04) if dark_pips else (0.95, 0.95, 0.93)
    return DieStyle(
        colour="red", body=body, pips=pips, ace=pips, edge_mm=16.0, rounding=0.2, ball=1.5,
        pip_radius=0.17, pip_spread=0.5, ace_scale=1.0, gloss=gloss, marble=marble,
        left_handed=False, turned=False,
    )  # fmt: skip


def table(
    styles: list[DieStyle], light: tuple[float, float, float], seed: int
) -> tuple[list[DieColours], list[int]]:
    """Dice of each style under a light, and which style each is: sampled from a drawn picture."""
    rng = np.random.default_rng(seed)
    counts = [8, 8, 6][: len(styles)]
    which = [k for k, count in enumerate(counts) for _ in range(count)]
    spots = [(x * 30.0 - 75, y * 30.0 - 45) for y in range(4) for x in range(6)]
    rng.shuffle(spots)
    dice = [
        PlacedDie(styles[k], int(rng.integers(1, 7)), x, y, rng.uniform(0, 6))
        for k, (x, y) in zip(which, spots, strict=False)
    ]
    lamp = Lamp(direction=(0.4, 0.3, math.sqrt(0.75)), strength=0.5, colour=light, sky=light)
    camera = Camera(distance_mm=330, tilt=0.2, azimuth=-math.pi / 2, roll=0, focal=1.0)
    scene = Scene("scatter", tuple(dice), camera, lamp, "cloth", False, seed)
    drawn = draw(scene, 480, 270, clean=True)
    boxes = {die.box: die.colour for die in drawn.dice}
    assert len(boxes) == len(which)
    samples = [sample_die(drawn.image, die.box) for die in drawn.dice]
    # The drawing lists its dice in another order; a die's place tells which it is.
    centres = [((d.box[0] + d.box[2]) / 2, (d.box[1] + d.box[3]) / 2) for d in drawn.dice]
    order = matched(centres, [(d.x_mm, d.y_mm) for d in dice])
    return [s for s in samples if s is not None], [which[k] for k in order]


def matched(centres: list[tuple[float, float]], spots: list[tuple[float, float]]) -> list[int]:
    """For each picture point the index of the table point (x right, y up) that lies there."""
    a, b = np.array(centres), np.array(spots) * [1, -1]
    a = (a - a.mean(0)) / a.std(0)
    b = (b - b.mean(0)) / b.std(0)
    return [int(np.argmin(np.linalg.norm(b - point, axis=1))) for point in a]


def told(sets: tuple[DieStyle, ...], light: tuple[float, float, float]) -> list[bool]:
    """Whether each die under `light` is told rightly by sets learned by daylight."""
    dice, which = table(list(sets), light, 2)
    owner_p = learned_by_daylight(tuple(sets)).owner_p(dice)
    return [OWNERS[int(np.argmax(p))] == OWNER[k] for p, k in zip(owner_p, which, strict=True)]


@lru_cache(maxsize=1)
def learned_by_daylight(sets: tuple[DieStyle, ...]) -> SetColours:
    dice, which = table(list(sets), DAYLIGHT, 1)
    said = np.full((len(dice), 4), 0.1)
    for row, k in enumerate(which):
        said[row, OWNERS.index(OWNER[k])] = 0.4  # names are no more than a hint
    learned = SetColours.learn(dice, said, dict(zip(OWNER, (8, 8, 6), strict=False)))
    assert learned is not None
    return learned


@pytest.mark.parametrize("lamp", LAMPS)
@pytest.mark.parametrize(
    "sets",
    [
        (style(RED), style(ORANGE), style(WHITE)),  # red against orange
        (style(YELLOW), style(GREEN), style(WHITE)),  # white against yellow, under lamp light too
        (style(BLACK), style(DARK_BLUE), style(WHITE)),  # black against dark blue
        (style(RED, marble=0.3), style(PURPLE, marble=0.3), style(WHITE)),  # marbled
    ],
    ids=["red-orange", "yellow-white", "black-blue", "marbled"],
)
def test_sets_learned_by_daylight_are_told_under_other_lamps(
    sets: tuple[DieStyle, ...], lamp: str
) -> None:
    assert all(told(sets, LAMPS[lamp]))


@pytest.mark.parametrize("picture", sorted(TRACED.glob("*translucent*.jpg")), ids=lambda p: p.stem)
def test_translucent_sets_are_told_in_one_picture_of_a_match_with_known_colours(
    picture: Path,
) -> None:
    """Path-traced tables of held-out presets: lawn render --engine traced --presets held-out."""
    truth = json.loads(picture.with_suffix(".json").read_text("utf-8"))
    true_dice = [die for die in truth["dice"] if die["labelled"]]
    image = np.asarray(cv2.imread(str(picture)), np.uint8)
    samples = [sample_die(image, tuple(die["box"])) for die in true_dice]
    dice = [sample for sample in samples if sample is not None]
    assert len(dice) == len(true_dice) > 18
    assert any(die["style"] == "translucent" for die in true_dice)
    neutral = truth["neutral"]
    names: dict[Owner, str] = dict(enumerate(c for c in truth["players"] if c != neutral))
    if neutral:
        names[NEUTRAL] = neutral
    learned = SetColours.learn(
        dice, np.full((len(dice), 4), 0.1), dice_in_match(2 if neutral else 3), names
    )
    assert learned is not None
    told = [names.get(OWNERS[int(np.argmax(row))]) for row in learned.owner_p(dice)]
    assert told == [die["colour"] for die in true_dice]


def brute_force(fit: np.ndarray, limits: list[int]) -> np.ndarray:
    """P(set) by going through every assignment."""
    dice, sets = fit.shape
    total = np.zeros((dice, sets))
    for assignment in itertools.product(range(sets), repeat=dice):
        if all(assignment.count(k) <= limit for k, limit in enumerate(limits)):
            weight = math.exp(sum(fit[d, k] for d, k in enumerate(assignment)))
            for d, k in enumerate(assignment):
                total[d, k] += weight
    return total / total.sum(1, keepdims=True)


@given(
    st.lists(st.tuples(*[st.floats(-5, 0)] * 3), min_size=1, max_size=5),
    st.tuples(st.integers(1, 3), st.integers(1, 3), st.integers(1, 3)),
)
def test_dice_assigned_together_are_summed_over_every_assignment(
    fit: list[tuple[float, ...]], limits: tuple[int, ...]
) -> None:
    if len(fit) > sum(limits):
        return
    expected = brute_force(np.array(fit), list(limits))
    assert np.allclose(joint_shares(np.array(fit), limits), expected, atol=1e-9)


def test_a_ninth_red_die_cannot_be_one_of_eight() -> None:
    fit = np.array([[0.0, -4.0]] * 8 + [[-1.0, -1.5]])
    shares = joint_shares(fit, (8, 8))
    assert shares[8, 1] > 0.6
    assert joint_shares(fit[:8], (8, 8))[:, 0].min() > 0.97


def test_a_die_of_no_set_is_nobodys() -> None:
    dice, which = table([style(RED), style(DARK_BLUE)], DAYLIGHT, 1)
    said = np.eye(4)[which] * 0.6 + 0.1
    learned = SetColours.learn(dice, said, {0: 8, 1: 8})
    assert learned is not None
    stranger, _ = table([style(YELLOW)], DAYLIGHT, 3)
    owner_p = learned.owner_p([*dice[:15], stranger[0]])
    assert owner_p[-1].sum() < 0.1
    assert owner_p[:-1].max(1).min() > 0.85


@pytest.mark.parametrize("lamp", LAMPS)
def test_sets_are_learned_under_a_lamp_that_makes_their_names_wrong(lamp: str) -> None:
    dice, which = table([style(RED), style(ORANGE), style(WHITE)], LAMPS[lamp], 4)
    useless = np.full((len(dice), 4), 0.1)
    names = {0: "red", 1: "orange", NEUTRAL: "white"}
    learned = SetColours.learn(dice, useless, dice_in_match(2), names)
    assert learned is not None
    told = [OWNERS[int(np.argmax(row))] for row in learned.owner_p(dice)]
    assert told == [OWNER[k] for k in which]


def test_too_few_dice_of_a_set_teach_nothing() -> None:
    dice, which = table([style(RED), style(DARK_BLUE)], DAYLIGHT, 1)
    few = [i for i, k in enumerate(which) if k == 0] + [i for i, k in enumerate(which) if k][:2]
    said = np.eye(4)[[which[i] for i in few]] * 0.9 + 0.02
    assert SetColours.learn([dice[i] for i in few], said, {0: 8, 1: 8}) is None
    assert SetColours.learn([], np.zeros((0, 4)), {0: 8, 1: 8}) is None


def test_learned_colours_come_back_from_their_json() -> None:
    learned = SetColours((0, 1), (8, 8), np.arange(12.0).reshape(2, 6))
    again = set_colours_from_json(json.loads(json.dumps(learned.to_json())))
    assert again.owners == learned.owners
    assert np.allclose(again.means, learned.means)


@pytest.mark.parametrize(
    "data",
    [None, {}, {"owners": [0], "counts": [8], "means": [[1, 2]]}, {"owners": [7], "counts": [8]}],
)
def test_what_is_no_learned_colours_is_refused(data: object) -> None:
    with pytest.raises(ValueError, match="learn them anew"):
        set_colours_from_json(data)


def test_two_players_have_six_neutral_dice_and_three_have_none() -> None:
    # rules 1:1.A and 1:1.B
    assert dice_in_match(2) == {0: 8, 1: 8, NEUTRAL: 6}
    assert dice_in_match(3) == {0: 8, 1: 8, 2: 8}
