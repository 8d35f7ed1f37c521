"""What the referee says about a view of the table: records only, each with a JSON form.

`Referee.see` gives what is new with a view; what stays open (an infringement, a question, a table
out of step) is kept in `Referee.standing` until it is settled, and is not said again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

from engine.actions import action_from_json, action_to_json
from engine.errors import LawnError, TableError, shown
from engine.match_log import Entry
from engine.position import Position
from engine.table import LawnPlace, Place, place_from_json, place_to_json

Kind: TypeAlias = Literal[
    "out-of-turn",
    "inner-die-rolled",
    "part-of-set-rolled",
    "inner-die-placed",
    "wrong-row",
    "center-rule",
    "push-with-room",
    "push-not-slid",
    "push-wrong-way",
    "middle-die-lifted",
    "locked-row",
    "lawn-die-turned",
    "lawn-die-moved",
    "captured-die-altered",
    "die-missing",
    "die-too-many",
    "wrong-owner-re-entry",
    "turn-passed",
    "play-after-end",
]
KINDS: tuple[Kind, ...] = get_args(Kind)

RULE_OF: dict[Kind, str] = {
    "out-of-turn": "3:4.A",  # another player rolls or plays, or one plays twice
    "inner-die-rolled": "4:1.A",  # dice re-rolled that are no edge, or both edges
    "part-of-set-rolled": "4:1.B",  # only when an untouched die of the set proves it
    "inner-die-placed": "4:2.A",
    "wrong-row": "4:3.A",  # a die laid on a row that is not its face's
    "center-rule": "4:3.B",  # the first die of an empty row laid on a flank
    "push-with-room": "5:1.A",  # a die pushed off a row of two dice
    "push-not-slid": "5:1.B",  # the flank die simply replaced: abc -> xbc or abx
    "push-wrong-way": "5:1.B",  # a flank die is off, the rest in no order that a slide can give
    "middle-die-lifted": "5:1.B",  # the center die is off instead of a flank die
    "locked-row": "4:3.D",
    "lawn-die-turned": "4:3.A",  # it lies where it lay, showing another face
    "lawn-die-moved": "5:1",  # moved or taken off the Lawn without a play
    "captured-die-altered": "5:3.B",  # another face, or back on the Lawn
    "die-missing": "1:1",
    "die-too-many": "1:1",
    "wrong-owner-re-entry": "5:2.B",  # the pushed die lies in another player's row
    "turn-passed": "4",  # the next player acts though there was a legal move
    "play-after-end": "7:1.A",
}

HAND_UNKNOWN: frozenset[Kind] = frozenset(
    {"lawn-die-turned", "lawn-die-moved", "captured-die-altered", "die-missing", "die-too-many"}
)
"""Faults of which the dice do not tell whose hand it was, so that it is right to name nobody."""

Progress: TypeAlias = Literal["", "lifted", "sliding", "re-entry", "hidden", "setting-up"]


@dataclass(frozen=True, slots=True)
class Agrees:
    """The table shows what is expected, or a legal step of it half done.

    progress: "" when everything lies as expected; "lifted" while dice are in a hand, "sliding"
        while a push is half done, "re-entry" while a pushed die is not yet in its row, "hidden"
        while something covers what matters, "setting-up" between rounds.
    """

    progress: Progress = ""


@dataclass(frozen=True, slots=True)
class Happened:
    """Legal actions that explain the table.

    Attributes:
        actions: in order, each with the colour of who acted or threw, as a Match logs them. A
            provisional verdict counts from `Referee.position`, that is: from the last final one.
        probability: of this story among all, misreadings and infringements included.
        final: whether the referee has committed to it. Provisional ones replace each other.
        position: after the actions; when they end a round, the end of that round.
        assumed: choices that the camera cannot see and that change nothing now (which edge was
            rolled, which bonus is elected), one sentence each.
        replaces: how many entries of earlier final verdicts this one takes back first, because later
            views read a die otherwise: the log's last entries are dropped, then `actions` added.
    """

    actions: tuple[Entry, ...]
    probability: float
    final: bool
    position: Position
    assumed: tuple[str, ...] = ()
    replaces: int = 0


@dataclass(frozen=True, slots=True)
class Infringement:
    """What no legal story explains but a known fault does.

    Attributes:
        kind: one of KINDS.
        rule: the number of the rule that is broken.
        player: the colour of who did it, or None when that is not known.
        sentence: what is wrong and why, for the players.
        mend: what puts it right, one sentence.
        cells: places to light up.
        keys: dice to light up, by SeenDie.key.
        probability: of this fault among all explanations.
    """

    kind: Kind
    rule: str
    player: str | None
    sentence: str
    mend: str
    cells: tuple[Place, ...] = ()
    keys: tuple[int, ...] = ()
    probability: float = 1.0


@dataclass(frozen=True, slots=True)
class Mended:
    """The table fits again after an infringement or after being out of step."""

    sentence: str
    kind: Kind | None = None


@dataclass(frozen=True, slots=True)
class Guess:
    """One answer to a question: what would be logged, how likely it is, and in words.

    replaces: how many of the log's last actions, final as they were, would be taken back first.
    """

    actions: tuple[Entry, ...]
    probability: float
    sentence: str
    replaces: int = 0


@dataclass(frozen=True, slots=True)
class Unsure:
    """A question: stories that the view cannot tell apart, best first, and where to look."""

    sentence: str
    look_at: tuple[Place, ...]
    keys: tuple[int, ...]
    guesses: tuple[Guess, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """One die or place that is not as expected; expected and seen are "blue 4" or "nothing"."""

    place: Place
    expected: str
    seen: str
    keys: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Desync:
    """The table is out of step: nothing explains it."""

    sentence: str
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class Turned:
    """The table fits when it is turned by 180 degrees, and is read so from now on."""

    sentence: str
    turned: bool


@dataclass(frozen=True, slots=True)
class Ruled:
    """A table ruling: the table was accepted as it lies.

    Attributes:
        position: what is expected from now on.
        sentence: for the log.
        tolerated: places of the Lawn whose die shows another face than its row, with that face.
    """

    position: Position
    sentence: str
    tolerated: tuple[tuple[LawnPlace, int], ...] = ()


Verdict: TypeAlias = Agrees | Happened | Infringement | Mended | Unsure | Desync | Turned | Ruled
Standing: TypeAlias = Infringement | Unsure | Desync


def verdict_to_json(verdict: Verdict) -> dict[str, Any]:
    """A dict of plain JSON types with "verdict" naming the kind; `verdict_from_json` reads it."""
    data: dict[str, Any] = {"verdict": type(verdict).__name__.lower()}
    for name in verdict.__slots__:
        data[name] = _plain(name, getattr(verdict, name))
    return data


def verdict_from_json(data: object) -> Verdict:
    """Read what `verdict_to_json` wrote.

    Raises:
        TableError: it is no verdict.
    """
    if not isinstance(data, Mapping):
        raise TableError(f"A verdict is given as a mapping, not {shown(data)}.")
    made = _MADE.get(str(data.get("verdict")))
    if made is None:
        raise TableError(f"There is no verdict {shown(data.get('verdict'))}.")
    try:
        fields = {name: _read(name, data[name]) for name in made.__slots__}
        verdict: Verdict = made(**fields)
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, LawnError):
            raise TableError(str(error)) from None
        raise TableError(f"The verdict {shown(data['verdict'])} has a faulty field.") from None
    return verdict


_MADE: dict[str, Any] = {
    made.__name__.lower(): made
    for made in (Agrees, Happened, Infringement, Mended, Unsure, Desync, Turned, Ruled)
}


def entries_to_json(entries: tuple[Entry, ...]) -> list[dict[str, Any]]:
    """Actions with their players, as in Match.to_json."""
    return [{"by": entry.by, **action_to_json(entry.action)} for entry in entries]


def entries_from_json(data: object) -> tuple[Entry, ...]:
    """Read `entries_to_json` back. Raises ActionError or TableError."""
    if not isinstance(data, list) or not all(isinstance(each, Mapping) for each in data):
        raise TableError(f"Actions are a list of objects, not {shown(data)}.")
    return tuple(
        Entry(action_from_json({k: v for k, v in each.items() if k != "by"}), str(each.get("by")))
        for each in data
    )


def _plain(name: str, value: Any) -> Any:
    if name == "actions":
        return entries_to_json(value)
    if name == "position":
        return value.to_string()
    if name in ("cells", "look_at"):
        return [place_to_json(place) for place in value]
    if name == "place":
        return place_to_json(value)
    if name == "tolerated":
        return [[place_to_json(place), face] for place, face in value]
    if name in ("guesses", "differences"):
        return [{n: _plain(n, getattr(each, n)) for n in each.__slots__} for each in value]
    return list(value) if isinstance(value, tuple) else value


def _read(name: str, value: Any) -> Any:
    readers: dict[str, Callable[[Any], Any]] = {
        "actions": entries_from_json,
        "position": Position.from_string,
        "cells": _places,
        "look_at": _places,
        "place": place_from_json,
        "tolerated": lambda pairs: tuple((place_from_json(p), int(f)) for p, f in pairs),
        "guesses": lambda each: tuple(_record(Guess, one) for one in each),
        "differences": lambda each: tuple(_record(Difference, one) for one in each),
    }
    if name in readers:
        return readers[name](value)
    return tuple(value) if isinstance(value, list) else value


def _places(value: Any) -> tuple[Place, ...]:
    return tuple(place_from_json(place) for place in value)


def _record(made: Any, data: Mapping[str, Any]) -> Any:
    # A journal of an earlier version lacks fields that have come since.
    return made(**{name: _read(name, data[name]) for name in made.__slots__ if name in data})
