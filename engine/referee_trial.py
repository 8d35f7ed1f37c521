"""One simulated round under the referee's eyes, and the person who answers the referee.

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
from engine.mock_layout import MockLayout
from engine.mock_table import in_the_box, laid
from engine.mock_turns import Manners, Moment, play_turn, round_of, set_up
from engine.mock_watch import Shot, Watcher
from engine.position import Position
from engine.referee import Pin, Referee
from engine.story_parts import changes_nothing
from engine.verdict import Desync, Infringement, Unsure, Verdict

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
    """A referee, a simulated table and the person who answers.

    truth: the actions since the referee began to watch, as far as they have been done; None where
    the person does not keep in mind what happened.
    """

    def __init__(
        self,
        referee: Referee,
        watcher: Watcher,
        tally: Tally,
        truth: Sequence[Action] | None = None,
    ) -> None:
        self.referee = referee
        self.watcher = watcher
        self.tally = tally
        self.truth = truth
        self._begun = referee.match
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
        if isinstance(standing, Unsure) and self._guessed(standing):
            return
        keys = _keys_of(standing) if self._pinned == 1 else frozenset[int]()
        self.referee = self.referee.corrected(*self.pins(shot, keys))
        for again in self.watcher.rest(shot.moment, 1):
            self.see_legal(again)

    def _guessed(self, asked: Unsure) -> bool:
        """Take that answer to a question which is what happened, if one is."""
        begun, now = self._begun, self.referee.match
        if self.truth is None:
            return False
        start = begun.position
        for guess in asked.guesses:
            match = now
            if guess.replaces:
                match = begun.played(now.log[begun.length : now.length - guess.replaces])
            match = match.played(guess.actions)
            if happened(start, self.truth, logged_in(match, len(begun.rounds))):
                self.referee = self.referee.played(match)
                return True
        return False

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


def bots_of(players: int, rng: random.Random) -> list[Bot]:
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
        match = _a_round_later(match, bots_of(players, rng), rng)
        table = laid(match.rounds[0].end, layout, rng)
    start = match.position
    watcher = Watcher(MockCamera(noise, players, players == 2, rng), rng)
    tally = Tally()
    truth: list[Action] = []
    trial = Trial(Referee.start(match), watcher, tally, truth)

    def all_moments() -> Iterable[Moment]:
        yield Moment(table, "at rest", -1, 2.0, start)
        first = set_up(table, start, rng)
        bots, manners = bots_of(players, rng), Manners.any(players, rng)
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
        end = shot.moment.position
        for moment in set_up(shot.moment.table, end, rng)[:players]:  # the dice are picked up
            for again in watcher.rest(moment, 2):
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
    return logged_in(referee.match, rounds)


def logged_in(match: Match, rounds: int) -> list[Action]:
    """The actions of a match in the round after so many others."""
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


def happened(start: Position, truth: Sequence[Action], log: Sequence[Action]) -> bool:
    """Whether a log tells only what happened, up to its last action: a turn that it leaves in the middle
    must have come so far too, and by the rolls that it tells."""
    if judged(start, truth, log)[0] == "wrong":
        return False
    count = len(_by_turn(start, log))
    turns = _by_turn(start, truth)
    begun = sum(len(acted) for acted, _ in turns[:count])
    ends = begun + len(turns[count][0]) if len(turns) > count else len(truth)
    passed, position = {turns[count - 1][1] if count else start}, start
    for number, action in enumerate(truth[:ends], 1):
        position = position.apply(action)
        if number >= begun:
            passed.add(position)
    told = start
    for action in log:
        told = told.apply(action)
    return told in passed


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
        before, position = position, position.apply(action)
        acted.append(action)
        if position.phase in _COMPLETE:
            if changes_nothing(before, position):
                if not turns:
                    continue
                turns[-1] = ([*turns[-1][0], *acted], turns[-1][1])
            else:
                turns.append((acted, position))
            acted = []
    return turns
