"""Looking in a process of its own comes to the same as looking here, and fails in a sentence."""

from __future__ import annotations

import contextlib
import os
import signal
from pathlib import Path

import pytest

from tests.vision.reviews import CLIPS, WISHES, write_film
from vision.film import Film
from vision.frames import SourceError
from vision.review_folder import ReviewError, Wishes
from vision.review_looking import Looking, LookingApart, LookingHere, Seen
from vision.review_views import KeptView

FROM_S = 21.0
"""The clip's last six seconds: a hand comes and goes."""


def views(looking: Looking) -> list[Seen]:
    return [seen for seen in looking if isinstance(seen, KeptView)]


@pytest.mark.slow
def test_another_process_sees_the_same_to_the_last_bit() -> None:
    here, apart = Film([CLIPS / "pushes.mp4"]), Film([CLIPS / "pushes.mp4"])
    wanted = views(LookingHere(here, WISHES, WISHES.players, FROM_S, {}))
    spent: dict[str, float] = {}
    with contextlib.closing(LookingApart(apart, WISHES, WISHES.players, FROM_S, spent)) as looking:
        assert looking.colours == WISHES.players
        assert views(looking) == wanted
    assert len(wanted) > 3
    assert apart.times == here.times
    assert apart.reels == here.reels
    assert spent["looking"] > 0


@pytest.mark.slow
def test_what_goes_wrong_there_is_said_here(tmp_path: Path) -> None:
    film = Film([write_film(tmp_path / "grey.mp4", 1.0)])
    with pytest.raises(SourceError, match="cannot be told who plays"):
        LookingApart(film, Wishes(), (), 0.0, {})


@pytest.mark.slow
def test_a_process_that_was_ended_is_said_to_be() -> None:
    film = Film([CLIPS / "pushes.mp4"])
    with contextlib.closing(LookingApart(film, WISHES, WISHES.players, 0.0, {})) as looking:
        assert looking.process_id is not None
        os.kill(looking.process_id, signal.SIGTERM)
        with pytest.raises(ReviewError, match="goes on from here"):
            list(looking)
