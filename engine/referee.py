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

from engine.aside import resumed
from engine.closing import closed
from engine.errors import TableError, shown
from engine.evidence import Evidence, Pin, turned, turned_place
from engine.fault_parts import may_lack, missing_dice, wrong_owner
from engine.fitting import Fit
from engine.going_on import go_on
from engine.known_dice import with_known
from engine.match import Match
from engine.position import Position
from engine.questions import guesses
from engine.referee_json import read_state, write_state
from engine.referee_state import Look, Trail, Waiting
from engine.referee_trouble import POOR, least_of, strained, trouble
from engine.retold import FITS_WELL, retold
from engine.rulings import ruling
from engine.sight import Seen, Sight, spot_of
from engine.story_parts import Steps, Story, ends_of, re_entering
from engine.table import LawnPlace, TableView
from engine.tracks import Tracks
from engine.verdict import (
    Agrees,
    Desync,
    Happened,
    Infringement,
    Mended,
    Standing,
    Unsure,
    Verdict,
)
from engine.weighing import (
    TAKEN_BACK,
    Reading,
    before_doubt,
    happened,
    progress,
    shared,
)

FITS = 3e-4
"""A story whose likelihood is below this share of the best imaginable does not fit."""

STRANGE = 1e-6
"""A legal story with a prior below this is only believed where no fault explains more."""

ACCUSE_S = 1.5
MISSING_S = 5.0
UNSURE_S = 3.0
ASK_ANYWAY_S = 8.0
"""For how long a table must rest, s, before a fault is named, a die is called missing, or a
question is asked: one that players wait for, and any other."""

LOST_S = 1.5
"""For how long nothing must fit, s, before the search begins again from earlier positions."""

