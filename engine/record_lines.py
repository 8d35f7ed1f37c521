"""One line of a match record: its words and what they mean, before the rules are asked.

The grammar is in docs/record-format.md. Nothing here knows the position.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from engine.actions import Edge, Elect, Place, Side
from engine.big_roll import CATEGORIES
from engine.dice import DICE_PER_PLAYER, NEUTRAL_COLOUR, Faces
from engine.errors import LawnError, Reason, shown

MAX_LINE = 4000
"""Characters; a long grind fits."""

NO_BONUS = "none"

_TAG = re.compile(r"([A-Za-z][A-Za-z0-9 _-]{0,39}?)\s*:\s*(.*)", re.ASCII)
# A phone makes a dash of any length of the arrow's hyphen.
_TOKEN = re.compile(r"\s*([-=\u2013\u2014]>|→|[a-z]+(?:-[a-z]+)*|[0-9]+|[=+>])")
_NUMBER = re.compile(r"([0-9]{1,6})\s*[.)]?\s*")
_SIDES: dict[str, Side] = {
    "left": "left",
    "center": "center",
    "centre": "center",
    "right": "right",
}


class FormError(LawnError):
    """A line whose form is wrong; the message has no full stop, the reader adds the line."""


class Refused(LawnError):
    """A line that the rules do not allow, with all reasons."""

    def __init__(self, *reasons: Reason) -> None:
        self.reasons = reasons
        super().__init__(". ".join(map(str, reasons)))


@dataclass(frozen=True, slots=True)
class Round:
    """`Round 2`."""

    number: int | None


@dataclass(frozen=True, slots=True)
class Note:
    """`Order: ...`, `End: ...`, `Scores: ...`, `Totals: ...` or `Ruling: ...` between the turns."""

    name: Literal["order", "end", "scores", "totals", "ruling"]
    value: str


NOTES: tuple[Literal["order", "end", "scores", "totals", "ruling"], ...] = (
    "order",
    "end",
    "scores",
    "totals",
    "ruling",
)
RULED = "=>"
"""Stands between the sentence of a table ruling and its position."""


@dataclass(frozen=True, slots=True)
class BigRolled:
    """`big roll 11233456`, or `tie-break 11233456` when it is for the order only."""

    faces: Faces
    for_order: bool


@dataclass(frozen=True, slots=True)
class Bonus:
    """`bonus fully matched` after a Big Roll; "" for `bonus none`."""

    category: str


@dataclass(frozen=True, slots=True)
class Points:
    """`score 48` after a Big Roll or an election."""

    total: int


@dataclass(frozen=True, slots=True)
class EdgeRoll:
    """`low 22 -> 35`: the edge, the dice taken there, and what they show."""

    edge: Edge
    dice: Faces
    shows: Faces


@dataclass(frozen=True, slots=True)
class Grind:
    """`grind -> 14`."""

    shows: Faces


@dataclass(frozen=True, slots=True)
class Push:
    """`push blue -> 4`: whose die, and what it shows when it re-enters."""

    colour: str
    shows: int | None


@dataclass(frozen=True, slots=True)
class Capture:
    """`capture white 5`."""

    face: int | None


@dataclass(frozen=True, slots=True)
class Lock:
    """`lock row 5`."""

    face: int | None


@dataclass(frozen=True, slots=True)
class Lost:
    """`lost turn`."""


Clause: TypeAlias = (
    BigRolled | Bonus | Points | Elect | EdgeRoll | Grind | Place | Push | Capture | Lock | Lost
)


@dataclass(frozen=True, slots=True)
class Turn:
    """A line of one player: the turn's number if it is written, the colour, what happened."""

    number: int | None
    colour: str
    clauses: tuple[Clause, ...]


def split_tag(text: str) -> tuple[str, str] | None:
    """Name and value of a line `Name: value`, or None when it is none."""
    found = _TAG.fullmatch(text)
    return (found[1], found[2].strip()) if found else None


def split_comment(text: str) -> tuple[str, str | None]:
    """A line between the turns without its comment, and what follows the #, or None."""
    content, mark, comment = text.partition("#")
    return content.strip(), comment.rstrip() if mark else None


def read_line(text: str) -> Round | Note | Turn:
    """The meaning of a line between the turns, its comment taken off.

    Raises:
        FormError: it has none.
    """
    tag = split_tag(text)
    if tag is not None:
        name = tag[0].lower()
        for known in NOTES:
            if name == known:
                return Note(known, tag[1])
        raise FormError(
            f"{shown(tag[0])} is no note between turns (those are Order, End, Scores, Totals and Ruling); "
            "tags of the whole match stand above the first round"
        )
    numbered = _NUMBER.match(text)
    body = text[numbered.end() :] if numbered else text
    head, *rest = re.split("[,;]", body)
    words = Words(head)
    if not numbered and not rest and words.tokens[:1] == ["round"]:
        if len(words.tokens) == 1:
            return Round(None)
        if len(words.tokens) == 2 and words.tokens[1].isdigit():
            return Round(_number(words.tokens[1]))
    colour = words.word("the colour of a player")
    clauses = [_clause(words)]
    clauses += [_clause(Words(piece)) for piece in rest]
    return Turn(int(numbered[1]) if numbered else None, colour, tuple(clauses))


