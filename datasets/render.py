"""Path-traced tables with exact truth, in the layout of `datasets.compose`: `lawn render --engine traced`.

A table takes 10 to 25 seconds. The work is done in a process of its own, which is renewed every few tables: Blender
keeps memory.
"""

from __future__ import annotations

import importlib.util
import itertools
import json
import os
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from datasets.fresh_process import FreshProcess
from datasets.render_light import Light, make_light
from datasets.render_plan import make_plan
from datasets.render_presets import SEEDS, Split
from datasets.render_records import Plan
from datasets.render_things import shape_of
from datasets.render_truth import truth_of
from datasets.table_files import RenderError
from datasets.tiles import spoil

TABLES_A_PROCESS = 40


@dataclass(frozen=True)
class Quality:
    """Size of the pictures px, samples a pixel, threads (0: all)."""

    size: tuple[int, int] = (1280, 720)
    samples: int = 5
    threads: int = 0


def develop(linear: NDArray[np.float32], plan: Plan, light: Light) -> NDArray[np.uint8]:
    """What the camera makes of the light: exposure, tone curve, white balance, vignette and cheap cameras' faults.

    linear (H, W, 3) BGR. Returns BGR uint8, mirrored where the plan says so.
    """
    rng = np.random.default_rng([plan.seed, 41])
    lens = plan.lens
    bright = linear.mean(-1)
    # Meters weigh the middle, and do not follow a dark or bright scene all the way.
    middle = bright[lens.height // 6 : -lens.height // 6, lens.width // 6 : -lens.width // 6]
    level = 0.7 * float(np.exp(np.log(middle + 1e-3).mean())) + 0.3 * float(middle.mean())
    gain = 0.19 / max(level, 1e-3) * (max(level, 1e-3) / 0.25) ** 0.2 * light.exposure
    # Automatic white balance takes most of the light's colour away, and sometimes errs.
    white = np.percentile(linear.reshape(-1, 3)[::17], 90, axis=0)
    cast = white.mean() / np.maximum(white, 1e-4)
    balanced = cast ** rng.uniform(0.45, 1.0) * np.exp(rng.normal(0, 0.04, 3))
    x = np.linspace(-1, 1, lens.width)[None, :] ** 2 + np.linspace(-1, 1, lens.height)[:, None] ** 2
    shade = 1 - rng.uniform(0, 0.18) * x
    light_in = linear * gain * balanced * shade[..., None]
    knee = rng.uniform(0.65, 0.95)  # above it the curve bends, so that lights do not clip at once
    light_in = np.where(
        light_in > knee, knee + (1 - knee) * (1 - np.exp(-(light_in - knee) / (1 - knee))), light_in
    )
    picture = np.where(
        light_in <= 0.0031308,
        12.92 * light_in,
        1.055 * np.maximum(light_in, 1e-9) ** (1 / 2.4) - 0.055,
    )
    grey = picture.mean(-1, keepdims=True)
    picture = grey + (picture - grey) * rng.uniform(0.85, 1.15)
    picture = picture + rng.uniform(0, 0.08) * np.sin((picture - 0.5) * np.pi * 2) * 0.5  # contrast
    if lens.preset.startswith("phone") and rng.random() < 0.6:  # phones sharpen
        soft = cv2.GaussianBlur(picture, (0, 0), 1.2)
        picture = picture + rng.uniform(0.2, 0.8) * (picture - soft)
    if lens.preset == "old-webcam":
        picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.5, 1.1))
    if light.noise > 0:
        grain = rng.normal(0, light.noise / 255, picture.shape)
        if rng.random() < 0.5:  # a camera's own denoising leaves coarser blotches
            grain = cv2.GaussianBlur(grain, (0, 0), 0.8) * 1.8
        picture = picture + grain * (1.2 - np.clip(picture, 0, 1))
    out = spoil(np.clip(picture * 255, 0, 255).astype(np.uint8), rng)
    return np.ascontiguousarray(out[:, ::-1] if lens.mirrored else out)


def trace(plan: Plan, quality: Quality) -> tuple[NDArray[np.uint8], dict[str, Any]]:
    """A plan's picture (H, W, 3) BGR and its truth. Needs `bpy`."""
    from datasets.render_blender import render_linear

    light = make_light(plan.light, plan.seed)
    shapes = [shape_of(thing) for thing in plan.things]
    linear = render_linear(plan, light, shapes, quality.samples, quality.threads)
    return develop(linear, plan, light), truth_of(plan, [shape.body() for shape in shapes])


