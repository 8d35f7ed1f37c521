"""The workshop's part of the `lawn` command that makes networks: train, calibrate, export.

A command returns the text to print. What is heavy is imported inside the command that needs it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click


def learning_options(command: Any) -> Any:
    """The options of the commands that learn from pictures, by the names of TrainingPlan."""
    for option in (
        click.option("--smoke", is_flag=True, help="A run of seconds on four drawn tables."),
        click.option("--seed", type=click.IntRange(0), help="Of all that is left to chance."),
        click.option("--without", multiple=True, help="A source of photographs to leave out."),
        click.option("--drawn", type=click.Path(), multiple=True, help="Made by 'lawn render'."),
        click.option("--photos", type=click.Path(), help="Folder of labelled photographs."),
    ):
        command = option(command)
    return command


def small_network_options(command: Any) -> Any:
    """The arguments and options of the commands that train a network of the second stage."""
    file = click.Path(path_type=Path)
    for option in (
        click.option("--threads", type=click.IntRange(1), help="Of the processor; default: all."),
        click.option("--learning-rate", type=click.FloatRange(0, 1, min_open=True)),
        click.option("--epochs", type=click.IntRange(1), help="Times that everything is seen."),
        learning_options,
        click.argument("out", type=file, metavar="OUT.onnx"),
        click.argument("folder", type=file),
    ):
        command = option(command)
    return command


def small_network_plans(
    folder: Path, smoke: bool, choices: dict[str, Any], least: Any, usual: Callable[..., Any]
) -> tuple[Any, Any]:
    """What such a command learns from, and its steps.

    least: the steps of a smoke run; usual: makes those of any other from its seed.
    """
    from models.train import TrainingPlan, smoke_plan

    steps = {name: choices.pop(name) for name in ("epochs", "learning_rate")}
    source = chosen(smoke_plan(folder) if smoke else TrainingPlan(photos=None), choices)
    return source, chosen(least if smoke else usual(seed=source.seed), steps)


def chosen(plan: Any, choices: dict[str, Any]) -> Any:
    """The plan with what was chosen on the command line in place of its defaults."""
    from dataclasses import replace

    return replace(plan, **{name: c for name, c in choices.items() if c not in (None, ())})


@click.command()
@click.argument("out", type=click.Path(path_type=Path))
@learning_options
@click.option("--tiles", type=click.IntRange(0), help="Tiles cut from the photographs.")
@click.option("--drawn-tiles", type=click.IntRange(0), help="Tiles cut from the drawn tables.")
@click.option("--epochs", type=click.IntRange(1), help="Times that every tile is seen.")
@click.option("--batch", type=click.IntRange(1), help="Tiles a step.")
@click.option("--learning-rate", type=click.FloatRange(0, 1, min_open=True))
@click.option("--coco", type=click.Path(path_type=Path), help="COCO weights to start from (.npz).")
@click.option(
    "--start", type=click.Path(path_type=Path), help="Weights to go on from: .pt or .onnx."
)
@click.option("--threads", type=click.IntRange(1), help="Of the processor; default: all.")
def train(
    out: Path,
    coco: Path | None,
    start: Path | None,
    smoke: bool,
    threads: int | None,
    **choices: Any,
) -> str:
    """Train the detector in the folder OUT.

    A run that was cut off goes on where it ended.
    """
    from models.train import TrainingPlan, smoke_plan
    from models.train import train as train_detector

    plan = chosen(smoke_plan(out) if smoke else TrainingPlan(photos=None), choices)
    return f"Trained weights: {train_detector(plan, out, coco, start, threads)}"


@click.command("train-closeup")
@small_network_options
@click.option(
    "--detector", type=click.Path(path_type=Path), help="Whose false boxes to learn from."
)
@click.option(
    "--start", type=click.Path(path_type=Path), help="A closeup.pt or .onnx to go on from."
)
def train_closeup(
    folder: Path,
    out: Path,
    smoke: bool,
    detector: Path | None,
    start: Path | None,
    threads: int | None,
    **choices: Any,
) -> str:
    """Train the close-up reader of faces; FOLDER keeps its checkpoint."""
    from models.train_closeup import SMOKE, CloseUpPlan, train_closeup

    source, plan = small_network_plans(folder, smoke, choices, SMOKE, CloseUpPlan)
    return f"Exported: {train_closeup(source, plan, folder, out, detector, threads, start)}"


@click.command("train-boxes")
@small_network_options
@click.option("--detector", type=click.Path(path_type=Path), help="Whose boxes to learn from.")
@click.option("--start", type=click.Path(path_type=Path), help="A boxes.pt or .onnx to go on from.")
def train_boxes(
    folder: Path,
    out: Path,
    smoke: bool,
    detector: Path | None,
    threads: int | None,
    start: Path | None,
    **choices: Any,
) -> str:
    """Train the box refiner; FOLDER keeps its checkpoint."""
    from models.train_boxes import SMOKE, BoxPlan, train_boxes

    source, plan = small_network_plans(folder, smoke, choices, SMOKE, BoxPlan)
    return f"Exported: {train_boxes(source, plan, folder, out, detector, threads, start)}"


@click.command("train-check")
@small_network_options
@click.option("--detector", type=click.Path(path_type=Path), help="Default: the shipped one.")
@click.option("--boxes", type=click.Path(path_type=Path), help="Default: the shipped refiner.")
@click.option("--closeup", type=click.Path(path_type=Path), help="Default: the shipped reader.")
@click.option("--start", type=click.Path(path_type=Path), help="A check.pt or .onnx to go on from.")
def train_check(
    folder: Path,
    out: Path,
    smoke: bool,
    detector: Path | None,
    boxes: Path | None,
    closeup: Path | None,
    start: Path | None,
    threads: int | None,
    **choices: Any,
) -> str:
    """Train the second look at what is doubted to be a die."""
    from models.train_check import SMOKE, CheckPlan, Finders, train_check

    source, plan = small_network_plans(folder, smoke, choices, SMOKE, CheckPlan)
    finders = Finders(detector, boxes, closeup)
    return f"Exported: {train_check(source, plan, folder, out, finders, threads, start)}"


@click.command()
@click.argument("out", type=click.Path(path_type=Path), metavar="OUT")
@click.argument("networks", type=click.Path(path_type=Path), nargs=-1, metavar="IN.onnx...")
def average(out: Path, networks: tuple[Path, ...]) -> str:
    """Average networks of one line of training.

    OUT.onnx: of close-up readers, to calibrate then. OUT.pt: of detectors, to export then.
    """
    from models.average import average as average_of

    return f"Averaged: {average_of(networks, out)}"


@click.command()
@click.option("--photos", type=click.Path(path_type=Path), required=True, metavar="DIR")
@click.option("--closeup", type=click.Path(path_type=Path), help="Default: the shipped one.")
@click.option("--weights", type=click.Path(path_type=Path), help="Default: the shipped ones.")
def calibrate(photos: Path, closeup: Path | None, weights: Path | None) -> str:
    """Fit how sure a read face is, and note it in the close-up's file."""
    from models.calibrate import calibrate as fit

    path, temperature = fit(photos, closeup, weights)
    return f"Temperature {temperature}, noted in {path.name}."


