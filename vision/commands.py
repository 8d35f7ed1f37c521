"""Vision's part of the `lawn` command.

A command returns the text to print, or prints it as it comes. What is heavy is imported inside the
command that needs it.
"""

from __future__ import annotations

import json
import os
import sys

import click


@click.command()
@click.argument("source", metavar="SOURCE")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a change, one a line.")
@click.option(
    "--players", metavar="COLOUR,COLOUR[,COLOUR]", help="The players' colours in seat order."
)
@click.option(
    "--corners",
    metavar="'X,Y X,Y X,Y X,Y'",
    help="The Lawn's corners, px: row 1 left, row 1 right, row 6 right, row 6 left.",
)
def watch(source: str, as_json: bool, players: str | None, corners: str | None) -> None:
    """Say what lies on the table, anew for every change.

    SOURCE is a camera's number, a stream's address, a video, a photo or a folder of photos. Only what
    is still and uncovered is read; what a hand covers is said to be not known.
    """
    from vision.mat import parse_corners
    from vision.mat_keeper import MatKeeper
    from vision.match_owners import match_owners, names_in
    from vision.sources import open_source
    from vision.view import Viewer
    from vision.watching import event_text
    from vision.watching import watch as events

    names = names_in(players)
    owners = match_owners(names)
    with open_source(source) as opened:
        lawn = None
        if corners is not None:
            first = opened.newest()
            assert first is not None  # open_source waits for it
            lawn = parse_corners(corners, (first.image.shape[1], first.image.shape[0]))
        mats, asked = MatKeeper.of(opened.name, lawn), ""
        viewer = Viewer(mats=mats, owners=owners)
        for event in events(opened, viewer):
            _say(json.dumps(event.to_json()) if as_json else event_text(event, names))
            if mats.asks != asked:
                asked = mats.asks
                click.echo(asked or "The dice tell now which end is row 1.", err=True)


def _say(line: str) -> None:
    """Print a line at once: who reads it waits for it."""
    try:
        click.echo(line)
        sys.stdout.flush()
    except BrokenPipeError:
        # Who reads has seen enough (`lawn watch ... | head -1`): end without a word.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        click.get_current_context().exit(1)


@click.command()
@click.argument("source", metavar="[SOURCE]", default="0")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--corners",
    metavar="'X,Y X,Y X,Y X,Y'",
    help="The Lawn's corners, px: row 1 left, row 1 right, row 6 right, row 6 left.",
)
def doctor(source: str, as_json: bool, corners: str | None) -> None:
    """Check a camera, its light, sharpness, dice and mat.

    SOURCE is as for 'lawn watch', by default the first camera. Says what to improve; the exit code
    is 0 when it is usable and 1 when it is not.
    """
    from vision.doctor import Check, Report, examine, look
    from vision.frames import SourceError
    from vision.mat import parse_corners
    from vision.mat_keeper import MatKeeper
    from vision.reader import TableReader
    from vision.sources import open_source

    try:
        with open_source(source) as opened:
            frames = look(opened)
            lawn = None
            if corners is not None and frames:
                height, width = frames[-1].image.shape[:2]
                lawn = parse_corners(corners, (width, height))
            keeper = MatKeeper.of(opened.name, lawn)
            moving = opened.kind not in ("photo", "folder")
            report = examine(opened.name, frames, TableReader(), keeper.find, moving, keeper)
    except SourceError as error:
        report = Report(source, (Check("camera", "bad", str(error)),))
    _say(json.dumps(report.to_json()) if as_json else report.text())
    click.get_current_context().exit(0 if report.usable else 1)


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
def cameras(as_json: bool) -> str:
    """List the cameras that are plugged in, by number and name."""
    from dataclasses import asdict

    from vision.cameras import list_cameras

    found = list_cameras()
    if as_json:
        return json.dumps([asdict(camera) for camera in found])
    if not found:
        return "No camera is plugged in; plug one in, or let a phone be the camera: lawn serve --camera phone"
    return "\n".join(
        f"{camera.number}  {camera.name}" + (f"  ({camera.usb})" if camera.usb else "")
        for camera in found
    )
