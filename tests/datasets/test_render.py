"""Path-traced tables, rendered tiny: pixels where the truth says, and a run that was cut off goes on."""

import json
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.render import Quality, has_own_mat, render_traced
from datasets.render_plan import make_plan
from datasets.render_presets import SEEDS
from datasets.render_records import Plan
from datasets.render_truth import truth_of

# Not by importing it here: one process is enough for Blender's one scene, and that is the renderer's own.
pytestmark = pytest.mark.skipif(
    find_spec("bpy") is None, reason="Blender's module is not installed (extra 'render')"
)

TINY = Quality((160, 90), samples=2, threads=1)
SEED = 1_000_008


def light_of(plans: list[Plan]) -> list[np.ndarray]:
    """Linear pictures of plans; runs in a process of its own."""
    from datasets.render_blender import render_linear
    from datasets.render_light import make_light

    return [render_linear(plan, make_light(plan.light, plan.seed), [], 2, 1) for plan in plans]


def test_dice_are_where_the_truth_says() -> None:
    plan = make_plan(SEED, size=(320, 180))
    lens = replace(plan.lens, mirrored=False)
    plan = replace(plan, hand=None, things=(), lens=lens, light="overcast", table="paper")
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        empty, table = pool.submit(light_of, [replace(plan, dice=()), plan]).result()
    changed = np.abs(table - empty).max(2) / empty.max(2) > 0.5
    dice = truth_of(plan, [])["dice"]
    assert len(dice) > 5
    inside = np.zeros_like(changed)
    for die in dice:
        x0, y0, x1, y1 = (round(v) for v in die["box"])
        inside[y0:y1, x0:x1] = True
    assert changed[inside].mean() > 0.45
    assert changed[~inside].mean() < 0.08  # the deepest shadows


def test_of_tables_with_our_mat_alone_the_first_ones_are_traced(tmp_path: Path) -> None:
    first = SEEDS["held-out"].start
    ours = [seed for seed in range(first, first + 12) if has_own_mat(seed)]
    assert 0 < len(ours) < 12
    truth = tmp_path / "truth"
    truth.mkdir()
    for seed in ours:
        (truth / f"traced-{seed}.json").write_text("{}")
    # All of those are there already, so nothing is left to trace.
    assert render_traced(len(ours), first, tmp_path, "held-out", own_mat=True) == 0


def test_a_traced_run_that_was_cut_off_goes_on(tmp_path: Path) -> None:
    assert render_traced(1, SEED, tmp_path, quality=TINY) == 1
    told = json.loads((tmp_path / "truth" / f"traced-{SEED}.json").read_text())
    assert told["seed"] == SEED
    picture = cv2.imread(str(tmp_path / "images" / f"traced-{SEED}.jpg"))
    assert picture.shape == (90, 160, 3)
    assert picture.std() > 5
    kept = {p: p.stat().st_mtime_ns for p in tmp_path.rglob("*.*")}
    assert render_traced(2, SEED, tmp_path, quality=TINY) == 1
    now = {p: p.stat().st_mtime_ns for p in tmp_path.rglob("*.*")}
    assert kept.items() < now.items()  # the first table was left as it was
    names = {p.name for p in now}
    assert names == {
        f"traced-{seed}.{kind}" for seed in (SEED, SEED + 1) for kind in ("jpg", "txt", "json")
    }
