"""The reviewed recordings as pages: the list, one review with its film, and settling its doubts by a tap."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from flask import Blueprint, Request, Response, abort, jsonify, render_template, request, send_file
from werkzeug.exceptions import NotFound

from engine.errors import LawnError
from engine.journal import Journal
from vision.review_folder import (
    TRANSCRIPT,
    Plan,
    ReviewError,
    ReviewFolder,
    default_root,
    film_at,
)
from webui.answers import Body, body
from webui.catalogue import speaker
from webui.folders import file_name
from webui.paints import PIPS, paint
from webui.report_model import model
from webui.review_desk import ReviewDesk

NOT_HERE = "There is no such review here."
NOT_DONE = "This review has not come to its end yet."
NO_PICTURE = "There is no such picture in this review."
SHIPPED = Path(__file__).parent / "demo" / "review"
"""The review of the round that `lawn demo` plays. Its journal is not in WAL mode, so nothing is written beside it."""
SHIPPED_NAME = "demo"


class Settle(Body):
    """What a person says: a guess of a question, or a turn that was so, or that never was."""

    question: int | None = None
    guess: int | None = None
    confirm: str | None = None
    remove: str | None = None
    undo: bool = False


def nobody_is_host(_: Request) -> bool:
    return False


def review_routes(
    root: Path | None = None, is_host: Callable[[Request], bool] = nobody_is_host
) -> Blueprint:
    """GET /review, /review/<name>/ with its film, pictures and files; POST /api/v1/reviews/<name>/settle.

    root: the folder of the reviews, default the user's. A name is only ever compared with those in it.
    The review of the round that ships is among them as SHIPPED_NAME. is_host: whether a request comes from this
    very computer; others are not told in which folders the films lie.
    """
    routes = Blueprint("review", __name__)
    folder = root or default_root()

    def found(name: str) -> tuple[ReviewFolder, Plan]:
        for path in _reviews(folder):
            if _name(path) == name:
                review = ReviewFolder(path)
                plan = review.plan()
                if plan is not None:
                    return review, plan
        raise NotFound(NOT_HERE)

    def finished(name: str) -> ReviewFolder:
        review, plan = found(name)
        if not plan.done:
            abort(409, NOT_DONE)
        return review

    def told_of(review: ReviewFolder) -> dict[str, Any]:
        """The transcript, for who asks. Raises ReviewError when there is none yet."""
        made = review.read_transcript()
        if is_host(request):
            return made
        return {**made, "video": file_name(made["video"]), "videos": without_folders(made)}

    def without_folders(made: dict[str, Any]) -> list[dict[str, Any]]:
        return [{**each, "path": file_name(each["path"])} for each in made["videos"]]

    @routes.get("/review")
    def listed() -> str:
        rows = [row for path in _reviews(folder) if (row := _row(path)) is not None]
        rows.sort(key=lambda row: -row["changed_s"])
        return render_template("review_list.html", rows=rows, paint=paint)

    @routes.get("/review/<name>/")
    def one(name: str) -> str:
        review, plan = found(name)
        if not plan.done:
            return render_template("review.html", review=None, name=name, plan=plan)
        try:
            made = model(review, speaker())
        except (LawnError, ReviewError) as error:
            abort(409, str(error))
        return render_template(
            "review.html",
            review={**made.shown, "videos": without_folders(made.shown)},
            name=name,
            films=[f"/review/{name}/film/{at}" for at in range(len(plan.videos))],
            picture=lambda number: f"/review/{name}/picture/{number}.jpg",
            record_href=f"/review/{name}/record.lawn",
            json_href=f"/review/{name}/review.json",
            live=review.path != SHIPPED,
            paint=paint,
            pips=PIPS,
        )

    @routes.get("/review/<name>/film/<int:number>")
    def film(name: str, number: int) -> Response:
        review, plan = found(name)
        if not 0 <= number < len(plan.videos):
            abort(404, NOT_HERE)
        path = film_at(review.path, plan.videos[number].path)
        if not path.is_file():
            abort(404, f"The film {path.name} is not where it was any more.")
        return send_file(path, conditional=True)

    @routes.get("/review/<name>/picture/<int:number>.jpg")
    def picture(name: str, number: int) -> Response:
        review, _ = found(name)
        if number >= 1 << 31:
            abort(404, NO_PICTURE)
        try:
            with Journal.look(review.journal) as journal:
                jpeg = journal.picture(number)
        except LawnError:
            abort(404, NO_PICTURE)
        return Response(jpeg, mimetype="image/jpeg")

    @routes.get("/review/<name>/review.json")
    def transcript(name: str) -> Response:
        text = json.dumps(told_of(finished(name)), ensure_ascii=False, indent=1)
        answer = Response(text, mimetype="application/json")
        answer.headers["Content-Disposition"] = f"attachment; filename={TRANSCRIPT}"
        return answer

    @routes.get("/review/<name>/record.lawn")
    def record(name: str) -> Response:
        text = finished(name).read_transcript()["record"]
        answer = Response(text, mimetype="text/plain; charset=utf-8")
        answer.headers["Content-Disposition"] = "attachment; filename=record.lawn"
        return answer

    @routes.get("/api/v1/reviews")
    def reviews() -> Response:
        rows = [row for path in _reviews(folder) if (row := _row(path)) is not None]
        return jsonify(reviews=rows)

    @routes.get("/api/v1/reviews/<name>")
    def told(name: str) -> Response:
        return jsonify(told_of(finished(name)))

    @routes.post("/api/v1/reviews/<name>/settle")
    def settle(name: str) -> Response:
        review = finished(name)
        if review.path == SHIPPED:
            abort(409, "This review came with the program and stays as it is.")
        said, desk = body(Settle), ReviewDesk(review.path)
        if said.question is not None and said.guess is not None:
            desk.answer(said.question, said.guess)
        elif said.confirm is not None:
            desk.confirm(said.confirm)
        elif said.remove is not None:
            desk.remove(said.remove)
        elif said.undo:
            desk.undo()
        else:
            abort(400, "Say which doubt is settled, and how.")
        return jsonify(told_of(review))

    return routes


def _reviews(folder: Path) -> list[Path]:
    try:
        own = sorted(path for path in folder.iterdir() if (path / "plan.json").is_file())
    except OSError:
        own = []  # nothing was reviewed yet
    return [*own, SHIPPED] if (SHIPPED / "plan.json").is_file() else own


def review_of(film: str, root: Path | None = None) -> str:
    """The address of the finished review of the film with that name, or "" where there is none."""
    for path in _reviews(root or default_root()):
        try:
            plan = ReviewFolder(path).plan()
        except ReviewError:
            continue
        if (
            plan is not None
            and plan.done
            and film in map(file_name, (each.path for each in plan.videos))
        ):
            return f"/review/{_name(path)}/"
    return ""


def _name(path: Path) -> str:
    return SHIPPED_NAME if path == SHIPPED else path.name


def _row(path: Path) -> dict[str, Any] | None:
    """A review in the list; None where none was begun. damaged: its files are there and cannot be read."""
    review = ReviewFolder(path)
    row: dict[str, Any] = {
        "name": _name(path),
        "title": path.name,
        "players": [],
        "done": False,
        "changed_s": 0.0,
        "turns": 0,
        "open": 0,
        "totals": {},
        "damaged": False,
    }
    try:
        row["changed_s"] = (path / "plan.json").stat().st_mtime
        plan = review.plan()
        if plan is None:
            return None
        row |= {
            "title": Path(plan.videos[0].path).name,
            "players": list(plan.players),
            "done": plan.done,
        }
        if plan.done:
            made = review.read_transcript()
            row |= {
                "turns": sum(event["type"] == "turn" for event in made["events"]),
                "open": len(made["unsure"]),
                "totals": made["scores"]["totals"],
            }
    except FileNotFoundError:
        return None  # taken away while it was looked at
    except (OSError, ReviewError):
        row["damaged"] = True
    return row
