"""The half-steps of a legal round as people do them at a simulated table.

`round_of` lets bots play and yields every Moment: the table between two movements of a hand, for how
long it lies so, and how far the game has come. What a camera catches of it is
`engine.mock_camera`'s business; a quick player leaves moments too short to be seen.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from engine.actions import Action, BoundaryRoll, Elect, Place, Rolled
from engine.bots import Bot
from engine.dice import Faces
from engine.lawn import EMPTY, NEUTRAL, placements
from engine.mock_table import MockDie, MockTable, arranged, near_middle
from engine.position import Position
from engine.table import LawnPlace

_QUICK_TURN = 0.08  # share of turns that are played in one go
_LEFT_LYING = 0.25  # share of rolls that are not put in order before the next movement
_IN_ROW = 0.4  # share of re-entry rolls that fall where the owner's row is, not beside the Lawn
_LAID_FIRST = 0.25  # share of pushes in which the die is laid against the row before it slides


@dataclass(frozen=True, slots=True)
class Moment:
    """The table between two movements of a hand.

    Attributes:
        table: what lies there.
        step: what has just been done: "lifted", "rolled", "arranged", "placed" and so on.
        seat: who did it, -1 where nobody did anything.
        rest_s: for how long it lies so.
        position: the game with all that has been done so far.
        actions: what has been done since the moment before, in the order of the rules.
        must_see: nobody could tell later what is to be seen here, so it lies until it was seen.
        ends: whether a turn is complete with this.
    """

    table: MockTable
    step: str
    seat: int
    rest_s: float
    position: Position
    actions: tuple[Action, ...] = ()
    must_see: bool = False
    ends: bool = False


@dataclass(frozen=True, slots=True)
class Manners:
    """How the players at a table behave.

    Attributes:
        tempo: per seat, how many times longer than a brisk player each half-step takes.
        quick_turn: share of turns played in one go.
        left_lying: share of rolls that are not put in order at once.
        tidy: share of arrangements in which the whole row is moved.
    """

    tempo: tuple[float, ...]
    quick_turn: float = _QUICK_TURN
    left_lying: float = _LEFT_LYING
    tidy: float = 0.3

    @classmethod
    def any(cls, seats: int, rng: random.Random) -> Manners:
        """Somebody's: from hasty to slow."""
        return cls(tuple(rng.uniform(0.5, 1.6) for _ in range(seats)), tidy=rng.uniform(0, 0.6))


REST_S: dict[str, tuple[float, float]] = {
    "lifted": (0.1, 0.9),
    "rolled": (0.3, 1.8),
    "arranged": (0.3, 3.0),
    "picked": (0.1, 0.7),
    "laid": (0.1, 0.6),
    "placed": (0.3, 2.5),
    "pushed": (0.3, 1.6),
    "captured": (0.3, 2.0),
    "re-entry lifted": (0.1, 0.6),
    "re-entry rolled": (0.4, 1.8),
    "re-entered": (0.4, 2.5),
}
"""From how many to how many seconds a half-step lies, for a player of tempo 1."""


