"""Plans of path-traced tables: which dice, things, mat, light and camera, drawn by chance from a seed alone.

A plan holds no pixels; `datasets.render_blender` builds it and `datasets.render_truth` tells its truth. Lengths are mm
in the table's axes: x to the right and y up as seen from above with row 1 at the top, z up, the lawn's middle the
origin. Tables are lawful: two players have 8 + 8 dice and 6 neutral ones, three have 8 + 8 + 8 (rule 1:1).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from datasets.render_looks import Look, random_looks
from datasets.render_presets import CAMERAS, LIGHTS, MATS, TABLES, Split, split_of
from datasets.scenes import LAWN_PITCH_MM

Array = NDArray[np.float64]
SIDES = ("left", "center", "right")
KINDS = ("lawn", "lawn", "big-roll", "big-roll", "heap", "scatter")
"""Kinds of tables, as often as they are named here."""
THINGS = (
    "d4",
    "d8",
    "d10",
    "d12",
    "d20",
    "digit-die",
    "symbol-die",
    "coin",
    "button",
    "domino",
    "checker",
    "screw",
)
"""Things that must not be read as dice."""


@dataclass(frozen=True)
class Place:
    """Where a die lies: area lawn | row | captured | elsewhere; row 1..6 and side on the lawn; its player's seat."""

    area: str
    row: int | None = None
    side: str | None = None
    player: int | None = None


@dataclass(frozen=True)
class LaidDie:
    """A die of the set `look` (index), its top face, centre x, y mm and turn (radians)."""

    look: int
    face: int
    x_mm: float
    y_mm: float
    yaw: float
    place: Place


@dataclass(frozen=True)
class Thing:
    """Something that is no die to be read: a name of THINGS, where it lies, its size (mm) and its own seed."""

    kind: str
    x_mm: float
    y_mm: float
    yaw: float
    size_mm: float
    seed: int


@dataclass(frozen=True)
class Hand:
    """Rounded bars (from xyz, to xyz, both radii, all mm) that make a hand and an arm; sRGB of skin and sleeve."""

    bars: tuple[tuple[tuple[float, float, float], tuple[float, float, float], float, float], ...]
    skin: tuple[float, float, float]
    sleeve: tuple[float, float, float]


@dataclass(frozen=True)
class Mat:
    """A mat's design, the size of its places along and across a row (mm), its margin round them and its waves (mm)."""

    design: str
    pitch_mm: tuple[float, float]
    margin_mm: float
    wave_mm: float
    seed: int

    @property
    def half_mm(self) -> tuple[float, float]:
        """Half its width and height."""
        return 1.5 * self.pitch_mm[0] + self.margin_mm, 3 * self.pitch_mm[1] + self.margin_mm

    def height(self, x: Array, y: Array) -> Array:
        """How high its upper side lies over the table at points (mm)."""
        if self.wave_mm == 0:
            return np.full(np.shape(x), 0.4)
        rng = np.random.default_rng([self.seed, 9])
        total = np.zeros(np.shape(x))
        for _ in range(4):
            kx, ky = rng.normal(0, 0.022, 2)
            total = total + np.sin(kx * x + ky * y + rng.uniform(0, 2 * math.pi))
        return np.asarray(0.4 + self.wave_mm * (total / 8 + 0.5))


@dataclass(frozen=True)
class Lens:
    """A camera: position (mm), `turn` rows right, down, ahead; focal px; distortion k1, k2, p1, p2 (OpenCV's model)."""

    preset: str
    position: tuple[float, float, float]
    turn: tuple[tuple[float, float, float], ...]
    focal_px: float
    distortion: tuple[float, float, float, float]
    width: int
    height: int
    mirrored: bool


@dataclass(frozen=True)
class Plan:
    """A whole table. table_scale: mm that the table top's texture covers, in the painter's own measure."""

    seed: int
    split: Split
    kind: str
    looks: tuple[Look, ...]
    dice: tuple[LaidDie, ...]
    things: tuple[Thing, ...]
    hand: Hand | None
    mat: Mat | None
    pitch_mm: tuple[float, float]
    table: str
    table_scale: float
    light: str
    lens: Lens = field(repr=False)


