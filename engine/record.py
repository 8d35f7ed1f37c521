"""The match record: a match as plain text that people read, compare and type by hand.

    Players: red Anna, blue Ben
    Date: 14 March 2026

    Round 1
    red big roll 11233456, bonus six-dice straight, score 46
    blue big roll 22334455, bonus fully matched, score 56
    Order: blue, red
      1. blue low 22 -> 16, place 1 left
      2. red high 6 -> 3, place 1 right

The grammar and more examples are in docs/record-format.md.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine import record_writer
from engine.errors import RecordError
from engine.match import Match
from engine.record_header import OF_THE_MATCH, Header, Tag, known_name, settled
from engine.record_lines import split_tag
from engine.record_reader import RecordReader, Remark

__all__ = ["Record", "RecordError", "Remark"]


@dataclass(frozen=True, slots=True)
class Record:
    """A match with what people wrote around it; make one with `of` or `from_string`.

    Attributes:
        match: the match.
        names: the players' names in seat order, "" for none.
        header: tags and comments above the first round, in order.
        remarks: the comments below.
    """

    match: Match
    names: tuple[str, ...]
    header: Header
    remarks: tuple[Remark, ...] = ()

    @classmethod
    def of(
        cls,
        match: Match,
        *,
        names: tuple[str, ...] = (),
        tags: Iterable[tuple[str, str]] = (),
    ) -> Record:
        """The record of a match, with the players' names and other tags ("Date", "Place", ...).

        Raises:
            RecordError: a name or tag that could not be read back: line breaks, a comma in a
                name, a tag without a name, a tag that follows from the match.
        """
        names = tuple(" ".join(name.split()) for name in names) or ("",) * len(match.colours)
        extra = tuple(Tag(known_name(name), value.strip()) for name, value in tags)
        if len(names) != len(match.colours) or any("," in name for name in names):
            raise RecordError(1, "Players", "a name for each player is needed, without commas")
        for number, tag in enumerate(extra, 2):
            line = f"{tag.name}: {tag.value}"
            if tag.name in OF_THE_MATCH or split_tag(line) != (tag.name, tag.value):
                raise RecordError(number, line, "this tag cannot be written")
        record = cls(match, names, settled((Tag("Players", ""), *extra), match, names))
        cls.from_string(record.to_string())  # says what else is wrong: a line break, a second Date
        return record

    @classmethod
    def from_string(cls, text: str) -> Record:
        """Read a record and replay it.

        Raises:
            RecordError: at the first line that cannot be read or that the rules do not allow.
        """
        reader = RecordReader()
        reader.read(text)
        remarks = sorted(reader.remarks, key=lambda r: (r.at, r.rank, not r.trailing))
        return cls(reader.match, reader.names, reader.header, tuple(remarks))

    def tag(self, name: str) -> str | None:
        """The value of a tag, whatever its case, or None."""
        for line in self.header:
            if isinstance(line, Tag) and line.name.lower() == name.lower():
                return line.value
        return None

    def to_string(self) -> str:
        """The record's text, tidied; `from_string` reads it back to an equal record."""
        return record_writer.write(self.match, self.header, self.remarks)
