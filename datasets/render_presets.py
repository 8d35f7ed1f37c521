"""Names of what a path-traced table is made of, and which of them are kept out of training.

A table's seed decides its list: seeds from SEEDS["train"] on draw from the "train" lists, those from
SEEDS["held-out"] on from the "held-out" lists. No mat, table top or light is in both, so a test on held-out tables
meets nothing but new ones. Dice, their materials and cameras are drawn from the same lists for both, apart from
HELD_OUT_DICE.
"""

from __future__ import annotations

from typing import Literal

Split = Literal["train", "held-out"]

SEEDS: dict[Split, range] = {
    "train": range(1_000_000, 9_000_000),
    "held-out": range(9_000_000, 10_000_000),
}
"""Seeds of tables for training and of tables that no training may see."""

MATS: dict[Split, tuple[str, ...]] = {
    "train": (
        "own-colour",
        "lawn-stripes",
        "lawn-cells",
        "grass-cloth",
        "plain-grid",
        "wavy-paper",
        "chalk-board",
        "dot-marks",
        "pip-rows",
        "leather-inlay",
        "blocks",
    ),
    "held-out": ("own-ink-saving", "garden-path", "wavy-blueprint", "ring-spots", "night-lawn"),
}
"""Designs of mats; a table may have none."""

TABLES: dict[Split, tuple[str, ...]] = {
    "train": (
        "wood",
        "cloth",
        "felt",
        "paper",
        "carpet",
        "pattern",
        "concrete",
        "check",
        "leather",
        "planks",
    ),
    "held-out": ("tiles", "marble-stone", "denim", "parquet", "dotted-cloth"),
}
"""Table tops: keys of surfaces.SURFACES or render_surfaces.SURFACES."""
PRINTS = ("polka", "clusters")
"""More table tops, of half of the train pictures that show only things: what is printed on cloth must be learned as no
die without the held-out cloth."""

LIGHTS: dict[Split, tuple[str, ...]] = {
    "train": (
        "window",
        "ceiling",
        "desk-lamp",
        "sun",
        "two-lamps",
        "warm-dim",
        "overcast",
        "coloured",
    ),
    "held-out": ("neon-strip", "window-blinds", "spot", "dusk"),
}

CAMERAS = ("phone", "phone-wide", "webcam", "old-webcam")

DICE = (
    "matte",
    "satin",
    "glossy",
    "casino",
    "translucent",
    "marbled",
    "speckled",
    "asian",
)
"""Looks of sets of dice."""
HELD_OUT_DICE = ("pearl",)
"""A look that only held-out tables have, beside all of DICE."""


def split_of(seed: int) -> Split:
    """The lists that a seed draws from; KeyError for a seed in neither range."""
    for split, seeds in SEEDS.items():
        if seed in seeds:
            return split
    raise KeyError(seed)