def footprint(x: float, y: float, yaw: float, side: float) -> Array:
    """The corners (4, 2) of a square on the table."""
    c, s = math.cos(yaw) * side / 2, math.sin(yaw) * side / 2
    return np.array(
        [
            [x + c - s, y + s + c],
            [x - c - s, y - s + c],
            [x - c + s, y - s - c],
            [x + c + s, y + s - c],
        ]
    )


def overlap(a: Array, b: Array) -> bool:
    """Whether two convex polygons (N, 2) share a point (separating axes)."""
    for polygon in (a, b):
        edges = np.roll(polygon, -1, 0) - polygon
        for axis in np.column_stack([-edges[:, 1], edges[:, 0]]):
            p, q = a @ axis, b @ axis
            if p.max() < q.min() or q.max() < p.min():
                return False
    return True


class Floor:
    """What already lies on the table, so that nothing is laid into something else."""

    def __init__(self) -> None:
        self.taken: list[Array] = []

    def free(self, square: Array) -> bool:
        reach = np.linalg.norm(square[0] - square.mean(0))
        for other in self.taken:
            apart = np.linalg.norm(other.mean(0) - square.mean(0))
            if apart < reach + np.linalg.norm(other[0] - other.mean(0)) and overlap(other, square):
                return False
        return True

    def lay(
        self,
        rng: np.random.Generator,
        centre: tuple[float, float],
        spread: tuple[float, float],
        side: float,
        tidy: bool = False,
    ) -> tuple[float, float, float]:
        """Find room near `centre`: x, y, yaw. The spread grows until there is. tidy: nearly straight."""
        for tries in range(4000):
            grow = 1 + tries / 60
            x = centre[0] + rng.normal(0, spread[0]) * grow
            y = centre[1] + rng.normal(0, spread[1]) * grow
            yaw = rng.normal(0, 0.1) if tidy else rng.uniform(0, 2 * math.pi)
            square = footprint(x, y, yaw, side)
            if self.free(square):
                self.taken.append(square)
                return x, y, yaw
        raise AssertionError("a growing spread always ends in a free place")

    def put(self, x: float, y: float, yaw: float, side: float) -> bool:
        """Take exactly this place if it is free."""
        square = footprint(x, y, yaw, side)
        if not self.free(square):
            return False
        self.taken.append(square)
        return True


def lay_lawn(
    rng: np.random.Generator, looks: Sequence[Look], pitch: tuple[float, float], floor: Floor
) -> tuple[list[LaidDie], list[int], list[int]]:
    """A lawn as play may leave it; returns its dice, each player's dice left in hand, and who captured which faces."""
    players = 2 if len(looks) == 3 and looks[2].neutral else len(looks)
    hands = [8] * players
    captured: list[int] = []
    fill = rng.uniform(0.1, 1.0)
    wobble = rng.choice([0.5, 1.5, 3.0])
    straight = rng.random() < 0.5
    dice = []
    for row in range(1, 7):
        count = int(rng.binomial(3, fill))
        if (
            players == 2
        ):  # the neutral die is there from the start, or was pushed off a full row (rules 1:2.C, 5:3)
            count = max(count, 1)
        owners: list[int] = []
        for _ in range(count):
            able = [p for p in range(players) if hands[p] > 0]
            if not able:
                break
            owners.append(int(rng.choice(able)))
        if players == 2:
            if len(owners) == 3 and rng.random() < 0.5:
                captured.append(row)
            elif owners:
                spot = int(rng.integers(3)) if len(owners) == 3 else 0
                owners[spot] = 2
            else:
                owners = [2]
        for owner in owners:
            if owner < players:
                hands[owner] -= 1
        order = {1: [1], 2: [1, int(rng.choice([0, 2]))], 3: [0, 1, 2]}.get(len(owners), [])
        for owner, place in zip(owners, order, strict=False):
            look = looks[owner]
            for _ in range(30):
                x = (place - 1) * pitch[0] + rng.normal(0, wobble)
                y = (3.5 - row) * pitch[1] + rng.normal(0, wobble)
                yaw = rng.normal(0, 0.15) if straight else rng.uniform(0, 2 * math.pi)
                yaw = yaw if rng.random() < 0.5 else yaw * 0.3
                if floor.put(x, y, yaw, look.style.edge_mm * 1.01):
                    break
            else:
                x, y, yaw = (place - 1) * pitch[0], (3.5 - row) * pitch[1], 0.0
                floor.put(x, y, yaw, look.style.edge_mm)
            owned = None if look.neutral else owner
            dice.append(LaidDie(owner, row, x, y, yaw, Place("lawn", row, SIDES[place], owned)))
    return dice, hands, captured


