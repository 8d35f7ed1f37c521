"""A referee for views without noise, by trying every legal turn: small, slow and plainly right.

It stands in for engine.referee where a test is about the journal and not about what is seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from engine.actions import Action, Rolled
from engine.dice import FACES
from engine.lawn import EMPTY, NEUTRAL
from engine.match import Match
from engine.match_log import Entry
from engine.parts import NOBODY
from engine.position import Position
from engine.referee import Pin
from engine.table import OWNERS, Area, LawnPlace, Place, SeenDie, TableView
from engine.verdict import Agrees, Desync, Happened, Mended, Ruled, Standing, Verdict

SIDES = ("left", "center", "right")
Looks = tuple[tuple[tuple[Place, int, int], int], ...]


def a_die(key: int, face: int, owner: int, place: Place, xy_mm: tuple[float, float]) -> SeenDie:
    """A die that is seen without any doubt."""
    return SeenDie(
        key,
        tuple(1.0 if each == face else 0.0 for each in FACES),
        tuple(1.0 if each == owner else 0.0 for each in OWNERS),
        ((place, 1.0),),
        xy_mm,
    )


def view_of(position: Position, time_s: float, keys: int = 0) -> TableView:
    """What an unerring camera sees of a position; it numbers the dice from `keys` on."""
    dice = []

    def put(face: int, owner: int, place: Place, xy: tuple[float, float]) -> None:
        dice.append(a_die(keys + len(dice), face, owner, place, xy))

    for row in FACES:
        for column, side in enumerate(SIDES):
            owner = position.lawn[row - 1][column]
            if owner != EMPTY:
                put(row, owner, LawnPlace(row, side), (20.0 * column, 20.0 * row))
    for seat, faces in enumerate(position.rows):
        if position.phase == "big-roll" and not position.opening.big_rolls[seat]:
            continue
        for at, face in enumerate(faces):
            put(face, seat, Area("row", seat), (200.0 + 20 * at, 200.0 * seat))
    for seat, faces in enumerate(position.captured):
        for at, face in enumerate(faces):
            put(face, NEUTRAL, Area("captured", seat), (-100.0 - 20 * at, 200.0 * seat))
    return TableView(time_s, tuple(dice))


def looks(view: TableView) -> Looks:
    """The dice as anybody can see them."""
    seen: Counter[tuple[Place, int, int]] = Counter()
    for die in view.dice:
        place = die.place
        if isinstance(place, Area) and die.owner != NEUTRAL:
            place = Area("row", die.owner)
        seen[place, die.face, die.owner] += 1
    return tuple(sorted(seen.items(), key=repr))


@dataclass(frozen=True, slots=True)
class ExactReferee:
    """As engine.referee.Referee, for views in which nothing is doubtful."""

    match: Match
    provisional: Happened | None = None
    standing: Standing | None = None
    turned: bool = False
    tolerated: tuple[tuple[LawnPlace, int], ...] = ()

    @classmethod
    def start(cls, match: Match) -> ExactReferee:
        return cls(match)

    def see(self, view: TableView) -> tuple[ExactReferee, tuple[Verdict, ...]]:
        told: list[Verdict] = []
        match, after = self.match, self._after(view)
        if after is not None:
            if after.length > match.length:
                actions = after.log[match.length :]
                told.append(Happened(actions, 1.0, True, after.position))
            elif self.standing:
                told.append(Mended("The table fits again."))
            else:
                told.append(Agrees())
            return replace(self, match=after, standing=None), tuple(told)
        desync = Desync("Nothing explains the table.", ())
        news: tuple[Verdict, ...] = () if self.standing else (desync,)
        return replace(self, standing=desync), news

    def _after(self, view: TableView) -> Match | None:
        odd = dict(self.tolerated)
        dice = tuple(
            a_die(die.key, die.place.row, die.owner, die.place, (0.0, 0.0))
            if isinstance(die.place, LawnPlace) and odd.get(die.place) == die.face
            else die
            for die in view.dice
        )
        wanted = looks(replace(view, dice=dice))
        if not self.match.is_over:
            for match in legal_turns(self.match, wanted):
                if match.position.phase == "bonus-choice":
                    continue  # the best one is assumed
                if looks(view_of(match.position, 0.0)) == wanted:
                    return match
                # between rounds the dice still lie as at the end
                end = match.rounds[-1].end if match.rounds and match.is_between_rounds else None
                if end is not None and looks(view_of(end, 0.0)) == wanted:
                    return match
        elif looks(view_of(self.match.position, 0.0)) == wanted:
            return self.match
        return None

    def accept(self, view: TableView) -> tuple[ExactReferee, tuple[Verdict, ...]]:
        position = self.match.position
        lawn = [[EMPTY] * 3 for _ in FACES]
        rows: list[list[int]] = [[] for _ in position.colours]
        captured: list[list[int]] = [[] for _ in position.colours]
        tolerated = []
        for die in view.dice:
            if isinstance(die.place, LawnPlace):
                lawn[die.place.row - 1][SIDES.index(die.place.side)] = die.owner
                if die.face != die.place.row:
                    tolerated.append((die.place, int(die.face)))
            elif die.owner == NEUTRAL:
                captured[die.place.seat or 0].append(die.face)
            else:
                rows[die.owner].append(die.face)
        try:
            ruled = Position.from_parts(
                position.parts._replace(
                    phase="boundary-choice",
                    edge="",
                    displaced=NOBODY,
                    lawn=tuple(map(tuple, lawn)),
                    rows=tuple(tuple(sorted(row)) for row in rows),
                    captured=tuple(tuple(sorted(each)) for each in captured),
                )
            )
        except ValueError as error:
            return self, (Desync(f"The table cannot be accepted as it lies: {error}.", ()),)
        match = self.match.ruled(ruled, "Accepted.")
        return ExactReferee(match), (Ruled(ruled, "Accepted.", tuple(tolerated)),)

    def corrected(self, *_: Pin) -> ExactReferee:
        return self

    def played(self, match: Match) -> ExactReferee:
        return ExactReferee(match)


def legal_turns(
    match: Match, wanted: Looks, before: frozenset[Position] = frozenset()
) -> Iterator[Match]:
    """The match itself and every way to the end of a turn or throw that could lead to what is seen.

    before: positions on the way there; a tie that is rolled again and again leads to them for ever (3:4.B).
    """
    yield match
    position = match.position
    if position in before:
        return
    before |= {position}
    if match.is_over or position.phase == "grind-roll":  # which has no end: not for this one
        return
    for action in _sensible(position, wanted):
        after = match.apply(action)
        if (
            after.position.is_chance
            or after.position.phase == "placement"
            or after.position.phase in ("bonus-choice", "big-roll", "tie-break")
        ):
            yield from legal_turns(after, wanted, before)
        else:
            yield after


def _sensible(position: Position, wanted: Looks) -> tuple[Action, ...]:
    """The legal actions, less the throws that leave dice in the row that are not seen there."""
    seat = position.turn
    row: Counter[int] = Counter()
    for (place, face, owner), count in wanted:
        if isinstance(place, Area) and owner == seat:
            row[face] += count
    if position.phase in ("big-roll", "tie-break"):
        return (Rolled(tuple(row.elements())),) if row.total() == 8 else ()
    if position.phase == "bonus-choice":
        return position.legal_actions()[:1]
    actions = position.legal_actions()
    if position.phase == "boundary-roll":
        kept = []
        for action in actions:
            faces = position.apply(action).rows[seat]
            if (Counter(faces) - row).total() <= 1:
                kept.append(action)
        return tuple(kept)
    return actions


def entries_of(match: Match, *actions: Action) -> tuple[Entry, ...]:
    """The actions with who acts, played from that match."""
    entries = []
    for action in actions:
        entries.append(Entry(action, match.position.turn_colour or ""))
        match = match.apply(action)
    return tuple(entries)
