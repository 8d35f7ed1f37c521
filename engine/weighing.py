"""From weighed stories to what the referee may say: what is sure, what is final, what is asked."""

from __future__ import annotations

from dataclasses import dataclass

from engine.actions import BoundaryRoll, Elect, Place, Rolled
from engine.match_log import Entry
from engine.position import Position
from engine.sight import Sight
from engine.story_parts import Marks, Steps, Story, ends_of, marks_of
from engine.table import TableView
from engine.verdict import Happened, Progress

FINAL = 150.0
"""How many times likelier than all stories that deny it a step must be to become final. With 60, once another turn
had followed, one round of 120 came out wrong, and 0.72 questions were asked a round instead of 0.90."""

MARGIN = 100.0
"""How many times likelier than the others a story must be for nobody to be asked."""

TAKEN_BACK = 100.0
"""How many times likelier than the log another story must be for the log to be corrected."""

DOUBTFUL = 30.0
"""How many times likelier than the others a story must be for what is final of it not to be asked after all."""

SECOND_LOOK_S = 1.0
"""A rest that counts like a second view."""

LONG_S = 3.0
"""A rest after which nobody waits for more views."""

_LOST_TURN_S = 1.2  # a roll that ends a turn may still be lifted again: it must lie longer


def shared(one: Marks, other: Marks) -> int:
    """How many marks two stories share from the root on; a turn counts by how it ends."""
    count = 0
    most = min(len(one), len(other))
    for n in range(most):
        if one[n] == other[n]:
            count = n + 1
        elif not (one[n].phase == other[n].phase == "re-entry"):
            break
    return count


@dataclass(frozen=True, slots=True)
class Reading:
    """What the stories of a view say together.

    best: the best story. marks: its marks. odds: of each mark, how many times likelier the stories
    that share all marks up to it are than those that do not.
    """

    best: Story
    marks: Marks
    odds: tuple[float, ...]

    @classmethod
    def of(cls, told: list[Story], done: Marks = ()) -> Reading:
        """Read the stories of a view, the heaviest first, given the marks that are final as far as
        the best story shares them."""
        groups: dict[Marks, float] = {}
        for story in told:
            marks = marks_of(story.steps) if story.fit else ()
            groups[marks] = groups.get(marks, 0.0) + story.weight
        best = told[0]
        marks = marks_of(best.steps)
        total = sum(groups.values())
        # Which half-finished turn follows is another question than which turns are complete.
        for_ = [0.0] * (len(marks) + 1)
        for other, weight in groups.items():
            for_[shared(marks, other)] += weight
        odds: list[float] = []
        given = shared(marks, done)
        total -= sum(for_[:given])
        agree = total - (0.0 if given else for_[0])
        for count in range(1, len(marks) + 1):
            if count <= given:
                odds.append(1e12)
                continue
            if given and count == given + 1:
                agree = total - for_[given]
            against = total - agree
            odds.append(agree / against if against > 1e-12 * total else 1e12)
            agree -= for_[count]
        return cls(best, marks, tuple(odds))

    def final(
        self, start: Position, view: TableView, sight: Sight, before: Marks, committed: int
    ) -> tuple[int, Marks]:
        """How many marks are final, and those that this view is sure of.

        start: the root. before: what the view before was sure of. committed: marks that are final
        already.
        """
        steps, ends = self.best.steps, ends_of(self.best.steps)
        sure: list[Position] = []
        most = 0
        for count in range(len(ends), committed, -1):
            at, after = ends[count - 1], self.marks[count - 1]
            odds = self.odds[count - 1]
            if odds < FINAL or not _may_end(start, steps, at, view, sight):
                continue
            sure.append(after)
            looked = after in before or view.still_s >= SECOND_LOOK_S
            if not most and looked:
                most = count
        return most, tuple(sure)


def before_doubt(told: list[Story], done: Marks) -> int:
    """How many of the marks that are final come before the first in which stories differ that are nearly as
    likely as the log; all if there is none."""
    if len(told) < 2:
        return len(done)
    reading = Reading.of(told)
    same = shared(reading.marks, done)
    return next((n for n, odds in enumerate(reading.odds[:same]) if odds < DOUBTFUL), len(done))


def _may_end(start: Position, steps: Steps, at: int, view: TableView, sight: Sight) -> bool:
    """Whether a step can no longer look different, so that it may become final."""
    action, after = steps[at - 1]
    before = steps[at - 2][1] if at > 1 else start
    later = at < len(steps)
    if isinstance(action, BoundaryRoll) or after.phase in ("bonus-choice", "big-roll"):
        return False
    if isinstance(action, Place | Elect):
        return True
    assert isinstance(action, Rolled)
    if after.phase == "tie-break" and before.phase == "tie-break":
        return False
    if after.phase == "placement":
        return False  # final with the placement
    if before.phase in ("big-roll", "tie-break"):
        return True
    if later and not isinstance(steps[at][0], Rolled):
        return True
    if before.phase == "re-entry":
        owner = before.displaced
        there = sight.in_own_row(owner)
        if there is None:  # nothing marks the rows; after the last turn nothing else will tell
            return after.is_over and view.still_s >= LONG_S
        return there > len(after.rows[owner]) - 0.5
    return view.still_s >= _LOST_TURN_S


def happened(before: Position, steps: Steps, told: list[Story], final: bool) -> Happened:
    """The verdict that these steps of the best story happened."""
    after = steps[-1][1]
    total = sum(story.weight for story in told)
    agree = sum(
        story.weight
        for story in told
        if story.position == after or any(p == after for _, p in story.steps)
    )
    return Happened(
        entries(before, steps), round(agree / total, 4), final, after, _assumed(before, steps, told)
    )


def entries(before: Position, steps: Steps) -> tuple[Entry, ...]:
    """The steps with the colours of those who act, as a match logs them."""
    made = []
    for action, after in steps:
        made.append(Entry(action, before.colours[before.turn]))
        before = after
    return tuple(made)


def _assumed(before: Position, steps: Steps, told: list[Story]) -> tuple[str, ...]:
    said = []
    for action, position in steps:
        colour = before.colours[before.turn].capitalize()
        if isinstance(action, Elect):
            said.append(f"{colour} is taken to claim {action.category}, the best bonus.")
        if isinstance(action, BoundaryRoll) and position in told[0].twins:
            said.append(f"{colour} is taken to have rolled the {action.edge} edge; both fit.")
        before = position
    return tuple(said)


def progress(best: Story, sight: Sight, view: TableView) -> Progress:
    """Which legal step is half done, for a table that else shows the expected position."""
    position = best.position
    if position.phase == "re-entry":
        return "re-entry"
    if not position.order:
        return "" if position.phase == "tie-break" else "setting-up"
    wanted = sum(map(len, position.rows)) + sum(o >= 0 for row in position.lawn for o in row)
    if sum(die.spurious < 0.5 for die in sight.seen.dice) < wanted + sum(
        map(len, position.captured)
    ):
        return "hidden" if view.hidden else "lifted"
    return ""
