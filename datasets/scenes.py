"""Random tables: which dice lie where, of which set, under which lamp and camera.

A scene holds no pixels; `datasets.compose` draws it. Lengths are mm on the table, x to the right, y away from the
camera's side, z up; the lawn's middle is the origin.
"""

from __future__ import annotations

import colorsys
import math
from dataclasses import dataclass, replace

import numpy as np

from datasets.die import Array, DieStyle, Lamp

# Typical sRGB bodies of dice by colour name: several shades each, jittered when drawn.
BODIES: dict[str, tuple[str, ...]] = {
    "white": ("f4f2ec", "ffffff", "ece7d8", "f0ead6"),
    "black": ("141414", "1e1c20", "0a0a0c"),
    "grey": ("808285", "6e7073", "9a9c9e"),
    "red": ("c01820", "a01018", "d82a2a", "8c0f14"),
    "orange": ("ee7a1c", "f08c2a", "e0641a"),
    "yellow": ("f2d024", "f7dc4a", "e6c21a"),
    "green": ("1f8a3c", "2fae4e", "13652c", "5fb84a", "1f9a80"),
    "blue": ("1d4fae", "2a6fd6", "13357c", "4fa0e0"),
    "purple": ("6a2c91", "52207a", "8648b0"),
    "pink": ("f08cb4", "e86a9c", "f5adc8"),
    "brown": ("6b4226", "7c5030", "573620"),
}
LIGHT = {"white", "yellow", "pink", "orange"}
FAINT = ("blue", "green", "red", "purple", "black", "brown", "grey", "white", "yellow", "pink")
"""Colours that dice with faint pips are made in."""
LAWN_PITCH_MM = (34.0, 26.0)
"""Distance of neighbouring places along a row and of rows."""


@dataclass(frozen=True)
class PlacedDie:
    """A die on the table: its set's look, top face 1..6, centre x, y (mm) and turn (radians)."""

    style: DieStyle
    face: int
    x_mm: float
    y_mm: float
    yaw: float


@dataclass(frozen=True)
class Camera:
    """A pinhole camera that looks at a point of the table.

    distance_mm from that point; tilt (radians) from straight down; azimuth and roll (radians);
    focal in picture widths; look_at (x, y) mm.
    """

    distance_mm: float
    tilt: float
    azimuth: float
    roll: float
    focal: float
    look_at: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True)
class Scene:
    """A table to draw.

    kind: big-roll | lawn | scatter; surface: a key of surfaces.SURFACES; mat: whether a lawn is printed on it.
    """

    kind: str
    dice: tuple[PlacedDie, ...]
    camera: Camera
    lamp: Lamp
    surface: str
    mat: bool
    seed: int


def hex_rgb(text: str) -> tuple[float, float, float]:
    """'ff8800' as sRGB 0..1."""
    return (int(text[0:2], 16) / 255, int(text[2:4], 16) / 255, int(text[4:6], 16) / 255)


def random_style(colour: str, rng: np.random.Generator, edge_mm: float) -> DieStyle:
    """A set of dice of that colour name."""
    h, s, v = colorsys.rgb_to_hsv(*hex_rgb(str(rng.choice(BODIES[colour]))))
    h = (h + rng.normal(0, 0.008)) % 1
    s = float(np.clip(s * math.exp(rng.normal(0, 0.06)), 0, 1))
    v = float(np.clip(v * math.exp(rng.normal(0, 0.06)), 0.02, 1))
    light = colour in LIGHT
    black, white = (0.03, 0.03, 0.04), (0.95, 0.95, 0.93)
    pips = black if light else white
    draw = rng.random()
    if draw < 0.10:
        pips = (0.78, 0.62, 0.2)  # gold
    elif draw < 0.16 and light:
        pips = (0.75, 0.08, 0.1)
    elif draw < 0.3 and colour in ("grey", "green", "blue", "red", "pink"):
        pips = black if not light else pips
    asian = light and rng.random() < 0.12
    return DieStyle(
        colour=colour,
        body=colorsys.hsv_to_rgb(h, s, v),
        pips=pips,
        ace=(0.78, 0.06, 0.08) if asian else pips,
        edge_mm=edge_mm,
        rounding=rng.uniform(0.06, 0.42),
        ball=rng.uniform(1.38, 1.75),
        pip_radius=rng.uniform(0.145, 0.21),
        pip_spread=rng.uniform(0.44, 0.56),
        ace_scale=rng.uniform(1.5, 2.0) if asian else 1.0,
        gloss=rng.uniform(0.0, 0.8),
        marble=rng.uniform(0.1, 0.35) if rng.random() < 0.2 else 0.0,
        left_handed=bool(rng.random() < 0.4),
        turned=bool(rng.random() < 0.5),
    )


