"""Plans of path-traced tables: which dice, things, mat, light and camera, drawn by chance from a seed alone.

`datasets.render_blender` builds a plan and `datasets.render_truth` tells its truth. Tables are lawful: two players have
8 + 8 dice and 6 neutral ones, three have 8 + 8 + 8 (rule 1:1); heaps and scattered dice belong to nobody.
"""

from __future__ import annotations

import numpy as np

from datasets.render_extras import lay_things, random_hand, random_lens
from datasets.render_layout import Floor, lay_lawn, lay_rows, seats, seats_of
from datasets.render_looks import random_looks
from datasets.render_mats import own_layout
from datasets.render_presets import LIGHTS, MATS, PRINTS, TABLES, Split, split_of
from datasets.render_records import LaidDie, Mat, Place, Plan
from datasets.scenes import LAWN_PITCH_MM
from vision.layout import MatLayout

KINDS = ("lawn", "lawn", "big-roll", "big-roll", "heap", "scatter")
"""Kinds of tables, as often as they are named here."""


def _mat(
    rng: np.random.Generator, seed: int, split: Split, edge: float, likely: float
) -> tuple[Mat | None, MatLayout | None]:
    """A mat with that likelihood; its layout if it is the product's own."""
    if rng.random() >= likely:
        return None, None
    names = MATS[split]
    weights = np.array([3.0 if name.startswith("own") else 1.0 for name in names])
    design = str(rng.choice(names, p=weights / weights.sum()))
    if design.startswith("own"):
        layout = own_layout(edge, rng.random() < 0.15)
        extent = layout.extent
        margin = (
            extent.width / 2 - layout.lawn.width / 2,
            extent.height / 2 - layout.lawn.height / 2,
        )
        wave = rng.uniform(0.3, 2.0) if rng.random() < 0.3 else 0.0
        return Mat(design, layout.cell_mm, margin, wave, seed), layout
    if rng.random() < 0.3:
        pitch = LAWN_PITCH_MM if edge < 18 else (LAWN_PITCH_MM[0] * 1.5, LAWN_PITCH_MM[1] * 1.5)
    else:
        pitch = (edge * rng.uniform(1.5, 2.3), edge * rng.uniform(1.4, 1.9))
    wave = rng.uniform(1.0, 5.0) if design.startswith("wavy") else 0.0
    margin = (edge * rng.uniform(0.5, 1.8), edge * rng.uniform(0.5, 1.8))
    return Mat(design, pitch, margin, wave, seed), None


def make_plan(seed: int, only_things: bool = False, size: tuple[int, int] = (1280, 720)) -> Plan:
    """The table of a seed, the same every time. size: of the picture, px. KeyError: the seed is in no range."""
    split = split_of(seed)
    rng = np.random.default_rng([seed, 11])
    kind = "distractors" if only_things else str(rng.choice(KINDS))
    players = int(rng.integers(2, 4))
    looks = random_looks(rng, players, split, mixed=kind in ("scatter", "heap"))
    edge = looks[0].style.edge_mm
    mat, layout = _mat(rng, seed, split, edge, {"lawn": 0.88, "distractors": 0.6}.get(kind, 0.4))
    pitch = mat.pitch_mm if mat else (edge * rng.uniform(1.5, 2.3), edge * rng.uniform(1.4, 1.9))
    half = mat.half_mm if mat else (1.5 * pitch[0], 3 * pitch[1])
    floor = Floor()
    dice: list[LaidDie] = []
    if kind == "lawn":
        dice, hands, captured = lay_lawn(rng, looks, pitch, floor)
        places = seats_of(layout, len(hands)) if layout else seats(rng, len(hands), half, edge)
        dice += lay_rows(rng, looks, hands, captured, places, floor)
    elif kind == "big-roll":
        two = looks[-1].neutral
        if two:  # the neutral dice wait on the lawn (rule 1:2.C)
            for row in range(1, 7):
                y = (3.5 - row) * pitch[1]
                yaw = rng.normal(0, 0.3)
                floor.put(0.0, y, yaw, edge)
                dice.append(LaidDie(2, row, 0.0, y, yaw, Place("lawn", row, "center")))
        rolling = list(range(2 if two else len(looks)))
        area = seats(rng, len(rolling), half if mat or two else (20.0, 20.0), edge * 2.2)
        tight = rng.choice([0.8, 1.4, 2.2])
        for player in rolling:
            for face in rng.integers(1, 7, 8):
                spread = (edge * tight * 1.5, edge * tight)
                middle = (area[player].x_mm, area[player].y_mm)
                x, y, yaw = floor.lay(rng, middle, spread, edge * 1.01)
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
    points = [(d.x_mm, d.y_mm, edge / 2) for d in dice]
    points += [(t.x_mm, t.y_mm, 4.0) for t in things] if only_things else []
    if mat and kind in ("lawn", "distractors"):
        points += [(i * half[0], j * half[1], 0.0) for i in (-1, 1) for j in (-1, 1)]
    closer = 0.2 if split == "train" and kind not in ("lawn", "distractors") else 0.0
    lens = random_lens(rng, np.array(points), edge, kind, closer, size)
    tops = TABLES[split]
    if only_things and split == "train" and rng.random() < 0.5:
        tops = PRINTS
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
        table=str(rng.choice(tops)),
        table_scale=float(rng.uniform(0.35, 0.9)),
        light=str(rng.choice(LIGHTS[split])),
        lens=lens,
    )
