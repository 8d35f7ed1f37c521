"""Infringements on the table of a clip: one of each kind of engine.verdict.KINDS, held, then mended.

Each fault is a list of strokes of one hand whose undoing is known, so that the match goes on where it was.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from datasets.clips_gesture import Gesture
from datasets.clips_story import Story
from datasets.clips_table import Die, overlap
from engine.actions import SIDES
from engine.dice import FACES, Faces
from engine.lawn import EMPTY, lock_owner, placements
from engine.position import Position
from engine.table import Area, LawnPlace, place_to_json
from engine.table import Place as TablePlace
from engine.verdict import RULE_OF, Kind

HELD_S, MENDED_S = 4.0, 1.2
MISSING_HELD_S = (
    7.0  # a die is called missing later than others are faulted, for it may be overlooked
)


class Misfit(Exception):
    """This fault cannot be made in this position."""


Stroke: TypeAlias = tuple[Literal["carry", "throw", "take", "bring"], tuple[Die, ...]]
"""What a hand does with dice, given as they lie afterwards (before, for "take")."""


@dataclass(frozen=True)
class Fault:
    """A fault: who does it, by which strokes, and the places it concerns."""

    seat: int
    strokes: tuple[Stroke, ...]
    places: tuple[TablePlace, ...]


Maker: TypeAlias = Callable[[Story, Position], Fault]


def commit(story: Story, kind: Kind, position: Position) -> bool:
    """Let somebody break that rule now, hold it, and mend it; False when it does not fit here."""
    try:
        fault = MAKERS[kind](story, position)
    except Misfit:
        return False
    saved = dict(story.dice)
    colour = position.colours[fault.seat]
    t0 = story.now
    gesture = story.gesture(fault.seat)
    for stroke in fault.strokes:
        _do(gesture, *stroke)
    story.legal = False
    held = MISSING_HELD_S if kind == "die-missing" else HELD_S
    story.do(gesture, f"{colour}: {kind}", held)
    touched = sorted({die.number for _, dice in fault.strokes for die in dice})
    story.event(
        "infringement",
        t0,
        kind=kind,
        rule=RULE_OF[kind],
        player=colour,
        places=[place_to_json(place) for place in fault.places],
        dice=touched,
    )
    t0 = story.now
    gesture = story.gesture(fault.seat)
    for name, dice in reversed(fault.strokes):
        if name == "take":
            for die in dice:
                gesture.bring(die)
        elif name == "bring":
            for die in dice:
                gesture.take(die.number)
        else:
            for die in reversed(dice):
                gesture.carry(die.number, saved[die.number])
    story.legal = True
    assert story.dice == saved, "a mended table is as it was"
    story.do(gesture, f"{colour}: mended", MENDED_S)
    story.event("mended", t0, kind=kind, player=colour)
    return True


def _do(gesture: Gesture, name: str, dice: tuple[Die, ...]) -> None:
    if name == "throw":
        for die in dice:
            gesture.take(die.number)
        gesture.throw(dice)
        return
    for die in dice:
        if name == "carry":
            gesture.carry(die.number, die)
        elif name == "take":
            gesture.take(die.number)
        else:
            gesture.bring(die)


def _need(condition: object) -> None:
    if not condition:
        raise Misfit


def _pick(story: Story, many: Sequence[Any]) -> Any:
    _need(many)
    return many[int(story.rng.integers(len(many)))]


# --- rolls ----------------------------------------------------------------------------------------


def legal_after_roll(before: Faces, after: Faces) -> bool:
    """Whether a boundary roll can turn one Player Row into the other (4:1)."""
    for edge in {before[0], before[-1]}:
        kept = Counter(face for face in before if face != edge)
        if not kept - Counter(after):
            return True
    return False


def _rolled(story: Story, seat: int, numbers: Sequence[int], illegal: bool) -> Fault:
    hand = story.hands[seat]
    before = tuple(sorted(story.dice[n].face for n in hand))
    for _ in range(100):
        faces = [int(f) for f in story.rng.integers(1, 7, len(numbers))]
        rest = [story.dice[n].face for n in hand if n not in numbers]
        after = tuple(sorted([*rest, *faces]))
        if after != before and not (illegal and legal_after_roll(before, after)):
            dice = story.thrown(list(numbers), faces, story.targets[seat])
            return Fault(seat, (("throw", tuple(dice)),), (Area("row", seat),))
    raise Misfit


def _edge_set(story: Story, seat: int) -> list[int]:
    faces = sorted(story.dice[n].face for n in story.hands[seat])
    _need(faces)
    edge = _pick(story, (faces[0], faces[-1]))
    return [n for n in story.hands[seat] if story.dice[n].face == edge]


def _out_of_turn(story: Story, position: Position) -> Fault:
    seat = _pick(story, [s for s, row in enumerate(position.rows) if row and s != position.turn])
    return _rolled(story, seat, _edge_set(story, seat), illegal=False)


def _turn_passed(story: Story, position: Position) -> Fault:
    seats = position.opening.cycles[position.turn]
    follower = next((s for s in seats if position.rows[s]), position.turn)
    _need(follower != position.turn)
    return _rolled(story, follower, _edge_set(story, follower), illegal=False)


def _inner_rolled(story: Story, position: Position) -> Fault:
    row = position.rows[position.turn]
    inner = [n for n in story.hands[position.turn] if row[0] < story.dice[n].face < row[-1]]
    return _rolled(story, position.turn, [_pick(story, inner)], illegal=True)


def _part_rolled(story: Story, position: Position) -> Fault:
    row = position.rows[position.turn]
    faces = [face for face in {row[0], row[-1]} if row.count(face) > 1]
    face = _pick(story, faces)
    alike = [n for n in story.hands[position.turn] if story.dice[n].face == face]
    thrown = [int(story.rng.choice([f for f in FACES if f != face]))]
    dice = story.thrown(alike[:1], thrown, story.targets[position.turn])
    return Fault(position.turn, (("throw", tuple(dice)),), (Area("row", position.turn),))


# --- placements -----------------------------------------------------------------------------------


def _onto(story: Story, number: int, row: int, column: int) -> Die:
    """The die, with its own face, on a place of the Lawn."""
    return replace(story.on_lawn(number, row, column), face=story.dice[number].face)


def _placed(story: Story, position: Position, number: int, row: int, column: int) -> Fault:
    places = (LawnPlace(row, SIDES[column]),)
    return Fault(position.turn, (("carry", (_onto(story, number, row, column),)),), places)


def _edges(story: Story, position: Position) -> list[int]:
    row = position.rows[position.turn]
    return [_edge_die(story, position.turn, face) for face in dict.fromkeys((row[0], row[-1]))]


def _edge_die(story: Story, seat: int, face: int) -> int:
    return next(n for n in story.hands[seat] if story.dice[n].face == face)


def _wrong_row(story: Story, position: Position) -> Fault:
    number = _pick(story, _edges(story, position))
    face = story.dice[number].face
    free = [
        (row, SIDES.index(side))
        for row in FACES
        if row != face and EMPTY in position.lawn[row - 1]
        for side in placements(position.lawn[row - 1], position.turn)
    ]
    return _placed(story, position, number, *_pick(story, free))


def _inner_placed(story: Story, position: Position) -> Fault:
    row = position.rows[position.turn]
    options = [
        (n, story.dice[n].face, SIDES.index(side))
        for n in story.hands[position.turn]
        if row[0] < story.dice[n].face < row[-1]
        for side, (_, off) in placements(
            position.lawn[story.dice[n].face - 1], position.turn
        ).items()
        if off == EMPTY
    ]
    return _placed(story, position, *_pick(story, options))


def _center_rule(story: Story, position: Position) -> Fault:
    fits = [
        n for n in _edges(story, position) if not any(o != EMPTY for o in _row(story, position, n))
    ]
    number = _pick(story, fits)
    return _placed(story, position, number, story.dice[number].face, _pick(story, (0, 2)))


def _row(story: Story, position: Position, number: int) -> tuple[int, int, int]:
    return position.lawn[story.dice[number].face - 1]


def _locked_row(story: Story, position: Position) -> Fault:
    fits = [n for n in _edges(story, position) if lock_owner(_row(story, position, n)) != EMPTY]
    number = _pick(story, fits)
    return _laid(story, position, number, (3, 0, 1), 2)


def _push_with_room(story: Story, position: Position) -> Fault:
    fits = [n for n in _edges(story, position) if _row(story, position, n).count(EMPTY) == 1]
    number = _pick(story, fits)
    left, _, _ = _row(story, position, number)
    order = (3, 0, None) if left != EMPTY else (None, 2, 3)
    return _laid(story, position, number, order, 1)


Order: TypeAlias = tuple[int | None, int | None, int | None]
FAULTY: dict[str, tuple[tuple[Order, int], ...]] = {
    "push-not-slid": (((3, 1, 2), 0), ((0, 1, 3), 2)),
    "middle-die-lifted": (((3, 0, 2), 1), ((0, 2, 3), 1)),
    "push-wrong-way": (((0, 3, 1), 2), ((1, 3, 2), 0), ((3, 1, 0), 2), ((2, 1, 3), 0)),
}
LEGAL: tuple[tuple[Order, int], ...] = (((3, 0, 1), 2), ((1, 2, 3), 0))
"""How a full row's dice 0, 1, 2 and the new one 3 lie after a push, and which is off (5:1.B)."""


