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
from engine.verdict import Infringement, Mended, Verdict
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
def cheat(tmp_path_factory: pytest.TempPathFactory) -> Reviewed:
    return reviewed("cheat", tmp_path_factory.mktemp("cheat"))


def as_recorded(seen: Reviewed) -> bool:
    """Whether the log says what the record says; which of two edges was rolled may be unseen."""
    match = seen.log.game.match
    return (match.position, match.length) == (seen.record.position, seen.record.length)


@pytest.mark.slow
def test_a_clip_with_an_infringement_a_bump_and_a_hand_becomes_its_record(cheat: Reviewed) -> None:
    assert as_recorded(cheat)
    assert cheat.log.question is None
    assert not cheat.log.game.misfits
    said = [(at, v) for at, v in cheat.told if isinstance(v, Infringement)]
    ((at, infringement),) = said
    (event,) = [each for each in cheat.truth["events"] if each["type"] == "infringement"]
    assert (infringement.kind, infringement.rule, infringement.player) == (
        event["kind"],
        event["rule"],
        event["player"],
    )
    assert event["t0_s"] < at < event["t1_s"]
    assert any(isinstance(verdict, Mended) for _, verdict in cheat.told)
    assert any("camera was moved" in remark.text for remark in cheat.log.remarks)


@pytest.mark.slow
def test_the_journal_of_a_clip_has_a_small_picture_of_every_turn(cheat: Reviewed) -> None:
    with Journal.look(cheat.journal) as journal:
        assert replayed(journal.events()) == cheat.log
        turns = cheat.log.game.turns
        assert turns
        for turn in turns:
            assert turn.picture is not None
            shown = cv2.imdecode(np.frombuffer(journal.picture(turn.picture), np.uint8), 1)
            assert shown is not None
            assert shown.shape[1] <= WIDTH


@pytest.mark.slow
def test_a_clip_of_a_push_a_re_entry_and_a_capture_becomes_its_record(tmp_path: Path) -> None:
    seen = reviewed("pushes", tmp_path)
    assert as_recorded(seen)
    assert seen.log.question is None
    assert not [verdict for _, verdict in seen.told if isinstance(verdict, Infringement)]
    by_person = [turn for turn in seen.log.game.turns if turn.source == "person"]
    assert sum(len(turn.entries) for turn in by_person) == seen.truth["stills"][0]["applied"]
