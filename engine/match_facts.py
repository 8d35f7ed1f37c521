"""What happened in a match, counted for statistics: scores, Big Rolls, pushes, locks, lost turns, and every die rolled.

facts = match_facts(log.game.match, names=log.started.names, began_s=events[0].at_s)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from engine.actions import Action, BoundaryRoll, Rolled
from engine.dice import FACES, Faces
from engine.effects import Effects
from engine.lawn import is_blocked
from engine.match import Match
from engine.match_log import Entry
from engine.position import Position
from engine.scoring import RoundScore

CHANCE_OF_OWN = ("big-roll", "tie-break", "boundary-roll", "grind-roll")
"""The phases in which the dice in the air belong to the player whose turn it is."""


@dataclass(frozen=True, slots=True)
class PlayerFacts:
    """One player of one match.

    Attributes:
        colour, name: the name may be "".
        total: points of the finished rounds; won: whether the match is theirs, alone or shared.
        rounds: score of every finished round; rounds_won: how many were theirs alone.
        big_rolls: faces of every Big Roll, also of an unfinished round; tie-breaks are none.
        bonuses: claimed category per Big Roll that is settled, "" for none.
        turns: boundary rolls made; lost: turns lost; lost_by_roll: those that a roll decided (6:1.A), and
        lost_expected: how many of these the exact chances before each roll add up to.
        pushes: others' dice pushed off; own_pushes: own ones; pushed: own dice that others pushed off.
        captures: neutral dice captured; locks: rows locked.
        thrown: how often each face 1 to 6 came on dice of this colour, whoever rolled them.
    """

    colour: str
    name: str
    total: int
    won: bool
    rounds: tuple[RoundScore, ...]
    rounds_won: int
    big_rolls: tuple[Faces, ...]
    bonuses: tuple[str, ...]
    turns: int
    lost: int
    lost_by_roll: int
    lost_expected: float
    pushes: int
    own_pushes: int
    pushed: int
    captures: int
    locks: int
    thrown: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MatchFacts:
    """One match: players in seat order, when it began (s since 1970), and whether it is over."""

    players: tuple[PlayerFacts, ...]
    began_s: float
    over: bool


@dataclass
class _Counts:
    counted: Counter[str] = field(default_factory=Counter)
    big_rolls: list[Faces] = field(default_factory=list)
    bonuses: list[str] = field(default_factory=list)
    thrown: Counter[int] = field(default_factory=Counter)
    lost_expected: float = 0.0


def match_facts(match: Match, names: Sequence[str] = (), began_s: float = 0.0) -> MatchFacts:
    """Everything counted in a match, from its log; what is being played counts as far as it came."""
    by_colour = {colour: _Counts() for colour in match.colours}
    for position, entry, effects in _steps(match):
        _count(by_colour, position, entry.action, effects)
    ends = [finished.end for finished in match.rounds]
    if not match.is_between_rounds:
        ends.append(match.position)
    for end in ends:
        for seat, colour in enumerate(match.colours):
            if end.opening.big_rolls[seat]:
                by_colour[colour].big_rolls.append(end.opening.big_rolls[seat])
                if seat not in _electing(end):
                    by_colour[colour].bonuses.append(end.opening.bonuses[seat])
    return MatchFacts(
        tuple(
            _player(match, seat, names[seat] if seat < len(names) else "", by_colour[colour])
            for seat, colour in enumerate(match.colours)
        ),
        began_s,
        match.is_over,
    )


def _electing(position: Position) -> tuple[int, ...]:
    return (position.turn,) if position.phase == "bonus-choice" else ()


def _player(match: Match, seat: int, name: str, counts: _Counts) -> PlayerFacts:
    colour, counted = match.colours[seat], counts.counted
    scores = tuple(finished.scores[seat] for finished in match.rounds)
    won = sum(
        all(score.total > other.total for at, other in enumerate(each.scores) if at != seat)
        for score, each in zip(scores, match.rounds, strict=True)
    )
    return PlayerFacts(
        colour,
        name,
        match.totals[seat],
        colour in match.winners,
        scores,
        won,
        tuple(counts.big_rolls),
        tuple(counts.bonuses),
        counted["turns"],
        counted["lost"],
        counted["lost by roll"],
        counts.lost_expected,
        counted["pushes"],
        counted["own pushes"],
        counted["pushed"],
        counted["captures"],
        counted["locks"],
        tuple(counts.thrown[face] for face in FACES),
    )


def _steps(match: Match) -> Iterator[tuple[Position, Entry, Effects]]:
    """Every entry of the log with the position that it was made in, table rulings followed."""
    rulings = list(match.rulings)
    number = 0
    for log in (*(finished.log for finished in match.rounds), match.current):
        position = Position.start(colours=match.colours, options=match.options)
        for entry in log:
            while rulings and rulings[0].at <= number:
                position = rulings.pop(0).position
            yield position, entry, position.effects(entry.action)
            position = position.apply(entry.action)
            number += 1
        while rulings and rulings[0].at <= number:  # it ended the round
            rulings.pop(0)


def _count(
    by_colour: dict[str, _Counts], position: Position, action: Action, effects: Effects
) -> None:
    actor = by_colour[effects.actor]
    phase = position.phase
    if isinstance(action, BoundaryRoll):
        actor.counted["turns"] += 1
    if isinstance(action, Rolled):
        own = phase in CHANCE_OF_OWN
        owner = effects.actor if own else position.colours[position.displaced]
        by_colour[owner].thrown.update(action.faces)
    if phase == "boundary-roll":
        actor.lost_expected += chance_to_lose(position)
        actor.counted["lost by roll"] += effects.lost_turns[:1] == (effects.actor,)
    for colour in effects.lost_turns:
        by_colour[colour].counted["lost"] += 1
    if effects.pushed == effects.actor:
        actor.counted["own pushes"] += 1
    elif effects.pushed is not None:
        actor.counted["pushes"] += 1
        by_colour[effects.pushed].counted["pushed"] += 1
    actor.counted["captures"] += effects.captured is not None
    actor.counted["locks"] += effects.locks is not None


def chance_to_lose(position: Position) -> float:
    """The exact chance that the boundary set in the air costs the turn (6:1.A), before it is seen."""
    if not position.locked or position.phase != "boundary-roll":
        return 0.0
    row, count = position.rows[position.turn], position.dice_in_the_air
    rest = row[count:] if position.edge == "low" else row[: len(row) - count]
    return sum(
        chance
        for thrown, chance in position.chance_outcomes()
        if is_blocked(tuple(sorted((*rest, *thrown.faces))), position.locked)
        and position.apply(thrown).phase in ("boundary-choice", "round-over")
    )
