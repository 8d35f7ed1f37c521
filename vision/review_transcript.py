"""The transcript of a review: what its journal says, in the recording's own times and frames.

It follows from the journal alone, so after a correction it is simply made anew. The form is fixed by
vision/review.schema.json.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import LawnError
from engine.game_events import Asked, CameraChanged, Settled, happening
from engine.game_log import GameLog, replayed
from engine.game_steps import STEPS, TableRuling
from engine.game_turns import Turn
from engine.journal import Journal
from engine.journal_archive import record_of
from engine.journal_events import Event
from engine.match import Match
from engine.record_writer import line_of
from engine.table import place_to_json
from engine.transcript import facts_of
from engine.verdict import Desync, Infringement, Unsure
from vision.review_folder import Plan

SURE = 0.9
"""A turn that is less probable than this is among the doubts."""

CUT_OFF = (
    "The film {file} ends here, {missing} s before the end that it was made with: it is cut off or damaged. Copy it "
    "again, and review it with --anew."
)

Json = dict[str, Any]


class Clockwork:
    """Times of the recording and its frames. times: of every frame, s."""

    def __init__(self, plan: Plan, times: NDArray[np.float64]) -> None:
        self._base_s, self._times = plan.base_s, times

    def when(self, event: Event) -> float:
        """When an entry was written, s of the recording."""
        return float(np.clip(event.at_s - self._base_s, 0.0, self.last_s()))

    def span(self, t0_s: float, t1_s: float) -> Json:
        t1_s = max(t0_s, t1_s)
        return {
            "t0_s": round(t0_s, 3),
            "t1_s": round(t1_s, 3),
            "frame0": self.frame(t0_s),
            "frame1": self.frame(t1_s),
        }

    def frame(self, time_s: float) -> int:
        at = int(np.searchsorted(self._times, time_s + 1e-6)) - 1
        return min(max(at, 0), max(len(self._times) - 1, 0))

    def last_s(self, end: int | None = None) -> float:
        """When the last frame was, or the last one before that number, s."""
        times = self._times[:end]
        return float(times[-1]) if len(times) else 0.0


def transcript(journal: Journal, plan: Plan, times: NDArray[np.float64]) -> Json:
    """The transcript of a reviewed recording. Raises JournalError."""
    entries = journal.events()
    game = replayed(entries)
    clock = Clockwork(plan, times)
    events = [*_claimed(_turns(game, entries, clock)), *_questions(journal, entries, clock)]
    events += _cut_off(plan, clock)
    events.sort(key=lambda each: (each["t0_s"], each["t1_s"]))
    match = game.game.match
    first = plan.videos[0]
    return {
        "video": first.path,
        "videos": [video.model_dump(mode="json", exclude={"sample"}) for video in plan.videos],
        "fps": round(first.fps, 4),
        "size": list(first.size),
        "frames": len(times),
        "duration_s": round(float(times[-1]) + 1 / first.fps, 3) if len(times) else 0.0,
        "players": [{"seat": seat, "colour": colour} for seat, colour in enumerate(match.colours)],
        "events": events,
        "scores": scores_of(match, _rounds_seen(game)),
        "unsure": [each for each in events if _is_open(each)],
        "record": _record(game),
    }


def _cut_off(plan: Plan, clock: Clockwork) -> Iterator[Json]:
    """A doubt for every file that ended early: nobody knows what it would have shown."""
    ends = [*(video.frame0 for video in plan.videos[1:]), None]
    for video, end in zip(plan.videos, ends, strict=True):
        if not video.lacks_s:
            continue
        at_s = clock.last_s(end)
        yield {
            **clock.span(at_s, at_s),
            "p": 0.0,
            "type": "unsure",
            "question": CUT_OFF.format(file=Path(video.path).name, missing=round(video.lacks_s)),
            "guesses": [],
            "settled": False,
        }


def _record(game: GameLog) -> str:
    seen = _rounds_seen(game)
    played = {len(game.game.match_before(at).rounds) + 1 for at in range(len(game.game.turns))}
    unseen = ", ".join(str(number) for number in sorted(played - seen))
    # A record begins a round with its Big Rolls; it must not pass these off as seen.
    said = [f"the Big Rolls of round {unseen}; stand-ins are written"] if unseen else []
    left = [str(each.number) for each in game.game.match.rounds if not each.end.is_over]
    said += [f"the end of round {', '.join(left)}"] if left else []
    tags = [("Not seen", "; ".join(said))] if said else []
    return record_of(game, tags).to_string()


def _rounds_seen(game: GameLog) -> set[int]:
    """The rounds whose Big Rolls were seen, counted from 1."""
    seen = set()
    for at, turn in enumerate(game.game.turns):
        number = len(game.game.match_before(at).rounds) + 1
        opening = game.game.match_before(at).position.order == ()
        if opening and turn.source == "camera":
            seen.add(number)
    return seen


def scores_of(match: Match, seen: set[int]) -> Json:
    """{"rounds": [{round, colour: {base, bonus, captured, lawn, total} ...}], "totals": {colour: points},
    "winners"}: a round of which the end was not seen stands as it is, and is not over. Where the Big Rolls were not
    seen their points are unknown: base and bonus are None, neither total nor totals count them, and nobody is said to
    have won."""
    rounds = []
    for finished in match.rounds:
        over = finished.end.is_over
        rounds.append(_sheet(finished.number, match.colours, finished.scores, over, seen))
    if not match.is_over and (not match.is_between_rounds or match.position.order):
        number = len(match.rounds) + 1
        rounds.append(_sheet(number, match.colours, match.position.scores(), False, seen))
    complete = all(each["big_rolls_seen"] for each in rounds)
    complete = complete and all(each["over"] for each in rounds[:-1])
    return {
        "rounds": rounds,
        "totals": {
            colour: sum(each["scores"][colour]["total"] for each in rounds)
            for colour in match.colours
        },
        "complete": complete,
        "winners": list(match.winners) if complete else [],
    }


def _sheet(
    number: int, colours: Sequence[str], scores: Sequence[Any], over: bool, seen: set[int]
) -> Json:
    told = {colour: score.to_json() for colour, score in zip(colours, scores, strict=True)}
    if number not in seen:
        for score in told.values():
            known = score["captured"] + score["lawn"]
            score.update(base=None, bonus=None, category=None, total=known)
    return {"round": number, "over": over, "big_rolls_seen": number in seen, "scores": told}


# --- turns --------------------------------------------------------------------------------------


def _turns(game: GameLog, entries: Sequence[Event], clock: Clockwork) -> Iterator[Json]:
    at_of = {event.number: event for event in entries}
    ended_s = 0.0
    picture: int | None = None
    for at, turn in enumerate(game.game.turns):
        before = game.game.match_before(at)
        written_s = clock.when(at_of[turn.events[0]])
        if turn.ruling is not None:
            yield {
                **clock.span(ended_s, max(written_s, ended_s)),
                "p": 0.0,
                "type": "unsure",
                "turn": turn.id,
                "question": turn.ruling.sentence,
                "guesses": [],
                "picture": turn.picture,
                "settled": False,
            }
            ended_s, picture = max(written_s, ended_s), turn.picture
            continue
        if turn.source == "person" and not turn.times and _stands_in(game, at):
            continue  # Big Rolls that nobody saw
        t0_s, t1_s = _when(turn, written_s, ended_s)
        about = {
            "p": round(turn.probability, 4),
            "turn": turn.id,
            "source": turn.source,
            "text": _line(before, turn),
            "picture_before": picture,
            "picture": turn.picture,
        }
        for event in _of_turn(before, turn, clock, t0_s, t1_s):
            yield {**event, **about}
        ended_s = max(ended_s, t1_s)
        picture = turn.picture if turn.picture is not None else picture


def _claimed(events: Iterator[Json]) -> list[Json]:
    """The events with elected bonuses (3:2.D) where they belong: in their Big Rolls."""
    found: list[Json] = []
    for event in events:
        if event["type"] != "bonus":
            found.append(event)
            continue
        for roll in reversed(found):
            if roll["type"] == "big_roll" and roll["player"] == event["player"]:
                roll["bonus"] = event["bonus"]
                roll["total"] = roll["base"] + event["bonus"]["points"]
                break
    return found


def _of_turn(
    before: Match, turn: Turn, clock: Clockwork, t0_s: float, t1_s: float
) -> Iterator[Json]:
    if turn.misfit:
        said = ", ".join(map(str, turn.entries))
        yield {
            **clock.span(t0_s, t1_s),
            "type": "unsure",
            "question": f"This turn no longer fits: {said} ({turn.misfit}).",
            "guesses": [],
            "settled": False,
        }
        return
    try:
        facts = list(facts_of(before, turn.entries))
    except LawnError:
        return
    for fact in facts:
        if fact["type"] in ("round_over", "match_over"):
            yield {**clock.span(t1_s, t1_s), **fact}
        else:
            yield {**clock.span(t0_s, t1_s), **fact}


def _line(before: Match, turn: Turn) -> str:
    """The turn's line in the match record."""
    try:
        return line_of(before.position, turn.entries)
    except LawnError:
        return ", ".join(map(str, turn.entries))


