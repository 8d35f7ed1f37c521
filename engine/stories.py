"""Every legal story that a view of the table can tell, from the expected position on, with its weight.

The rules themselves give the steps (`Position.apply`), so every story is legal. What a table shows
factorises into the Lawn's rows and the owners' pools (`engine.sight`), which gives an upper bound for
all that can follow a step: the search leaves out only what is certainly far worse than the best.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TypeAlias

from engine.actions import Elect, Place, chance_table, shared_rolled
from engine.dice import DICE_PER_PLAYER, Faces
from engine.lawn import NEUTRAL, Lawn, is_blocked
from engine.parts import is_solo
from engine.pools import ONE, Pool, contains, excess, packed, size, unpacked
from engine.position import Position
from engine.sight import Sight
from engine.story_parts import (
    Steps,
    Story,
    any_dice,
    chance_of,
    common,
    in_limbo,
    only_face,
    picked,
    replaced,
    rolled_eight,
    rolled_in,
    row_reach,
    staying,
    was_grind,
    without,
)

CLEARLY = 1e-4
"""Stories weighing less than this share of the best are left out."""

TURNS = 2
"""Turns with a placement that a view may lag behind."""

MOST_TURNS = 3
"""The same where nothing else fits."""

_LOST_TURNS = 3  # and turns lost between them
_LATER_TURN = 0.3  # prior of each turn begun after the first
_TOUCHED = 1e-5  # an untouched die was rolled after all
_UNSEEN_ROLL = 0.1  # a roll is rolled over before it was seen
_MOVED = 0.6  # dice were moved, or hidden for a moment, but not rolled
_EDGE_MOVED = 0.4  # the same for a die that was pushed off and is not rolled yet
_IN_HAND = 0.2  # the dice that are rolled are in a hand
_IN_ITS_ROW = 1e-5  # a pushed die that lies in its owner's row is not rolled yet
_NEW_TURN = 0.05  # no turn to come can have a prior above this: one throw in six, _LATER_TURN
_CHANGE = 1 / 6  # nor can a row that has been played from change without a throw
MOST_VISITS = 5000
"""Positions weighed where most dice are hidden; what is left then counts as one rival story."""

_PLAIN_WAY = 3  # dice whose throws are listed one by one


_Node: TypeAlias = tuple[Position, Steps, float, tuple[int, ...], int]


def stories(
    position: Position,
    sights: list[Sight],
    untouched: tuple[int, ...],
    pushed: int = 0,
    entered: tuple[float, ...] = (),
    least: float = 0.0,
    *,
    prior: float = 1.0,
    turns: int = TURNS,
    same: tuple[int, ...] = (),
    visits: int = MOST_VISITS,
) -> list[Story]:
    """All stories worth a look, the heaviest first.

    untouched: per seat the packed faces of dice off the Lawn that nobody has touched since the
        table showed the position.
    pushed: in phase re-entry the face that the displaced die had on the Lawn, 0 if unknown.
    entered: in phase re-entry the chances of the faces 1..6 that earlier views gave to its roll.
    least: leave out stories that weigh less. prior: the weight of the position itself.
    turns: how many turns with a placement the view may lag behind, MOST_TURNS at most; with 1 the
        next player may have rolled too.
    same: per seat how many dice off the Lawn were there before, if that is known.
    visits: how many positions are weighed at most.

    If there are too many to be weighed, the last one has fit 0 and stands for all the others: it
    weighs as much as any of them can.
    """
    found: list[Story] = []
    best, unseen = least / CLEARLY, 0.0
    for n, sight in enumerate(sights, 1):
        search = _Search(sight, untouched, best, entered, turns, same, visits // n)
        kept = tuple(map(packed, position.rows))
        search.offer(position, (), prior * sight.weight, kept, turns, pushed)
        search.run()
        found += search.found
        best, unseen = max(best, search.best), max(unseen, search.unseen)
    found = [story for story in found if story.weight >= best * CLEARLY]
    found.sort(key=lambda story: -story.weight)
    if unseen > best * CLEARLY:
        found.append(Story(unseen, 0.0, (), position))
    return found


def fit_of(position: Position, sight: Sight) -> float:
    """How well the table shows just this position: 1 is as well as any could be shown."""
    return likelihood_of(position, sight) / sight.best


def likelihood_of(position: Position, sight: Sight, pushed: int = 0) -> float:
    """P(view | the table shows just this position), in one sorting of the view's dice."""
    return _Search(sight, (0,) * sight.seen.seats, 0.0, (), TURNS, (), 0).likelihood(
        position, pushed
    )


