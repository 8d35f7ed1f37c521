"""A position as plain JSON types, and back.

{"players": ["red", "blue"], "options": {"ending": "gridlock", ...}, "phase": "placement",
 "turn": "red", "edge": null, "displaced": null, "order": [["blue"], ["red"]],
 "rows": {"red": [2, 3, 5, 6], "blue": [1, 1]},
 "lawn": {"1": [null, "white", "red"], ..., "6": [...]},
 "captured": {"red": [], "blue": [1, 3]},
 "big_rolls": {"red": {"faces": [1, 2, ...], "bonus": null}, "blue": null}, "lost_turns": 0}
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from engine.big_roll import CATEGORIES
from engine.check import colours_checked
from engine.dice import DICE_PER_PLAYER, FACES, NEUTRAL_COLOUR, Faces, face
from engine.errors import DiceError, OptionsError, PositionError, shown
from engine.lawn import EMPTY, NEUTRAL, Lawn, LawnRow
from engine.opening import Groups, Opening
from engine.options import Options
from engine.parts import NOBODY, PHASES, Parts

_KEYS = (
    *("players", "options", "phase", "turn", "edge", "displaced", "order"),
    *("rows", "lawn", "captured", "big_rolls", "lost_turns"),
)


def write(parts: Parts) -> dict[str, Any]:
    """The dict of a position."""
    opening = parts.opening
    colours = opening.colours
    owners = {**dict(enumerate(colours)), NEUTRAL: NEUTRAL_COLOUR, EMPTY: None}
    return {
        "players": list(colours),
        "options": opening.options.to_mapping(),
        "phase": parts.phase,
        "turn": owners[parts.turn],
        "edge": parts.edge or None,
        "displaced": owners[parts.displaced],
        "order": [[colours[seat] for seat in group] for group in opening.groups],
        "rows": {colour: list(parts.rows[seat]) for seat, colour in enumerate(colours)},
        "lawn": {
            str(number): [owners[owner] for owner in row]
            for number, row in zip(FACES, parts.lawn, strict=True)
        },
        "captured": {colour: list(parts.captured[seat]) for seat, colour in enumerate(colours)},
        "big_rolls": {
            colour: {"faces": list(rolled), "bonus": bonus or None} if rolled else None
            for colour, rolled, bonus in zip(
                colours, opening.big_rolls, opening.bonuses, strict=True
            )
        },
        "lost_turns": parts.lost,
    }


def read(data: object) -> Parts:
    """Read a dict into contents that are well formed but not yet checked against the rules.

    Raises:
        PositionError: with the field and the reason.
    """
    entries = _object(data, "position", _KEYS)
    colours = colours_checked(entries["players"])
    try:
        options = Options.from_mapping(entries["options"])
    except OptionsError as error:
        raise _fail("options", str(error).rstrip(".")) from None
    phase = next((each for each in PHASES if each == entries["phase"]), None)
    if phase is None:
        raise _fail(
            "phase", f"a phase is one of {', '.join(PHASES)}, not {shown(entries['phase'])}"
        )
    rolls = _object(entries["big_rolls"], "big_rolls", colours)
    scored = [_big_roll(rolls[colour], f"big-rolls of {colour}") for colour in colours]
    lost = entries["lost_turns"]
    if isinstance(lost, bool) or not isinstance(lost, int) or not 0 <= lost <= 3:
        raise _fail("lost", f"lost turns in a row are 0 to 3, not {shown(lost)}")
    return Parts(
        opening=Opening(
            colours=colours,
            options=options,
            big_rolls=tuple(rolled for rolled, _ in scored),
            bonuses=tuple(bonus for _, bonus in scored),
            groups=_order(entries["order"], colours),
        ),
        phase=phase,
        turn=_seat(entries["turn"], colours, "turn"),
        edge=_edge(entries["edge"]),
        displaced=_seat(entries["displaced"], colours, "displaced"),
        lawn=_lawn(entries["lawn"], colours),
        rows=_rows(entries["rows"], colours, "rows"),
        captured=_rows(entries["captured"], colours, "captured"),
        lost=lost,
    )


def _fail(field: str, reason: str, rule: str = "") -> PositionError:
    return PositionError(reason, field=field, rule=rule)


def _object(data: object, field: str, keys: tuple[str, ...]) -> Mapping[str, Any]:
    if not isinstance(data, Mapping):
        raise _fail(field, f"an object is expected, not {shown(data)}")
    missing = [key for key in keys if key not in data]
    if missing:
        raise _fail(field, f"{', '.join(missing)} is missing")
    unknown = [key for key in data if key not in keys]
    if unknown:
        raise _fail(field, f"there is no entry {shown(unknown[0])}")
    return data


def _list(data: object, field: str, count: int | None = None) -> list[Any]:
    if not isinstance(data, list | tuple) or count not in (None, len(data)):
        many = "a list" if count is None else f"a list of {count}"
        raise _fail(field, f"{many} is expected, not {shown(data)}")
    return list(data)


def _seat(data: object, colours: tuple[str, ...], field: str) -> int:
    if data is None:
        return NOBODY
    if not isinstance(data, str) or data not in colours:
        raise _fail(field, f"a player is {' or '.join(colours)}, not {shown(data)}")
    return colours.index(data)


def _edge(data: object) -> Literal["", "low", "high"]:
    if data is None:
        return ""
    if data == "low":
        return "low"
    if data == "high":
        return "high"
    raise _fail("edge", f"an edge is low or high, not {shown(data)}")


def _order(data: object, colours: tuple[str, ...]) -> Groups:
    groups = []
    for group in _list(data, "order"):
        seats = tuple(_seat(each, colours, "order") for each in _list(group, "order"))
        if not seats or NOBODY in seats:
            raise _fail("order", "a group of tied players has at least one player")
        groups.append(seats)
    return tuple(groups)


def _faces(data: object, field: str) -> Faces:
    try:
        return tuple(face(each) for each in _list(data, field))
    except DiceError as error:
        raise _fail(field, str(error).rstrip(".")) from None


def _rows(data: object, colours: tuple[str, ...], field: str) -> tuple[Faces, ...]:
    rows = _object(data, field, colours)
    return tuple(_faces(rows[colour], f"{field} of {colour}") for colour in colours)


def _big_roll(data: object, field: str) -> tuple[Faces, str]:
    if data is None:
        return (), ""
    entries = _object(data, field, ("faces", "bonus"))
    rolled = _faces(entries["faces"], field)
    if len(rolled) != DICE_PER_PLAYER or list(rolled) != sorted(rolled):
        raise _fail(field, "a Big Roll is eight faces in ascending order", "3:1.A")
    bonus = entries["bonus"]
    if bonus is None:
        return rolled, ""
    if not isinstance(bonus, str) or bonus not in CATEGORIES:
        raise _fail(field, f"a bonus is one of {', '.join(CATEGORIES)}, not {shown(bonus)}", "3:2")
    return rolled, bonus


def _lawn(data: object, colours: tuple[str, ...]) -> Lawn:
    rows = _object(data, "lawn", tuple(map(str, FACES)))
    owners: dict[object, int] = {**{colour: seat for seat, colour in enumerate(colours)}}
    owners |= {None: EMPTY, NEUTRAL_COLOUR: NEUTRAL}
    lawn: list[LawnRow] = []
    for number in FACES:
        field = f"lawn row {number}"
        places = _list(rows[str(number)], field, 3)
        for place in places:
            if not isinstance(place, str | None) or place not in owners:
                raise _fail(field, f"a place holds a colour or null, not {shown(place)}")
        left, center, right = (owners[place] for place in places)
        lawn.append((left, center, right))
    return tuple(lawn)
