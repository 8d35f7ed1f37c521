"""What each action does to a round: Big Roll, boundary roll, placement, push, re-entry, turn end.

`step` is the hot path of every simulation, so it only answers "legal, and this comes next" or
"not legal"; engine.refusals finds the reasons afterwards.
"""

from __future__ import annotations

from typing import Literal

from engine.actions import Action, BoundaryRoll, Elect, Place, Rolled
from engine.dice import Faces
from engine.lawn import EMPTY, NEUTRAL, Lawn, is_blocked, lock_owner, placements
from engine.opening import Opening
from engine.parts import CHANCE_PHASES, NOBODY, Phase, is_solo, is_stuck, round_end
from engine.state import S, make


def step(state: S, action: Action) -> S | None:
    """The state after a legal action, or None when the action is not legal."""
    if isinstance(action, Place):
        return _place(state, action)
    if isinstance(action, Rolled):
        return _rolled(state, action)
    if isinstance(action, BoundaryRoll):
        return _boundary(state, action)
    return _elect(state, action) if isinstance(action, Elect) else None


def _boundary(state: S, action: BoundaryRoll) -> S | None:
    if state.phase != "boundary-choice":
        return None
    row = state.rows[state.turn]
    edge = "low" if row[0] == row[-1] else action.edge
    return _with(state, "boundary-roll", edge=edge)


def _place(state: S, action: Place) -> S | None:
    turn = state.turn
    if state.phase != "placement":
        return None
    face = action.face
    rows = state.rows
    row = rows[turn]
    if row[0] == face:
        row = row[1:]
    elif row[-1] == face:
        row = row[:-1]
    else:
        return None
    lawn = state.lawn
    move = placements(lawn[face - 1], turn).get(action.side)
    if move is None:
        return None
    lawn_row, displaced = move
    locked = state.locked
    if lock_owner(lawn_row) != EMPTY:
        locked |= 1 << (face - 1)
    lawn = (*lawn[: face - 1], lawn_row, *lawn[face:])
    captured = state.captured
    if displaced == turn and state.opening.options.own_push == "keep-face":
        row = _sorted((*row, face))
    elif displaced == NEUTRAL:
        # 5:3.B: it lay on the row of its face, so that is the face it keeps.
        captured = _replaced(captured, turn, _sorted((*captured[turn], face)))
    elif displaced != EMPTY:
        rows = _replaced(rows, turn, row)
        return make(
            type(state),
            state.opening,
            "re-entry",
            turn,
            "",
            displaced,
            lawn,
            rows,
            captured,
            locked,
            0,
        )
    rows = _replaced(rows, turn, row)
    return _end_turn(state, turn, lawn, rows, captured, locked, 0)


def _rolled(state: S, action: Rolled) -> S | None:
    phase = state.phase
    thrown = action.faces
    turn = state.turn
    if phase == "boundary-roll":
        row = state.rows[turn]
        if state.edge == "low":
            count = row.count(row[0])
            kept = row[count:]
        else:
            count = row.count(row[-1])
            kept = row[:-count]
        return _judged(state, turn, _sorted(kept + thrown)) if count == len(thrown) else None
    if phase == "re-entry":
        if len(thrown) != 1:
            return None
        owner = state.displaced
        rows = _replaced(state.rows, owner, _sorted(state.rows[owner] + thrown))
        return _end_turn(state, turn, state.lawn, rows, state.captured, state.locked, 0)
    if phase == "grind-roll":
        return _judged(state, turn, thrown) if len(thrown) == len(state.rows[turn]) else None
    if phase not in CHANCE_PHASES or len(thrown) != 8:
        return None
    rows = _replaced(state.rows, turn, thrown)
    if phase == "big-roll":
        opening = state.opening.rolled(turn, thrown)
        if turn + 1 < len(rows):
            return _with(state, "big-roll", opening, turn + 1, rows)
        return _after_big_rolls(_with(state, "big-roll", opening, turn, rows))
    tied = state.opening.tied()
    at = tied.index(turn) + 1
    if at < len(tied):
        return _with(state, "tie-break", state.opening, tied[at], rows)
    return _after_order(_with(state, "tie-break", state.opening.tie_broken(rows), turn, rows))


def _elect(state: S, action: Elect) -> S | None:
    if state.phase != "bonus-choice":
        return None
    if action.category not in state.opening.elections(state.turn):
        return None
    opening = state.opening.claimed(state.turn, action.category)
    return _after_big_rolls(_with(state, "bonus-choice", opening))


def _after_big_rolls(state: S) -> S:
    for seat in range(len(state.rows)):
        if state.opening.elections(seat):
            return _with(state, "bonus-choice", turn=seat)
    return _after_order(_with(state, state.phase, state.opening.ordered()))


def _after_order(state: S) -> S:
    opening = state.opening
    tied = opening.tied()
    if tied:
        return _with(state, "tie-break", turn=tied[0])
    return _with(state, "boundary-choice", turn=opening.order[0])


def _judged(state: S, turn: int, row: Faces) -> S:
    """After a boundary or grind roll: placement, grind, or a lost turn (6:1, 6:2, R2, R3)."""
    rows = _replaced(state.rows, turn, row)
    if not is_blocked(row, state.locked):
        return _with(state, "placement", rows=rows)
    if is_solo(turn, rows):
        return _with(state, "grind-roll", rows=rows)
    opening = state.opening
    lost = state.lost + 1 if opening.counts_lost_turns else 0
    return _end_turn(state, turn, state.lawn, rows, state.captured, state.locked, lost)


def _with(
    state: S,
    phase: Phase,
    opening: Opening | None = None,
    turn: int | None = None,
    rows: tuple[Faces, ...] | None = None,
    edge: Literal["", "low", "high"] = "",
) -> S:
    """The same Lawn in another phase; a placement in sight ends a run of lost turns."""
    return make(
        type(state),
        state.opening if opening is None else opening,
        phase,
        state.turn if turn is None else turn,
        edge,
        NOBODY,
        state.lawn,
        state.rows if rows is None else rows,
        state.captured,
        state.locked,
        0 if phase == "placement" else state.lost,
    )


def _end_turn(
    state: S,
    seat: int,
    lawn: Lawn,
    rows: tuple[Faces, ...],
    captured: tuple[Faces, ...],
    locked: int,
    lost: int,
) -> S:
    """Judge the end of the round, else pass the turn to the next player who holds dice (R10)."""
    opening = state.opening
    options = opening.options
    while not round_end(opening, locked, rows, lost):
        seat = next(each for each in opening.cycles[seat] if rows[each])
        phase: Phase = "boundary-choice"
        if options.endgame_block == "before-roll" or options.grind == "at-once":
            if is_solo(seat, rows):
                phase = "grind-roll" if options.grind == "at-once" else phase
            elif options.endgame_block == "before-roll" and is_stuck(rows[seat], locked):
                lost += opening.counts_lost_turns
                continue
        return make(
            type(state), opening, phase, seat, "", NOBODY, lawn, rows, captured, locked, lost
        )
    return make(
        type(state), opening, "round-over", NOBODY, "", NOBODY, lawn, rows, captured, locked, lost
    )


def _replaced(rows: tuple[Faces, ...], seat: int, row: Faces) -> tuple[Faces, ...]:
    if len(rows) == 2:
        return (row, rows[1]) if seat == 0 else (rows[0], row)
    return (*rows[:seat], row, *rows[seat + 1 :])


def _sorted(row: Faces) -> Faces:
    return tuple(sorted(row))
