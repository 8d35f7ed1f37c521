"""What a camera makes of a simulated table: views with the errors of the real detector.

The sizes of the errors come from `models/evaluation.json` (`Noise.fitted`), their rate is chosen.
Beliefs are calibrated by construction: first it is drawn how sure a reading is, then it is right
with just that chance. So a reading said with 0.99 is wrong one time in a hundred.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import exp, log
from typing import Any

from engine.dice import FACES
from engine.errors import TableError
from engine.lawn import NEUTRAL
from engine.mock_table import DIE_MM, MockDie, MockTable
from engine.table import OWNERS, Flag, Place, SeenDie, TableView

_SURE = (1e-4, 1e-2)  # doubt of readings said to be sure, at the evaluation's own error rate
_SECOND = 0.85  # of the doubt goes to one other face, the rest to all
_UNSURE = (0.4, 0.99)  # how sure the other readings are
_SPOT_SIGMA = 0.8  # mm, of a measured centre; once for each time that a die is put down
_ANEW_SIGMA = 0.3
"""mm, how far from its old spot an untouched die is found anew, each way: in reviews of 13 made
recordings the larger of both ways is 0.27 mm in the median and 0.76 mm in 95 % of 1,039 dice that lost
their key and lie within 4 mm with the same face. Dice that keep their key move by 0.05 mm (95 %): nothing."""
_TRIES = 30
_SAID_SIGMA = 1.5  # mm, what vision takes it to be
_PX_A_MM = 3.0


@dataclass(frozen=True, slots=True)
class Noise:
    """How often and how a camera errs.

    Attributes:
        face_error: chance that the likeliest face of a die in a view is wrong.
        unsure: share of readings that are not said to be sure.
        doubt: least and most doubt of sure readings; its logarithm is uniform.
        unsure_right: mean chance that an unsure reading is right.
        confused: confused[true - 1][read - 1] is how often a wrong reading of the face is that one.
        missed: chance that a die is not found.
        spurious: mean number of dice in a view that are none, a real die.
        colour_unsure: share of dice whose colour is doubtful; a quarter of them is read wrong.
        stays: chance that the reading of an untouched die is that of the view before, right or
            wrong: still frames of a still die repeat their mistakes.
        new_key: chance that an untouched die is taken for another one.
        hand: chance that a resting hand hides a part of the table.
        late: chance that the table is taken to be at rest a second later than it is.
    """

    face_error: float
    unsure: float
    doubt: tuple[float, float]
    unsure_right: float
    confused: tuple[tuple[float, ...], ...]
    missed: float
    spurious: float
    colour_unsure: float
    stays: float = 0.8
    new_key: float = 0.003
    hand: float = 0.05
    late: float = 0.05

    @classmethod
    def fitted(cls, evaluation: Mapping[str, Any], face_error: float) -> Noise:
        """Errors in the proportions that `lawn evaluate` found, at that rate of wrong faces.

        All rates grow with `face_error`: an evaluation with 2.5 % wrong faces and 1.8 % missed
        dice gives 0.36 % missed dice at 0.5 %.

        Raises:
            TableError: the evaluation is not one of `lawn evaluate`, or the rate is none.
        """
        if not 0 <= face_error <= 0.2:
            raise TableError("The rate of wrong faces is a number from 0 to 0.2.")
        try:
            found = evaluation["all"]
            counts = [[float(n) for n in row] for row in found["confusion"]]
            total, right = float(found["found"]), float(found["face_right"])
            sure = float(found["said_99_sure"])
            sure_right = sure * float(found["of_these_right_percent"]) / 100
            missing = 1 - total / float(found["dice"])
            spurious = float(found["false_boxes"]) / float(found["dice"])
            named = evaluation["colours"]["named by eye"]
            colour_error = 1 - float(named["right"]) / float(named["dice"])
            scale = face_error / (1 - right / total)
            unsure_right = (right - sure_right) / (total - sure)
        except (KeyError, TypeError, ValueError, ZeroDivisionError) as error:
            raise TableError("The evaluation must be one that 'lawn evaluate' wrote.") from error
        low, high = (doubt * scale for doubt in _SURE)
        mean = (high - low) / log(high / low) if face_error else 0.0
        # What the sure ones do not make wrong, the others must.
        unsure = (face_error - mean) / (1 - unsure_right - mean) if face_error else 0.0
        return cls(
            face_error=face_error,
            unsure=unsure,
            doubt=(low, high),
            unsure_right=unsure_right,
            confused=_confused(counts),
            missed=missing * scale,
            spurious=spurious * scale,
            colour_unsure=4 * colour_error * scale,
        )


def _confused(counts: list[list[float]]) -> tuple[tuple[float, ...], ...]:
    """Shares of the wrong readings of each face; what was never seen counts a fifth of one."""
    shares = []
    for true, row in enumerate(counts):
        wrong = [0.0 if read == true else n + 0.2 for read, n in enumerate(row)]
        shares.append(tuple(n / sum(wrong) for n in wrong))
    return tuple(shares)


@dataclass(frozen=True, slots=True)
class Reading:
    """What the camera has made of one die since it was last touched."""

    touches: int
    key: int
    error: tuple[float, float]
    face_p: tuple[float, ...]
    owner_p: tuple[float, ...]
    found: bool
    doubtful: bool


class MockCamera:
    """Looks at one simulated table from view to view: it remembers what it read and its keys."""

    def __init__(self, noise: Noise, seats: int, neutral: bool, rng: random.Random) -> None:
        self.noise = noise
        self.rng = rng
        self._shifts = random.Random(rng.random())  # of its own: how far off redraws no face
        self.owners = [*range(seats), *([NEUTRAL] if neutral else [])]
        self.readings: dict[int, Reading] = {}
        self._under = frozenset[int]()
        self._key = 0
        self._ghosts: list[SeenDie] = []

    def view(
        self,
        table: MockTable,
        time_s: float,
        since_s: float,
        frames: int,
        hidden: frozenset[Place] = frozenset(),
        under: frozenset[int] = frozenset(),
        covered: frozenset[int] = frozenset(),
    ) -> TableView:
        """The table at rest as the camera sees it.

        hidden: places that a hand covers.
        under: numbers of the dice that lie under it and are not seen; when it is gone they are found
            as those are that a moving hand has covered.
        covered: numbers of the dice that a moving hand has covered since the view before.
        """
        seen = []
        for die in table.dice:
            if die.spot is None:
                self.readings.pop(die.number, None)
            if die.spot is None or die.number in under:
                continue
            reading = self._read(die, die.number in covered or die.number in self._under)
            self.readings[die.number] = reading
            if reading.found:
                seen.append(self._seen(table, die, reading))
        self._under = under
        self._ghosts = [ghost for ghost in self._ghosts if self._stays(table, ghost)]
        self._ghosts += self._spurious(table)
        seen += self._ghosts
        self.rng.shuffle(seen)
        return TableView(
            time_s=round(time_s, 3),
            dice=tuple(seen),
            hidden=hidden,
            still_since_s=round(since_s, 3),
            frames=frames,
        )

    # --- one die --------------------------------------------------------------------------

    def _read(self, die: MockDie, covered: bool) -> Reading:
        rng, noise = self.rng, self.noise
        before = self.readings.get(die.number)
        fresh = before is None or before.touches != die.touches
        if before is None or fresh:
            sigma = _SPOT_SIGMA
            error = (rng.gauss(0, sigma), rng.gauss(0, sigma))
            return self._drawn(die, self._new_key(), error)
        # A die that was not found in the view before is newly found.
        renewed = covered or not before.found or rng.random() < noise.new_key
        key = self._new_key() if renewed else before.key
        error = before.error
        if renewed:
            shift = self._shifts.gauss
            error = (error[0] + shift(0, _ANEW_SIGMA), error[1] + shift(0, _ANEW_SIGMA))
        if rng.random() < noise.stays:
            return replace(before, key=key, error=error)
        return self._drawn(die, key, error)

    def _drawn(self, die: MockDie, key: int, error: tuple[float, float]) -> Reading:
        face_p, doubtful = self._face(die.face)
        found = self.rng.random() >= self.noise.missed
        return Reading(die.touches, key, error, face_p, self._owner(die.owner), found, doubtful)

    def _new_key(self) -> int:
        self._key += 1
        return self._key

    def _face(self, true: int) -> tuple[tuple[float, ...], bool]:
        rng, noise = self.rng, self.noise
        if noise.face_error == 0:
            return tuple(float(face == true) for face in FACES), False
        doubtful = rng.random() < noise.unsure
        if doubtful:
            sure = _between(_UNSURE, noise.unsure_right, rng)
        else:
            low, high = noise.doubt
            sure = 1 - exp(rng.uniform(log(low), log(high)))
        other = rng.choices(FACES, noise.confused[true - 1])[0]
        right = rng.random() < sure
        best, second = (true, other) if right else (other, true)
        rest = (1 - sure) * (1 - _SECOND) / 4
        face_p = [rest] * 6
        face_p[best - 1] = sure
        face_p[second - 1] = (1 - sure) * _SECOND
        return tuple(face_p), doubtful

    def _owner(self, true: int) -> tuple[float, ...]:
        rng, noise = self.rng, self.noise
        others = [owner for owner in self.owners if owner != true]
        sure = 0.999 if noise.face_error else 1.0
        best, second = true, rng.choice(others)
        if rng.random() < noise.colour_unsure:
            sure = rng.uniform(0.5, 0.99)
            if rng.random() >= sure:
                best, second = second, best
        elif noise.face_error:
            sure = 1 - exp(rng.uniform(log(1e-5), log(1e-3)))
        owner_p = dict.fromkeys(OWNERS, 0.0)
        owner_p[best] = sure
        owner_p[second] = (1 - sure) * 0.8
        return tuple(owner_p.values())

    def _seen(self, table: MockTable, die: MockDie, reading: Reading) -> SeenDie:
        assert die.spot is not None
        x, y = (at + off for at, off in zip(die.spot, reading.error, strict=True))
        flags: frozenset[Flag] = frozenset(("occluded",)) if reading.doubtful else frozenset()
        return SeenDie(
            key=reading.key,
            face_p=reading.face_p,
            owner_p=reading.owner_p,
            place_p=table.layout.belief((x, y), _SAID_SIGMA),
            xy_mm=(round(x, 2), round(y, 2)),
            box=_box(x, y),
            flags=flags,
        )

    def _stays(self, table: MockTable, ghost: SeenDie) -> bool:
        """Whether what was taken for a die is so again."""
        free = ghost.xy_mm is not None and table.free(ghost.xy_mm)
        return free and self.rng.random() < self.noise.stays

    def _spurious(self, table: MockTable) -> list[SeenDie]:
        """A thing that is newly taken for a die."""
        rng, noise = self.rng, self.noise
        lying = sum(die.spot is not None for die in table.dice)
        if rng.random() >= noise.spurious * lying * (1 - noise.stays):
            return []
        width, height = table.layout.size
        for _ in range(_TRIES):
            spot = (rng.uniform(-120.0, width + 110), rng.uniform(-70.0, height + 70))
            if table.free(spot):
                break
        else:
            return []  # so full a table has no room for anything else
        weights = [rng.random() ** 3 + 1e-3 for _ in FACES]
        face_p = tuple(weight / sum(weights) for weight in weights)
        colours = [rng.random() for _ in OWNERS]
        owner_p = tuple(
            (0.5 * colour / sum(colours) if owner in self.owners else 0.0)
            for owner, colour in zip(OWNERS, colours, strict=True)
        )
        belief = table.layout.belief(spot, _SAID_SIGMA)
        return [
            SeenDie(
                key=self._new_key(),
                face_p=face_p,
                owner_p=owner_p,
                place_p=belief,
                xy_mm=(round(spot[0], 2), round(spot[1], 2)),
                box=_box(*spot),
                found_p=rng.uniform(0.25, 0.8),
            )
        ]


def _between(ends: tuple[float, float], mean: float, rng: random.Random) -> float:
    """A number between the ends, of that mean (a beta distribution)."""
    low, high = ends
    at = min(max((mean - low) / (high - low), 0.05), 0.95)
    return low + (high - low) * rng.betavariate(3 * at, 3 * (1 - at))


def _box(x: float, y: float) -> tuple[float, float, float, float]:
    half = DIE_MM / 2
    left, top = (x + 200 - half) * _PX_A_MM, (y + 120 - half) * _PX_A_MM
    side = DIE_MM * _PX_A_MM
    return round(left, 1), round(top, 1), round(left + side, 1), round(top + side, 1)
