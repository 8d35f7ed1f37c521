"""The referee: from the expected position and views of the table to verdicts.

    referee = Referee.start(Match.start(2))
    for view in views:
        referee, verdicts = referee.see(view)

It is immutable and pure: same match, same views, same verdicts. No clock but the views' own.

The best legal story (`engine.stories`) is told at once, provisionally. A part of it is final when
no other story comes near and a second view, or a longer rest, says the same; only steps that can no
longer look different are made final: a placement, a lost turn, a re-entry in its owner's row, an
opening in which everybody has rolled. Faults (`engine.faults`) are looked for only while no legal
story fits, and named only after the table has lain so for a while.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from engine.errors import TableError, shown
from engine.evidence import Evidence, Pin, turned, turned_place
from engine.faults import Fault, faults, missing_dice, wrong_owner
from engine.match import Match
from engine.position import Position
from engine.referee_json import read_state, write_state
from engine.referee_state import Look, Past, Waiting
from engine.rulings import differences, ruling
from engine.sight import Seen, Sight, spot_of
from engine.stories import TURNS, fit_of, stories
from engine.story_parts import Story
from engine.table import LawnPlace, TableView
from engine.tracks import Tracks, followed, gone_by
from engine.verdict import (
    Agrees,
    Desync,
    Happened,
    Infringement,
    Mended,
    Standing,
    Turned,
    Unsure,
    Verdict,
)
from engine.weighing import (
    MARGIN,
    Anchor,
    anchored,
    cut_at,
    entered,
    guesses,
    happened,
    progress,
    untouched,
)

FITS = 2e-4
"""A story whose likelihood is below this share of the best imaginable does not fit."""

FAULT_FITS = 1e-6  # its prior is part of it
FITS_WELL = 0.005
"""From this share on nothing speaks against a story that goes on from what was seen before."""

FAULT_MARGIN = 30.0
"""How many times likelier than any legal story a fault must be to be named."""

ACCUSE_S = 1.5
MISSING_S = 5.0
DESYNC_S = 3.0
UNSURE_S = 3.0
"""For how long a table must rest, s, before a fault is named, a die is called missing, the table is
called out of step, or a question is asked."""

_SETTLED_S = 0.7  # before that, what does not fit is not looked into
_PAST = 3  # final verdicts that later views may still prove to be misread
_FEW_VISITS = 300
_BREAK_S = 20.0  # after such a gap between views all waiting starts anew

__all__ = ["Pin", "Referee"]


@dataclass(frozen=True, slots=True)
class Referee:
    """What is expected, and what is open.

    Attributes:
        match: with every final action applied. Its log holds what this referee has seen since it
            was made, for totals and rounds; the whole story is the journal's.
        provisional: the latest provisional story, or None.
        standing: the open infringement, question or desync, or None.
        turned: whether the Lawn is read turned by 180 degrees.
        tolerated: places of the Lawn whose die shows another face than its row by a ruling.
    """

    match: Match
    provisional: Happened | None = None
    standing: Standing | None = None
    turned: bool = False
    tolerated: tuple[tuple[LawnPlace, int], ...] = ()
    evidence: Evidence = field(default_factory=Evidence)
    anchor: Anchor = ()
    pushed: int = 0
    entered: tuple[float, ...] = ()
    waiting: Waiting = field(default_factory=Waiting)
    past: tuple[Past, ...] = ()

    @classmethod
    def start(cls, match: Match | Position) -> Referee:
        """A referee who expects what the match, or a single round's position, expects."""
        if isinstance(match, Position):
            bare = Match.start(colours=match.colours, options=match.options)
            match = replace(bare, position=match)
        return cls(match)

    @property
    def position(self) -> Position:
        """The expected position: all final actions applied."""
        return self.match.position

    @property
    def ended(self) -> Position | None:
        """The end of the last round, which the table may still show, or None during a round."""
        if self.match.is_between_rounds and self.match.rounds:
            return self.match.rounds[-1].end
        return self.position if self.position.is_over else None

    # --- seeing -----------------------------------------------------------------------------

    def see(self, view: TableView) -> tuple[Referee, tuple[Verdict, ...]]:
        """Take in a view: the referee afterwards, and what is new, in order.

        Final Happened verdicts come first, then at most one of Agrees, provisional Happened,
        Infringement, Unsure, Desync. () when nothing is new (an open infringement still stands).
        """
        before = self.waiting.seen_s
        fresh = self if before is None or view.time_s - before < _BREAK_S else self._rested()
        referee, look = fresh._looked(view)
        return referee._judge(look)

    def _rested(self) -> Referee:
        return replace(self, waiting=Waiting())

    def _looked(self, view: TableView) -> tuple[Referee, Look]:
        evidence, dice = self.evidence.seen(view)
        waiting = replace(self.waiting, seen_s=view.time_s)
        hidden = view.hidden
        if self.turned:
            dice = turned(dice)
            hidden = frozenset(map(turned_place, hidden))
        seats = len(self.position.rows)
        look = Look(view, Seen(dice, hidden, seats), {})
        tolerated = {spot_of(place): face for place, face in self.tolerated}
        look = replace(look, tolerated=tolerated)
        return replace(self, evidence=evidence, waiting=waiting), look

    def _judge(self, look: Look) -> tuple[Referee, tuple[Verdict, ...]]:
        sights = look.sights()
        ended = self.ended
        if ended is not None and fit_of(ended, sights[0]) >= FITS:
            return self._agrees(look, "", mended=True)
        told: list[Story] = []
        if not self.position.is_over:
            told = self._told(look, sights)
        if told and told[0].fit >= FITS:
            return self._legal(look, told, sights[0])
        return self._trouble(look, sights)

    def _told(self, look: Look, sights: list[Sight]) -> list[Story]:
        """The legal stories from the expected position."""
        later: list[Story] = []
        for turns in (1, TURNS):
            later = self.waiting.tracks.go_on(look.seen, sights, look.tolerated, turns)
            if later and later[0].fit >= FITS_WELL:
                return later
        free = untouched(self.anchor, look.seen, self.position)
        told = stories(self.position, sights, free, self.pushed, self.entered)
        if later and later[0].fit >= FITS and (not told or told[0].fit < FITS):
            return later
        return told

    # --- a legal story fits -------------------------------------------------------------------

    def _legal(
        self, look: Look, told: list[Story], sight: Sight
    ) -> tuple[Referee, tuple[Verdict, ...]]:
        best = told[0]
        waiting = replace(self.waiting, fault="", trouble_s=None)
        referee, slow, held = replace(self, waiting=waiting)._watch(look, sight, best)
        if held:
            return referee, slow
        verdicts: list[Verdict] = []
        if self.standing is not None and not isinstance(self.standing, Unsure):
            referee, mended = referee._mended()
            verdicts += mended
        cut, sure = cut_at(self.position, told, look.view, sight, self.waiting.cuts)
        if cut:
            referee, final = referee._committed(look, told, cut)
            verdicts.append(final)
            rest = best.steps[cut:]
            sure = ()
        else:
            rest = best.steps
        tracks = self.waiting.tracks
        if not look.view.hidden and best.fit >= FITS_WELL:
            tracks = followed(tracks, told, look.seen, cut, self.pushed)
        else:
            tracks = gone_by(tracks, cut, best)
        referee = replace(referee, waiting=replace(referee.waiting, cuts=sure, tracks=tracks))
        if not cut and self.position.phase == "re-entry" and len(best.steps) == 1:
            referee = replace(referee, entered=entered(told))
        if not rest:
            if not cut:
                step = progress(best, sight, look.view)
                if not step and len(told) == 1:
                    anchor = anchored(look.seen, sight, best.position, best.position)
                    referee = replace(referee, anchor=anchor)
                verdicts.append(Agrees(step))
            return replace(referee, provisional=None), tuple(verdicts)
        story = happened(self.position if not cut else best.steps[cut - 1][1], rest, told, False)
        if story != referee.provisional:
            verdicts.append(story)
        referee = replace(referee, provisional=story)
        if not cut:
            referee, asked = referee._doubt(look, told)
            verdicts += asked
        return referee, tuple(verdicts)

    def _committed(self, look: Look, told: list[Story], cut: int) -> tuple[Referee, Happened]:
        best = told[0]
        final = happened(self.position, best.steps[:cut], told, True)
        match = self.match
        for action, _ in best.steps[:cut]:
            match = match.apply(action)
        after = best.steps[cut - 1][1]
        anchor = anchored(look.seen, look.sights()[0], after, best.position)
        last = best.steps[cut - 1][0]
        pushed = getattr(last, "face", 0) if after.phase == "re-entry" else 0
        changed = {
            row for row in range(6) if after.lawn[row] != self.position.lawn[row] or after.is_over
        }
        tolerated = tuple(each for each in self.tolerated if each[0].row - 1 not in changed)
        standing = None if isinstance(self.standing, Unsure) else self.standing
        waiting = Waiting(seen_s=self.waiting.seen_s)
        now = Past(self.match, self.anchor, self.pushed, self.entered, self.tolerated)
        return replace(
            self,
            match=match,
            anchor=anchor,
            pushed=pushed,
            entered=(),
            tolerated=tolerated,
            standing=standing,
            provisional=None,
            waiting=waiting,
            past=(*self.past[1 - _PAST :], now),
        ), final

    def _mended(self) -> tuple[Referee, tuple[Verdict, ...]]:
        standing = self.standing
        if standing is None:
            return self, ()
        kind = standing.kind if isinstance(standing, Infringement) else None
        said = "The table is put right; play goes on." if kind else "The table fits again."
        return replace(self, standing=None), (Mended(said, kind),)

    def _doubt(self, look: Look, told: list[Story]) -> tuple[Referee, tuple[Verdict, ...]]:
        """Ask when several stories have been left for a while."""
        question = guesses(self.position, told, look.seen)
        if question is None:
            return replace(self, waiting=replace(self.waiting, doubt_s=None)), ()
        since = self.waiting.doubt_s
        if since is None:
            return replace(self, waiting=replace(self.waiting, doubt_s=look.view.time_s)), ()
        if (
            isinstance(self.standing, Unsure)
            or min(look.view.time_s - since, look.view.still_s) < UNSURE_S
        ):
            return self, ()
        return replace(self, standing=question), (question,)

    def _watch(
        self, look: Look, sight: Sight, best: Story
    ) -> tuple[Referee, tuple[Verdict, ...], bool]:
        """Name what a legal table may show for a moment but not for long: a die that is missing,
        a pushed die in a stranger's row. Also says whether that is what stands now."""
        fault = None
        if not look.view.hidden:
            before = self.position if self.position.phase == "re-entry" else best.position
            fault = wrong_owner(before, sight) or missing_dice(best.position, sight)
        waiting = self.waiting
        if fault is None:
            return replace(self, waiting=replace(waiting, missing_s=None, missing=None)), (), False
        standing = self.standing
        if isinstance(standing, Infringement) and standing.kind == fault.said.kind:
            return self, (), True
        if waiting.missing != fault.what or waiting.missing_s is None:
            begun = replace(waiting, missing=fault.what, missing_s=look.view.time_s)
            return replace(self, waiting=begun), (), False
        long = min(look.view.time_s - waiting.missing_s, look.view.still_s)
        if long < (MISSING_S if fault.said.kind == "die-missing" else ACCUSE_S):
            return self, (), False
        return replace(self, standing=fault.said, provisional=None), (fault.said,), True

    # --- nothing fits -------------------------------------------------------------------------

    def _trouble(self, look: Look, sights: list[Sight]) -> tuple[Referee, tuple[Verdict, ...]]:
        view = look.view
        waiting = replace(self.waiting, cuts=(), doubt_s=None, missing_s=None, missing=None)
        since = view.time_s if waiting.trouble_s is None else waiting.trouble_s
        referee = replace(self, waiting=replace(waiting, trouble_s=since), provisional=None)
        if view.hidden:
            return replace(referee, waiting=replace(referee.waiting, fault="")), ()
        if view.still_s < _SETTLED_S:
            return referee, ()
        other = self._revised(look, sights[:2])
        if other is not None:
            return other
        free = untouched(self.anchor, look.seen, self.position)
        found: list[Fault] = faults(self.position, self.ended, sights[0], free)
        named = found[0] if found and found[0].fit >= FAULT_FITS else None
        if named is not None:
            least = named.weight / FAULT_MARGIN
            legal = not self.position.is_over and stories(
                self.position, sights, free, self.pushed, self.entered, least
            )
            if not legal:
                return referee._fault(look, named)
        referee = replace(referee, waiting=replace(referee.waiting, fault=""))
        other = self._turned_round(look)
        if other is not None:
            return other
        if self.ended is not None or not self.position.order:
            return referee._setting_up(look)
        return referee._out_of_step(look, sights[0], since)

    def _revised(
        self, look: Look, sights: list[Sight]
    ) -> tuple[Referee, tuple[Verdict, ...]] | None:
        """Whether the table fits once the last final verdicts are taken back: they were misread."""
        for back, past in enumerate(reversed(self.past), 1):
            before = replace(
                self,
                match=past.match,
                anchor=past.anchor,
                pushed=past.pushed,
                entered=past.entered,
                tolerated=past.tolerated,
                past=self.past[: len(self.past) - back],
                standing=None,
                waiting=replace(self.waiting, tracks=Tracks()),
            )
            told = before._told(look, sights)
            if not told or told[0].fit < 10 * FITS or not told[0].steps:
                continue
            shown = told[0].position
            rival = max((s.weight for s in told[1:] if s.position != shown), default=0.0)
            if rival * MARGIN > told[0].weight:
                continue
            if self.waiting.revised != shown:
                begun = replace(self.waiting, revised=shown, cuts=())
                return replace(self, waiting=begun, provisional=None), ()
            cuts = tuple(position for _, position in told[0].steps)
            before = replace(before, waiting=Waiting(cuts=cuts, seen_s=look.view.time_s))
            referee, verdicts = before._legal(look, told, sights[0])
            first = verdicts[0] if verdicts else None
            if isinstance(first, Happened) and first.final:
                taken = self.match.length - past.match.length
                return referee, (replace(first, replaces=taken), *verdicts[1:])
        return None

    def _fault(self, look: Look, named: Fault) -> tuple[Referee, tuple[Verdict, ...]]:
        said = named.said
        again = self.waiting.fault == said.kind
        referee = replace(self, waiting=replace(self.waiting, fault=said.kind))
        if not again or look.view.still_s < ACCUSE_S:
            return referee, ()
        standing = self.standing
        if isinstance(standing, Infringement) and (standing.kind, standing.player) == (
            said.kind,
            said.player,
        ):
            return referee, ()
        return replace(referee, standing=said), (said,)

    def _turned_round(self, look: Look) -> tuple[Referee, tuple[Verdict, ...]] | None:
        """Whether the table fits when the Lawn is turned by 180 degrees."""
        if self.position.is_over or not self.position.order:
            return None
        seen = Seen(
            turned(look.seen.dice), frozenset(map(turned_place, look.seen.hidden)), look.seen.seats
        )
        other = replace(look, seen=seen)
        sights = other.sights()[:2]
        if max(fit_of(self.position, sight) for sight in sights) < FITS:
            return None
        told = stories(self.position, sights, (0,) * seen.seats, self.pushed, visits=_FEW_VISITS)
        if not told or told[0].fit < 10 * FITS or told[0].steps:
            return None
        now = not self.turned
        said = "The mat lies turned by 180 degrees; it is read so from now on."
        if not now:
            said = "The mat lies as at first again; it is read so from now on."
        referee = replace(self, turned=now, anchor=())
        referee, verdicts = referee._legal(other, told, other.sights()[0])
        return referee, (Turned(said, now), *verdicts)

    def _setting_up(self, look: Look) -> tuple[Referee, tuple[Verdict, ...]]:
        del look
        verdicts: tuple[Verdict, ...] = (Agrees("setting-up"),)
        if self.standing is not None:
            return replace(self, standing=None), verdicts
        return self, verdicts

    def _out_of_step(
        self, look: Look, sight: Sight, since: float
    ) -> tuple[Referee, tuple[Verdict, ...]]:
        view = look.view
        if self.standing is not None and not isinstance(self.standing, Unsure):
            return self, ()
        if view.time_s - since < DESYNC_S or view.still_s < 1.0:
            return self, ()
        said = Desync(
            "The table does not show what is expected: put it right, accept it as it lies, or "
            "correct what was read.",
            differences(self.position, sight),
        )
        return replace(self, standing=said), (said,)

    def _agrees(
        self, look: Look, step: str, *, mended: bool
    ) -> tuple[Referee, tuple[Verdict, ...]]:
        del look, step
        waiting = Waiting(seen_s=self.waiting.seen_s)
        referee = replace(self, waiting=waiting, provisional=None)
        verdicts: tuple[Verdict, ...] = ()
        if mended:
            referee, verdicts = referee._mended()
        return referee, (*verdicts, Agrees())

    # --- what people say ------------------------------------------------------------------------

    def accept(self, view: TableView) -> tuple[Referee, tuple[Verdict, ...]]:
        """Accept the table as it lies: one Ruled, or a Desync when it cannot be a position."""
        referee, look = self._looked(view)
        sight = look.sights()[0]
        verdict = ruling(self.position, sight, self.standing)
        if isinstance(verdict, Desync):
            return replace(referee, standing=verdict), (verdict,)
        match = replace(self.match, position=verdict.position)
        anchor = anchored(look.seen, sight, verdict.position, verdict.position)
        made = replace(
            referee,
            match=match,
            standing=None,
            provisional=None,
            tolerated=verdict.tolerated,
            anchor=anchor,
            waiting=Waiting(seen_s=view.time_s),
            past=(),
            pushed=0,
            entered=(),
        )
        return made, (verdict,)

    def corrected(self, *pins: Pin) -> Referee:
        """With a person's corrections of dice; they take effect with the next view."""
        waiting = Waiting(tracks=self.waiting.tracks)
        return replace(self, evidence=self.evidence.pinned(pins), waiting=waiting)

    def played(self, match: Match | Position) -> Referee:
        """With another expected match or position (a past turn corrected, an undo), pins kept."""
        other = Referee.start(match)
        return replace(other, turned=self.turned, evidence=self.evidence, tolerated=self.tolerated)

    # --- JSON -----------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """What is expected, the pins and what is open as plain JSON types; `from_json` goes on from
        it. What single views have begun to say is left out: the next views say it again."""
        return write_state(self.match, self.standing, self.turned, self.tolerated, self.evidence)

    @classmethod
    def from_json(cls, data: object) -> Referee:
        """Read what `to_json` wrote. Raises TableError."""
        if not isinstance(data, dict):
            raise TableError(f"A referee is given as an object, not {shown(data)}.")
        return cls(**read_state(data))