def seats(
    rng: np.random.Generator, players: int, half: tuple[float, float], edge: float
) -> list[tuple[float, float, float]]:
    """Where each player sits: x, y of the middle of the area in front and the direction of a row (radians)."""
    gap = edge * rng.uniform(1.2, 2.6)
    around = [
        (0.0, -half[1] - gap, 0.0),
        (half[0] + gap, 0.0, math.pi / 2),
        (0.0, half[1] + gap, math.pi),
        (-half[0] - gap, 0.0, -math.pi / 2),
    ]
    if players == 2:
        first = int(rng.integers(2))
        return [around[first], around[first + 2]]
    skipped = int(rng.integers(4))
    return [seat for index, seat in enumerate(around) if index != skipped][:players]


def lay_rows(
    rng: np.random.Generator,
    looks: Sequence[Look],
    hands: Sequence[int],
    captured: Sequence[int],
    half: tuple[float, float],
    floor: Floor,
) -> list[LaidDie]:
    """Player Rows in ascending order (rule 3:3.A), and captured neutral dice beside them (rule 5:3.B)."""
    dice = []
    edge = looks[0].style.edge_mm
    places = seats(rng, len(hands), half, edge)
    for player, (count, (cx, cy, along)) in enumerate(zip(hands, places, strict=True)):
        look = looks[player]
        step = look.style.edge_mm * rng.choice([1.03, rng.uniform(1.05, 1.6)])
        neat = rng.choice([0.02, 0.12])
        c, s = math.cos(along), math.sin(along)
        for index, face in enumerate(sorted(int(f) for f in rng.integers(1, 7, count))):
            shift = (index - (count - 1) / 2) * step
            x, y = cx + shift * c, cy + shift * s
            yaw = along + rng.normal(0, neat) + math.pi / 2 * int(rng.integers(4))
            if not floor.put(x, y, yaw, look.style.edge_mm * 1.005):
                yaw = along
                if not floor.put(x, y, yaw, look.style.edge_mm * 1.005):
                    x, y, yaw = floor.lay(rng, (x - s * 0, y), (edge, edge), look.style.edge_mm)
            dice.append(LaidDie(player, face, x, y, yaw, Place("row", player=player)))
        taken = [face for face in captured if rng.random() < 0.5 or player == len(hands) - 1]
        captured = [face for face in captured if face not in taken]
        for number, face in enumerate(taken):
            shift = 5.2 * edge * 1.1 + number * edge * 1.25
            near = (cx + shift * c - s * edge, cy + shift * s + c * edge)
            x, y, yaw = floor.lay(rng, near, (2.0, 2.0), looks[2].style.edge_mm * 1.02)
            dice.append(LaidDie(2, face, x, y, yaw, Place("captured", player=player)))
    return dice


