"""What the referee remembers between views besides the match, and a view as it weighs it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.evidence import FLOOR, Die
from engine.fault_parts import Fault
from engine.match import Match
from engine.pools import unpacked
from engine.position import Position
from engine.sight import Seen, Sight, sightings
from engine.story_parts import Marks, Steps, Story, ends_of, idle, marks_of, without
from engine.table import ELSEWHERE, LawnPlace, TableView
from engine.touches import faces_of
from engine.tracks import Tracks

_KEPT = 9
"""Marks that are final and may still be proved wrong."""

GHOST = 0.2
"""What is so doubtful may be no die."""

_SAME_SPOT_MM = 2.5
"""What is found so near to where a die lay is that one: a die is 16 mm."""

_AS_WELL = 0.1  # so much of how well it fitted a fault fits still where it is the same one
_MORE = 4.0  # what is so many times as doubtful has been read anew


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A view that a fault explained better than any legal story.

    seen_s: its time. shown: its dice that are hardly none. fault: the likeliest one. odds: how many times
    likelier than any legal story. sure: by far.
    """

    seen_s: float
    shown: tuple[Die, ...]
    fault: Fault
    odds: float
    sure: bool

    def hides_in(self, look: Look, named: bool = False) -> bool:
        """Whether a view shows the same but for dice that are only overlooked, or found again, since nothing has
        been moved: that takes no suspicion away.

        named: the fault has been named; to put it right some die must come to lie otherwise.
        """
        dice = look.lying
        lay = look.view.still_since_s < self.seen_s or (named and len(dice) < len(self.shown))
        if not lay or len(dice) > len(self.shown):
            return False
        if len(dice) == len(self.shown):
            if {die.key for die in dice} == {die.key for die in self.shown}:
                return False
            return all(any(_lies_so(die, other) for other in self.shown) for die in dice)
        return all(any(_is_at(die, other) for other in self.shown) for die in dice)

    def is_of(self, named: Fault) -> bool:
        """Whether it is of that kind, and by that player."""
        one, other = self.fault.said, named.said
        return (one.kind, one.player) == (other.kind, other.player)

    def is_misread_again(self, look: Look, seat: int, row: int) -> bool:
        """Whether the player's dice that do not belong to a packed row were seen before, have been touched since, and
        are read as they were: whoever takes them for misread takes them for misread twice."""
        before = faces_of(_of(seat, self.shown))
        dice = _of(seat, look.lying)
        if faces_of(dice) != before:
            return False
        odd = set(unpacked(without(before, row)))
        known = {die.ident for die in self.shown}
        anew = [die.ident not in known for die in dice if die.likeliest_face in odd]
        return bool(anew) and all(anew)

    def holds_in(self, look: Look, named: Fault, seat: int) -> bool:
        """Whether a later view shows the same fault as well, and none of the player's dice that have not been
        touched is read otherwise, or with more doubt: then it only hides what was seen before."""
        if not self.is_of(named) or named.fit < _AS_WELL * self.fault.fit:
            return False
        now = {die.ident: die for die in look.seen.dice}
        return all(
            _reads_so(now[die.ident], die)
            for die in self.shown
            if die.ident in now and die.likeliest_owner == seat
        )


def _of(seat: int, dice: tuple[Die, ...]) -> list[Die]:
    """The player's dice among these that lie off the Lawn."""
    return [
        die for die in dice if die.likeliest_owner == seat and not isinstance(die.place, LawnPlace)
    ]


def _reads_so(die: Die, other: Die) -> bool:
    """Whether a die is read as another one was, and about as surely: what is found anew has been seen once only."""
    doubt, before = 1.0 - max(die.face), 1.0 - max(other.face)
    return die.read == other.read and doubt <= max(FLOOR, _MORE * before)


def _is_at(die: Die, other: Die) -> bool:
    if die.xy_mm is None or other.xy_mm is None:
        return False
    return max(abs(a - b) for a, b in zip(die.xy_mm, other.xy_mm, strict=True)) < _SAME_SPOT_MM


def _lies_so(die: Die, other: Die) -> bool:
    """Whether a die lies where another one lay and is read as it was, as surely."""
    return _is_at(die, other) and _reads_so(die, other)


@dataclass(frozen=True, slots=True)
class Waiting:
    """What the views before have begun to say.

    cuts: positions that the view before was sure of. fault: the fault that it would have named.
    trouble_s: since when nothing fits. doubt_s: since when a question is open. missing_s: since
    when a die is missing, missing: which (owner, face). closing_s: since when dice are picked up though it
    is not clear how the round ended. seen_s: time of the last view. suspicion: the last view that a
    fault explained better. against: the view that spoke most for a fault since the last one that left no doubt. All
    None or () when nothing is pending.
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
    against: Suspicion | None = None
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
    def lying(self) -> tuple[Die, ...]:
        """That of which it is seen where it lies."""
        return tuple(d for d in self.seen.dice if d.spurious <= GHOST and d.xy_mm is not None)

    @property
    def is_clear(self) -> bool:
        """Whether it shows enough to go on from: what is hidden of a table at rest, if anything,
        lies off the Lawn, where unseen dice are reckoned with."""
        return self.view.hidden <= {ELSEWHERE} and (not self.view.hidden or self.view.still_s > 0)

    def sights(self) -> list[Sight]:
        """Every sorting of its dice, the likeliest first."""
        return sightings(self.seen, self.tolerated)
