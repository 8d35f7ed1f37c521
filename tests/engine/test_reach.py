"""The search for stories leaves out only what is certainly far worse than the best, and little else is weighed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine import stories as search
from engine.actions import chance_table
from engine.evidence import Evidence
from engine.fitting import Fit
from engine.position import Position
from engine.reach import Reach
from engine.sight import Seen, sightings
from engine.stories import stories
from engine.story_parts import Story
from engine.table import TableView
from engine.touches import Touched
from engine.tracks import Tracks
from tests.engine.tables import table
from tests.engine.views import Scene

ROWS = {"red": "124456", "blue": "113456"}
LAWN = {2: "rwb", 5: "rw.", 6: ".wb"}
START = table("boundary-choice red", ROWS, LAWN)


class Loose(Reach):
    """A bound that knows the Lawn only."""

    def __init__(self, fit: Fit, touched: Touched, start: Position, turns: int) -> None:
        super().__init__(fit, touched, start, turns)
        self.usual = False


def seen_in(view: TableView) -> Seen:
    return Seen(Evidence().seen(view)[1], frozenset(), 2)


def misread(view: TableView, at: int) -> TableView:
    """The view with one die said surely to show another face."""
    die = view.dice[at]
    return replace(
        view,
        dice=(
            *view.dice[:at],
            replace(die, face_p=(*die.face_p[1:], die.face_p[0])),
            *view.dice[at + 1 :],
        ),
    )


def told(
    start: Position, seen: Seen, turns: int, touched: Touched
) -> tuple[list[Story], dict[str, int]]:
    """The stories from a start, and how many positions were weighed."""
    counted = {"weighed": 0}
    weigh = search._Search._weigh

    def counts(self: search._Search, *args: object) -> None:
        counted["weighed"] += 1
        weigh(self, *args)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search._Search, "_weigh", counts)
        fits = [Fit(sight) for sight in sightings(seen)[:2]]
        return stories(start, fits, [touched] * len(fits), turns=turns, visits=10**9), counted


def first_turn(position: Position) -> list[Position]:
    """Some positions that a first turn leads to, each kind of placement once."""
    found: dict[tuple[str, object], Position] = {}
    for edge in position.legal_actions():
        rolled = position.apply(edge)
        for throw, _ in chance_table(rolled.dice_in_the_air):
            thrown = rolled.apply(throw)
            for action in thrown.legal_actions():
                after = thrown.apply(action)
                found.setdefault((after.phase, after.displaced), after)
    return list(found.values())


@pytest.mark.parametrize("turns", [1, 2])
def test_no_story_is_lost_by_the_bounds_and_few_positions_are_weighed(turns: int) -> None:
    before = seen_in(Scene.of(START).view())
    for after in first_turn(START):
        for at in (0, 9)[: 3 - turns]:
            seen = seen_in(misread(Scene.of(after).view(), at))
            tracks = replace(Tracks.at(START), seen=before)
            touched = tracks.touched(seen, sightings(seen)[0], {})
            found, few = told(START, seen, turns, touched)
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(search, "Reach", Loose)
                every, many = told(START, seen, turns, touched)
            # But for those that weigh just so much that they may be left out.
            least = 1.001 * search.CLEARLY * every[0].weight
            assert {story.steps: story.weight for story in found if story.weight > least} == {
                story.steps: story.weight for story in every if story.weight > least
            }
            assert few["weighed"] <= max(150, many["weighed"] // 4)
