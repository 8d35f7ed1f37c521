"""The whole round that ships, from the views that the networks had of it, to the last point."""

from __future__ import annotations

import json
import lzma
from dataclasses import replace
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import numpy as np

from engine.record import Record
from engine.table import view_from_json
from models.review_bench import compared
from tests.vision.reviews import CLIPS
from vision.film import Film
from vision.review import Review
from vision.review_against import steps_of
from vision.review_folder import Plan, ReviewFolder, Wishes, asked, videos_of
from vision.review_views import KeptView, ViewKeeper


def round_views() -> list[KeptView]:
    """The views that the networks had of the round that ships."""
    with lzma.open(CLIPS / "round.views.xz", "rt", encoding="utf-8") as lines:
        kept = [json.loads(line) for line in lines]
    return [
        KeptView(
            view_from_json(each["view"]), None, [(float(t), int(e)) for t, e in each["reached"]]
        )
        for each in kept
    ]


def round_truth() -> dict[str, Any]:
    read: dict[str, Any] = json.loads(
        (files("webui") / "demo" / "round.json").read_text(encoding="utf-8")
    )
    return read


def explained(path: Path, views: list[KeptView], length_s: float) -> dict[str, Any]:
    """The transcript of a review that had these views."""
    folder, wishes, fps = ReviewFolder(path), Wishes(), round_truth()["fps"]
    with ViewKeeper(folder.views) as keeper:
        for kept in views:
            keeper.add(kept)
    with as_file(files("webui") / "demo" / "round.mp4") as film:
        videos = videos_of(Film([film]))
        plan = Plan(
            videos=videos, players=("red", "blue"), asked=asked(wishes), base_s=0.0, done=True
        )
        folder.write_plan(plan)
        folder.write_times(np.arange(round(length_s * fps)) / fps)
        return Review(Film([film]), folder, wishes).explain_anew()


def test_every_play_push_capture_lock_and_score_of_the_round_that_ships_is_right(
    tmp_path: Path,
) -> None:
    truth = round_truth()
    found = explained(tmp_path, round_views(), truth["duration_s"])
    result = compared("round", "", truth, found)
    assert result.steps == 28
    assert result.exact, result.pairs
    assert result.judged
    assert not found["unsure"]
    assert found["scores"]["totals"] == {"red": 68, "blue": 33}


CUT_S, GAP_S = 120.0, 15.0


def later(kept: KeptView, shift_s: float) -> KeptView:
    """The view that much later, of dice that nobody has seen before."""
    view = kept.view
    return KeptView(
        replace(
            view,
            time_s=view.time_s + shift_s,
            still_since_s=view.still_since_s + shift_s,
            dice=tuple(replace(die, key=die.key + 10_000) for die in view.dice),
        ),
        None,
        [(time_s + shift_s, end) for time_s, end in kept.reached],
    )


def test_a_round_of_which_the_middle_and_the_end_are_missing_is_left_and_the_next_one_is_scored(
    tmp_path: Path,
) -> None:
    truth, views = round_truth(), round_views()
    shift_s = CUT_S + GAP_S
    missing = [kept for kept in views if kept.view.time_s < CUT_S]
    missing += [later(kept, shift_s) for kept in views]
    found = explained(tmp_path, missing, truth["duration_s"] + shift_s)

    (asked_about,) = found["unsure"]
    assert "The end of round 1 is not seen" in asked_about["question"]
    assert asked_about["t0_s"] < CUT_S + 1  # from the last turn that was seen
    assert shift_s < asked_about["t1_s"] < shift_s + 20  # to the empty Lawn

    second = [event for event in found["events"] if event["t1_s"] > asked_about["t1_s"]]
    again = compared("second", "", truth, {**found, "events": second, "unsure": []})
    assert again.steps == 28
    assert again.exact, again.pairs
    first = [event for event in found["events"] if event["t1_s"] < asked_about["t1_s"]]
    seen = [event for event in truth["events"] if event["t1_s"] < CUT_S - 5]
    assert [each["player"] for each in steps_of(first)][: len(steps_of(seen))] == [
        each["player"] for each in steps_of(seen)
    ]

    rounds = found["scores"]["rounds"]
    assert [(sheet["round"], sheet["over"]) for sheet in rounds] == [(1, False), (2, True)]
    assert not found["scores"]["complete"]
    assert {who: score["total"] for who, score in rounds[1]["scores"].items()} == {
        "red": 68,
        "blue": 33,
    }
    assert "Not seen: the end of round 1\n" in found["record"]
    assert Record.from_string(found["record"]).match.totals[0] == found["scores"]["totals"]["red"]