class _Search:
    def __init__(
        self,
        sight: Sight,
        untouched: tuple[int, ...],
        best: float,
        entered: tuple[float, ...],
        turns: int,
        same: tuple[int, ...],
        most_visits: int,
    ) -> None:
        self.most_visits = most_visits
        self.entered = entered
        self.turns = turns
        self.same = same
        self.visits = 0
        self.unseen = 0.0
        self.open: list[tuple[float, int, _Node]] = []
        self.sight = sight
        self.untouched = untouched
        self.best = best
        self.found: list[Story] = []
        self.pools = [sight.pool(seat) for seat in range(sight.seen.seats)]
        self.bests = 1.0
        for pool in self.pools:
            self.bests *= pool.best
        self._lawns: dict[Lawn, tuple[float, ...]] = {}
        self._far: dict[tuple[int, int], float] = {}
        self.neutral = sight.pool(NEUTRAL) if sight.seen.seats == 2 else None
        if self.neutral:
            self.bests *= self.neutral.best

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
        bound = prior * self._bound(position, turns)
        if bound < self.best * CLEARLY:
            return
        self._weigh(position, steps, prior, kept, pushed)
        self.visits += 1
        heappush(self.open, (-bound, self.visits, (position, steps, prior, kept, turns)))

    def run(self) -> None:
        """Follow what has been offered, the most promising first, until nothing can matter."""
        while self.open:
            bound, _, node = heappop(self.open)
            if -bound < self.best * CLEARLY:
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
                prior *= _UNSEEN_ROLL if steps else 1.0
                self._rolls(position, steps, prior, kept, turns)
        elif phase == "placement":
            self._placements(position, steps, prior, kept, turns)
        elif phase == "re-entry":
            self._re_entries(position, steps, prior, kept, turns)

    # --- weighing ---------------------------------------------------------------------------

    def _weigh(
        self,
        position: Position,
        steps: Steps,
        prior: float,
        kept: tuple[int, ...],
        pushed: int,
    ) -> None:
        likelihood = self.likelihood(position, pushed)
        prior_then = prior / self.sight.weight
        for seat, part in enumerate(self.untouched):
            if part and not contains(kept[seat], part):
                # What is not in the row at all is misread, and weighed so.
                there = packed(position.rows[seat])
                touched = float(_TOUCHED ** max(0, excess(part, kept[seat]) - excess(part, there)))
                likelihood *= touched
                prior_then *= touched
        for seat, there in enumerate(self.same):
            moved = _MOVED if size(kept[seat]) > there else 1.0
            if not steps and position.phase == "re-entry" and seat == position.displaced:
                moved = _EDGE_MOVED if size(kept[seat]) + 1 > there else 1.0
            likelihood *= moved
            prior_then *= moved
        weight = prior * likelihood
        if weight <= 0 or weight < self.best * CLEARLY:
            return
        self.best = max(self.best, weight)
        fit = likelihood / self.sight.best
        self.found.append(Story(weight, fit, steps, position, prior_then))

    def likelihood(self, position: Position, pushed: int) -> float:
        """P(view | the table shows this position)."""
        likelihood = self._lawn(position.lawn)[0]
        opening, phase = position.opening, position.phase
        for seat, faces in enumerate(position.rows):
            pool, row = self.pools[seat], packed(faces)
            if phase == "big-roll" and not opening.big_rolls[seat]:
                likelihood *= any_dice(pool)
            elif phase == "re-entry" and seat == position.displaced:
                likelihood *= in_limbo(pool, row, pushed)
                there = self.sight.in_own_row(seat)
                if there is not None and there > len(faces) + 0.5:
                    likelihood *= _IN_ITS_ROW
            else:
                each = pool.likelihood(row)
                if seat == position.turn and phase in ("boundary-roll", "grind-roll"):
                    lies = 1.0 if phase == "grind-roll" else 0.0
                    each = max(_IN_HAND * pool.likelihood(staying(position)), lies * each)
                if seat == position.turn and phase == "placement" and row:
                    each = max(each, _IN_HAND * picked(pool, faces))
                if phase == "tie-break" and seat >= position.turn and seat in opening.tied():
                    each = max(each, any_dice(pool))
                likelihood *= each
        if self.neutral:
            taken = [face for faces in position.captured for face in faces]
            likelihood *= self.neutral.likelihood(packed(tuple(sorted(taken))))
        return likelihood

    def _bound(self, position: Position, turns: int) -> float:
        """What anything that follows a position can weigh at most, prior aside."""
        lawn = self._lawn(position.lawn)
        free = lawn[turns + MOST_TURNS + 1]
        if free * self.bests < self.best * CLEARLY:
            return 0.0
        phase, turn = position.phase, position.turn
        here = phase == "placement"
        costly = max(lawn[k] * _NEW_TURN ** max(0, k - here) for k in range(turns + 1))
        if phase in ("boundary-choice", "boundary-roll") and turns:
            costly = max(costly, *(lawn[k] for k in range(min(turns, 1) + 1)))
        if phase in ("big-roll", "bonus-choice", "tie-break"):
            return free * self._opening_bound(position)
        bound = 1.0
        for seat, faces in enumerate(position.rows):
            pool = self.pools[seat]
            if seat == turn and phase not in ("re-entry", "placement"):
                bound *= pool.best
            elif seat == turn and phase == "placement":
                bound *= max(row_reach(pool, packed(faces)), _CHANGE * pool.best)
            else:
                bound *= max(pool.likelihood(packed(faces)), _CHANGE * pool.best)
        if self.neutral:
            bound *= self.neutral.best
        return min(costly * self.bests, free * bound)

    def _opening_bound(self, position: Position) -> float:
        """As `_bound`, of the rows alone, while eight dice at a time are rolled."""
        bound = 1.0
        for seat, faces in enumerate(position.rows):
            pool = self.pools[seat]
            to_roll = seat >= position.turn and position.phase != "bonus-choice"
            each = pool.likelihood(packed(faces)) if faces else any_dice(pool)
            if to_roll and (position.phase == "big-roll" or seat in position.opening.tied()):
                weights = [weight for _, weight in pool.likeliest(DICE_PER_PLAYER, 1.0)]
                rolled = max(weights, default=0.0) / 6.0**DICE_PER_PLAYER
                each = max(each, any_dice(pool), rolled)
            bound *= each
        return bound * (self.neutral.best if self.neutral else 1.0)

    def _lawn(self, lawn: Lawn) -> tuple[float, ...]:
        """Of a Lawn, the likelihood with its 0, 1, 2, 3 worst rows made to fit, and then the same
        again with the best of "up to so many"."""
        known = self._lawns.get(lawn)
        if known is None:
            bests = self.sight.row_bests
            ratios = sorted(
                self.sight.row(at, row) / best
                for (at, row), best in zip(enumerate(lawn), bests, strict=True)
            )
            whole = 1.0
            for best in bests:
                whole *= best
            values = []
            for k in range(MOST_TURNS + 1):
                value = whole
                for ratio in ratios[k:]:
                    value *= ratio
                values.append(value)
            most = [max(values[: k + 1]) for k in range(MOST_TURNS + 1)]
            known = self._lawns[lawn] = (*values, *most)
        return known

    # --- steps ------------------------------------------------------------------------------

    def _big_rolls(
        self,
        position: Position,
        steps: Steps,
        prior: float,
        kept: tuple[int, ...],
    ) -> None:
        pool = self.pools[position.turn]
        for part, _ in pool.likeliest(DICE_PER_PLAYER, 1e-4):
            thrown = unpacked(part)
            action = shared_rolled(thrown)
            after = position.apply(action)
            chance = chance_of(thrown)
            # Seats are logged in order: what lies there may be thrown already.
            lay = self.untouched[position.turn]
            thrown_before = position.phase == "big-roll" and contains(part, lay)
            grown = replaced(kept, position.turn, lay if thrown_before else 0)
            # No turn after the roll in the same view: the roll itself would not have been seen.
            self.offer(after, (*steps, (action, after)), prior * chance, grown, 0, 0)

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
            prior *= _LATER_TURN * (_UNSEEN_ROLL if rolled_in(steps, position.turn) else 1.0)
            if len(steps) == 1 and self.entered:
                # The die was seen to enter its row before the next player acted.
                prior *= 6 * self.entered[only_face(steps[0][0]) - 1]
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
        pool = self.pools[turn]
        stays = staying(position)
        if position.phase == "grind-roll":
            kept = replaced(kept, turn, 0)
        solo = is_solo(turn, position.rows)
        others = self._bound(position, turns) / pool.best
        throws = [
            (prior * chance * others, row_reach(pool, stays + packed(thrown)), thrown, chance)
            for thrown, chance in self._throws(pool, stays, count, solo)
        ]
        throws.sort(key=lambda each: -each[0] * each[1])
        for here, reach, thrown, chance in throws:
            least = self.best * CLEARLY
            if here * reach < least:
                after_row = stays + packed(thrown)
                grinds = solo and is_blocked(unpacked(after_row), position.locked)
                bound = pool.best if grinds else 0.1 * self._far_reach(turn, after_row)
                if here * bound < least:
                    continue
            action = shared_rolled(thrown)
            after = position.apply(action)
            self.offer(after, (*steps, (action, after)), prior * chance, kept, turns, 0)

    def _far_reach(self, seat: int, row: int) -> float:
        """The best likelihood of a row that a pushed die enters again, after or without a
        placement."""
        known = self._far.get((seat, row))
        if known is None:
            pool, faces = self.pools[seat], unpacked(row)
            bases = {row, row - ONE[faces[0] - 1], row - ONE[faces[-1] - 1]}
            known = max(pool.likelihood(base + one) for base in bases for one in ONE)
            self._far[seat, row] = known
        return known

    def _throws(self, pool: Pool, stays: int, count: int, solo: bool) -> list[tuple[Faces, float]]:
        if count <= _PLAIN_WAY or solo or pool.seen < size(stays):
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
        ways.sort(key=lambda way: -self._lawn(way[1].lawn)[0])
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
        there = self.sight.in_own_row(owner)
        if there is None:
            prior *= 0.5
        else:
            prior *= 0.9 if there > len(position.rows[owner]) + 0.5 else 0.3
        for face in range(1, 7):
            action = shared_rolled((face,))
            after = position.apply(action)
            self.offer(after, (*steps, (action, after)), prior / 6, kept, turns, 0)
