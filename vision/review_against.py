"""A review beside a record that a person typed of the same game: every difference, with its pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.alignment import TOLD, Pair, aligned, told
from engine.record import Record
from vision.review_text import says
from vision.watching import clock

Json = dict[str, Any]


@dataclass(frozen=True)
class Comparison:
    """The steps of both, side by side, and the scores that differ: (colour, ours, theirs)."""

    pairs: tuple[Pair, ...]
    scores: tuple[tuple[str, int, int], ...]

    @property
    def differs(self) -> tuple[Pair, ...]:
        return tuple(pair for pair in self.pairs if not pair.same)

    def text(self) -> str:
        """What people read: one paragraph a difference."""
        if not self.differs and not self.scores:
            return f"The typed record and the review agree in all {len(self.pairs)} steps."
        count = "1 step" if len(self.differs) == 1 else f"{len(self.differs)} steps"
        lines = [f"The typed record and the review differ in {count}:"]
        lines += [f"  {difference(pair)}" for pair in self.differs]
        lines += [
            f"  {colour}: {ours} points in the review, {theirs} in the record"
            for colour, ours, theirs in self.scores
        ]
        return "\n".join(lines)


def difference(pair: Pair) -> str:
    """One difference in a sentence."""
    if pair.ours is None:
        assert pair.theirs is not None
        return f"Only in the record: {says(pair.theirs)}."
    at = clock(pair.ours["t0_s"]) if "t0_s" in pair.ours else ""
    if pair.theirs is None:
        return f"{at}  Only in the review: {says(pair.ours)}.".strip()
    which = ", ".join(pair.differs)
    return f"{at}  {which}: review {says(pair.ours)}; record {says(pair.theirs)}.".strip()


def compared(transcript: Json, typed: Record) -> Comparison:
    """A transcript against a record. A review of a part of the game is compared with that part alone."""
    ours = steps_of(transcript["events"])
    theirs = told(typed.match)
    pairs = aligned(ours, theirs)
    if not transcript["scores"]["complete"]:
        # It begins in mid-round: what the record has before that is no difference.
        first = next((at for at, pair in enumerate(pairs) if pair.ours is not None), len(pairs))
        pairs = pairs[first:]
        return Comparison(tuple(pairs), ())
    match, found = typed.match, transcript["scores"]["totals"]
    totals = dict(zip(match.colours, match.running_totals, strict=True))
    scores = tuple(
        (colour, found[colour], totals[colour])
        for colour in found
        if colour in totals and found[colour] != totals[colour]
    )
    return Comparison(tuple(pairs), scores)


def steps_of(events: Sequence[Json]) -> list[Json]:
    """The Big Rolls, tie-breaks and turns among the events."""
    return [event for event in events if event["type"] in TOLD]
