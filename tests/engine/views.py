"""Tables laid by hand for the referee's tests: dice with keys that are moved as people move them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from engine.actions import SIDES, Action, BoundaryRoll, Place, Rolled
from engine.dice import FACES
from engine.lawn import EMPTY, NEUTRAL, placements
from engine.position import Position
from engine.table import ELSEWHERE, Area, LawnPlace, SeenDie, TableView
from engine.table import Place as At


@dataclass(frozen=True)
class Lying:
    """A die on the table."""

    key: int
    owner: int
    face: int
    place: At
    xy_mm: tuple[float, float] | None = None


@dataclass
class Scene:
    """A table on which dice are put, moved and looked at. `areas`: Player Rows are marked."""

    dice: list[Lying] = field(default_factory=list)
    areas: bool = True
    time_s: float = 0.0
    _key: int = 0

    # --- laying -----------------------------------------------------------------------------

    @classmethod
    def of(cls, position: Position, *, areas: bool = True) -> Scene:
        """A table at rest that shows the position."""
        scene = cls(areas=areas)
        for row, owners in zip(FACES, position.lawn, strict=True):
            for side, owner in zip(SIDES, owners, strict=True):
                if owner != EMPTY:
                    scene.put(owner, row, LawnPlace(row, side))
        for seat, faces in enumerate(position.rows):
            for face in faces:
                scene.put(seat, face, scene.row_of(seat))
        for seat, faces in enumerate(position.captured):
            for face in faces:
                scene.put(NEUTRAL, face, Area("captured", seat) if areas else ELSEWHERE)
        return scene

    def row_of(self, seat: int) -> At:
        """Where that seat's row lies."""
        return Area("row", seat) if self.areas else ELSEWHERE

    def put(
        self, owner: int, face: int, place: At, beside: tuple[float, float] | None = None
    ) -> Lying:
        """Put a die that comes out of a hand: where there is room in that place, or at a spot."""
        self._key += 1
        die = Lying(self._key, owner, face, place, beside or self._spot(owner, place))
        self.dice.append(die)
        return die

    def _spot(self, owner: int, place: At) -> tuple[float, float]:
        """mm of the mat: on the Lawn the middle of the place, else anywhere along the owner's row."""
        if isinstance(place, LawnPlace):
            return (SIDES.index(place.side) + 0.5) * 30.0, (place.row - 0.5) * 26.0
        along = 7.0 * (self._key * 5 % 37) - 80.0
        across = 3.0 * (self._key % 5)
        if owner == 2:
            return 220.0 + across, along
        return along, (190.0, -70.0)[owner] + across if owner < 2 else 330.0

    def take(self, owner: int, face: int | None = None, place: At | None = None) -> Lying:
        """Lift a die: off the Lawn unless a place of the Lawn is given."""
        for die in self.dice:
            off = not isinstance(die.place, LawnPlace) if place is None else die.place == place
            if die.owner == owner and off and face in (None, die.face):
                self.dice.remove(die)
                return die
        raise AssertionError(f"no die {owner} {face} {place}")

    def at(self, row: int, side: str) -> Lying:
        """The die at a place of the Lawn."""
        return next(d for d in self.dice if d.place == LawnPlace(row, side))  # type: ignore[arg-type]

    def move(self, die: Lying, place: At, face: int | None = None) -> Lying:
        """Move a die, perhaps turning it."""
        self.dice.remove(die)
        return self.put(die.owner, die.face if face is None else face, place)

    def slide(self, row: int, owners: Iterable[int]) -> None:
        """Lay a Lawn row anew."""
        self.dice = [d for d in self.dice if getattr(d.place, "row", None) != row]
        for side, owner in zip(SIDES, owners, strict=True):
            if owner != EMPTY:
                self.put(owner, row, LawnPlace(row, side))

    # --- playing ----------------------------------------------------------------------------

    def act(self, position: Position, action: Action) -> None:
        """Do at the table what a legal action does."""
        turn = position.turn
        if isinstance(action, Rolled):
            self._roll(position, action)
        elif isinstance(action, Place):
            lawn_row, displaced = placements(position.lawn[action.face - 1], turn)[action.side]
            self.take(turn, action.face)
            if displaced == EMPTY:
                self.put(turn, action.face, LawnPlace(action.face, action.side))
                return
            self.slide(action.face, lawn_row)
            if displaced == NEUTRAL:
                self.put(NEUTRAL, action.face, Area("captured", turn) if self.areas else ELSEWHERE)
            else:
                out = 102.0 if action.side == "left" else -12.0
                self.put(displaced, action.face, ELSEWHERE, (out, (action.face - 0.5) * 26.0))

    def _roll(self, position: Position, action: Rolled) -> None:
        turn, phase = position.turn, position.phase
        if phase == "re-entry":
            pushed = max(
                (d for d in self.dice if d.owner == position.displaced), key=lambda d: d.key
            )
            self.move(pushed, self.row_of(position.displaced), action.faces[0])
            return
        if phase in ("tie-break", "grind-roll"):
            for face in position.rows[turn]:
                self.take(turn, face)
        elif phase == "boundary-roll":
            row = position.rows[turn]
            edge = row[0] if position.edge == "low" else row[-1]
            for _ in range(row.count(edge)):
                self.take(turn, edge)
        for face in action.faces:
            self.put(turn, face, self.row_of(turn))

    # --- looking ----------------------------------------------------------------------------

    def view(
        self,
        still_s: float = 2.0,
        *,
        after_s: float = 1.0,
        hidden: Iterable[At] = (),
        doubt: float = 0.0,
    ) -> TableView:
        """What a camera sees: without doubt, or with each face `doubt` unsure."""
        self.time_s += after_s
        covered = frozenset(hidden)
        return TableView(
            time_s=self.time_s,
            dice=tuple(seen(die, doubt) for die in self.dice if die.place not in covered),
            hidden=covered,
            still_since_s=self.time_s - still_s,
            frames=5,
        )


def seen(die: Lying, doubt: float = 0.0) -> SeenDie:
    """A die as the camera sees it."""
    faces = [doubt / 5] * 6
    faces[die.face - 1] = 1 - doubt
    owners = [0.0] * 4
    owners[die.owner] = 1.0
    return SeenDie(die.key, tuple(faces), tuple(owners), ((die.place, 1.0),), die.xy_mm)


def read_as(view: TableView, key: int, *, face: int, belief: float = 0.99) -> TableView:
    """The view with one die misread."""
    return read_faces(view, key, {face: belief})


def read_faces(view: TableView, key: int, shares: Mapping[int, float]) -> TableView:
    """The view with one die taken for these faces, each with its chance; the others share the rest."""
    rest = (1 - sum(shares.values())) / (6 - len(shares))
    faces = tuple(shares.get(face, rest) for face in FACES)
    dice = tuple(replace(d, face_p=faces) if d.key == key else d for d in view.dice)
    return replace(view, dice=dice)


def is_choice(action: Action) -> bool:
    """Whether nothing moves on the table with it."""
    return isinstance(action, BoundaryRoll)
