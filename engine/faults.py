"""Faults that a table can show when no legal story explains it: which one, by whom, how likely.

The Lawn as it is seen is compared with the expected one; the pattern of what differs proposes
faults, and each is weighed with the same likelihoods as a legal story, so that a
proposal that the Player Rows contradict weighs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from engine.actions import chance_table
from engine.evidence import Die
from engine.fault_parts import PRIOR, Fault, is_inner, patterns, surely_off_lawn
from engine.fault_words import said
from engine.lawn import EMPTY, NEUTRAL, is_blocked, lock_owner, placements
from engine.pools import ONE, contains, excess, packed, size, unpacked
from engine.position import Position
from engine.sight import Sight
from engine.story_parts import common
from engine.touches import Touched, seat_touch
from engine.verdict import Kind

_RARER = 3e-4  # of a die turned, moved or changed without a play
_ROLLED_UNSEEN = 0.02  # chance from which on nobody can say whether there was a roll
_FIVE = tuple(31 * one for one in ONE)  # the dice of one face in a packed multiset
_DIFFERS = 0.05  # a place or row is not as expected below this share of what would fit best

_NOTHING = Touched()

Rolls: TypeAlias = Sequence[tuple[float, int]]
"""(prior, packed row) after each boundary roll."""


def faults(
    position: Position,
    ended: Position | None,
    sight: Sight,
    untouched: tuple[int, ...],
    seen_rolls: Rolls = (),
    touched: Touched = _NOTHING,
    lie: tuple[int, ...] = (),
) -> list[Fault]:
    """Every fault that the table may show, the heaviest first.

    position: at the beginning of a turn. untouched: per seat the packed faces of the dice that lie
    untouched since. seen_rolls: the rows that its boundary roll may have left, as far as views before
    have shown them, each with its share; what is left of 1 is not rolled yet. touched: which dice have
    been touched since, of the seats of whom that is known. lie: as untouched, where nothing has been rolled yet.
    """
    here = ended if ended is not None else position
    court = _Court(here, sight, untouched, seen_rolls, touched, lie=lie)
    found = court.judged(ended)
    if len(court.lost) == 1:  # that die may be overlooked only, and the fault another one
        other = _Court(here, sight, untouched, seen_rolls, touched, frozenset(court.lost), lie)
        found = [*found, *other.judged(ended)]
    return sorted(found, key=lambda fault: -fault.weight)


class _Court:
    def __init__(
        self,
        position: Position,
        sight: Sight,
        untouched: tuple[int, ...],
        seen_rolls: Rolls,
        touched: Touched,
        overlooked: frozenset[int] = frozenset(),
        lie: tuple[int, ...] = (),
    ) -> None:
        self.lie = lie
        self.position = position
        self.sight = sight
        self.untouched = untouched
        self.seen_rolls = seen_rolls
        self.touched = touched.since(position.rows)
        self.found: list[Fault] = []
        self.seats = range(sight.seen.seats)
        self.pools = [sight.pool(seat) for seat in self.seats]
        self.rows = [packed(row) for row in position.rows]
        self.still = [pool.likelihood(row) for pool, row in zip(self.pools, self.rows, strict=True)]
        self.moved = {s for s in self.seats if self.still[s] < _DIFFERS * self.pools[s].best}
        self.taken = packed(tuple(sorted(f for faces in position.captured for f in faces)))
        self.neutral = sight.pool(NEUTRAL) if len(self.seats) == 2 else None
        self.old = [owner for row in position.lawn for owner in row]
        self.new: list[tuple[int, int]] = []
        self.lawn = 1.0
        self.as_read: dict[int, float] = {}
        for spot, owner in enumerate(self.old):
            face = sight.tolerated.get(spot, spot // 3 + 1)
            expected = (owner, face if owner != EMPTY else 0)
            likeliest = sight.likeliest_cell(spot)
            there = sight.cell(spot, owner, face)
            other = sight.cell(spot, likeliest[0], likeliest[1] or 1)
            same = there >= _DIFFERS * other or spot in overlooked
            shown = expected if same else likeliest
            self.new.append(shown)
            turned = shown != expected and shown[0] == owner
            if turned:
                # A die that is read wrong costs every fault but that of turning it the same.
                self.as_read[spot] = other / max(there, 1e-12)
            self.lawn *= max(there if shown == expected or turned else other, 1e-12)
        self.gained = self._spots(lambda old, new: old == EMPTY != new[0])
        self.lost = self._spots(lambda old, new: old != EMPTY == new[0])
        self.swapped = self._spots(lambda old, new: EMPTY not in (old, new[0]) and old != new[0])
        self._rolled: dict[int, Rolls] = {}
        turn = position.turn
        self.lies = [each * self._touch(s, self.rows[s]) for s, each in enumerate(self.still)]
        # The chance that the player in turn is yet to roll, as far as views before have shown.
        self.unrolled = max(0.0, 1.0 - sum(share for share, _ in seen_rolls))
        self.lies[turn] *= self.unrolled
        for share, row in seen_rolls:
            self.lies[turn] = max(self.lies[turn], share * self.pools[turn].likelihood(row))

    def _spots(self, differs: Callable[[int, tuple[int, int]], bool]) -> list[int]:
        return [s for s, owner in enumerate(self.old) if differs(owner, self.new[s])]

    # --- weighing ---------------------------------------------------------------------------

    def _touch(self, seat: int, kept: int, rolled: bool = False) -> float:
        """P(which dice of the seat's row were touched | those of `kept` lie where they lay, and the others
        were rolled, or played); 1 where the view before did not show the row, so that nobody knows."""
        row = self.rows[seat]
        if not self.touched.same or not contains(self.touched.before[seat], row):
            return 1.0
        return seat_touch(self.touched, seat, kept, row, rolled, True)

    def add(
        self,
        kind: Kind,
        seat: int | None,
        rows: dict[int, float],
        *,
        neutral: float | None = None,
        prior: float = PRIOR,
        turned: Iterable[int] = (),
        **words: Any,
    ) -> None:
        """Propose a fault: `rows` gives prior times likelihood of the rows that are not as
        expected; `turned` the places whose die shows what is read, and not its row."""
        likelihood = self.lawn
        for spot in turned:
            likelihood *= self.as_read.get(spot, 1.0)
        for each in self.seats:
            likelihood *= rows.get(each, self.lies[each])
        if self.neutral:
            likelihood *= self.neutral.likelihood(self.taken) if neutral is None else neutral
        if kind != "captured-die-altered":
            likelihood *= self.touched.moved_captured(int(neutral is not None))
        if likelihood > 0:
            verdict = said(kind, self.position, seat, **words)
            self.found.append(Fault(prior * likelihood, self.sight.fit(likelihood), verdict))

    def rolls(self, seat: int) -> Rolls:
        """The seat's row after each boundary roll."""
        known = self._rolled.get(seat)
        if known is None:
            known = []
            row = self.position.rows[seat]
            seen = self.seen_rolls if seat == self.position.turn else ()
            known += seen
            yet = self.unrolled if seat == self.position.turn else 1.0
            for edge in dict.fromkeys((row[0], row[-1])) if row else ():
                count = row.count(edge)
                stays = packed(row) - count * ONE[edge - 1]
                untouched = 0.5 * yet * self._touch(seat, stays, rolled=True)
                known += [
                    (untouched * chance, stays + packed(thrown.faces))
                    for thrown, chance in chance_table(count)
                ]
            self._rolled[seat] = known
        return known

    def rolled(self, seat: int) -> float:
        """The seat has done a boundary roll."""
        pool = self.pools[seat]
        return max((p * pool.likelihood(row) for p, row in self.rolls(seat)), default=0.0)

    def placed(self, seat: int, face: int, inner: bool | None = None) -> float:
        """The seat has rolled and placed a die of that face, an inner one or an edge one."""
        one, pool = ONE[face - 1], self.pools[seat]
        return max(
            (
                p * pool.likelihood(row - one)
                for p, row in self.rolls(seat)
                if contains(row, one) and inner in (None, is_inner(row, face))
            ),
            default=0.0,
        )

    def pushed(self, owner: int, face: int, rows: dict[int, float]) -> float | None:
        """Put into `rows` that a die of that owner is off the Lawn, wherever it lies; for a neutral
        one, the likelihood of the neutral dice."""
        if owner == NEUTRAL:
            assert self.neutral
            return max(
                self.neutral.likelihood(self.taken + ONE[face - 1]),
                0.3 * self.neutral.likelihood(self.taken),
            )
        if owner != EMPTY and owner not in rows:
            row = self.rows[owner]
            rows[owner] = self._with_pushed(owner, row) * self._touch(owner, row)
        return None

    def _with_pushed(self, owner: int, row: int) -> float:
        """P(what is seen of the owner's dice | a row, and one more die that was pushed off)."""
        pool = self.pools[owner]
        other = sum(pool.likelihood(row + one) for one in ONE)
        return 0.2 * pool.likelihood(row) + 0.15 * other

    # --- patterns ---------------------------------------------------------------------------

    def judged(self, ended: Position | None) -> list[Fault]:
        """All that may be proposed. ended: the end of the round, if it is over."""
        if ended is not None:
            if any(ended.rows):
                self.after_the_end()
        elif self.position.order and not self.position.is_over:
            self.compare()
        return self.found

    def compare(self) -> None:
        """Propose what the differences between the Lawns suggest."""
        lines = {spot // 3 for spot in (*self.gained, *self.lost, *self.swapped)}
        if not lines:
            self._rows_only()
            self._turned()
        elif len(self.gained) == 1 and not (self.lost or self.swapped):
            self._gained(self.gained[0])
        elif len(lines) == 1:
            self._line(lines.pop())
        if self.lost and len(self.gained) <= 1 and not self.swapped:
            self._moved()

    def _rows_only(self) -> None:
        position, turn = self.position, self.position.turn
        for seat in self.seats:
            pool, row = self.pools[seat], position.rows[seat]
            if not row:
                continue
            likeliest = pool.likeliest(len(row), 0.5)
            shown = max(
                (
                    pool.likelihood(part) * self._touch(seat, common(self.rows[seat], part), True)
                    for part, _ in likeliest
                ),
                default=0.0,
            )
            if seat in self.moved:
                if seat == turn and not self._one_edge(seat, likeliest):
                    self.add("inner-die-rolled", seat, {seat: shown / 36}, row=row)
                elif seat == turn:
                    pass
                elif not self._may_be_lost(seat):
                    each = max(self.rolled(seat), shown / 216)
                    self._out_of_turn(seat, {seat: each})
            if surely_off_lawn(self.sight, seat) > len(row):  # else nothing shows one more
                more = max(pool.likelihood(self.rows[seat] + one) for one in ONE) / 6
                more *= self._touch(seat, self.rows[seat])
                self.add("die-too-many", seat, {seat: more}, row=row)
        if position.phase == "boundary-choice":
            self._part_of_set(turn)
        if self.neutral and self.taken:
            faces = unpacked(self.taken)
            for face in set(faces):
                for shown, one in enumerate(ONE, 1):
                    dice = [
                        die for die in self.sight.off_lawn(NEUTRAL) if die.likeliest_face == shown
                    ]
                    if shown != face and dice and not self._lay_so(dice):
                        each = self.neutral.likelihood(self.taken - ONE[face - 1] + one)
                        self.add(
                            "captured-die-altered", None, {}, neutral=each, prior=_RARER, row=faces
                        )

    def _one_edge(self, seat: int, shown: list[tuple[int, float]]) -> bool:
        """Whether only dice of one edge of the row were rolled, as far as it shows."""
        if not shown:
            return False
        row = self.rows[seat]
        faces = unpacked(row)
        part = max(shown, key=lambda each: each[1])[0]
        gone = {face for face in faces if excess(row & _FIVE[face - 1], part & _FIVE[face - 1])}
        return len(gone) <= 1 and gone <= {faces[0], faces[-1]}

    def _part_of_set(self, seat: int) -> None:
        """Only untouched dice prove it (4:1.B)."""
        self._part_of(seat, self.untouched[seat], 1.0)
        if self.lie and self.lie[seat] != self.untouched[seat]:
            # What the likeliest track has rolled may as well not have been rolled.
            self._part_of(seat, self.lie[seat], self.unrolled)

    def _part_of(self, seat: int, free: int, share: float) -> None:
        row, pool = self.position.rows[seat], self.pools[seat]
        for face in {row[0], row[-1]}:
            one, count = ONE[face - 1], row.count(face)
            if contains(self.rows[seat] - count * one, free):
                continue
            for rolled in range(1, count):
                stays = self.rows[seat] - rolled * one
                if contains(stays, free):
                    each = max(
                        chance * pool.likelihood(stays + packed(thrown.faces))
                        for thrown, chance in chance_table(rolled)
                        if face not in thrown.faces
                    )
                    each *= 0.5 * share * self._touch(seat, stays, rolled=True)
                    self.add("part-of-set-rolled", seat, {seat: each}, face=face)

    def _turned(self) -> None:
        turn = self.position.turn
        row = max(self.lies[turn], self.rolled(turn))
        for spot in self.as_read:
            self.add(
                "lawn-die-turned",
                None,
                {turn: row},
                prior=_RARER,
                turned=(spot,),
                spots=(spot,),
                keys=self._keys(spot),
                face=self.new[spot][1],
            )

    def _lay_so(self, dice: list[Die]) -> bool:
        """Whether dice lie untouched since nobody had erred: then they are misread."""
        return all(die.ident in self.touched.sound for die in dice)

    def _gained(self, spot: int) -> None:
        """One die more on the Lawn, everything else as it was."""
        (owner, face), line = self.new[spot], spot // 3 + 1
        words: dict[str, Any] = {"spots": (spot,), "keys": self._keys(spot), "face": face}
        if owner == NEUTRAL:
            if self.neutral and contains(self.taken, ONE[face - 1]):
                rest = self.neutral.likelihood(self.taken - ONE[face - 1])
                row = unpacked(self.taken)
                self.add("captured-die-altered", None, {}, neutral=rest, row=row)
            return
        if owner not in self.seats:
            return
        turn = self.position.turn
        if owner != turn:
            self._others_play(owner, face, {}, None, words)
            return
        if face != line:
            self.add("wrong-row", owner, {owner: self.placed(owner, face)}, **words)
            return
        side = ("left", "center", "right")[spot % 3]
        old = self.position.lawn[line - 1]
        if side not in placements(old, owner) and old == (EMPTY,) * 3:
            self.add("center-rule", owner, {owner: self.placed(owner, face)}, **words)
        self.add("inner-die-placed", owner, {owner: self.placed(owner, face, True)}, **words)

    def _others_play(
        self,
        owner: int,
        face: int,
        rows: dict[int, float],
        neutral: float | None,
        words: dict[str, Any],
        turned: Iterable[int] = (),
    ) -> None:
        """Somebody places a die whose turn it is not."""
        if self._may_be_lost(owner):
            return
        each = {**rows, owner: self.placed(owner, face)}
        self._out_of_turn(owner, each, neutral=neutral, turned=turned, **words)

    def _out_of_turn(self, seat: int, rows: dict[int, float], **words: Any) -> None:
        """Somebody acts whose turn it is not; who comes next, and finds that the player in turn has
        rolled, has been passed the turn (4)."""
        turn = self.position.turn
        waits = dict(rows)
        if self._next(seat):
            rolled = self.rolled(turn)
            if turn in rows:  # a die of that player was pushed off
                ways = ((p, self._with_pushed(turn, row)) for p, row in self.rolls(turn))
                rolled = max((p * seen for p, seen in ways), default=0.0)
                waits[turn] *= self.unrolled
            else:
                still = self.still[turn] * self._touch(turn, self.rows[turn])
                waits[turn] = still * self.unrolled
            self.add("turn-passed", turn, {**rows, turn: rolled}, **words)
        self.add("out-of-turn", seat, waits, **words)

    def _may_be_lost(self, seat: int) -> bool:
        """Whether the turn before that seat's may just have been lost by a roll that shows the faces
        the row had (6:1.A): nobody could tell, so nobody is accused, unless that roll was seen, or cannot
        have been."""
        turn = self.position.turn
        row = self.position.rows[turn]
        if not (self._next(seat) and row and is_blocked(row, self.position.locked)):
            return False
        # Nor are its dice likely to have been rolled that lie where they lay.
        still = self._touch(turn, self.rows[turn])
        rolled = max(
            self._touch(turn, self.rows[turn] - row.count(edge) * ONE[edge - 1], rolled=True)
            for edge in (row[0], row[-1])
        )
        return self.unrolled * rolled > _ROLLED_UNSEEN * still

    def _next(self, seat: int) -> bool:
        """Whether that seat is the one to follow."""
        cycle = self.position.opening.cycles[self.position.turn]
        return seat == next(each for each in cycle if self.position.rows[each])

    def _line(self, at: int) -> None:
        """One row of the Lawn lies otherwise, a die having come to it."""
        old = self.position.lawn[at]
        spots = tuple(range(3 * at, 3 * at + 3))
        new = tuple(self.new[spot][0] for spot in spots)
        face = at + 1
        for owner in self.seats:
            for kind, off, faced in patterns(old, new, owner):
                rows: dict[int, float] = {}
                shown = [self.new[s][1] for s in spots if self.new[s][1] not in (0, face)]
                if shown and (len(shown) > 1 or faced):
                    continue
                played = shown[0] if shown else face
                rows[owner] = self.placed(owner, played)
                if off == owner:
                    rows[owner] = self._own_pushed(owner, played)
                neutral = self.pushed(off, face, rows)
                words: dict[str, Any] = {
                    "spots": spots,
                    "keys": tuple(k for spot in spots for k in self._keys(spot)),
                    "face": played,
                }
                if owner != self.position.turn:
                    if not kind:
                        self._others_play(owner, played, rows, neutral, words, spots)
                    continue
                if shown:
                    named: Kind = "wrong-row"
                elif lock_owner(old) != EMPTY:
                    named = "locked-row"
                elif kind:
                    named = kind
                else:
                    named = "inner-die-placed"
                    way = self._own_pushed if off == owner else self.placed
                    rows[owner] = way(owner, played, True)
                self.add(named, owner, rows, neutral=neutral, turned=spots, **words)

    def _own_pushed(self, owner: int, face: int, inner: bool | None = None) -> float:
        """As `placed`, where the seat has pushed off a die of its own."""
        pool, one = self.pools[owner], ONE[face - 1]
        return max(
            (
                p * pool.likelihood(row - one + again) / 6
                for p, row in self.rolls(owner)
                if contains(row, one) and inner in (None, is_inner(row, face))
                for again in (0, *ONE)
            ),
            default=0.0,
        )

    def _moved(self) -> None:
        """A die gone from its place: it lies elsewhere on the Lawn, or off it."""
        for spot in self.lost:
            owner = self.old[spot]
            spots = (spot, *self.gained)
            words: dict[str, Any] = {"spots": spots, "keys": self._keys(*self.gained)}
            if self.gained and self.new[self.gained[0]][0] == owner and len(self.lost) == 1:
                self.add("lawn-die-moved", None, {}, prior=_RARER, **words)
            elif not self.gained and len(self.lost) == 1 and owner != NEUTRAL:
                pool, row = self.pools[owner], self.rows[owner]
                if surely_off_lawn(self.sight, owner) <= size(row):
                    continue  # it is nowhere else: most likely it is overlooked
                here = pool.likelihood(row + ONE[spot // 3]) / 2  # it is moved, not rolled
                each = max(here, max(pool.likelihood(row + one) for one in ONE) / 40)
                each *= self._touch(owner, row)
                self.add("lawn-die-moved", None, {owner: each}, prior=_RARER, **words)

    def after_the_end(self) -> None:
        """A die played although the round is over (7:1.A)."""
        lines = {spot // 3 for spot in (*self.gained, *self.lost, *self.swapped)}
        if len(lines) != 1:
            return
        (at,) = lines
        spots = tuple(range(3 * at, 3 * at + 3))
        new = tuple(self.new[spot][0] for spot in spots)
        old = self.position.lawn[at]
        for owner in self.seats:
            one = ONE[at]
            if not contains(self.rows[owner], one):
                continue
            ways = [off for _, off, _ in patterns(old, new, owner)]
            if len(self.gained) == 1 and not (self.lost or self.swapped):
                ways = [EMPTY] if self.new[self.gained[0]][0] == owner else []
            for off in dict.fromkeys(ways):
                rest = self.rows[owner] - one
                rows = {owner: self.pools[owner].likelihood(rest) * self._touch(owner, rest)}
                neutral = self.pushed(off, at + 1, rows)
                self.add("play-after-end", owner, rows, neutral=neutral, spots=spots, face=at + 1)

    def _keys(self, *spots: int) -> tuple[int, ...]:
        return tuple(die.key for spot in spots for die in self.sight.lying(spot))