@dataclass
class HalfSteps:
    """Collects the moments of what is done at a table; the table is always the newest."""

    table: MockTable
    position: Position
    rng: random.Random
    manners: Manners
    moments: list[Moment] = field(default_factory=list)
    haste: float = 1.0

    def lie(self, step: str, seat: int, table: MockTable | None = None, *actions: Action) -> Moment:
        """Note a moment: the table as it now is, after these actions."""
        if table is not None:
            self.table = table
        for action in actions:
            self.position = self.position.apply(action)
        low, high = REST_S[step]
        rest = self.rng.uniform(low, high) * self.manners.tempo[seat] * self.haste
        moment = Moment(self.table, step, seat, rest, self.position, actions)
        self.moments.append(moment)
        return moment

    def last(self, **changes: bool) -> None:
        """Change the newest moment."""
        self.moments[-1] = replace(self.moments[-1], **changes)  # type: ignore[arg-type]

    # --- the half-steps -------------------------------------------------------------------

    def lift(self, seat: int, dice: Sequence[MockDie], *actions: Action) -> None:
        """Dice are taken into the hand."""
        self.lie("lifted", seat, self.table.lifted(dice), *actions)

    def roll(self, seat: int, dice: Sequence[MockDie], faces: Faces, *actions: Action) -> None:
        """Dice in the hand are rolled in front of the player, and mostly put in order then."""
        self.land(seat, dice, faces)
        self.lie("rolled", seat, None, *actions)
        if self.rng.random() >= self.manners.left_lying:
            self.arrange(seat)

    def land(self, seat: int, dice: Sequence[MockDie], faces: Faces) -> None:
        """Dice fall in front of the player."""
        thrown = list(faces)
        self.rng.shuffle(thrown)
        for die, face in zip(dice, thrown, strict=True):
            spot = self.table.scattered(self.table.layout.row_box(seat), self.rng)
            self.table = self.table.put(self.table.dice[die.number], spot, face)

    def arrange(self, seat: int) -> None:
        """The player puts the row in order (4:1.C)."""
        self.lie("arranged", seat, arranged(self.table, seat, self.rng, self.manners.tidy))

    def place(self, die: MockDie, row: int, side: str, *actions: Action) -> MockDie | None:
        """A die goes to a place of a Lawn row; a full row slides. Returns the die pushed off."""
        table, rng, seat = self.table, self.rng, die.owner
        if rng.random() < 0.5:
            self.lie("picked", seat, table.lifted([die]))
        lying = self.table.lawn_row(row)
        if None in lying:
            at = LawnPlace(row, side)  # type: ignore[arg-type]
            spot = near_middle(table.layout, at, rng)
            self.lie("placed", seat, self.table.put(die, spot), *actions)
            return None
        if rng.random() < _LAID_FIRST:
            spot = self.table.layout.beside(row, side)
            self.lie("laid", seat, self.table.put(self.table.dice[die.number], spot))
        off = "right" if side == "left" else "left"
        order = (die, *lying[:2]) if side == "left" else (*lying[1:], die)
        pushed = lying[2] if side == "left" else lying[0]
        assert pushed is not None
        self.slide(row, [each for each in order if each is not None])
        self.lie("pushed", seat, self.beside(pushed, row, off), *actions)
        return self.table.dice[pushed.number]

    def slide(self, row: int, dice: Sequence[MockDie]) -> None:
        """Three dice come to lie on a Lawn row, from the left flank to the right one."""
        moved = []
        for die, side in zip(dice, ("left", "center", "right"), strict=True):
            place = LawnPlace(row, side)  # type: ignore[arg-type]
            spot = near_middle(self.table.layout, place, self.rng)
            moved.append(replace(self.table.dice[die.number], spot=spot))
        self.table = self.table.with_dice(moved)

    def beside(self, die: MockDie, row: int, side: str) -> MockTable:
        """The table with a die lying beside a Lawn row."""
        here = self.table.dice[die.number]
        spots = (self.table.layout.beside(row, side, number) for number in range(3))
        spot = next(spot for spot in spots if self.table.free(spot, [die.number]))
        return self.table.put(here, spot)

    def capture(self, die: MockDie, seat: int) -> None:
        """The captured neutral die is staged aside with its face up (5:3.B)."""
        spots = [self.table.layout.captured_spot(seat, number) for number in range(6)]
        spot = next(each for each in spots if self.table.free(each, [die.number]))
        self.lie("captured", seat, self.table.put(die, spot))

    def re_enter(self, die: MockDie, seat: int, face: int, *actions: Action) -> None:
        """`seat` rolls the displaced die; then it goes into its owner's row (5:2)."""
        if self.rng.random() < 0.5:
            self.lie("re-entry lifted", seat, self.table.lifted([die]))
        layout, rng, owner = self.table.layout, self.rng, die.owner
        if rng.random() < _IN_ROW:
            box = layout.row_box(owner)
        else:
            width, height = layout.size
            box = (
                (-60.0, 0.0, -4.0, height)
                if rng.random() < 0.5
                else (width + 4, 0.0, width + 60, height)
            )
        self.table = self.table.lifted([self.table.dice[die.number]])
        spot = self.table.scattered(box, rng)
        rolled = self.table.put(self.table.dice[die.number], spot, face)
        self.lie("re-entry rolled", seat, rolled, *actions)
        self.lie("re-entered", owner, arranged(self.table, owner, rng, self.manners.tidy))

    # --- a turn ---------------------------------------------------------------------------

    def act(self, action: Action) -> None:
        """Do one action of the game (after the opening) at the table."""
        position, seat = self.position, self.position.turn
        if isinstance(action, BoundaryRoll):
            row = position.rows[seat]
            face = row[0] if action.edge == "low" else row[-1]
            self.lift(seat, [d for d in self.table.off_lawn(seat) if d.face == face], action)
        elif isinstance(action, Place):
            self._play(action)
        elif isinstance(action, Rolled) and position.phase == "re-entry":
            die = self._displaced()
            self.re_enter(die, seat, action.faces[0], action)
        elif isinstance(action, Rolled):
            if position.phase == "grind-roll":
                self.lift(seat, self.table.off_lawn(seat))
            self.roll(seat, self.table.in_hand(seat), action.faces, action)
            if self.position.phase != "placement":
                self.last(must_see=True)

    def _play(self, action: Place) -> None:
        seat, face = self.position.turn, action.face
        displaced = placements(self.position.lawn[face - 1], seat)[action.side][1]
        dice = [die for die in self.table.off_lawn(seat) if die.face == face]
        pushed = self.place(self.rng.choice(dice), face, action.side, action)
        if pushed is not None and displaced == NEUTRAL:
            self.capture(pushed, seat)
        elif pushed is not None and self.position.phase != "re-entry":
            # R1 with keep-face: it goes back as it is.
            self.lie("re-entered", seat, arranged(self.table, seat, self.rng))
        assert (pushed is None) == (displaced == EMPTY)

    def _displaced(self) -> MockDie:
        """The die that lies beside the Lawn: the one touched since it lay on it."""
        before = self.moments[-1].table
        beside = [die for die in before.off_lawn(self.position.displaced) if self._beside_lawn(die)]
        for moment in reversed(self.moments):
            # A die that was rolled there before lay beside the Lawn all the time.
            for die in beside:
                if isinstance(moment.table.place(die.number), LawnPlace):
                    return die
        assert len(beside) == 1, "one die at a time is pushed off"
        return beside[0]

    def _beside_lawn(self, die: MockDie) -> bool:
        assert die.spot is not None
        width, height = self.table.layout.size
        x, y = die.spot
        return 0 <= y <= height and (-56 < x < 0 or width < x < width + 56)


