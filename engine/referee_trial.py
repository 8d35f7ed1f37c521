"""One simulated game under the referee's eyes: a whole round, or one infringement.

What the simulated person does: plays on while the referee is content; when it asks (Unsure), is out
of step (Desync) or accuses although all is legal, tells it truthfully what the dice are that it
means (`Referee.corrected`).
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from engine.actions import Action, BoundaryRoll
from engine.bots import Bot, best_bonus, greedy_bot, random_bot
from engine.match import MAX_THRESHOLD, Match
from engine.mock_camera import MockCamera, Noise
from engine.mock_cheats import Infringed, infringe
from engine.mock_layout import MockLayout
from engine.mock_table import MockTable, in_the_box, laid, shows
from engine.mock_turns import Manners, Moment, play_turn, round_of, set_up, turn_of
from engine.mock_watch import Shot, Watcher
from engine.position import Position
from engine.referee import Pin, Referee
from engine.verdict import Desync, Infringement, Kind, Ruled, Unsure, Verdict

_PATIENCE = 2  # views for which a person waits before correcting a referee who is out of step
_PINNED = 3  # corrections in a row of the same table, then the person gives up


@dataclass
class Tally:
    """What happened while a referee watched.

    Attributes:
        views: how many views it was given.
        cpu_ms: how many views took that many tenths of a millisecond of processor time.
        questions: how often it asked (Unsure).
        desyncs: how often a person had to help it when it was out of step.
        accusations: (kind, player) said although all was legal.
        notes: what a developer needs to find a fault again.
    """

    views: int = 0
    cpu_ms: Counter[int] = field(default_factory=Counter)
    questions: int = 0
    desyncs: int = 0
    accusations: list[tuple[str, str | None]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON types."""
        data = asdict(self)
        data["cpu_ms"] = {str(tenths): n for tenths, n in sorted(self.cpu_ms.items())}
        return data


class Trial:
    """A referee, a simulated table and the person who answers."""

    def __init__(self, referee: Referee, watcher: Watcher, tally: Tally) -> None:
        self.referee = referee
        self.watcher = watcher
        self.tally = tally
        self.said: list[tuple[Shot, Verdict]] = []
        self.lost = False
        self._waited = 0
        self._pinned = 0

    def see(self, shot: Shot) -> tuple[Verdict, ...]:
        """Let the referee see a view."""
        started = time.thread_time()
        self.referee, verdicts = self.referee.see(shot.view)
        spent = time.thread_time() - started
        self.tally.views += 1
        self.tally.cpu_ms[round(spent * 10_000)] += 1
        self.said += [(shot, verdict) for verdict in verdicts]
        return verdicts

    def play(self, moments: Iterable[Moment]) -> Shot | None:
        """Show legal moments, and answer what the referee asks. Returns the last view.

        Where the truth does not bring a referee back who is out of step, it ends (`lost`).
        """
        last = None
        for shot in self.watcher.shots(moments):
            if self.lost:
                break
            last = shot
            self.see_legal(shot)
        return last

    def see_legal(self, shot: Shot) -> None:
        """Show a view of a legal table, and answer what the referee asks."""
        for verdict in self.see(shot):
            if isinstance(verdict, Infringement):
                self.tally.accusations.append((verdict.kind, verdict.player))
                self._note(shot, verdict)
            elif isinstance(verdict, Unsure):
                self.tally.questions += 1
                self._note(shot, verdict)
        self._answer(shot)

    def _answer(self, shot: Shot) -> None:
        standing = self.referee.standing
        if standing is None or not shot.clear:
            self._waited = self._pinned = 0
            return
        if isinstance(standing, Desync):
            self._waited += 1
            if self._waited <= _PATIENCE:
                return
            if self._pinned == 0:
                self.tally.desyncs += 1
                self._note(shot, standing)
        if self._pinned >= _PINNED:
            self.lost = not isinstance(standing, Unsure)
            return
        self._pinned += 1
        keys = _keys_of(standing) if self._pinned == 1 else frozenset[int]()
        self.referee = self.referee.corrected(*self.pins(shot, keys))
        for again in self.watcher.rest(shot.moment, 1):
            self.see_legal(again)

    def pins(self, shot: Shot, keys: frozenset[int]) -> list[Pin]:
        """The truth about these dice, or about all that are seen when none is named."""
        numbers = {r.key: n for n, r in self.watcher.camera.readings.items() if r.found}
        table = shot.moment.table
        pins = []
        for seen in shot.view.dice:
            if keys and seen.key not in keys:
                continue
            number = numbers.get(seen.key)
            if number is None:
                pins.append(Pin(seen.key, absent=True))
                continue
            die = table.dice[number]
            pins.append(Pin(seen.key, face=die.face, owner=die.owner, place=table.place(number)))
        return pins

    def _note(self, shot: Shot, verdict: Verdict) -> None:
        if len(self.tally.notes) < 12:
            text = getattr(verdict, "sentence", "")
            moment = shot.moment
            self.tally.notes.append(
                f"at {shot.view.time_s:.1f} s, {moment.step} by {moment.seat}, truth "
                f"'{moment.position}', said {type(verdict).__name__}: {text}"
            )


