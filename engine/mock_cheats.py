"""Infringements at a simulated table: one of each kind of `engine.verdict.KINDS`, truly illegal.

`infringe` starts from a legal moment at rest and gives the half-steps of a fault that fits there, or
None. A fault that a legal story explains is none (`explained` asks the rules themselves), except a
part of a set that is rolled: there only the untouched die proves it (DESIGN 6).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

from engine.actions import SIDES, Place
from engine.bots import random_bot
from engine.dice import FACES, Faces
from engine.lawn import EMPTY, NEUTRAL, lock_owner, placements
from engine.mock_fault import FaultInTheMaking, Infringed, Misfit, need
from engine.mock_table import MockDie, MockTable, near_middle, shows
from engine.mock_turns import Manners, play_turn
from engine.position import Position
from engine.table import LawnPlace
from engine.verdict import KINDS, Kind


def _out_of_turn(fault: FaultInTheMaking) -> Infringed:
    others = [s for s, row in enumerate(fault.start.rows) if row and s != fault.seat]
    need(others)
    seat = fault.rng.choice(others)
    if fault.rng.random() < 0.4:
        row = fault.start.rows[seat]
        dice = [
            d for d in fault.table.off_lawn(seat) if d.face == fault.rng.choice((row[0], row[-1]))
        ]
        need(dice)
        fault.steps.lift(seat, dice)
        fault.steps.roll(seat, dice, _thrown(len(dice), fault.rng))
    else:
        fault.whole_turn(seat, fault.start.rows)
    return fault.done("out-of-turn", seat)


def _thrown(count: int, rng: random.Random) -> Faces:
    return tuple(rng.choice(FACES) for _ in range(count))


def _inner_die_rolled(fault: FaultInTheMaking) -> Infringed:
    seat, rng = fault.seat, fault.rng
    row = fault.start.rows[seat]
    dice = fault.table.off_lawn(seat)
    if rng.random() < 0.3:
        rolled = [die for die in dice if die.face in (row[0], row[-1])]
        need(row[0] != row[-1])
    else:
        inner = [die for die in dice if die.face not in (row[0], row[-1])]
        need(inner)
        rolled = [rng.choice(inner)]
    fault.steps.lift(seat, rolled)
    fault.steps.roll(seat, rolled, _thrown(len(rolled), rng))
    return fault.done("inner-die-rolled", seat)


def _part_of_set_rolled(fault: FaultInTheMaking) -> Infringed:
    seat, rng = fault.seat, fault.rng
    row = fault.start.rows[seat]
    faces = [face for face in {row[0], row[-1]} if row.count(face) > 1]
    need(faces)
    face = rng.choice(faces)
    matching = [die for die in fault.table.off_lawn(seat) if die.face == face]
    rolled = rng.sample(matching, rng.randint(1, len(matching) - 1))
    thrown = _thrown(len(rolled), rng)
    need(face not in thrown)
    fault.steps.lift(seat, rolled)
    fault.steps.land(seat, rolled, thrown)
    fault.steps.lie("rolled", seat)
    fault.uncovered = frozenset(die.number for die in matching) - {die.number for die in rolled}
    return fault.done("part-of-set-rolled", seat)


def _inner_die_placed(fault: FaultInTheMaking) -> Infringed:
    fault.legal_roll()
    seat, rng = fault.seat, fault.rng
    row = fault.position.rows[seat]
    inner = [die for die in fault.table.off_lawn(seat) if die.face not in (row[0], row[-1])]
    need(inner)
    die = rng.choice(inner)
    sides = list(placements(fault.position.lawn[die.face - 1], seat))
    need(sides)
    _aside(fault, fault.steps.place(die, die.face, rng.choice(sides)))
    return fault.done("inner-die-placed", seat)


def _aside(fault: FaultInTheMaking, pushed: MockDie | None) -> None:
    """A neutral die that a fault pushed off is staged aside; a player's die lies where it is."""
    if pushed is not None and pushed.owner == NEUTRAL:
        fault.steps.capture(pushed, fault.seat)


