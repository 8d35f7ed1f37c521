"""The referee: from the expected position and views of the table to verdicts.

    referee = Referee.start(Match.start(2))
    for view in views:
        referee, verdicts = referee.see(view)

It is immutable and pure: same match, same views, same verdicts. No clock but the views' own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from engine.match import Match
from engine.position import Position
from engine.table import Place, TableView
from engine.verdict import Happened, Standing, Verdict


@dataclass(frozen=True, slots=True)
class Pin:
    """A person's correction of one die: it overrides the camera while the die lies untouched.

    key: the die (SeenDie.key). face, owner, place: what it is; None leaves the camera's belief.
    absent: there is no die at all.
    """

    key: int
    face: int | None = None
    owner: int | None = None
    place: Place | None = None
    absent: bool = False


@dataclass(frozen=True, slots=True)
class Referee:
    """What is expected, and what is open.

    Attributes:
        match: with every final action applied. Its log holds what this referee has seen since it
            was made, for totals and rounds; the whole story is the journal's.
        provisional: the latest provisional story, or None.
        standing: the open infringement, question or desync, or None.
    """

    match: Match
    provisional: Happened | None = None
    standing: Standing | None = None

    @classmethod
    def start(cls, match: Match | Position) -> Referee:
        """A referee who expects what the match, or a single round's position, expects."""
        raise NotImplementedError

    @property
    def position(self) -> Position:
        """The expected position: all final actions applied."""
        return self.match.position

    def see(self, view: TableView) -> tuple[Referee, tuple[Verdict, ...]]:
        """Take in a view: the referee afterwards, and what is new, in order.

        Final Happened verdicts come first, then at most one of Agrees, provisional Happened,
        Infringement, Unsure, Desync. () when nothing is new (an open infringement still stands).
        """
        raise NotImplementedError

    def accept(self, view: TableView) -> tuple[Referee, tuple[Verdict, ...]]:
        """Accept the table as it lies: one Ruled, or a Desync when it cannot be a position."""
        raise NotImplementedError

    def corrected(self, *pins: Pin) -> Referee:
        """With a person's corrections of dice; they take effect with the next view."""
        raise NotImplementedError

    def played(self, match: Match | Position) -> Referee:
        """With another expected match or position (a past turn corrected, an undo), pins kept."""
        return replace(self, match=Referee.start(match).match)

    def to_json(self) -> dict[str, Any]:
        """The whole state as plain JSON types; `from_json` goes on from it."""
        raise NotImplementedError

    @classmethod
    def from_json(cls, data: object) -> Referee:
        """Read what `to_json` wrote. Raises TableError."""
        raise NotImplementedError
