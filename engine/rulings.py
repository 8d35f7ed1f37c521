"""The table as it lies against the expected position: what differs, and accepting it as it is."""

from __future__ import annotations

from engine.dice import FACES
from engine.errors import PositionError
from engine.fault_words import colour, place_of
from engine.lawn import EMPTY, NEUTRAL, Lawn
from engine.parts import NOBODY, Parts
from engine.pools import packed, unpacked
from engine.position import Position
from engine.sight import Sight
from engine.table import ELSEWHERE, Area, LawnPlace, Place
from engine.verdict import Desync, Difference, Infringement, Ruled, Standing


def differences(position: Position, sight: Sight) -> tuple[Difference, ...]:
    """What differs, die by die: places of the Lawn first, then dice too many or too few off it."""
    found: list[Difference] = []
    for spot, owner in enumerate(o for row in position.lawn for o in row):
        place = place_of(spot)
        if place in sight.seen.hidden:
            continue
        face = sight.tolerated.get(spot, place.row)
        seen = sight.likeliest_cell(spot)
        if seen != (owner, face) and (seen[0], owner) != (EMPTY, EMPTY):
            keys = tuple(die.key for die in sight.lying(spot))
            expected = _die(position, owner, face)
            found.append(Difference(place, expected, _die(position, *seen), keys))
    for seat, row in enumerate(position.rows):
        found += _off_lawn(position, sight, seat, row, Area("row", seat))
    if len(position.rows) == 2:
        taken = tuple(sorted(face for faces in position.captured for face in faces))
        found += _off_lawn(position, sight, NEUTRAL, taken, ELSEWHERE)
    return tuple(found)


def _off_lawn(
    position: Position, sight: Sight, owner: int, row: tuple[int, ...], place: Place
) -> list[Difference]:
    found = []
    missing = list(row)
    extra = []
    for die in sight.off_lawn(owner):
        if die.likeliest_face in missing:
            missing.remove(die.likeliest_face)
        else:
            extra.append(die)
    while missing or extra:
        face = missing.pop(0) if missing else 0
        more = extra.pop(0) if extra else None
        found.append(
            Difference(
                place if more is None else more.place,
                _die(position, owner if face else EMPTY, face),
                _die(position, owner, more.likeliest_face) if more else "nothing",
                (more.key,) if more else (),
            )
        )
    return found


def _die(position: Position, owner: int, face: int) -> str:
    named = colour(position, owner)
    return f"{named} {face}" if named else "nothing"


def ruling(position: Position, sight: Sight, standing: Standing | None) -> Ruled | Desync:
    """The position that the table shows, taken as the players' ruling; a Desync, with what is
    amiss, when no position can be made of it."""
    if not position.order:
        return _refused(position, sight, "the Big Rolls of this round are not done (3:1.A)")
    lawn: list[tuple[int, int, int]] = []
    tolerated: list[tuple[LawnPlace, int]] = []
    for row in FACES:
        owners = []
        for side in range(3):
            spot = 3 * (row - 1) + side
            place = place_of(spot)
            if place in sight.seen.hidden and not sight.lying(spot):
                owners.append(position.lawn[row - 1][side])
                continue
            owner, face = sight.likeliest_cell(spot)
            owners.append(owner)
            if owner != EMPTY and face != row:
                tolerated.append((place, face))
        if owners[1] == EMPTY and owners != [EMPTY] * 3:
            # One die on a flank counts as the center's (4:3.B); the next play finds it there.
            return _refused(position, sight, f"the center of row {row} is empty (4:3.B)")
        lawn.append((owners[0], owners[1], owners[2]))
    rows = tuple(_faces(position, sight, tuple(lawn), seat) for seat in range(len(position.rows)))
    captured = position.captured
    if len(rows) == 2:
        captured = _captured(position, sight, tuple(lawn))
    turn = _turn(position, rows, standing, tuple(lawn))
    parts = Parts(
        position.opening, "boundary-choice", turn, "", NOBODY, tuple(lawn), rows, captured, 0
    )
    try:
        made = Position.from_parts(parts)
    except PositionError as error:
        return _refused(position, sight, error.reason)
    who = made.turn_colour or ""
    said = f"The table is accepted as it lies; {who.capitalize()} is next."
    return Ruled(made, said, tuple(tolerated))


def _refused(position: Position, sight: Sight, reason: str) -> Desync:
    return Desync(
        f"The table cannot be accepted as it lies: {reason}. Put that right, then accept it.",
        differences(position, sight),
    )


def _faces(position: Position, sight: Sight, lawn: Lawn, seat: int) -> tuple[int, ...]:
    """The seat's row: what is seen; a die that is not seen counts as it was expected."""
    count = 8 - sum(row.count(seat) for row in lawn)
    seen = sorted(die.likeliest_face for die in sight.off_lawn(seat))
    rest = unpacked(_rest(packed(position.rows[seat]), packed(tuple(seen))))
    return tuple(sorted([*seen, *rest[: max(0, count - len(seen))]]))[:count]


def _rest(pool: int, part: int) -> int:
    rest = 0
    for shift in range(0, 30, 5):
        rest |= max(0, (pool >> shift & 31) - (part >> shift & 31)) << shift
    return rest


def _captured(position: Position, sight: Sight, lawn: Lawn) -> tuple[tuple[int, ...], ...]:
    """Who has captured which neutral die: as before, and the new ones by where they lie."""
    gone = [face for face, row in zip(FACES, lawn, strict=True) if NEUTRAL not in row]
    held: list[list[int]] = [[], []]
    for face in gone:
        before = [seat for seat in (0, 1) if face in position.captured[seat]]
        lies = [
            die.place.seat
            for die in sight.off_lawn(NEUTRAL)
            if die.likeliest_face == face and isinstance(die.place, Area)
        ]
        seat = before[0] if before else next((s for s in lies if s in (0, 1)), position.turn)
        held[seat if seat in (0, 1) else 0].append(face)
    return tuple(tuple(sorted(faces)) for faces in held)


def _turn(
    position: Position, rows: tuple[tuple[int, ...], ...], standing: Standing | None, lawn: Lawn
) -> int:
    """Who is next: after a play on the Lawn whoever follows the player, else as before."""
    turn = position.turn if position.turn != NOBODY else 0
    played = sum(o >= 0 for row in lawn for o in row) > sum(
        o >= 0 for row in position.lawn for o in row
    ) or any(new != old and EMPTY not in old for new, old in zip(lawn, position.lawn, strict=True))
    who = turn
    if isinstance(standing, Infringement) and standing.player in position.colours:
        who = position.colours.index(standing.player)
    if not played and rows[turn]:
        return turn
    return next(each for each in position.opening.cycles[who] if rows[each] or each == who)