def brightness(rgb: Array) -> float:
    """How bright an sRGB colour (3,) 0..1 looks, 0..1."""
    return float(rgb @ (0.299, 0.587, 0.114))


def faint_style(colour: str, rng: np.random.Generator, edge_mm: float) -> DieStyle:
    """A set of dice of that colour name whose pips contrast little with the body: dark on dark or light on light."""
    style = random_style(colour, rng, edge_mm)
    body = np.array(style.body)
    if colour in LIGHT:
        white = body.min() < 0.6 and rng.random() < 0.3
        ink, share = (1.0, rng.uniform(0.4, 0.8)) if white else (0.0, rng.uniform(0.2, 0.4))
    elif body.max() < 0.2:
        ink, share = 1.0, rng.uniform(0.2, 0.4)
    else:
        ink, share = 0.03, rng.uniform(0.6, 1.0)
        # Dark pips are faint only on a colour's darker shades.
        body = body * min(1.0, rng.uniform(0.16, 0.32) / brightness(body))
    red, green, blue = body * (1 - share) + ink * share
    pips = (float(red), float(green), float(blue))
    if rng.random() < 0.5:  # small pips that reach onto wide roundings, where the light changes
        style = replace(
            style,
            rounding=rng.uniform(0.3, 0.45),
            pip_radius=rng.uniform(0.135, 0.165),
            pip_spread=rng.uniform(0.5, 0.57),
        )
    return replace(
        style,
        body=(float(body[0]), float(body[1]), float(body[2])),
        pips=pips,
        ace=pips,
        gloss=0.3 * style.gloss,  # a highlight would hide what little there is to see
        marble=0.5 * style.marble,
    )


def random_sets(count: int, rng: np.random.Generator) -> list[DieStyle]:
    """`count` sets of dice of different colours and one size."""
    edge = float(rng.choice([12, 14, 16, 16, 16, 18, 19, 25]))
    names = rng.choice(sorted(BODIES), size=count, replace=False)
    return [random_style(str(name), rng, edge) for name in names]


def scatter(
    count: int,
    rng: np.random.Generator,
    edge_mm: float,
    half: tuple[float, float],
    taken: list[tuple[float, float]],
    touching: bool = False,
) -> list[tuple[float, float]]:
    """Centres of `count` dice thrown into the rectangle +-half that lie clear of `taken` (which is extended)."""
    gap = edge_mm * (1.05 if touching else 1.45)
    places: list[tuple[float, float]] = []
    tries = 0
    while len(places) < count:
        tries += 1
        spread = 1 + tries / 400  # a crowded rectangle grows until all fit
        spot = (rng.uniform(-1, 1) * half[0] * spread, rng.uniform(-1, 1) * half[1] * spread)
        if all(math.hypot(spot[0] - x, spot[1] - y) > gap for x, y in taken):
            places.append(spot)
            taken.append(spot)
    return places


def big_roll_scene(seed: int, players: int = 0, calm: bool = False) -> Scene:
    """All players' Big Rolls lying on the table, eight dice of a colour each.

    players: 1 to 3, 0 draws it. calm: a plain, well-lit table seen from above, for samples that people look at.
    """
    rng = np.random.default_rng([seed, 1])
    count = players or int(rng.integers(1, 4))
    sets = random_sets(count, rng)
    if calm:
        sets = [
            random_style(name, rng, 16.0) for name in ("red", "blue", "yellow", "green")[:count]
        ]
    taken: list[tuple[float, float]] = []
    dice = []
    for style in sets:
        spots = scatter(
            8, rng, 16.0 if calm else style.edge_mm * 1.1, (150, 85), taken, rng.random() < 0.3
        )
        faces = rng.integers(1, 7, 8)
        for (x, y), face in zip(spots, faces, strict=True):
            dice.append(PlacedDie(style, int(face), x, y, rng.uniform(0, 2 * math.pi)))
    return _scene("big-roll", dice, rng, seed, calm)