def _when(turn: Turn, written_s: float, ended_s: float) -> tuple[float, float]:
    if not turn.times:
        return max(ended_s, written_s), max(ended_s, written_s)
    t1_s = turn.times[-1][1]
    return min(max(turn.times[0][0], min(ended_s, t1_s)), t1_s), t1_s


def _stands_in(game: GameLog, at: int) -> bool:
    """Whether a turn that no camera saw comes right before a ruling: rolls that only settle an order."""
    return any(turn.ruling is not None for turn in game.game.turns[at + 1 : at + 4])


# --- what was asked -----------------------------------------------------------------------------


def _questions(journal: Journal, entries: Sequence[Event], clock: Clockwork) -> Iterator[Json]:
    open_: tuple[Event, Json] | None = None
    end_s = clock.when(entries[-1])
    for event in entries:
        what = happening(event)
        if isinstance(what, Asked):
            if open_ is not None:
                yield _closed(open_, clock, clock.when(event), "changed")
            open_ = event, _question(journal, event, what, clock)
        elif isinstance(what, Settled):
            if open_ is not None:
                done = _closed(open_, clock, clock.when(event), what.how)
                yield done
                if what.how == "mended" and done["type"] in ("infringement", "out_of_step"):
                    yield _mended(done, what, clock, clock.when(event))
            open_ = None
        elif isinstance(what, STEPS):
            if open_ is not None:
                how = "taken-up" if isinstance(what, TableRuling) else "played"
                yield _closed(open_, clock, clock.when(event), how)
            open_ = None
        elif isinstance(what, CameraChanged) and what.news == "re-found":
            at_s = clock.when(event)
            yield {**clock.span(at_s, at_s), "p": 1.0, "type": "camera_moved"}
    if open_ is not None:
        yield _closed(open_, clock, end_s, "")