def make_plan(seed: int, only_things: bool = False, size: tuple[int, int] = (1280, 720)) -> Plan:
    """The table of a seed, the same every time. size: of the picture, px. KeyError: the seed is in no range."""
    from datasets.render_extras import lay_things, random_hand, random_lens

    split = split_of(seed)
    rng = np.random.default_rng([seed, 11])
    kind = "distractors" if only_things else str(rng.choice(KINDS))
    players = int(rng.integers(2, 4))
    looks = random_looks(rng, players, split, mixed=kind in ("scatter", "heap"))
    edge = looks[0].style.edge_mm
    if rng.random() < 0.3:
        pitch = LAWN_PITCH_MM if edge < 18 else (LAWN_PITCH_MM[0] * 1.5, LAWN_PITCH_MM[1] * 1.5)
    else:
        pitch = (edge * rng.uniform(1.5, 2.3), edge * rng.uniform(1.4, 1.9))
    mat = None
    if rng.random() < {"lawn": 0.85, "distractors": 0.6}.get(kind, 0.4):
        design = str(rng.choice(MATS[split]))
        wave = rng.uniform(1.0, 5.0) if design.startswith("wavy") else 0.0
        mat = Mat(design, pitch, edge * rng.uniform(0.5, 1.8), wave, seed)
    half = mat.half_mm if mat else (1.5 * pitch[0], 3 * pitch[1])
    floor = Floor()
    dice: list[LaidDie] = []
    if kind == "lawn":
        dice, hands, captured = lay_lawn(rng, looks, pitch, floor)
        dice += lay_rows(rng, looks, hands, captured, half, floor)
    elif kind == "big-roll":
        two = looks[-1].neutral
        if two and mat:  # the neutral dice wait on the lawn (rule 1:2.C)
            for row in range(1, 7):
                y = (3.5 - row) * pitch[1]
                yaw = rng.normal(0, 0.3)
                floor.put(0.0, y, yaw, edge)
                dice.append(LaidDie(2, row, 0.0, y, yaw, Place("lawn", row, "center")))
        rolling = list(range(2 if two else len(looks)))
        area = seats(rng, len(rolling), half if mat else (20.0, 20.0), edge * 2.2)
        tight = rng.choice([0.8, 1.4, 2.2])
        for player in rolling:
            for face in rng.integers(1, 7, 8):
                spread = (edge * tight * 1.5, edge * tight)
                x, y, yaw = floor.lay(rng, area[player][:2], spread, edge * 1.01)
                dice.append(
                    LaidDie(player, int(face), x, y, yaw, Place("elsewhere", player=player))
                )
    elif kind in ("heap", "scatter"):
        count = int(rng.integers(8, 25)) if kind == "heap" else int(rng.integers(1, 25))
        spread = (edge * 1.2, edge * 1.0) if kind == "heap" else (edge * 4.0, edge * 3.0)
        for _ in range(count):
            look = int(rng.integers(len(looks)))
            x, y, yaw = floor.lay(rng, (0.0, 0.0), spread, looks[look].style.edge_mm * 1.01)
            dice.append(LaidDie(look, int(rng.integers(1, 7)), x, y, yaw, Place("elsewhere")))
    things = lay_things(rng, floor, half, edge, only_things)
    points = [(d.x_mm, d.y_mm, edge / 2) for d in dice] + [(t.x_mm, t.y_mm, 4.0) for t in things]
    if mat and kind in ("lawn", "distractors"):
        points += [(i * half[0], j * half[1], 0.0) for i in (-1, 1) for j in (-1, 1)]
    lens = random_lens(rng, np.array(points), edge, kind, size)
    hand = random_hand(rng, [(d.x_mm, d.y_mm) for d in dice]) if rng.random() < 0.22 else None
    return Plan(
        seed=seed,
        split=split,
        kind=kind,
        looks=tuple(looks),
        dice=tuple(dice),
        things=tuple(things),
        hand=hand,
        mat=mat,
        pitch_mm=pitch,
        table=str(rng.choice(TABLES[split])),
        table_scale=float(rng.uniform(0.35, 0.9)),
        light=str(rng.choice(LIGHTS[split])),
        lens=lens,
    )


__all__ = ["CAMERAS", "Hand", "LaidDie", "Lens", "Mat", "Place", "Plan", "Thing", "make_plan"]
