"""The steps of a game at a table, each with its form in the journal: what can be undone and redone.

Nothing in a step has to be explained again when it is replayed: a later program, with another
referee, comes to the same game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

from engine.game_pace import Times
from engine.match_log import Entry
from engine.options import Options
from engine.pins import DiePin
from engine.position import Position
from engine.table import LawnPlace, place_from_json, place_to_json
from engine.verdict import entries_from_json, entries_to_json

Later: TypeAlias = tuple[tuple[str, tuple[Entry, ...]], ...]
"""Later turns, by id, that a correction explains anew, each with its new actions."""


@dataclass(frozen=True, slots=True)
class Started:
    """The match begins: players in seat order, and what they play by."""

    kind: ClassVar[str] = "started"
    colours: tuple[str, ...]
    names: tuple[str, ...]
    options: Options
    threshold: int

    def body(self) -> dict[str, Any]:
        return {
            "colours": list(self.colours),
            "names": list(self.names),
            "options": self.options.to_mapping(),
            "threshold": self.threshold,
        }

    @classmethod
    def read(cls, body: Mapping[str, Any]) -> Started:
        options = Options.from_mapping(body["options"])
        return cls(tuple(body["colours"]), tuple(body["names"]), options, body["threshold"])


@dataclass(frozen=True, slots=True)
class Played:
    """Actions that a final verdict or a person says have happened; an election is one of them.

    sentence: what had to be assumed, or "". replaces: how many of the log's last actions are taken
    back first, because a die is read otherwise now; by the camera none that a person said.
    times: when the camera saw each of them, () where it did not.
    """

    kind: ClassVar[str] = "played"
    entries: tuple[Entry, ...]
    by_person: bool = False
    probability: float = 1.0
    sentence: str = ""
    replaces: int = 0
    times: Times = ()

    def body(self) -> dict[str, Any]:
        return {
            "actions": entries_to_json(self.entries),
            "by_person": self.by_person,
            "probability": self.probability,
            "sentence": self.sentence,
            "replaces": self.replaces,
            "times": [list(each) for each in self.times],
        }

    @classmethod
    def read(cls, body: Mapping[str, Any]) -> Played:
        return cls(
            entries_from_json(body["actions"]),
            body["by_person"],
            body["probability"],
            body["sentence"],
            body["replaces"],
            tuple((float(before_s), float(seen_s)) for before_s, seen_s in body["times"]),
        )


@dataclass(frozen=True, slots=True)
class TableRuling:
    """The people accept the table as it lies; the match goes on from `position`.

    tolerated: places whose die shows another face than its row, with that face.
    """

    kind: ClassVar[str] = "ruling"
    position: Position
    sentence: str
    tolerated: tuple[tuple[LawnPlace, int], ...] = ()

    def body(self) -> dict[str, Any]:
        return {
            "position": self.position.to_string(),
            "sentence": self.sentence,
            "tolerated": [[place_to_json(place), face] for place, face in self.tolerated],
        }

    @classmethod
    def read(cls, body: Mapping[str, Any]) -> TableRuling:
        tolerated = []
        for data, face in body["tolerated"]:
            place = place_from_json(data)
            if isinstance(place, LawnPlace):
                tolerated.append((place, int(face)))
        position = Position.from_string(body["position"])
        return cls(position, body["sentence"], tuple(tolerated))


@dataclass(frozen=True, slots=True)
class DieCorrected:
    """A person says what a die is; it outweighs the camera until the die is touched.

    later: the turns that were read wrong because of it.
    """

    kind: ClassVar[str] = "die"
    pin: DiePin
    later: Later = ()

    def body(self) -> dict[str, Any]:
        return {"pin": self.pin.to_json(), "later": _later_to_json(self.later)}

    @classmethod
    def read(cls, body: Mapping[str, Any]) -> DieCorrected:
        return cls(DiePin.from_json(body["pin"]), _later(body["later"]))


@dataclass(frozen=True, slots=True)
class TurnReplaced:
    """A past turn was otherwise; `later` are the turns after it that are explained anew."""

    kind: ClassVar[str] = "turn-replaced"
    turn: str
    entries: tuple[Entry, ...]
    later: Later = ()

    def body(self) -> dict[str, Any]:
        return {
            "turn": self.turn,
            "actions": entries_to_json(self.entries),
            "later": _later_to_json(self.later),
        }

    @classmethod
    def read(cls, body: Mapping[str, Any]) -> TurnReplaced:
        return cls(body["turn"], entries_from_json(body["actions"]), _later(body["later"]))


@dataclass(frozen=True, slots=True)
class TurnAdded:
    """A turn that the camera missed, after the turn `after` ("" for the very first)."""

    kind: ClassVar[str] = "turn-added"
    after: str
    entries: tuple[Entry, ...]
    later: Later = ()

    def body(self) -> dict[str, Any]:
        return {
            "after": self.after,
            "actions": entries_to_json(self.entries),
            "later": _later_to_json(self.later),
        }

    @classmethod
    def read(cls, body: Mapping[str, Any]) -> TurnAdded:
        return cls(body["after"], entries_from_json(body["actions"]), _later(body["later"]))


@dataclass(frozen=True, slots=True)
class TurnRemoved:
    """A turn that never happened."""

    kind: ClassVar[str] = "turn-removed"
    turn: str
    later: Later = ()

    def body(self) -> dict[str, Any]:
        return {"turn": self.turn, "later": _later_to_json(self.later)}

    @classmethod
    def read(cls, body: Mapping[str, Any]) -> TurnRemoved:
        return cls(body["turn"], _later(body["later"]))


Step: TypeAlias = Played | TableRuling | DieCorrected | TurnReplaced | TurnAdded | TurnRemoved

STEPS = (Played, TableRuling, DieCorrected, TurnReplaced, TurnAdded, TurnRemoved)


def _later_to_json(later: Later) -> list[Any]:
    return [[turn, entries_to_json(entries)] for turn, entries in later]


def _later(data: Any) -> Later:
    return tuple((str(turn), entries_from_json(actions)) for turn, actions in data)
