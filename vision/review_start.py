"""Taking up a table whose past nobody has seen: a recording that begins in mid-round, or out of step.

The table tells where every die lies, but not whose turn it is. So a referee is asked for each player
who may be next, and the one who understands what follows was right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from pathlib import Path

from engine.actions import Place, Rolled
from engine.dice import DICE_PER_PLAYER, NEUTRAL_DICE, Faces
from engine.errors import LawnError
from engine.game_events import Resumed, happening
from engine.game_steps import Played, Started
from engine.journal import Journal
from engine.lawn import NEUTRAL
from engine.match import Match
from engine.match_log import Entry
from engine.position import Position
from engine.referee import Referee
from engine.table import LawnPlace, TableView
from engine.verdict import Happened, Ruled

STAND_INS: tuple[Faces, ...] = (
    (3, 4, 5, 5, 6, 6, 6, 6),
    (2, 3, 4, 4, 5, 5, 5, 5),
    (1, 2, 3, 3, 4, 4, 4, 4),
)
"""Big Rolls that nobody has seen, without bonus and of falling totals: they only settle who follows whom."""

SETTLED_S = 0.3
"""A table is taken up once it has lain still for so long, s."""
SURE = 0.5
MARGIN_S = 1.5
"""A start is chosen when every other one could explain nothing for so much longer, s."""
HOPELESS_S = 12.0
"""A start that is so much worse is not followed any more, s."""
FEWEST_PLAYED = 2
"""Of fewer dice played the Lawn may only have been read wrong."""
MOST_TROUBLE_S = 2.0
"""What one view without an explanation counts at most, s."""


def has_begun(file: Path) -> bool:
    """Whether a review's journal has anything that was seen. One that was cut off while the table was taken up has
    none, but maybe STAND_INS, which without the ruling after them would pass for Big Rolls that were thrown.

    Raises JournalError.
    """
    if not file.stat().st_size:
        return False
    with Journal.look(file) as journal:
        told = [happening(event) for event in journal.events()]
    return not all(
        isinstance(each, Started | Resumed)
        or (isinstance(each, Played) and each.by_person and not each.times)
        for each in told
    )


@dataclass(frozen=True)
class Start:
    """Where a review takes up the game.

    big_rolls: what is logged before it, seen by nobody; position: the table as it lies, None for a
    round from its beginning; next_up: the colour whose turn it is; tolerated: as in a table ruling.
    """

    big_rolls: tuple[Entry, ...] = ()
    position: Position | None = None
    next_up: str = ""
    tolerated: tuple[tuple[LawnPlace, int], ...] = ()


def is_whole(view: TableView, players: int) -> bool:
    """Whether a view shows every die of the game, and nothing is covered or moving."""
    if view.hidden or view.still_s < SETTLED_S:
        return False
    return _counts(view) == _all_dice(players)


def is_beginning(view: TableView, players: int) -> bool:
    """Whether the Lawn is as before the first turn of a round (1:2.C, 1:2.D)."""
    lying = Counter(
        (die.place, die.owner)
        for die in view.dice
        if isinstance(die.place, LawnPlace) and die.found_p > SURE
    )
    wanted = {LawnPlace(row, "center") for row in range(1, 7)} if players == 2 else set()
    return {place for place, _ in lying} == wanted and all(
        owner == NEUTRAL and count == 1 for (_, owner), count in lying.items()
    )


def is_new_round(match: Match, view: TableView) -> bool:
    """Whether the table shows that the round being played has ended and the next one begins."""
    players = range(len(match.colours))
    played = sum(owner in players for row in match.position.lawn for owner in row)
    under_way = bool(match.position.order) and not match.is_over and played >= FEWEST_PLAYED
    return under_way and not view.hidden and is_beginning(view, len(match.colours))


def _all_dice(players: int) -> Counter[int]:
    counts = Counter(dict.fromkeys(range(players), DICE_PER_PLAYER))
    if players == 2:
        counts[NEUTRAL] = NEUTRAL_DICE
    return counts


def _counts(view: TableView) -> Counter[int]:
    return Counter(die.owner for die in view.dice if die.found_p > SURE)


def starts(match: Match, view: TableView) -> list[Start]:
    """Every way in which a whole table may be taken up, from a match before its first Big Roll or from
    one whose turn order is known. [] when what lies there can be no position."""
    found = []
    for before, big_rolls in _orders(match):
        _, verdicts = Referee.start(before).accept(view)
        ruled = next((each for each in verdicts if isinstance(each, Ruled)), None)
        if ruled is None:
            continue
        for turn, row in enumerate(ruled.position.rows):
            if not row:
                continue
            try:
                position = Position.from_parts(ruled.position.parts._replace(turn=turn))
            except LawnError:
                continue
            found.append(Start(big_rolls, position, match.colours[turn], ruled.tolerated))
    return found


def _orders(match: Match) -> Iterator[tuple[Match, tuple[Entry, ...]]]:
    """The match with its turn order settled: as it is, or with every order that there may be."""
    if match.position.order:
        yield match, ()
        return
    if not match.is_between_rounds:
        return  # the Big Rolls are under way: what they come to is seen soon
    seats = range(len(match.colours))
    # Who follows whom matters, not who was first: with two players there is one way, with three two.
    for order in permutations(seats):
        if order[0] == 0:
            faces = {seat: STAND_INS[at] for at, seat in enumerate(order)}
            entries = tuple(Entry(Rolled(faces[seat]), match.colours[seat]) for seat in seats)
            yield match.played(entries), entries


@dataclass
class _Rival:
    """A start with its referee. placed: dice that he saw placed; troubled_s: for how long he could explain nothing."""

    start: Start
    referee: Referee
    placed: int = 0
    troubled_s: float = 0.0

    @property
    def merit(self) -> tuple[float, int, int]:
        story = self.referee.provisional
        told = len(story.actions) if story is not None else 0
        return -self.troubled_s, self.placed, told


class Rivals:
    """Several starts, each with a referee who sees what follows. from_s: when the table lay so."""

    def __init__(self, match: Match, found: Sequence[Start], from_s: float) -> None:
        self.from_s = from_s
        self._seen_s = from_s
        # Of three players the second turn tells who follows whom; a first roll may be out of turn, and mended.
        self._turns = len(match.colours) - 1
        self._rivals = []
        for start in found:
            assert start.position is not None
            here = match.played(start.big_rolls).ruled(start.position, "The table as it lies.")
            referee = replace(Referee.start(here), tolerated=start.tolerated)
            self._rivals.append(_Rival(start, referee))

    def see(self, view: TableView) -> None:
        """Show the next view to every referee who may be right."""
        passed_s = min(max(0.0, view.time_s - self._seen_s), MOST_TROUBLE_S)
        self._seen_s = view.time_s
        least = min(rival.troubled_s for rival in self._rivals)
        for rival in self._rivals:
            if rival.troubled_s > least + HOPELESS_S:
                continue
            rival.referee, verdicts = rival.referee.see(view)
            for verdict in verdicts:
                if isinstance(verdict, Happened) and verdict.final:
                    placed = (isinstance(entry.action, Place) for entry in verdict.actions)
                    rival.placed += sum(placed)
            if rival.referee.waiting.trouble_s is not None:
                rival.troubled_s += passed_s

    @property
    def chosen(self) -> Start | None:
        """The start that explains what followed, once it is clear; None before."""
        best, *others = sorted(self._rivals, key=lambda rival: rival.merit, reverse=True)
        if best.placed < self._turns or best.referee.waiting.trouble_s is not None:
            return None
        clear = all(each.troubled_s >= best.troubled_s + MARGIN_S for each in others)
        return best.start if clear else None

    @property
    def likeliest(self) -> tuple[Start, float]:
        """The best start as far as it is known, and how sure that is."""
        ranked = sorted(self._rivals, key=lambda rival: rival.merit, reverse=True)
        equal = sum(each.merit[:2] == ranked[0].merit[:2] for each in ranked)
        return ranked[0].start, round(1 / equal, 3)