_LAG = 3  # marks that may be in doubt before somebody is asked
_GHOST = 0.97  # what is so surely no die is left out
_BREAK_S = 20.0  # after such a gap between views all waiting starts anew
_TURNS = (1, 2)

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
    waiting: Waiting = field(default_factory=Waiting)
    trail: Trail | None = None

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
        """The end of the last round, which the table may still show, or None during a round: from when
        everybody is seen to have rolled for it."""
        if self.match.is_between_rounds and self.match.rounds:
            trail = self.trail
            # What is final of a trail belongs to the round that has ended.
            begun = trail is not None and not trail.done and trail.tracks.likeliest.order
            return None if begun else self.match.rounds[-1].end
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
        tracks = self.trail.tracks if self.trail else Tracks.at(self.position)
        seen = Seen(
            tuple(die for die in dice if die.spurious < _GHOST),
            hidden,
            seats,
            tracks.lost_of,
            tracks.lost_at,
        )
        if self.trail is not None:
            seen = with_known(seen, tracks.known)
        if hidden and view.still_s > 0 and seen.is_whole:
            # Nothing that matters can lie under what is still taken for a hand.
            seen, view = replace(seen, hidden=frozenset()), replace(view, hidden=frozenset())
        tolerated = {spot_of(place): face for place, face in self.tolerated}
        return replace(self, evidence=evidence, waiting=waiting), Look(view, seen, tolerated)

    def _judge(self, look: Look) -> tuple[Referee, tuple[Verdict, ...]]:
        sights = look.sights()
        ended = self.ended
        trail = self.trail or Trail.at(self.position)
        if ended is not None:
            after_all = self._after_all(look, sights)
            if after_all or sights[0].fit(Fit(sights[0]).likelihood(ended, 0)) >= FITS:
                referee, verdicts = after_all or (self, ())
                referee, more = referee._agrees()
                return referee, (*verdicts, *more)
            if trail.done:
                trail = Trail.at(self.position)
        referee = replace(self, trail=trail)
        told: list[Story] = []
        if not self.position.is_over:
            trail, told = resumed(trail, look, sights, referee._told(trail, look, sights))
            referee = replace(referee, trail=trail)
        opening = not self.position.order
        usual = bool(told) and (opening or told[0].prior * told[0].fit >= STRANGE)
        # Nobody can err before the first turn: nothing explains more than dice that are misread.
        least = least_of(trail) if opening and told and told[0].steps else FITS
        if usual and told[0].fit >= least:
            if not opening and ended is None:
                return strained(referee, look, sights, told)
            return referee._legal(look, told, sights[0])
        end = closed(referee, look) if ended is None else None
        if end is not None:
            referee, verdicts = end
            if isinstance(referee.standing, Unsure):
                return referee, verdicts
            after, more = referee._judge(look)
            return after, (*verdicts, *more)
        return trouble(self if ended is not None else referee, look, sights, told)

    def _told(self, trail: Trail, look: Look, sights: list[Sight]) -> list[Story]:
        """The legal stories of a view."""
        told: list[Story] = []
        for turns in _TURNS:
            later = go_on(trail.tracks, look.seen, sights, look.tolerated, turns)
            if later and (not told or later[0].fit > told[0].fit):
                told = later
            if told and told[0].fit >= FITS_WELL:
                return told
        since = self.waiting.trouble_s
        long = since is not None and look.view.time_s - since >= LOST_S
        if (told and told[0].fit >= POOR) or not long:
            return told
        other = retold(trail, look, sights)
        return other or told

    def ending(self, best: Story, told: list[Story]) -> tuple[Referee, tuple[Verdict, ...]]:
        """With that story of the end of the round final."""
        trail = self.trail
        assert trail is not None
        begin = len(trail.done_as(best))
        referee, final = self._committed(best.steps[begin:], told, len(trail.marks))
        return referee, (final,)

    def _after_all(
        self, look: Look, sights: list[Sight]
    ) -> tuple[Referee, tuple[Verdict, ...]] | None:
        """The round has ended: whether the table shows so, be it that its last turns were misread."""
        trail = self.trail
        if trail is None or not trail.done or look.view.hidden:
            return None
        # Where the last turn was final from a view of which a part was hidden, the tracks are yet to come to it.
        turns = int(not any(track.position.is_over for track in trail.tracks.tracks))
        told = go_on(trail.tracks, look.seen, sights, look.tolerated, turns)
        if not told or told[0].fit < FITS_WELL:
            return None
        reading = Reading.of(told, trail.marks)
        referee = replace(
            self, trail=replace(trail, tracks=trail.tracks.followed(told, look.seen, sights[0]))
        )
        if reading.marks == trail.marks:
            return referee, ()
        return referee._taken_back(look, told, reading, sights[0])

    # --- a legal story fits -------------------------------------------------------------------

    def _legal(
        self, look: Look, told: list[Story], sight: Sight
    ) -> tuple[Referee, tuple[Verdict, ...]]:
        best, trail = told[0], self.trail
        assert trail is not None
        waiting = replace(self.waiting, fault="", trouble_s=None)
        referee, slow, held = replace(self, waiting=waiting)._watch(look, sight, best)
        if held:
            return referee, slow
        verdicts: list[Verdict] = []
        if self.standing is not None and not isinstance(self.standing, Unsure):
            referee, mended = referee._mended()
            verdicts += mended
        if look.is_clear and best.fit >= (POOR if self.position.order else least_of(trail)):
            trail = trail.followed(told, look.seen, sight)
            referee = replace(referee, trail=trail)
        marks = trail.marks
        reading = Reading.of(told, marks)
        if shared(reading.marks, marks) < len(marks):
            referee, more = referee._taken_back(look, told, reading, sight)
            return referee, (*verdicts, *more)
        root = trail.matches[0].position if trail.matches else self.position
        most, sure = reading.final(root, look.view, sight, self.waiting.cuts, len(marks))
        referee = replace(referee, waiting=replace(referee.waiting, cuts=sure))
        doubt = before_doubt(told, marks) if referee.ended is None else len(marks)
        if trail.firm is not None or (doubt < len(marks) and marks[doubt] != self.waiting.asked):
            # A fault may explain it, and what is played next will tell; or what is final is to be asked first.
            most = 0
        begin = len(trail.done_as(best))
        if most:
            end = ends_of(best.steps)[most - 1]
            referee, final = referee._committed(best.steps[begin:end], told, len(marks))
            verdicts.append(final)
            begin = end
        rest = best.steps[begin:]
        if not rest:
            if not most:
                verdicts.append(Agrees(progress(best, sight, look.view)))
            referee = replace(referee, provisional=None)
            if doubt < len(marks):
                referee, asked = referee._doubt(look, told, sight, doubt)
                verdicts += asked
            return referee, tuple(verdicts)
        before = best.steps[begin - 1][1] if begin else root
        story = happened(before, rest, told, False)
        if story != referee.provisional:
            verdicts.append(story)
        referee = replace(referee, provisional=story)
        if referee.ended is None and not most:
            referee, asked = referee._doubt(look, told, sight, doubt)
            verdicts += asked
        return referee, tuple(verdicts)

    def _committed(self, steps: Steps, told: list[Story], agreed: int) -> tuple[Referee, Happened]:
        """With steps final that follow so many final marks."""
        trail = self.trail
        assert trail is not None
        before = trail.matches[agreed] if agreed < len(trail.matches) else self.match
        final = happened(before.position, steps, told, True)
        grown, match = trail.grown(self.match, steps, agreed)
        changed = {
            row
            for row in range(6)
            if final.position.lawn[row] != before.position.lawn[row] or final.position.is_over
        }
        tolerated = tuple(each for each in self.tolerated if each[0].row - 1 not in changed)
        return replace(
            self,
            match=match,
            trail=grown.trimmed(),
            tolerated=tolerated,
            standing=None if isinstance(self.standing, Unsure) else self.standing,
            provisional=None,
            waiting=Waiting(seen_s=self.waiting.seen_s, asked=self.waiting.asked),
        ), replace(final, replaces=self.match.length - before.length)

    def _taken_back(
        self, look: Look, told: list[Story], reading: Reading, sight: Sight
    ) -> tuple[Referee, tuple[Verdict, ...]]:
        """The best story contradicts what is final: whether it is sure enough to correct the log."""
        trail = self.trail
        assert trail is not None
        agreed = shared(reading.marks, trail.marks)
        wait = replace(self, provisional=None)
        if agreed >= len(reading.marks) or reading.odds[agreed] < TAKEN_BACK:
            return replace(wait, waiting=replace(wait.waiting, cuts=()))._doubt(
                look, told, sight, agreed
            )
        root = trail.matches[0].position
        most, sure = reading.final(root, look.view, sight, self.waiting.cuts, agreed)
        if not most:
            return replace(wait, waiting=replace(wait.waiting, cuts=sure)), ()
        ends = ends_of(reading.best.steps)
        begin = ends[agreed - 1] if agreed else 0
        referee, final = self._committed(reading.best.steps[begin : ends[most - 1]], told, agreed)
        return referee, (final,)

    def _mended(self) -> tuple[Referee, tuple[Verdict, ...]]:
        standing = self.standing
        if standing is None:
            return self, ()
        kind = standing.kind if isinstance(standing, Infringement) else None
        said = "The table is put right; play goes on." if kind else "The table fits again."
        return replace(self, standing=None), (Mended(said, kind),)

    def _doubt(
        self, look: Look, told: list[Story], sight: Sight, done: int
    ) -> tuple[Referee, tuple[Verdict, ...]]:
        """Ask when several stories have been left for a while and play cannot tell them apart.

        done: how many marks are final that the best story does not deny.
        """
        trail = self.trail
        assert trail is not None
        before = trail.matches[done] if done < len(trail.matches) else self.match
        denied = self.match.length - before.length
        question = guesses(before.position, told, sight, done, denied)
        if question is None:
            return replace(self, waiting=replace(self.waiting, doubt_s=None)), ()
        since = self.waiting.doubt_s
        if since is None:
            return replace(self, waiting=replace(self.waiting, doubt_s=look.view.time_s)), ()
        best = told[0]
        urgent = best.position.is_over or len(ends_of(best.steps)) - done >= _LAG
        # Hasty players never let the table rest for long; what grows is asked in a short rest too.
        long = min(look.view.time_s - since, look.view.still_s * (3 if urgent else 1))
        if long < (UNSURE_S if urgent else ASK_ANYWAY_S):
            return self, ()
        # A question stands until something else is asked, now that more has been seen.
        standing = self.standing
        if isinstance(standing, Unsure) and (
            _asked(standing) == _asked(question) or look.view.time_s - since < ASK_ANYWAY_S
        ):
            return self, ()
        asked = trail.marks[done] if done < len(trail.marks) else None
        waiting = replace(self.waiting, doubt_s=look.view.time_s, asked=asked)
        return replace(self, standing=question, waiting=waiting), (question,)

    def _watch(
        self, look: Look, sight: Sight, best: Story
    ) -> tuple[Referee, tuple[Verdict, ...], bool]:
        """Name what a legal table may show for a moment but not for long: a die that is missing,
        a pushed die in a stranger's row. Also says whether that is what stands now."""
        fault = None
        if not look.view.hidden:
            fault = wrong_owner(re_entering(self.position, best), sight)
            fault = fault or missing_dice(best.position, sight, self.waiting.missing)
        waiting, said = self.waiting, self.standing
        if fault is None and isinstance(said, Infringement) and waiting.missing is not None:
            # As long as one is missing, that others cannot be seen now, or what is hardly a die, puts nothing right.
            lacks = may_lack(best.position, sight, waiting.missing[0])
            if said.kind == "die-missing" and lacks:
                return self, (), True
        lost = waiting.missing
        if fault is None and lost is not None and may_lack(best.position, sight, lost[0]):
            return self, (), False  # what is hardly a die neither shows nor hides it
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

    def _agrees(self) -> tuple[Referee, tuple[Verdict, ...]]:
        """The table shows the end of the round."""
        waiting = replace(
            self.waiting, fault="", trouble_s=None, doubt_s=None, missing_s=None, missing=None
        )
        referee, verdicts = replace(self, waiting=waiting, provisional=None)._mended()
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
        made = replace(
            referee,
            match=match,
            standing=None,
            provisional=None,
            tolerated=verdict.tolerated,
            waiting=Waiting(seen_s=view.time_s),
            trail=None,
        )
        return made, (verdict,)

    def corrected(self, *pins: Pin) -> Referee:
        """With a person's corrections of dice; they take effect with the next view."""
        standing = self.standing
        if isinstance(standing, Unsure) and not standing.guesses:
            standing = None  # what the die is has been said
        evidence = self.evidence.pinned(pins)
        return replace(self, evidence=evidence, standing=standing, waiting=Waiting())

    def played(self, match: Match | Position) -> Referee:
        """With another expected match or position (a past turn corrected, an undo), pins kept.

        Where the match goes on as some of the stories do, those are kept: whoever says what a turn
        was, of which nobody was sure, confirms what has been seen since.
        """
        other = Referee.start(match)
        trail = self.trail
        if trail is not None:
            same = other.match.length == self.match.length and not isinstance(self.standing, Unsure)
            trail = None if same else trail.told_as(self.match, other.match)
        return replace(
            other,
            turned=self.turned,
            evidence=self.evidence,
            tolerated=self.tolerated,
            trail=trail,
        )

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


def _asked(question: Unsure) -> set[object]:
    return {guess.actions for guess in question.guesses}