def _question(journal: Journal, event: Event, what: Asked, clock: Clockwork) -> Json:
    verdict = what.verdict
    t0_s = clock.when(event)
    if event.view is not None:
        with suppress(LawnError):  # lost with a damaged file: the entry's own time will do
            t0_s = min(t0_s, journal.view(event.view).still_since_s)
    said: Json = {"number": event.number, "picture": event.picture, "_t0_s": max(0.0, t0_s)}
    if isinstance(verdict, Infringement):
        return said | {
            "p": round(verdict.probability, 4),
            "type": "infringement",
            "kind": verdict.kind,
            "rule": verdict.rule,
            "player": verdict.player,
            "sentence": verdict.sentence,
            "mend": verdict.mend,
            "places": [place_to_json(place) for place in verdict.cells],
        }
    if isinstance(verdict, Unsure):
        return said | {
            "p": max((guess.probability for guess in verdict.guesses), default=0.0),
            "type": "unsure",
            "question": verdict.sentence,
            "guesses": [
                {"p": guess.probability, "says": guess.sentence} for guess in verdict.guesses
            ],
        }
    assert isinstance(verdict, Desync)
    return said | {
        "p": 1.0,
        "type": "out_of_step",
        "sentence": verdict.sentence,
        "differences": [
            {"place": place_to_json(each.place), "expected": each.expected, "seen": each.seen}
            for each in verdict.differences
        ],
    }


def _closed(open_: tuple[Event, Json], clock: Clockwork, t1_s: float, how: str) -> Json:
    said = dict(open_[1])
    t0_s = min(said.pop("_t0_s"), t1_s)
    return {
        **clock.span(t0_s, t1_s),
        **said,
        "settled": how in ("mended", "played", "answered", "changed"),
        "how": how,
    }


def _mended(done: Json, what: Settled, clock: Clockwork, t_s: float) -> Json:
    return {
        **clock.span(t_s, t_s),
        "p": 1.0,
        "type": "mended",
        "kind": done.get("kind"),
        "player": done.get("player"),
        "sentence": what.sentence,
    }


def _is_open(event: Json) -> bool:
    """Whether somebody should look at an event."""
    if event["type"] in ("unsure", "out_of_step"):
        return not event.get("settled", False)
    return event["type"] in ("turn", "big_roll", "tie_break") and event["p"] < SURE
