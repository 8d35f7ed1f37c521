"""The whole round that ships, from the views that the networks had of it, to the last point."""

from __future__ import annotations

import json
import lzma
from importlib.resources import as_file, files
from pathlib import Path

import numpy as np

from engine.table import view_from_json
from models.review_bench import compared
from tests.vision.reviews import CLIPS
from vision.film import Film
from vision.review import Review
from vision.review_folder import Plan, ReviewFolder, Wishes, asked, videos_of
from vision.review_views import KeptView, ViewKeeper


def test_every_play_push_capture_lock_and_score_of_the_round_that_ships_is_right(
    tmp_path: Path,
) -> None:
    folder, wishes = ReviewFolder(tmp_path), Wishes()
    with (
        lzma.open(CLIPS / "round.views.xz", "rt", encoding="utf-8") as lines,
        ViewKeeper(folder.views) as keeper,
    ):
        for line in lines:
            kept = json.loads(line)
            reached = [(float(time_s), int(end)) for time_s, end in kept["reached"]]
            keeper.add(KeptView(view_from_json(kept["view"]), None, reached))
    truth = json.loads((files("webui") / "demo" / "round.json").read_text(encoding="utf-8"))
    with as_file(files("webui") / "demo" / "round.mp4") as film:
        videos = videos_of(Film([film]))
        plan = Plan(
            videos=videos, players=("red", "blue"), asked=asked(wishes), base_s=0.0, done=True
        )
        folder.write_plan(plan)
        folder.write_times(np.arange(truth["frames"]) / truth["fps"])
        found = Review(Film([film]), folder, wishes).explain_anew()
    result = compared("round", "", truth, found)
    assert result.steps == 30
    assert result.scores_right
    assert result.judged
    assert not found["unsure"]
    assert found["scores"]["totals"] == {"red": 42, "blue": 71}
    # A roll that shows its old face, or that is rolled over at once, is told by where dice lie, not surely.
    rolls = {"edge", "rolled", "grind"}
    assert all(pair.differs and rolls.issuperset(pair.differs) for pair in result.pairs), (
        result.pairs
    )
    assert len(result.pairs) <= 2