def lawn_scene(seed: int) -> Scene:
    """A lawn partly filled with the faces of its rows, and the Player Rows beside it."""
    rng = np.random.default_rng([seed, 2])
    count = int(rng.integers(2, 4))
    sets = random_sets(count + (count == 2), rng)
    players = sets[:count]
    hands = [8] * count
    dice = []
    for row in range(1, 7):
        for place in range(3):
            y = (3.5 - row) * LAWN_PITCH_MM[1]
            x = (place - 1) * LAWN_PITCH_MM[0]
            owner = int(rng.integers(count))
            style = players[owner]
            if count == 2 and place == 1 and rng.random() < 0.7:
                style = sets[2]
            elif rng.random() < 0.5 or hands[owner] == 0:
                continue
            else:
                hands[owner] -= 1
            nudge = rng.normal(0, 2.0, 2)
            dice.append(PlacedDie(style, row, x + nudge[0], y + nudge[1], rng.normal(0, 0.5)))
    sides = [(0.0, -115.0, 0.0), (0.0, 115.0, 0.0), (-125.0, 0.0, math.pi / 2)]
    for player, style in enumerate(players):
        cx, cy, along = sides[player]
        faces = np.sort(rng.integers(1, 7, hands[player]))
        step = style.edge_mm * rng.uniform(1.02, 1.5)
        for index, face in enumerate(faces):
            shift = (index - (len(faces) - 1) / 2) * step
            dice.append(
                PlacedDie(
                    style,
                    int(face),
                    cx + shift * math.cos(along) + rng.normal(0, 0.7),
                    cy + shift * math.sin(along) + rng.normal(0, 0.7),
                    along + rng.normal(0, 0.12),
                )
            )
    return _scene("lawn", dice, rng, seed)


def scatter_scene(seed: int) -> Scene:
    """Any number of dice of any sets, close together or far apart."""
    rng = np.random.default_rng([seed, 3])
    sets = random_sets(int(rng.integers(1, 7)), rng)
    count = int(rng.integers(1, 25))
    spots = scatter(count, rng, 20.0, (130, 80), [], rng.random() < 0.5)
    dice = [
        PlacedDie(
            sets[int(rng.integers(len(sets)))],
            int(rng.integers(1, 7)),
            x,
            y,
            rng.uniform(0, 2 * math.pi),
        )
        for x, y in spots
    ]
    return _scene("scatter", dice, rng, seed)


def random_scene(seed: int) -> Scene:
    """A table of any kind, the same for the same seed."""
    make = (big_roll_scene, lawn_scene, scatter_scene)[seed % 3]
    return make(seed)


def _scene(
    kind: str, dice: list[PlacedDie], rng: np.random.Generator, seed: int, calm: bool = False
) -> Scene:
    tilt = 0.12 if calm else rng.choice([rng.uniform(0, 0.25), rng.uniform(0.25, 0.95)])
    camera = Camera(
        distance_mm=480.0 if calm else rng.uniform(330, 720),
        tilt=float(tilt),
        azimuth=-math.pi / 2 if calm else rng.uniform(-math.pi, math.pi),
        roll=0.0 if calm else rng.uniform(-0.2, 0.2),
        focal=rng.uniform(0.85, 1.1) if not calm else 1.0,
    )
    height = rng.uniform(0.45, 1.0)
    turn = rng.uniform(0, 2 * math.pi)
    flat = math.sqrt(1 - height**2)
    warm = rng.normal(0, 0.16)
    lamp = Lamp(
        direction=(flat * math.cos(turn), flat * math.sin(turn), height),
        strength=rng.uniform(0.25, 0.8) if not calm else 0.5,
        colour=(1 + warm, 1.0, 1 - warm) if not calm else (1.04, 1.0, 0.95),
        sky=(1.0, 1.0, 1.0),
    )
    surfaces = ("wood", "cloth", "felt", "paper", "tiles", "carpet", "pattern")
    surface = "wood" if calm else str(rng.choice(surfaces))
    mat = kind == "lawn" and bool(rng.random() < 0.8)
    return Scene(kind, tuple(dice), camera, lamp, surface, mat, seed)
