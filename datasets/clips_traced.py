"""Path-traced stills for clips: tables at rest are traced by `datasets.render_blender`, moving things are composed.

Slow (about 17 s of a core for each change of what lies on the table), so every picture is kept in a folder and a run
that was cut off goes on. Needs the `render` extra.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.clips import Clip
from datasets.clips_film import ClipError
from datasets.clips_stage import Image
from datasets.clips_table import Die
from datasets.compose import view_of
from datasets.fresh_process import FreshProcess
from datasets.render_looks import Look
from datasets.render_records import LaidDie, Lens, Mat, Place, Plan
from datasets.scenes import Camera
from engine.lawn import NEUTRAL

TABLES_A_PROCESS = 30
LIGHT = "ceiling"
WHITE = 0.8
"""The 97th percentile of a picture's light is developed to this much of full white, linear."""


def traced_plan(clip: Clip, camera: Camera, dice: Sequence[Die]) -> Plan:
    """The table of some dice as the path tracer takes it. Same axes as the clip's scene."""
    look, size = clip.look, clip.plan.size
    owners = sorted(look.styles)
    view = view_of(camera, *size)
    layout = look.mat.layout
    cell = layout.cell_mm
    margins = (
        (layout.extent.width - 3 * cell[0]) / 2,
        (layout.extent.height - 6 * cell[1]) / 2,
    )
    printed = bool(layout.markers)
    looks = tuple(
        Look(
            style=look.styles[owner],
            preset="satin",
            neutral=owner == NEUTRAL,
            roughness=0.35,
            clear=0.0,
            speckle=0.0,
            second=look.styles[owner].body,
            turned=(look.styles[owner].turned,) * 3,
            red_four=False,
            recess=0.3,
            seed=clip.plan.seed + owner,
        )
        for owner in owners
    )
    laid = tuple(
        LaidDie(
            owners.index(die.owner),
            die.face,
            *look.mat.to_scene(die.xy),
            die.yaw,
            Place("elsewhere"),
        )
        for die in dice
    )
    mat = Mat(
        "own-colour" if printed else "plain-grid",
        cell,
        margins if printed else (16.0, 16.0),
        0.0,
        clip.plan.seed,
    )
    x, y, z = (float(v) for v in view.position)
    rows = [tuple(float(v) for v in row) for row in view.turn]
    lens = Lens(
        "webcam",
        (x, y, z),
        tuple((row[0], row[1], row[2]) for row in rows),
        view.focal,
        (0.0, 0.0, 0.0, 0.0),
        *size,
        False,
    )
    return Plan(
        seed=clip.plan.seed,
        split="train",
        kind="lawn",
        looks=looks,
        dice=laid,
        things=(),
        hand=None,
        mat=mat,
        pitch_mm=cell,
        table=look.surface,
        table_scale=0.5,
        light=LIGHT,
        lens=lens,
    )


def _trace(plan: Plan, samples: int, threads: int) -> NDArray[np.float32]:
    """Linear BGR (H, W, 3) of a table; runs in a process of its own."""
    from datasets.render_blender import render_linear
    from datasets.render_light import make_light

    return render_linear(plan, make_light(plan.light, plan.seed), [], samples, threads)


class TracedPainter:
    """Paints a clip's stills for one camera by path tracing.

    folder: keeps the pictures; samples: rays a pixel; threads: of the processor. All pictures of a folder are developed
    alike, by the light of its first one.
    """

    def __init__(
        self, clip: Clip, camera: Camera, folder: Path, samples: int = 5, threads: int = 1
    ) -> None:
        self.clip, self.camera, self.folder = clip, camera, folder
        self.samples, self.threads = samples, threads
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ClipError(f"{folder}: this folder cannot be made ({error.strerror}).") from error
        self._tracer = FreshProcess(TABLES_A_PROCESS)

    def still(self, dice: Sequence[Die]) -> Image:
        """The table with these dice, (H, W, 3) uint8 BGR: kept, or traced now."""
        plan = traced_plan(self.clip, self.camera, dice)
        name = hashlib.sha1(repr((plan, plan.lens, self.samples)).encode()).hexdigest()[:16]
        path = self.folder / f"{name}.png"
        kept = cv2.imread(str(path)) if path.is_file() else None
        if kept is not None:
            return np.asarray(kept, np.uint8)
        linear = self._tracer.do(_trace, plan, self.samples, self.threads)
        image = np.asarray(
            np.rint(np.clip(linear * self._gain(linear), 0, 1) ** (1 / 2.2) * 255), np.uint8
        )
        part = path.with_suffix(".part.png")
        cv2.imwrite(str(part), image)
        part.replace(path)
        return image

    def _gain(self, linear: NDArray[np.float32]) -> float:
        note = self.folder / "gain.txt"
        if note.is_file():
            return float(note.read_text())
        gain = WHITE / max(float(np.percentile(linear, 97)), 1e-6)
        note.write_text(repr(gain))
        return gain