def label_lines(truth: dict[str, Any], size: tuple[int, int]) -> str:
    """YOLO lines of the dice that are labels."""
    lines = []
    for die in truth["dice"]:
        if die["labelled"]:
            x0, y0, x1, y1 = die["box"]
            lines.append(
                f"{die['face'] - 1} {(x0 + x1) / 2 / size[0]:.6f} {(y0 + y1) / 2 / size[1]:.6f} "
                f"{(x1 - x0) / size[0]:.6f} {(y1 - y0) / size[1]:.6f}\n"
            )
    return "".join(lines)


def write_traced(
    image: NDArray[np.uint8], truth: dict[str, Any], size: tuple[int, int], out: Path, name: str
) -> None:
    """Write picture, labels and truth; each appears whole or not at all, the truth last."""
    packed, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 92])
    if not packed:
        raise RenderError(f"{name}: the picture could not be packed as JPEG.")
    files = {
        out / "images" / f"{name}.jpg": data.tobytes(),
        out / "labels" / f"{name}.txt": label_lines(truth, size).encode(),
        out / "truth" / f"{name}.json": json.dumps(truth).encode(),
    }
    for path, content in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f".{path.name}.{os.getpid()}")
        part.write_bytes(content)
        part.replace(path)


def table_name(seed: int, only_things: bool) -> str:
    """The name of a table's files."""
    return f"{'things' if only_things else 'traced'}-{seed:07}"


def render_one(seed: int, out: Path, only_things: bool, quality: Quality) -> str:
    """Render and write one table; returns its name."""
    plan = make_plan(seed, only_things, quality.size)
    image, truth = trace(plan, quality)
    name = table_name(seed, only_things)
    write_traced(image, truth, quality.size, out, name)
    return name


def check_seeds(count: int, seed: int, presets: Split) -> None:
    """Raise RenderError unless all seeds lie in the range of those presets."""
    seeds = SEEDS[presets]
    if seed not in seeds or seed + count - 1 not in seeds:
        raise RenderError(
            f"Seeds {seed} to {seed + count - 1} are not all {presets} seeds, which run from {seeds.start} to "
            f"{seeds.stop - 1}; choose others with --seed or --presets."
        )


def render_traced(
    count: int,
    seed: int,
    out: Path,
    presets: Split = "train",
    only_things: bool = False,
    quality: Quality | None = None,
    own_mat: bool = False,
) -> int:
    """Path-trace `count` tables from `seed` on into `out`; those already there are kept. Returns how many were made.

    own_mat: only of the seeds whose tables have the product's own mat. Raises RenderError when the seeds are of other
    presets or `out` cannot be written, ModuleNotFoundError without bpy.
    """
    quality = quality or Quality()
    check_seeds(count, seed, presets)
    numbers = list(range(seed, seed + count))
    if own_mat:
        numbers = list(
            itertools.islice(filter(has_own_mat, range(seed, SEEDS[presets].stop)), count)
        )
    if importlib.util.find_spec("bpy") is None:
        raise ModuleNotFoundError("bpy", name="bpy")
    try:
        (out / "truth").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RenderError(f"{out}: this folder cannot be made ({error.strerror}).") from error
    wanted = [
        number
        for number in numbers
        if not (out / "truth" / f"{table_name(number, only_things)}.json").is_file()
    ]
    bar = tqdm(
        total=len(numbers), initial=len(numbers) - len(wanted), desc="tracing tables", unit="table"
    )
    with bar, FreshProcess(TABLES_A_PROCESS) as tracer:
        for number in wanted:
            try:
                tracer.do(render_one, number, out, only_things, quality)
            except BrokenProcessPool as error:
                raise RenderError(
                    "The renderer's process was ended from outside, perhaps for want of memory; start the same command "
                    "again to go on."
                ) from error
            bar.update()
    return len(wanted)


def has_own_mat(seed: int) -> bool:
    """Whether the product's own mat lies on the table of that seed."""
    mat = make_plan(seed).mat
    return mat is not None and mat.design.startswith("own")
