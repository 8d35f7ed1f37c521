"""A position as one readable line, and back.

    players red,blue; phase placement red; order blue>red; rows red 2356, blue 11;
    lawn 1 .wr, 2 bwr, 3 rrr, 4 .w., 5 .w., 6 bw.; captured red -, blue 13;
    big-rolls red 12223456, blue 11112266 fully matched; options own-push keep-face

(on one line). Fields stand in this order, separated by "; ", their entries by ", ":

    players    colours in seat order, separated by ","
    phase      the phase and who acts: "boundary-choice red", "boundary-roll red low" (the edge in
               the air), "re-entry red rolls blue" (whose die is in the air), "round-over"
    order      colours in turn order: ">" before a later one, "=" between tied ones; "-" before
    rows       each colour in seat order with its faces, "-" for none
    lawn       each row number with left, center and right: "." is free, "w" neutral, else the
               player's letter, see `letters`
    captured   each colour with the captured neutral faces, or "-"; for two players only
    big-rolls  each colour with eight faces and the claimed bonus, if any; "-" before the roll
    lost       turns lost in a row (three players, ending gridlock); left out when 0
    options    options that are not at their default; left out when all are
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal, TypeVar

from engine.big_roll import CATEGORIES
from engine.check import colours_checked
from engine.dice import FACES, Faces
from engine.errors import OptionsError, PositionError, shown
from engine.lawn import EMPTY, NEUTRAL, Lawn, LawnRow
from engine.opening import Groups, Opening
from engine.options import Options
from engine.parts import NOBODY, PHASES, Parts, Phase

T = TypeVar("T")

BEFORE_IT = "Position before it:"
WHERE_REFUSED = "Position where it was refused:"
"""What `lawn check` prints before a position; it may be pasted along, and so may the spaces."""

_PASTED = re.compile(rf"\s*(?:(?:{BEFORE_IT}|{WHERE_REFUSED})\s*)?")
_MAX_LENGTH = 1000
_REQUIRED = ("players", "phase", "order", "rows", "lawn", "captured", "big-rolls")
_FIELDS = (*_REQUIRED, "lost", "options")


def letters(colours: tuple[str, ...]) -> dict[str, int]:
    """The letter of each owner on the Lawn: the first letter of the colour that is still free,
    "w" for neutral dice, "." for an empty place."""
    table = {".": EMPTY, "w": NEUTRAL}
    for seat, colour in enumerate(colours):
        free = (letter for letter in colour + "abcdef" if letter not in table)
        table[next(free)] = seat
    return table


# --- writing ------------------------------------------------------------------------------


def write(parts: Parts) -> str:
    """The line of a position."""
    opening = parts.opening
    colours = opening.colours
    fields = [
        f"players {','.join(colours)}",
        f"phase {_phase_text(parts)}",
        f"order {_order_text(opening)}",
        f"rows {_listed(colours, [_digits(row) for row in parts.rows])}",
        f"lawn {_lawn_text(parts.lawn, colours)}",
    ]
    if len(colours) == 2:
        fields.append(f"captured {_listed(colours, [_digits(row) for row in parts.captured])}")
    rolls = [
        f"{_digits(faces)} {bonus}".rstrip()
        for faces, bonus in zip(opening.big_rolls, opening.bonuses, strict=True)
    ]
    fields.append(f"big-rolls {_listed(colours, rolls)}")
    if parts.lost:
        fields.append(f"lost {parts.lost}")
    changed = opening.options.changed()
    if changed:
        fields.append("options " + ", ".join(f"{name} {value}" for name, value in changed.items()))
    return "; ".join(fields)


def _phase_text(parts: Parts) -> str:
    if parts.turn == NOBODY:
        return parts.phase
    colours = parts.opening.colours
    text = f"{parts.phase} {colours[parts.turn]}"
    if parts.edge:
        text += f" {parts.edge}"
    if parts.displaced != NOBODY:
        text += f" rolls {colours[parts.displaced]}"
    return text


def _order_text(opening: Opening) -> str:
    names = opening.colours
    return ">".join("=".join(names[seat] for seat in group) for group in opening.groups) or "-"


def _listed(colours: tuple[str, ...], values: list[str]) -> str:
    return ", ".join(f"{colour} {value}" for colour, value in zip(colours, values, strict=True))


def _digits(faces: Faces) -> str:
    return "".join(map(str, faces)) or "-"


def _lawn_text(lawn: Lawn, colours: tuple[str, ...]) -> str:
    letter = {owner: each for each, owner in letters(colours).items()}
    rows = ("".join(letter[owner] for owner in row) for row in lawn)
    return ", ".join(f"{face} {row}" for face, row in zip(FACES, rows, strict=True))


# --- reading ------------------------------------------------------------------------------


def read(text: object) -> tuple[Parts, dict[str, int]]:
    """Read a line into contents that are well formed but not yet checked against the rules.

    Spaces around the line and the words that `lawn check` prints before it are skipped.

    Returns the contents and where each field starts in the text.

    Raises:
        PositionError: with the offset, the field and the reason.
    """
    if not isinstance(text, str):
        raise PositionError(f"a position is given as text, not {shown(text)}")
    pasted = _PASTED.match(text)
    start = pasted.end() if pasted else 0
    line = text[start:].rstrip()
    if len(line) > _MAX_LENGTH:
        raise PositionError(f"a position is one line of at most {_MAX_LENGTH} characters", at=start)
    if line.partition(" ")[0] != _FIELDS[0]:
        raise PositionError(
            "this is no position; give the line that 'lawn check' prints after "
            f"'{BEFORE_IT}', it begins with '{_FIELDS[0]}'.",
            at=start,
        )
    bodies, places = _split_fields(line, start)

    def body(name: str) -> _Text:
        return _Text(bodies[name], places[name] + len(name) + 1, name)

    colours = _read_colours(body("players"))
    two = len(colours) == 2
    if two != ("captured" in bodies):
        at = places.get("captured", places["big-rolls"])
        reason = "the captured dice are missing" if two else "only two players capture dice"
        raise PositionError(reason, at=at, field="captured", rule="5:3")
    options = _read_options(body("options")) if "options" in bodies else Options()
    phase, turn, edge, displaced = _read_phase(body("phase"), colours)
    none: tuple[Faces, ...] = ((),) * len(colours)
    rolls = body("big-rolls").by_colour(colours, _read_big_roll)
    parts = Parts(
        opening=Opening(
            colours=colours,
            options=options,
            big_rolls=tuple(faces for faces, _ in rolls),
            bonuses=tuple(bonus for _, bonus in rolls),
            groups=_read_order(body("order"), colours),
        ),
        phase=phase,
        turn=turn,
        edge=edge,
        displaced=displaced,
        lawn=_read_lawn(body("lawn"), letters(colours)),
        rows=body("rows").by_colour(colours, _read_faces),
        captured=body("captured").by_colour(colours, _read_faces) if two else none,
        lost=_read_lost(body("lost")) if "lost" in bodies else 0,
    )
    return parts, places


class _Text:
    """A piece of the line that knows where it stands."""

    def __init__(self, text: str, at: int, field: str) -> None:
        self.text = text
        self.at = at
        self.field = field

    def split(self, separator: str) -> list[_Text]:
        pieces, at = [], self.at
        for piece in self.text.split(separator):
            pieces.append(_Text(piece, at, self.field))
            at += len(piece) + len(separator)
        return pieces

    def error(self, reason: str, rule: str = "") -> PositionError:
        return PositionError(reason, at=self.at, field=self.field, rule=rule)

    def by_colour(self, colours: tuple[str, ...], value: Callable[[_Text], T]) -> tuple[T, ...]:
        entries = self.split(", ")
        if len(entries) != len(colours):
            raise self.error(f"{len(colours)} entries are needed, one a player")
        values = []
        for entry, colour in zip(entries, colours, strict=True):
            name, _, rest = entry.text.partition(" ")
            if name != colour:
                raise entry.error(f"here {colour} is expected, not {shown(name)}")
            values.append(value(_Text(rest, entry.at + len(name) + 1, f"{self.field} of {colour}")))
        return tuple(values)


def _split_fields(text: str, start: int) -> tuple[dict[str, str], dict[str, int]]:
    bodies: dict[str, str] = {}
    places: dict[str, int] = {}
    last = -1
    for piece in _Text(text, start, "").split("; "):
        name, _, body = piece.text.partition(" ")
        if name not in _FIELDS:
            raise piece.error(f"there is no field {shown(name)}; fields are {', '.join(_FIELDS)}")
        if _FIELDS.index(name) <= last:
            raise piece.error(f"the field {name} stands twice or too late")
        last = _FIELDS.index(name)
        bodies[name], places[name] = body, piece.at
    for name in _REQUIRED:
        if name not in bodies and name != "captured":
            raise PositionError(f"the field {name} is missing", at=start + len(text), field=name)
    return bodies, places


def _read_colours(text: _Text) -> tuple[str, ...]:
    try:
        return colours_checked(tuple(text.text.split(",")))
    except PositionError as error:
        raise text.error(error.reason, error.rule) from None


def _read_seat(text: _Text, colours: tuple[str, ...]) -> int:
    if text.text not in colours:
        raise text.error(f"a player is {' or '.join(colours)}, not {shown(text.text)}")
    return colours.index(text.text)


def _read_phase(
    text: _Text, colours: tuple[str, ...]
) -> tuple[Phase, int, Literal["", "low", "high"], int]:
    words = text.split(" ")
    phase = next((each for each in PHASES if each == words[0].text), None)
    if phase is None:
        raise words[0].error(f"a phase is one of {', '.join(PHASES)}, not {shown(words[0].text)}")
    needed = {"round-over": 1, "boundary-roll": 3, "re-entry": 4}.get(phase, 2)
    if len(words) != needed:
        form = {
            "round-over": "round-over",
            "boundary-roll": "boundary-roll COLOUR low|high",
            "re-entry": "re-entry COLOUR rolls COLOUR",
        }.get(phase, f"{phase} COLOUR")
        raise text.error(f"this phase is written '{form}'")
    turn = _read_seat(words[1], colours) if needed > 1 else NOBODY
    edge: Literal["", "low", "high"] = ""
    displaced = NOBODY
    if phase == "boundary-roll":
        if words[2].text not in ("low", "high"):
            raise words[2].error(f"an edge is low or high, not {shown(words[2].text)}")
        edge = "low" if words[2].text == "low" else "high"
    elif phase == "re-entry":
        if words[2].text != "rolls":
            raise words[2].error("here 'rolls' is expected")
        displaced = _read_seat(words[3], colours)
    return phase, turn, edge, displaced


def _read_order(text: _Text, colours: tuple[str, ...]) -> Groups:
    if text.text == "-":
        return ()
    return tuple(
        tuple(_read_seat(each, colours) for each in group.split("=")) for group in text.split(">")
    )


def _read_faces(text: _Text) -> Faces:
    if text.text == "-":
        return ()
    if not text.text:
        raise text.error("here faces are expected, or - for none")
    for offset, digit in enumerate(text.text):
        if digit not in "123456":
            where = _Text(digit, text.at + offset, text.field)
            raise where.error(f"a die shows a face from 1 to 6, not {shown(digit)}")
    return tuple(map(int, text.text))


def _read_big_roll(text: _Text) -> tuple[Faces, str]:
    digits, space, bonus = text.text.partition(" ")
    faces = _read_faces(_Text(digits, text.at, text.field))
    if faces and (len(faces) != 8 or list(faces) != sorted(faces)):
        raise text.error("a Big Roll is eight faces in ascending order", "3:1.A")
    if space and bonus not in CATEGORIES:
        where = _Text(bonus, text.at + len(digits) + 1, text.field)
        raise where.error(f"a bonus is one of {', '.join(CATEGORIES)}, not {shown(bonus)}", "3:2")
    return faces, bonus


def _read_lawn(text: _Text, owners: dict[str, int]) -> Lawn:
    entries = text.split(", ")
    if len(entries) != len(FACES):
        raise text.error("the Lawn has six rows", "1:2.A")
    lawn: list[LawnRow] = []
    for face, entry in zip(FACES, entries, strict=True):
        if entry.text[:2] != f"{face} ":
            raise entry.error(f"here row {face} is expected", "1:2.A")
        row = _Text(entry.text[2:], entry.at + 2, f"lawn row {face}")
        if len(row.text) != 3:
            raise row.error("a row of the Lawn has three places", "1:2.B")
        for offset, letter in enumerate(row.text):
            if letter not in owners:
                where = _Text(letter, row.at + offset, row.field)
                raise where.error(f"a place is one of {' '.join(owners)}, not {shown(letter)}")
        left, center, right = (owners[letter] for letter in row.text)
        lawn.append((left, center, right))
    return tuple(lawn)


def _read_lost(text: _Text) -> int:
    if text.text not in ("1", "2", "3"):
        raise text.error(f"lost turns in a row are 1, 2 or 3, not {shown(text.text)}")
    return int(text.text)


def _read_options(text: _Text) -> Options:
    chosen: dict[str, str] = {}
    for entry in text.split(", "):
        name, _, value = entry.text.partition(" ")
        if name in chosen:
            raise entry.error(f"the option {name} stands twice")
        chosen[name] = value
        try:
            Options.from_mapping(chosen)
        except OptionsError as error:
            raise entry.error(str(error).rstrip(".")) from None
    return Options.from_mapping(chosen)
