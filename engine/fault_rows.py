"""Faults that Player Rows and captured dice show while the Lawn lies as expected."""

from __future__ import annotations

from engine.actions import chance_table
from engine.evidence import Die
from engine.fault_parts import surely_off_lawn
from engine.fault_turns import may_be_lost, out_of_turn
from engine.fault_weighing import RARER, Court
from engine.lawn import NEUTRAL
from engine.pools import ONE, contains, excess, packed, unpacked
from engine.story_parts import common

_FIVE = tuple(31 * one for one in ONE)  # the dice of one face in a packed multiset


def rows_differ(court: Court) -> None:
    position, turn = court.position, court.position.turn
    for seat in court.seats:
        pool, row = court.pools[seat], position.rows[seat]
        if not row:
            continue
        likeliest = pool.likeliest(len(row), 0.5)
        shown = max(
            (
                pool.likelihood(part) * court.touch(seat, common(court.rows[seat], part), True)
                for part, _ in likeliest
            ),
            default=0.0,
        )
        if seat in court.moved:
            if seat == turn and not _one_edge(court, seat, likeliest):
                court.add("inner-die-rolled", seat, {seat: shown / 36}, row=row)
            elif seat == turn:
                pass
            elif not may_be_lost(court, seat):
                each = max(court.rolled(seat), shown / 216)
                out_of_turn(court, seat, {seat: each})
        if surely_off_lawn(court.sight, seat) > len(row):  # else nothing shows one more
            more = max(pool.likelihood(court.rows[seat] + one) for one in ONE) / 6
            more *= court.touch(seat, court.rows[seat])
            court.add("die-too-many", seat, {seat: more}, row=row)
    if position.phase == "boundary-choice":
        _part_of_set(court, turn)
    if court.neutral and court.taken:
        faces = unpacked(court.taken)
        for face in set(faces):
            for shown, one in enumerate(ONE, 1):
                dice = [die for die in court.sight.off_lawn(NEUTRAL) if die.likeliest_face == shown]
                if shown != face and dice and not _lay_so(court, dice):
                    each = court.neutral.likelihood(court.taken - ONE[face - 1] + one)
                    court.add(
                        "captured-die-altered", None, {}, neutral=each, prior=RARER, row=faces
                    )


def _one_edge(court: Court, seat: int, shown: list[tuple[int, float]]) -> bool:
    """Whether only dice of one edge of the row were rolled, as far as it shows."""
    if not shown:
        return False
    row = court.rows[seat]
    faces = unpacked(row)
    part = max(shown, key=lambda each: each[1])[0]
    gone = {face for face in faces if excess(row & _FIVE[face - 1], part & _FIVE[face - 1])}
    return len(gone) <= 1 and gone <= {faces[0], faces[-1]}


def _part_of_set(court: Court, seat: int) -> None:
    """Only untouched dice prove it (4:1.B)."""
    _part_of(court, seat, court.untouched[seat], 1.0)
    if court.lie and court.lie[seat] != court.untouched[seat]:
        # What the likeliest track has rolled may as well not have been rolled.
        _part_of(court, seat, court.lie[seat], court.unrolled)


def _part_of(court: Court, seat: int, free: int, share: float) -> None:
    row, pool = court.position.rows[seat], court.pools[seat]
    for face in {row[0], row[-1]}:
        one, count = ONE[face - 1], row.count(face)
        if contains(court.rows[seat] - count * one, free):
            continue
        for rolled in range(1, count):
            stays = court.rows[seat] - rolled * one
            if contains(stays, free):
                each = max(
                    chance * pool.likelihood(stays + packed(thrown.faces))
                    for thrown, chance in chance_table(rolled)
                    if face not in thrown.faces
                )
                each *= 0.5 * share * court.touch(seat, stays, rolled=True)
                court.add("part-of-set-rolled", seat, {seat: each}, face=face)


def _lay_so(court: Court, dice: list[Die]) -> bool:
    """Whether dice lie untouched since nobody had erred: then they are misread."""
    return all(die.ident in court.touched.sound for die in dice)
