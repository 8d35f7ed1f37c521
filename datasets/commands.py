"""The picture workshop's part of the `lawn` command.

A command returns the text to print. What is heavy is imported inside the command that needs it.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

import click


@click.command()
@click.option("--count", type=click.IntRange(1), required=True, help="How many tables to make.")
@click.option("--seed", type=click.IntRange(0), help="Of the first table; traced: see --presets.")
@click.option(
    "--engine",
    type=click.Choice(["drawn", "mat", "pasted", "traced"]),
    default="drawn",
    show_default=True,
    help="drawn: a second a table; mat: so, on our mat; pasted: dice cut out of --photos and --from;"
    " traced: by Blender, ten seconds or more.",
)
@click.option("--photos", type=click.Path(path_type=Path), help="Pasted: labelled photographs.")
@click.option(
    "--from", "made", type=click.Path(path_type=Path), multiple=True, help="Pasted: made tables."
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
    "--style", type=click.Choice(["colour", "ink-saving"]), help="Mat: only printed so; any."
)
@click.option("--harsh", is_flag=True, help="Mat: under low, bare lamps.")
@click.option("--faint", is_flag=True, help="Mat: dice whose pips contrast little, from above.")
@click.option("--own-mat", is_flag=True, help="Traced: only tables with the printed mat.")
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
    style: Literal["colour", "ink-saving"] | None,
    harsh: bool,
    faint: bool,
    own_mat: bool,
    threads: int,
    photos: Path | None,
    made: tuple[Path, ...],
    out: Path,
) -> str:
    """Make pictures of random tables of dice in the folder OUT.

    A run that was cut off goes on where it ended.
    """
    if engine == "mat":
        from datasets.mat_tables import render_mats

        made_now = render_mats(count, seed or 0, out, style, harsh, faint)
        return f"{made_now} tables drawn into {out}."
    if engine == "drawn":
        from datasets.compose import render as draw_tables

        if distractors_only:
            raise click.UsageError("Only traced tables have distractors; add --engine traced.")
        return f"{draw_tables(count, seed or 0, out)} tables drawn into {out}."
    if engine == "pasted":
        from datasets.paste import render_pasted

        return f"{render_pasted(count, seed or 0, out, photos, made)} tables pasted into {out}."
    from datasets.render import Quality, render_traced
    from datasets.render_presets import SEEDS

    first = SEEDS[presets].start if seed is None else seed
    quality = Quality(threads=threads)
    traced = render_traced(count, first, out, presets, distractors_only, quality, own_mat)
    return f"{traced} tables traced into {out}."


def _turns(text: str, name: str) -> tuple[int, ...]:
    """'3,7' as turn numbers."""
    try:
        turns = tuple(int(part) for part in text.split(",") if part)
    except ValueError:
        turns = (0,)
    if any(turn < 1 for turn in turns):
        raise click.BadParameter(f"{name} takes turn numbers from 1 on, as in 3,7; not {text}.")
    return turns


def _cheats(many: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    """'wrong-row@4' as a kind of infringement and a turn."""
    from engine.verdict import KINDS

    found = []
    for text in many:
        kind, _, turn = text.partition("@")
        if kind not in KINDS:
            raise click.BadParameter(f"There is no infringement {kind}; take {', '.join(KINDS)}.")
        found.append((kind, _turns(turn or "1", "--cheat")[0]))
    return tuple(found)


@click.command()
@click.argument("out", type=click.Path(path_type=Path), metavar="OUT.mp4")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True)
@click.option("--players", type=click.IntRange(2, 3), default=2, show_default=True)
@click.option("--rounds", type=click.IntRange(1), default=1, show_default=True)
@click.option("--turns", type=click.IntRange(1), help="End after so many turns.")
@click.option("--from-turn", type=click.IntRange(1), default=1, help="Begin at that turn.")
@click.option("--mat", type=click.Choice(["ours", "grid"]), default="ours", show_default=True)
@click.option("--tilt", type=click.FloatRange(0, 50), help="Degrees off straight above.")
@click.option("--size", default="1280x720", show_default=True, metavar="WxH")
@click.option("--fps", type=click.IntRange(5, 60), default=30, show_default=True)
@click.option("--cheat", multiple=True, metavar="KIND@TURN", help="An infringement, then mended.")
@click.option("--bump", default="", metavar="TURNS", help="The camera is pushed before them.")
@click.option("--head", default="", metavar="TURNS", help="A head leans in before them.")
@click.option("--rest", default="", metavar="TURNS", help="A hand rests before them.")
@click.option("--light", is_flag=True, help="Lamp, exposure and shadows change.")
@click.option("--noise", type=click.FloatRange(0, 20), default=1.5, help="Of the sensor, levels.")
@click.option("--crf", type=click.IntRange(0, 51), default=23, help="H.264: less is better.")
@click.option("--traced", is_flag=True, help="Path-trace what lies: slow, pictures are kept.")
@click.option("--pace", type=click.FloatRange(0.3, 2), default=0.85, help="Less is hastier.")
@click.option("--bot", type=click.Choice(["random", "greedy"]), default="greedy")
def clip(
    out: Path,
    size: str,
    tilt: float | None,
    cheat: tuple[str, ...],
    traced: bool,
    **choices: Any,
) -> str:
    """Film a game that bots play, with exact truth beside it (OUT.json).

    A clip that is there already, whole and of the same plan, is kept.
    """
    from datasets.clips import ClipPlan, write_clip

    width, _, height = size.partition("x")
    if not (width.isdecimal() and height.isdecimal()):
        raise click.BadParameter(f"--size is width x height as in 1280x720, not {size}.")
    pixels = (int(width), int(height))
    if any(side % 2 or not 160 <= side <= 4096 for side in pixels):
        raise click.BadParameter(f"--size takes even numbers from 160 to 4096, not {size}.")
    for name in ("bump", "head", "rest"):
        choices[f"{name}s"] = _turns(choices.pop(name), f"--{name}")
    plan = ClipPlan(size=pixels, tilt_deg=tilt, cheats=_cheats(cheat), **choices)
    painters = None
    if traced:
        # Not imported here: Blender lengthens sys.path, and its own process would then find another bpy.
        if find_spec("bpy") is None:
            raise ModuleNotFoundError("bpy", name="bpy")
        from datasets.clips_traced import TracedPainter

        def painters(clip: Any, camera: Any) -> TracedPainter:
            return TracedPainter(clip, camera, out.with_suffix(".stills"))

    truth = write_clip(plan, out, painters)
    return f"Filmed {truth.with_suffix('.mp4')}; its truth is {truth}."
