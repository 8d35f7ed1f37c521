"""`lawn review`: recordings of games in, transcripts, records and reports out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from engine.record import Record
    from vision.review_folder import Wishes
    from vision.review_many import Job, Outcome


GOES_ON = "The review was cut off; the same command goes on from here."


@click.command()
@click.argument(
    "videos", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="VIDEO..."
)
@click.option(
    "--players", metavar="COLOUR,COLOUR[,COLOUR]", help="In seat order; default: they are found."
)
@click.option(
    "--corners",
    metavar="'X,Y X,Y X,Y X,Y'",
    help="The Lawn's corners, px: row 1 left, row 1 right, row 6 right, row 6 left.",
)
@click.option("--options", default="", metavar="NAME=VALUE,...", help="Rulings it was played by.")
@click.option("--threshold", type=click.IntRange(1), default=500, help="Points that win.")
@click.option("--json", "json_to", metavar="OUT", help="Write the transcript; - prints it.")
@click.option("--record", "record_to", metavar="OUT", help="Write the match record; - prints it.")
@click.option(
    "--report", type=click.Path(path_type=Path), metavar="DIR", help="Write the report's pages."
)
@click.option(
    "--language", default="en", metavar="CODE", help="Of the report: en (the default) or de."
)
@click.option(
    "--against",
    type=click.Path(path_type=Path),
    metavar="RECORD",
    help="Compare with a record that a person has typed.",
)
@click.option(
    "--keep",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Keep the reviews here; default: the data folder of this program.",
)
@click.option("--jobs", type=click.IntRange(1), default=1, help="Processes, for a folder.")
@click.option("--scheduler", metavar="ADDRESS", help="Of a Dask cluster, for a folder.")
@click.option("--anew", is_flag=True, help="Begin again, also where one was cut off or done.")
@click.option(
    "--explain-anew",
    is_flag=True,
    help="A review that is done: by this program's referee, without the film.",
)
@click.option("--profile", is_flag=True, help="Say where the time went.")
def review(
    videos: tuple[Path, ...],
    players: str | None,
    corners: str | None,
    options: str,
    threshold: int,
    keep: Path | None,
    jobs: int,
    scheduler: str | None,
    anew: bool,
    explain_anew: bool,
    **wanted: Any,
) -> str | None:
    """Follow the game in a recording: every turn, score and doubt.

    Several VIDEOs are the files of one game in order; of a FOLDER every video is a game of its own.
    A review that was cut off goes on where it was.
    """
    from engine.simulate import parse_options
    from vision.match_owners import match_owners, names_in
    from vision.review_folder import ReviewError, Wishes
    from vision.review_many import recordings_in
    from webui.catalogue import languages
    from webui.review_outputs import refuse_outputs

    if wanted["language"] not in languages():
        there = " or ".join(languages())
        raise ReviewError(f"There is no report in {wanted['language']}; take {there}.")
    wishes = Wishes(names_in(players), corners, parse_options(options), threshold)
    match_owners(wishes.players)  # says at once when these colours cannot play
    refuse_outputs(
        (wanted["json_to"], wanted["record_to"]), wanted["report"], (*videos, wanted["against"])
    )
    folders = [path for path in videos if path.is_dir()]
    if folders and len(videos) > 1:
        raise ReviewError("Give one folder of recordings, or the files of one game in order.")
    if not folders:
        job = _job(videos, wishes, keep, anew, explain_anew)
        return _one(replace(job, apart=True), **wanted)
    one_game = [name for name in ("record_to", "against") if wanted[name] is not None]
    if one_game:
        raise ReviewError(
            f"--{one_game[0].removesuffix('_to')} is for one game; review that video alone."
        )
    listed = [_job((path,), wishes, keep, anew, explain_anew) for path in recordings_in(folders[0])]
    _many(listed, jobs, scheduler, wanted)
    return None


def _job(
    paths: Sequence[Path], wishes: Wishes, keep: Path | None, anew: bool, explain_anew: bool
) -> Job:
    from vision.review_folder import folder_for
    from vision.review_many import Job

    folder = folder_for(paths, wishes, keep)
    return Job(tuple(paths), folder, wishes, explain_anew=explain_anew, anew=anew)


def _one(
    job: Job,
    *,
    json_to: str | None,
    record_to: str | None,
    report: Path | None,
    language: str,
    against: Path | None,
    profile: bool,
) -> str | None:
    from tqdm import tqdm

    from engine.errors import JournalError
    from vision.review_folder import ReviewError
    from vision.review_many import reviewed, with_advice
    from vision.review_profile import profile as told_profile
    from vision.review_text import told

    # A typed record with a fault is said before the long work, not after it.
    typed = _typed(against) if against is not None else None
    shown = "{desc}: {percentage:3.0f}%|{bar}| {n:.0f}/{total:.0f} s [{elapsed}<{remaining}]"
    with tqdm(desc=job.name, total=1.0, bar_format=shown, disable=None) as bar:

        def tell(time_s: float, whole_s: float) -> None:
            bar.total = whole_s
            bar.update(min(time_s, whole_s) - bar.n)

        try:
            outcome = reviewed(job, tell)
        except KeyboardInterrupt:
            raise click.ClickException(GOES_ON) from None
    if outcome.says:
        raise ReviewError(outcome.says)
    if outcome.note():
        click.echo(outcome.note(), err=True)
    transcript = outcome.transcript()
    _write(transcript, json_to, record_to)
    lines = [told(transcript)] if "-" not in (json_to, record_to) else []
    if typed is not None:
        from vision.review_against import compared

        comparison = compared(transcript, typed)
        lines.append(comparison.text())
    if report is not None:
        from webui.report import write_report

        try:
            page = write_report(outcome.job.folder, report, typed, language)
        except JournalError as error:
            raise ReviewError(with_advice(error)) from error
        lines.append(f"The report: {page}")
    if profile:
        lines.append(told_profile(dict(outcome.spent), transcript["duration_s"]))
    return "\n".join(lines) if lines else None


def _typed(file: Path) -> Record:
    """The record that a person typed. Raises RecordFileError, or ReviewError with the file's name."""
    from engine.errors import RecordError
    from engine.record import Record
    from engine.record_file import read_text
    from vision.review_folder import ReviewError

    text = read_text(str(file))
    try:
        return Record.from_string(text)
    except RecordError as error:
        raise ReviewError(f"{file}: {error}") from error


