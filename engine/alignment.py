"""Two accounts of one game side by side: which Big Roll or turn of the one is which of the other, and what differs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.game_turns import cut_into_turns
from engine.match import Match
from engine.transcript import Facts, facts_of

TOLD = ("big_roll", "tie_break", "turn")
"""What is aligned; captures, locks and scores follow from it."""

FIELDS = {
    "big_roll": ("player", "faces", "bonus", "total"),
    "tie_break": ("player", "faces"),
    "turn": (
        *("player", "edge", "rolled", "grind", "row", "side"),
        *("pushed", "reentry", "lost", "locks"),
    ),
}
"""What is compared of each."""

_LEFT_OUT = 1.0  # cost of something that only one of them tells
_OTHER_PLAYER = 0.9


@dataclass(frozen=True, slots=True)
class Pair:
    """One step of both accounts; None where one of them lacks it. differs: names of the fields that differ."""

    ours: Facts | None
    theirs: Facts | None
    differs: tuple[str, ...] = ()

    @property
    def same(self) -> bool:
        return self.ours is not None and self.theirs is not None and not self.differs


def told(match: Match) -> list[Facts]:
    """The Big Rolls, tie-breaks and turns of a match, oldest first; table rulings are passed over."""
    found: list[Facts] = []
    here = Match.start(colours=match.colours, options=match.options, threshold=match.threshold)
    log, done = match.log, 0
    for ruling in (*match.rulings, None):
        upto = len(log) if ruling is None else ruling.at
        for piece in cut_into_turns(here, log[done:upto]):
            found += [facts for facts in facts_of(here, piece) if facts["type"] in TOLD]
            here = here.played(piece)
        done = upto
        if ruling is not None:
            here = here.ruled(ruling.position, ruling.sentence)
    return found


def aligned(ours: Sequence[Facts], theirs: Sequence[Facts]) -> list[Pair]:
    """The cheapest way to go through both accounts in order."""
    rows, columns = len(ours), len(theirs)
    cost = [[_LEFT_OUT * (i + j) for j in range(columns + 1)] for i in range(rows + 1)]
    for i in range(1, rows + 1):
        for j in range(1, columns + 1):
            cost[i][j] = min(
                cost[i - 1][j - 1] + _distance(ours[i - 1], theirs[j - 1]),
                cost[i - 1][j] + _LEFT_OUT,
                cost[i][j - 1] + _LEFT_OUT,
            )
    pairs: list[Pair] = []
    i, j = rows, columns
    while i or j:
        if i and j:
            one, other = ours[i - 1], theirs[j - 1]
            if abs(cost[i][j] - cost[i - 1][j - 1] - _distance(one, other)) < 1e-9:
                pairs.append(Pair(one, other, different(one, other)))
                i, j = i - 1, j - 1
                continue
        if i and (not j or abs(cost[i][j] - cost[i - 1][j] - _LEFT_OUT) < 1e-9):
            pairs.append(Pair(ours[i - 1], None))
            i -= 1
        else:
            pairs.append(Pair(None, theirs[j - 1]))
            j -= 1
    return pairs[::-1]


def different(one: Facts, other: Facts) -> tuple[str, ...]:
    """The fields in which two accounts of one step differ."""
    if one["type"] != other["type"]:
        return ("type",)
    return tuple(name for name in FIELDS[one["type"]] if one.get(name) != other.get(name))


def _distance(one: Facts, other: Facts) -> float:
    differs = different(one, other)
    if not differs:
        return 0.0
    if "type" in differs:
        return 3 * _LEFT_OUT
    share = len(differs) / len(FIELDS[one["type"]])
    return share + (_OTHER_PLAYER if "player" in differs else 0.0)


def differences(pairs: Iterable[Pair]) -> list[Pair]:
    """Only the steps that differ."""
    return [pair for pair in pairs if not pair.same]
