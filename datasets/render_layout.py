"""Lays dice on planned tables as play leaves them: on the lawn, in Player Rows, staged aside; none into another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from datasets.render_looks import Look
from datasets.render_records import Array, LaidDie, Place
from vision.layout import MatLayout

SIDES = ("left", "center", "right")


def footprint(x: float, y: float, yaw: float, side: float) -> Array:
    """The corners (4, 2) of a square on the table."""
    c, s = math.cos(yaw) * side / 2, math.sin(yaw) * side / 2
    return np.array(
        [
            [x + c - s, y + s + c],
            [x - c - s, y - s + c],
            [x - c + s, y - s - c],
            [x + c + s, y + s - c],
        ]
    )


def overlap(a: Array, b: Array) -> bool:
    """Whether two convex polygons (N, 2) share a point (separating axes)."""
    for polygon in (a, b):
        edges = np.roll(polygon, -1, 0) - polygon
        for axis in np.column_stack([-edges[:, 1], edges[:, 0]]):
            p, q = a @ axis, b @ axis
            if p.max() < q.min() or q.max() < p.min():
                return False
    return True


class Floor:
    """What already lies on the table, so that nothing is laid into something else."""

    def __init__(self) -> None:
        self.taken: list[Array] = []

    def free(self, square: Array) -> bool:
        reach = np.linalg.norm(square[0] - square.mean(0))
        for other in self.taken:
            apart = np.linalg.norm(other.mean(0) - square.mean(0))
            if apart < reach + np.linalg.norm(other[0] - other.mean(0)) and overlap(other, square):
                return False
        return True

    def lay(
        self,
        rng: np.random.Generator,
        centre: tuple[float, float],
        spread: tuple[float, float],
        side: float,
        tidy: bool = False,
    ) -> tuple[float, float, float]:
        """Find room near `centre`: x, y, yaw. The spread grows until there is. tidy: nearly straight."""
        for tries in range(4000):
            grow = 1 + tries / 60
            x = centre[0] + rng.normal(0, spread[0]) * grow
            y = centre[1] + rng.normal(0, spread[1]) * grow
            yaw = rng.normal(0, 0.1) if tidy else rng.uniform(0, 2 * math.pi)
            square = footprint(x, y, yaw, side)
            if self.free(square):
                self.taken.append(square)
                return x, y, yaw
        raise AssertionError("a growing spread always ends in a free place")

    def put(self, x: float, y: float, yaw: float, side: float) -> bool:
        """Take exactly this place if it is free."""
        square = footprint(x, y, yaw, side)
        if not self.free(square):
            return False
        self.taken.append(square)
        return True


def lay_lawn(
    rng: np.random.Generator, looks: Sequence[Look], pitch: tuple[float, float], floor: Floor
) -> tuple[list[LaidDie], list[int], list[int]]:
    """A lawn as play may leave it; returns its dice, each player's dice left in hand, and who captured which faces."""
    players = 2 if len(looks) == 3 and looks[2].neutral else len(looks)
    hands = [8] * players
    captured: list[int] = []
    fill = rng.uniform(0.1, 1.0)
    wobble = rng.choice([0.5, 1.5, 3.0])
    straight = rng.random() < 0.5
    dice = []
    for row in range(1, 7):
        count = int(rng.binomial(3, fill))
        if (
            players == 2
        ):  # the neutral die is there from the start, or was pushed off a full row (rules 1:2.C, 5:3)
            count = max(count, 1)
        owners: list[int] = []
        for _ in range(count):
            able = [p for p in range(players) if hands[p] > owners.count(p)]
            if not able:
                break
            owners.append(int(rng.choice(able)))
        if players == 2:
            if len(owners) == 3 and rng.random() < 0.5:
                captured.append(row)
            elif owners:
                spot = int(rng.integers(3)) if len(owners) == 3 else 0
                owners[spot] = 2
            else:
                owners = [2]
        for owner in owners:
            if owner < players:
                hands[owner] -= 1
        order = {1: [1], 2: [1, int(rng.choice([0, 2]))], 3: [0, 1, 2]}.get(len(owners), [])
        for owner, place in zip(owners, order, strict=False):
            look = looks[owner]
            for _ in range(30):
                x = (place - 1) * pitch[0] + rng.normal(0, wobble)
                y = (3.5 - row) * pitch[1] + rng.normal(0, wobble)
                yaw = rng.normal(0, 0.15) if straight else rng.uniform(0, 2 * math.pi)
                yaw = yaw if rng.random() < 0.5 else yaw * 0.3
                if floor.put(x, y, yaw, look.style.edge_mm * 1.01):
                    break
            else:
                x, y, yaw = (place - 1) * pitch[0], (3.5 - row) * pitch[1], 0.0
                floor.put(x, y, yaw, look.style.edge_mm)
            owned = None if look.neutral else owner
            dice.append(LaidDie(owner, row, x, y, yaw, Place("lawn", row, SIDES[place], owned)))
    return dice, hands, captured


