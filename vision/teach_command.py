"""`lawn teach`: show the product your dice."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path

import click

HOW = (
    "Lay all your dice on the table, apart from each other, under the light you play in. Turn all of "
    "them to 1 and take a photo, then all to 2, and so on to 6."
)


@click.command(epilog=HOW)
@click.argument("name", required=False)
@click.argument("photos", nargs=-1, metavar="[FACE=PHOTO]...")
@click.option("--players", metavar="COLOUR,COLOUR[,COLOUR]", help="Learn these players' colours.")
@click.option("--tune", is_flag=True, help="Tune the reader to these dice; wants all six faces.")
@click.option("--forget", is_flag=True, help="Read this table as if it had never been taught.")
@click.option(
    "--tables",
    "folder",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Where tables are kept; default: the user's data folder.",
)
def teach(
    name: str | None,
    photos: tuple[str, ...],
    players: str | None,
    tune: bool,
    forget: bool,
    folder: Path | None,
) -> str:
    """Show it your dice: NAME is your name for the table, FACE=PHOTO a photo in which all dice show that face.

    Says how well they are read, learns their colours, and with --tune the reader learns from them. Then
    'lawn read --table NAME' reads as taught. Without a NAME it lists the tables that are kept.
    """
    from vision.find import DiceFinder
    from vision.photos import load_photo
    from vision.tables_kept import KeptTable, default_folder, keep, kept
    from vision.tables_kept import forget as set_aside
    from vision.teaching import Lesson, TeachingError
    from vision.teaching import teach as learn

    folder = folder or default_folder()
    now = datetime.now().astimezone().isoformat(timespec="seconds")
    if name is None:
        return "Tables kept: " + (", ".join(kept(folder)) or "none") + f". {HOW}"
    if forget:
        aside = set_aside(name, folder, now).name
        return f"Table '{name}' is read as shipped again; what it was taught lies in {aside}."
    lessons = []
    for photo in photos:
        face, equals, file = photo.partition("=")
        if not equals or not re.fullmatch(r"[1-6]", face):
            raise TeachingError(f"{photo}: write FACE=PHOTO, such as 6=sixes.jpg.")
        lessons.append(Lesson(file, load_photo(Path(file)), int(face)))
    names = tuple(word.strip() for word in players.split(",")) if players else ()
    finder = DiceFinder()
    taught = learn(lessons, finder, names, tune)
    lines = [
        f"{mark.name}: {mark.right} of {mark.dice} dice read as {mark.face}"
        + (f", {mark.unsure} of them not surely" if mark.unsure else "")
        for mark in taught.marks
    ]
    if taught.tuned_right is not None:
        lines.append(
            f"Tuned, {taught.tuned_right} of {taught.dice} are read rightly (each by a reader tuned on the others) "
            f"instead of {taught.right}: "
            + ("kept." if taught.head else "no better, so the shipped reader stays.")
        )
    if names:
        lines.append(
            "The colours of all sets are learned."
            if taught.colours
            else "The colours are not learned: no photo shows three dice or more of every set."
        )
    made = KeptTable(
        name=name,
        taught_at=now,
        dice=taught.dice,
        right=taught.right,
        tuned_right=taught.tuned_right,
        head=taught.head,
        closeup=finder.closeup.fingerprint,
        colours=taught.colours,
        players=names,
    )
    lines.append(f"Kept as '{name}'; undo with: lawn teach {name} --forget")
    keep(made, folder)
    return "\n".join(lines)
