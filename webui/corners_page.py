"""The corners of the lawn, shown and set by hand: GET /corners, GET and POST /api/v1/corners."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from flask import Blueprint, Response, abort, jsonify, make_response, render_template
from pydantic import ValidationError

from vision.grid import find_grid
from vision.kept_corners import Corners, CornersStore, corners_from
from vision.mat import MatError
from webui.answers import sent
from webui.catalogue import speaker
from webui.guard import for_controllers
from webui.live import LiveTable
from webui.said import said

MIRRORED = (
    "These corners go round the other way, as in a mirror: if your camera does not mirror its "
    "picture, swap left and right."
)


def corners_routes(table: LiveTable, store: CornersStore) -> Blueprint:
    """The page, what is known of the corners, a proposal, and keeping what the person dragged.

    Below /api/v1: GET /corners: {camera, picture (as in /state, or null), corners ([[x, y] * 4] px of the picture,
    or null), found (whether they are those of a mat that is found there, else they are kept ones), mirrored,
    says (why there is no picture, "" where there is one)}.
    GET /corners/proposal: {corners or null, confidence}. POST /corners {width, height, corners}: {corners, mirrored,
    says}; 400 with one sentence when they are no picture of a lawn.
    """
    routes = Blueprint("corners", __name__)

    @routes.get("/corners")
    def page() -> str:
        return render_template("corners.html")

    @routes.get("/api/v1/corners")
    def known() -> Response:
        state = table.state.data
        picture, camera, mat = state["picture"], state["source"]["name"], state["mat"]
        kept = store.load(camera)
        if kept is not None and picture is not None:
            kept = kept.scaled(picture["width"], picture["height"])
        found = picture is not None and mat["found"] and mat["by"] != "corners"
        mirrored = not found and kept is not None and kept.mat().mirrored
        corners = mat["corners"] if found else None if kept is None else kept.corners
        known = {"corners": corners, "found": found, "mirrored": mirrored}
        waits = "" if picture is not None else said(speaker(), state["source"]["says"])
        return jsonify(camera=camera, picture=picture, says=waits, **known)

    @routes.get("/api/v1/corners/proposal")
    @for_controllers
    def proposal() -> Response:
        state = table.state.data
        picture = state["picture"]
        jpeg = table.picture(picture["version"]) if picture else None
        if picture is None or jpeg is None:
            return jsonify(corners=None, confidence=0.0)
        image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
        if image is None:
            return jsonify(corners=None, confidence=0.0)
        scale = image.shape[1] / picture["width"]
        dice = (state["reading"] or {}).get("dice", [])
        boxes = np.array([die["box"] for die in dice], np.float64).reshape(-1, 4) * scale
        found = find_grid(np.asarray(image, np.uint8), boxes)
        if found is None:
            return jsonify(corners=None, confidence=0.0)
        corners = corners_from(found.corners / scale, picture["width"], picture["height"])
        return jsonify(corners=corners.corners, confidence=round(found.confidence, 3))

    @routes.post("/api/v1/corners")
    def keep() -> Response:
        try:
            corners = Corners.model_validate(sent())
        except ValidationError:
            return _refused(
                "The lawn has four corners, each with an x and a y in px of the picture.", 400
            )
        try:
            mirrored = corners.mat().mirrored
        except MatError as error:
            return _refused(str(error), 400)
        try:
            store.save(table.state.data["source"]["name"], corners)
        except OSError as error:
            abort(409, f"The corners could not be kept ({error.strerror}).")
        table.look_for_mat()
        answer: dict[str, Any] = {"corners": corners.corners, "mirrored": mirrored}
        return jsonify(**answer, says=f"Kept. {MIRRORED}" if mirrored else "Kept.")

    return routes


def _refused(says: str, status: int) -> Response:
    return make_response(jsonify(error=says), status)
