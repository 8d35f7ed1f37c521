"""From what bots play to what hands do: every engine action becomes the steps that a table would show.

The story knows no pixels. It yields acts (something moves), stills (the table at rest, with every die) and events (in
the form of a review's transcript), all on one clock.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from datasets.clips_gesture import Gesture, home_of
from datasets.clips_motion import Act
from datasets.clips_table import XY, Die, MatPlan, Room, overlap
from engine.actions import SIDES
from engine.lawn import NEUTRAL

NEUTRAL_NUMBER = 24
"""Number of the first neutral die; a seat's dice are 8 * seat ... 8 * seat + 7."""


@dataclass(frozen=True)
class Habits:
    """How a player handles dice.

    tidy: arranges the Big Roll in the Player Row (3:3.A), or leaves it lying; resequences: how often a re-rolled die is
    put back into the row before the placement; pauses: how often a displaced die is left lying for a moment;
    pace: 1 unhurried.
    """

    tidy: bool = True
    resequences: float = 0.9
    pauses: float = 0.6
    pace: float = 0.85


@dataclass(frozen=True)
class Still:
    """The table at rest.

    label: after which step; dice: all that lie; applied: how many actions of the log the table shows; position: the
    engine's line for it; displaced: number of a pushed die that is not rolled or staged yet; legal: False while an
    infringement lies; during: the act whose hand or head stays in the picture, else None.
    """

    t0_s: float
    t1_s: float
    label: str
    dice: tuple[Die, ...]
    applied: int
    position: str
    displaced: int | None = None
    legal: bool = True
    during: Act | None = None


