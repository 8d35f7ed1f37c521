"""The truth of a clip as plain JSON types."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np

from datasets.clips_film import Film, Script
from datasets.clips_stage import Stage
from engine.lawn import NEUTRAL
from engine.table import place_to_json

HIDDEN = 0.6
"""A die of which less is visible counts as hidden: its face cannot be told."""


def truth_of(
    script: Script,
    film: Film,
    events: Sequence[dict[str, Any]],
    record: str,
    video: str,
    codec: str,
    colours: tuple[str, ...],
) -> dict[str, Any]:
    """All that is known of a filmed script; see docs/clips.md for every field."""
    fps, mat = script.fps, film.look.mat

    def frame(t: float) -> int:
        return min(max(0, math.ceil(t * fps - 1e-6)), script.frames - 1)

    def span(t0: float, t1: float) -> dict[str, Any]:
        return {
            "t0_s": round(t0, 3),
            "t1_s": round(t1, 3),
            "frame0": frame(t0),
            "frame1": max(frame(t0), frame(t1 - 1 / fps)),
        }

    stills = []
    for still, dice, covered in zip(script.stills, film.seen.dice, film.seen.covered, strict=True):
        stills.append(
            {
                **span(still.t0_s, still.t1_s),
                "label": still.label,
                "applied": still.applied,
                "position": still.position,
                "legal": still.legal,
                "displaced": still.displaced,
                "covered": covered,
                "dice": [
                    {
                        "id": die.number,
                        "owner": die.owner,
                        "colour": film.look.styles[die.owner].colour,
                        "face": die.face,
                        "place": place_to_json(mat.place_of(die.xy)),
                        "xy_mm": [round(v, 2) for v in die.xy],
                        "box": None if box is None else [round(v, 1) for v in box],
                        "visible": round(shown, 3),
                        "hidden": box is None or shown < HIDDEN,
                    }
                    for die, box, shown in dice
                ],
            }
        )
    players = [{"seat": seat, "colour": colour} for seat, colour in enumerate(colours)]
    timed = []
    for event in sorted(events, key=lambda each: each["t0_s"]):
        rest = {key: value for key, value in event.items() if key not in ("t0_s", "t1_s")}
        timed.append({**span(event["t0_s"], event["t1_s"]), "p": 1.0, **rest})
    return {
        "video": video,
        "codec": codec,
        "fps": fps,
        "size": list(film.size),
        "frames": script.frames,
        "duration_s": round(script.frames / fps, 3),
        "mat": {
            "layout": mat.layout.name,
            "markers": bool(mat.layout.markers),
            "cell_mm": list(mat.layout.cell_mm),
            "dice_mm": film.look.edge_mm,
        },
        "players": players,
        "neutral": film.look.styles[NEUTRAL].colour if NEUTRAL in film.look.styles else None,
        "cameras": _cameras(script, film),
        "camera_moves": [span(move.t0_s, move.t1_s) for move in script.camera_moves],
        "light": [
            {**span(change.t0_s, change.t1_s), "kind": change.kind, "gain": list(change.gain)}
            for change in script.light
        ],
        "motions": [
            {
                **span(act.t0_s, act.t0_s + act.duration_s),
                "label": act.label,
                "player": colours[act.seat],
                "body": act.body,
                "dice": sorted({move.number for move in act.moves}),
            }
            for act in script.acts
        ],
        "covers": film.seen.covers,
        "stills": stills,
        "events": timed,
        "record": record,
    }


def _cameras(script: Script, film: Film) -> list[dict[str, Any]]:
    """Where the camera stands from when to when, and where it sees the mat's corners."""
    starts = [0.0, *(move.t1_s for move in script.camera_moves)]
    ends = [*(move.t0_s for move in script.camera_moves), script.duration_s]
    found = []
    for camera, t0, t1 in zip(film.cameras, starts, ends, strict=True):
        stage = Stage(film.look, camera, film.size) if camera != film.stage.camera else film.stage
        to_px, view = stage.to_px(), stage.view
        corners = np.array(film.look.mat.layout.corners, np.float64)
        seen = cv2.perspectiveTransform(corners[None], to_px)[0]
        found.append(
            {
                "t0_s": round(t0, 3),
                "t1_s": round(t1, 3),
                "mat_to_px": to_px.tolist(),
                "corners": np.round(seen, 2).tolist(),
                "focal_px": view.focal,
                "centre_px": [view.centre[0] - 0.5, view.centre[1] - 0.5],
                "position_mm": view.position.tolist(),
                "turn": view.turn.tolist(),
                "tilt_deg": round(math.degrees(camera.tilt), 2),
                "distance_mm": camera.distance_mm,
            }
        )
    return found