def _wrong_row(fault: FaultInTheMaking) -> Infringed:
    fault.legal_roll()
    rng, lawn = fault.rng, fault.position.lawn
    die = rng.choice(fault.edge_dice())
    rows = [row for row in FACES if row != die.face and EMPTY in lawn[row - 1]]
    need(rows)
    row = rng.choice(rows)
    fault.steps.place(die, row, rng.choice(list(placements(lawn[row - 1], fault.seat))))
    return fault.done("wrong-row", fault.seat)


def _center_rule(fault: FaultInTheMaking) -> Infringed:
    fault.legal_roll()
    die = fault.any_edge_die(lambda face: fault.position.lawn[face - 1] == (EMPTY,) * 3)
    fault.steps.place(die, die.face, fault.rng.choice(("left", "right")))
    return fault.done("center-rule", fault.seat)


def _push_with_room(fault: FaultInTheMaking) -> Infringed:
    """[L, C, .]: the new die comes in at the left, and L takes the place of C, which is off."""
    fault.legal_roll()
    lawn, seat = fault.position.lawn, fault.seat
    die = fault.any_edge_die(lambda face: lawn[face - 1].count(EMPTY) == 1)
    left, center, right = fault.table.lawn_row(die.face)
    need(center)
    assert center is not None
    fault.steps.lie("picked", seat, fault.table.lifted([die]))
    if left is not None:
        new: tuple[MockDie | None, ...] = (die, left, None)
    else:
        new = (None, right, die)
    _laid(fault, die.face, new, center, "right" if left is not None else "left")
    return fault.done("push-with-room", seat)


def _laid(
    fault: FaultInTheMaking,
    row: int,
    dice: Sequence[MockDie | None],
    off: MockDie | None,
    side: str,
) -> None:
    """A Lawn row as somebody lays it, and the die that is off."""
    steps = fault.steps
    if off is not None:
        steps.table = steps.beside(off, row, side)
    moved = []
    for die, at in zip(dice, SIDES, strict=True):
        if die is not None:
            spot = near_middle(steps.table.layout, LawnPlace(row, at), fault.rng)
            moved.append(replace(steps.table.dice[die.number], spot=spot))
    steps.lie("pushed", fault.seat, steps.table.with_dice(moved))
    if off is not None:
        _aside(fault, steps.table.dice[off.number])


Laid = tuple[tuple[int, int, int], int]
"""Which of left 0, center 1, right 2 and the new die 3 lie in a row afterwards, and which is off."""

PUSHES: dict[Kind | None, tuple[Laid, ...]] = {
    None: (((3, 0, 1), 2), ((1, 2, 3), 0)),
    "push-not-slid": (((3, 1, 2), 0), ((0, 1, 3), 2)),
    "middle-die-lifted": (((3, 0, 2), 1), ((0, 2, 3), 1), ((0, 3, 2), 1)),
    "push-wrong-way": (
        ((0, 3, 1), 2),
        ((1, 3, 0), 2),
        ((1, 0, 3), 2),
        ((3, 1, 0), 2),
        ((1, 3, 2), 0),
        ((2, 3, 1), 0),
        ((2, 1, 3), 0),
        ((3, 2, 1), 0),
    ),
}
"""How a full row is laid after a push: by the rules (None), and by each fault (5:1.B)."""


