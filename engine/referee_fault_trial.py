"""One infringement at a simulated table under the referee's eyes, and what follows it."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from engine.dice import DICE_PER_PLAYER
from engine.lawn import EMPTY, NEUTRAL
from engine.mock_camera import MockCamera, Noise
from engine.mock_cheats import infringe
from engine.mock_fault import Infringed
from engine.mock_layout import MockLayout
from engine.mock_table import MockTable, laid, shows
from engine.mock_turns import Manners, Moment, play_turn, turn_of
from engine.mock_watch import Shot, Watcher
from engine.position import Position
from engine.referee import Referee
from engine.referee_trial import Tally, Trial, bots_of
from engine.verdict import Infringement, Kind, Ruled, Unsure


@dataclass(frozen=True, slots=True)
class FaultResult:
    """How a referee dealt with an infringement.

    Attributes:
        kind, seats: what was done, and who may be named.
        said: (kind, player) that stands at the end, or ("", None) when nothing is accused.
        right: whether kind and player are right.
        asked: whether the players were asked what a die is, and told the truth.
        first: what was said first.
        after: "mended", "accepted" or "left", and whether all went right afterwards.
    """

    kind: str
    seats: tuple[int | None, ...]
    said: tuple[str, str | None]
    right: bool
    asked: bool
    first: tuple[str, str | None]
    after: str
    after_right: bool
    tally: Tally

    def to_json(self) -> dict[str, Any]:
        """Plain JSON types."""
        names = ("kind", "seats", "said", "right", "asked", "first", "after", "after_right")
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
    last, asked = None, False
    for shot in watcher.shots(fault.moments):
        if any(shot.moment is moment for moment in legal):
            trial.see_legal(shot)
            before = len(trial.said)
        else:
            trial.see(shot)
            asked = _told_what_it_is(trial, shot) or asked
        last = shot
    assert last is not None
    for shot in watcher.rest(illegal[-1], 16 if kind == "die-missing" else 6):
        trial.see(shot)
        asked = _told_what_it_is(trial, shot) or asked
        last = shot
    if asked:
        for shot in watcher.rest(illegal[-1], 6):
            trial.see(shot)
            _told_what_it_is(trial, shot)
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
        asked,
        _named(accused[0] if accused else None),
        after,
        went_on,
        trial.tally,
    )


def _told_what_it_is(trial: Trial, shot: Shot) -> bool:
    """Answer truthfully what a die is, where the referee asks that about a view; whether it does."""
    standing = trial.referee.standing
    if not isinstance(standing, Unsure) or standing.guesses or not shot.clear:
        return False
    trial.referee = trial.referee.corrected(*trial.pins(shot, frozenset(standing.keys)))
    return True


def _named(verdict: Infringement | None) -> tuple[str, str | None]:
    return ("", None) if verdict is None else (verdict.kind, verdict.player)


def _found(kind: Kind, rng: random.Random) -> tuple[Position, Infringed, Manners, MockTable]:
    """A legal moment of a random round in which a fault of that kind fits, and the fault."""
    while True:
        players = 3 if kind in ("center-rule", "play-after-end") else rng.choice((2, 3))
        if kind == "captured-die-altered":
            players = 2
        bots = bots_of(players, rng)
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
            return bool(said) and not _may_be_accepted(fault, len(trial.referee.position.rows))
        position, table = trial.referee.position, fault.table
        if position.is_chance or position.is_over or not shows(table, position):
            return True
    return _two_turns(trial, table, position, manners, rng)


def _may_be_accepted(fault: Infringed, seats: int) -> bool:
    """Whether the table at fault can be a position at all; where it cannot, a referee says so."""
    lawn, rows, captured = fault.table.canonical(seats)
    owners = [[owner for owner, _ in row] for row in lawn]
    gone = sum(NEUTRAL not in row for row in owners) if seats == 2 else 0
    counts = [sum(row.count(seat) for row in owners) + len(rows[seat]) for seat in range(seats)]
    return (
        counts == [DICE_PER_PLAYER] * seats
        and gone == sum(map(len, captured))
        and not any(row[1] == EMPTY and row.count(EMPTY) < 3 for row in owners)  # 4:3.B
        and not any(row[1] != NEUTRAL and EMPTY in row for row in owners[: 6 * (seats == 2)])
    )


def _two_turns(
    trial: Trial, table: MockTable, position: Position, manners: Manners, rng: random.Random
) -> bool:
    accused = len(trial.tally.accusations)
    bots = bots_of(len(position.rows), rng)
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
    told = trial.referee.provisional  # a re-entry where no row is marked is not final yet
    followed = position.is_over or trial.referee.position == position
    followed |= told is not None and told.position == position
    if not followed:
        trial.tally.notes.append(
            f"after it: expected '{trial.referee.position}', true '{position}'"
        )
    return followed and len(trial.tally.accusations) == accused