def _keys_of(standing: Unsure | Infringement | Desync) -> frozenset[int]:
    if isinstance(standing, Desync):
        return frozenset(key for each in standing.differences for key in each.keys)
    return frozenset(standing.keys)


# --- a whole round ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RoundResult:
    """How the log of a round came out.

    outcome: "right", "wrong" (something in it did not happen) or "open" (all in it is right, but
        it ends before the round does: the referee asks, or is out of step).
    twins: turns told differently than they were played, with the same outcome: the other edge was
        rolled and shows its old faces, for one.
    """

    outcome: str
    twins: int
    tally: Tally

    def to_json(self) -> dict[str, Any]:
        """Plain JSON types."""
        return {"outcome": self.outcome, "twins": self.twins, **self.tally.to_json()}


def players_of(number: int) -> int:
    """Two and three players take turns."""
    return 2 + number % 2


def _bots(players: int, rng: random.Random) -> list[Bot]:
    """Random and greedy ones; all claim the best bonus, as the referee is bound to assume."""

    def claims_best(bot: Bot) -> Bot:
        def chooses(position: Position, rng: random.Random) -> Action:
            return best_bonus(position) if position.phase == "bonus-choice" else bot(position, rng)

        return chooses

    return [claims_best(rng.choice((random_bot, greedy_bot))) for _ in range(players)]


def try_round(noise: Noise, seed: str, number: int) -> RoundResult:
    """A whole round of bots, from picking up the dice to its end."""
    players = players_of(number)
    rng = random.Random(f"{seed} round {number}")
    layout = MockLayout(areas=rng.random() < 0.7)
    match = Match.start(players, threshold=MAX_THRESHOLD)
    table = in_the_box(match.position, layout)
    if rng.random() < 0.5:
        match = _a_round_later(match, _bots(players, rng), rng)
        table = laid(match.rounds[0].end, layout, rng)
    start = match.position
    watcher = Watcher(MockCamera(noise, players, players == 2, rng), rng)
    tally = Tally()
    trial = Trial(Referee.start(match), watcher, tally)
    truth: list[Action] = []

    def all_moments() -> Iterable[Moment]:
        yield Moment(table, "at rest", -1, 2.0, start)
        first = set_up(table, start, rng)
        bots, manners = _bots(players, rng), Manners.any(players, rng)
        for moment in (*first, *round_of(first[-1].table, start, bots, manners, rng)):
            truth.extend(moment.actions)
            yield moment

    moments = all_moments()
    shot = trial.play(moments)
    for _ in moments:
        pass  # what happens though nobody follows it any more
    assert shot is not None
    if not trial.lost:
        for again in watcher.rest(shot.moment, 8):
            trial.see_legal(again)
    log = logged(trial.referee, len(match.rounds))
    outcome, twins = judged(start, truth, log)
    if outcome != "right":
        tally.notes.append(f"round {number} of seed {seed}: {outcome}")
        tally.notes.append(difference(start, truth, log))
    return RoundResult(outcome, twins, tally)


def _a_round_later(match: Match, bots: Sequence[Bot], rng: random.Random) -> Match:
    """The match with one more round, which nobody has watched."""
    position = match.position
    while not position.is_over:
        position, actions = play_turn(position, bots, rng)
        for action in actions:
            match = match.apply(action)
    return match


def logged(referee: Referee, rounds: int) -> list[Action]:
    """The actions that the referee has logged as final in the round after so many others."""
    match = referee.match
    entries = match.rounds[rounds].log if len(match.rounds) > rounds else match.current
    return [entry.action for entry in entries]


