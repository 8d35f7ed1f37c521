"""Mats of any make, without markers: read, watched, bumped, and asked for where no die tells which end is row 1."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from numpy.typing import NDArray

import lawn
from datasets.grids import GridTable, grid_table
from engine.actions import SIDES
from engine.table import LawnPlace, Place, TableView
from tests.vision.clip import Clip, Image
from vision.crop_reader import Box, DieNow, Window, cut_by
from vision.grid_finder import ASK_ROW_1, GridFinder, foot
from vision.mat import NOT_FOUND, FoundMat, mat_of_corners
from vision.mat_keeper import FEWEST_DICE, MatKeeper
from vision.owners import players
from vision.sources import open_source
from vision.view import BETTER_MAT_S, Viewer

CLIPS = Path(__file__).parent.parent / "fixtures" / "clips"


@pytest.fixture(scope="module")
def foreign() -> GridTable:
    """The neutral dice of two players and six others on a printed grid that is not ours."""
    return grid_table(501, "printed", 60.0, dice=6, neutral=True, bend=0.0)


Placed = list[tuple[int, str, int]]
"""Row, side and face of the dice on the lawn."""


def true_places(table: GridTable) -> Placed:
    """By the truth of how the table was drawn."""
    assert table.to_px is not None
    feet = np.array([[foot(box) for box, _ in table.dice]])
    mm = cv2.perspectiveTransform(feet, np.linalg.inv(table.to_px))[0]
    found = []
    for (x, y), (_, face) in zip(mm / table.cell_mm, table.dice, strict=True):
        if 0 <= x < 3 and 0 <= y < 6:
            found.append((int(y) + 1, SIDES[int(x)], face))
    return sorted(found)


def places(view: TableView) -> Placed:
    on_lawn = [(die.place, die.face) for die in view.dice if isinstance(die.place, LawnPlace)]
    return sorted((place.row, place.side, face) for place, face in on_lawn)


def found_by(viewer: Viewer) -> str | None:
    return None if viewer.mat is None else viewer.mat.by


def read_json(image: Image, folder: Path) -> dict[str, Any]:
    """What `lawn read --json` prints of a picture."""
    photo = folder / "table.png"
    cv2.imwrite(str(photo), image)
    result = CliRunner().invoke(lawn.main, ["read", "--json", str(photo)])
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.output)
    return found


class Told:
    """A reader that is told what lies there: boxes px and faces."""

    def __init__(self, dice: Sequence[tuple[Box, int]]) -> None:
        self.dice = list(dice)

    def whole(self, image: Image) -> list[DieNow]:  # noqa: ARG002
        return [_die_now(box, face) for box, face in self.dice]

    def part(self, image: Image, window: Window, die_px: float) -> list[DieNow]:
        assert die_px > 0
        return [die for die in self.whole(image) if not cut_by(die.box, window, image.shape)]

    def again(self, image: Image, dice: Sequence[DieNow]) -> list[DieNow]:  # noqa: ARG002
        return list(dice)


def _die_now(box: Box, face: int) -> DieNow:
    """A die read so; face 0: nobody knows which."""
    face_p = (
        (1 / 6,) * 6 if face == 0 else tuple(0.95 if each == face else 0.01 for each in range(1, 7))
    )
    return DieNow(box, 0.95, face_p, {"white": 0.9, "grey": 0.1})


def seen(viewer: Viewer, clip: Clip, image: Image, seconds: float) -> Iterator[TableView]:
    for frame, time_s in clip.frames(image, seconds):
        if view := viewer.see(frame, time_s):
            yield view


def test_lawn_read_places_every_die_on_a_mat_of_any_make(
    foreign: GridTable, tmp_path: Path
) -> None:
    reading = read_json(foreign.image, tmp_path)
    assert reading["mat"]["found"]
    assert reading["mat"]["by"] == "grid"
    assert len(reading["dice"]) == len(foreign.dice)
    on_lawn = [(die["place"], die["face"]) for die in reading["dice"] if "row" in die["place"]]
    assert sorted((at["row"], at["side"], face) for at, face in on_lawn) == true_places(foreign)
    assert ASK_ROW_1 not in reading["notices"]


def test_lawn_doctor_finds_a_mat_of_any_make(foreign: GridTable, tmp_path: Path) -> None:
    check = doctors_mat(foreign, tmp_path)
    assert check["mat"]["by"] == "grid"
    assert "by its lines" in check["says"]


def test_lawn_doctor_asks_which_end_is_row_1_where_no_die_tells(
    endless: GridTable, tmp_path: Path
) -> None:
    assert doctors_mat(endless, tmp_path)["says"] == ASK_ROW_1


def doctors_mat(table: GridTable, folder: Path) -> dict[str, Any]:
    """What `lawn doctor --json` says of the mat."""
    photo = folder / "table.png"
    cv2.imwrite(str(photo), table.image)
    result = CliRunner().invoke(lawn.main, ["doctor", "--json", str(photo)])
    checks = {check["check"]: check for check in json.loads(result.stdout)["checks"]}
    found: dict[str, Any] = checks["mat"]
    return found


@pytest.fixture(scope="module")
def endless() -> GridTable:
    """All dice lie beside the lawn, so that either end may be row 1."""
    table = grid_table(501, "printed", 60.0, dice=0, bend=0.0)
    assert true_places(table) == []
    assert len(table.dice) >= FEWEST_DICE
    return table


def test_a_grid_whose_end_no_die_tells_is_asked_for_and_not_guessed(
    endless: GridTable, tmp_path: Path
) -> None:
    reading = read_json(endless.image, tmp_path)
    assert reading["mat"] == NOT_FOUND
    assert reading["notices"] == [ASK_ROW_1]
    assert {json.dumps(die["place"]) for die in reading["dice"]} == {"null"}


def test_lawn_watch_asks_which_end_is_row_1_beside_its_output(
    endless: GridTable, tmp_path: Path
) -> None:
    photo = tmp_path / "table.png"
    cv2.imwrite(str(photo), endless.image)
    result = CliRunner().invoke(lawn.main, ["watch", "--json", str(photo)])
    assert result.exit_code == 0, result.output
    assert result.stderr.strip() == ASK_ROW_1
    (view,) = result.stdout.splitlines()
    assert json.loads(view)["dice"]


def test_watching_waits_for_dice_that_tell_the_end_without_another_search(
    foreign: GridTable,
) -> None:
    keeper = MatKeeper()
    doubtful = [_die_now(box, 0) for box, _ in foreign.dice]
    assert keeper.find_among(foreign.image, 0.0, doubtful) is None
    assert keeper.asks == ASK_ROW_1
    began = time.process_time()
    mat = keeper.find_among(foreign.image, 0.1, [_die_now(*each) for each in foreign.dice])
    assert time.process_time() - began < 0.2
    assert mat is not None
    assert foreign.corners is not None
    assert np.abs(mat.corners - foreign.corners).max() < 6
    assert keeper.asks == ""


def test_a_table_without_a_mat_is_searched_seldom_and_never_while_a_hand_moves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    searched: list[float] = []

    def search(*_: object) -> Iterator[None]:
        searched.append(now)
        yield

    monkeypatch.setattr(GridFinder, "search", search)
    keeper, dice = MatKeeper(), [_die_now((0, 0, 9, 9), 1)] * FEWEST_DICE
    bare = np.zeros((90, 160, 3), np.uint8)
    for now in (half / 2 for half in range(400)):
        keeper.find_among(bare, now, dice, moving=now < 1)
    assert searched == [1.0, 11.0, 31.0, 71.0, 151.0]
    now = 151.5
    keeper.look_anew()  # a person asks
    keeper.find_among(bare, now, dice[:-1])  # too few dice to tell anything
    keeper.find_among(bare, now, dice)
    assert searched[5:] == [151.5]


def test_after_a_bump_a_mat_without_markers_is_found_again_and_dice_keep_their_keys(
    foreign: GridTable,
) -> None:
    reader = Told(foreign.dice)
    viewer, clip = Viewer(reader, MatKeeper()), Clip(fps=15)
    *_, before = seen(viewer, clip, foreign.image, 0.8)
    assert found_by(viewer) == "grid"
    assert places(before) == true_places(foreign)

    turn = cv2.getRotationMatrix2D((640, 360), 4, 1)
    turn[:, 2] += (25, -15)
    bumped = cv2.warpAffine(foreign.image, turn, (1280, 720), borderMode=cv2.BORDER_REFLECT)
    reader.dice = [(_moved(box, turn), face) for box, face in foreign.dice]
    at_s = clip.time_s
    after = next(
        view for view in seen(viewer, clip, np.asarray(bumped), 1.5) if view.camera == "re-found"
    )
    assert after.time_s - at_s < 1.0
    assert found_by(viewer) == "features"
    assert places(after) == true_places(foreign)
    on_lawn = {die.key for die in before.dice if isinstance(die.place, LawnPlace)}
    assert on_lawn <= {die.key for die in after.dice}


def _moved(box: Box, turn: NDArray[np.float64]) -> Box:
    x, y = turn[:, :2] @ ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2) + turn[:, 2]
    w, h = (box[2] - box[0]) / 2, (box[3] - box[1]) / 2
    return (x - w, y - h, x + w, y + h)


def test_a_mat_taken_for_a_foreign_one_is_known_by_its_markers_later(foreign: GridTable) -> None:
    class Markers:
        """Sees the markers from the second look on."""

        looks = 0

        def find(self, image: Image, previous: FoundMat | None = None) -> FoundMat | None:  # noqa: ARG002
            self.looks += 1
            assert foreign.corners is not None
            found = mat_of_corners(foreign.corners, (1280, 720), by="markers")
            return found if self.looks > 1 else None

    markers = Markers()
    viewer, clip = Viewer(Told(foreign.dice), MatKeeper(markers)), Clip(fps=5)
    list(seen(viewer, clip, foreign.image, 2.0))
    assert found_by(viewer) == "grid"
    list(seen(viewer, clip, foreign.image, BETTER_MAT_S))
    assert found_by(viewer) == "markers"
    assert markers.looks == 2


@pytest.mark.slow
def test_three_players_on_a_mat_without_markers_are_seen_with_every_die_in_its_place() -> None:
    truth = json.loads((CLIPS / "grid.json").read_text(encoding="utf-8"))
    viewer = Viewer(
        mats=MatKeeper(), owners=players([player["colour"] for player in truth["players"]])
    )
    views: list[TableView] = []
    with open_source(str(CLIPS / "grid.mp4")) as source:
        for frame in source:
            if view := viewer.see(frame.image, frame.time_s):
                views.append(view)
                assert viewer.mat is not None
    for still in truth["stills"][:-1]:  # the last one goes on from the one before
        rested = [view for view in views if still["t0_s"] <= view.time_s <= still["t1_s"]]
        assert rested, still["label"]
        seen_there = [(place_name(die.place), die.owner, die.face) for die in rested[-1].dice]
        true = [(true_name(die["place"]), die["owner"], die["face"]) for die in still["dice"]]
        assert sorted(seen_there) == sorted(true), still["label"]


def place_name(place: Place) -> str:
    return str(place) if isinstance(place, LawnPlace) else "off"


def true_name(place: dict[str, Any]) -> str:
    return f"{place['row']} {place['side']}" if "row" in place else "off"
