"""The page on which people show their dice: how well they are read, their colours, and a reader tuned to them."""

from __future__ import annotations

from typing import Annotated, Literal, cast

from flask import Blueprint, Response, abort, jsonify, render_template, request
from pydantic import Field

from vision.photos import PhotoError, decode_photo
from vision.reading import COLOURS
from webui.answers import Body, body
from webui.companion import Companion
from webui.guard import takes_uploads
from webui.teacher import Teacher

MOST_BYTES = 25_000_000
"""Of one photograph."""


class Learning(Body):
    name: str = Field(min_length=1, max_length=40)
    players: list[Annotated[str, Field(max_length=20)]] = Field(default_factory=list, max_length=3)
    tune: bool = True


class Named(Body):
    name: str = Field(min_length=1, max_length=40)


class Doing(Body):
    what: Literal["as-shipped", "begin-anew"]


def teach_routes(companion: Companion, taught: Teacher | None) -> Blueprint:
    """GET /teach; GET /api/v1/teach and .../lessons/<face>.jpg; POST .../lessons/<face>, /learn, /use, /forget, /do.

    taught: None where the reader is none of ours; everything is refused then.
    """
    routes = Blueprint("teach", __name__)

    @routes.before_request
    def refuse() -> None:
        if taught is None:
            abort(404, "The reader of this table cannot be taught.")
        if request.path.startswith("/api/") and not companion.access.controls(request):
            abort(401, "This browser only watches; to teach the reader, give the PIN.")

    # Nothing below is reached without one.
    teacher = cast(Teacher, taught)

    def state() -> Response:
        return jsonify(camera=companion.table.newest_image() is not None, **teacher.state())

    @routes.get("/teach")
    def page() -> str:
        return render_template("teach.html", colours=COLOURS)

    @routes.get("/api/v1/teach")
    def now() -> Response:
        return state()

    @routes.get("/api/v1/teach/lessons/<int:face>.jpg")
    def picture(face: int) -> Response:
        jpeg = teacher.picture(face)
        if jpeg is None:
            abort(404, "That face was not shown yet.")
        return Response(jpeg, mimetype="image/jpeg")

    @routes.post("/api/v1/teach/lessons/<int:face>")
    @takes_uploads(MOST_BYTES)
    def show(face: int) -> Response:
        """With a photograph as the body; without one the camera's newest picture is taken."""
        if not 1 <= face <= 6:
            abort(404, "Dice have the faces 1 to 6.")
        if request.is_json or not request.get_data():
            image = companion.table.newest_image()
            if image is None:
                abort(409, "No camera shows the table now; choose a photo instead.")
        else:
            try:
                image = decode_photo(request.get_data(), "The photo")
            except PhotoError as error:
                abort(400, str(error))
        teacher.show(face, image)
        return state()

    @routes.post("/api/v1/teach/learn")
    def learn() -> Response:
        wanted = body(Learning)
        teacher.learn(wanted.name, wanted.players, wanted.tune)
        return state()

    @routes.post("/api/v1/teach/use")
    def use() -> Response:
        teacher.use(body(Named).name)
        return state()

    @routes.post("/api/v1/teach/forget")
    def forget() -> Response:
        teacher.forget(body(Named).name)
        return state()

    @routes.post("/api/v1/teach/do")
    def do() -> Response:
        if body(Doing).what == "as-shipped":
            teacher.use(None)
        else:
            teacher.begin_anew()
        return state()

    return routes
