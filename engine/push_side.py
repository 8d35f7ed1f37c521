"""From which side a die was pushed in where before and after do not tell: red blue red pushed by blue
becomes blue red blue from either side.

What tells is where the displaced die lay until it was rolled, and on which side of the row a hand
arrived first. Nothing in the game depends on it but the record.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from engine.actions import Place, Side
from engine.errors import LawnError
from engine.match import Match
from engine.match_log import Entry
from engine.table import Area, LawnPlace, SeenDie, TableView

OTHER: dict[Side, Side] = {"left": "right", "right": "left"}
BESIDE = 1.6
"""A displaced die lies at most so many places beside the row's end, and
BAND rows above or below it."""
BAND = 1.3


class Arrivals(Protocol):
    """When something first moved beside an end of a row."""

    def first(self, row: int, side: Side, from_s: float, to_s: float) -> float | None:
        """s by the source's clock, or None when nothing did in that time."""
        ...


def either_side(match: Match, entry: Entry) -> Entry | None:
    """The same push from the other side, if it leads to the same position; else None."""
    action = entry.action
    if not isinstance(action, Place) or action.side not in OTHER:
        return None
    other = Entry(Place(action.face, OTHER[action.side]), entry.by)
    before = match.position
    if before.lawn[action.face - 1].count(-1) or not before.is_legal(other.action):
        return None
    try:
        same = before.apply(other.action) == before.apply(action)
    except LawnError:
        return None
    return other if same else None


def pushed_from(
    match: Match,
    entry: Entry,
    views: Iterable[TableView],
    arrivals: Arrivals | None,
    span_s: tuple[float, float],
) -> Side | None:
    """The side a push came from, or None when nothing tells. span_s: in which it happened."""
    action = entry.action
    assert isinstance(action, Place)
    for view in views:
        if span_s[0] < view.time_s <= span_s[1] + 1.0:
            off = _lies_off(view, action.face)
            if off is not None:
                return OTHER[off]
    if arrivals is None or match.position.turn == 2:
        return None  # the third player's arm lies over the right end whatever it does
    left, right = (
        arrivals.first(action.face, side, span_s[0] - 0.2, span_s[1]) for side in ("left", "right")
    )
    if left is None and right is None:
        return None
    if left is None or right is None:
        return "right" if left is None else "left"
    if abs(left - right) < 0.05:
        return None
    return "left" if left < right else "right"


def _lies_off(view: TableView, row: int) -> Side | None:
    """The end of a row beside which a die lies off the Lawn, if there is one."""
    ends = {
        die.place.side: die.xy_mm
        for die in view.dice
        if isinstance(die.place, LawnPlace) and die.place.row == row and die.xy_mm is not None
    }
    if "left" not in ends or "right" not in ends:
        return None
    (lx, ly), (rx, ry) = ends["left"], ends["right"]
    pitch = abs(rx - lx) / 2
    found: set[Side] = set()
    for die in view.dice:
        if not _is_loose(die) or die.xy_mm is None:
            continue
        x, y = die.xy_mm
        if abs(y - (ly + ry) / 2) > BAND * pitch:
            continue
        if lx - BESIDE * pitch < x < lx - 0.5 * pitch:
            found.add("left")
        elif rx + 0.5 * pitch < x < rx + BESIDE * pitch:
            found.add("right")
    return found.pop() if len(found) == 1 else None


def _is_loose(die: SeenDie) -> bool:
    return isinstance(die.place, Area) and die.place.kind == "elsewhere"
