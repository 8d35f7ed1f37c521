"""Each kind of infringement in words for the players: what is wrong, and what puts it right."""

from __future__ import annotations

from engine.actions import SIDES
from engine.dice import NEUTRAL_COLOUR
from engine.lawn import EMPTY, NEUTRAL
from engine.position import Position
from engine.table import ELSEWHERE, Area, LawnPlace, Place
from engine.verdict import RULE_OF, Infringement, Kind

_WORDS: dict[Kind, tuple[str, str]] = {
    "out-of-turn": (
        "{Who} acted, but it is {turn}'s turn.",
        "{Who} takes that back; {turn} plays first.",
    ),
    "inner-die-rolled": (
        "{Who} re-rolled dice that are not one edge of the row: only the lowest or the highest "
        "number is rolled.",
        "Put {who}'s row back to {row}, then roll one edge.",
    ),
    "part-of-set-rolled": (
        "{Who} re-rolled only a part of the {face}s: all dice of the edge's number are rolled.",
        "Roll the other {face}s of {who} too.",
    ),
    "inner-die-placed": (
        "{Who} placed a {face} from the inside of the row: only an edge die may be placed.",
        "{Who} takes the {face} back and places the lowest or the highest die.",
    ),
    "wrong-row": (
        "{Who} played a {face} on row {line}: a die goes to the row of its own face.",
        "Put it on row {face}.",
    ),
    "center-rule": (
        "{Who} played the first die of row {line} on a flank: it goes to the center.",
        "Move it to the center of row {line}.",
    ),
    "push-with-room": (
        "{Who} pushed on row {line} though it has room: a push needs three dice in the row.",
        "Put row {line} back as it was and lay the die on the free flank.",
    ),
    "push-not-slid": (
        "{Who} put a die in the place of a flank die of row {line}: the whole row slides.",
        "Slide row {line} so that the die at the far flank goes off.",
    ),
    "push-wrong-way": (
        "{Who} slid row {line} the wrong way: it slides away from the flank that is played on.",
        "Put row {line} back as it was and slide it from the flank that is played on.",
    ),
    "middle-die-lifted": (
        "{Who} took the center die of row {line} off: a push moves the die at the far flank off.",
        "Put row {line} back as it was and slide it.",
    ),
    "locked-row": (
        "{Who} played on row {line}, which is locked for the rest of the round.",
        "Put row {line} back as it was; {who} places another edge die.",
    ),
    "lawn-die-turned": (
        "The die at {where} shows a {face}: dice on the Lawn are not turned.",
        "Turn it back to {line}.",
    ),
    "lawn-die-moved": (
        "A die was moved from {where} without a play.",
        "Put it back to {where}.",
    ),
    "captured-die-altered": (
        "A captured {neutral} die was changed: it keeps the face it had on the Lawn.",
        "Lay the captured dice as {row}.",
    ),
    "die-missing": (
        "{Who} has a die too few on the table: a {face} is missing.",
        # Seen from straight above, a stack looks like its upper die: only a person can tell.
        "Look for {who}'s {face}, maybe under another die or off the table, and put it back.",
    ),
    "die-too-many": (
        "{Who} has more than eight dice on the table.",
        "Take the die away that does not belong there: the row is {row}.",
    ),
    "wrong-owner-re-entry": (
        "The {owner} die that was pushed off lies in another player's row: it goes back to its "
        "owner.",
        "Put it into {owner}'s row with the face that was rolled.",
    ),
    "turn-passed": (
        "{Who} rolled but placed no die, and the next player has begun: a turn may not be passed "
        "while there is a legal move.",
        "The next player takes that back; {who} places an edge die.",
    ),
    "play-after-end": (
        "{Who} played a die, but the round is over.",
        "Take it back; the round is scored as it was.",
    ),
}


def said(
    kind: Kind,
    position: Position,
    seat: int | None,
    *,
    spots: tuple[int, ...] = (),
    keys: tuple[int, ...] = (),
    face: int = 0,
    owner: int | None = None,
    row: tuple[int, ...] = (),
    probability: float = 1.0,
) -> Infringement:
    """The verdict of a fault.

    seat: who did it. spots: places of the Lawn, 0..17, the telling one first. face, owner: of the
    die it is about. row: the faces that should lie there.
    """
    who = position.colours[seat] if seat is not None else ""
    cells: tuple[Place, ...] = tuple(place_of(spot) for spot in spots)
    if not cells:
        whose = seat if seat is not None else owner
        captured = kind == "captured-die-altered"
        cells = (
            (Area("captured", seat),)
            if captured
            else (Area("row", whose),)
            if whose is not None and whose != NEUTRAL
            else (ELSEWHERE,)
        )
    first = cells[0]
    words = {
        "who": who,
        "Who": who.capitalize(),
        "turn": (position.turn_colour or "nobody").capitalize(),
        "face": face,
        "line": first.row if isinstance(first, LawnPlace) else 0,
        "where": f"row {first.row} {first.side}" if isinstance(first, LawnPlace) else "the Lawn",
        "row": " ".join(map(str, row)) or "none",
        "owner": colour(position, owner if owner is not None else EMPTY),
        "neutral": NEUTRAL_COLOUR,
    }
    sentence, mend = _WORDS[kind]
    rule = RULE_OF[kind]
    return Infringement(
        kind,
        rule,
        who or None,
        f"{sentence[:-1].format(**words)} ({rule}).",
        mend.format(**words),
        cells,
        keys,
        probability,
    )


def place_of(spot: int) -> LawnPlace:
    """The place of the Lawn with that number, 0..17."""
    return LawnPlace(spot // 3 + 1, SIDES[spot % 3])


def colour(position: Position, owner: int) -> str:
    """An owner's colour; "" for nobody."""
    if owner == NEUTRAL:
        return NEUTRAL_COLOUR
    return position.colours[owner] if 0 <= owner < len(position.colours) else ""
