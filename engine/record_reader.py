"""Reading a match record: each line is replayed, and the first that cannot be is named.

What a line says twice (which dice were taken, whose die was pushed, a lock, a score) is checked
against the replay when it is there, and may be left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from engine.actions import BOUNDARY_LOW
from engine.errors import MatchError, PositionError, Reason, RecordError, shown
from engine.match import Match, match_over
from engine.position import Position
from engine.record_header import (
    KNOWN,
    OF_THE_MATCH,
    Comment,
    Header,
    Tag,
    known_name,
    read_options,
    read_players,
    read_threshold,
    settled,
    started,
    wrong_result,
)
from engine.record_lines import (
    MAX_LINE,
    RULED,
    EdgeRoll,
    FormError,
    Grind,
    Lost,
    Note,
    Refused,
    Round,
    Turn,
    read_line,
    split_comment,
    split_tag,
)
from engine.record_turns import TurnPlayer

RANKS = {
    "turn": 0,
    "forfeit": 1,
    "ruling": 9,
    "end": 10,
    "scores": 11,
    "totals": 12,
    "round": 20,
    "order": 21,
}
"""The order in which lines follow each other at one moment of the match."""

_PLAYERS = "Players: red Anna, blue Ben"
NO_TEXT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
"""Characters that no line may have; printed, they could do something to a terminal."""


@dataclass(frozen=True, slots=True)
class Remark:
    """A comment between the turns.

    Attributes:
        at: how many entries of the log come before it.
        rank: the RANKS of the last line before it at that moment.
        trailing: whether it stands at the end of that line, not on a line of its own.
        text: what follows the #.
    """

    at: int
    rank: int
    trailing: bool
    text: str


class RecordReader:
    """Reads one record; `read` may be called once.

    Attributes, afterwards: match, names, header, remarks.
    """

    def __init__(self) -> None:
        self.names: tuple[str, ...] = ()
        self.header: Header = ()
        self.remarks: list[Remark] = []
        self._player: TurnPlayer | None = None  # None in the header
        self._line = 0
        self._text = ""
        self._before_turn: Position | None = None
        self._values: dict[str, str] = {}  # of the known tags
        self._lines_of_tags: dict[str, int] = {}
        self._rank = 0
        self._turns = 0  # of the round that begin with a roll
        self._last_turn: tuple[int, str, Position | None] = (0, "", None)

    @property
    def match(self) -> Match:
        """The match as far as it has been replayed."""
        assert self._player is not None
        return self._player.match

    def read(self, text: str) -> None:
        """Read a whole record.

        Raises:
            RecordError: at the first line that cannot be read or replayed.
        """
        header: list[Tag | Comment] = []
        text = text.removeprefix("\ufeff")
        if not text.strip(" \t\r\n"):
            said = f"the record is empty; it begins with a line such as '{_PLAYERS}'"
            raise RecordError(1, "", said)
        for number, line in enumerate(re.split("\r\n|\r|\n", text), 1):
            self._line, self._text = number, line.strip()
            with self._blaming_the_line():
                self._check_characters(line)
                if not self._text:
                    continue
                if self._player is None:
                    entry = self._header_line()
                    if entry is not None:
                        header.append(entry)
                        continue
                    self._start()
                self._body_line()
        with self._blaming_the_line():
            if self._player is None:
                self._start()
            self._check_result()
        self.header = settled(header, self.match, self.names)

    @contextmanager
    def _blaming_the_line(self) -> Iterator[None]:
        try:
            yield
        except (FormError, Refused) as error:
            raise RecordError(
                self._line,
                self._text,
                str(error) if isinstance(error, FormError) else "",
                error.reasons if isinstance(error, Refused) else (),
                before_turn=_line_of(self._before_turn),
                position=_line_of(self._player.position if self._player else None),
            ) from None

    def _check_characters(self, line: str) -> None:
        if len(line) > MAX_LINE:
            self._text = self._text[:100]
            raise FormError(f"a line has at most {MAX_LINE} characters")
        wrong = NO_TEXT.search(line)
        if wrong:
            raise FormError(f"the character {wrong[0]!r} does not belong in a text")

    # --- the header -----------------------------------------------------------------------

    def _header_line(self) -> Tag | Comment | None:
        """A tag or comment; None where the rounds begin."""
        if self._text.startswith("#"):
            return Comment(self._text[1:])
        tag = split_tag(self._text)
        if tag is None:
            return None
        name, value = known_name(tag[0]), tag[1]
        if name in KNOWN:
            if name in self._values:
                raise FormError(f"the tag {name} stands twice")
            self._values[name] = value
            self._lines_of_tags[name] = self._line
        if name == "Players":
            read_players(value)
        elif name == "Options":
            read_options(value)
        elif name == "Threshold":
            read_threshold(value)
        if name in OF_THE_MATCH:
            value = ""  # written anew
        return Tag(name, value)

    def _start(self) -> None:
        if "Players" not in self._values:
            raise FormError(
                f"the players are missing: a record begins with a line such as '{_PLAYERS}'"
            )
        match, self.names = started(self._values)
        self._player = TurnPlayer(match)

    def _check_result(self) -> None:
        if "Result" in self._values:
            self._line = self._lines_of_tags["Result"]
            self._text = f"Result: {self._values['Result']}"
            self._before_turn = self.match.position
            reasons = wrong_result(self.match, self._values["Result"])
            if reasons:
                raise Refused(*reasons)

    # --- the rounds -----------------------------------------------------------------------

    def _body_line(self) -> None:
        content, comment = split_comment(self._text)
        self._before_turn = self.match.position
        if content:
            line = read_line(content)
            ruling = isinstance(line, Note) and line.name == "ruling"
            if not ruling:  # which may break into a turn
                self._require_finished_turn()
            if isinstance(line, Turn):
                self._turn(line)
            elif isinstance(line, Round):
                self._round(line)
            else:
                self._note(line)
        if comment is not None:
            self.remarks.append(Remark(self.match.length, self._rank, bool(content), comment))

    def _require_finished_turn(self) -> None:
        """The turn before must have been completed on its line."""
        assert self._player is not None
        if self._player.is_midway:
            line, text, before = self._last_turn
            position = self._player.position
            reasons = (
                Reason("4", "the turn is not finished on its line"),
                *position.why_not(BOUNDARY_LOW),
            )
            raise RecordError(
                line,
                text,
                reasons=reasons,
                before_turn=_line_of(before),
                position=_line_of(position),
            )

    def _step_to(self, rank: int, what: str) -> None:
        if rank <= self._rank:
            raise FormError(f"{what} stands twice or too late here")
        self._rank = rank

    def _round(self, line: Round) -> None:
        match = self.match
        due = len(match.rounds) + 1
        if match.is_over:
            raise Refused(match_over(match))
        if not match.is_between_rounds:
            raise Refused(Reason("7:1.A", f"round {due} is not over"))
        if line.number not in (None, due):
            raise FormError(f"this is round {due}, not {line.number}")
        self._step_to(RANKS["round"], f"Round {due}")

    def _note(self, note: Note) -> None:
        if note.name == "ruling":
            self._ruling(note.value)
            return
        if note.name == "order":
            self._order(note.value)
        elif not (self.match.is_between_rounds and self.match.rounds):
            raise Refused(Reason("7:1.A", "the round is not over"))
        elif note.name == "end":
            self._end(note.value)
        elif note.name == "scores":
            self._scores(note.value)
        else:
            self._totals(note.value)
        self._step_to(RANKS[note.name], note.name.capitalize())

    def _ruling(self, value: str) -> None:
        """A table ruling: the next line is played from its position."""
        assert self._player is not None
        sentence, mark, position = value.rpartition(RULED)
        if not mark:
            raise FormError(f"a ruling is written 'Ruling: why {RULED} position'")
        try:
            match = self.match.ruled(Position.from_string(position.strip()), sentence.strip())
        except (PositionError, MatchError) as error:
            raise FormError(str(error).rstrip(".")) from None
        self._player = TurnPlayer(match)
        self._turns = 0 if self.match.is_between_rounds else self._turns
        self._rank = RANKS["ruling"]

    def _order(self, value: str) -> None:
        position = self.match.position
        order = [position.colours[seat] for seat in position.order]
        if not order or self._turns or self.match.is_over:
            raise Refused(
                Reason("3:4.A", "the turn order is written when the Big Rolls have settled it")
            )
        if re.split(r"[\s,;>]+", value.lower().strip()) != order:
            raise Refused(Reason("3:4.A", f"the turn order is {', '.join(order)}"))

    def _end(self, value: str) -> None:
        last = self.match.rounds[-1]
        if " ".join(value.lower().split()) != last.end_reason:
            rule = "7:1.A" if last.end_reason == "all dice placed" else "R4"
            raise Refused(Reason(rule, f"the round ended so: {last.end_reason}"))

    def _scores(self, value: str) -> None:
        last = self.match.rounds[-1]
        wrong = []
        for colour, numbers in self._by_colour(value):
            score = last.scores[self.match.colours.index(colour)]
            parts = (score.lead, score.captured, score.lawn)
            if numbers not in ((score.total,), (*parts, score.total)):
                text = f"{colour} scores {' + '.join(map(str, parts))} = {score.total}"
                wrong.append(Reason("7:2", text))
        if wrong:
            raise Refused(*wrong)

    def _totals(self, value: str) -> None:
        wrong = []
        for colour, numbers in self._by_colour(value):
            total = self.match.totals[self.match.colours.index(colour)]
            if numbers != (total,):
                wrong.append(Reason("2:2", f"{colour} has {total} points in all"))
        if wrong:
            raise Refused(*wrong)

    def _by_colour(self, value: str) -> list[tuple[str, tuple[int, ...]]]:
        """`red 27 + 6 + 12 = 45, blue 45` as ("red", (27, 6, 12, 45)), ("blue", (45,))."""
        entries = []
        for piece in value.lower().split(","):
            found = re.fullmatch(
                r"([a-z]+)((?:\s*[0-9]{1,7}\s*\+){2}\s*[0-9]{1,7}\s*=)?\s*([0-9]{1,7})",
                piece.strip(),
            )
            if found is None or found[1] not in self.match.colours:
                raise FormError(f"points are written 'red 45, blue 33', not {shown(piece.strip())}")
            parts = [int(digits) for digits in re.findall("[0-9]+", found[2] or "")]
            entries.append((found[1], (*parts, int(found[3]))))
        return entries

    # --- turns ----------------------------------------------------------------------------

    def _turn(self, line: Turn) -> None:
        assert self._player is not None
        if line.colour not in self.match.colours:
            text = (
                f"{shown(line.colour)} is no player here; the players are "
                f"{' and '.join(self.match.colours)}. A player is written colour first, as in "
                f"'{_PLAYERS}', and a turn begins with the colour"
            )
            raise Refused(Reason("1:1", text))
        first = line.clauses[0]
        begins = isinstance(first, EdgeRoll | Grind)
        if begins and line.number not in (None, self._turns + 1):
            raise FormError(f"this is turn {self._turns + 1} of the round, not {line.number}")
        if line.number is not None and not begins:
            raise FormError("only turns that begin with a roll are numbered")
        if line.clauses == (Lost(),):
            self._forfeit(line.colour)
            return
        self._last_turn = (self._line, self._text, self._before_turn)
        self._player.play(line.colour, line.clauses)
        self._turns = 0 if self.match.is_between_rounds else self._turns + begins
        self._rank = 0

    def _forfeit(self, colour: str) -> None:
        """A turn lost without a roll (R2, before-roll)."""
        assert self._player is not None
        forfeits = self._player.forfeits if self._rank < RANKS["end"] else []
        if colour not in forfeits:
            text = f"{colour} loses no turn here without a boundary roll"
            raise Refused(Reason("6:2.A", text))
        skipped = forfeits.index(colour) + 1
        del forfeits[:skipped]
        self._step_to(self._rank + skipped, "the lost turn")


def _line_of(position: Position | None) -> str:
    return position.to_string() if position else ""