def _write(transcript: dict[str, Any], json_to: str | None, record_to: str | None) -> None:
    from webui.review_outputs import write_whole

    for to, text in (
        (json_to, json.dumps(transcript, ensure_ascii=False, indent=1)),
        (record_to, transcript["record"].rstrip("\n")),
    ):
        if to == "-":
            click.echo(text)
        elif to is not None:
            write_whole(Path(to), text + "\n")


def _many(jobs: list[Job], count: int, scheduler: str | None, wanted: dict[str, Any]) -> None:
    from tqdm import tqdm

    from vision.review_many import over_cluster, over_processes
    from vision.review_profile import profile
    from webui.report import folder_names, write_index, write_report
    from webui.review_outputs import write_whole

    outcomes = over_cluster(jobs, scheduler) if scheduler else over_processes(jobs, count)
    done: dict[Path, Outcome] = {}
    with tqdm(total=len(jobs), unit="recording", disable=None) as bar:
        for outcome in outcomes:
            done[outcome.job.folder] = outcome
            bar.update(1)
    results = []
    failed = 0
    folders = folder_names([job.paths[0] for job in jobs])
    for job, folder in zip(jobs, folders, strict=True):
        outcome = done[job.folder]
        if outcome.says:
            failed += 1
            click.echo(f"Error: {outcome.says}", err=True)
            results.append({"video": str(job.paths[0]), "error": outcome.says})
            continue
        if outcome.note():
            click.echo(outcome.note(), err=True)
        transcript = outcome.transcript()
        results.append(transcript)
        open_ = len(transcript["unsure"])
        turns = sum(event["type"] == "turn" for event in transcript["events"])
        many = "1 turn" if turns == 1 else f"{turns} turns"
        click.echo(f"{job.name}: {many}, {open_} to be looked at")
        if wanted["report"] is not None:
            write_report(job.folder, wanted["report"] / folder, language=wanted["language"])
        if wanted["profile"]:
            click.echo(profile(dict(outcome.spent), transcript["duration_s"]))
    if wanted["json_to"] is not None:
        text = json.dumps(results, ensure_ascii=False, indent=1)
        if wanted["json_to"] == "-":
            click.echo(text)
        else:
            write_whole(Path(wanted["json_to"]), text + "\n")
    if wanted["report"] is not None:
        index = write_index(wanted["report"], results, wanted["language"])
        click.echo(f"The reports: {index}")
    if failed:
        click.get_current_context().exit(1)