def judged(start: Position, truth: Sequence[Action], log: Sequence[Action]) -> tuple[str, int]:
    """The outcome of a log, and how many turns it tells differently; see RoundResult."""
    true_turns, turns = _by_turn(start, truth), _by_turn(start, log)
    pairs = list(zip(true_turns, turns, strict=False))
    if any(after != said for (_, after), (_, said) in pairs) or len(turns) > len(true_turns):
        return "wrong", 0
    twins = sum(acted != told for (acted, _), (told, _) in pairs)
    return ("right" if len(turns) == len(true_turns) else "open"), twins


_COMPLETE = ("big-roll", "bonus-choice", "tie-break", "boundary-choice", "grind-roll", "round-over")


def difference(start: Position, truth: Sequence[Action], log: Sequence[Action]) -> str:
    """Where a log leaves the truth, for a developer: the first turn that comes out otherwise."""
    before = start
    true_turns, turns = _by_turn(start, truth), _by_turn(start, log)
    for (acted, after), (told, said) in zip(true_turns, turns, strict=False):
        if after != said:
            return f"{_listed(acted)} happened, {_listed(told)} was logged, in '{before}'"
        before = after
    if len(turns) > len(true_turns):
        return f"{_listed(turns[len(true_turns)][0])} was logged after the end"
    missing = [acted for acted, _ in true_turns[len(turns) :]] + [[]]
    return f"{len(turns)} of {len(true_turns)} turns logged; {_listed(missing[0])} is missing after '{before}'"


def _listed(actions: Sequence[Action]) -> str:
    return f"[{', '.join(map(str, actions))}]"


def _by_turn(start: Position, actions: Sequence[Action]) -> list[tuple[list[Action], Position]]:
    """The actions of each Big Roll, election, turn and blocked grind roll that is complete, and the
    position after it. The edge of a row that has one face only has one name. A roll of the grind that
    shows the faces it had leaves the game and the table just as they were: it counts to the turn
    before it."""
    turns: list[tuple[list[Action], Position]] = []
    position, acted = start, list[Action]()
    for action in actions:
        if isinstance(action, BoundaryRoll) and len(position.legal_actions()) == 1:
            action = BoundaryRoll("low")
        position = position.apply(action)
        acted.append(action)
        if position.phase in _COMPLETE:
            if turns and turns[-1][1] == position:
                turns[-1] = ([*turns[-1][0], *acted], position)
            else:
                turns.append((acted, position))
            acted = []
    return turns


# --- an infringement --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FaultResult:
    """How a referee dealt with an infringement.

    Attributes:
        kind, seats: what was done, and who may be named.
        said: (kind, player) that stands at the end, or ("", None) when nothing is accused.
        right: whether kind and player are right.
        first: what was said first.
        after: "mended", "accepted" or "left", and whether all went right afterwards.
    """

    kind: str
    seats: tuple[int | None, ...]
    said: tuple[str, str | None]
    right: bool
    first: tuple[str, str | None]
    after: str
    after_right: bool
    tally: Tally

    def to_json(self) -> dict[str, Any]:
        """Plain JSON types."""
        names = ("kind", "seats", "said", "right", "first", "after", "after_right")
        return {name: getattr(self, name) for name in names} | self.tally.to_json()


def try_fault(noise: Noise, seed: str, kind: Kind, number: int) -> FaultResult:
    """A legal turn or two, an infringement of that kind, and what follows."""
    rng = random.Random(f"{seed} {kind} {number}")
    position, fault, manners, table = _found(kind, rng)
    players = len(position.rows)
    watcher = Watcher(MockCamera(noise, players, players == 2, rng), rng)
    trial = Trial(Referee.start(position), watcher, Tally())
    at_rest = Moment(table, "at rest", -1, 2.0, position)
    for shot in watcher.rest(at_rest, 2):
        trial.see_legal(shot)
    watcher.uncovered = fault.uncovered
    legal, illegal = fault.moments[: fault.since], fault.moments[fault.since :]
    before = len(trial.said)
    last = None
    for shot in watcher.shots(fault.moments):
        if any(shot.moment is moment for moment in legal):
            trial.see_legal(shot)
            before = len(trial.said)
        else:
            trial.see(shot)
        last = shot
    assert last is not None
    for shot in watcher.rest(illegal[-1], 16 if kind == "die-missing" else 6):
        trial.see(shot)
        last = shot
    watcher.uncovered = frozenset()
    colours = {None if seat is None else position.colours[seat] for seat in fault.seats}
    accused = [verdict for _, verdict in trial.said[before:] if isinstance(verdict, Infringement)]
    standing = trial.referee.standing
    said = _named(standing if isinstance(standing, Infringement) else None)
    right = said[0] == kind and said[1] in colours
    if not right:
        now = type(standing).__name__ + ": " + getattr(standing, "sentence", "")
        trial.tally.notes.append(f"{kind} {number} of seed {seed} in '{position}': {now}")
    after = rng.choice(("mended", "mended", "accepted", "left"))
    went_on = _afterwards(trial, fault, after, manners, rng, last)
    return FaultResult(
        kind,
        fault.seats,
        said,
        right,
        _named(accused[0] if accused else None),
        after,
        went_on,
        trial.tally,
    )


