"""Watching the clips of a played game: every still table is seen, and no die is missing in it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.table import LawnPlace, SeenDie, TableView
from vision.mat_keeper import MatKeeper
from vision.owners import players
from vision.sources import open_source
from vision.view import Viewer

CLIPS = Path(__file__).parent.parent / "fixtures" / "clips"
UNTIL_S = 9.5


def seen_name(die: SeenDie) -> tuple[str, int, int]:
    return str(die.place) if isinstance(die.place, LawnPlace) else "off", die.owner, die.face


def true_name(die: dict[str, Any]) -> tuple[str, int, int]:
    place = die["place"]
    where = f"{place['row']} {place['side']}" if "row" in place else "off"
    return where, die["owner"], die["face"]


@pytest.mark.slow
def test_every_still_table_of_a_clip_is_seen_in_time_with_every_die() -> None:
    truth = json.loads((CLIPS / "pushes.json").read_text(encoding="utf-8"))
    viewer = Viewer(
        mats=MatKeeper(), owners=players([player["colour"] for player in truth["players"]])
    )
    views: list[TableView] = []
    with open_source(str(CLIPS / "pushes.mp4")) as source:
        for frame in source:
            if frame.time_s > UNTIL_S:
                break
            if view := viewer.see(frame.image, frame.time_s):
                views.append(view)
    stills = [still for still in truth["stills"] if still["t1_s"] < UNTIL_S]
    assert len(stills) >= 3
    for still in stills:
        rested = [view for view in views if still["t0_s"] <= view.time_s <= still["t1_s"]]
        assert rested, still["label"]
        assert rested[0].time_s - still["t0_s"] <= 0.55, still["label"]
        seen = [seen_name(die) for die in rested[-1].dice]
        for die in still["dice"]:
            seen.remove(true_name(die))
        # What is left over lies off the Lawn, where the mat's print can look like a die.
        assert all(where == "off" for where, _, _ in seen), (still["label"], seen)