def _push(kind: str) -> Maker:
    def make(story: Story, position: Position) -> Fault:
        fits = [
            n
            for n in _edges(story, position)
            if EMPTY not in _row(story, position, n)
            and lock_owner(_row(story, position, n)) == EMPTY
        ]
        number = _pick(story, fits)
        owners = (*_row(story, position, number), position.turn)

        def look(order: Order, off: int) -> object:
            return tuple(owners[n] for n in order if n is not None), owners[off]

        rivals = [*LEGAL, *(way for k, ways in FAULTY.items() if k != kind for way in ways)]
        # A die exchanged for one of the same colour leaves the table as it was.
        taken = {look(*way) for way in rivals} | {(owners[:3], owners[3])}
        order, off = _pick(story, [way for way in FAULTY[kind] if look(*way) not in taken])
        return _laid(story, position, number, order, off)

    return make


def _laid(story: Story, position: Position, number: int, order: Order, off: int) -> Fault:
    """The row's dice put where they do not belong, the die `off` taken off first."""
    row = story.dice[number].face
    dice = [story.lawn.get((row, column)) for column in range(3)] + [number]
    gone = dice[off]
    assert gone is not None
    strokes: list[Stroke] = [("carry", (story.near_edge(gone, row, row, off == 2),))]
    todo = {
        n: column
        for column, which in enumerate(order)
        if which is not None and (n := dice[which]) is not None and which != column
    }
    lying = {n: column for column, n in enumerate(dice[:3]) if n is not None and n != gone}
    kept, story.dice = story.dice, {n: d for n, d in story.dice.items() if n not in (*todo, gone)}
    try:
        story.dice[gone] = strokes[0][1][0]
        while todo:
            free = [n for n, c in todo.items() if c not in lying.values()]
            if not free:  # two dice change places: one waits off the Lawn, which no kind here needs
                raise Misfit
            each = min(free, key=lambda n: n == number)
            end = story.on_lawn(each, row, todo[each])
            story.dice[each] = end
            strokes.append(("carry", (end,)))
            lying[each] = todo.pop(each)
    finally:
        story.dice = kept
    return Fault(position.turn, tuple(strokes), tuple(LawnPlace(row, side) for side in SIDES))


