"""When each action was first seen: the moments that a review or a table's clock shows of a turn.

What is final is logged later than it was seen, often when the next player acts already. So the
keeper notes of every action of the referee's story the view that first showed it, and the view before.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from engine.match_log import Entry
from engine.verdict import Happened, Verdict

Times: TypeAlias = tuple[tuple[float, float], ...]
"""Of each action, the last view without it and the first with it, s by the source's clock."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The view that first showed an action, and the clear view before it, s by the source's clock."""

    entry: Entry
    before_s: float
    seen_s: float


@dataclass(frozen=True, slots=True)
class Pace:
    """The moments of the actions that are not logged yet, in order; time_s: of the last clear view."""

    moments: tuple[Moment, ...] = ()
    time_s: float | None = None

    def seen(self, verdicts: tuple[Verdict, ...], time_s: float, *, clear: bool = True) -> Pace:
        """With what the referee said of the view of that time; final actions are still in it.

        clear: whether nothing was hidden; a view under a hand does not show that nothing has happened.
        """
        story: list[Entry] = []
        for verdict in verdicts:
            if isinstance(verdict, Happened):
                story += verdict.actions
        before_s = time_s if self.time_s is None else self.time_s
        kept = 0
        for moment, entry in zip(self.moments, story, strict=False):
            if moment.entry != entry:
                break
            kept += 1
        # A shorter story (a hand in the way) takes nothing back; another one does.
        moments = self.moments if kept == len(story) else self.moments[:kept]
        new = (Moment(entry, before_s, time_s) for entry in story[kept:])
        return Pace((*moments, *new), time_s if clear else self.time_s)

    def of(self, count: int) -> Times:
        """Of the first so many actions: the last view without and the first view with each."""
        return tuple((moment.before_s, moment.seen_s) for moment in self.moments[:count])

    def logged(self, count: int) -> Pace:
        """Without the first so many actions, which are logged now."""
        return Pace(self.moments[count:], self.time_s)

    def anew(self) -> Pace:
        """Without any action: the referee was seated anew."""
        return Pace((), self.time_s)
