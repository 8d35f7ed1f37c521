"""A session: frames or views in, a journal out; the same object live, in review, and tomorrow."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.errors import CorrectionError, JournalError
from engine.game_desk import Desk
from engine.game_keeper import AGREED_VIEWS
from engine.game_log import replayed
from engine.journal import Journal
from engine.table import TableView
from engine.verdict import Happened, Verdict
from tests.engine.exact_referee import ExactReferee
from tests.engine.journals import STARTED, ticking
from tests.engine.sittings import ByExactReferee, Sitting
from vision.frames import Frame, SourceStatus
from vision.mat import FoundMat
from vision.moments import WIDTH, moment_jpeg
from vision.session import AGAIN_S, LOST_S, Session

FPS = 10.0


class ScriptedEyes:
    """Eyes that see a new view in the frames where the script says so."""

    def __init__(self, script: dict[int, TableView]) -> None:
        self.script = script
        self.mat: FoundMat | None = None
        self.seen: TableView | None = None
        self.frame = -1
        self.asked = 0
        self.lost_times = 0

    def see(self, _: np.ndarray, time_s: float) -> TableView | None:
        self.frame = round(time_s * FPS)
        view = self.script.get(self.frame)
        self.seen = view or self.seen
        return view

    def current(self) -> TableView | None:
        self.asked += 1
        return None if self.seen is None else replace(self.seen, time_s=self.frame / FPS)

    def lost(self) -> None:
        self.lost_times += 1


def frames(count: int, start: int = 0) -> Iterator[Frame]:
    image = np.full((90, 160, 3), 80, np.uint8)
    for number in range(start, start + count):
        yield Frame(image, number / FPS, number, "test")


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Sitting]:
    """A table with dice, whose own journal is not used."""
    made = Sitting(tmp_path / "aside.match")
    yield made
    made.close()


def begun(path: Path, eyes: ScriptedEyes | None = None) -> Session:
    session = Session.begin(
        path / "a.match", STARTED, clock=ticking(), eyes=eyes, referee=ExactReferee.start
    )
    session.desk = Desk(session.keeper, ByExactReferee())
    return session


def resumed(path: Path, eyes: ScriptedEyes | None = None) -> Session:
    session = Session.resume(
        path / "a.match", clock=ticking(), eyes=eyes, referee=ExactReferee.start
    )
    session.desk = Desk(session.keeper, ByExactReferee())
    return session


def views(table: Sitting, count: int) -> list[TableView]:
    made = []
    for _ in range(count):
        table.play()
        made.append(table.view())
    return made


def test_fed_frame_by_frame_it_keeps_the_match_with_a_picture_of_every_turn(
    tmp_path: Path, table: Sitting
) -> None:
    script = {10 * (number + 1): view for number, view in enumerate(views(table, 6))}
    told: list[tuple[Verdict, ...]] = []
    with begun(tmp_path, ScriptedEyes(script)) as session:
        session.add_listener(told.append)
        for frame in frames(80):
            session.see_frame(frame)
        assert session.log.game.match.position == table.real.position
        state = session.state().to_json()
        assert json.loads(json.dumps(state)) == state
        for turn in state["turns"]:
            jpeg = session.picture(turn["picture"])
            shown = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
            assert shown is not None
            assert shown.shape[1] <= WIDTH
        # the picture before a turn is the one after the turn before
        assert [turn["picture_before"] for turn in state["turns"][1:]] == [
            turn["picture"] for turn in state["turns"][:-1]
        ]
        assert state["line"] == table.real.position.to_string()
        assert [player["name"] for player in state["match"]["players"]] == ["Anna", "Ben"]
    assert sum(isinstance(verdict, Happened) for news in told for verdict in news) == 6


def test_the_same_views_give_the_same_log_live_and_in_review(
    tmp_path: Path, table: Sitting
) -> None:
    seen = views(table, 5)
    (tmp_path / "live").mkdir()
    (tmp_path / "review").mkdir()
    eyes = ScriptedEyes({10 * (number + 1): view for number, view in enumerate(seen)})
    with begun(tmp_path / "live") as live, begun(tmp_path / "review", eyes) as review:
        for view in seen:
            live.see_view(view)
        for frame in frames(70):
            review.see_frame(frame)
        assert live.log.game.match == review.log.game.match


def test_a_table_at_rest_is_shown_to_the_referee_again_until_nothing_is_open(
    tmp_path: Path, table: Sitting
) -> None:
    eyes = ScriptedEyes({5: views(table, 1)[0]})
    with begun(tmp_path, eyes) as session:
        for frame in frames(round(AGAIN_S[-1] * FPS) + 10):
            session.see_frame(frame)
        assert eyes.asked == len(AGAIN_S)
        for frame in frames(50, start=round(AGAIN_S[-1] * FPS) + 10):
            session.see_frame(frame)
        assert eyes.asked == len(AGAIN_S)  # then seldom


def test_a_gap_in_the_frames_and_a_lost_camera_make_everything_unknown(
    tmp_path: Path, table: Sitting
) -> None:
    eyes = ScriptedEyes({5: views(table, 1)[0]})
    with begun(tmp_path, eyes) as session:
        for frame in frames(10):
            session.see_frame(frame)
        for frame in frames(2, start=10 + round((LOST_S + 1) * FPS)):
            session.see_frame(frame)
        assert eyes.lost_times == 1
        session.camera_status(SourceStatus("lost", "Camera 0 is gone."))
        session.camera_status(SourceStatus("lost", "Camera 0 is gone."))  # said once
        assert eyes.lost_times == 2
        assert [remark.text for remark in session.log.remarks] == ["Camera 0 is gone."]


def test_a_moved_camera_is_noted_once(tmp_path: Path, table: Sitting) -> None:
    first, second = views(table, 2)
    with begun(tmp_path) as session:
        session.see_view(first)
        session.see_view(replace(second, camera="re-found"))
        session.see_view(second)
        assert [remark.text for remark in session.log.remarks] == [
            "The camera was moved, and the mat found again."
        ]


def test_tomorrow_everything_is_as_it_was(tmp_path: Path, table: Sitting) -> None:
    with begun(tmp_path) as session:
        for view in views(table, 5):
            session.see_view(view)
        wrong = table.view()
        wrong = replace(wrong, dice=wrong.dice[1:])
        session.see_view(wrong)
        session.note("to be continued")
        session.pause()
        before = session.state().to_json()
    with resumed(tmp_path) as session:
        after = session.state().to_json()
        assert not after["paused"]
        for name in ("match", "position", "turns", "question", "misfits", "undo", "redo", "line"):
            assert after[name] == before[name], name
        assert after["question"] is not None
        session.see_view(wrong)
        assert session.state().to_json()["question"] == after["question"]
        for _ in range(AGREED_VIEWS):
            session.see_view(table.view())
        assert session.state().to_json()["question"] is None
        table.play()
        session.see_view(table.view())
        assert session.log.game.match.position == table.real.position


def test_what_is_seen_in_a_break_is_nobodys_turn(tmp_path: Path, table: Sitting) -> None:
    eyes = ScriptedEyes({})
    with begun(tmp_path, eyes) as session:
        seen = views(table, 4)
        for view in seen[:3]:
            session.see_view(view)
        session.pause()
        session.see_view(replace(seen[3], dice=()))
        assert session.state().to_json()["question"] is None
        session.go_on()
        assert eyes.lost_times == 1
        session.see_view(seen[3])
        assert session.log.game.match.position == table.real.position


def test_corrections_change_the_state_and_tell_every_page(tmp_path: Path, table: Sitting) -> None:
    with begun(tmp_path) as session:
        for view in views(table, 5):
            session.see_view(view)
        told: list[tuple[Verdict, ...]] = []
        session.add_listener(told.append)
        before = session.state()
        session.undo()
        after = session.wait_other(before.version, 1.0)
        assert after is not None
        assert after.to_json()["taken_back"]
        assert len(after.to_json()["turns"]) == len(before.to_json()["turns"]) - 1
        session.redo()
        assert session.state().to_json()["turns"] == before.to_json()["turns"]
        assert len(told) == 2
        version = session.state().version
        with pytest.raises(CorrectionError):
            session.redo()
        assert session.state().version == version
        assert session.wait_other(version, 0.01) is None


def test_a_listener_that_fails_does_not_stop_the_match(tmp_path: Path, table: Sitting) -> None:
    def fails(_: tuple[Verdict, ...]) -> None:
        raise RuntimeError("a page fell over")

    with begun(tmp_path) as session:
        session.add_listener(fails)
        for view in views(table, 3):
            session.see_view(view)
        assert session.log.game.match.position == table.real.position


def test_a_full_disk_is_said_on_the_page_and_gone_when_there_is_room(
    tmp_path: Path, table: Sitting
) -> None:
    image = np.random.default_rng(1).integers(0, 255, (240, 320, 3), np.uint8)
    with begun(tmp_path) as session:
        first, second = views(table, 2)
        session.see_view(first)
        db = session.keeper.journal._db
        pages = db.execute("PRAGMA page_count").fetchone()[0]
        db.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(JournalError):
            session.see_view(second, image)
        assert "the disk is full" in session.state().to_json()["problem"]
        db.execute(f"PRAGMA max_page_count = {pages + 1000}")
        session.see_view(second, image)
        assert session.state().to_json()["problem"] == ""
        assert session.log.game.match.position == table.real.position


def test_what_a_session_wrote_is_replayed_to_the_same_state(tmp_path: Path, table: Sitting) -> None:
    with begun(tmp_path) as session:
        for view in views(table, 6):
            session.see_view(view)
        session.undo()
        session.redo()
        log = session.log
    with Journal.look(tmp_path / "a.match") as journal:
        assert replayed(journal.events()) == log


def test_a_match_cannot_be_begun_twice_in_a_file_and_the_file_is_let_go(tmp_path: Path) -> None:
    begun(tmp_path).close()
    with pytest.raises(CorrectionError, match="resume"):
        begun(tmp_path)
    resumed(tmp_path).close()


# --- pictures -----------------------------------------------------------------------------


def test_the_small_picture_shows_the_table_alone(table: Sitting) -> None:
    image = np.zeros((720, 1280, 3), np.uint8)
    image[200:500, 400:1100] = 255
    (view,) = views(table, 1)
    boxed = tuple(
        replace(die, box=(410.0 + 20 * at, 210.0, 426.0 + 20 * at, 480.0))
        for at, die in enumerate(view.dice)
    )
    jpeg = moment_jpeg(image, None, boxed)
    shown = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None
    height, width = shown.shape[:2]
    assert width == WIDTH
    assert height < 280
    assert shown.mean() > 150  # most of it is the table
    whole = cv2.imdecode(np.frombuffer(moment_jpeg(image, None, ()), np.uint8), cv2.IMREAD_COLOR)
    assert whole is not None
    assert whole.shape[:2] == (180, 320)


def test_a_picture_smaller_than_that_is_not_blown_up() -> None:
    jpeg = moment_jpeg(np.zeros((60, 80, 3), np.uint8), None, ())
    shown = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None
    assert shown.shape == (60, 80, 3)
