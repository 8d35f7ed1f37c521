"""Whether legal play explains what lies on a simulated table: the rules themselves are asked."""

from __future__ import annotations

from collections import Counter

from engine.actions import SIDES, BoundaryRoll, Place
from engine.dice import FACES, Faces
from engine.mock_table import MockDie, MockTable
from engine.position import Position
from engine.table import Area, LawnPlace


def explained(position: Position, table: MockTable) -> bool:
    """Whether legal play from the position leads to the table at rest: up to one placement with its
    re-entry, lost turns before it and boundary rolls after it, as far as a view may lag behind."""
    seats = len(position.rows)
    lawn, rows, captured = table.canonical(seats)
    goal_lawn = tuple(tuple(owner for owner, _ in row) for row in lawn)
    turned = any(f not in (0, row) for row, d in zip(FACES, lawn, strict=True) for _, f in d)
    if turned or any(len(table.on(LawnPlace(r, s))) > 1 for r in FACES for s in SIDES):
        return False
    marked = table.layout.areas
    if marked and any(_astray(table, die) for die in table.dice):
        return False
    seen: set[tuple[Position, int, int]] = set()

    def reaches(here: Position, places: int, rolls: int) -> bool:
        if (here, places, rolls) in seen:
            return False
        seen.add((here, places, rolls))
        held = here.captured
        if not marked:
            held = (tuple(sorted(face for faces in held for face in faces)),)
        if (here.lawn, here.rows, held) == (goal_lawn, rows, captured) and (
            not here.is_chance or here.phase == "grind-roll"
        ):
            return True
        for action in here.legal_actions():
            after = here.apply(action)
            if isinstance(action, BoundaryRoll):
                if rolls and reaches(after, places, rolls - 1):
                    return True
            elif isinstance(action, Place):
                if places and after.lawn == goal_lawn and reaches(after, places - 1, rolls):
                    return True
            elif _fits(here, after, rows) and reaches(after, places, rolls):
                return True
        return False

    return reaches(position, 1, seats + 1)


def _fits(here: Position, after: Position, rows: tuple[Faces, ...]) -> bool:
    """Whether a roll may lead to these rows: until the same player rolls again, one die at most
    leaves the row, and one comes. (Who plays alone may roll again at once: that is left out.)"""
    if here.phase == "re-entry":
        return True
    row, goal = Counter(after.rows[here.turn]), Counter(rows[here.turn])
    return (row - goal).total() <= 1 and (goal - row).total() <= 1


def _astray(table: MockTable, die: MockDie) -> bool:
    """Whether a player's die lies in another player's row."""
    place = table.place(die.number)
    return isinstance(place, Area) and place.kind == "row" and place.seat != die.owner