def turn_of(
    table: MockTable,
    position: Position,
    actions: Sequence[Action],
    manners: Manners,
    rng: random.Random,
) -> list[Moment]:
    """The moments of one turn: its actions, from the boundary roll to the last re-entry."""
    steps = HalfSteps(table, position, rng, manners)
    if rng.random() < manners.quick_turn:
        steps.haste = 0.15
    for action in actions:
        steps.act(action)
    steps.last(ends=True)
    return steps.moments


def play_turn(
    position: Position, bots: Sequence[Bot], rng: random.Random
) -> tuple[Position, tuple[Action, ...]]:
    """Let the bots play one turn (or, before the first one, the opening): its actions."""
    actions: list[Action] = []
    opening = not position.order
    while not position.is_over:
        if position.is_chance:
            action: Action = position.throw(rng)
        else:
            action = bots[position.turn](position, rng)
        after = position.apply(action)
        actions.append(action)
        placed = position.phase in ("placement", "re-entry") and after.phase != "re-entry"
        lost = position.phase == "boundary-roll" and after.phase in (
            "boundary-choice",
            "round-over",
        )
        position = after
        if (opening and position.order) or (not opening and (placed or lost)):
            break
    return position, tuple(actions)


def opening_of(
    table: MockTable,
    position: Position,
    actions: Sequence[Action],
    manners: Manners,
    rng: random.Random,
) -> list[Moment]:
    """The moments of the opening: Big Rolls in any order, elections, tie-breaks in any order.

    The rules take the rolls in seat order, so a moment shows a position that lags behind where a
    later seat has rolled first.
    """
    steps = HalfSteps(table, position, rng, manners)
    pending = list(actions)
    while pending:
        if isinstance(pending[0], Elect):
            elections = _first(pending, Elect)
            steps.lie("arranged", position.turn, None, *elections)
            continue
        phase = steps.position.phase
        rolls: list[tuple[int, Rolled]] = []
        here = steps.position
        while pending and isinstance(pending[0], Rolled) and here.phase == phase:
            if rolls and here.turn <= rolls[-1][0]:
                break  # tied again: the next tie-break
            rolls.append((here.turn, pending[0]))
            here = here.apply(pending.pop(0))
        _all_roll(steps, rolls)
    steps.last(ends=True, must_see=True)
    return steps.moments


def _first(pending: list[Action], kind: type[Action]) -> list[Action]:
    taken = []
    while pending and isinstance(pending[0], kind):
        taken.append(pending.pop(0))
    return taken


def _all_roll(steps: HalfSteps, rolls: list[tuple[int, Rolled]]) -> None:
    """Each of these seats rolls eight dice (3:1.A, 3:4.B), in any order."""
    waiting = list(rolls)
    done: dict[int, Rolled] = {}
    order = [seat for seat, _ in rolls]
    steps.rng.shuffle(order)
    for seat in order:
        if steps.table.off_lawn(seat):
            steps.lift(seat, steps.table.off_lawn(seat))
        done[seat] = dict(rolls)[seat]
        ready: list[Action] = []
        while waiting and waiting[0][0] in done:
            ready.append(waiting.pop(0)[1])
        steps.roll(seat, steps.table.in_hand(seat), done[seat].faces, *ready)
    steps.last(must_see=True)


def round_of(
    table: MockTable,
    position: Position,
    bots: Sequence[Bot],
    manners: Manners,
    rng: random.Random,
) -> Iterator[Moment]:
    """All moments of a round that the bots play from `position` to its end."""
    while not position.is_over:
        after, actions = play_turn(position, bots, rng)
        whole = turn_of if position.order else opening_of
        moments = whole(table, position, actions, manners, rng)
        yield from moments
        table, position = moments[-1].table, after


def set_up(table: MockTable, position: Position, rng: random.Random) -> list[Moment]:
    """Between two rounds: dice are picked up, the neutral ones go back to the centers (1:2.C)."""
    moments = []
    seats = len(position.rows)
    for seat in rng.sample(range(seats), seats):
        table = table.lifted([die for die in table.dice if die.owner == seat])
        moments.append(Moment(table, "picked up", seat, rng.uniform(0.2, 2.0), position))
    for die in table.dice:
        if die.owner == NEUTRAL:
            spot = near_middle(table.layout, LawnPlace(die.face, "center"), rng)
            table = table.put(die, spot)
    moments.append(Moment(table, "set up", -1, rng.uniform(1.0, 3.0), position, must_see=True))
    return moments
