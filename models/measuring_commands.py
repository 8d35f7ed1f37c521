"""The workshop's part of the `lawn` command that measures: evaluate, leave-one-out, referee-bench.

A command returns the text to print. What is heavy is imported inside the command that needs it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from models.training_commands import chosen

if TYPE_CHECKING:
    from vision.networks import Backend


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