# --- dice that nobody may touch -----------------------------------------------------------------


def _on_lawn(story: Story) -> tuple[tuple[int, int], int]:
    return _pick(story, sorted(story.lawn.items()))  # type: ignore[no-any-return]


def _lawn_turned(story: Story, position: Position) -> Fault:
    (row, column), number = _on_lawn(story)
    face = _pick(story, [f for f in FACES if f not in (row, 7 - row)])
    end = replace(story.dice[number], face=face)
    return Fault(position.turn, (("carry", (end,)),), (LawnPlace(row, SIDES[column]),))


def _lawn_moved(story: Story, position: Position) -> Fault:
    (row, column), number = _on_lawn(story)
    free = [(r, c) for r in FACES for c in range(3) if (r, c) not in story.lawn]
    there = _pick(story, free)
    end = _onto(story, number, *there)
    places = (LawnPlace(row, SIDES[column]), LawnPlace(there[0], SIDES[there[1]]))
    return Fault(position.turn, (("carry", (end,)),), places)


def _captured_altered(story: Story, _: Position) -> Fault:
    owners = [seat for seat, numbers in enumerate(story.captured) if numbers]
    seat = _pick(story, owners)
    number = _pick(story, story.captured[seat])
    old = story.dice[number].face
    end = replace(
        story.dice[number], face=_pick(story, [f for f in FACES if f not in (old, 7 - old)])
    )
    return Fault(seat, (("carry", (end,)),), (Area("captured", seat),))


