"""Faults of whose turn it is: somebody acts out of turn, or the turn was passed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.fault_weighing import Court
from engine.lawn import is_blocked
from engine.pools import ONE

_ROLLED_UNSEEN = 0.02  # chance from which on nobody can say whether there was a roll


def others_play(
    court: Court,
    owner: int,
    face: int,
    rows: dict[int, float],
    neutral: float | None,
    words: dict[str, Any],
    turned: Iterable[int] = (),
) -> None:
    """Somebody places a die whose turn it is not."""
    if may_be_lost(court, owner):
        return
    each = {
        owner: court.placed(owner, face),
        **rows,
    }  # a die of the player's own may have been pushed off
    out_of_turn(court, owner, each, neutral=neutral, turned=turned, **words)


def out_of_turn(court: Court, seat: int, rows: dict[int, float], **words: Any) -> None:
    """Somebody acts whose turn it is not; who comes next, and finds that the player in turn has
    rolled, has been passed the turn (4)."""
    turn = court.position.turn
    waits = dict(rows)
    if _next(court, seat):
        rolled = court.rolled(turn)
        if turn in rows:  # a die of that player was pushed off
            rolled = 0.0
            for way in court.rolls(turn):
                share, row = way
                moved = court.come_home(turn, row) if way in court.seen_rolls else 1.0
                rolled = max(rolled, share * moved * court.with_pushed(turn, row))
            waits[turn] *= court.unrolled
        else:
            still = court.still[turn] * court.touch(turn, court.rows[turn])
            waits[turn] = still * court.unrolled
        court.add("turn-passed", turn, {**rows, turn: rolled}, **words)
    court.add("out-of-turn", seat, waits, **words)


def may_be_lost(court: Court, seat: int) -> bool:
    """Whether the turn before that seat's may just have been lost by a roll that shows the faces
    the row had (6:1.A): nobody could tell, so nobody is accused, unless that roll was seen, or cannot
    have been."""
    turn = court.position.turn
    row = court.position.rows[turn]
    if not (_next(court, seat) and row and is_blocked(row, court.position.locked)):
        return False
    # Nor are its dice likely to have been rolled that lie where they lay.
    still = court.touch(turn, court.rows[turn])
    rolled = max(
        court.touch(turn, court.rows[turn] - row.count(edge) * ONE[edge - 1], rolled=True)
        for edge in (row[0], row[-1])
    )
    return court.unrolled * rolled > _ROLLED_UNSEEN * still


def _next(court: Court, seat: int) -> bool:
    """Whether that seat is the one to follow."""
    cycle = court.position.opening.cycles[court.position.turn]
    return seat == next(each for each in cycle if court.position.rows[each])