@dataclass(frozen=True)
class Seat:
    """A player's area: the middle of the Player Row (mm), the row's direction (radians, lowest die first), the
    distance of its dice (mm, None: as it comes) and where captured dice are staged (mm, None: at the row's end)."""

    x_mm: float
    y_mm: float
    along: float
    step_mm: float | None = None
    captured: tuple[float, float] | None = None


def seats(
    rng: np.random.Generator, players: int, half: tuple[float, float], edge: float
) -> list[Seat]:
    """Seats round a mat or an empty middle of that half size."""
    gap = edge * rng.uniform(1.2, 2.6)
    around = [
        Seat(0.0, -half[1] - gap, 0.0),
        Seat(half[0] + gap, 0.0, math.pi / 2),
        Seat(0.0, half[1] + gap, math.pi),
        Seat(-half[0] - gap, 0.0, -math.pi / 2),
    ]
    if players == 2:
        first = int(rng.integers(2))
        return [around[first], around[first + 2]]
    skipped = int(rng.integers(4))
    return [seat for index, seat in enumerate(around) if index != skipped][:players]


def seats_of(layout: MatLayout, players: int) -> list[Seat]:
    """The seats that the product's own mat has places for."""
    middle = layout.lawn.centre
    along = {"bottom": 0.0, "right": math.pi / 2, "top": math.pi}
    beds = {
        area.area.seat: area.rect.centre for area in layout.areas if area.area.kind == "captured"
    }
    found: list[Seat] = []
    for area in layout.areas:
        if area.area.kind == "row" and len(found) < players:
            (x, y), bed = area.rect.centre, beds.get(area.area.seat)
            staged = (bed[0] - middle[0], middle[1] - bed[1]) if bed else None
            step = layout.dice_mm + 2.0
            found.append(Seat(x - middle[0], middle[1] - y, along[area.up], step, staged))
    return found


def lay_rows(
    rng: np.random.Generator,
    looks: Sequence[Look],
    hands: Sequence[int],
    captured: Sequence[int],
    places: Sequence[Seat],
    floor: Floor,
) -> list[LaidDie]:
    """Player Rows in ascending order (rule 3:3.A), and captured neutral dice beside them (rule 5:3.B)."""
    dice = []
    edge = looks[0].style.edge_mm
    for player, (count, seat) in enumerate(zip(hands, places, strict=True)):
        look = looks[player]
        step = seat.step_mm or look.style.edge_mm * rng.choice([1.03, rng.uniform(1.05, 1.6)])
        neat = rng.choice([0.02, 0.12])
        c, s = math.cos(seat.along), math.sin(seat.along)
        for index, face in enumerate(sorted(int(f) for f in rng.integers(1, 7, count))):
            shift = (index - (count - 1) / 2) * step
            x, y = seat.x_mm + shift * c, seat.y_mm + shift * s
            yaw = seat.along + rng.normal(0, neat) + math.pi / 2 * int(rng.integers(4))
            if not floor.put(x, y, yaw, look.style.edge_mm * 1.005):
                yaw = seat.along
                if not floor.put(x, y, yaw, look.style.edge_mm * 1.005):
                    x, y, yaw = floor.lay(rng, (x, y), (edge, edge), look.style.edge_mm)
            dice.append(LaidDie(player, face, x, y, yaw, Place("row", player=player)))
        taken = [face for face in captured if rng.random() < 0.5 or player == len(hands) - 1]
        captured = [face for face in captured if face not in taken]
        for number, face in enumerate(taken):
            shift = 5.2 * edge * 1.1 + number * edge * 1.25
            near = (seat.x_mm + shift * c - s * edge, seat.y_mm + shift * s + c * edge)
            if seat.captured:
                near = (
                    seat.captured[0] + (number % 2 - 0.5) * edge * 1.2,
                    seat.captured[1] + (1 - number // 2) * edge * 1.2,
                )
            x, y, yaw = floor.lay(rng, near, (1.0, 1.0), looks[2].style.edge_mm * 1.02)
            dice.append(LaidDie(2, face, x, y, yaw, Place("captured", player=player)))
    return dice