@click.command("train-colours")
@click.argument("out", type=click.Path(path_type=Path), metavar="OUT.json")
@click.option("--photos", type=click.Path(path_type=Path), required=True, metavar="DIR")
@click.option("--drawn", type=click.Path(path_type=Path), multiple=True, metavar="DIR")
@click.option("--seed", type=click.IntRange(0), default=20, show_default=True)
def train_colours(out: Path, photos: Path, drawn: tuple[Path, ...], seed: int) -> str:
    """Fit the network that names a die's colour."""
    from models.train_colours import drawn_dice, fit, measure, real_dice
    from vision.colours import ColourNamer

    fit(drawn_dice(drawn), real_dice(photos, "train"), out, seed=seed)
    return json.dumps(measure(ColourNamer(out), real_dice(photos, "val")), indent=1)


@click.command("train-planner")
@click.argument("out", type=click.Path(path_type=Path), metavar="OUT.json")
@click.option("--smoke", is_flag=True, help="A fit of seconds on a few rounds.")
@click.option("--seed", type=click.IntRange(0), help="Of all that is left to chance.")
@click.option("--rounds", type=click.IntRange(1), help="Rounds that are played a pass.")
def train_planner(out: Path, smoke: bool, **choices: Any) -> str:
    """Fit the planner's estimate to rounds that it plays."""
    from models.train_planner import SMOKE, PlannerPlan
    from models.train_planner import train_planner as fit

    return f"Fitted: {fit(chosen(SMOKE if smoke else PlannerPlan(), choices), out)}"


@click.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path), metavar="[WEIGHTS.pt] OUT.onnx")
@click.option("--smoke", is_flag=True, help="Export an untrained network: no WEIGHTS wanted.")
@click.option("--photos", type=click.Path(path_type=Path), help="Whose test split is compared.")
@click.option("--drawn", type=click.Path(path_type=Path), multiple=True, metavar="DIR")
def export(
    files: tuple[Path, ...], smoke: bool, photos: Path | None, drawn: tuple[Path, ...]
) -> str:
    """Make trained weights what the product runs.

    They are kept only if every installed backend reads the test pictures as the trained network
    does: by default the photographs beside the checkout, if any, and four drawn tables.
    """
    from tempfile import TemporaryDirectory

    from datasets.compose import render as draw_tables
    from datasets.real import DEFAULT_ROOT
    from models.evaluate import pictures_of
    from models.export import export as export_weights
    from models.export import make_sure_of_weights
    from models.train import TrainingError, untrained

    if len(files) != (1 if smoke else 2):
        raise TrainingError("Give WEIGHTS.pt and OUT.onnx, or with --smoke only OUT.onnx.")
    if not smoke:
        make_sure_of_weights(files[0])
    with TemporaryDirectory() as scratch:
        weights = untrained(Path(scratch)) if smoke else files[0]
        if photos is None and not drawn:
            photos = DEFAULT_ROOT if DEFAULT_ROOT.is_dir() and not smoke else None
            drawn = (Path(scratch) / "drawn",)
            draw_tables(1 if smoke else 4, 0, drawn[0])
        pictures = pictures_of(photos, "val", drawn)
        return f"Exported: {export_weights(weights, files[-1], pictures)}"
