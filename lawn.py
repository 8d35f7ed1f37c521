"""The front door: the `lawn` command, a few lines per subcommand, wiring only.

Heavy modules are imported inside the subcommand that needs them, so that `lawn --help` is quick and
nothing but the workshop's commands ever loads torch.
"""

from __future__ import annotations

import functools
import importlib
import json
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from vision.networks import Backend
    from vision.reader import TableReader
    from vision.reading import Reading

ROOMS = {"engine", "vision", "webui", "models", "datasets"}
EXTRAS = {
    "torch": "train",
    "torchvision": "train",
    "ultralytics": "train",
    "onnx": "train",
    "bpy": "render",
    "distributed": "cluster",
}


ROOM_COMMANDS = {
    "watch": "vision.commands",
    "cameras": "vision.commands",
    "doctor": "vision.commands",
    "teach": "vision.teach_command",
    "render": "datasets.commands",
    "clip": "datasets.commands",
    "train": "models.training_commands",
    "train-closeup": "models.training_commands",
    "train-boxes": "models.training_commands",
    "train-check": "models.training_commands",
    "train-colours": "models.training_commands",
    "train-planner": "models.training_commands",
    "average": "models.training_commands",
    "leave-one-out": "models.measuring_commands",
    "calibrate": "models.training_commands",
    "export": "models.training_commands",
    "evaluate": "models.measuring_commands",
    "referee-bench": "models.measuring_commands",
    "demo": "webui.demo_command",
    "review": "webui.review_commands",
    "review-bench": "models.review_bench_command",
}
"""Commands that live with their room; a room is imported only when its command is wanted."""


class Refusal(click.ClickException):
    """One sentence on stderr and exit code 2."""

    exit_code = 2


