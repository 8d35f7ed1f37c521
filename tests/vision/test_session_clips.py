"""From a video to a transcript: the whole path, from pixels, knowing nothing but the film."""

from __future__ import annotations

import json
from typing import Any

import cv2
import numpy as np
import pytest

from engine.game_log import replayed
from engine.journal import Journal
from engine.record import Record
from models.review_bench import compared as measured
from tests.vision.reviews import CLIPS
from vision.film import Film
from vision.moments import WIDTH
from vision.review import Review
from vision.review_folder import ReviewFolder, Wishes


@pytest.fixture(scope="module")
def pushes(tmp_path_factory: pytest.TempPathFactory) -> tuple[ReviewFolder, dict[str, Any]]:
    """The review of a clip that begins in mid-round, with a push, a capture and a lock."""
    folder = ReviewFolder(tmp_path_factory.mktemp("pushes"))
    return folder, Review(Film([CLIPS / "pushes.mp4"]), folder, Wishes()).run()


@pytest.mark.slow
def test_players_start_and_every_turn_of_a_clip_are_found_and_nobody_is_accused(
    pushes: tuple[ReviewFolder, dict[str, Any]],
) -> None:
    truth = json.loads((CLIPS / "pushes.json").read_text(encoding="utf-8"))
    found = pushes[1]
    assert found["players"] == truth["players"]
    result = measured("pushes", "", truth, found)
    assert result.exact, result.pairs
    assert result.judged
    assert not [event for event in found["events"] if event["type"] == "out_of_step"]
    ruled = Record.from_string(found["record"]).match.rulings[0].position
    before = truth["stills"][0]["position"]
    assert ruled.to_string().split("rows ")[1].split("; big-rolls")[0] in before


@pytest.mark.slow
def test_the_journal_of_a_clip_has_a_small_picture_of_every_turn(
    pushes: tuple[ReviewFolder, dict[str, Any]],
) -> None:
    with Journal.look(pushes[0].journal) as journal:
        log = replayed(journal.events())
        seen = [turn for turn in log.game.turns if turn.source == "camera"]
        assert seen
        for turn in seen:
            assert turn.picture is not None
            shown = cv2.imdecode(np.frombuffer(journal.picture(turn.picture), np.uint8), 1)
            assert shown is not None
            assert shown.shape[1] <= WIDTH
