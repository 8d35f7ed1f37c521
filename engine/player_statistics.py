"""Players over many matches: what they scored and did, how lucky they were, and every colour's rolls.

A player is known by the name; who gave none is counted by colour.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from engine.big_roll import CATEGORIES
from engine.dice import FACES, Faces
from engine.luck import BigRollLuck, big_roll_luck
from engine.match_facts import MatchFacts, PlayerFacts


@dataclass(frozen=True, slots=True)
class MatchPoint:
    """One match in a player's history: when it began (s since 1970), finished rounds, points in these."""

    began_s: float
    rounds: int
    points: int

    @property
    def mean(self) -> float:
        return self.points / self.rounds


@dataclass
class PlayerStatistics:
    """One player over all matches; counts as in PlayerFacts, summed.

    Attributes:
        name: as it was written last, or the colour of who has no name; named: which of both.
        colour: of the dice played with last.
        matches: taken part in; finished, won: of these.
        rounds, points: finished rounds, and the points in them; best_round: the most in one, None
            before the first.
        bonuses: settled Big Rolls by claimed category, "" for none.
        history: every match with a finished round, oldest first.
    """

    name: str
    named: bool
    colour: str = ""
    matches: int = 0
    finished: int = 0
    won: int = 0
    rounds: int = 0
    rounds_won: int = 0
    points: int = 0
    best_round: int | None = None
    lead: int = 0
    captured: int = 0
    lawn: int = 0
    turns: int = 0
    lost: int = 0
    lost_by_roll: int = 0
    lost_expected: float = 0.0
    pushes: int = 0
    own_pushes: int = 0
    pushed: int = 0
    captures: int = 0
    locks: int = 0
    big_rolls: list[Faces] = field(default_factory=list)
    bonuses: Counter[str] = field(default_factory=Counter)
    history: list[MatchPoint] = field(default_factory=list)

    @property
    def luck(self) -> BigRollLuck:
        """Their Big Rolls against the exact odds."""
        return big_roll_luck(self.big_rolls)

    def a_round(self, count: float) -> float | None:
        """A sum as a mean of the finished rounds, or None when there is none."""
        return count / self.rounds if self.rounds else None


_SUMMED = (
    "rounds_won",
    "turns",
    "lost",
    "lost_by_roll",
    "lost_expected",
    "pushes",
    "own_pushes",
    "pushed",
    "captures",
    "locks",
)


def by_player(matches: Iterable[MatchFacts]) -> tuple[PlayerStatistics, ...]:
    """Everybody who took part, who played most rounds first."""
    found: dict[tuple[bool, str], PlayerStatistics] = {}
    for match in sorted(matches, key=lambda each: each.began_s):
        for player in match.players:
            name = " ".join(player.name.split())
            key = bool(name), (name or player.colour).casefold()
            statistics = found.setdefault(key, PlayerStatistics(name, key[0]))
            statistics.name = name or player.colour
            statistics.colour = player.colour
            _add(statistics, match, player)
    return tuple(sorted(found.values(), key=lambda each: (-each.rounds, each.name.casefold())))


def _add(statistics: PlayerStatistics, match: MatchFacts, player: PlayerFacts) -> None:
    statistics.matches += 1
    statistics.finished += match.over
    statistics.won += player.won
    for name in _SUMMED:
        setattr(statistics, name, getattr(statistics, name) + getattr(player, name))
    statistics.big_rolls += player.big_rolls
    statistics.bonuses.update(player.bonuses)
    totals = [score.total for score in player.rounds]
    if totals:
        statistics.rounds += len(totals)
        statistics.points += sum(totals)
        statistics.best_round = max(*totals, statistics.best_round or 0)
        statistics.lead += sum(score.lead for score in player.rounds)
        statistics.captured += sum(score.captured for score in player.rounds)
        statistics.lawn += sum(score.lawn for score in player.rounds)
        statistics.history.append(MatchPoint(match.began_s, len(totals), sum(totals)))


def thrown_by_colour(matches: Iterable[MatchFacts]) -> dict[str, tuple[int, ...]]:
    """How often each face 1 to 6 came on each colour's dice, the most rolled colour first."""
    counts: dict[str, Counter[int]] = {}
    for match in matches:
        for player in match.players:
            counted = counts.setdefault(player.colour, Counter())
            counted.update(dict(zip(FACES, player.thrown, strict=True)))
    ranked = sorted(counts, key=lambda colour: (-counts[colour].total(), colour))
    return {colour: tuple(counts[colour][face] for face in FACES) for colour in ranked}


def claimed_bonuses(matches: Iterable[MatchFacts]) -> tuple[int, dict[str, int]]:
    """How many Big Rolls are settled, and how many of them claimed each category."""
    claimed: Counter[str] = Counter()
    for match in matches:
        for player in match.players:
            claimed.update(player.bonuses)
    return claimed.total(), {category: claimed[category] for category in CATEGORIES}