class FrontDoor(click.Group):
    """A command group that turns every expected error into one sentence.

    Expected are the errors of our own rooms, whose messages are written for people, and what the
    system refuses. Anything else is a fault of ours, and its traceback is wanted.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*super().list_commands(ctx), *ROOM_COMMANDS])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in ROOM_COMMANDS:
            return super().get_command(ctx, cmd_name)
        room = importlib.import_module(ROOM_COMMANDS[cmd_name])
        command: click.Command = getattr(room, cmd_name.replace("-", "_"))
        return command

    def invoke(self, ctx: click.Context) -> Any:
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):  # a Windows console may start with its own code page
                stream.reconfigure(encoding="utf-8", errors="backslashreplace")
        try:
            return super().invoke(ctx)
        except ModuleNotFoundError as error:
            extra = EXTRAS.get((error.name or "").partition(".")[0])
            if extra is None:
                raise
            raise Refusal(
                f"This command needs {error.name}; in the project's folder, run: "
                f"pip install -e '.[{extra}]'"
            ) from error
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            raise Refusal(f"{where}{error.strerror or error}.") from error
        except ValueError as error:
            if type(error).__module__.partition(".")[0] not in ROOMS:
                raise
            raise Refusal(str(error)) from error


def say(text: str) -> None:
    """Print to standard output; one sentence when the disk is full, none when nobody reads it any more."""
    try:
        click.echo(text)
    except BrokenPipeError:
        # Who reads has seen enough (`lawn read ... | head -1`): end without a word, as other tools do.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        click.get_current_context().exit(1)
    except OSError as error:
        # What is left in the buffer would fail again, with a traceback, when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise Refusal(f"The output could not be written ({error.strerror}).") from error


@dataclass(frozen=True)
class ReaderChoice:
    """Which reader of dice a command was asked to use."""

    weights: Path | None
    backend: Backend
    table: str | None

    def make(self) -> TableReader:
        """Load the networks, and what was taught for the table."""
        from vision.reader import TableReader

        reader = TableReader(self.weights, self.backend)
        if self.table is not None:
            from vision.tables_kept import default_folder, recall

            now = datetime.now().isoformat(timespec="seconds")
            reader.use(recall(self.table, default_folder(), now))
        return reader


def reader_options(command: Any) -> Any:
    """The options of the commands that read dice; the command gets them as one, `reader`."""

    @functools.wraps(command)
    def with_reader(
        *args: Any, weights: Path | None, backend: Backend, table: str | None, **choices: Any
    ) -> Any:
        return command(*args, reader=ReaderChoice(weights, backend, table), **choices)

    wrapped: Any = with_reader
    for option in (
        click.option("--table", metavar="NAME", help="Read as 'lawn teach NAME' was taught."),
        click.option(
            "--backend",
            type=click.Choice(["onnxruntime", "openvino", "ultralytics"]),
            default="onnxruntime",
            show_default=True,
            help="What runs the networks.",
        ),
        click.option(
            "--weights",
            type=click.Path(path_type=Path),
            help="A detector of your own (.onnx; .pt with --backend ultralytics).",
        ),
    ):
        wrapped = option(wrapped)
    return wrapped


def readings(
    photos: Sequence[str], choice: ReaderChoice, corners: str | None = None
) -> Iterator[tuple[NDArray[np.uint8], Reading]]:
    """Each photo that can be read, and its reading; ends with exit code 2 if any could not be.

    corners: where the Lawn is in them, as a person writes it.
    """
    from vision.mat import MatError, parse_corners
    from vision.photos import PhotoError, load_photo

    reader = choice.make()
    refused = False
    for photo in photos:
        try:
            if not photo.strip():
                raise PhotoError("The name of a photo is empty; give the file's name.")
            if "://" in photo:
                raise PhotoError(f"{photo}: this is an address; 'lawn serve --camera' takes those.")
            image = load_photo(Path(photo))
            size = (image.shape[1], image.shape[0])
            lawn = parse_corners(corners, size) if corners is not None else None
        except (PhotoError, MatError) as error:
            where = f"{photo}: " if isinstance(error, MatError) else ""
            click.echo(f"Error: {where}{error}", err=True)
            refused = True
            continue
        yield image, reader.read(image, photo, lawn)
    if refused:
        click.get_current_context().exit(Refusal.exit_code)


def say_result(text: str | None) -> None:
    """Print what a command returned."""
    if text is not None:
        say(text)


@click.group(
    cls=FrontDoor,
    context_settings={"help_option_names": ["-h", "--help"]},
    result_callback=say_result,
)
@click.version_option(package_name="get-off-my-lawn", prog_name="lawn")
def main() -> None:
    """Get Off My Lawn: reads real dice through a camera and knows the rules."""
    from engine.garbage import collect_seldom

    collect_seldom()


@main.command()
@click.argument("photos", nargs=-1, required=True, type=click.Path(), metavar="PHOTO...")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a photo, one a line.")
@click.option(
    "--draw",
    "draw_to",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Also write each photo with what was read drawn on it.",
)
@click.option(
    "--corners",
    metavar="'X,Y X,Y X,Y X,Y'",
    help="The lawn's corners in px: row 1 left, row 1 right, row 6 right, row 6 left.",
)
@reader_options
def read(
    photos: tuple[str, ...],
    as_json: bool,
    draw_to: Path | None,
    corners: str | None,
    reader: ReaderChoice,
) -> None:
    """Say which dice lie in photos, and how sure."""
    from vision.draw import DrawingFolder, annotate
    from vision.report import reading_text

    drawings = DrawingFolder(draw_to, map(Path, photos)) if draw_to else None
    for image, reading in readings(photos, reader, corners):
        say(json.dumps(reading.to_json()) if as_json else reading_text(reading))
        if drawings:
            drawn = drawings.write(Path(reading.image), annotate(image, reading))
            if not as_json:
                say(f"  drawn in {drawn}")


@main.command()
@click.argument("photos", nargs=-1, required=True, type=click.Path(), metavar="PHOTO...")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a photo, one a line.")
@reader_options
def score(photos: tuple[str, ...], as_json: bool, reader: ReaderChoice) -> None:
    """Score the Big Rolls in photos.

    For each colour of eight dice: base, bonuses and total; then the turn order.
    """
    from vision.report import score_text
    from vision.scoring import score_reading

    for _, reading in readings(photos, reader):
        table = score_reading(reading)
        shown = {"image": reading.image, **table.to_json()}
        say(json.dumps(shown) if as_json else score_text(reading, table))


@main.command()
@click.argument("records", nargs=-1, required=True, metavar="FILE...")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a file, one a line.")
def check(records: tuple[str, ...], as_json: bool) -> None:
    """Replay game records.

    Says who won, or names the first illegal turn with its line and rule. A FILE of - is read from
    standard input. The exit code is 1 when a record is not legal, 2 when a file cannot be read.
    """
    from engine.errors import RecordFileError
    from engine.record_file import read_text
    from engine.tell import checked

    worst = 0
    for name in records:
        try:
            result = checked(name, read_text(name))
        except RecordFileError as error:
            click.echo(f"Error: {error}", err=True)
            worst = Refusal.exit_code
            continue
        say(json.dumps(result.to_json()) if as_json else result.text())
        worst = max(worst, result.exit_code)
    click.get_current_context().exit(worst)


@main.command()
@click.argument("position")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def legal(position: str, as_json: bool) -> None:
    """List what is legal in a POSITION.

    POSITION is the one line that 'lawn check' prints; give it in quotes.
    """
    from engine.position import Position
    from engine.tell import legal_json, legal_text

    here = Position.from_string(position)
    say(json.dumps(legal_json(here)) if as_json else legal_text(here))


@main.command()
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE..."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a file, one a line.")
@click.option("--record", is_flag=True, help="Print the match record instead.")
@click.option("--mend", is_flag=True, help="Set a damaged file aside and save what can be read.")
def journal(files: tuple[Path, ...], as_json: bool, record: bool, mend: bool) -> None:
    """Check match journals and print them."""
    import time

    from engine.errors import JournalError, RecordError
    from engine.journal_archive import Form, printed

    code = 0
    form: Form = "json" if as_json else "record" if record else "text"
    for file in files:
        try:
            say(printed(file, form, time.time if mend else None))
        except (JournalError, RecordError) as error:
            click.echo(f"Error: {error}", err=True)
            code = Refusal.exit_code
    click.get_current_context().exit(code)


@main.command("mat")
@click.argument("out", type=click.Path(path_type=Path), metavar="OUT.pdf")
@click.option(
    "--paper", default="A4", show_default=True, help="A4, Letter, A3, or tiles: A3 on A4."
)
@click.option("--dice", type=int, default=16, show_default=True, help="Edge of your dice, mm.")
@click.option("--ink-saving", is_flag=True, help="Lines instead of colours.")
def print_mat(out: Path, paper: str, dice: int, ink_saving: bool) -> None:
    """Make the mat to print, as a PDF of true size."""
    from vision.mat_pdf import write_mat

    layout, sheets = write_mat(out, paper, dice, "ink-saving" if ink_saving else "colour")
    what = f"{layout.name}, {sheets} A4 sheets" if sheets > 1 else layout.name
    say(f"{out}: {what}. Print it at 100 % and measure the ruler on it: 100 mm.")


@main.command()
@click.option(
    "--camera",
    "source",
    default="0",
    show_default=True,
    metavar="N|camera:NAME|phone|none|URL|FILE|FOLDER",
    help="A camera's number or name, a phone's browser, none, an address, a video, a photo or a folder of photos.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=5000,
    show_default=True,
    help="Port of the page; 0 takes any free one.",
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Address to listen on; 0.0.0.0 lets other devices in your network see the page.",
)
@click.option(
    "--lan", is_flag=True, help="Let other devices watch, and control with the PIN that is shown."
)
@click.option(
    "--players", metavar="COLOUR,COLOUR[,COLOUR]", help="The colours on the table, in seat order."
)
@click.option(
    "--matches",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Where matches are kept; default: your data folder.",
)
@reader_options
def serve(
    source: str, players: str | None, reader: ReaderChoice, folder: Path | None, **where: Any
) -> None:
    """Play and referee matches on a page beside the table.

    A camera that gives no picture is tried again all the time; until it does, and with --camera none,
    rolls and moves are entered by hand.
    """
    from vision.match_owners import names_in
    from webui.serve import Serving
    from webui.serve import serve as serve_page

    names = names_in(players)
    serving = Serving(source, players=names, folder=folder, ready=announce, tell=say, **where)
    serve_page(serving, reader.make())


def announce(url: str) -> None:
    """Say where the page is, once it is up."""
    say(f"The page is up: {url}  (Ctrl+C ends it)")


@main.command()
@click.option("--players", type=click.IntRange(2, 3), default=2, show_default=True)
@click.option("--matches", type=click.IntRange(1), default=100, show_default=True)
@click.option(
    "--bots", required=True, metavar="A,B[,C]", help="One a player: random, greedy, planner."
)
@click.option("--options", default="", metavar="NAME=VALUE,...", help="Rulings to play by.")
@click.option("--threshold", type=int, default=500, show_default=True, help="Points that win.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True)
@click.option("--jobs", type=click.IntRange(1), help="Processes; default: one a core.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def simulate(bots: str, options: str, jobs: int | None, as_json: bool, **choices: int) -> None:
    """Let bots play whole matches, and say what came of it.

    The bots change seats from match to match. The same seed gives the same matches, whatever
    the number of processes.
    """
    from tqdm import tqdm

    from engine.simulate import Plan, parse_options, run
    from engine.simulation_report import summary, summary_text
    from engine.tally import Tally

    plan = Plan(bots=tuple(bots.split(",")), options=parse_options(options), **choices)
    tally = Tally()
    with tqdm(total=plan.matches, unit="match", disable=None) as bar:
        for part in run(plan, jobs):
            tally.add(part)
            bar.update(part.matches)
    found = summary(plan, tally)
    say(json.dumps(found) if as_json else summary_text(found))


if __name__ == "__main__":
    main()
