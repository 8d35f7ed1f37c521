"""Make the sample table that `lawn demo` shows: `python -m datasets.sample`.

Three players' Big Rolls on a wooden table, drawn by this project, with the truth beside the picture.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from datasets.compose import draw, write_table
from datasets.scenes import big_roll_scene

SEED = 112
"""A table on which two colours qualify for a bonus."""
SAMPLES = Path(__file__).parent.parent / "webui" / "samples"


def make_sample(out: Path) -> Path:
    """Write demo-table.jpg and demo-table.json into `out`; returns the picture's path. Always the same picture."""
    scene = big_roll_scene(SEED, players=3, calm=True)
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        write_table(draw(scene, clean=True), scene, Path(scratch), "demo-table")
        shutil.copyfile(Path(scratch) / "truth" / "demo-table.json", out / "demo-table.json")
        return Path(
            shutil.copyfile(Path(scratch) / "images" / "demo-table.jpg", out / "demo-table.jpg")
        )


if __name__ == "__main__":
    print(make_sample(SAMPLES))