def _push(kind: Kind) -> Callable[[FaultInTheMaking], Infringed]:
    def push(fault: FaultInTheMaking) -> Infringed:
        fault.legal_roll()
        position, rng = fault.position, fault.rng
        die = fault.any_edge_die(
            lambda face: (
                EMPTY not in position.lawn[face - 1]
                and lock_owner(position.lawn[face - 1]) == EMPTY
            )
        )
        lying = [*fault.table.lawn_row(die.face), die]
        dice = [each for each in lying if each is not None]

        def look(laid: Laid) -> object:
            return tuple(dice[n].owner for n in laid[0]), dice[laid[1]].owner

        # A replaced flank die or a lifted center die is called that, whatever else it looks like.
        rivals = [other for other in PUSHES if other not in (kind, "push-wrong-way")]
        others = {look(laid) for rival in rivals for laid in PUSHES[rival]}
        # A die exchanged for one of the same colour leaves the table as it was.
        others.add((tuple(each.owner for each in dice[:3]), dice[3].owner))
        ways = [laid for laid in PUSHES[kind] if look(laid) not in others]
        need(ways)
        order, off = rng.choice(ways)
        if rng.random() < 0.5:
            fault.steps.lie("picked", fault.seat, fault.table.lifted([die]))
        side = "left" if off == 0 or (off == 1 and rng.random() < 0.5) else "right"
        _laid(fault, die.face, [dice[n] for n in order], dice[off], side)
        return fault.done(kind, fault.seat)

    return push


def _locked_row(fault: FaultInTheMaking) -> Infringed:
    fault.legal_roll()
    die = fault.any_edge_die(lambda face: fault.position.locked >> (face - 1) & 1 == 1)
    fault.steps.place(die, die.face, fault.rng.choice(("left", "right")))
    return fault.done("locked-row", fault.seat)


def _lawn_die(fault: FaultInTheMaking) -> MockDie:
    lying = [d for d in fault.table.dice if isinstance(fault.table.place(d.number), LawnPlace)]
    need(lying)
    return fault.rng.choice(lying)


def _lawn_die_turned(fault: FaultInTheMaking) -> Infringed:
    die = _lawn_die(fault)
    face = fault.rng.choice([face for face in FACES if face not in (die.face, 7 - die.face)])
    assert die.spot is not None
    fault.steps.lie("placed", fault.seat, fault.table.put(die, die.spot, face))
    return fault.done("lawn-die-turned", None)


def _lawn_die_moved(fault: FaultInTheMaking) -> Infringed:
    die, rng, table = _lawn_die(fault), fault.rng, fault.table
    free = [LawnPlace(r, s) for r in FACES for s in SIDES if not table.on(LawnPlace(r, s))]
    if free and (rng.random() < 0.7 or die.owner == NEUTRAL):
        spot = near_middle(table.layout, rng.choice(free), rng)
        fault.steps.lie("placed", fault.seat, table.put(die, spot))
    else:
        need(die.owner != NEUTRAL)
        spot = table.scattered(table.layout.row_box(die.owner), rng)
        fault.steps.lie("placed", fault.seat, table.put(die, spot))
    return fault.done("lawn-die-moved", None)


def _captured_die_altered(fault: FaultInTheMaking) -> Infringed:
    captured = fault.table.off_lawn(NEUTRAL)
    need(captured)
    die = fault.rng.choice(captured)
    seat = next(s for s, faces in enumerate(fault.start.captured) if die.face in faces)
    face = fault.rng.choice([face for face in FACES if face not in (die.face, 7 - die.face)])
    assert die.spot is not None
    fault.steps.lie("captured", seat, fault.table.put(die, die.spot, face))
    return fault.done("captured-die-altered", seat, None)


def _die_missing(fault: FaultInTheMaking) -> Infringed:
    seats = [s for s, row in enumerate(fault.start.rows) if len(set(row)) > 2]
    need(seats)
    seat = fault.rng.choice(seats)
    row = fault.start.rows[seat]
    inner = [die for die in fault.table.off_lawn(seat) if die.face not in (row[0], row[-1])]
    fault.steps.lie("picked", seat, fault.table.lifted([fault.rng.choice(inner)]))
    return fault.done("die-missing", seat, None)


