"""Cameras: which there are, what they show, which one is used, and whether the table can be read."""

from __future__ import annotations

import io
import re
import threading
import time
from collections.abc import Callable, Sequence

from flask import Blueprint, Response, abort, jsonify, request
from pydantic import Field

from vision.cameras import Camera, list_cameras, why_not
from vision.frames import Source, SourceError
from webui.answers import Body, body
from webui.camera_check import colours_seen, picture_of, report
from webui.camera_choice import PHONE, Chosen
from webui.catalogue import speaker
from webui.companion import Companion
from webui.jpegs import jpeg_of
from webui.no_camera import NO_CAMERA
from webui.said import said

NO_CAMERA_THERE = "There is no such camera; load the list of cameras again."
FIRST_PICTURE_S = 4.0
"""How long a preview waits for a camera's first picture."""
PREVIEW_S = 2.0
"""A preview is shown again for so long before the camera is opened once more."""


class Choice(Body):
    spec: str = Field(min_length=1, max_length=500)


def camera_routes(
    companion: Companion, cameras: Callable[[], Sequence[Camera]] = list_cameras
) -> Blueprint:
    """GET /api/v1/cameras, .../<number>/preview.jpg, /check and its pictures; POST /api/v1/camera.

    Cameras that nobody has chosen, and what the check says, are for those who control alone: a viewer
    is to see the table and not the rest of the home.
    """
    routes = Blueprint("cameras", __name__, url_prefix="/api/v1")
    previews = Previews(companion.opener.open_live)

    @routes.before_request
    def refuse_viewers() -> None:
        if not companion.access.controls(request):
            abort(401, "This browser only watches; to see the cameras, give the PIN.")

    @routes.get("/cameras")
    def listed() -> Response:
        spec, says = companion.chosen.spec, speaker()
        found = [
            {
                "spec": str(camera.number),
                "name": camera.name,
                "used": _is_used(camera, spec),
                "says": "" if _is_used(camera, spec) else said(says, why_not(camera) or ""),
            }
            for camera in cameras()
        ]
        return jsonify(cameras=found, others=[PHONE, NO_CAMERA])

    @routes.get("/cameras/<number>/preview.jpg")
    def preview(number: str) -> Response:
        camera = next((each for each in cameras() if str(each.number) == number), None)
        if camera is None:
            abort(404, NO_CAMERA_THERE)
        if _is_used(camera, companion.chosen.spec):
            image = companion.table.newest_image()
            if image is None:
                abort(404, companion.chosen.source.status().says)
            return Response(jpeg_of(image), mimetype="image/jpeg")
        try:
            return Response(previews.of(number), mimetype="image/jpeg")
        except SourceError as error:
            abort(404, str(error))

    @routes.post("/camera")
    def choose() -> Response:
        companion.choose(from_page(body(Choice).spec, companion.chosen))
        return jsonify(camera=companion.chosen.to_json(companion.access.you(request)))

    @routes.get("/camera/phone.svg")
    def phone_code() -> Response:
        phone = companion.chosen.phone
        if phone is None:
            abort(404, "No phone is the camera.")
        return qr_code(phone.url)

    @routes.get("/check")
    def check() -> Response:
        found, says = report(companion), speaker()
        checks = [{**each, "says": said(says, each["says"])} for each in found["checks"]]
        return jsonify(**{**found, "checks": checks}, colours=colours_seen(companion))

    @routes.get("/check/colours/<colour>.jpg")
    def colour(colour: str) -> Response:
        jpeg = picture_of(companion, colour)
        if jpeg is None:
            abort(404, "No die of that colour is seen now.")
        return Response(jpeg, mimetype="image/jpeg")

    return routes


def from_page(spec: str, chosen: Chosen) -> str:
    """What is chosen on a page, as it is opened: never a file, which only who starts the program names.

    The camera in use may be named as it is shown. Aborts the request else.
    """
    spec = spec.strip()
    if spec in (chosen.spec, chosen.shown):
        return chosen.spec
    if spec.isdecimal() and not re.fullmatch("[0-9]{1,4}", spec):
        abort(404, NO_CAMERA_THERE)
    if not (spec in (PHONE, NO_CAMERA) or spec.isdecimal() or "://" in spec):
        abort(400, "A camera is chosen by its number, as 'phone', as 'none', or by an address.")
    return spec


def _is_used(camera: Camera, spec: str) -> bool:
    name = spec.removeprefix("camera:").strip()
    return spec == str(camera.number) or (spec.startswith("camera:") and name == camera.name)


def qr_code(text: str) -> Response:
    """A QR code as an SVG, black on white whatever the page's colours: cameras want it so."""
    import segno

    drawn = io.BytesIO()
    segno.make(text, error="m").save(
        drawn, kind="svg", scale=8, border=4, light="#fff", dark="#000", xmldecl=False
    )
    return Response(drawn.getvalue(), mimetype="image/svg+xml")


class Previews:
    """One picture at a time of a camera that is not used otherwise: opened shortly, and kept a moment."""

    def __init__(
        self,
        open_live: Callable[[str], Source],
        clock: Callable[[], float] = time.monotonic,
        wait_s: float = FIRST_PICTURE_S,
    ) -> None:
        self._open, self._clock, self._wait_s = open_live, clock, wait_s
        self._made: dict[str, tuple[float, bytes]] = {}
        self._one_at_a_time = threading.Lock()

    def of(self, number: str) -> bytes:
        """The JPEG of what the camera sees. Raises SourceError: it gives no picture, or others wait."""
        if not self._one_at_a_time.acquire(timeout=2 * self._wait_s):
            raise SourceError("Another camera is just being looked at; try again.")
        try:
            made = self._made.get(number)
            if made is not None and self._clock() - made[0] < PREVIEW_S:
                return made[1]
            source = self._open(number)
            try:
                frame = source.wait_newer(-1, self._wait_s)
                if frame is None:
                    raise SourceError(source.status().says)
                jpeg = jpeg_of(frame.image)
            finally:
                threading.Thread(target=source.close, daemon=True).start()
            self._made[number] = self._clock(), jpeg
            return jpeg
        finally:
            self._one_at_a_time.release()
