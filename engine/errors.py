"""The engine's own errors: nothing else is ever raised by malformed input or a refused action."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


def shown(value: object) -> str:
    """`value` as it may be quoted in a message: at most 40 characters, whatever it is."""
    try:
        text = repr(value)
    except Exception:  # a stranger's __repr__, or an integer of more than 4300 digits
        text = f"a {type(value).__name__}"
    return text if len(text) <= 40 else text[:37] + "..."


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason why something is refused: the rule's number ("4:3.B", "R7") and one sentence.

    The sentence begins with a capital and has no full stop, so that the rule can follow it.
    """

    rule: str
    text: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", self.text[:1].upper() + self.text[1:])

    def __str__(self) -> str:
        return f"{self.text} (rule {self.rule})"


class LawnError(ValueError):
    """Root of every error of the engine; its message is a sentence fit for a player to read."""


class DiceError(LawnError):
    """Faces or counts of dice that cannot be: seven dice in a Big Roll, a face of 0."""


class OptionsError(LawnError):
    """An option (ruling) with an unknown name or value."""


class PositionError(LawnError):
    """A position that cannot be read, or that breaks the rules of equipment.

    Attributes:
        at: where the fault is: an offset into the text (0 is its first character), or None
            when the position did not come from text.
        field: the name of the faulty field ("lawn", "row of red"), or "".
        reason: what is wrong there, one sentence.
        rule: the rule that is broken ("1:1.A"), or "" when it is a matter of notation only.
    """

    def __init__(
        self, reason: str, *, at: int | None = None, field: str = "", rule: str = ""
    ) -> None:
        self.reason = reason
        self.at = at
        self.field = field
        self.rule = rule
        where = "" if at is None else f"at character {at + 1}"
        named = ", ".join(part for part in (where, field) if part)
        prefix = f"{named}: " if named else ""
        suffix = f" (rule {rule})" if rule else ""
        super().__init__(f"{prefix}{reason}{suffix}")


class IllegalAction(LawnError):
    """An action that the position refuses, with every reason, not only the first.

    Attributes:
        action: the name of what was tried.
        reasons: all reasons, in the order of the turn's steps; never empty.
    """

    def __init__(self, action: str, reasons: Iterable[Reason]) -> None:
        self.action = action
        self.reasons: tuple[Reason, ...] = tuple(reasons)
        listed = " ".join(f"{reason}." for reason in self.reasons)
        super().__init__(f"'{action}' is not legal here. {listed}")

    @property
    def rules(self) -> frozenset[str]:
        """The numbers of all rules that the action breaks."""
        return frozenset(reason.rule for reason in self.reasons)


class ActionError(LawnError):
    """An action that cannot be read or cannot exist: a face of 9, a side called "top"."""


class MatchError(LawnError):
    """A match that cannot be set up, read or taken back so.

    Attributes:
        at: number of the faulty log entry (0 is the first), or None when it is none of them.
    """

    def __init__(self, message: str, *, at: int | None = None) -> None:
        self.at = at
        super().__init__(message if at is None else f"Entry {at + 1} of the log: {message}")


class PastOthers(MatchError):
    """An undo that would also take back what somebody else has done since.

    Attributes:
        by: the colour of who asks for the undo.
        others: (colour, action) of everything of others that it would take back, oldest first.
    """

    def __init__(self, by: str, others: Iterable[tuple[str, str]]) -> None:
        self.by = by
        self.others: tuple[tuple[str, str], ...] = tuple(others)
        listed = ", ".join(f"{colour}'s '{action}'" for colour, action in self.others)
        super().__init__(
            f"This undo by {by} would also take back {listed}; ask first, then undo past others."
        )


class RecordError(LawnError):
    """The first line of a match record that cannot be read, or that the rules do not allow.

    Attributes:
        line: its number; the first line is 1.
        text: the line as it stands there, without the spaces around it.
        reason: what is wrong with the form of the line; "" when the rules are broken instead.
        reasons: what the rules say against it, all of it; () when it is a matter of form.
        before_turn: the position before that line as one line of text, "" outside the rounds.
        position: the position in which the refused step was tried, after the legal ones of the
            same line.
    """

    def __init__(
        self,
        line: int,
        text: str,
        reason: str = "",
        reasons: Iterable[Reason] = (),
        *,
        before_turn: str = "",
        position: str = "",
    ) -> None:
        self.line = line
        self.text = text
        self.reason = reason
        self.reasons: tuple[Reason, ...] = tuple(reasons)
        self.before_turn = before_turn
        self.position = position
        said = reason or ". ".join(map(str, self.reasons))
        super().__init__(f"Line {line}: {said}.")

    @property
    def rules(self) -> frozenset[str]:
        """The numbers of all rules that the line breaks."""
        return frozenset(reason.rule for reason in self.reasons)


class RecordFileError(LawnError):
    """A file that is no readable text: missing, a folder, binary, not UTF-8, too large."""


class TableError(LawnError):
    """A view of the table that cannot be read: a die of five faces, a place off every board."""


class JournalError(LawnError):
    """A match journal that cannot be opened, written or read; the sentence names the file."""


class CorrectionError(LawnError):
    """A correction that cannot be made: a turn that is not there, actions that no rule allows."""
