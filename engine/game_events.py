"""What can be logged of a game at a table, and its form in the journal.

Each record is one kind of entry: the steps of engine.game_steps, and what goes on around them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self, TypeAlias

from engine.errors import JournalError, LawnError, shown
from engine.game_steps import STEPS, Played, Started, Step
from engine.journal_events import LOST, Event, Kinds
from engine.verdict import (
    Desync,
    Infringement,
    Standing,
    Unsure,
    verdict_from_json,
    verdict_to_json,
)

Closed: TypeAlias = Literal["mended", "played", "answered", "changed"]
"""How a question ended: the table fits again, a turn explains it, a person answered, or another
question took its place."""

CameraNews: TypeAlias = Literal["re-found", "lost", "turned", "replaced"]


class _Bare:
    """An entry of which there is no more to say than its kind."""

    __slots__ = ()

    def body(self) -> dict[str, Any]:
        return {}

    @classmethod
    def read(cls, _: Mapping[str, Any]) -> Self:
        return cls()


@dataclass(frozen=True, slots=True)
class Undone(_Bare):
    """The last step is taken back."""

    kind: ClassVar[str] = "undo"


@dataclass(frozen=True, slots=True)
class Redone(_Bare):
    """The step that was undone last is made again."""

    kind: ClassVar[str] = "redo"


@dataclass(frozen=True, slots=True)
class PutBack(_Bare):
    """The table was put back to what an undo went back to; the camera is listened to again."""

    kind: ClassVar[str] = "put-back"


@dataclass(frozen=True, slots=True)
class Asked:
    """An infringement, a doubt or a table out of step now stands open."""

    kind: ClassVar[str] = "asked"
    verdict: Standing

    def body(self) -> dict[str, Any]:
        return verdict_to_json(self.verdict)

    @classmethod
    def read(cls, body: Mapping[str, Any]) -> Asked:
        verdict = verdict_from_json(body)
        if not isinstance(verdict, Infringement | Unsure | Desync):
            raise JournalError(f"{shown(body.get('verdict'))} is no open question")
        return cls(verdict)


@dataclass(frozen=True, slots=True)
class Settled:
    """What stood open is settled."""

    kind: ClassVar[str] = "settled"
    how: Closed
    sentence: str = ""

    def body(self) -> dict[str, Any]:
        return {"how": self.how, "sentence": self.sentence}

    @classmethod
    def read(cls, body: Mapping[str, Any]) -> Settled:
        return cls(body["how"], body["sentence"])


@dataclass(frozen=True, slots=True)
class PinsLapsed:
    """These corrected dice were touched, so the camera is believed again about them."""

    kind: ClassVar[str] = "pins-lapsed"
    pins: tuple[int, ...]

    def body(self) -> dict[str, Any]:
        return {"pins": list(self.pins)}

    @classmethod
    def read(cls, body: Mapping[str, Any]) -> PinsLapsed:
        return cls(tuple(body["pins"]))


@dataclass(frozen=True, slots=True)
class Noted:
    """A remark of a person or of the program."""

    kind: ClassVar[str] = "note"
    text: str

    def body(self) -> dict[str, Any]:
        return {"text": self.text}

    @classmethod
    def read(cls, body: Mapping[str, Any]) -> Noted:
        return cls(body["text"])


@dataclass(frozen=True, slots=True)
class Paused(_Bare):
    """The players take a break; the camera may be put away."""

    kind: ClassVar[str] = "paused"


@dataclass(frozen=True, slots=True)
class Resumed:
    """Somebody opened the match again. The camera numbers its dice anew from here."""

    kind: ClassVar[str] = "resumed"
    source: str = ""

    def body(self) -> dict[str, Any]:
        return {"source": self.source}

    @classmethod
    def read(cls, body: Mapping[str, Any]) -> Resumed:
        return cls(body["source"])


@dataclass(frozen=True, slots=True)
class CameraChanged:
    """The camera was moved, lost, replaced, or the mat turned."""

    kind: ClassVar[str] = "camera"
    news: CameraNews
    sentence: str = ""

    def body(self) -> dict[str, Any]:
        return {"news": self.news, "sentence": self.sentence}

    @classmethod
    def read(cls, body: Mapping[str, Any]) -> CameraChanged:
        return cls(body["news"], body["sentence"])


@dataclass(frozen=True, slots=True)
class Lost(_Bare):
    """An entry that could not be read any more; it may have been anything."""

    kind: ClassVar[str] = LOST


Happening: TypeAlias = (
    Started | Step | Undone | Redone | PutBack | Asked | Settled | PinsLapsed | Noted
    | Paused | Resumed | CameraChanged | Lost
)  # fmt: skip

_ALL: tuple[type[Happening], ...] = (
    *(Started, *STEPS, Undone, Redone, PutBack, Asked, Settled, PinsLapsed),
    *(Noted, Paused, Resumed, CameraChanged, Lost),
)
_BY_KIND = {made.kind: made for made in _ALL}

KINDS = Kinds({made.kind: 1 for made in _ALL} | {Played.kind: 2})
"""Every kind with its version. Who changes the form of one counts it up and declares an upgrader."""


@KINDS.upgrader(Played.kind, 1)
def _with_times(body: dict[str, Any]) -> dict[str, Any]:
    """Version 2 says when the actions were seen."""
    return {**body, "times": []}


def happening(event: Event) -> Happening:
    """What an entry of the journal says. Raises JournalError, naming the entry."""
    try:
        return _BY_KIND[event.kind].read(event.body)
    except (KeyError, TypeError, ValueError) as error:
        why = str(error).rstrip(".") if isinstance(error, LawnError) else "a field is missing"
        raise JournalError(
            f"Entry {event.number} of the journal ({event.kind}) cannot be read: {why}."
        ) from error
