"""`lawn read` on a mat: places, corners given by hand, and the grid in the drawing, with the shipped reader."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

import lawn
from datasets.mat_tables import MatShot, MatTable, draw_shot, write_mat_table
from vision.located import place_shown
from vision.markers import find_markers


@pytest.fixture(scope="module")
def table() -> MatTable:
    return draw_shot(MatShot(elevation=62, turn=15, dice=12, seed=21))


@pytest.fixture
def photo(table: MatTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    write_mat_table(table, tmp_path, "table")
    return "images/table.jpg"


def run(*words: str) -> Result:
    return CliRunner().invoke(lawn.main, ["read", *words])


def test_read_tells_the_mat_and_the_place_of_every_die(table: MatTable, photo: str) -> None:
    reading = json.loads(run("--json", "--draw", "drawn", photo).stdout)
    assert set(reading["mat"]) == {"found", "by", "corners", "error_mm"}
    assert (reading["mat"]["found"], reading["mat"]["by"]) == (True, "markers")
    assert np.array(reading["mat"]["corners"]) == pytest.approx(table.corners, abs=1.0)
    assert 0 < reading["mat"]["error_mm"] < 2
    middles = np.array([np.add(die["box"][:2], die["box"][2:]) / 2 for die in reading["dice"]])
    for die in table.dice:
        middle = np.add(die.box[:2], die.box[2:]) / 2
        off = np.linalg.norm(middles - middle, axis=1)
        assert off.min() < 8
        if table.layout.place_of(die.xy_mm)[1] >= 3.0:
            assert reading["dice"][int(off.argmin())]["place"] == place_shown(die.place)
    drawing = cv2.imread("drawn/table-read.jpg")
    changed = np.abs(drawing.astype(int) - table.image).max(-1) > 60
    outline = cv2.polylines(
        np.zeros((720, 1280), np.uint8), [table.corners.astype(np.int32)], True, 1, 2
    )
    assert changed[outline > 0].mean() > 0.5


@pytest.mark.usefixtures("photo")
def test_corners_by_hand_do_without_markers(table: MatTable) -> None:
    bare = table.image.copy()
    for marker in find_markers(bare).values():
        cv2.fillConvexPoly(bare, marker.astype(np.int32), (128, 128, 128))
    cv2.imwrite("bare.png", bare)
    corners = " ".join(f"{x:.0f},{y:.0f}" for x, y in table.corners)
    reading = json.loads(run("--json", "--corners", corners, "bare.png").stdout)
    assert reading["mat"]["by"] == "corners"
    on_lawn = {
        (die["place"]["row"], die["place"]["side"])
        for die in reading["dice"]
        if "row" in die["place"]
    }
    clear = {(d.place.row, d.place.side) for d in table.dice
             if hasattr(d.place, "row") and table.layout.place_of(d.xy_mm)[1] >= 4}  # fmt: skip
    assert clear <= on_lawn
    alone = json.loads(run("--json", "bare.png").stdout)
    assert alone["mat"]["by"] == "print"
    assert np.array(alone["mat"]["corners"]) == pytest.approx(table.corners, abs=2.0)


@pytest.mark.usefixtures("photo")
def test_without_a_mat_no_die_has_a_place(table: MatTable) -> None:
    bare = np.full_like(table.image, 150)
    for die in table.dice:
        x0, y0, x1, y1 = (round(edge) for edge in die.box)
        bare[y0:y1, x0:x1] = table.image[y0:y1, x0:x1]
    cv2.imwrite("bare.png", bare)
    reading = json.loads(run("--json", "bare.png").stdout)
    assert reading["mat"] == {"found": False, "by": None, "corners": None, "error_mm": None}
    assert reading["dice"]
    assert all(die["place"] is None for die in reading["dice"])


def test_bad_corners_are_refused_with_the_photo_s_name(photo: str) -> None:
    for corners, says in (
        ("1,2 3,4", "The lawn has four corners, not 2"),
        ("0,0 9999,0 5,5 0,5", "The corner 9999,0 is outside the picture, which is 1280 x 720 px."),
        ("10,10 50,50 50,10 10,50", "The corners cross"),
    ):
        result = run("--corners", corners, photo)
        assert result.exit_code == 2
        assert result.stderr.startswith(f"Error: {photo}: {says}")
        assert len(result.stderr.splitlines()) == 1
