"""The live table with eyes that watch: what it says of hands, motion, the mat and the camera."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.table import LawnPlace, place_to_json
from tests.webui.companions import client_of
from tests.webui.tables import FedSource, ToldEyes, big_rolls, picture, seen, until
from tests.webui.test_live import read_after, state_when
from vision.kept_corners import CornersStore
from webui.live import LiveTable

READING = big_rolls({"red": (1, 2, 3, 4, 5, 6, 6, 6)})
MAT: dict[str, Any] = {
    "found": True,
    "by": "corners",
    "corners": [[100.0, 60.0], [400.0, 70.0], [420.0, 300.0], [90.0, 310.0]],
    "error_mm": 1.0,
}
HAND = np.array([[639, 300], [400, 200], [380, 260], [600, 359]], np.float32)
MOVING = seen(
    READING,
    current=False,
    untouched=(False,) * 2 + (True,) * 6,
    mat=MAT,
    hidden=(HAND,),
    hidden_places=(place_to_json(LawnPlace(4, "right")),),
    lying="moving",
    says="A hand is over the table.",
)


@pytest.fixture
def eyes() -> ToldEyes:
    return ToldEyes(seen(READING))


@pytest.fixture
def table(source: FedSource, eyes: ToldEyes) -> Iterator[LiveTable]:
    with LiveTable(source, eyes, first_version=0) as live:
        yield live
        source.close()


def test_a_still_table_is_current_and_says_of_which_picture_the_reading_is(
    table: LiveTable, source: FedSource
) -> None:
    data = read_after(table, source).data
    assert data["current"] is True
    assert data["table"] == {"state": "still", "says": "Still."}
    assert data["camera"] == {"state": "steady", "at": None, "says": ""}
    assert data["mat"]["found"] is False
    assert data["hidden"] == {"outlines": [], "places": []}
    shown = data["picture"]
    assert data["reading_of"] == {key: shown[key] for key in ("version", "time_s", "seen_at")}
    assert data["untouched"] == [True] * 8


def test_while_something_moves_the_reading_stays_that_of_its_own_picture(
    table: LiveTable, source: FedSource, eyes: ToldEyes
) -> None:
    before = read_after(table, source).data
    eyes.answer = MOVING
    data = read_after(table, source).data
    assert data["current"] is False
    assert data["table"] == {"state": "moving", "says": "A hand is over the table."}
    assert data["picture"]["version"] > before["picture"]["version"]
    assert data["reading_of"] == before["reading_of"]
    assert data["score"] == before["score"]
    assert data["untouched"] == [False, False, *[True] * 6]
    assert data["mat"] == MAT
    assert data["hidden"] == {
        "outlines": [HAND.tolist()],
        "places": [{"row": 4, "side": "right"}],
    }
    assert {name: json.loads(part) for name, part in table.state.parts.items()} == data


def test_a_lost_camera_is_told_to_the_eyes_once_and_nothing_is_said_of_the_table(
    table: LiveTable, source: FedSource, eyes: ToldEyes
) -> None:
    read_after(table, source)
    source.state = "lost"
    data = state_when(table, current=False).data
    assert (data["table"], data["source"]["state"]) == (None, "lost")
    time.sleep(0.5)
    assert eyes.losses == 1
    source.state = "live"
    assert read_after(table, source).data["table"] is not None
    source.state = "lost"
    assert until(lambda: eyes.losses == 2)


def test_after_a_fault_an_old_reading_keeps_its_own_time(
    table: LiveTable, source: FedSource, eyes: ToldEyes
) -> None:
    before = read_after(table, source).data
    eyes.answer = RuntimeError("odd")
    data = read_after(table, source).data
    assert "fault in the program" in data["problem"]
    assert (data["current"], data["reading"], data["reading_of"]) == (False, None, None)
    assert (data["table"], data["score"], eyes.losses) == (None, None, 1)
    eyes.answer = MOVING
    data = read_after(table, source).data
    assert data["problem"] is None
    assert data["reading_of"] == before["reading_of"]


def test_a_bumped_camera_is_said_for_a_while(
    table: LiveTable, source: FedSource, eyes: ToldEyes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webui.live.BUMPED_S", 1.0)
    eyes.answer = seen(READING, bumped=True, mat=MAT)
    data = read_after(table, source).data
    assert data["camera"]["state"] == "re-found"
    assert data["camera"]["says"].startswith("The camera was moved; the mat is found again")
    assert abs(data["camera"]["at"] - time.time()) < 5
    at = data["camera"]["at"]
    assert until(lambda: table.state.data["camera"] == {"state": "steady", "at": at, "says": ""})


def test_pictures_without_news_are_shown_now_and_then_and_the_last_one_always(
    table: LiveTable, source: FedSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webui.live.SHOW_S", 60.0)
    first = read_after(table, source).data
    for value in range(60, 80):
        source.feed(picture(value))
        time.sleep(0.01)
    # Nothing is new, so the last one is shown once no more come, and of those before hardly any.
    assert until(lambda: table.state.data["picture"]["time_s"] == 20.0)
    assert table.state.version <= first["version"] + 5
    assert table.state.data["reading_of"] == first["reading_of"]


def test_what_is_new_is_shown_at_once(
    table: LiveTable, source: FedSource, eyes: ToldEyes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webui.live.SHOW_S", 60.0)
    monkeypatch.setattr("webui.live.LOOK_S", 60.0)
    read_after(table, source)
    eyes.answer = MOVING
    assert read_after(table, source).data["table"]["state"] == "moving"


def test_notices_about_the_table_come_before_those_of_the_reading(
    table: LiveTable, source: FedSource, eyes: ToldEyes
) -> None:
    read = big_rolls({"red": (1,)})
    eyes.answer = seen(read, notices=("The mat is gone.",))
    assert read_after(table, source).data["notices"] == ["The mat is gone.", *read.notices]


def test_corners_that_are_kept_on_the_page_are_used_at_once(
    table: LiveTable, source: FedSource, eyes: ToldEyes, tmp_path: Path
) -> None:
    read_after(table, source)
    client = client_of(table, CornersStore(tmp_path))
    wrong = client.post("/corners", {"width": 640, "height": 360, "corners": []})
    assert (wrong.status_code, eyes.mat_looks) == (400, 0)
    sent = {"width": 640, "height": 360, "corners": MAT["corners"]}
    assert client.post("/corners", sent).status_code == 200
    assert eyes.mat_looks == 1
