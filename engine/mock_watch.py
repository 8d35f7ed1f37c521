"""When a camera looks at a simulated table: which moments lie long enough to be seen, and how often.

A moment that is shorter than the camera takes to call the table still is not seen at all. So quick
players make several half-steps look like one, a turn may be seen only after it has ended, and the
next player may have begun before the view has settled. What could never be known again, such as a
roll before the same dice are rolled once more, always lies until it was seen.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from engine.mock_camera import MockCamera
from engine.mock_table import MockTable
from engine.mock_turns import Moment
from engine.table import ELSEWHERE, Area, LawnPlace, Place, TableView

_SETTLES_S = 0.35
_LATE_S = 1.0
_AGAIN_S = 0.5  # from one view of a rest to the next
_MOST_VIEWS = 4  # of one rest
_REACH_MM = 40.0  # so far around a touched die a hand may cover others
_COVERS = 0.5  # share of the dice in its reach that it covers
_FRAMES_A_S = 10
_ROLLS = ("rolled", "re-entry rolled")


@dataclass(frozen=True, slots=True)
class Shot:
    """A view and what it is a view of.

    Attributes:
        view: what the camera says.
        moment: what is true.
        clear: whether nothing hides a part of the table.
    """

    view: TableView
    moment: Moment
    clear: bool


class Watcher:
    """Follows the moments of one table with one camera; its clock runs on from call to call."""

    def __init__(self, camera: MockCamera, rng: random.Random) -> None:
        self.camera = camera
        self.rng = rng
        self.time_s = 0.0
        self.uncovered: frozenset[int] = frozenset()
        self._before: MockTable | None = None
        self._covered: set[int] = set()
        self._unseen_rolls: set[int] = set()
        self._unseen_end = False

    def shots(self, moments: Iterable[Moment]) -> Iterator[Shot]:
        """The views of these moments. The last moment is always seen."""
        waiting: Moment | None = None
        for moment in moments:
            if waiting is not None:
                yield from self._watch(waiting, moment)
            waiting = moment
        if waiting is not None:
            yield from self._watch(waiting, None)

    def rest(self, moment: Moment, views: int = 2) -> Iterator[Shot]:
        """More views of a table that goes on lying as it does, nothing hidden."""
        since = self.time_s
        for number in range(views):
            self.time_s += _AGAIN_S
            yield self._shot(moment, since, 5 * (number + 1), frozenset(), frozenset())

    def _watch(self, moment: Moment, following: Moment | None) -> Iterator[Shot]:
        rng, noise = self.rng, self.camera.noise
        self._note(moment)
        forced = self._forced(moment, following)
        self.time_s += rng.uniform(0.3, 1.0)
        settles = _SETTLES_S * rng.uniform(0.7, 1.6)
        if rng.random() < noise.late:
            settles += _LATE_S
        rest = max(moment.rest_s, settles + 0.01) if forced else moment.rest_s
        since = self.time_s
        self.time_s += rest
        if rest <= settles:
            return
        count = min(_MOST_VIEWS, 1 + int((rest - settles) / _AGAIN_S))
        covering = rng.random() < noise.hand and moment.seat >= 0
        clear = count if not covering else rng.randint(1 if forced else 0, max(count - 1, 1))
        if covering and forced and count == 1:
            count, clear = 2, 1
        for number in range(count):
            places: frozenset[Place] = frozenset()
            numbers: frozenset[int] = frozenset()
            if number < count - clear:
                if number == 0:
                    hand = hand_over(moment.table, moment.seat, rng)
                places, numbers = hand
            at = since + settles + number * _AGAIN_S
            frames = 2 + int((at - since) * _FRAMES_A_S)
            yield self._shot(moment, since, frames, places, numbers, at)
        if clear:
            self._unseen_rolls.clear()
            self._unseen_end = False

    def _note(self, moment: Moment) -> None:
        """Remember what a hand has touched and covered since the last view."""
        if self._before is not None:
            touched = moment.table.touched_since(self._before)
            spots = [
                table.dice[n].spot
                for table in (self._before, moment.table)
                for n in touched
                if n < len(table.dice)
            ]
            for die in moment.table.dice:
                if die.number in touched or die.spot is None or die.number in self.uncovered:
                    continue
                x, y = die.spot
                near = any(
                    spot and abs(spot[0] - x) < _REACH_MM and abs(spot[1] - y) < _REACH_MM
                    for spot in spots
                )
                if near and self.rng.random() < _COVERS:
                    self._covered.add(die.number)
            if moment.step in _ROLLS:
                self._unseen_rolls |= touched
        self._before = moment.table
        self._unseen_end = self._unseen_end or moment.ends

    def _forced(self, moment: Moment, following: Moment | None) -> bool:
        if following is None or moment.must_see:
            return True
        if following.step in ("lifted", *_ROLLS):
            # Of two unseen rolls in one row nobody could say which die showed what.
            touched = following.table.touched_since(moment.table)
            owners = {following.table.dice[n].owner for n in touched}
            if any(moment.table.dice[n].owner in owners for n in self._unseen_rolls):
                return True
        # A turn's end and at most the next player's boundary roll may be seen at once.
        return (
            self._unseen_end
            and not moment.ends
            and (moment.step != "lifted" or self.rng.random() < 0.5)
        )

    def _shot(
        self,
        moment: Moment,
        since: float,
        frames: int,
        hidden: frozenset[Place],
        numbers: frozenset[int],
        at: float | None = None,
    ) -> Shot:
        time_s = self.time_s if at is None else at
        covered = frozenset(self._covered)
        self._covered.clear()
        view = self.camera.view(moment.table, time_s, since, frames, hidden, numbers, covered)
        return Shot(view, moment, not hidden)


def hand_over(
    table: MockTable, seat: int, rng: random.Random
) -> tuple[frozenset[Place], frozenset[int]]:
    """What a resting hand of that seat hides: its own row or one to three places of a Lawn row.

    Returns the places, and the numbers of the dice under the hand.
    """
    if rng.random() < 0.4:
        dice = frozenset(die.number for die in table.off_lawn(seat))
        if table.layout.areas:
            place: Place = Area("row", seat)
            return frozenset({place}), frozenset(n for n in dice if table.place(n) == place)
        return frozenset({ELSEWHERE}), dice
    row = rng.randint(1, 6)
    first, last = rng.choice(((0, 0), (2, 2), (0, 1), (1, 2), (0, 2)))
    places = [LawnPlace(row, side) for side in ("left", "center", "right")[first : last + 1]]  # type: ignore[arg-type]
    return frozenset(places), frozenset(die.number for at in places for die in table.on(at))
