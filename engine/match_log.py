"""The log of a round: entries that are only ever added, shared between the matches that grew by them.

A match never changes, and a long round has tens of thousands of entries, so copying them at every
step would be slow. All logs that grew out of each other share one list; each knows how much of it
is its own. Whoever is not the first to add behind that point copies.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.actions import Action
from engine.position import Position


@dataclass(frozen=True, slots=True)
class Entry:
    """One step of the log: the action, and the colour of the player who acted or threw."""

    action: Action
    by: str

    def __str__(self) -> str:
        return f"{self.by}: {self.action}"


@dataclass(frozen=True, slots=True)
class Ruling:
    """A table ruling: the players agreed to go on from a position that no action leads to.

    at: how many entries of the match's log come before it.
    position: where the match goes on; sentence: why, on one line.
    """

    at: int
    position: Position
    sentence: str


class Log:
    """An unchanging sequence of entries to which one can be added cheaply."""

    __slots__ = ("_length", "_shared")

    def __init__(self, entries: tuple[Entry, ...] = ()) -> None:
        self._shared = list(entries)
        self._length = len(entries)

    def __len__(self) -> int:
        return self._length

    def entries(self) -> tuple[Entry, ...]:
        """All entries, oldest first."""
        return tuple(self._shared[: self._length])

    def with_entry(self, entry: Entry) -> Log:
        """The log with one more entry."""
        shared, length = self._shared, self._length
        if len(shared) == length:
            shared.append(entry)
            # Two threads may have come here at once: the entry that came first has the place.
            if shared[length] is entry:
                return _log(shared, length + 1)
        return Log((*shared[:length], entry))

    def __eq__(self, other: object) -> bool:
        return self.entries() == other.entries() if isinstance(other, Log) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.entries())

    def __reduce__(self) -> tuple[type[Log], tuple[tuple[Entry, ...]]]:
        return Log, (self.entries(),)

    def __repr__(self) -> str:
        return f"Log({self.entries()!r})"


def _log(shared: list[Entry], length: int) -> Log:
    log = Log.__new__(Log)
    log._shared = shared
    log._length = length
    return log
