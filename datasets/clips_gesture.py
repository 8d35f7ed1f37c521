"""One stroke of a player's hand: it comes, takes, throws, puts or slides dice, and leaves."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from datasets.clips_motion import Act, Body, Key, Move
from datasets.clips_table import XY, Die, MatPlan, Room

TOUCH, CARRY, THROW = 3.0, 34.0, 48.0
"""Heights of the fingertips, mm: at a die, under way, when they let go of thrown dice."""


def home_of(mat: MatPlan, room: Room, seat: int) -> XY:
    """Where that player's hand waits out of the picture."""
    (x, y), (ox, oy) = mat.rows[seat].centre, mat.outward[seat]
    rx, ry = mat.rightward(seat)
    x, y = x + 55 * rx, y + 55 * ry
    while room.border((x, y)) > -0.11 * room.size[0]:
        x, y = x + 15 * ox, y + 15 * oy
    return x, y


class Gesture:
    """Collects keys and moves from the hand's appearance on; `act` makes the record of it.

    dice: what lies on the table, which the gesture changes as it goes; pace: 1 is an unhurried person, less is quicker.
    """

    def __init__(
        self, dice: dict[int, Die], seat: int, home: XY, rng: np.random.Generator, pace: float
    ) -> None:
        self.dice, self.seat, self.home, self.rng, self.pace = dice, seat, home, rng, pace
        self.before = tuple(dice.values())
        self.t = 0.0
        self.keys = [Key(0.0, *home, 60.0, 0.3)]
        self.moves: list[Move] = []
        self._taken: list[tuple[float, Die]] = []

    def to(self, xy: XY, z: float, grip: float, speed: float = 800.0) -> None:
        """Bring the fingertips somewhere."""
        last = self.keys[-1]
        seconds = max(0.13, math.dist((last.x, last.y), xy) / speed) * self.pace
        self.t += seconds * math.exp(self.rng.normal(0, 0.12))
        self.keys.append(Key(self.t, *xy, z, grip))

    def wait(self, seconds: float, grip: float | None = None) -> None:
        """Stay there, perhaps while the hand closes or opens."""
        last = self.keys[-1]
        self.t += seconds * self.pace
        self.keys.append(replace(last, t=self.t, grip=last.grip if grip is None else grip))

    def take(self, number: int) -> None:
        """Take a die into the fist."""
        die = self.dice.pop(number)
        self.to(die.xy, TOUCH, 0.55)
        self.wait(0.07, 0.8)
        self._taken.append((self.t, die))

    def keep(self) -> None:
        """What was taken stays in the hand and leaves the picture with it."""
        for t0, die in self._taken:
            self.moves.append(Move(die.number, t0, math.inf, "held", die, None))
        self._taken = []

    def throw(self, dice: Sequence[Die]) -> None:
        """Throw dice (as they will lie) that are in the hand, taken before or brought along."""
        taken = {die.number: (t0, die) for t0, die in self._taken}
        middle = np.mean([die.xy for die in dice], axis=0)
        back = np.array(self.home) - middle
        back /= max(float(np.linalg.norm(back)), 1e-6)
        reach = 62 + 5 * len(dice)
        start = middle + back * reach
        self.to((float(start[0]), float(start[1])), THROW, 1.0)
        for _ in range(int(self.rng.integers(1, 4))):  # shaking them
            jolt = self.rng.normal(0, 7, 2)
            self.to((float(start[0] + jolt[0]), float(start[1] + jolt[1])), THROW + 6, 1.0)
        swing = middle + back * (reach - 30)
        release = self.t + 0.1
        self.to((float(swing[0]), float(swing[1])), THROW, 0.15, speed=600)
        for die in dice:
            at = release + float(self.rng.uniform(0, 0.05))
            way = math.dist((float(start[0]), float(start[1])), die.xy)
            end = at + float(self.rng.uniform(0.5, 0.75)) + way / 700
            spread = self.rng.normal(0, 9, 2)
            origin = (
                float(start[0] - 0.3 * back[0] * 45 + spread[0]),
                float(start[1] - 0.3 * back[1] * 45 + spread[1]),
                THROW - 12,
            )
            spin = float(self.rng.uniform(0.09, 0.13)) * way
            if die.number in taken:
                self.moves.append(
                    Move(die.number, taken[die.number][0], at, "held", taken[die.number][1], None)
                )
            self.moves.append(Move(die.number, at, end, "rolled", None, die, origin, spin))
            self.dice[die.number] = die
        self._taken = []

    def carry(self, number: int, end: Die) -> None:
        """Take a die at the fingertips and put it down as `end`."""
        die = self.dice[number]
        self.to(die.xy, TOUCH, 0.45)
        self.wait(0.06, 0.6)
        t0 = self.t
        self.to(end.xy, TOUCH, 0.6, speed=620)
        self.moves.append(Move(number, t0, self.t, "carried", die, end))
        self.dice[number] = end
        self.wait(0.06, 0.4)

    def bring(self, end: Die) -> None:
        """Put down a die that came with the hand."""
        start = replace(end, xy=self.home)
        t0 = self.t
        self.to(end.xy, TOUCH, 0.6, speed=620)
        self.moves.append(Move(end.number, t0, self.t, "carried", start, end))
        self.dice[end.number] = end
        self.wait(0.06, 0.4)

    def slide(self, ends: Mapping[int, Die], leading: int, seconds: float) -> None:
        """Slide dice along the table at once, the fingertips on the leading one."""
        self.to(self.dice[leading].xy, TOUCH, 0.5)
        t0 = self.t
        self.t += seconds * self.pace
        self.keys.append(Key(self.t, *ends[leading].xy, TOUCH, 0.5))
        for number, end in ends.items():
            self.moves.append(Move(number, t0, self.t, "slid", self.dice[number], end))
            self.dice[number] = end

    def act(self, t0_s: float, label: str, body: Body = "hand", back: bool = True) -> Act:
        """The record of it; unless `back` is false the hand leaves the picture first."""
        self.keep()
        if back:
            last = self.keys[-1]
            self.keys.append(replace(last, t=self.t + 0.08, z=last.z + 12, grip=0.3))
            self.t += 0.08
            self.to(self.home, 60.0, 0.3, speed=950)
        latest = max([self.t, *(m.t1 for m in self.moves if math.isfinite(m.t1))])
        moves = tuple(sorted(self.moves, key=lambda move: move.t0))
        keys = tuple(self.keys)
        return Act(t0_s, latest + 0.04, label, self.seat, body, keys, moves, self.before)
