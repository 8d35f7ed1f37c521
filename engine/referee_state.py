"""What the referee remembers between views besides the match, and a view as it weighs it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.fault_parts import Fault
from engine.match import Match
from engine.position import Position
from engine.sight import Seen, Sight, sightings
from engine.story_parts import Marks, Steps, Story, ends_of, idle, marks_of
from engine.table import ELSEWHERE, TableView
from engine.tracks import Tracks

_KEPT = 9
"""Marks that are final and may still be proved wrong."""

GHOST = 0.2
"""What is so doubtful may be no die."""

_SAME_SPOT_MM = 2.5
"""What is found so near to where a die lay is that one: a die is 16 mm."""


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A view that a fault explained better than any legal story.

    seen_s: its time. shown: where its dice lie, mm. fault: the likeliest one. sure: by far.
    """

    seen_s: float
    shown: tuple[tuple[float, float], ...]
    fault: Fault
    sure: bool

    def hides_in(self, look: Look) -> bool:
        """Whether a view shows the same but for dice that are only overlooked, since nothing has been moved:
        that takes no suspicion away."""
        if look.view.still_since_s >= self.seen_s or len(look.spots) >= len(self.shown):
            return False
        return all(
            any(max(abs(x - u), abs(y - v)) < _SAME_SPOT_MM for u, v in self.shown)
            for x, y in look.spots
        )


@dataclass(frozen=True, slots=True)
class Waiting:
    """What the views before have begun to say.

    cuts: positions that the view before was sure of. fault: the fault that it would have named.
    trouble_s: since when nothing fits. doubt_s: since when a question is open. missing_s: since
    when a die is missing, missing: which (owner, face). closing_s: since when dice are picked up though it
    is not clear how the round ended. seen_s: time of the last view. suspicion: the last view that a
    fault explained better. All None or () when nothing is pending.
    """

    cuts: Marks = ()
    fault: str = ""
    trouble_s: float | None = None
    doubt_s: float | None = None
    missing_s: float | None = None
    missing: tuple[int, int] | None = None
    seen_s: float | None = None
    closing_s: float | None = None
    suspicion: Suspicion | None = None
    asked: Position | None = None


@dataclass(frozen=True, slots=True)
class Trail:
    """What may have happened since a root some marks back, and what of it is final.

    tracks: from the root on. done: the final steps since the root. matches: the match at the root
    and after each final mark but the last. firm: the tracks before a view that legal stories explain, but a
    fault nearly as well, or better; None while none does. aside: the tracks after a view that was not believed,
    and how unlikely it was (`engine.aside`); unit: once they are gone on from, what their weights are to be
    multiplied with to be comparable with those of stories that go on from `firm`, else 0.
    """

    tracks: Tracks
    done: Steps = ()
    matches: tuple[Match, ...] = ()
    firm: Tracks | None = None
    aside: tuple[Tracks, float] | None = None
    unit: float = 0.0

    @classmethod
    def at(cls, position: Position) -> Trail:
        """Nothing is known but the position."""
        return cls(Tracks.at(position))

    def followed(self, told: list[Story], seen: Seen, sight: Sight) -> Trail:
        """With the stories of a view gone on from."""
        tracks = self.tracks.followed(told, seen, sight)
        unit = self.unit * max(story.prior for story in told)
        return replace(self, tracks=tracks, aside=None, unit=unit)

    @property
    def marks(self) -> Marks:
        """The marks that are final."""
        return marks_of(self.done)

    def done_as(self, best: Story) -> Steps:
        """The steps of a story that tells all that is final, up to there."""
        ends, count = ends_of(best.steps), len(ends_of(self.done))
        return best.steps[: ends[count - 1]] if count else ()

    def grown(self, match: Match, steps: Steps, agreed: int) -> tuple[Trail, Match]:
        """With these steps final, which begin after `agreed` marks of what is final so far.

        match: with all that is final so far. Returns the match afterwards too.
        """
        ends = ends_of(self.done)
        done, matches = self.done, self.matches
        if agreed < len(ends):
            match, matches = matches[agreed], matches[:agreed]
            done = done[: ends[agreed - 1]] if agreed else ()
        before, count = match, len(marks_of(done))
        for step in steps:
            match = match.apply(step[0])
            done = (*done, step)
            if len(marks_of(done)) > count:
                matches, count = (*matches, before), count + 1
            if ends_of(done)[-1:] == [len(done)]:
                before = match
        return Trail(self.tracks, done, matches), match

    def told_as(self, match: Match, later: Match) -> Trail | None:
        """The tracks that tell what another match tells from the root on; None if none does.

        match: with all that is final.
        """
        root = self.matches[0] if self.matches else match
        actions = [entry.action for entry in later.log]
        said = len(actions) - root.length
        if said <= 0 or actions[: root.length] != [entry.action for entry in root.log]:
            return None
        kept = tuple(
            track
            for track in self.tracks.tracks
            if len(track.steps) >= said and track.steps[said - 1][1] == later.position
        )
        if not kept:
            return None
        trail = Trail(replace(self.tracks, tracks=kept))
        return trail.grown(root, kept[0].steps[:said], 0)[0].trimmed()

    def trimmed(self) -> Trail:
        """With a later root once there are many marks."""
        ends = ends_of(self.done)
        over = len(ends) - _KEPT
        if over <= 0:
            return self
        at = ends[over - 1]
        tracks = self.tracks.rooted(self.done[:at])
        if not tracks.tracks:
            return self
        root = self.matches[over]
        after = at + idle(self.done[at - 1][1], self.done[at:])
        for action, _ in self.done[at:after]:
            root = root.apply(action)
        return Trail(tracks, self.done[after:], (root, *self.matches[over + 1 :]))


@dataclass(frozen=True, slots=True)
class Look:
    """A view as one call of `see` weighs it."""

    view: TableView
    seen: Seen
    tolerated: dict[int, int]

    @property
    def surely(self) -> frozenset[int]:
        """The idents of what is seen that is hardly no die."""
        return frozenset(die.ident for die in self.seen.dice if die.spurious <= GHOST)

    @property
    def spots(self) -> tuple[tuple[float, float], ...]:
        """Where these lie, mm."""
        return tuple(d.xy_mm for d in self.seen.dice if d.spurious <= GHOST and d.xy_mm is not None)

    @property
    def is_clear(self) -> bool:
        """Whether it shows enough to go on from: what is hidden of a table at rest, if anything,
        lies off the Lawn, where unseen dice are reckoned with."""
        return self.view.hidden <= {ELSEWHERE} and (not self.view.hidden or self.view.still_s > 0)

    def sights(self) -> list[Sight]:
        """Every sorting of its dice, the likeliest first."""
        return sightings(self.seen, self.tolerated)
