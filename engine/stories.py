"""Every legal story that a view of the table can tell, from a position on, with its weight.

The rules themselves give the steps (`Position.apply`), so every story is legal. What a table shows
factorises into the Lawn's rows and the owners' pools (`engine.fitting`), which gives an upper bound
for all that can follow a step: the search leaves out only what is certainly far worse than the best.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import TypeAlias

from engine.actions import Elect, Place, chance_table, shared_rolled
from engine.dice import DICE_PER_PLAYER, Faces
from engine.fitting import MOST_TURNS, UNSEEN_ROLL, Fit
from engine.lawn import is_blocked
from engine.parts import is_solo
from engine.pools import ONE, Pool, contains, excess, packed, size, unpacked
from engine.position import Position
from engine.story_parts import (
    NOT_YET,
    Loose,
    Steps,
    Story,
    acted_in,
    chance_of,
    common,
    replaced,
    rolled_eight,
    row_reach,
    staying,
    was_grind,
    without,
)

CLEARLY = 1e-4
"""Stories weighing less than this share of the best are left out."""

TURNS = 2
"""Turns with a placement that a view may lag behind."""

_LOST_TURNS = 3  # and turns lost between them
_LATER_TURN = 0.3  # prior of each turn begun after the first
_TOUCHED = 1e-4  # a die that lies where it lay was rolled after all, or misread before
_PASSED_OVER = 3e-3  # the same of a die that looks untouched but has a new key
_TIDIED = 0.6  # dice of a row into which some were just rolled are moved: it is put in order
_TIDIED_LATE = 0.1  # the same, but the player comes to roll again: they are moved to be rolled
_DISORDER = 0.03  # the same, but the row is not in order then
_AS_PUSHED = 0.05  # a die that was rolled lies beside the Lawn as a push leaves it
_LEFT_LYING = 0.3  # a row is rolled from before it was put in order
_LIKE_ORDER = 0.4  # dice that were just rolled lie in order
_FIDDLED = 0.02  # dice are moved, or hidden for a moment, without any reason
_EDGE_MOVED = 0.4  # a die that was pushed off is moved before it is rolled
MOST_VISITS = 5000
"""Positions weighed where most dice are hidden; what is left then counts as one rival story."""

_MISREAD = 3e-3  # a die that lies shows another face than it was taken to show before
_PLAIN_WAY = 3  # dice whose throws are listed one by one


@dataclass(frozen=True, slots=True)
class Touched:
    """What the dice themselves tell since the view before: which have been touched.

    sure: per seat the packed faces of the dice off the Lawn that lie where they lay and are read
        without doubt.
    same: per seat how many dice off the Lawn lie where they lay, touched or only passed over;
        () where that is not known.
    over: per seat how many of these were passed over, so that they may be others that look alike.
    ghosts: per seat how many of these may be no dice at all.
    seen: per seat how many dice are seen off the Lawn. before: per seat the packed faces of those
        that were seen in the view before, as they were read.
    lawn: rows 0..5 of the Lawn in which a die lies otherwise than in the view before.
    loose: per seat what came to its row before, so that it may yet be put in order.
    ordered: per seat whether its row lies in order; None where that cannot be said.
    """

    sure: tuple[int, ...] = ()
    same: tuple[int, ...] = ()
    over: tuple[int, ...] = ()
    ghosts: tuple[int, ...] = ()
    seen: tuple[int, ...] = ()
    before: tuple[int, ...] = ()
    lawn: frozenset[int] = frozenset()
    loose: tuple[Loose, ...] = ("",) * 3
    ordered: tuple[bool | None, ...] = (None,) * 3


_Node: TypeAlias = tuple[Position, Steps, float, tuple[int, ...], int]


def stories(
    position: Position,
    fits: Sequence[Fit],
    touched: Touched,
    pushed: int = 0,
    least: float = 0.0,
    *,
    prior: float = 1.0,
    turns: int = TURNS,
    visits: int = MOST_VISITS,
) -> list[Story]:
    """All stories worth a look, the heaviest first.

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
    for n, fit in enumerate(fits, 1):
        search = _Search(position, pushed, fit, touched, best, min(turns, MOST_TURNS), visits // n)
        kept = tuple(map(packed, position.rows))
        if position.phase == "boundary-roll":
            kept = replaced(kept, position.turn, staying(position))
        search.offer(position, (), prior * fit.sight.weight, kept, turns, pushed)
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
        pushed: int,
    ) -> None:
        """Weigh a position as what the table shows; keep it to see what can follow it."""
        bound = prior * self.fit.bound(position, turns, 0.0)
        if bound < self.least():
            return
        self._weigh(position, steps, prior, kept, pushed)
        self.visits += 1
        heappush(self.open, (-bound, self.visits, (position, steps, prior, kept, turns)))

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
    ) -> None:
        phase = position.phase
        if phase == "big-roll" or (phase == "tie-break" and not rolled_eight(steps, position)):
            self._big_rolls(position, steps, prior, kept)
        elif phase == "bonus-choice":
            action = Elect(position.opening.elections(position.turn)[0])  # R6
            after = position.apply(action)
            self.offer(after, (*steps, (action, after)), prior, kept, turns, 0)
        elif phase == "boundary-choice":
            self._edges(position, steps, prior, kept, turns)
        elif phase == "boundary-roll":
            self._rolls(position, steps, prior, kept, turns)
        elif phase == "grind-roll":
            if not (steps and steps[-1][1].phase == phase and was_grind(steps)):
                prior *= UNSEEN_ROLL if steps else 1.0
                self._rolls(position, steps, prior, kept, turns)
        elif phase == "placement":
            self._placements(position, steps, prior, kept, turns)
        elif phase == "re-entry":
            self._re_entries(position, steps, prior, kept, turns)

    def _weigh(
        self,
        position: Position,
        steps: Steps,
        prior: float,
        kept: tuple[int, ...],
        pushed: int,
    ) -> None:
        likelihood = self.fit.likelihood(position, pushed, bool(steps))
        touched = touch_factor(self.start, position, steps, kept, self.touched)
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
    ) -> None:
        pool = self.fit.pools[position.turn]
        parts = [part for part, _ in pool.likeliest(DICE_PER_PLAYER, 1e-4)]
        if not parts:  # one die is not seen: it may show anything
            seen = pool.likeliest(DICE_PER_PLAYER - 1, 0.05)
            parts = list({part + one for part, _ in seen for one in ONE})
        for part in parts:
            thrown = unpacked(part)
            action = shared_rolled(thrown)
            after = position.apply(action)
            chance = chance_of(thrown)
            # Seats are logged in order: what lies there may be thrown already.
            lay = self.touched.sure[position.turn] if self.touched.sure else 0
            thrown_before = contains(part, lay)
            if position.phase == "tie-break":  # unless these are the dice of the roll before
                thrown_before &= not contains(packed(position.rows[position.turn]), lay)
            grown = replaced(kept, position.turn, lay if thrown_before else 0)
            if position.phase == "big-roll":
                chance *= self._thrown_now(position.turn, part)
            # No turn after the roll in the same view: the roll itself would not have been seen.
            self.offer(after, (*steps, (action, after)), prior * chance, grown, 0, 0)

    def _thrown_now(self, seat: int, part: int) -> float:
        """How likely eight dice were thrown since the view before, or lay there as they lie now."""
        touched = self.touched
        lay = touched.before[seat] if touched.before else 0
        if size(lay) < DICE_PER_PLAYER:
            return 1.0
        again = float(_MISREAD ** excess(part, lay))
        return again if touched.same[seat] else max(again, NOT_YET)

    def _edges(
        self,
        position: Position,
        steps: Steps,
        prior: float,
        kept: tuple[int, ...],
        turns: int,
    ) -> None:
        lost = sum(each.phase == "boundary-choice" for _, each in steps) + turns - self.turns
        if turns == 0 and (self.turns != 1 or lost > 1):
            return
        if lost >= _LOST_TURNS + TURNS:
            return
        if steps:
            prior *= _LATER_TURN * (
                UNSEEN_ROLL if acted_in(self.start, steps, position.turn) else 1.0
            )
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
            self.offer(after, grown, prior / len(choices), now, turns, 0)

    def _rolls(
        self,
        position: Position,
        steps: Steps,
        prior: float,
        kept: tuple[int, ...],
        turns: int,
    ) -> None:
        """The throws of a boundary set, or in the grind of all dice."""
        turn = position.turn
        count = position.dice_in_the_air
        pool = self.fit.pools[turn]
        stays = staying(position)
        if position.phase == "grind-roll":
            kept = replaced(kept, turn, 0)
        solo = is_solo(turn, position.rows)
        others = self.fit.bound(position, turns, 0.0) / pool.best
        throws = [
            (prior * chance * others, row_reach(pool, stays + packed(thrown)), thrown, chance)
            for thrown, chance in self._throws(pool, stays, count)
        ]
        throws.sort(key=lambda each: -each[0] * each[1])
        for here, reach, thrown, chance in throws:
            least = self.least()
            if here * reach < least:
                after_row = stays + packed(thrown)
                grinds = solo and is_blocked(unpacked(after_row), position.locked)
                bound = pool.best if grinds else 0.1 * self.fit.far_reach(turn, after_row)
                if here * bound < least:
                    continue
            action = shared_rolled(thrown)
            after = position.apply(action)
            self.offer(after, (*steps, (action, after)), prior * chance, kept, turns, 0)

    def _throws(self, pool: Pool, stays: int, count: int) -> list[tuple[Faces, float]]:
        if count <= _PLAIN_WAY or pool.seen < size(stays):
            return [(rolled.faces, chance) for rolled, chance in chance_table(count)]
        # Many dice: only throws that the seen dice allow, one die being placed or hidden.
        wanted: set[int] = set()
        for part, _ in pool.readings():
            rest = part - stays if contains(part, stays) else -1
            if rest < 0:
                for one in ONE:  # the placed die was one of those kept
                    if contains(part + one, stays):
                        wanted.add(part + one - stays)
                continue
            wanted.add(rest)
            wanted.update(rest + one for one in ONE)
        return [
            (faces, chance_of(faces))
            for faces in (unpacked(each) for each in wanted if size(each) == count)
        ]

    def _placements(
        self,
        position: Position,
        steps: Steps,
        prior: float,
        kept: tuple[int, ...],
        turns: int,
    ) -> None:
        if turns == 0:
            return
        choices = position.legal_actions()
        turn = position.turn
        ways = [(action, position.apply(action)) for action in choices]
        ways.sort(key=lambda way: -self.fit.lawn(way[1].lawn)[0])
        for action, after in ways:
            assert isinstance(action, Place)
            left = packed(after.rows[turn])
            now = replaced(kept, turn, common(kept[turn], left))
            grown = (*steps, (action, after))
            pushed = action.face if after.phase == "re-entry" else 0
            self.offer(after, grown, prior / len(choices), now, turns - 1, pushed)

    def _re_entries(
        self,
        position: Position,
        steps: Steps,
        prior: float,
        kept: tuple[int, ...],
        turns: int,
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
        for face in range(1, 7):
            action = shared_rolled((face,))
            after = position.apply(action)
            # As it was pushed off, it lies and shows its row's face: hardly a roll.
            chance = prior / 6 * (_AS_PUSHED if stays and face == pushed else 1.0)
            self.offer(after, (*steps, (action, after)), chance, kept, turns, 0)


def touch_factor(
    start: Position, position: Position, steps: Steps, kept: tuple[int, ...], touched: Touched
) -> float:
    """P(which dice were touched | the story), for dice off the Lawn.

    start: the position before the steps. kept: per seat the packed faces of the dice that the story
    leaves where they are.
    """
    factor = 1.0
    if any(
        position.lawn[row] == start.lawn[row] and not _played(steps, row + 1)
        for row in touched.lawn
    ):
        # Once, however many rows: a hand, a nudged mat or one found anew moves several together.
        factor *= _FIDDLED
    for seat, there in enumerate(touched.same):
        left, part = size(kept[seat]), touched.sure[seat]
        surely = 0
        if part and not contains(kept[seat], part):
            # What is not in the row at all is misread, and weighed so.
            row = packed(position.rows[seat])
            surely = max(0, excess(part, kept[seat]) - excess(part, row))
            over = min(surely, touched.over[seat])
            factor *= _TOUCHED ** (surely - over) * _PASSED_OVER**over
        pushed = not steps and position.phase == "re-entry" and seat == position.displaced
        more = there - touched.ghosts[seat] - left - pushed - surely
        if more > 0 and start.order:
            factor *= _PASSED_OVER**more
        rolled = acted_in(start, steps, seat)
        if rolled and touched.ordered[seat]:
            factor *= _LIKE_ORDER
        if rolled and touched.loose[seat]:
            factor *= _LEFT_LYING
        # A die that is overlooked may well be one of those that lie where they lay.
        unseen = max(0, len(position.rows[seat]) - touched.seen[seat])
        if pushed and there <= left < touched.seen[seat]:
            factor *= _EDGE_MOVED
        elif min(left - unseen, touched.seen[seat]) > there:
            if touched.loose[seat] or rolled:
                late = (
                    touched.loose[seat] == "rolled"
                    and not rolled
                    and seat == position.turn
                    and position.phase == "boundary-choice"
                )
                tidied = _TIDIED_LATE if late else _TIDIED
                if late and len(position.rows[seat]) == 1:
                    tidied = _FIDDLED  # a single die is in order as it lies
                factor *= _DISORDER if touched.ordered[seat] is False else tidied
            else:
                factor *= _FIDDLED
    return factor


def _played(steps: Steps, face: int) -> bool:
    return any(isinstance(action, Place) and action.face == face for action, _ in steps)
