"""Faults that the Lawn shows: dice that came to it, lie otherwise, or are gone from it."""

from __future__ import annotations

from typing import Any

from engine.fault_parts import patterns, surely_off_lawn
from engine.fault_turns import others_play
from engine.fault_weighing import RARER, Court
from engine.lawn import EMPTY, NEUTRAL, lock_owner, placements
from engine.pools import ONE, contains, size, unpacked
from engine.verdict import Kind

_TURNED_TOO = 0.05  # of the dice that are moved on the Lawn, so many show another face then


def lawn_differs(court: Court) -> None:
    """Propose what the differences between the Lawns suggest."""
    lines = {spot // 3 for spot in (*court.gained, *court.lost, *court.swapped)}
    if not lines:
        _turned(court)
    elif len(court.gained) == 1 and not (court.lost or court.swapped):
        _gained(court, court.gained[0])
    elif len(lines) == 1:
        _line(court, lines.pop())
    if court.lost and len(court.gained) <= 1 and not court.swapped:
        _moved(court)


def _turned(court: Court) -> None:
    turn = court.position.turn
    row = max(court.lies[turn], court.rolled(turn))
    for spot in court.as_read:
        court.add(
            "lawn-die-turned",
            None,
            {turn: row},
            prior=RARER,
            turned=(spot,),
            spots=(spot,),
            keys=court.keys(spot),
            face=court.new[spot][1],
        )


def _gained(court: Court, spot: int) -> None:
    """One die more on the Lawn, everything else as it was."""
    (owner, face), line = court.new[spot], spot // 3 + 1
    words: dict[str, Any] = {"spots": (spot,), "keys": court.keys(spot), "face": face}
    if owner == NEUTRAL:
        if court.neutral and contains(court.taken, ONE[face - 1]):
            rest = court.neutral.likelihood(court.taken - ONE[face - 1])
            row = unpacked(court.taken)
            court.add("captured-die-altered", None, {}, neutral=rest, row=row)
        return
    if owner not in court.seats:
        return
    turn = court.position.turn
    if owner != turn:
        others_play(court, owner, face, {}, None, words)
        return
    if face != line:
        court.add("wrong-row", owner, {owner: court.placed(owner, face)}, **words)
        return
    side = ("left", "center", "right")[spot % 3]
    old = court.position.lawn[line - 1]
    if side not in placements(old, owner) and old == (EMPTY,) * 3:
        court.add("center-rule", owner, {owner: court.placed(owner, face)}, **words)
    court.add("inner-die-placed", owner, {owner: court.placed(owner, face, True)}, **words)


def _line(court: Court, at: int) -> None:
    """One row of the Lawn lies otherwise, a die having come to it."""
    old = court.position.lawn[at]
    spots = tuple(range(3 * at, 3 * at + 3))
    new = tuple(court.new[spot][0] for spot in spots)
    face = at + 1
    for owner in court.seats:
        for kind, off, faced in patterns(old, new, owner):
            rows: dict[int, float] = {}
            shown = [court.new[s][1] for s in spots if court.new[s][1] not in (0, face)]
            if shown and (len(shown) > 1 or faced):
                continue
            played = shown[0] if shown else face
            rows[owner] = court.placed(owner, played)
            if off == owner:
                rows[owner] = court.own_pushed(owner, played)
            neutral = court.pushed(off, face, rows)
            words: dict[str, Any] = {
                "spots": spots,
                "keys": tuple(k for spot in spots for k in court.keys(spot)),
                "face": played,
            }
            if owner != court.position.turn:
                if not kind:
                    others_play(court, owner, played, rows, neutral, words, spots)
                continue
            if shown:
                named: Kind = "wrong-row"
            elif lock_owner(old) != EMPTY:
                named = "locked-row"
            elif kind:
                named = kind
            else:
                named = "inner-die-placed"
                way = court.own_pushed if off == owner else court.placed
                rows[owner] = way(owner, played, True)
            court.add(named, owner, rows, neutral=neutral, turned=spots, **words)


def _moved(court: Court) -> None:
    """A die gone from its place: it lies elsewhere on the Lawn, or off it."""
    for spot in court.lost:
        owner = court.old[spot]
        spots = (spot, *court.gained)
        words: dict[str, Any] = {"spots": spots, "keys": court.keys(*court.gained)}
        if court.gained and court.new[court.gained[0]][0] == owner and len(court.lost) == 1:
            keeps = court.new[court.gained[0]][1] == spot // 3 + 1
            prior = RARER if keeps else RARER * _TURNED_TOO
            court.add("lawn-die-moved", None, {}, prior=prior, **words)
        elif not court.gained and len(court.lost) == 1 and owner != NEUTRAL:
            pool, row = court.pools[owner], court.rows[owner]
            if surely_off_lawn(court.sight, owner) <= size(row):
                continue  # it is nowhere else: most likely it is overlooked
            here = pool.likelihood(row + ONE[spot // 3]) / 2  # it is moved, not rolled
            each = max(here, max(pool.likelihood(row + one) for one in ONE) / 40)
            each *= court.touch(owner, row)
            court.add("lawn-die-moved", None, {owner: each}, prior=RARER, **words)


def after_the_end(court: Court) -> None:
    """A die played although the round is over (7:1.A)."""
    lines = {spot // 3 for spot in (*court.gained, *court.lost, *court.swapped)}
    if len(lines) != 1:
        return
    (at,) = lines
    spots = tuple(range(3 * at, 3 * at + 3))
    new = tuple(court.new[spot][0] for spot in spots)
    old = court.position.lawn[at]
    for owner in court.seats:
        one = ONE[at]
        if not contains(court.rows[owner], one):
            continue
        ways = [off for _, off, _ in patterns(old, new, owner)]
        if len(court.gained) == 1 and not (court.lost or court.swapped):
            ways = [EMPTY] if court.new[court.gained[0]][0] == owner else []
        for off in dict.fromkeys(ways):
            rest = court.rows[owner] - one
            rows = {owner: court.pools[owner].likelihood(rest) * court.touch(owner, rest)}
            neutral = court.pushed(off, at + 1, rows)
            court.add("play-after-end", owner, rows, neutral=neutral, spots=spots, face=at + 1)
