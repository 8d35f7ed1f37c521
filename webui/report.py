"""The report of a review as a folder that opens without a server: index.html, the pictures, the record.

The video is not copied: the page plays the file where it lies.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, select_autoescape
from markupsafe import Markup

from engine.journal import Journal
from engine.record import Record
from vision.review_folder import ReviewError, ReviewFolder, film_at
from webui.catalogue import FIRST, Speaker
from webui.paints import PIPS, paint
from webui.report_model import model
from webui.review_outputs import write_whole

STATIC = Path(__file__).parent / "static"


def _templates(says: Speaker) -> Environment:
    made = Environment(
        loader=PackageLoader("webui", "templates"),
        autoescape=select_autoescape(["html"]),
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.update(
        t=says.t, number=says.number, paint=paint, pips=PIPS, language=says.language
    )
    return made


def inline(*names: str) -> Markup:
    """Our own static files, one after the other, to stand in a page of its own."""
    return Markup("\n".join((STATIC / name).read_text(encoding="utf-8") for name in names))


def write_report(
    review: Path, out: Path, typed: Record | None = None, language: str = FIRST
) -> Path:
    """Write the report of the review in that folder into `out`; the page's path.

    Raises ReviewError or JournalError.
    """
    folder, says = ReviewFolder(review), Speaker(language)
    made = model(folder, says, typed)
    try:
        (out / "pictures").mkdir(parents=True, exist_ok=True)
        with Journal.look(folder.journal) as journal:
            for number in made.pictures:
                (out / "pictures" / f"{number}.jpg").write_bytes(journal.picture(number))
        shutil.copyfile(folder.transcript, out / "review.json")
        write_whole(out / "record.lawn", made.shown["record"])
        page = out / "index.html"
        write_whole(
            page,
            _templates(says)
            .get_template("report/file.html")
            .render(
                review=made.shown,
                films=[_film(film_at(review, each["path"]), out) for each in made.shown["videos"]],
                picture=lambda number: f"pictures/{number}.jpg",
                styles=inline("tokens.css", "report.css"),
                script=inline("report.js"),
                live=False,
            ),
        )
    except OSError as error:
        raise ReviewError(f"{out}: the report cannot be written ({error.strerror}).") from error
    return page


def _film(video: Path, out: Path) -> str:
    """How the page finds the video: relative where it can be, so that both may be moved together."""
    try:
        near = os.path.relpath(video, out.resolve())
    except ValueError:  # another drive
        return video.as_uri()
    return quote(Path(near).as_posix())


def folder_names(videos: Sequence[Path]) -> list[str]:
    """The folder of each video's report: its name without the ending, where no other one has that."""
    stems = [video.stem.casefold() for video in videos]
    names: list[str] = []
    for video, stem in zip(videos, stems, strict=True):
        first = name = video.stem if stems.count(stem) == 1 else video.name
        number = 2
        while name.casefold() in {each.casefold() for each in names}:
            name, number = f"{first}-{number}", number + 1
        names.append(name)
    return names


def write_index(out: Path, results: Sequence[dict[str, Any]], language: str = FIRST) -> Path:
    """The page that lists the reports of a folder of recordings. Raises ReviewError."""
    rows = []
    videos = [Path(result["video"]) for result in results]
    for result, name, folder in zip(results, videos, folder_names(videos), strict=True):
        rows.append(
            {
                "name": name.name,
                "href": quote(f"{folder}/index.html"),
                "error": result.get("error", ""),
                "turns": sum(e["type"] == "turn" for e in result.get("events", ())),
                "open": len(result.get("unsure", ())),
                "totals": result.get("scores", {}).get("totals", {}),
            }
        )
    page = out / "index.html"
    text = (
        _templates(Speaker(language))
        .get_template("report/list.html")
        .render(rows=rows, styles=inline("tokens.css", "report.css"))
    )
    try:
        out.mkdir(parents=True, exist_ok=True)
        write_whole(page, text)
    except OSError as error:
        raise ReviewError(f"{page}: it cannot be written ({error.strerror}).") from error
    return page
