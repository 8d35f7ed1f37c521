"""Whole matches of bots against each other: seeded, in one process or in many.

Every match has a source of chance of its own, made of the seed and the match's number, so the same
plan gives the same tally whoever plays which part of it.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from engine.bots import Bot, bot_named
from engine.effects import lost_turns
from engine.errors import LawnError, OptionsError, shown
from engine.match import STANDARD_THRESHOLD, Match
from engine.options import Options
from engine.processes import MOST_JOBS, ProcessError, spread
from engine.tally import Tally

_CHUNK = 8
_LONGEST_ROUND = 100_000  # actions; the longest rounds of random bots have some thousand


class SimulationError(LawnError):
    """A simulation that cannot be run as it was asked for."""


@dataclass(frozen=True)
class Plan:
    """What is played.

    Match number m seats bot b at seat (b + m) mod players, so that every bot sits everywhere
    equally often; who moves first is then up to the Big Roll (3:4.A).

    Raises:
        SimulationError: the number of bots is not the number of players, or no match is asked for.
        BotError: a bot that does not exist.
        PositionError, MatchError: a number of players or a threshold that cannot be.
    """

    players: int
    matches: int
    bots: tuple[str, ...]
    options: Options = field(default_factory=Options)
    threshold: int = STANDARD_THRESHOLD
    seed: int = 0

    def __post_init__(self) -> None:
        Match.start(self.players, options=self.options, threshold=self.threshold)
        for name in self.bots:
            bot_named(name)
        if len(self.bots) != self.players:
            raise SimulationError(
                f"{self.players} players need {self.players} bots, not {len(self.bots)}."
            )
        if self.matches < 1:
            raise SimulationError("At least one match must be played.")


def parse_options(text: str) -> Options:
    """Options written as "ending=first-out,grind=at-once"; "" leaves all at their defaults.

    Raises:
        OptionsError: a part without "=", an option twice, an unknown option or value.
    """
    chosen: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, equals, value = (each.strip() for each in part.partition("="))
        if not equals:
            raise OptionsError(f"An option is written as name=value, not {shown(part)}.")
        if name in chosen:
            raise OptionsError(f"Option {name} is given twice.")
        chosen[name] = value
    return Options.from_mapping(chosen)


def run(plan: Plan, jobs: int | None = None) -> Iterator[Tally]:
    """Play the plan in `jobs` processes (None: one a core) and yield the tally of each part.

    The parts cover the matches in order, and their sum does not depend on `jobs`.

    Raises:
        SimulationError: a process was ended from outside.
    """
    jobs = min(jobs or os.cpu_count() or 1, MOST_JOBS, plan.matches)
    size = max(1, min(_CHUNK, plan.matches // (4 * jobs)))
    parts = (range(at, min(at + size, plan.matches)) for at in range(0, plan.matches, size))
    try:
        yield from spread(partial(play, plan), parts, jobs)
    except ProcessError as error:
        raise SimulationError(str(error)) from error


def play(plan: Plan, numbers: Sequence[int]) -> Tally:
    """Play the matches of these numbers."""
    tally = Tally()
    for number in numbers:
        play_match(plan, number, tally)
    return tally


def play_match(plan: Plan, number: int, tally: Tally) -> Match:
    """Play the match of that number to its end and count it.

    Raises:
        SimulationError: the bots play in circles.
    """
    rng = random.Random(f"{plan.seed} {number}")
    seated = [(seat - number) % plan.players for seat in range(plan.players)]
    bots = [bot_named(plan.bots[bot]) for bot in seated]
    match = Match.start(plan.players, options=plan.options, threshold=plan.threshold)
    while not match.is_over:
        match = _play_round(match, bots, seated, rng, tally)
    winners = [match.colours.index(colour) for colour in match.winners]
    tally.match_wins[seated[winners[0]] if len(winners) == 1 else -1] += 1
    tally.match_rounds[len(match.rounds)] += 1
    return match


def _play_round(
    match: Match, bots: Sequence[Bot], seated: Sequence[int], rng: random.Random, tally: Tally
) -> Match:
    turns = lost = 0
    rounds = len(match.rounds)
    for _ in range(_LONGEST_ROUND):
        position = match.position
        action = position.throw(rng) if position.is_chance else bots[position.turn](position, rng)
        match = match.apply(action)
        after = match.position if len(match.rounds) == rounds else match.rounds[-1].end
        tally.actions[position.phase] += 1
        skipped = len(lost_turns(position, after)) if position.order else 0
        lost += skipped
        turns += skipped + (position.phase == "placement")
        if len(match.rounds) > rounds:
            break
    else:
        raise SimulationError(
            f"A round was broken off after {_LONGEST_ROUND} actions: these bots play in circles."
        )
    tally.count_round(match.rounds[-1].end, seated, turns, lost)
    return match
