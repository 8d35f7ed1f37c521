"""Watching a source: a view for every change, a lost camera said, nothing old as new."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator

import numpy as np
import pytest
from click.testing import CliRunner
from numpy.typing import NDArray

import lawn
from engine.table import TableView, view_from_json
from tests.vision.clip import Clip, KnownDice, in_place, table
from vision.frames import Frame, Kind, Source, SourceStatus
from vision.owners import players
from vision.view import Viewer
from vision.watching import Event, clock, event_text, watch

DICE = (in_place("red", 3, "left"), in_place("blue", 3, "center"))
BEFORE, AFTER = table(*DICE), table(*DICE, in_place("red", 5, "right"))


class Script(Source):
    """A source that plays given frames; None in between is a while without any."""

    kind: Kind = "video"

    def __init__(
        self, frames: list[Frame | None], live: bool = False, kind: Kind = "video"
    ) -> None:
        super().__init__("script")
        self.live = live
        self.kind = kind
        self.frames = frames
        self.state = SourceStatus("live", "Camera 0 is live.")

    def status(self) -> SourceStatus:
        return self.state

    def wait_newer(self, index: int, timeout_s: float) -> Frame | None:  # noqa: ARG002
        if not self.frames:
            self.state = SourceStatus("ended", "over")
            return None
        frame = self.frames.pop(0)
        lost = SourceStatus("lost", "Camera 0 gives no picture; check its cable.")
        self.state = lost if frame is None else SourceStatus("live", "Camera 0 is live.")
        return frame

    def __iter__(self) -> Iterator[Frame]:
        yield from (frame for frame in self.frames if frame is not None)

    def _play(self) -> None:
        return


def film(*parts: tuple[NDArray[np.uint8], float]) -> list[Frame | None]:
    clip = Clip(fps=15)
    shown = [pair for image, seconds in parts for pair in clip.frames(image, seconds)]
    return [Frame(image, at, index, "script") for index, (image, at) in enumerate(shown)]


def viewer() -> Viewer:
    return Viewer(KnownDice(BEFORE, AFTER), owners=players(["red", "blue"]))


def test_a_video_gives_a_view_for_every_change() -> None:
    events = list(watch(Script(film((BEFORE.image, 0.5), (AFTER.image, 0.5))), viewer()))
    assert [len(event.view.dice) for event in events if event.view] == [2, 3]


def test_photos_of_a_folder_are_each_a_table_of_its_own() -> None:
    frames = [Frame(BEFORE.image, 0.0, 0, "a"), Frame(BEFORE.image, 5.0, 1, "b")]
    events = list(watch(Script([*frames], kind="folder"), viewer()))
    assert len(events) == 2


def test_a_lost_camera_is_said_once_and_its_old_dice_never_again() -> None:
    frames = film((BEFORE.image, 0.5), (AFTER.image, 0.6))
    events = list(watch(Script([*frames[:8], None, None, None, *frames[8:]], live=True), viewer()))
    first, lost, back, second = events
    assert lost.to_json() == {
        "source": {"live": False, "says": "Camera 0 gives no picture; check its cable."}
    }
    assert (back.live, back.view) == (True, None)
    assert first.view is not None
    assert second.view is not None
    assert second.view.time_s > first.view.time_s + 0.2
    assert not {die.key for die in first.view.dice} & {die.key for die in second.view.dice}


def test_a_live_source_that_is_silent_blocks_nobody() -> None:
    script = Script([None] * 3, live=True)
    ended = threading.Thread(target=lambda: list(watch(script, viewer())))
    ended.start()
    ended.join(timeout=5)
    assert not ended.is_alive()


def test_a_view_is_a_line_for_every_die_with_what_to_do() -> None:
    (event,) = watch(Script([Frame(AFTER.image, 62.5, 0, "a")], kind="photo"), viewer())
    text = event_text(event, ("red", "blue"))
    assert text.splitlines()[0] == "1:02.50  3 dice"
    assert len(text.splitlines()) >= 4
    assert "red" in text
    assert "neutral" not in text


def test_an_event_without_a_view_is_its_sentence() -> None:
    assert event_text(Event(None, "Camera 0 is live.")) == "Camera 0 is live."
    assert clock(0) == "0:00.00"


def test_an_empty_table_and_what_is_covered_are_said() -> None:
    from engine.table import LawnPlace

    view = TableView(3.0, (), frozenset({LawnPlace(2, "left")}), camera="re-found")
    text = event_text(Event(view))
    assert "no dice" in text
    assert "Covered, so not known: 2 left." in text
    assert "bumped" in text


def test_the_command_prints_one_json_line_a_change() -> None:
    sample = str(lawn.Path(lawn.__file__).parent / "webui" / "samples" / "demo-table.jpg")
    done = CliRunner().invoke(
        lawn.main, ["watch", sample, "--json", "--players", "red,blue,yellow"]
    )
    assert done.exit_code == 0, done.output
    (line,) = done.output.splitlines()
    view = view_from_json(json.loads(line))
    assert len(view.dice) == 24
    owners = [die.owner for die in view.dice]
    assert {owner: owners.count(owner) for owner in (0, 1, 2)} == {0: 8, 1: 8, 2: 8}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["watch", "nowhere.mp4"], "nowhere.mp4: there is no such file"),
        (["watch", "0", "--players", "red"], "two or three different colours"),
        (["watch", "{sample}", "--corners", "1,1 2,2"], "four corners"),
    ],
)
def test_bad_input_gets_one_sentence(arguments: list[str], says: str) -> None:
    sample = str(lawn.Path(lawn.__file__).parent / "webui" / "samples" / "demo-table.jpg")
    done = CliRunner().invoke(lawn.main, [part.format(sample=sample) for part in arguments])
    assert done.exit_code == 2
    assert says in done.output
    assert "Traceback" not in done.output