def _missing(story: Story, position: Position) -> Fault:
    seat = _pick(story, [s for s, row in enumerate(position.rows) if len(set(row)) > 2])
    row = position.rows[seat]
    inner = [n for n in story.hands[seat] if row[0] < story.dice[n].face < row[-1]]
    return Fault(seat, (("take", (story.dice[_pick(story, inner)],)),), (Area("row", seat),))


def _too_many(story: Story, position: Position) -> Fault:
    seat = _pick(story, [s for s, row in enumerate(position.rows) if row])
    (laid,) = story.thrown([8 * seat], [int(story.rng.integers(1, 7))], story.targets[seat])
    spare = replace(laid, number=30 + seat)
    if any(overlap(spare, die, story.edge_mm, story.mat) > 0 for die in story.dice.values()):
        raise Misfit
    return Fault(seat, (("bring", (spare,)),), (Area("row", seat),))


def _wrong_owner(story: Story, position: Position) -> Fault:
    """At the end of a re-entry: the die that lies rolled goes to another player's row."""
    owner = position.displaced
    number = story.hands[owner][-1]
    _need(story.mat.layout.areas)
    seat = _pick(story, [s for s in range(len(position.rows)) if s != owner])
    (cx, cy), (rx, ry), length, pitch = story.axis(seat)
    taken = [d for n, d in story.dice.items() if n != number]
    for step in range(8):
        along = -length / 2 + pitch * (step + 0.5)
        xy = (cx + rx * along, cy + ry * along)
        end = replace(story.dice[number], xy=xy, yaw=math.pi / 2)
        if not any(overlap(end, die, story.edge_mm, story.mat) > 0 for die in taken):
            return Fault(position.turn, (("carry", (end,)),), (Area("row", seat),))
    raise Misfit


def _after_end(story: Story, position: Position) -> Fault:
    """Somebody with dice left plays on, with a push where the row is full."""
    seat = _pick(story, [s for s, numbers in enumerate(story.hands) if numbers])
    number = _pick(story, story.hands[seat])
    row = story.dice[number].face
    free = [column for column in range(3) if (row, column) not in story.lawn]
    if free:
        column = _pick(story, free)
        places = (LawnPlace(row, SIDES[column]),)
        return Fault(seat, (("carry", (_onto(story, number, row, column),)),), places)
    ways = [way for way in LEGAL if position.lawn[row - 1][way[1]] != seat]
    return replace(_laid(story, position, number, *_pick(story, ways)), seat=seat)


MAKERS: dict[Kind, Maker] = {
    "out-of-turn": _out_of_turn,
    "inner-die-rolled": _inner_rolled,
    "part-of-set-rolled": _part_rolled,
    "inner-die-placed": _inner_placed,
    "wrong-row": _wrong_row,
    "center-rule": _center_rule,
    "push-with-room": _push_with_room,
    "push-not-slid": _push("push-not-slid"),
    "push-wrong-way": _push("push-wrong-way"),
    "middle-die-lifted": _push("middle-die-lifted"),
    "locked-row": _locked_row,
    "lawn-die-turned": _lawn_turned,
    "lawn-die-moved": _lawn_moved,
    "captured-die-altered": _captured_altered,
    "die-missing": _missing,
    "die-too-many": _too_many,
    "wrong-owner-re-entry": _wrong_owner,
    "turn-passed": _turn_passed,
    "play-after-end": _after_end,
}

BEFORE_PLACEMENT: frozenset[Kind] = frozenset(
    ("inner-die-placed", "wrong-row", "center-rule", "push-with-room", "push-not-slid", "push-wrong-way",
     "middle-die-lifted", "locked-row", "turn-passed")
)  # fmt: skip
AT_RE_ENTRY: frozenset[Kind] = frozenset(("wrong-owner-re-entry",))
AT_END: frozenset[Kind] = frozenset(("play-after-end",))


def moment_of(kind: str) -> str:
    """When a fault of that kind can be made: "turn" (before one), "placement", "re-entry" or "end"."""
    if kind in BEFORE_PLACEMENT:
        return "placement"
    if kind in AT_RE_ENTRY:
        return "re-entry"
    return "end" if kind in AT_END else "turn"