class Words:
    """The words, numbers and signs of a piece of a line, taken one by one."""

    def __init__(self, text: str) -> None:
        self.text = text.strip()
        self.tokens: list[str] = []
        lowered, at = self.text.lower(), 0
        while at < len(lowered):
            found = _TOKEN.match(lowered, at)
            if found is None:
                wrong = lowered[at:].lstrip()[:1]
                raise FormError(f"{shown(wrong)} has no meaning in {shown(self.text)}")
            self.tokens.append("->" if found[1][-1] in ">→" else found[1])
            at = found.end()
        self.at = 0

    @property
    def next(self) -> str:
        """The next token, "" at the end."""
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, *wanted: str) -> str:
        """Take the next token if it is one of these, else return ""."""
        token = self.next
        if token not in wanted or not token:
            return ""
        self.at += 1
        return token

    def word(self, what: str) -> str:
        """Take a word.

        Raises:
            FormError: there is none.
        """
        token = self.next
        if not token or not token[0].isalpha():
            raise self.missing(what)
        self.at += 1
        return token

    def number(self, what: str) -> int:
        """Take a number.

        Raises:
            FormError: there is none.
        """
        token = self.next
        if not token.isdigit():
            raise self.missing(what)
        self.at += 1
        return _number(token)

    def faces(self) -> Faces:
        """Take all digits that follow, `35` and `3 5` alike; () when there are none."""
        digits = ""
        while self.next.isdigit():
            digits += self.next
            self.at += 1
        wrong = next((digit for digit in digits if digit not in "123456"), None)
        if wrong is not None:
            raise FormError(f"a die shows a face from 1 to 6, not {wrong!r}")
        if len(digits) > DICE_PER_PLAYER:
            raise FormError(f"a player has {DICE_PER_PLAYER} dice, not {len(digits)}")
        return tuple(sorted(map(int, digits)))

    def some_faces(self) -> Faces:
        """Take at least one digit.

        Raises:
            FormError: there is none.
        """
        faces = self.faces()
        if not faces:
            raise self.missing("what the dice show")
        return faces

    def face(self) -> int:
        """Take one digit.

        Raises:
            FormError: there is none, or several.
        """
        faces = self.some_faces()
        if len(faces) > 1:
            raise FormError(f"one die is meant in {shown(self.text)}, not {len(faces)}")
        return faces[0]

    def end(self) -> None:
        """Nothing may follow.

        Raises:
            FormError: something does.
        """
        if self.next:
            raise FormError(f"{shown(self.next)} is one word too many in {shown(self.text)}")

    def missing(self, what: str) -> FormError:
        """The error for something else than `what` coming next."""
        found = f"not {shown(self.next)}" if self.next else "but nothing follows"
        return FormError(f"{what} is expected in {shown(self.text)}, {found}")


def _number(digits: str) -> int:
    if len(digits) > 9:
        raise FormError(f"the number {shown(digits)} is too large")
    return int(digits)


def _clause(words: Words) -> Clause:
    clause = _read_clause(words)
    words.end()
    return clause


def _read_clause(words: Words) -> Clause:
    verb = words.word("what the player did")
    if verb in ("low", "high"):
        dice = words.faces()
        shows = words.some_faces() if words.take("->") else ()
        return EdgeRoll("low" if verb == "low" else "high", dice, shows)
    if verb in ("place", "places"):
        face = words.face()
        words.take("at")
        side = _SIDES.get(words.word("left, center or right"))
        if side is None:
            raise FormError(f"left, center or right is expected in {shown(words.text)}")
        words.take("flank")
        return Place(face, side)
    if verb in ("push", "pushes"):
        colour = "" if words.next in ("", "->") else words.word("a colour")
        return Push(colour, words.face() if words.take("->") else None)
    if verb in ("capture", "captures"):
        words.take(NEUTRAL_COLOUR)
        return Capture(words.face() if words.next else None)
    if verb in ("lock", "locks"):
        words.take("row")
        return Lock(words.face() if words.next else None)
    if verb in ("lost", "loses") and (words.take("the"), words.take("turn"))[1]:
        return Lost()
    if verb == "grind":
        words.take("roll", "rolls")
        words.take("->")
        return Grind(words.some_faces())
    return _read_opening(verb, words)


def _read_opening(verb: str, words: Words) -> Clause:
    if verb in ("big-roll", "bigroll") or (verb == "big" and words.take("roll")):
        return BigRolled(words.some_faces(), for_order=False)
    if verb in ("tie-break", "tiebreak") or (verb == "tie" and words.take("break")):
        return BigRolled(words.some_faces(), for_order=True)
    if verb in ("claim", "claims"):
        return Elect(_category(words))
    if verb == "bonus":
        return Bonus("" if words.take(NO_BONUS) else _category(words))
    if verb == "score":
        return Points(words.number("the score"))
    raise FormError(
        f"{shown(verb)} is nothing a player can do; write low, high, grind, place, push, capture, "
        "lock, lost turn, big roll, bonus, score, claims or tie-break"
    )


def _category(words: Words) -> str:
    said = []
    while words.next:
        said.append(words.word("a bonus"))
    plain = " ".join(said).replace("-", " ")
    for category in CATEGORIES:
        if plain == category.replace("-", " "):
            return category
    raise FormError(f"a bonus is one of {', '.join(CATEGORIES)}, not {shown(plain)}")
