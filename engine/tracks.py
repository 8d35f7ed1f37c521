"""The table followed from view to view: what the last clear view left possible, as tracks.

A view shows the dice as they lie; what was rolled before the last play is gone by then. So each
story that a clear view allows becomes a track, and the next view's stories go on from the tracks.
This is the forward filter of a hidden Markov model whose states are positions with their histories.
What a view says of a die that still lies there is in the next view's beliefs too (they are fused
by die), so it must not count twice: a track is weighed by the dice that are gone since.

Tracks begin at a root, a position some turns back: what the referee has called final is only read
off them (`engine.weighing`), and a later view may still prove it wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.dice import DICE_PER_PLAYER
from engine.fitting import Fit, Lay
from engine.known_dice import Known, doubted_dice, known_dice
from engine.misread import Paid, as_paid, paid_for
from engine.order import Line, is_ordered, line_of
from engine.overlooked import (
    in_hand,
    lie_at_least,
    lost_dice,
    off_lawn,
    overlooking,
)
from engine.past import Past
from engine.position import Position
from engine.sight import Seen, Sight, sightings
from engine.story_parts import (
    Loose,
    Steps,
    Story,
    ends_of,
    idle,
)
from engine.touches import LastSeen, Touched, last_seen, touched_since

_MOST, _MOST_ROLLS = 60, 150
"""Tracks that are followed; while dice are rolled eight at a time, of which several may be doubtful."""

_WELL = 1e-3
"""A story that fits so well at least has no die misread without a doubt."""
WORTH = 1e-7
_LEFT_OUT = 1e-3  # of the weight of all stories, at most
_VISITS = 200  # positions that the search from an unlikely track may weigh
_HEAVY = (
    1e-6  # share of the likeliest track, below which it is all one which of its dice are misread
)
_UNLIKELY = 0.01  # beside the best of them
_LEADERS = 4  # continuations of likelier tracks that an unlikely one tries
_SORTINGS = 4
_SHOWN = 1e-3  # share of the likeliest reading of eight dice


@dataclass(frozen=True, slots=True)
class Track:
    """Steps since the root that may have led to what the last clear view showed.

    prior: weight of the steps without what that view itself says. pushed: as in `stories`.
    loose: per seat whether its row may yet be put in order. twins, unseen: as of a
    Story. likelihood: of that view. paid: dice that are misread by this track, which its prior has paid for.
    """

    steps: Steps
    position: Position
    prior: float
    pushed: int = 0
    loose: tuple[Loose, ...] = ("",) * 3
    twins: frozenset[Position] = frozenset()
    likelihood: float = 1.0
    unseen: bool = False
    paid: Paid = ()


@dataclass(frozen=True, slots=True)
class Tracks:
    """The tracks of one view, its dice, along which lines the Player Rows lie, and what is known of
    dice that are read wrong.

    lost_of, lost_at: as of a Seen, for the next view. off_lawn: per seat how many of its dice were seen off the
    Lawn. doubted: idents of dice of which nothing can be known. thrown: what dice showed before they were
    last moved, as Fit takes it, in a tie-break. overlooked: where dice of the owners of lost_of were last seen.
    still_lost: those of lost_of of whom one was overlooked before others of their dice were taken up. sound: idents
    of the dice of the last view that a legal story explained well.
    """

    tracks: tuple[Track, ...]
    seen: Seen | None = None
    lines: tuple[Line | None, ...] = (None,) * 3
    known: Known = ()
    lost_of: frozenset[int] = frozenset()
    lost_at: frozenset[int] = frozenset()
    off_lawn: tuple[int, ...] = ()
    doubted: frozenset[int] = frozenset()
    thrown: tuple[Lay, ...] = ()
    overlooked: LastSeen = ()
    still_lost: frozenset[int] = frozenset()
    sound: frozenset[int] = frozenset()

    @classmethod
    def at(cls, position: Position) -> Tracks:
        """Nothing has been seen yet."""
        return cls((Track((), position, 1.0),))

    @property
    def likeliest_track(self) -> Track:
        """What has most likely led to what the last clear view showed."""
        return max(self.tracks, key=lambda each: each.prior * each.likelihood)

    @property
    def likeliest(self) -> Position:
        """What the last clear view most likely showed."""
        return self.likeliest_track.position

    # --- what it says of the next view ----------------------------------------------------------

    def thrown_before(self, seen: Seen) -> tuple[Lay, ...]:
        """What eight dice of a seat showed before they were last moved, for a later view."""
        if self.seen is None or all(each.position.phase != "tie-break" for each in self.tracks):
            return ()
        old, there = sightings(self.seen)[0], {die.ident for die in seen.dice}
        made = list[Lay]()
        for seat in range(seen.seats):
            lie = [die.ident in there for die in old.off_lawn(seat)]
            if self.thrown and len(lie) == DICE_PER_PLAYER and all(lie):
                made.append(self.thrown[seat])
                continue
            shown = old.pool(seat).likeliest(DICE_PER_PLAYER, _SHOWN)
            total = sum(weight for _, weight in shown)
            made.append(([(part, weight / total) for part, weight in shown], sum(lie)))
        return tuple(made)

    def lacked(self, position: Position, now: Seen) -> tuple[int, ...]:
        """Per seat whether one of a position's dice off the Lawn was overlooked in the view before; more at
        once, or one beside those that are rolled, are more likely in a hand, unless it was overlooked before
        these were taken up. Where dice of the seat are hidden now, that says nothing."""
        if not self.off_lawn:
            return (0,) * 3
        lay, hand = lie_at_least(position), in_hand(position)
        lost = self.lost_of if hand in self.still_lost else self.lost_of - {hand}
        return tuple(
            int(seat in lost and lies == seen + 1 and not now.hides(seat))
            for seat, (lies, seen) in enumerate(zip(lay, self.off_lawn, strict=True))
        )

    def paying(self, seen: Seen, tolerated: dict[int, int] | None) -> list[Paid]:
        """Of each track, the dice that are misread by it and lie as they lay."""
        if self.seen is None or len(self.tracks) == 1:
            return [()] * len(self.tracks)
        old = sightings(self.seen, tolerated)[0]
        weights = [track.prior * track.likelihood for track in self.tracks]
        least, every = _HEAVY * max(weights), dict[Paid, Sight]()
        there = {die.ident for die in seen.dice}
        paying: list[Paid] = []
        for track, weight in zip(self.tracks, weights, strict=True):
            if weight < least:
                paying.append(tuple(each for each in track.paid if each[0] in there))
                continue
            if track.paid not in every:
                every[track.paid] = as_paid(old, track.paid)
            paying.append(paid_for(track.position, every[track.paid], seen, track.paid))
        return paying

    def weights(
        self, seen: Seen, tolerated: dict[int, int] | None, paying: Sequence[Paid] = ()
    ) -> list[float]:
        """Of each track, its prior with all that the view before said and this one does not repeat.

        paying: of each, the dice that it has paid for afterwards, if that is meant.
        """
        if self.seen is None or len(self.tracks) == 1:
            return [track.prior for track in self.tracks]
        old = sightings(self.seen, tolerated)[:_SORTINGS]
        every: dict[tuple[Paid, Paid], list[Past]] = {}
        weights = []
        for track, paid in zip(self.tracks, paying or self.paying(seen, tolerated), strict=True):
            key = track.paid, paid
            if key not in every:
                more = tuple(each for each in paid if each not in track.paid)
                every[key] = [
                    Past(Fit(as_paid(sight, track.paid), self.thrown), seen, more) for sight in old
                ]
            gone = (past.gone(track.position, track.pushed, track.unseen) for past in every[key])
            weights.append(track.prior * sum(gone))
        most = max(weights)
        return [weight / most for weight in weights] if most > 0 else [1.0] * len(weights)

    def touched(self, seen: Seen, sight: Sight, tolerated: dict[int, int] | None) -> Touched:
        """Which dice have been touched since the view before, in this sorting of the dice."""
        ordered = tuple(
            is_ordered(sight.off_lawn(seat), self.lines[seat]) for seat in range(seen.seats)
        )
        if self.seen is None:
            return Touched(ordered=ordered)
        spot_now = dict(zip((die.ident for die in sight.seen.dice), sight.spots, strict=True))

        def apart(old: Sight) -> int:
            """How many dice that lie untouched another owner, or place, has in it."""
            dice = zip(old.seen.dice, old.spots, strict=True)
            return sum(spot_now.get(die.ident, spot) != spot for die, spot in dice)

        # A die of doubtful colour that goes on lying there is not new to the row that it is counted to now.
        old = min(sightings(self.seen, tolerated)[:_SORTINGS], key=apart)
        return replace(touched_since(old, sight, ordered, self.overlooked), sound=self.sound)

    # --- what is left -------------------------------------------------------------------------

    def followed(self, told: list[Story], seen: Seen, sight: Sight) -> Tracks:
        """The tracks after a clear view that told these stories; as before where so much of it is hidden that
        it leaves more possible than can be followed: then it is as if nobody had looked."""
        kept = [story for story in told if story.fit]
        count = _MOST if self.likeliest.order else _MOST_ROLLS
        left = sum(story.weight for story in kept[count:])
        if seen.hidden and self.seen and left > _LEFT_OUT * sum(story.weight for story in kept):
            return self
        kept = kept[:count]
        kept = [story for story in kept if story.weight >= kept[0].weight * WORTH]
        kept = [story for story in kept if story.prior > 1e-300]
        lines = tuple(
            line_of(sight.off_lawn(seat)) or self.lines[seat] for seat in range(seen.seats)
        )
        if not kept:
            return Tracks((), seen, lines)
        told_of = [(story.position, story.weight) for story in kept]
        lost_of, lost_at = lost_dice(told_of, sight, self.lost_of)
        looked = replace(seen, lost_of=lost_of, lost_at=lost_at)
        prices = overlooking(sight, looked, kept)
        most = max(story.prior * price for story, price in zip(kept, prices, strict=True))
        tracks = tuple(
            Track(
                story.steps,
                story.position,
                story.prior * price / most,
                story.pushed,
                story.loose,
                story.twins,
                story.weight / (story.prior * price),
                story.unseen,
                story.paid,
            )
            for story, price in zip(kept, prices, strict=True)
        )
        weighed = [(track.position, track.prior * track.likelihood) for track in tracks]
        before, lay = None, frozenset[int]()
        if self.seen is not None:
            before = self.likeliest
            lay = frozenset(die.ident for die in self.seen.dice) - self.doubted
        known = known_dice(weighed, sight, before, lay)
        best = max(weighed, key=lambda each: each[1])[0]
        doubted = doubted_dice(best, sight, known, before, lay, self.doubted)
        overlooked: LastSeen = ()
        hand = frozenset((in_hand(best),))
        still_lost = lost_of & self.still_lost | lost_of - hand
        if self.seen is not None and lost_of:
            old = sightings(self.seen)[0]
            overlooked = last_seen(old, sight, lost_of, self.overlooked)
        return Tracks(
            tracks,
            looked,
            lines,
            known,
            lost_of,
            lost_at,
            off_lawn(sight),
            doubted,
            self.thrown_before(seen),
            overlooked,
            still_lost,
            frozenset(die.ident for die in seen.dice) if kept[0].fit >= _WELL else self.sound,
        )

    def rooted(self, steps: Steps) -> Tracks:
        """Those tracks that come to the position after these steps, from there on. Rolls that follow and
        change nothing are left out: without what was before, they could not be told from others."""
        at, marks = steps[-1][1], len(ends_of(steps))
        made = []
        for track in self.tracks:
            there = [
                (mark != marks, end)
                for mark, end in enumerate(ends_of(track.steps), 1)
                if track.steps[end - 1][1] == at
            ]
            if there:
                end = min(there)[1]
                end += idle(at, track.steps[end:])
                made.append(replace(track, steps=track.steps[end:]))
        return replace(self, tracks=tuple(made))
