"""The picture workshop's part of the `lawn` command.

A command returns the text to print. What is heavy is imported inside the command that needs it.
"""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.option("--count", type=click.IntRange(1), required=True, help="How many tables to draw.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True)
@click.argument("out", type=click.Path(path_type=Path))
def render(count: int, seed: int, out: Path) -> str:
    """Draw random tables of dice into the folder OUT."""
    from datasets.compose import render as draw_tables

    return f"{draw_tables(count, seed, out)} tables drawn into {out}."
