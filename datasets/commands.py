"""The picture workshop's part of the `lawn` command.

A command returns the text to print. What is heavy is imported inside the command that needs it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click


@click.command()
@click.option("--count", type=click.IntRange(1), required=True, help="How many tables to make.")
@click.option("--seed", type=click.IntRange(0), help="Of the first table; traced: see --presets.")
@click.option(
    "--engine",
    type=click.Choice(["drawn", "mat", "traced"]),
    default="drawn",
    show_default=True,
    help="drawn: a second a table; mat: so, on our mat; traced: by Blender, ten seconds or more.",
)
@click.option(
    "--presets",
    type=click.Choice(["train", "held-out"]),
    default="train",
    show_default=True,
    help="Mats, table tops and lights of traced tables: seeds from 1000000 or 9000000 on.",
)
@click.option("--distractors-only", is_flag=True, help="Traced: only things that are no dice.")
@click.option(
    "--threads", type=click.IntRange(0), default=0, help="Traced: of the processor; 0 takes all."
)
@click.argument("out", type=click.Path(path_type=Path))
def render(
    count: int,
    seed: int | None,
    engine: str,
    presets: Literal["train", "held-out"],
    distractors_only: bool,
    threads: int,
    out: Path,
) -> str:
    """Make pictures of random tables of dice in the folder OUT.

    A run that was cut off goes on where it ended.
    """
    if engine == "mat":
        from datasets.mat_tables import render_mats

        return f"{render_mats(count, seed or 0, out)} tables drawn into {out}."
    if engine == "drawn":
        from datasets.compose import render as draw_tables

        if distractors_only:
            raise click.UsageError("Only traced tables have distractors; add --engine traced.")
        return f"{draw_tables(count, seed or 0, out)} tables drawn into {out}."
    from datasets.render import Quality, render_traced
    from datasets.render_presets import SEEDS

    first = SEEDS[presets].start if seed is None else seed
    made = render_traced(count, first, out, presets, distractors_only, Quality(threads=threads))
    return f"{made} tables traced into {out}."
