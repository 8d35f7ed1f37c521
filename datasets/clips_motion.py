"""What moves in a made clip, second by second: hands, carried, sliding and tumbling dice.

Times in an act are seconds from its begin. Positions are mm in the mat's frame, z up from the table.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from datasets.clips_table import Die

Kind: TypeAlias = Literal["held", "carried", "slid", "rolled"]
Body: TypeAlias = Literal["hand", "head", "none"]


@dataclass(frozen=True)
class Key:
    """Where the fingertips (or the head's middle) are at a time; grip: 0 open hand, 1 closed fist."""

    t: float
    x: float
    y: float
    z: float
    grip: float


@dataclass(frozen=True)
class Move:
    """A die that moves from t0 to t1.

    held: out of sight in a fist; carried: at the fingertips; slid: along the table; rolled: thrown, tumbling.
    start: how it lay before, None when it came out of a hand; end: how it lies afterwards, None when it stays in hand.
    origin: where a rolled die leaves the hand (x, y, z); spin: by how much a rolled die still turns, radians.
    """

    number: int
    t0: float
    t1: float
    kind: Kind
    start: Die | None
    end: Die | None
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0)
    spin: float = 0.0


@dataclass(frozen=True)
class Act:
    """Something that somebody does, without a break.

    t0_s: begin on the clip's clock; duration_s; seat: who; body: what comes into the picture; keys: its path;
    moves: of the dice; before: the dice lying on the table at its begin.
    """

    t0_s: float
    duration_s: float
    label: str
    seat: int
    body: Body
    keys: tuple[Key, ...]
    moves: tuple[Move, ...]
    before: tuple[Die, ...]

    @property
    def after(self) -> tuple[Die, ...]:
        """The dice lying on the table at its end."""
        return lying_at(self, self.duration_s + 1)


@dataclass(frozen=True)
class Flying:
    """A die under way: centre (x, y mat mm; z mm), turn (3, 3) from its axes to the scene's, speed mm/s."""

    die: Die
    centre: tuple[float, float, float]
    turn: NDArray[np.float64]
    speed: float


def smooth(u: float) -> float:
    """0..1 to 0..1 with a gentle start and end."""
    u = min(max(u, 0.0), 1.0)
    return u * u * (3 - 2 * u)


def body_at(act: Act, t: float) -> Key:
    """Where the hand or head is; between two keys it takes a low arc."""
    keys = act.keys
    if t <= keys[0].t:
        return keys[0]
    for a, b in pairwise(keys):
        if t < b.t:
            s = smooth((t - a.t) / (b.t - a.t))
            arc = min(25.0, 0.12 * math.dist((a.x, a.y), (b.x, b.y))) * math.sin(math.pi * s)
            return Key(
                t,
                a.x + (b.x - a.x) * s,
                a.y + (b.y - a.y) * s,
                a.z + (b.z - a.z) * s + arc,
                a.grip + (b.grip - a.grip) * s,
            )
    return keys[-1]


def lying_at(act: Act, t: float) -> tuple[Die, ...]:
    """The dice that lie on the table at a moment of an act and are not being moved."""
    lying: dict[int, Die | None] = {die.number: die for die in act.before}
    for move in act.moves:
        if t >= move.t1:
            lying[move.number] = move.end
        elif t >= move.t0:
            lying[move.number] = None
    return tuple(die for _, die in sorted(lying.items()) if die is not None)


def flying_at(act: Act, t: float, edge_mm: float) -> tuple[Flying, ...]:
    """The dice that are being moved in sight."""
    flying = []
    for move in act.moves:
        if move.t0 <= t < move.t1 and move.kind != "held":
            here, there = (_pose(act, move, at, edge_mm) for at in (t, min(t + 0.004, move.t1)))
            speed = float(math.dist(here[0], there[0]) / 0.004)
            die = move.end or move.start
            assert die is not None
            flying.append(Flying(die, here[0], here[1], speed))
    return tuple(flying)


def _pose(
    act: Act, move: Move, t: float, edge_mm: float
) -> tuple[tuple[float, float, float], NDArray[np.float64]]:
    half = edge_mm / 2
    u = (t - move.t0) / (move.t1 - move.t0)
    if move.kind == "rolled":
        assert move.end is not None
        return _tumbling(move, move.end, u, half)
    assert move.start is not None
    end = move.end or move.start
    s = smooth(u)
    yaw = move.start.yaw + (end.yaw - move.start.yaw) * s
    if move.kind == "carried":
        hand = body_at(act, t)
        return (hand.x, hand.y, half + max(0.0, hand.z)), about_z(yaw)
    x, y = (a + (b - a) * s for a, b in zip(move.start.xy, end.xy, strict=True))
    return (x, y, half), about_z(yaw)


def _tumbling(
    move: Move, end: Die, u: float, half: float
) -> tuple[tuple[float, float, float], NDArray[np.float64]]:
    """A thrown die: slowing down, turning about a level axis across its way, bouncing twice."""
    ox, oy, oz = move.origin
    dx, dy = end.xy[0] - ox, end.xy[1] - oy
    way = 1 - (1 - u) ** 1.8
    angle = move.spin * (1 - u) ** 1.6
    # The scene's y runs against the mat's; a die that moves along (dx, -dy) turns about the axis left of it.
    length = max(math.hypot(dx, dy), 1e-6)
    axis = np.array([dy / length, dx / length, 0.0])
    turn = about(axis, -angle) @ about_z(end.yaw)
    level = half * float(np.abs(turn[2]).sum())  # a cube on its lowest corner
    drop = 0.22
    if u < drop:
        bounce = oz * (1 - (u / drop) ** 2)
    else:
        v = (u - drop) / (1 - drop)
        hops = ((0.0, 0.35, 14.0), (0.35, 0.6, 5.0))
        bounce = sum(h * 4 * (v - a) * (b - v) / (b - a) ** 2 for a, b, h in hops if a <= v < b)
    return (ox + dx * way, oy + dy * way, level + bounce), turn


def about_z(yaw: float) -> NDArray[np.float64]:
    """The turn of a die that lies flat."""
    c, s = math.cos(yaw), math.sin(yaw)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def about(axis: NDArray[np.float64], angle: float) -> NDArray[np.float64]:
    """Rotation (3, 3) by `angle` about a unit axis (Rodrigues)."""
    x, y, z = axis
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0.0]])
    return np.asarray(np.eye(3) + math.sin(angle) * k + (1 - math.cos(angle)) * (k @ k))
