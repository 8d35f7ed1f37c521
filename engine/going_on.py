"""The stories of a view that go on from the tracks of the view before.

The search runs from each position in which tracks have ended, the one that may explain most first, so that
most of the others need none. Where the best story is strained, or the likeliest track is given up, tracks that
each have one turn right are crossed (`engine.crossing`): one by which two dice were misread at once may have been
too unlikely to be followed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import prod
from typing import TypeAlias

from engine.actions import Action
from engine.crossing import crossed
from engine.errors import IllegalAction
from engine.fitting import Fit
from engine.misread import Paid, as_paid, price
from engine.overlooked import lie_at_least, lies_off_lawn, off_lawn
from engine.pools import MISSED_ANEW, chosen, packed
from engine.position import Position
from engine.sight import Seen, Sight
from engine.stories import CLEARLY, MOST_VISITS, stories
from engine.story_parts import Loose, Story, joined, left_loose
from engine.touches import Touched, faces_of
from engine.tracks import WORTH, Track, Tracks

_VISITS = 200  # positions that the search from an unlikely track may weigh
_UNLIKELY = 0.01  # beside the best of them
_LEADERS = 4  # continuations of likelier tracks that an unlikely one tries
_SORTINGS = 4
_STRAINED = 0.02
"""Where the best story fits no better than that, with what it has paid for misread dice, tracks are crossed."""

_Key: TypeAlias = tuple[Position, int, tuple[Loose, ...], Paid]
"""Of tracks from which stories go on alike: position, pushed, loose, and the dice paid for."""

_Leader: TypeAlias = tuple[tuple[Action, ...], float, float]
"""What goes on from a likely track, its prior and its weight."""


def go_on(
    tracks: Tracks,
    seen: Seen,
    sights: list[Sight],
    tolerated: dict[int, int] | None = None,
    turns: int = 1,
) -> list[Story]:
    """The stories of a view that go on from tracks, the heaviest first.

    sights: sortings of the view's dice. tolerated: as of a Sight. turns: as of `stories`.
    """
    view = _View(seen, sights[:_SORTINGS], tolerated, turns)
    told = view.told(tracks)
    if told and (_is_strained(told[0]) or _is_given_up(tracks, told[0])):
        more = crossed(tracks.tracks)
        if more:
            # Together: what is weighed of tracks is only comparable with what is weighed of others with them.
            told = view.told(replace(tracks, tracks=(*tracks.tracks, *more)))
    return told


def _is_strained(best: Story) -> bool:
    return best.fit * price(best.paid) < _STRAINED


def _is_given_up(tracks: Tracks, best: Story) -> bool:
    """Whether the best story does not go on from the track that was the likeliest."""
    steps = tracks.likeliest_track.steps
    return best.steps[: len(steps)] != steps


class _View:
    """One view, asked for the stories by which tracks lead to it."""

    def __init__(
        self,
        seen: Seen,
        sights: list[Sight],
        tolerated: dict[int, int] | None,
        turns: int,
    ) -> None:
        self.seen = seen
        self.sights = sights
        self.tolerated = tolerated
        self.turns = turns

    def told(self, tracks: Tracks) -> list[Story]:
        """The stories that go on from these tracks, the heaviest first."""
        before = tracks.seen
        if before is not None and {d.key for d in before.dice} == {d.key for d in self.seen.dice}:
            return self._as_before(tracks)
        # A die that lies on a line is off the Lawn in one sorting only: in each, others were touched.
        touched = [tracks.touched(self.seen, sight, self.tolerated) for sight in self.sights]
        thrown = tracks.thrown_before(self.seen)
        every: dict[Paid, list[Fit]] = {(): [Fit(sight, thrown) for sight in self.sights]}
        groups: dict[_Key, list[tuple[float, Track]]] = {}
        paying = tracks.paying(self.seen, self.tolerated)
        weights = tracks.weights(self.seen, self.tolerated, paying)
        for weight, track, paid in zip(weights, tracks.tracks, paying, strict=True):
            if paid not in every:
                every[paid] = [Fit(as_paid(sight, paid), thrown) for sight in self.sights]
            key = track.position, track.pushed, track.loose, paid
            groups.setdefault(key, []).append((weight, track))
        # The group that may explain most comes first: then most of the others need no search.
        ordered = sorted(
            ((self._bound(key, members, every[key[3]]), key) for key, members in groups.items()),
            key=lambda group: -group[0],
        )
        found: list[Story] = []
        leaders: list[_Leader] = []
        best, budget = 0.0, MOST_VISITS
        for bound, key in ordered:
            position, pushed, loose, paid = key
            fits, members = every[paid], groups[key]
            top = max(weight for weight, _ in members)
            if top <= 0:
                continue
            lacked, lying = tracks.lacked(position, self.seen), lies_off_lawn(position)
            here = [
                replace(each, loose=loose, lacked=each.lacking(lacked, lying)).since(position.rows)
                for each in touched
            ]
            if bound >= best * CLEARLY:
                told = stories(
                    position,
                    fits,
                    here,
                    pushed,
                    best * CLEARLY,
                    prior=top,
                    turns=self.turns,
                    visits=max(_VISITS, budget),
                )
                budget //= 2
                for story in told[:_LEADERS]:
                    actions = tuple(action for action, _ in story.steps)
                    if story.fit and all(actions != each for each, _, _ in leaders):
                        leaders.append((actions, story.prior / top, story.weight))
            else:
                told = []
            if max((story.weight for story in told if story.fit), default=0.0) < best * _UNLIKELY:
                # What the search leaves out as too unlikely may yet prove true: it is only left out for good
                # where nothing can come of what likelier ones do.
                ahead = [each for each in leaders if each[2] >= best * _UNLIKELY]
                told = told + _along(position, fits, pushed, top, ahead[: 3 * _LEADERS], told)
            missed = self._missed_anew(tracks, position, fits[0].sight)
            for each in told:
                story = missed(each)
                best = max(best, story.weight)
                left = _loose(position, story, here[0])
                found += [
                    replace(
                        story,
                        weight=story.weight * weight / top,
                        prior=story.prior * weight / top,
                        steps=(*track.steps, *story.steps),
                        loose=left,
                        twins=track.twins | story.twins,
                        paid=paid,
                    )
                    for weight, track in members
                ]
        return joined(story for story in found if story.weight >= best * WORTH)

    def _bound(self, key: _Key, members: list[tuple[float, Track]], fits: list[Fit]) -> float:
        """What tracks that have come to one position may explain at most."""
        reach = max(fit.sight.weight * fit.bound(key[0], self.turns, 0.0) for fit in fits)
        return max(weight for weight, _ in members) * reach

    def _as_before(self, tracks: Tracks) -> list[Story]:
        """The stories when every die lies untouched: nothing can have happened since."""
        found = []
        every: dict[Paid, list[Fit]] = {}
        for track in tracks.tracks:
            here, paid = track.position, track.paid
            if paid not in every:
                every[paid] = [Fit(as_paid(sight, paid), tracks.thrown) for sight in self.sights]
            fits = every[paid]
            each = [fit.likelihood(here, track.pushed, track.unseen) for fit in fits]
            weight = sum(p * fit.sight.weight for p, fit in zip(each, fits, strict=True))
            share = max(fit.share(here, p) for p, fit in zip(each, fits, strict=True))
            weight *= track.prior
            if weight > 0:
                found.append(
                    Story(
                        weight,
                        share,
                        track.steps,
                        track.position,
                        track.prior,
                        track.pushed,
                        track.loose,
                        track.twins,
                        track.unseen,
                        paid,
                    )
                )
        return joined(found)

    def _missed_anew(
        self, tracks: Tracks, position: Position, sight: Sight
    ) -> Callable[[Story], Story]:
        """Weighs stories that go on from a position: an owner of whom a die was overlooked, as some
        tracks have it, is likely to lack one again; not where it was not so."""
        before, now = lie_at_least(position, tracks.lost_of), off_lawn(sight)
        whole = [
            seat
            for seat in tracks.lost_of
            if before[seat] <= tracks.off_lawn[seat] and not self.seen.hides(seat)
        ]
        shown = {seat: faces_of(sight.off_lawn(seat)) for seat in whole}

        def weighed(story: Story) -> Story:
            lie = lie_at_least(story.position)
            anew = [seat for seat in whole if lie[seat] > now[seat]]
            if not anew or not story.fit:
                return story
            share = prod(
                MISSED_ANEW * chosen(packed(story.position.rows[seat]), shown[seat])
                for seat in anew
            )
            return replace(
                story,
                weight=story.weight * share,
                fit=story.fit * share,
                prior=story.prior * share,
            )

        return weighed


def _along(
    position: Position,
    fits: list[Fit],
    pushed: int,
    prior: float,
    leaders: list[_Leader],
    found: list[Story],
) -> list[Story]:
    """From an unlikely position, what goes on from likelier ones. found: what is known already."""
    told = []
    known = {tuple(action for action, _ in story.steps) for story in found}
    for actions, share, _ in leaders:
        if actions in known:
            continue
        here, steps, off = position, list[tuple[Action, Position]](), pushed
        try:
            for action in actions:
                here = here.apply(action)
                steps.append((action, here))
                off = getattr(action, "face", 0)
        except IllegalAction:
            continue
        off = off if here.phase == "re-entry" else 0
        each = [fit.likelihood(here, off, bool(steps)) for fit in fits]
        weight = sum(p * fit.sight.weight for p, fit in zip(each, fits, strict=True))
        fit = max(fit.share(here, p) for p, fit in zip(each, fits, strict=True))
        if weight > 0:
            unseen = bool(steps) and here.phase == "grind-roll"
            own = prior * share
            told.append(Story(own * weight, fit, tuple(steps), here, own, off, unseen=unseen))
    return told


def _loose(start: Position, story: Story, touched: Touched) -> tuple[Loose, ...]:
    made: list[Loose] = []
    for seat, before in enumerate(touched.loose[: len(start.rows)]):
        lies = touched.same[seat] + touched.lacked[seat] if touched.same else 0
        moved = bool(touched.same) and lies < touched.seen[seat]
        came = left_loose(start, story.steps, seat)
        if came:
            made.append("" if touched.ordered[seat] else came)
        else:
            made.append("" if moved else before)
    return tuple(made)
