"""From weighed stories to what the referee may say: what is sure, what is final, what is asked."""

from __future__ import annotations

from typing import TypeAlias

from engine.actions import Action, BoundaryRoll, Elect, Place, Rolled
from engine.match_log import Entry
from engine.pools import packed
from engine.position import Position
from engine.sight import Seen, Sight
from engine.story_parts import Steps, Story
from engine.table import Area, LawnPlace, TableView
from engine.table import Place as At
from engine.verdict import Guess, Happened, Progress, Unsure

MARGIN = 200.0
"""How many times likelier than the best story that denies a step the best story must be."""

AT_ONCE = 5000.0
"""The same for a step that nothing has followed yet: it can wait for more views."""

SECOND_LOOK_S = 1.0
"""A rest that counts like a second view."""

_LOST_TURN_S = 1.2  # a roll that ends a turn may still be lifted again: it must lie longer

Anchor: TypeAlias = tuple[tuple[int, int, int], ...]
"""(key, seat, face) of dice off the Lawn when the table showed the expected position."""


def anchored(seen: Seen, sight: Sight, expected: Position, shown: Position) -> Anchor:
    """The dice off the Lawn that lie as `expected` says: of seats whose rows a view that shows
    `shown` reads without any doubt."""
    found: list[tuple[int, int, int]] = []
    for seat in range(seen.seats):
        dice = sight.off_lawn(seat)
        faces = tuple(sorted(die.likeliest_face for die in dice))
        if faces == expected.rows[seat] == shown.rows[seat]:
            found += [(die.key, seat, die.likeliest_face) for die in dice]
    return tuple(found)


def untouched(anchor: Anchor, seen: Seen, position: Position) -> tuple[int, ...]:
    """Per seat the packed faces of the dice that have lain untouched since `anchored`."""
    if not position.order:
        return (0,) * seen.seats
    off = {die.key for die in seen.dice if isinstance(die.place, Area)}
    return tuple(
        packed(tuple(sorted(f for key, s, f in anchor if s == seat and key in off)))
        for seat in range(seen.seats)
    )


def cut_at(
    start: Position,
    told: list[Story],
    view: TableView,
    sight: Sight,
    before: tuple[Position, ...],
) -> tuple[int, tuple[Position, ...]]:
    """How many of the best story's steps are final, and the positions that this view is sure of.

    before: what the view before was sure of.
    """
    best = told[0]
    rivals = [(story.weight, {position for _, position in story.steps}) for story in told[1:]]
    sure: list[Position] = []
    cut = 0
    for at in range(len(best.steps), 0, -1):
        after = best.steps[at - 1][1]
        against = max((weight for weight, passed in rivals if after not in passed), default=0.0)
        followed = any(isinstance(action, Place) for action, _ in best.steps[at:])
        if against * MARGIN > best.weight or not _may_end(start, best.steps, at, view, sight):
            continue
        sure.append(after)
        margin = MARGIN if followed or not start.order else AT_ONCE
        looked = after in before or view.still_s >= SECOND_LOOK_S
        if not cut and looked and against * margin <= best.weight:
            cut = at
    return cut, tuple(sure)


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
        return there is not None and there > len(after.rows[owner]) - 0.5
    return view.still_s >= _LOST_TURN_S


def entered(told: list[Story]) -> tuple[float, ...]:
    """The chances of the faces 1..6 of a re-entry roll that is seen but not final."""
    weights = [2e-3 * told[0].weight] * 6
    for story in told:
        if len(story.steps) == 1:
            action = story.steps[0][0]
            assert isinstance(action, Rolled)
            weights[action.faces[0] - 1] += story.weight
    total = sum(weights)
    return tuple(weight / total for weight in weights)


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
    other: list[Action] = []
    after = steps[-1][1]
    for story in told[1:]:
        if story.weight * MARGIN < told[0].weight:
            break
        at = next((n for n, (_, p) in enumerate(story.steps, 1) if p == after), 0)
        if at:
            other += [action for action, _ in story.steps[:at]]
    for action, position in steps:
        colour = before.colours[before.turn].capitalize()
        if isinstance(action, Elect):
            said.append(f"{colour} is taken to claim {action.category}, the best bonus.")
        if isinstance(action, BoundaryRoll) and any(
            isinstance(each, BoundaryRoll) and each != action for each in other
        ):
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


def guesses(before: Position, told: list[Story], seen: Seen) -> Unsure | None:
    """A question between stories that lead to different positions, or None."""
    best = told[0]
    chosen: list[Story] = []
    for story in told:
        if story.weight * MARGIN < best.weight:
            break
        if story.fit and all(story.position != other.position for other in chosen):
            chosen.append(story)
    if len(chosen) < 2:
        return None
    chosen = chosen[:4]
    total = sum(story.weight for story in chosen)
    doubtful = sorted(seen.dice, key=lambda die: max(die.face))[:1]
    look_at: tuple[At, ...] = tuple(die.place for die in doubtful)
    options = tuple(
        Guess(
            entries(before, story.steps),
            round(story.weight / total, 3),
            _in_words(before, story.steps),
        )
        for story in chosen
    )
    where = f" {_where(look_at[0])}" if look_at else ""
    return Unsure(
        f"It cannot be seen what happened; look at the die{where} and say which it is.",
        look_at,
        tuple(die.key for die in doubtful),
        options,
    )


def _where(place: At) -> str:
    if isinstance(place, LawnPlace):
        return f"on the Lawn, row {place.row} {place.side}"
    return "off the Lawn"


def _in_words(before: Position, steps: Steps) -> str:
    if not steps:
        return "Nothing has happened."
    said = []
    for action, after in steps:
        if not isinstance(action, BoundaryRoll):
            who = before.colours[before.turn].capitalize()
            said.append(f"{who}: {before.name(action)}")
        before = after
    return "; ".join(said) + "."


__all__ = [
    "Anchor",
    "Place",
    "anchored",
    "cut_at",
    "entered",
    "entries",
    "guesses",
    "happened",
    "progress",
    "untouched",
]
