"""From a video to a match log: the whole path, from pixels, on made clips with their truth."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from engine.game_log import GameLog, replayed
from engine.game_steps import Started
from engine.journal import Journal
from engine.match import Match
from engine.record import Record
from engine.verdict import Infringement, Verdict
from tests.engine.journals import ticking
from vision.mat_keeper import MatKeeper
from vision.moments import WIDTH
from vision.owners import players
from vision.session import Session
from vision.sources import open_source
from vision.view import Viewer

CLIPS = Path(__file__).parent.parent / "fixtures" / "clips"


@dataclass
class Reviewed:
    """What a session made of a clip."""

    truth: dict[str, Any]
    record: Match
    log: GameLog
    journal: Path
    told: list[tuple[float, Verdict]] = field(default_factory=list)


def reviewed(name: str, folder: Path) -> Reviewed:
    """Follow a clip from its first frame to its last."""
    truth = json.loads((CLIPS / f"{name}.json").read_text(encoding="utf-8"))
    record = Record.from_string(truth["record"]).match
    colours = tuple(player["colour"] for player in truth["players"])
    before = record.log[: truth["stills"][0]["applied"]]
    eyes = Viewer(mats=MatKeeper(), owners=players(colours))
    path = folder / f"{name}.match"
    told: list[tuple[float, Verdict]] = []
    started = Started(colours, (), record.options, record.threshold)
    with (
        Session.begin(path, started, before, clock=ticking(), eyes=eyes) as session,
        open_source(str(CLIPS / f"{name}.mp4")) as source,
    ):
        for frame in source:
            told += [(frame.time_s, verdict) for verdict in session.see_frame(frame)]
        return Reviewed(truth, record, session.log, path, told)


@pytest.fixture(scope="module")
def pushes(tmp_path_factory: pytest.TempPathFactory) -> Reviewed:
    return reviewed("pushes", tmp_path_factory.mktemp("pushes"))


@pytest.mark.slow
def test_whatever_is_logged_of_a_clip_has_happened_and_nobody_is_accused(
    pushes: Reviewed,
) -> None:
    match = pushes.log.game.match
    assert match.log == pushes.record.log[: match.length]
    assert match.length > pushes.truth["stills"][0]["applied"]  # at least the first push
    assert not [verdict for _, verdict in pushes.told if isinstance(verdict, Infringement)]
    assert not pushes.log.game.misfits


@pytest.mark.slow
def test_the_journal_of_a_clip_has_a_small_picture_of_every_turn(pushes: Reviewed) -> None:
    with Journal.look(pushes.journal) as journal:
        assert replayed(journal.events()) == pushes.log
        seen = [turn for turn in pushes.log.game.turns if turn.source == "camera"]
        assert seen
        for turn in seen:
            assert turn.picture is not None
            shown = cv2.imdecode(np.frombuffer(journal.picture(turn.picture), np.uint8), 1)
            assert shown is not None
            assert shown.shape[1] <= WIDTH
