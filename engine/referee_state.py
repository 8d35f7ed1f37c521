"""What the referee remembers between views besides the match, and a view as it weighs it."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.match import Match
from engine.position import Position
from engine.sight import Seen, Sight, sightings
from engine.table import LawnPlace, TableView
from engine.tracks import Tracks
from engine.weighing import Anchor


@dataclass(frozen=True, slots=True)
class Waiting:
    """What the views before have begun to say.

    cuts: positions that the view before was sure of. kind: the fault that it would have named.
    trouble_s: since when nothing fits. doubt_s: since when a question is open. missing_s: since
    when a die is missing, missing: which (owner, face). tracks: what the last clear view left
    possible. revised: what the view before would have
    changed the log to. All None or () when nothing is pending.
    """

    cuts: tuple[Position, ...] = ()
    fault: str = ""
    trouble_s: float | None = None
    doubt_s: float | None = None
    missing_s: float | None = None
    missing: tuple[int, int] | None = None
    seen_s: float | None = None
    tracks: Tracks = field(default_factory=Tracks)
    revised: Position | None = None


@dataclass(frozen=True, slots=True)
class Past:
    """What was expected before the last final verdicts, should a later view prove them misread."""

    match: Match
    anchor: Anchor
    pushed: int
    entered: tuple[float, ...]
    tolerated: tuple[tuple[LawnPlace, int], ...]


@dataclass(frozen=True, slots=True)
class Look:
    """A view as one call of `see` weighs it."""

    view: TableView
    seen: Seen
    tolerated: dict[int, int]

    def sights(self) -> list[Sight]:
        """Every sorting of its dice, the likeliest first."""
        return sightings(self.seen, self.tolerated)
