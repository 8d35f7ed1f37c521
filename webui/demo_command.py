"""`lawn demo`: the shipped recording of a whole round, played live through the page as a match in progress."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from webui.companion import Companion

FILM = "round.mp4"
COLOURS = ("red", "blue")
"""Of the two players in the recording, in seat order."""
NAMES = ("Anna", "Ben")


@click.command()
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=5000,
    show_default=True,
    help="Port of the page; 0 takes any free one.",
)
def demo(port: int) -> None:
    """Watch a recorded round being refereed on the page: no camera.

    It plays at its own speed, or slower where this machine cannot read so fast, and holds at its end.
    Nothing of it is kept.
    """

    from engine.game_steps import Started
    from engine.match import STANDARD_THRESHOLD
    from engine.options import Options
    from webui.review_page import SHIPPED_NAME
    from webui.serve import Serving, serve

    def begin(companion: Companion) -> None:
        companion.begin(Started(COLOURS, NAMES, Options(), STANDARD_THRESHOLD))

    def announce(url: str) -> None:
        click.echo(f"The page is up: {url}live  (Ctrl+C ends it)")
        click.echo(f"What 'lawn review' made of this recording: {url}review/{SHIPPED_NAME}/")

    with ExitStack() as stack:
        film = stack.enter_context(as_file(files("webui") / "demo" / FILM))
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="lawn-demo-")))
        serving = Serving(str(film), port=port, folder=folder, ready=announce)
        serve(serving, begun=begin)
