"""The live table: reads what is new, says what goes wrong, and never stops for it."""

from __future__ import annotations

import json
import threading
import time
from typing import Any

import cv2
import numpy as np
import pytest

from engine.errors import DiceError
from tests.webui.tables import FedSource, ToldReader, big_rolls, die, picture, reading, until
from vision.reading import Reading
from webui.live import KEPT_PICTURES, PICTURE_WIDTH, LiveTable, TableState

ROLLS = {"red": (1, 2, 3, 4, 5, 6, 6, 6), "blue": (1, 1, 2, 2, 3, 4, 5, 3)}


def state_when(table: LiveTable, **wanted: Any) -> TableState:
    """The first state in which these entries have these values."""
    assert until(lambda: all(table.state.data[k] == v for k, v in wanted.items())), table.state.data
    return table.state


def read_after(table: LiveTable, source: FedSource, value: int = 120) -> TableState:
    """The state after one more picture was looked at."""
    before = table.state.data["picture"]
    source.feed(picture(value))
    assert until(lambda: table.state.data["picture"] != before)
    return table.state


def test_before_the_first_picture_nothing_is_claimed(table: LiveTable) -> None:
    data = table.state.data
    assert (data["current"], data["picture"], data["reading"]) == (False, None, None)
    assert data["source"] == {
        "name": "camera 0",
        "kind": "camera",
        "live": True,
        "state": "live",
        "says": "Camera 0 is live.",
    }


def test_a_picture_is_read_scored_and_published_with_its_jpeg(
    table: LiveTable, source: FedSource, reader: ToldReader
) -> None:
    reader.answer = big_rolls(ROLLS)
    state = read_after(table, source)
    data = state.data
    assert data["current"] is True
    assert data["problem"] is None
    assert len(data["reading"]["dice"]) == 16
    # rule 3: 33 + straight 21; 21 and nothing qualifies
    totals = {group["colour"]: group["total"] for group in data["score"]["colours"]}
    assert totals == {"red": 54, "blue": 21}
    assert data["order"] == ["Red starts with 54, then blue with 21."]
    assert data["picture"]["url"] == f"/api/v1/picture/{data['picture']['version']}.jpg"
    jpeg = table.picture(data["picture"]["version"])
    assert jpeg is not None
    shown = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None
    assert shown.shape == (360, 640, 3)
    assert abs(float(shown.mean()) - 120) < 3
    assert {name: json.loads(part) for name, part in state.parts.items()} == data


def test_the_same_picture_is_read_only_once(
    table: LiveTable, source: FedSource, reader: ToldReader
) -> None:
    version = read_after(table, source).version
    time.sleep(0.6)
    assert reader.asked == 1
    assert table.state.version == version


def test_every_change_has_a_higher_version(table: LiveTable, source: FedSource) -> None:
    versions = [table.state.version, read_after(table, source, 1).version]
    source.state = "lost"
    versions.append(state_when(table, current=False).version)
    versions.append(read_after(table, source, 2).version)
    assert versions == sorted(set(versions))


def test_versions_of_a_later_run_are_higher(source: FedSource, reader: ToldReader) -> None:
    # Else a browser that was open meanwhile could show the earlier run's picture.
    first = LiveTable(source, reader).state.version
    time.sleep(0.01)
    assert LiveTable(source, reader).state.version > first


def test_a_lost_camera_takes_currency_from_the_last_reading(
    table: LiveTable, source: FedSource, reader: ToldReader
) -> None:
    reader.answer = big_rolls(ROLLS)
    before = read_after(table, source).data
    source.state = "lost"
    lost = state_when(table, current=False).data
    assert lost["source"]["state"] == "lost"
    assert "check its cable" in lost["source"]["says"]
    assert lost["picture"] == before["picture"], "the last picture stays"


