"""Actions: what a player chooses and what the dice show. They are small, frozen and shared.

Each has a context-free text form, `str(action)`, that `parse_action` reads back; the longer name
that also tells the consequence is `Position.name(action)`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, TypeAlias, final, get_args

from engine.big_roll import CATEGORIES
from engine.dice import DICE_PER_PLAYER, Faces, face, faces, throws
from engine.errors import ActionError, DiceError, shown

Edge: TypeAlias = Literal["low", "high"]
Side: TypeAlias = Literal["left", "center", "right"]

EDGES: tuple[Edge, ...] = get_args(Edge)
SIDES: tuple[Side, ...] = get_args(Side)


@final
@dataclass(frozen=True, slots=True)
class BoundaryRoll:
    """The choice which edge of the Player Row is re-rolled (4:1.A); the dice follow as Rolled.

    Raises:
        ActionError: `edge` is neither "low" nor "high".
    """

    edge: Edge

    def __post_init__(self) -> None:
        if self.edge not in EDGES:
            raise ActionError(f"An edge is low or high, not {shown(self.edge)}.")

    def __str__(self) -> str:
        return f"boundary {self.edge}"


@final
@dataclass(frozen=True, slots=True)
class Place:
    """One die put on the Lawn row of its own face (4:3.A), at the left, center or right.

    Raises:
        ActionError: `face` is not 1 to 6 or `side` is unknown.
    """

    face: int
    side: Side

    def __post_init__(self) -> None:
        try:
            object.__setattr__(self, "face", face(self.face))
        except DiceError as error:
            raise ActionError(str(error)) from None
        if self.side not in SIDES:
            raise ActionError(f"A side is left, center or right, not {shown(self.side)}.")

    def __str__(self) -> str:
        return f"place {self.face} {self.side}"


@final
@dataclass(frozen=True, slots=True)
class Elect:
    """The bonus category that a player claims for the Big Roll (3:2.D).

    Raises:
        ActionError: there is no such category.
    """

    category: str

    def __post_init__(self) -> None:
        if self.category not in CATEGORIES:
            listed = ", ".join(CATEGORIES)
            raise ActionError(f"A bonus is one of {listed}, not {shown(self.category)}.")

    def __str__(self) -> str:
        return f"claim {self.category}"


@final
@dataclass(frozen=True, slots=True)
class Rolled:
    """What thrown dice show: one to eight faces, kept sorted, as the dice of a throw are alike.

    Raises:
        ActionError: no dice, more than eight, or something that is no face.
    """

    faces: Faces

    def __post_init__(self) -> None:
        try:
            checked = faces(self.faces)
        except DiceError as error:
            raise ActionError(str(error)) from None
        if not 1 <= len(checked) <= DICE_PER_PLAYER:
            raise ActionError(f"A throw has one to eight dice, not {len(checked)}.")
        object.__setattr__(self, "faces", checked)

    def __str__(self) -> str:
        return "rolled " + " ".join(map(str, self.faces))


Action: TypeAlias = BoundaryRoll | Place | Elect | Rolled

BOUNDARY_LOW = BoundaryRoll("low")
BOUNDARY_HIGH = BoundaryRoll("high")


@lru_cache(maxsize=32)
def chance_table(count: int) -> tuple[tuple[Rolled, float], ...]:
    """All throws of `count` dice with their probabilities, equal handfuls merged."""
    return tuple((Rolled(handful), chance) for handful, chance in throws(count))


@lru_cache(maxsize=32)
def chance_actions(count: int) -> tuple[Rolled, ...]:
    """All throws of `count` dice, without probabilities."""
    return tuple(action for action, _ in chance_table(count))


@lru_cache(maxsize=4096)
def shared_rolled(thrown: Faces) -> Rolled:
    """`Rolled(thrown)`, one shared object for each handful: for simulators in a hurry."""
    return Rolled(thrown)


def parse_action(text: str) -> Action:
    """Read the text form of an action: "boundary low", "place 5 right", "rolled 3 5",
    "claim fully matched".

    Raises:
        ActionError: anything else.
    """
    if not isinstance(text, str):
        raise ActionError(f"An action is given as text, not {shown(text)}.")
    verb, _, rest = text.partition(" ")
    words = rest.split(" ")
    if verb == "boundary" and rest in EDGES:
        return BoundaryRoll("low" if rest == "low" else "high")
    if verb == "claim":
        return Elect(rest)
    if verb == "rolled":
        return Rolled(tuple(_digit(word) for word in words))
    if verb == "place" and len(words) == 2 and words[1] in SIDES:
        return Place(_digit(words[0]), next(side for side in SIDES if side == words[1]))
    raise ActionError(
        f"{shown(text)} is no action; write 'boundary low', 'place 5 right', 'rolled 3 5' or "
        "'claim fully matched'."
    )


def _digit(word: str) -> int:
    # str.isdigit also takes other scripts' digits, which nobody means here.
    if len(word) != 1 or word not in "123456":
        raise ActionError(f"A die shows a face from 1 to 6, not {shown(word)}.")
    return int(word)


def action_to_json(action: Action) -> dict[str, Any]:
    """A plain dict: {"action": "place", "face": 5, "side": "right"} and so on."""
    if isinstance(action, BoundaryRoll):
        return {"action": "boundary", "edge": action.edge}
    if isinstance(action, Place):
        return {"action": "place", "face": action.face, "side": action.side}
    if isinstance(action, Elect):
        return {"action": "claim", "category": action.category}
    return {"action": "rolled", "faces": list(action.faces)}


def action_from_json(data: object) -> Action:
    """Read what `action_to_json` wrote.

    Raises:
        ActionError: a missing, unknown or ill-typed entry.
    """
    if not isinstance(data, Mapping):
        raise ActionError(f"An action is given as an object, not {shown(data)}.")
    verb = data.get("action")
    wanted: dict[str, tuple[str, ...]] = {
        "boundary": ("edge",),
        "place": ("face", "side"),
        "claim": ("category",),
        "rolled": ("faces",),
    }
    keys = wanted.get(verb) if isinstance(verb, str) else None
    if keys is None:
        raise ActionError(f"There is no action {shown(verb)}.")
    if set(data) != {"action", *keys}:
        raise ActionError(f"The action {verb} takes exactly: {', '.join(keys)}.")
    values = [data[key] for key in keys]
    if any(isinstance(data[key], list | dict) for key in keys if key != "faces"):
        raise ActionError(f"The action {verb} has an entry of the wrong kind.")
    if verb == "boundary":
        return BoundaryRoll(values[0])
    if verb == "place":
        return Place(values[0], values[1])
    if verb == "claim":
        return Elect(values[0])
    return Rolled(values[0])
