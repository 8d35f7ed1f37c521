"""Every legal story that a view of the table can tell, from a position on, with its weight.

The rules themselves give the steps (`Position.apply`), so every story is legal. What a table shows
factorises into the Lawn's rows and the owners' pools (`engine.fitting`), which gives an upper bound
for all that can follow a step: the search leaves out only what is certainly far worse than the best.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from typing import TypeAlias

from engine.actions import Action, Elect, Place, shared_rolled
from engine.dice import DICE_PER_PLAYER
from engine.fitting import LATER_TURN, MOST_TURNS, UNSEEN_ROLL, Fit
from engine.lawn import is_blocked
from engine.parts import is_solo
from engine.pools import ONE, any_of, contains, excess, packed, size, unpacked
from engine.position import Position
from engine.reach import Reach
from engine.story_parts import (
    NOT_YET,
    Steps,
    Story,
    chance_of,
    common,
    replaced,
    rolled_eight,
    row_reach,
    staying,
    throws_of,
    was_grind,
    without,
)
from engine.touches import Touched, pushed_moved, touch_factor

CLEARLY = 1e-4
"""Stories weighing less than this share of the best are left out."""

TURNS = 2
"""Turns with a placement that a view may lag behind."""

_LOST_TURNS = 3  # and turns lost between them
_AS_PUSHED = 0.05  # a die that was rolled lies beside the Lawn as a push leaves it
MOST_VISITS = 1500
"""Positions weighed where most dice are hidden, or much has happened unseen; what is left then counts as one
rival story."""

_MISREAD_DICE = 2  # of eight that lie there, at most
_UNSEEN_OF_EIGHT = 2  # dice of a Big Roll that may be overlooked
_MISREAD = 3e-3  # a die that lies shows another face than it was taken to show before


_Acted: TypeAlias = tuple[bool, ...]
"""Per seat whether its dice were rolled in the steps."""

_Node: TypeAlias = tuple[Position, Steps, float, tuple[int, ...], int, _Acted]
"""As `_Search.offer` takes it."""


def stories(
    position: Position,
    fits: Sequence[Fit],
    touched: Sequence[Touched],
    pushed: int = 0,
    least: float = 0.0,
    *,
    prior: float = 1.0,
    turns: int = TURNS,
    visits: int = MOST_VISITS,
) -> list[Story]:
    """All stories worth a look, the heaviest first.

    touched: of each sorting of the dice in `fits`, which have been touched.
    pushed: in phase re-entry the face that the displaced die had on the Lawn, 0 if unknown.
    least: leave out stories that weigh less. prior: the weight of the position itself.
    turns: how many turns with a placement the view may lag behind, MOST_TURNS at most; with 1 the
        next player may have rolled too.
    visits: how many positions are weighed at most.

    If there are too many to be weighed, the last one has fit 0 and stands for all the others: it
    weighs as much as any of them can.
    """
    found: list[Story] = []
    best, unseen = least / CLEARLY, 0.0
    for n, (fit, each) in enumerate(zip(fits, touched, strict=True), 1):
        search = _Search(position, pushed, fit, each, best, min(turns, MOST_TURNS), visits // n)
        kept = tuple(map(packed, position.rows))
        if position.phase == "boundary-roll":
            kept = replaced(kept, position.turn, staying(position))
        nobody = (False,) * len(position.rows)
        search.offer(position, (), prior * fit.sight.weight, kept, turns, nobody, pushed)
        search.run()
        found += search.found
        best, unseen = max(best, search.best), max(unseen, search.unseen)
    found = [story for story in found if story.weight >= best * CLEARLY]
    found.sort(key=lambda story: -story.weight)
    if unseen > best * CLEARLY:
        found.append(Story(unseen, 0.0, (), position))
    return found


class _Search:
    def __init__(
        self,
        start: Position,
        pushed: int,
        fit: Fit,
        touched: Touched,
        best: float,
        turns: int,
        most_visits: int,
    ) -> None:
        self.fit = fit
        self.start = start
        self.pushed = pushed
        self.touched = touched
        self.best = best
        self.turns = turns
        self.most_visits = most_visits
        self.touches: dict[object, float] = {}
        self.reach = Reach(fit, touched, start, turns)
        self.visits = 0
        self.unseen = 0.0
        self.open: list[tuple[float, int, _Node]] = []
        self.found: list[Story] = []

    def least(self) -> float:
        """What weighs less is left out."""
        return self.best * CLEARLY

    def offer(
        self,
        position: Position,
        steps: Steps,
        prior: float,
        kept: tuple[int, ...],
        turns: int,
        acted: _Acted,
        pushed: int,
    ) -> None:
        """Weigh a position as what the table shows; keep it to see what can follow it.

        kept, acted: as of `touch_factor`. turns: how many placements may still follow.
        """
        if prior * self.fit.bound(position, turns, 0.0) < self.least():
            return
        self._weigh(position, steps, prior, kept, acted, pushed)
        self.visits += 1
        floor = self.least() / prior if prior > 0 else 0.0
        bound = prior * self.reach.later(position, kept, acted, turns, bool(steps), floor)
        if bound >= self.least() and bound > 0:
            node = position, steps, prior, kept, turns, acted
            heappush(self.open, (-bound, self.visits, node))

    def run(self) -> None:
        """Follow what has been offered, the most promising first, until nothing can matter."""
        while self.open:
            bound, _, node = heappop(self.open)
            if -bound < self.least():
                return
            if self.visits > self.most_visits:
                self.unseen = -bound
                return
            self._expand(*node)

    def _expand(
        self,
        position: Position,
        steps: Steps,
        prior: float,
        kept: tuple[int, ...],
        turns: int,
        acted: _Acted,
    ) -> None:
        phase = position.phase
        if phase == "big-roll" or (phase == "tie-break" and not rolled_eight(steps, position)):
            self._big_rolls(position, steps, prior, kept, acted)
        elif phase == "bonus-choice":
            action = Elect(position.opening.elections(position.turn)[0])  # R6
            after = position.apply(action)
            self.offer(after, (*steps, (action, after)), prior, kept, turns, acted, 0)
        elif phase == "boundary-choice":
            self._edges(position, steps, prior, kept, turns, acted)
        elif phase == "boundary-roll":
            self._rolls(position, steps, prior, kept, turns, acted)
        elif phase == "grind-roll":
            if not (steps and steps[-1][1].phase == phase and was_grind(steps)):
                prior *= UNSEEN_ROLL if steps else 1.0
                self._rolls(position, steps, prior, kept, turns, acted)
        elif phase == "placement":
            self._placements(position, steps, prior, kept, turns, acted)
        elif phase == "re-entry":
            self._re_entries(position, steps, prior, kept, turns, acted)

    def _weigh(
        self,
        position: Position,
        steps: Steps,
        prior: float,
        kept: tuple[int, ...],
        acted: _Acted,
        pushed: int,
    ) -> None:
        likelihood = self.fit.likelihood(position, pushed, bool(steps))
        touched = touch_factor(self.start, position, steps, kept, self.touched, acted, self.touches)
        weight = prior * touched * likelihood
        if weight <= 0 or weight < self.least():
            return
        self.best = max(self.best, weight)
        # How likely it is that the dice were touched so is part of how well the story fits.
        fit = self.fit.share(position, likelihood) * max(touched, 1e-9)
        own = prior * touched / self.fit.sight.weight
        unseen = bool(steps) and position.phase == "grind-roll"
        self.found.append(Story(weight, fit, steps, position, own, pushed, unseen=unseen))

    # --- steps ------------------------------------------------------------------------------

    def _big_rolls(
        self,
        position: Position,
        steps: Steps,
        prior: float,
        kept: tuple[int, ...],
        acted: _Acted,
    ) -> None:
        pool = self.fit.pools[position.turn]
        parts = [part for part, _ in pool.likeliest(DICE_PER_PLAYER, 1e-4)]
        for unseen in range(1, 1 + _UNSEEN_OF_EIGHT):  # they may show anything
            if not parts:
                seen = pool.likeliest(DICE_PER_PLAYER - unseen, 0.05)
                parts = list({part + more for part, _ in seen for more in any_of(unseen)})
        now = _with(acted, position.turn)
        for part in parts:
            thrown = unpacked(part)
            action = shared_rolled(thrown)
            after = position.apply(action)
            chance = chance_of(thrown)
            # Seats are logged in order: what lies there may be thrown already.
            lay = self.touched.sure[position.turn] if self.touched.sure else 0
            lies = common(part, lay)  # some of it may be misread
            thrown_before = size(lay) - size(lies) <= _MISREAD_DICE
            if position.phase == "tie-break":  # unless these are the dice of the roll before
                thrown_before &= not contains(packed(position.rows[position.turn]), lay)
            grown = replaced(kept, position.turn, lies if thrown_before else 0)
            if position.phase == "tie-break":
                chance = max(chance, self.fit.shown(position, part))
            else:
                chance *= self._thrown_now(position.turn, part)
            # No turn after the roll in the same view: the roll itself would not have been seen.
            self.offer(after, (*steps, (action, after)), prior * chance, grown, 0, now, 0)

    def _thrown_now(self, seat: int, part: int) -> float:
        """How likely eight dice were thrown since the view before, or lay there as they lie now."""
        touched = self.touched
        lay = touched.before[seat] if touched.before else 0
        if size(lay) < DICE_PER_PLAYER:
            return 1.0
        # What lies untouched shows what it showed, however doubtful that was.
        moved = max(0, DICE_PER_PLAYER - touched.same[seat])
        again = float(_MISREAD ** min(excess(part, lay), moved))
        return again if touched.same[seat] else max(again, NOT_YET)

    def _edges(
        self,
        position: Position,
        steps: Steps,
        prior: float,
        kept: tuple[int, ...],
        turns: int,
        acted: _Acted,
    ) -> None:
        lost = sum(each.phase == "boundary-choice" for _, each in steps) + turns - self.turns
        if turns == 0 and (self.turns != 1 or lost > 1):
            return
        if lost >= _LOST_TURNS + TURNS:
            return
        if steps:
            prior *= LATER_TURN * (UNSEEN_ROLL if acted[position.turn] else 1.0)
        choices = position.legal_actions()
        for action in choices:
            after = position.apply(action)
            row = position.rows[position.turn]
            edge = row[0] if after.edge == "low" else row[-1]
            rolled = ONE[edge - 1] * row.count(edge)
            # What was rolled in an earlier turn is no longer known to lie untouched either.
            left = without(kept[position.turn], rolled)
            now = replaced(kept, position.turn, left)
            grown = (*steps, (action, after))
            self.offer(after, grown, prior / len(choices), now, turns, acted, 0)

    def _rolls(
        self,
        position: Position,
        steps: Steps,
        prior: float,
        kept: tuple[int, ...],
        turns: int,
        acted: _Acted,
    ) -> None:
        """The throws of a boundary set, or in the grind of all dice."""
        turn = position.turn
        count = position.dice_in_the_air
        pool = self.fit.pools[turn]
        stays = staying(position)
        if position.phase == "grind-roll":
            kept = replaced(kept, turn, 0)
        now = _with(acted, turn)
        throws, least = [], self.least() / prior if prior > 0 else 0.0
        placing = self.reach.usual and position.phase == "boundary-roll"
        others = 0.0 if placing else self.fit.bound(position, turns, 0.0) / pool.best
        solo = not placing and is_solo(turn, position.rows)
        for thrown, chance in throws_of(pool, stays, count):
            row = stays + packed(thrown)
            if placing:
                most = self.reach.placing(position, kept, now, turns, row, True, least / chance)
            else:
                most = others * self._most(position, row, solo)
            if chance * most >= least:
                throws.append((chance * most, chance, thrown))
        throws.sort(key=lambda each: -each[0])
        for most, chance, thrown in throws:
            if prior * most < self.least():
                return
            action = shared_rolled(thrown)
            after = position.apply(action)
            grown = (*steps, (action, after))
            self.offer(after, grown, prior * chance, kept, turns, now, 0)

    def _most(self, position: Position, row: int, solo: bool) -> float:
        """What a roll that leaves this row, and what follows it, can weigh at most, the prior and what others
        show aside. solo: nobody else plays."""
        pool = self.fit.pools[position.turn]
        reach = row_reach(pool, row)
        if solo and is_blocked(unpacked(row), position.locked):
            return max(reach, pool.best)
        return max(reach, 0.1 * self.fit.far_reach(position.turn, row))

    def _placements(
        self,
        position: Position,
        steps: Steps,
        prior: float,
        kept: tuple[int, ...],
        turns: int,
        acted: _Acted,
    ) -> None:
        if turns == 0:
            return
        choices = position.legal_actions()
        turn = position.turn
        ways = [
            (action, position.apply(action))
            for action in choices
            if prior / len(choices) * self._way(position, kept, acted, turns, action)
            >= self.least()
        ]
        ways.sort(key=lambda way: -self.fit.lawn(way[1].lawn)[0])
        for action, after in ways:
            assert isinstance(action, Place)
            left = packed(after.rows[turn])
            now = replaced(kept, turn, common(kept[turn], left))
            grown = (*steps, (action, after))
            pushed = action.face if after.phase == "re-entry" else 0
            self.offer(after, grown, prior / len(choices), now, turns - 1, acted, pushed)

    def _way(
        self,
        position: Position,
        kept: tuple[int, ...],
        acted: _Acted,
        turns: int,
        action: Action,
    ) -> float:
        """What a placement, and what follows it, can weigh at most, prior aside."""
        if not self.reach.usual:
            return self.fit.bound(position, turns, 0.0)
        assert isinstance(action, Place)
        return self.reach.placed(position, kept, acted, turns, action)

    def _re_entries(
        self,
        position: Position,
        steps: Steps,
        prior: float,
        kept: tuple[int, ...],
        turns: int,
        acted: _Acted,
    ) -> None:
        owner = position.displaced
        there = self.fit.sight.in_own_row(owner)
        if there is None:
            prior *= 0.5
        else:
            prior *= 0.9 if there > len(position.rows[owner]) + 0.5 else 0.3
        pushed = getattr(steps[-1][0], "face", 0) if steps else self.pushed
        home = there is not None and there > len(position.rows[owner]) + 0.5
        stays = bool(pushed) and not home and self.fit.lies_beside(owner, pushed) is not False
        if not steps and pushed_moved(self.touched, owner, kept[owner]):
            stays = False  # it was taken up since, as for a roll
        came = _with(acted, owner)
        for face in range(1, 7):
            action = shared_rolled((face,))
            after = position.apply(action)
            # As it was pushed off, it lies and shows its row's face: hardly a roll.
            chance = prior / 6 * (_AS_PUSHED if stays and face == pushed else 1.0)
            self.offer(after, (*steps, (action, after)), chance, kept, turns, came, 0)


def _with(acted: _Acted, seat: int) -> _Acted:
    return (*acted[:seat], True, *acted[seat + 1 :])