def test_only_a_new_reading_makes_it_current_again(
    table: LiveTable, source: FedSource, reader: ToldReader
) -> None:
    read_after(table, source)
    source.state = "lost"
    state_when(table, current=False)
    source.state = "live"  # the source is back, but no picture of it was read yet
    assert until(lambda: table.state.data["source"]["state"] == "live")
    assert table.state.data["current"] is False
    reader.answer = big_rolls(ROLLS)
    assert read_after(table, source).data["current"] is True


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (DiceError("The dice overlap; spread them."), "The dice overlap; spread them."),
        (RuntimeError("tensor (3, 4)\nis odd"), "a fault in the program (RuntimeError)"),
        (MemoryError(), "a fault in the program (MemoryError)"),
    ],
)
def test_a_picture_that_cannot_be_read_says_why_and_the_next_one_is_read(
    table: LiveTable, source: FedSource, reader: ToldReader, error: Exception, says: str
) -> None:
    reader.answer = error
    data = read_after(table, source, 50).data
    assert says in data["problem"]
    assert "\n" not in data["problem"]
    assert (data["current"], data["reading"], data["score"]) == (False, None, None)
    assert table.picture(data["picture"]["version"]) is not None, (
        "the picture is shown all the same"
    )
    reader.answer = big_rolls(ROLLS)
    data = read_after(table, source, 60).data
    assert (data["current"], data["problem"]) == (True, None)


def test_a_source_that_raises_does_not_end_the_table(
    source: FedSource, reader: ToldReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webui.live.STUMBLE_S", 0.01)
    calls: list[int] = []
    wait_newer = source.wait_newer

    def once_broken(index: int, timeout_s: float) -> Any:
        calls.append(index)
        if len(calls) == 1:
            raise OSError("the driver is gone")
        return wait_newer(index, timeout_s)

    monkeypatch.setattr(source, "wait_newer", once_broken)
    with LiveTable(source, reader) as table:
        assert read_after(table, source).data["current"] is True


def test_the_reading_is_of_the_whole_picture_and_the_shown_one_is_smaller(
    table: LiveTable, source: FedSource, reader: ToldReader
) -> None:
    reader.answer = reading([die(3, "red")], 4000, 3000)
    source.feed(picture(90, 4000, 3000))
    data = state_when(table, current=True).data
    assert (data["picture"]["width"], data["picture"]["height"]) == (4000, 3000)
    jpeg = table.picture(data["picture"]["version"])
    assert jpeg is not None
    shown = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None
    assert shown.shape[:2] == (1200, PICTURE_WIDTH)


def test_only_the_last_pictures_are_kept(table: LiveTable, source: FedSource) -> None:
    versions = [
        read_after(table, source, value).data["picture"]["version"]
        for value in range(KEPT_PICTURES + 3)
    ]
    kept = [version for version in versions if table.picture(version) is not None]
    assert kept == versions[-KEPT_PICTURES:]


def test_a_slow_reader_skips_pictures_instead_of_falling_behind(source: FedSource) -> None:
    go = threading.Event()

    class Slow(ToldReader):
        def read(self, image: Any, name: str) -> Reading:
            go.wait(5)
            return super().read(image, name)

    reader = Slow()
    with LiveTable(source, reader, first_version=0) as table:
        source.feed(picture(10))
        assert until(lambda: table._thread.is_alive() and source.newest() is not None)
        time.sleep(0.1)  # the reader has the first picture in hand
        for value in range(20, 60, 10):
            source.feed(picture(value))
        go.set()
        assert until(lambda: (table.state.data["picture"] or {}).get("time_s") == 4.0)
        assert reader.asked == 2


def test_waiting_returns_at_once_for_what_is_new_and_in_time_for_what_is_not(
    table: LiveTable, source: FedSource
) -> None:
    state = read_after(table, source)
    assert table.wait_other(-1, 5) is state
    began = time.monotonic()
    assert table.wait_other(state.version, 0.1) is None
    assert 0.09 <= time.monotonic() - began < 2


def test_stopping_wakes_everyone_who_waits(table: LiveTable, source: FedSource) -> None:
    version = read_after(table, source).version
    woken = threading.Event()

    def wait() -> None:
        table.wait_other(version, 60)
        woken.set()

    threading.Thread(target=wait, daemon=True).start()
    table.stop()
    assert woken.wait(2)
    assert table.stopped


def test_what_is_unsure_of_a_die_is_told(
    table: LiveTable, source: FedSource, reader: ToldReader
) -> None:
    reader.answer = reading([die(3, "red"), die(4, "red", unsure=True), die(None, "blue")])
    assert read_after(table, source).data["doubts"] == [[], ["face"], ["face"]]