def _named(verdict: Infringement | None) -> tuple[str, str | None]:
    return ("", None) if verdict is None else (verdict.kind, verdict.player)


def _found(kind: Kind, rng: random.Random) -> tuple[Position, Infringed, Manners, MockTable]:
    """A legal moment of a random round in which a fault of that kind fits, and the fault."""
    while True:
        players = 3 if kind in ("center-rule", "play-after-end") else rng.choice((2, 3))
        if kind == "captured-die-altered":
            players = 2
        bots = _bots(players, rng)
        position, starts = Position.start(players), []
        while not position.is_over:
            position, _ = play_turn(position, bots, rng)
            if position.phase == "boundary-choice":
                starts.append(position)
        if kind == "play-after-end":
            starts = starts[-1:]
        for start in rng.sample(starts, min(6, len(starts))):
            layout = MockLayout(areas=kind == "wrong-owner-re-entry" or rng.random() < 0.7)
            table = laid(start, layout, rng)
            manners = Manners(tuple(rng.uniform(0.6, 1.6) for _ in range(players)), quick_turn=0)
            fault = infringe(kind, table, start, manners, rng)
            if fault is not None:
                return start, fault, manners, table


def _afterwards(
    trial: Trial, fault: Infringed, after: str, manners: Manners, rng: random.Random, last: Shot
) -> bool:
    """The table is mended, or accepted at once or after a while; then two turns are played.

    Returns whether the referee followed without accusing anybody and logged them right.
    """
    watcher, referee = trial.watcher, trial.referee
    if after == "mended":
        position = fault.resumes
        moment = Moment(fault.mended, "mended", -1, 2.0, position, must_see=True)
        for shot in watcher.rest(moment, 4):
            trial.see(shot)
        if trial.referee.standing is not None:
            trial.tally.notes.append(f"mended, but: {trial.referee.standing}")
            return False
        if position.phase == "re-entry" or position.is_over:
            return True
        table = fault.mended
    else:
        if after == "left":
            for shot in watcher.rest(fault.moments[-1], 10):
                trial.see(shot)
                last = shot
        said = [(v.kind, v.player) for _, v in trial.said if isinstance(v, Infringement)]
        referee = trial.referee
        trial.referee, verdicts = referee.accept(last.view)
        if not any(isinstance(verdict, Ruled) for verdict in verdicts):
            return fault.kind in ("die-missing", "die-too-many", "wrong-owner-re-entry") and bool(
                said
            )
        position, table = trial.referee.position, fault.table
        if position.is_chance or position.is_over or not shows(table, position):
            return True
    return _two_turns(trial, table, position, manners, rng)


def _two_turns(
    trial: Trial, table: MockTable, position: Position, manners: Manners, rng: random.Random
) -> bool:
    accused = len(trial.tally.accusations)
    bots = _bots(len(position.rows), rng)
    moments: list[Moment] = []
    for _ in range(2):
        if position.is_over or not position.order:
            break
        after, actions = play_turn(position, bots, rng)
        turn = turn_of(table, position, actions, manners, rng)
        moments += turn
        table, position = turn[-1].table, after
    shot = trial.play(moments)
    if shot is None:
        return True
    for again in trial.watcher.rest(shot.moment, 8):
        trial.see_legal(again)
    followed = position.is_over or trial.referee.position == position
    if not followed:
        trial.tally.notes.append(
            f"after it: expected '{trial.referee.position}', true '{position}'"
        )
    return followed and len(trial.tally.accusations) == accused
