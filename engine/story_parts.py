"""Small parts of the search for stories: what dice in the air leave lying, how far a row can reach."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from math import factorial
from typing import Literal, TypeAlias

from engine.actions import Action, BoundaryRoll, Rolled, chance_table
from engine.dice import DICE_PER_PLAYER, Faces
from engine.pools import ONE, Pool, any_of, arrangements, contains, packed, size, unpacked
from engine.position import Position

Steps: TypeAlias = tuple[tuple[Action, Position], ...]
"""Actions, each with the position after it."""


Loose: TypeAlias = Literal["", "rolled", "re-entered"]
"""What came last to a row that is not put in order yet; "" where nothing did, or it is in order."""


@dataclass(frozen=True, slots=True)
class Story:
    """A legal continuation and how well it explains the view.

    Attributes:
        weight: prior times likelihood; only comparable with others of the same view.
        fit: its likelihood as a share of that of the table that would fit best, 1 at most.
        steps: each action with the position after it.
        position: the last one.
        prior: the weight without what the view says.
    pushed: in phase re-entry the face that the displaced die had on the Lawn, else 0.
    loose: per seat whether its row may yet be put in order.
    twins: positions with a boundary set in the air where the other edge explains all as well.
    unseen: in phase grind-roll, nobody has seen yet what was rolled.
    paid: as of a Track.
    """

    weight: float
    fit: float
    steps: Steps
    position: Position
    prior: float = 1.0
    pushed: int = 0
    loose: tuple[Loose, ...] = ("",) * 3
    twins: frozenset[Position] = frozenset()
    unseen: bool = False
    paid: tuple[tuple[int, int, float], ...] = ()


NOT_YET = 5e-4
"""Eight dice lie there, but are not a Big Roll yet."""

_SOME_NOT_YET = {7: 2e-3, 6: 2e-2}
"""So many lie there: hardly anybody rolls a part of them, but one may be overlooked."""

_HALF = ("boundary-roll", "placement")  # phases within a unit of the log

Marks: TypeAlias = tuple[Position, ...]
"""The positions after each Big Roll, turn, push, re-entry and lost turn of a story. A roll of the
grind that shows the faces it had changes nothing and makes no mark."""


def changes_nothing(before: Position, after: Position) -> bool:
    """Whether a roll of who plays alone shows the faces that all these dice had, none of which can
    be played: all of them are rolled again, as if nothing had been (6:2.B)."""
    if after.phase != "grind-roll" or before.rows != after.rows:
        return False
    all_rolled = before.phase == "boundary-roll" and len(set(after.rows[after.turn])) == 1
    return all_rolled or before.phase == "grind-roll"


def marks_of(steps: Steps) -> Marks:
    """The marks of steps; which edge was rolled, where the same came of it, makes no other mark."""
    return tuple(steps[end - 1][1] for end in ends_of(steps))


def ends_of(steps: Steps) -> list[int]:
    """After how many steps each mark is reached."""
    ends: list[int] = []
    before: Position | None = None
    for n, (_, position) in enumerate(steps, 1):
        if position.phase not in _HALF and (
            before is None or not changes_nothing(before, position)
        ):
            ends.append(n)
        before = position
    return ends


def re_entering(position: Position, story: Story) -> Position:
    """Where a die that was pushed off may not be home yet: the position before its roll, if that is all that
    a story goes on with, however sure it is; else where the story ends. position: with all that is final."""
    before = story.steps[-2][1] if len(story.steps) > 1 else position
    for each in (position, before):
        if each.phase == "re-entry":
            return each
    return story.position


def idle(before: Position, steps: Steps) -> int:
    """How many of these steps, from the first on, change nothing."""
    for count, (_, position) in enumerate(steps):
        if not changes_nothing(before, position):
            return count
        before = position
    return len(steps)


def told_apart(marks: Marks) -> Marks:
    """The marks that tell stories apart: which die was pushed off and which was rolled, where they
    come to lie together and nobody saw it, is the same game from the end of the turn on."""
    last = len(marks) - 1
    return tuple(each for n, each in enumerate(marks) if each.phase != "re-entry" or n == last)


def joined(found: Iterable[Story]) -> list[Story]:
    """Stories that leave the same marks and lead to the same position once, the heaviest first."""
    stories: dict[tuple[Marks, Position, int, bool], Story] = {}
    for story in found:
        key = told_apart(marks_of(story.steps)), story.position, story.pushed, story.fit > 0
        known = stories.get(key)
        if known is None:
            stories[key] = story
            continue
        first, other = (known, story) if known.weight >= story.weight else (story, known)
        stories[key] = replace(
            first,
            weight=first.weight + other.weight,
            prior=first.prior + other.prior,
            fit=max(first.fit, other.fit),
            twins=first.twins | _twins(first.steps, other),
        )
    return sorted(stories.values(), key=lambda story: (story.fit == 0, -story.weight))


def _twins(steps: Steps, other: Story) -> frozenset[Position]:
    if len(steps) != len(other.steps):
        return frozenset()
    return other.twins | frozenset(
        after
        for (action, after), (there, _) in zip(steps, other.steps, strict=True)
        if isinstance(action, BoundaryRoll) and there != action
    )


def staying(position: Position) -> int:
    """The dice of a row that lie while its others are in the air."""
    if position.phase == "grind-roll":
        return 0
    row = position.rows[position.turn]
    edge = row[0] if position.edge == "low" else row[-1]
    return packed(row) - row.count(edge) * ONE[edge - 1]


def rolled_eight(steps: Steps, position: Position) -> bool:
    """Whether the rolls that a tie-break would cover up are themselves only guessed at."""
    tied = position.opening.tied()
    return any(after.phase != "tie-break" for _, after in steps) or len(steps) >= len(tied)


def acted_in(start: Position, steps: Steps, seat: int) -> bool:
    """Whether dice of that seat were rolled in these steps, or one came back to its row."""
    return bool(left_loose(start, steps, seat))


def left_loose(start: Position, steps: Steps, seat: int) -> Loose:
    """How dice last came to the row of that seat in these steps."""
    last: Loose = ""
    before = start
    for action, after in steps:
        whose = before.displaced if before.phase == "re-entry" else before.turn
        if isinstance(action, Rolled) and seat == whose:
            last = "re-entered" if before.phase == "re-entry" else "rolled"
        before = after
    return last


def was_grind(steps: Steps) -> bool:
    return len(steps) > 1 and not isinstance(steps[-2][0], BoundaryRoll)


@lru_cache(maxsize=8192)
def chance_of(thrown: Faces) -> float:
    """The chance that so many dice show just these faces."""
    return factorial(len(thrown)) / arrangements(packed(thrown)) / 6.0 ** len(thrown)


def replaced(kept: tuple[int, ...], seat: int, pool: int) -> tuple[int, ...]:
    return (*kept[:seat], pool, *kept[seat + 1 :])


def without(pool: int, part: int) -> int:
    return pool - common(pool, part)


@lru_cache(maxsize=65536)
def common(pool: int, part: int) -> int:
    """The multiset that both have."""
    return sum(min(pool >> shift & 31, part >> shift & 31) << shift for shift in range(0, 30, 5))


def any_dice(pool: Pool) -> float:
    """P(what is seen | the owner's dice lie there before they are rolled)."""
    some = _SOME_NOT_YET.get(pool.seen, 0.5)
    return float(6.0**-pool.seen) * (NOT_YET if pool.seen >= DICE_PER_PLAYER else some)


def in_limbo(pool: Pool, row: int, pushed: int, beside: float = 1.0) -> float:
    """P(what is seen | besides the row there is one die that was pushed off and not yet rolled).

    beside: how well where it lies fits that.
    """
    likelihood = 0.25 * pool.likelihood(row)
    other = 0.004 if pushed else 0.05  # it has tumbled when it was pushed
    if pushed:
        likelihood += beside * 0.5 * pool.likelihood(row + ONE[pushed - 1])
    return likelihood + sum(beside * other * pool.likelihood(row + one) for one in ONE)


def row_reach(pool: Pool, row: int) -> float:
    """The best likelihood of a row as it is, or with an edge die placed."""
    faces = unpacked(row)
    return max(
        pool.likelihood(row),
        pool.likelihood(row - ONE[faces[0] - 1]),
        pool.likelihood(row - ONE[faces[-1] - 1]),
    )


def picked(pool: Pool, row: Faces) -> float:
    """The likelihood of a row whose edge die is in the hand that will place it."""
    return max(pool.likelihood(packed(row) - ONE[face - 1]) for face in {row[0], row[-1]})


_PLAIN_WAY = 3  # dice whose throws are listed one by one
_ABSENT = 2  # dice of a row at most that are placed, or hidden; else all throws are listed


def throws_of(pool: Pool, stays: int, count: int) -> list[tuple[Faces, float]]:
    """The throws of so many dice that may be seen in a pool beside those that stay, with their chances."""
    whole = count + size(stays)
    if count <= _PLAIN_WAY or whole - pool.seen > _ABSENT:
        return [(rolled.faces, chance) for rolled, chance in chance_table(count)]
    # Many dice: only throws that the seen dice allow, some being placed or hidden.
    wanted: set[int] = set()
    for part, _ in pool.readings():
        absent = whole - size(part)
        # A seen die that is taken for none is as unlikely as one that is absent: hardly both.
        if 0 <= absent <= max(1, whole - pool.seen):
            for more in any_of(absent):  # those kept may be among them
                if contains(part + more, stays):
                    wanted.add(part + more - stays)
    return [(faces, chance_of(faces)) for faces in map(unpacked, wanted)]
