"""The workshop's part of the `lawn` command: train, export, calibrate, measure.

A command returns the text to print. What is heavy is imported inside the command that needs it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from vision.networks import Backend


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
@click.argument("folder", type=click.Path(path_type=Path))
@click.argument("out", type=click.Path(path_type=Path), metavar="OUT.onnx")
@learning_options
@click.option("--epochs", type=click.IntRange(1), help="Times that every die is seen.")
@click.option(
    "--detector", type=click.Path(path_type=Path), help="Whose false boxes to learn from."
)
@click.option(
    "--start", type=click.Path(path_type=Path), help="A closeup.pt or .onnx to go on from."
)
@click.option("--learning-rate", type=click.FloatRange(0, 1, min_open=True))
@click.option("--threads", type=click.IntRange(1), help="Of the processor; default: all.")
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
    from models.train import TrainingPlan, smoke_plan
    from models.train_closeup import SMOKE, CloseUpPlan, train_closeup

    steps = {name: choices.pop(name) for name in ("epochs", "learning_rate")}
    source = chosen(smoke_plan(folder) if smoke else TrainingPlan(photos=None), choices)
    plan = chosen(SMOKE if smoke else CloseUpPlan(seed=source.seed), steps)
    return f"Exported: {train_closeup(source, plan, folder, out, detector, threads, start)}"


@click.command("train-boxes")
@click.argument("folder", type=click.Path(path_type=Path))
@click.argument("out", type=click.Path(path_type=Path), metavar="OUT.onnx")
@learning_options
@click.option("--epochs", type=click.IntRange(1), help="Times that every die is seen.")
@click.option("--detector", type=click.Path(path_type=Path), help="Whose boxes to learn from.")
@click.option("--start", type=click.Path(path_type=Path), help="A boxes.pt or .onnx to go on from.")
@click.option("--learning-rate", type=click.FloatRange(0, 1, min_open=True))
@click.option("--threads", type=click.IntRange(1), help="Of the processor; default: all.")
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
    from models.train import TrainingPlan, smoke_plan
    from models.train_boxes import SMOKE, BoxPlan, train_boxes

    steps = {name: choices.pop(name) for name in ("epochs", "learning_rate")}
    source = chosen(smoke_plan(folder) if smoke else TrainingPlan(photos=None), choices)
    plan = chosen(SMOKE if smoke else BoxPlan(seed=source.seed), steps)
    return f"Exported: {train_boxes(source, plan, folder, out, detector, threads, start)}"


@click.command("leave-one-out")
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--photos", type=click.Path(), required=True, help="Folder of labelled photographs.")
@click.option("--drawn", type=click.Path(), multiple=True, help="Made by 'lawn render'.")
@click.option("--source", multiple=True, help="Leave out this one only; default: each in turn.")
@click.option("--coco", type=click.Path(path_type=Path), help="COCO weights to start from (.npz).")
@click.option("--threads", type=click.IntRange(1), help="Of the processor; default: all.")
@click.option("--smoke", is_flag=True, help="Networks of seconds, that learn nothing of use.")
def leave_one_out(
    out: Path,
    photos: str,
    drawn: tuple[str, ...],
    source: tuple[str, ...],
    coco: Path | None,
    threads: int | None,
    smoke: bool,
) -> str:
    """Measure on each source of photographs, unseen in training.

    OUT keeps the networks and the counts; what was cut off goes on where it ended.
    """
    from models.evaluate import write_result
    from models.leave_one_out import SMOKE, LeaveOneOut, LeftOutPlan, report_left_out
    from models.leave_one_out import leave_one_out as measure

    plan = SMOKE if smoke else LeftOutPlan()
    result = measure(LeaveOneOut(photos, drawn, out, coco, threads, plan), source)
    if not source:
        write_result(result, out / "measured.json")
    return report_left_out(result)


@click.command()
@click.argument("out", type=click.Path(path_type=Path), metavar="OUT.onnx")
@click.argument("networks", type=click.Path(path_type=Path), nargs=-1, metavar="IN.onnx...")
def average(out: Path, networks: tuple[Path, ...]) -> str:
    """Average close-up readers of one line of training; calibrate it then."""
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


@click.command()
@click.option("--weights", type=click.Path(path_type=Path), help="Default: the shipped ones.")
@click.option(
    "--photos", type=click.Path(path_type=Path), help="Default: those beside the checkout."
)
@click.option("--split", default="val", show_default=True)
@click.option("--drawn", type=click.Path(path_type=Path), multiple=True, metavar="DIR")
@click.option("--out", type=click.Path(path_type=Path), help="Write the numbers here as JSON.")
@click.option(
    "--mat",
    type=click.Path(path_type=Path),
    help="Instead, measure where dice are found: made by 'render'.",
)
@click.option(
    "--tables",
    type=click.Path(path_type=Path),
    multiple=True,
    help="Instead: whole tables of 'render --engine traced'.",
)
@click.option("--agree", is_flag=True, help="Instead: do all installed backends read the same?")
@click.option(
    "--backend",
    type=click.Choice(["onnxruntime", "openvino", "ultralytics"]),
    default="onnxruntime",
    show_default=True,
)
@click.option("--grids", type=click.IntRange(1), help="Instead: find drawn grids on N tables.")
@click.option("--bumps", type=click.IntRange(1), help="Instead: find N bumped views again.")
@click.option("--smoke", is_flag=True, help="Only two tables that are drawn for it.")
def evaluate(
    weights: Path | None,
    photos: Path | None,
    split: str,
    drawn: tuple[Path, ...],
    out: Path | None,
    mat: Path | None,
    tables: tuple[Path, ...],
    agree: bool,
    backend: Backend,
    grids: int | None,
    bumps: int | None,
    smoke: bool,
) -> str:
    """Measure the detector on known dice."""
    from tempfile import TemporaryDirectory

    from datasets.compose import render as draw_tables
    from datasets.real import DEFAULT_ROOT
    from models.evaluate import evaluate as measure
    from models.evaluate import report, write_result
    from models.train import make_sure_of_writing

    if photos is None and not drawn and not smoke:
        photos = DEFAULT_ROOT

    if out:
        make_sure_of_writing(out)
    if tables:
        from models.evaluate_tables import evaluate_tables, report_tables

        tallies = {str(folder.name): evaluate_tables(folder, weights, backend) for folder in tables}
        if out:
            write_result({name: tally.to_json() for name, tally in tallies.items()}, out)
        return "\n".join(f"{name}: {report_tables(tally)}" for name, tally in tallies.items())
    if agree:
        from models.agree import agreement_on

        agreed = agreement_on(photos, split, drawn, weights)
        if out:
            write_result(agreed.to_json(), out)
        return agreed.report()
    if grids or bumps:
        from models.evaluate_grids import evaluate_bumps, evaluate_grids

        measured = evaluate_grids(grids) if grids else evaluate_bumps(bumps or 1)
        if out:
            write_result(measured, out)
        return json.dumps(measured, indent=1)
    if mat is not None:
        from models.evaluate_mat import evaluate_mat, report_mat

        located = evaluate_mat(mat, weights)
        if out:
            write_result(located, out)
        return report_mat(located)
    with TemporaryDirectory() as scratch:
        if smoke:
            photos, drawn = None, (Path(scratch) / "smoke",)
            draw_tables(2, 0, drawn[0])
        result = measure(weights, photos, split, drawn, backend)
    if out:
        write_result(result, out)
    return report(result)


@click.command("referee-bench")
@click.option("--quick", is_flag=True, help="Two rounds and three infringements.")
@click.option("--rounds", type=click.IntRange(0), help="At 0.5 % wrong faces; default: 1000.")
@click.option("--curve", type=click.IntRange(0), help="Rounds at each other rate; default: 200.")
@click.option("--faults", type=click.IntRange(0), help="Infringements a kind; default: 200.")
@click.option("--seed", type=click.IntRange(0), help="Of all that is left to chance.")
@click.option("--jobs", type=click.IntRange(1), help="Processes; default: one a core.")
@click.option("--keep", type=click.Path(path_type=Path), help="Results so far, to go on from.")
@click.option("--out", type=click.Path(path_type=Path), help="Write the page here as Markdown.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def referee_bench(
    quick: bool,
    jobs: int | None,
    keep: Path | None,
    out: Path | None,
    as_json: bool,
    **choices: Any,
) -> str:
    """Let the referee watch simulated rounds and infringements.

    The simulated camera errs as models/evaluation.json says of the detector. A bench that was cut
    off goes on with the same --keep FILE.
    """
    from tqdm import tqdm

    from engine.referee_bench import QUICK, Bench, Results, run
    from engine.referee_report import page, summary
    from models.train import make_sure_of_writing

    if out:
        make_sure_of_writing(out)
    evaluation = json.loads(Path(__file__).with_name("evaluation.json").read_text("utf-8"))
    bench = chosen(QUICK if quick else Bench(), choices)
    results: Results = {}
    with tqdm(total=len(bench.tasks()), unit="trial", disable=None) as bar:
        for part in run(bench, evaluation, jobs, keep):
            results |= part
            bar.update(len(part))
    found = summary(results)
    if out:
        out.write_text(page(found), encoding="utf-8")
    return json.dumps(found) if as_json else page(found)
