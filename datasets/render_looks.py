"""Looks of sets of dice for path tracing: geometry, colours and material of one set."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from datasets.die import DieStyle
from datasets.render_presets import DICE, HELD_OUT_DICE, Split
from datasets.scenes import BODIES, LIGHT, random_style

GOLD = (0.78, 0.62, 0.2)
"""The golden pips of `scenes.random_style`."""


@dataclass(frozen=True)
class Look:
    """A set of dice.

    style: geometry, colours and pips; preset: its name in render_presets; neutral: the two-player game's anchors.
    roughness 0..1; clear: share of light that goes through, 0..1; speckle: share of the surface that is speckled;
    second: sRGB of the marbling or speckles; turned: other direction of the 2, the 3 and the 6; red_four: the 4 has
    the colour of the 1; recess: depth of the pips as a share of their radius, 0 for printed ones; seed: of its pattern.
    """

    style: DieStyle
    preset: str
    neutral: bool
    roughness: float
    clear: float
    speckle: float
    second: tuple[float, float, float]
    turned: tuple[bool, bool, bool]
    red_four: bool
    recess: float
    seed: int


def _tint(body: tuple[float, float, float]) -> tuple[float, float, float]:
    """The colour of a clear body: light goes through two of its sides, so each takes away less."""
    red, green, blue = (float(v**0.6) for v in body)
    return red, green, blue


def random_look(
    rng: np.random.Generator, colour: str, edge_mm: float, split: Split, neutral: bool = False
) -> Look:
    """A set of that colour name."""
    presets = DICE + HELD_OUT_DICE if split == "held-out" else DICE
    weights = np.array([2.5 if p in ("satin", "glossy") else 1.0 for p in presets])
    if colour not in ("white", "yellow", "pink"):
        weights[presets.index("asian")] = 0.0
    if colour in ("white", "black", "grey", "brown"):
        weights[presets.index("casino")] *= 0.3
        weights[presets.index("translucent")] *= 0.3
    preset = str(rng.choice(presets, p=weights / weights.sum()))
    style = replace(random_style(colour, rng, edge_mm), marble=0.0, ace_scale=1.0)
    if style.pips == GOLD and colour in ("yellow", "orange", "brown"):
        style = replace(style, pips=(0.95, 0.95, 0.93) if colour == "brown" else (0.03, 0.03, 0.04))
    style = replace(style, ace=style.pips)
    rough, clear, speckle, red_four = rng.uniform(0.25, 0.5), 0.0, 0.0, False
    second = tuple(float(np.clip(v + rng.uniform(-0.25, 0.25), 0, 1)) for v in style.body)
    if preset == "matte":
        rough = rng.uniform(0.55, 0.9)
    elif preset == "glossy":
        rough = rng.uniform(0.05, 0.18)
    elif preset == "casino":
        clear, rough = rng.uniform(0.75, 0.97), rng.uniform(0.03, 0.2)
        style = replace(style, body=_tint(style.body))
        style = replace(style, rounding=rng.uniform(0.02, 0.06), ball=1.75)
    elif preset == "translucent":
        clear, rough = rng.uniform(0.55, 0.92), rng.uniform(0.05, 0.3)
        style = replace(style, body=_tint(style.body))
    elif preset == "marbled":
        style = replace(style, marble=rng.uniform(0.3, 0.9))
        rough = rng.uniform(0.08, 0.3)
    elif preset == "speckled":
        speckle = rng.uniform(0.05, 0.3)
        tone = rng.uniform(0, 1)
        second = (tone, tone, tone) if rng.random() < 0.6 else second
    elif preset == "pearl":
        style = replace(style, marble=rng.uniform(0.1, 0.3))
        second = tuple(min(1.0, 0.5 * v + 0.5) for v in style.body)
        rough = rng.uniform(0.1, 0.3)
    elif preset == "asian":
        red = (rng.uniform(0.65, 0.85), 0.05, 0.08)
        red_four = bool(rng.random() < 0.7)
        black = (0.03, 0.03, 0.05)
        style = replace(style, ace=red, ace_scale=rng.uniform(1.4, 2.2), pips=black)
    elif rng.random() < 0.15 and colour in ("black", "white", "grey"):
        style = replace(style, pips=(0.75, 0.06, 0.08), ace=(0.75, 0.06, 0.08))
    elif rng.random() < 0.12 and colour in LIGHT:
        style = replace(style, ace=(0.75, 0.06, 0.08), ace_scale=rng.uniform(1.0, 1.8))
    return Look(
        style=style,
        preset=preset,
        neutral=neutral,
        roughness=float(rough),
        clear=float(clear),
        speckle=float(speckle),
        second=(second[0], second[1], second[2]),
        turned=(bool(rng.random() < 0.5), bool(rng.random() < 0.5), bool(rng.random() < 0.5)),
        red_four=red_four,
        recess=float(rng.choice([0.0, rng.uniform(0.2, 0.7)], p=[0.15, 0.85])),
        seed=int(rng.integers(1 << 31)),
    )


def random_looks(
    rng: np.random.Generator, players: int, split: Split, mixed: bool = False
) -> list[Look]:
    """The sets of a table: the players' in seat order, then for two players the neutral one, mostly white.

    mixed: any number of sets, of different sizes, that belong to nobody.
    """
    edge = float(rng.choice([12, 14, 16, 16, 16, 16, 18, 19, 25])) * math.exp(rng.normal(0, 0.01))
    names = [str(name) for name in rng.permutation(sorted(BODIES))]
    if mixed:
        sizes = [edge * (rng.uniform(0.75, 1.3) if rng.random() < 0.4 else 1.0) for _ in range(6)]
        count = int(rng.integers(1, 7))
        return [random_look(rng, names[i], sizes[i], split) for i in range(count)]
    if players == 3:
        return [random_look(rng, name, edge, split) for name in names[:3]]
    if rng.random() < 0.75:  # rule 1:1.B: white preferred
        names = ["white", *(n for n in names if n != "white")]
    return [
        random_look(rng, names[1], edge, split),
        random_look(rng, names[2], edge, split),
        random_look(rng, names[0], edge, split, neutral=True),
    ]