def _die_too_many(fault: FaultInTheMaking) -> Infringed:
    seat = fault.rng.choice([s for s, row in enumerate(fault.start.rows) if row])
    table = fault.table
    more = MockDie(len(table.dice), seat, fault.rng.choice(FACES))
    grown = MockTable(table.layout, (*table.dice, more))
    spot = grown.scattered(table.layout.row_box(seat), fault.rng)
    fault.steps.lie("placed", seat, grown.put(more, spot))
    if fault.rng.random() < 0.5:
        fault.steps.arrange(seat)
    return fault.done("die-too-many", seat, None)


def _wrong_owner_re_entry(fault: FaultInTheMaking) -> Infringed:
    need(fault.table.layout.areas)
    fault.legal_roll()
    rng, seat = fault.rng, fault.seat
    pushes = [
        action
        for action in fault.position.legal_actions()
        if isinstance(action, Place)
        and placements(fault.position.lawn[action.face - 1], seat)[action.side][1]
        not in (EMPTY, NEUTRAL, seat)
    ]
    need(pushes)
    fault.steps.act(rng.choice(pushes))
    fault.after_legal()
    owner = fault.position.displaced
    die = fault.steps._displaced()
    face = rng.choice(FACES)
    wrong = rng.choice([s for s in range(len(fault.start.rows)) if s != owner])
    table = fault.table.lifted([die])
    spot = table.scattered(table.layout.row_box(wrong), rng)
    fault.steps.lie("re-entered", seat, table.put(table.dice[die.number], spot, face))
    return fault.done("wrong-owner-re-entry", seat)


def _turn_passed(fault: FaultInTheMaking) -> Infringed:
    fault.legal_roll()
    seat = fault.seat
    need(fault.position.rows != fault.start.rows)
    follower = next(s for s in fault.start.opening.cycles[seat] if fault.start.rows[s])
    need(follower != seat)
    fault.whole_turn(follower, fault.position.rows)
    return fault.done("turn-passed", seat)


def _play_after_end(fault: FaultInTheMaking) -> Infringed:
    """The last turn of the round is played by the rules; then somebody plays on."""
    need(len(fault.start.rows) == 3)
    after, actions = play_turn(fault.start, [random_bot] * 3, fault.rng)
    need(after.is_over)
    for action in actions:
        fault.steps.act(action)
    fault.steps.last(ends=True, must_see=True)
    fault.after_legal()
    holders = [die for s in range(3) for die in fault.table.off_lawn(s)]
    need(holders)
    die = fault.rng.choice(holders)
    pushed = fault.steps.place(die, die.face, fault.rng.choice(("left", "right")))
    need(pushed is None or pushed.owner != die.owner)
    return fault.done("play-after-end", die.owner)


_MAKERS: dict[Kind, Callable[[FaultInTheMaking], Infringed]] = {
    "out-of-turn": _out_of_turn,
    "inner-die-rolled": _inner_die_rolled,
    "part-of-set-rolled": _part_of_set_rolled,
    "inner-die-placed": _inner_die_placed,
    "wrong-row": _wrong_row,
    "center-rule": _center_rule,
    "push-with-room": _push_with_room,
    "push-not-slid": _push("push-not-slid"),
    "push-wrong-way": _push("push-wrong-way"),
    "middle-die-lifted": _push("middle-die-lifted"),
    "locked-row": _locked_row,
    "lawn-die-turned": _lawn_die_turned,
    "lawn-die-moved": _lawn_die_moved,
    "captured-die-altered": _captured_die_altered,
    "die-missing": _die_missing,
    "die-too-many": _die_too_many,
    "wrong-owner-re-entry": _wrong_owner_re_entry,
    "turn-passed": _turn_passed,
    "play-after-end": _play_after_end,
}
assert set(_MAKERS) == set(KINDS)


def infringe(
    kind: Kind, table: MockTable, position: Position, manners: Manners, rng: random.Random
) -> Infringed | None:
    """A fault of that kind at a table at rest before a turn, or None where none fits.

    The table must show the position, whose phase is boundary-choice.
    """
    assert shows(table, position)
    try:
        return _MAKERS[kind](FaultInTheMaking(table, position, manners, rng))
    except Misfit:
        return None
