"""Faults that a table can show when no legal story explains it: which one, by whom, how likely.

The Lawn as it is seen is compared with the expected one; the pattern of what differs proposes
faults (`engine.fault_lawn`, `engine.fault_rows`, `engine.fault_turns`), and each is weighed with the
same likelihoods as a legal story (`engine.fault_weighing`), so that a proposal that the Player Rows
contradict weighs nothing.
"""

from __future__ import annotations

from engine.fault_lawn import after_the_end, lawn_differs
from engine.fault_parts import Fault, surely_off_lawn
from engine.fault_rows import rows_differ
from engine.fault_weighing import Court, Rolls
from engine.position import Position
from engine.sight import Sight
from engine.touches import Touched

_NOTHING = Touched()
_MAY_BE_UNSEEN = 2
"""With so many dice gone from the Lawn one of them may be overlooked."""


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
    court = Court(here, sight, untouched, seen_rolls, touched, lie=lie)
    found = _judged(court, ended)
    none: frozenset[int] = frozenset()
    others = []
    if len(court.lost) <= _MAY_BE_UNSEEN:  # a die may be overlooked only, and the fault another one
        others += [(frozenset((spot,)), none) for spot in court.lost]
    if len(court.gained) == 1 and not court.lost:  # that die may be one that was overlooked before
        owner = court.new[court.gained[0]][0]
        others += [(none, frozenset((spot,))) for spot in court.unseen if court.old[spot] == owner]
    if not (court.gained or court.lost):  # or it lies off the Lawn now
        others += [
            (none, frozenset((spot,)))
            for spot in court.unseen
            if court.old[spot] in court.seats
            and surely_off_lawn(sight, court.old[spot]) > len(here.rows[court.old[spot]])
        ]
    for overlooked, gone in others:
        other = Court(here, sight, untouched, seen_rolls, touched, overlooked, gone, lie)
        found = [*found, *_judged(other, ended)]
    return sorted(found, key=lambda fault: -fault.weight)


def _judged(court: Court, ended: Position | None) -> list[Fault]:
    """All that may be proposed. ended: the end of the round, if it is over."""
    if ended is not None:
        if any(ended.rows):
            after_the_end(court)
    elif court.position.order and not court.position.is_over:
        if not (court.gained or court.lost or court.swapped):
            rows_differ(court)
        lawn_differs(court)
    return court.found
