"""Tracks made of two others that each tell another turn than the likeliest one.

Two dice that are misread at once make the track that has both right too unlikely to be followed, while those that
have one of them right are: where the dice are read right again, none of these tells what happened. What speaks for
the one turn does not depend on what speaks for the other, so the two are put together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TypeAlias

from engine.actions import Action
from engine.errors import IllegalAction
from engine.story_parts import Steps, ends_of
from engine.tracks import Track

_TRIED = 12  # of the likeliest tracks
_WORTH = 1e-10  # share of the likeliest track

_Turns: TypeAlias = tuple[tuple[Action, ...], ...]


def crossed(tracks: Sequence[Track]) -> tuple[Track, ...]:
    """The tracks that tell two turns as one and another of these do, and the others as the likeliest does."""
    if len(tracks) < 3:
        return ()
    ordered = sorted(tracks, key=_weight, reverse=True)
    best, *others = ordered[:_TRIED]
    turns = _turns_of(best.steps)
    parted = [(other, parts) for other in others if (parts := _parted(turns, other))]
    known = {(track.position, track.steps) for track in tracks}
    made: list[Track] = []
    for n, (other, parts) in enumerate(parted):
        for another, more in parted[n + 1 :]:
            if _weight(other) * _weight(another) < _WORTH * _weight(best) ** 2:
                break  # those that follow are less likely
            if set(parts) & set(more):
                continue
            earlier = min(parts) < min(more)
            first, second = (other, another) if earlier else (another, other)
            begin = max(min(parts), min(more))
            track = _put_together(best, first, second, begin, {**parts, **more}, turns)
            if track is not None and (track.position, track.steps) not in known:
                made.append(track)
    return tuple(made)


def _weight(track: Track) -> float:
    return track.prior * track.likelihood


def _turns_of(steps: Steps) -> _Turns:
    """The actions between the marks, and what follows the last one."""
    cuts = [0, *ends_of(steps), len(steps)]
    return tuple(tuple(action for action, _ in steps[begin:end]) for begin, end in pairwise(cuts))


def _parted(turns: _Turns, other: Track) -> dict[int, tuple[Action, ...]]:
    """The turns that a track tells otherwise, by number; none where it has come to another turn."""
    told = _turns_of(other.steps)
    if len(told) != len(turns):
        return {}
    return {n: acts for n, (acts, best) in enumerate(zip(told, turns, strict=True)) if acts != best}


def _put_together(
    best: Track,
    first: Track,
    second: Track,
    begin: int,
    parts: dict[int, tuple[Action, ...]],
    turns: _Turns,
) -> Track | None:
    """The likeliest track with some turns told otherwise; None where the rules do not allow that.

    first, second: the tracks that tell one of them so, in turn. begin: the number of the first turn that the
    second one tells so. parts: all that they tell otherwise, by number. turns: of the likeliest track.
    """
    cut = ends_of(first.steps)[begin - 1]
    steps = list(first.steps[:cut])
    position = steps[-1][1]
    try:
        for number in range(begin, len(turns)):
            for action in parts.get(number, turns[number]):
                position = position.apply(action)
                steps.append((action, position))
    except IllegalAction:
        return None
    paid = {ident: (ident, face, share) for ident, face, share in (*first.paid, *second.paid)}
    return replace(
        second,
        steps=tuple(steps),
        position=position,
        prior=first.prior * second.prior / best.prior,
        likelihood=first.likelihood * second.likelihood / best.likelihood,
        loose=tuple(
            one if two == usual else two
            for one, two, usual in zip(first.loose, second.loose, best.loose, strict=True)
        ),
        twins=first.twins | second.twins,
        paid=tuple(paid.values()),
    )