@dataclass
class Story:
    """Tells a match step by step; see `tell` for all of it.

    mat, room, edge_mm: the table; habits: one a seat; haste: below 1 shortens every rest; dice: what lies on the table
    now, by number; hands: each seat's dice off the Lawn; rowed: those that lie in a Player Row; lawn: (row, column) to
    number; applied and position: how much of the log the table shows.
    """

    mat: MatPlan
    room: Room
    edge_mm: float
    habits: Sequence[Habits]
    rng: np.random.Generator
    colours: tuple[str, ...]
    haste: float = 1.0
    now: float = 0.0
    dice: dict[int, Die] = field(default_factory=dict)
    hands: list[list[int]] = field(default_factory=list)
    rowed: set[int] = field(default_factory=set)
    captured: list[list[int]] = field(default_factory=list)
    lawn: dict[tuple[int, int], int] = field(default_factory=dict)
    acts: list[Act] = field(default_factory=list)
    stills: list[Still] = field(default_factory=list)
    events: list[dict[str, Any]] = field(default_factory=list)
    applied: int = 0
    position: str = ""
    displaced: int | None = None
    legal: bool = True

    def __post_init__(self) -> None:
        seats = range(len(self.habits))
        self.homes = [home_of(self.mat, self.room, seat) for seat in seats]
        self.targets = [self.room.target(seat) for seat in seats]

    # --- what is on the clock -------------------------------------------------------------

    def gesture(self, seat: int) -> Gesture:
        return Gesture(self.dice, seat, self.homes[seat], self.rng, self.habits[seat].pace)

    def do(self, gesture: Gesture, label: str, hold_s: float) -> None:
        """Put a gesture on the clock, and the still table after it."""
        act = gesture.act(self.now, label)
        self.acts.append(act)
        self.now += act.duration_s
        self.hold(label, hold_s)

    def hold(self, label: str, seconds: float) -> None:
        """The table lies still."""
        seconds *= self.haste * math.exp(self.rng.normal(0, 0.2))
        self.stills.append(
            Still(
                self.now,
                self.now + seconds,
                label,
                tuple(die for _, die in sorted(self.dice.items())),
                self.applied,
                self.position,
                self.displaced,
                self.legal,
            )
        )
        self.now += seconds

    def event(self, name: str, t0_s: float, **what: Any) -> dict[str, Any]:
        entry = {"type": name, "t0_s": t0_s, "t1_s": self.now, **what}
        self.events.append(entry)
        return entry

    # --- where dice go --------------------------------------------------------------------

    def free_pose(self, die: Die, spread: float, turn: float, tries: int = 200) -> Die:
        """The die laid down about there as people do, without touching another."""
        for _ in range(tries):
            nudge = np.clip(self.rng.normal(0, spread, 2), -2 * spread, 2 * spread)
            laid = replace(
                die,
                xy=(die.xy[0] + float(nudge[0]), die.xy[1] + float(nudge[1])),
                yaw=die.yaw + float(np.clip(self.rng.normal(0, turn), -2 * turn, 2 * turn)),
            )
            others = (d for n, d in self.dice.items() if n != die.number)
            if not any(overlap(laid, o, self.edge_mm, self.mat) > 0 for o in others):
                return laid
        return die

    def quarter(self) -> float:
        """A turn that lays a die square, any side to the front."""
        return float(self.rng.integers(4)) * math.pi / 2

    def on_lawn(self, number: int, row: int, column: int) -> Die:
        """The die on a place of the Lawn."""
        side = SIDES[column]
        die = Die(number, owner_of(number), row, self.mat.centre(row, side), self.quarter())
        return self.free_pose(die, 1.3, 0.16)

    def thrown(self, numbers: Sequence[int], faces: Sequence[int], target: XY) -> list[Die]:
        """Those dice as they will lie after a throw."""
        others = [die for number, die in self.dice.items() if number not in numbers]
        spots = self.room.landing(len(numbers), target, others, self.rng)
        return [
            Die(number, owner_of(number), face, xy, float(self.rng.uniform(0, 2 * math.pi)))
            for number, face, xy in zip(numbers, faces, spots, strict=True)
        ]

    def near_edge(self, number: int, face: int, row: int, right: bool) -> Die:
        """Where a die pushed off the Lawn stops: beside its row, clear of other dice."""
        lawn = self.mat.layout.lawn
        y = self.mat.centre(row, "left")[1]
        best: tuple[float, Die] | None = None
        for _ in range(300):
            out = float(self.rng.uniform(0.7, 2.6)) * self.edge_mm
            xy = (lawn.x1 + out if right else lawn.x0 - out, y + float(self.rng.normal(0, 14)))
            die = Die(number, owner_of(number), face, xy, self.quarter() + self.rng.normal(0, 0.4))
            if lawn.clearance(xy) > -0.75 * self.edge_mm or self.room.border(xy) < 20:
                continue
            if any(overlap(die, o, self.edge_mm * 1.1, self.mat) > 0 for o in self.dice.values()):
                continue
            inside = any(area.clearance(xy) > -4 for area in self.mat.areas)
            cost = out + abs(xy[1] - y) + (50 if inside else 0)
            if best is None or cost < best[0]:
                best = (cost, die)
        if best is not None:
            return best[1]
        return self.thrown([number], [face], (lawn.x1 + 40 if right else lawn.x0 - 40, y))[0]

    # --- Player Rows ----------------------------------------------------------------------

    def axis(self, seat: int) -> tuple[XY, XY, float, float]:
        rect = self.mat.rows[seat]
        rx, ry = self.mat.rightward(seat)
        length = rect.width if abs(rx) > 0.5 else rect.height
        pitch = min(length / 8, 1.25 * self.edge_mm)
        return rect.centre, (rx, ry), length, pitch

    def along(self, seat: int, die: Die) -> float:
        (cx, cy), (rx, ry), _, _ = self.axis(seat)
        return (die.xy[0] - cx) * rx + (die.xy[1] - cy) * ry

    def _in_row(self, seat: int, die: Die, along: float) -> Die:
        (cx, cy), (rx, ry), _, _ = self.axis(seat)
        along += float(np.clip(self.rng.normal(0, 0.25), -0.5, 0.5))
        cross = float(np.clip(self.rng.normal(0, 0.9), -1.8, 1.8))
        yaw = self.quarter() + float(np.clip(self.rng.normal(0, 0.035), -0.07, 0.07))
        return replace(
            die, xy=(cx + rx * along - ry * cross, cy + ry * along + rx * cross), yaw=yaw
        )

    def arranged(self, seat: int) -> tuple[dict[int, Die], dict[int, Die]]:
        """The row put in order (3:3.A, 4:1.C): rowed dice that must be slid aside, and new ones to bring in."""
        _, _, length, pitch = self.axis(seat)
        hand = [self.dice[number] for number in self.hands[seat] if number in self.dice]
        order = sorted(
            hand,
            key=lambda d: (
                d.face,
                d.number not in self.rowed,
                self.along(seat, d) if d.number in self.rowed else 0,
            ),
        )
        new = {die.number: die for die in order if die.number not in self.rowed}
        slots = self._gaps(seat, order, pitch, length)
        if slots is not None:
            return {}, {n: self._in_row(seat, die, slots[n]) for n, die in new.items()}
        first = -(len(order) - 1) / 2 * pitch
        lined = {d.number: first + i * pitch for i, d in enumerate(order)}
        slid = {
            d.number: replace(self._in_row(seat, d, lined[d.number]), yaw=d.yaw)
            for d in order
            if d.number in self.rowed
        }
        return slid, {n: self._in_row(seat, die, lined[n]) for n, die in new.items()}

    def _gaps(
        self, seat: int, order: list[Die], pitch: float, length: float
    ) -> dict[int, float] | None:
        """Places for the new dice between those that lie in the row, or None when there is no room."""
        if not any(die.number in self.rowed for die in order):
            return None
        pitch += 1.0
        slots: dict[int, float] = {}
        low = -length / 2 + self.edge_mm / 2 - pitch
        run: list[int] = []
        for die in [*order, None]:
            if die is not None and die.number not in self.rowed:
                run.append(die.number)
                continue
            high = self.along(seat, die) if die else length / 2 - self.edge_mm / 2 + pitch
            if run and high - low < pitch * (len(run) + 1):
                return None
            for index, number in enumerate(run):
                # At the row's left end a die is put beside its right neighbour.
                at_left = low < -length / 2
                slots[number] = (
                    high - (len(run) - index) * pitch if at_left else low + (index + 1) * pitch
                )
            low, run = high, []
        return slots

    def put_in_row(self, seat: int, gesture: Gesture) -> bool:
        """Bring the Player Row in order with this hand; False when nothing had to be done."""
        slid, brought = self.arranged(seat)
        if slid:
            moved = max(slid, key=lambda n: math.dist(slid[n].xy, self.dice[n].xy))
            gesture.slide(slid, moved, 0.55)
        for number, end in brought.items():
            gesture.carry(number, end)
            self.rowed.add(number)
        return bool(slid or brought)


def owner_of(number: int) -> int:
    """The seat or NEUTRAL to which a die of that number belongs."""
    return NEUTRAL if number >= NEUTRAL_NUMBER else number // 8
