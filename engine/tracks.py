"""What the last clear view left possible: the table followed from view to view, not from the last
final position alone.

A view shows the dice as they lie; what was rolled before the last play is gone by then. So each
story that a clear view allows becomes a track, and the next view's stories go on from the tracks.
What a view says of a die that still lies untouched is in the next view's beliefs too (they are
fused by key), so it must not count twice: a track is weighed by the dice that are gone since.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from engine.pools import packed
from engine.position import Position
from engine.sight import Seen, Sight, sightings
from engine.stories import CLEARLY, MOST_VISITS, likelihood_of, stories
from engine.story_parts import Steps, Story
from engine.table import Area

_MOST = 24
"""More stories than these are not followed one by one: the tracks before stay."""

_WORTH = 3e-4
_LEFT_OUT = 0.05  # share of all stories that may be forgotten
_SURE = 0.9
_VISITS = 200  # positions that the search from an unlikely track may weigh
_SORTINGS = 4
_FLAT = (1 / 6,) * 6


@dataclass(frozen=True, slots=True)
class Track:
    """Steps since the last final position that may have led to what the last clear view showed.

    prior: weight of the steps without what that view itself says. pushed: as in `stories`.
    """

    steps: Steps
    position: Position
    prior: float
    pushed: int


@dataclass(frozen=True, slots=True)
class Tracks:
    """The tracks of one view, and its dice. Without tracks nothing is known."""

    tracks: tuple[Track, ...] = ()
    seen: Seen | None = None

    def go_on(
        self,
        seen: Seen,
        sights: list[Sight],
        tolerated: dict[int, int] | None = None,
        turns: int = 1,
    ) -> list[Story]:
        """The stories of a view that go on from the tracks, the heaviest first."""
        if self.seen is None or not self.tracks:
            return []
        then = {die.key for die in self.seen.dice}
        if then == {die.key for die in seen.dice}:
            return self._as_before(sights)
        weights = self._weights(seen, tolerated)
        groups: dict[tuple[Position, int], list[tuple[float, Track]]] = {}
        for weight, track in zip(weights, self.tracks, strict=True):
            groups.setdefault((track.position, track.pushed), []).append((weight, track))
        ordered = sorted(groups.items(), key=lambda item: -max(w for w, _ in item[1]))
        found: list[Story] = []
        best = 0.0
        old = sightings(self.seen, tolerated)[0]
        free = _untouched(self.seen, old, seen)
        most = max(sight.weight * sight.best for sight in sights)
        same = tuple(
            sum(die.key in then for die in sights[0].off_lawn(seat)) for seat in range(seen.seats)
        )
        budget = MOST_VISITS
        for (position, pushed), members in ordered:
            top = max(weight for weight, _ in members)
            if top * most < best * CLEARLY:
                continue
            least = best * CLEARLY
            for story in stories(
                position,
                sights[:_SORTINGS],
                free,
                pushed,
                (),
                least,
                prior=top,
                turns=turns,
                same=same,
                visits=max(_VISITS, budget),
            ):
                best = max(best, story.weight)
                found += [
                    replace(
                        story,
                        weight=story.weight * weight / top,
                        prior=story.prior * weight / top,
                        steps=(*track.steps, *story.steps),
                    )
                    for weight, track in members
                ]
            budget //= 2
        return _joined(story for story in found if story.weight >= best * CLEARLY)

    def _as_before(self, sights: list[Sight]) -> list[Story]:
        """The stories when every die lies untouched: nothing can have happened since."""
        found = []
        for track in self.tracks:
            each = [likelihood_of(track.position, sight, track.pushed) for sight in sights]
            weight = sum(p * sight.weight for p, sight in zip(each, sights, strict=True))
            fit = max(p / sight.best for p, sight in zip(each, sights, strict=True))
            weight *= track.prior
            if weight > 0:
                found.append(Story(weight, fit, track.steps, track.position, track.prior))
        best = max((story.weight for story in found), default=0.0)
        return _joined(story for story in found if story.weight >= best * CLEARLY)

    def _weights(self, seen: Seen, tolerated: dict[int, int] | None) -> list[float]:
        """Of each track, what the dice that are gone since say of it, the kept ones being what they are.

        Their faces count only here: P(all dice then) / P(the same with the gone ones unread). A kept
        die's face is in both, so that no track can swap it with that of a die that is gone.
        """
        assert self.seen is not None
        if len(self.tracks) == 1:
            return [1.0]
        there = {die.key for die in seen.dice}
        unread = tuple(
            die if die.key in there else replace(die, face=_FLAT) for die in self.seen.dice
        )
        read = sightings(self.seen, tolerated)[:2]
        kept = sightings(replace(self.seen, dice=unread), tolerated)[:2]
        weights = []
        for track in self.tracks:
            all_dice, those_kept = (
                max(
                    look.weight * likelihood_of(track.position, look, track.pushed)
                    for look in looks
                )
                for looks in (read, kept)
            )
            weights.append(track.prior * all_dice / those_kept if those_kept > 0 else 0.0)
        most = max(weights)
        return [weight / most for weight in weights] if most > 0 else [1.0] * len(weights)


def _joined(found: Iterable[Story]) -> list[Story]:
    """The same steps, whichever of them had happened when the view before was taken, once."""
    stories: dict[Steps, Story] = {}
    for story in found:
        known = stories.get(story.steps)
        if known is not None:
            story = replace(
                story,
                weight=story.weight + known.weight,
                prior=story.prior + known.prior,
                fit=max(story.fit, known.fit),
            )
        stories[story.steps] = story
    return sorted(stories.values(), key=lambda story: -story.weight)


def followed(before: Tracks, told: list[Story], seen: Seen, cut: int, pushed: int) -> Tracks:
    """The tracks after a view that told these stories, `cut` steps of the best being final.

    pushed: as in `stories`, for the expected position before the view.
    """
    at = told[0].steps[cut - 1][1] if cut else None
    most = told[0].prior
    made: dict[tuple[Steps, int], Track] = {}
    weights: dict[tuple[Steps, int], float] = {}
    left = 0.0
    for story in told:
        steps = story.steps
        if at is not None:
            n = next((n for n, (_, each) in enumerate(steps, 1) if each == at), 0)
            if not n:
                continue
            steps = steps[n:]
        if story.fit == 0:
            left += story.weight
            continue
        key = steps, _pushed(story, pushed)
        prior = story.prior / most + (made[key].prior if key in made else 0.0)
        made[key] = Track(steps, story.position, prior, key[1])
        weights[key] = weights.get(key, 0.0) + story.weight
    total = sum(weights.values())
    best = sorted(weights, key=lambda key: -weights[key])[:_MOST]
    best = [key for key in best if weights[key] >= weights[best[0]] * _WORTH]
    left += total - sum(weights[key] for key in best)
    if not best or left > _LEFT_OUT * total:
        return gone_by(before, cut, told[0])
    return Tracks(tuple(made[key] for key in best), seen)


def gone_by(before: Tracks, cut: int, best: Story) -> Tracks:
    """The tracks before, from the new final position."""
    if not cut:
        return before
    at = best.steps[cut - 1][1]
    made: dict[tuple[Steps, int], Track] = {}
    for track in before.tracks:
        n = next((n for n, (_, each) in enumerate(track.steps, 1) if each == at), 0)
        if n:
            steps = track.steps[n:]
            known = made.get((steps, track.pushed))
            prior = track.prior + (known.prior if known else 0.0)
            made[steps, track.pushed] = replace(track, steps=steps, prior=prior)
    return Tracks(tuple(made.values()), before.seen) if made else Tracks()


def _pushed(story: Story, pushed: int) -> int:
    if story.position.phase != "re-entry":
        return 0
    return getattr(story.steps[-1][0], "face", 0) if story.steps else pushed


def _untouched(before: Seen, old: Sight, now: Seen) -> tuple[int, ...]:
    """Per seat the packed faces of the dice off the Lawn that lie untouched since the view before,
    as far as they are read without doubt."""
    off = {die.key: die for die in now.dice if isinstance(die.place, Area)}
    made = []
    for seat in range(before.seats):
        lying = [off[die.key] for die in old.off_lawn(seat) if die.key in off]
        made.append(packed(tuple(sorted(d.likeliest_face for d in lying if max(d.face) > _SURE))))
    return tuple(made)
