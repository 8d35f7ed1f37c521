"""What is on a planned table besides dice: other things, a hand, and the camera that looks at it."""

from __future__ import annotations

import colorsys
import math

import numpy as np

from datasets.render_layout import Floor
from datasets.render_presets import CAMERAS
from datasets.render_records import Array, Hand, Lens, Thing

SIZES: dict[str, tuple[float, float]] = {
    "d4": (16, 24),
    "d8": (13, 20),
    "d10": (14, 20),
    "d12": (15, 22),
    "d20": (16, 26),
    "digit-die": (12, 20),
    "symbol-die": (12, 22),
    "coin": (16, 28),
    "button": (10, 24),
    "domino": (36, 50),
    "checker": (22, 36),
    "screw": (12, 40),
    "card": (80, 90),
    "pen": (120, 150),
    "cup": (55, 85),
    "phone": (140, 165),
}
"""Size of each thing across (a domino's and a screw's length), mm."""


BIG = ("card", "pen", "cup", "phone")
LEAST_PX = 24.0
"""A die's edge in the middle of most pictures is no smaller than this, px."""


def lay_things(
    rng: np.random.Generator, floor: Floor, half: tuple[float, float], edge: float, only: bool
) -> list[Thing]:
    """Things among and beside the dice: on a third of the tables, or always if `only`."""
    if not only and rng.random() > 0.35:
        return []
    count = int(rng.integers(6, 30)) if only else int(rng.integers(1, 9))
    kinds = [str(k) for k in rng.choice(sorted(SIZES), int(rng.integers(2, 7)))]
    things: list[Thing] = []
    for _ in range(count):
        kind = str(rng.choice(kinds))
        if only and kind in BIG and any(thing.kind == kind for thing in things):
            kind = "coin"  # one of each large thing, and yet as many things as were drawn
        size = float(rng.uniform(*SIZES[kind]))
        spread = (half[0] * 0.8 + edge, half[1] * 0.7 + edge)
        if not only and rng.random() < 0.5:
            spread = (spread[0] * 1.5, spread[1] * 1.5)
        middle = (0.0, 0.0)
        if kind in BIG:  # beside the game, not on it
            if any(thing.kind == kind for thing in things):
                continue
            angle = rng.uniform(0, 2 * math.pi)
            far = max(half) + size * rng.uniform(0.7, 1.6)
            middle, spread = (far * math.cos(angle), far * math.sin(angle)), (10.0, 10.0)
        x, y, yaw = floor.lay(rng, middle, spread, size * 1.05)
        things.append(Thing(kind, x, y, yaw, size, int(rng.integers(1 << 31))))
    return things


def random_lens(
    rng: np.random.Generator,
    points: Array,
    edge: float,
    kind: str,
    closer: float,
    size: tuple[int, int],
) -> Lens:
    """A camera from straight above down to 25 degrees over the table, far enough to have `points` (N, 3) in it.

    closer: chance of a closer look that does not have them all in it; size: of the picture px.
    """
    width, height = size
    preset = str(rng.choice(CAMERAS, p=[0.45, 0.1, 0.3, 0.15]))
    focal = {
        "phone": rng.uniform(0.72, 0.95),
        "phone-wide": rng.uniform(0.45, 0.6),
        "webcam": rng.uniform(0.75, 1.05),
        "old-webcam": rng.uniform(0.8, 1.2),
    }[preset] * width
    k1 = {
        "phone": rng.normal(0, 0.015),
        "phone-wide": rng.uniform(-0.06, 0.0),
        "webcam": rng.uniform(-0.12, 0.03),
        "old-webcam": rng.uniform(-0.28, -0.05),
    }[preset]
    draw = rng.random()
    if kind == "heap":
        draw = 0.35 + 0.65 * draw
    if draw < 0.4:
        elevation = rng.uniform(70, 90)
    elif draw < 0.75:
        elevation = rng.uniform(45, 70)
    else:
        elevation = rng.uniform(25, 45)
    tilt = math.radians(90 - elevation)
    azimuth = -math.pi / 2 + rng.normal(0, 0.3) + math.pi / 2 * int(rng.integers(4))
    roll = rng.normal(0, 0.06)
    if rng.random() < 0.25:
        azimuth, roll = rng.uniform(-math.pi, math.pi), rng.uniform(-0.3, 0.3)
    ahead = -np.array(
        [math.sin(tilt) * math.cos(azimuth), math.sin(tilt) * math.sin(azimuth), math.cos(tilt)]
    )
    right = np.cross(ahead, [-math.cos(azimuth), -math.sin(azimuth), 0.0])
    right /= np.linalg.norm(right)
    down = np.cross(ahead, right)
    c, s = math.cos(roll), math.sin(roll)
    turn = np.array([c * right + s * down, -s * right + c * down, ahead])
    middle = (points.min(0) + points.max(0)) / 2
    if rng.random() < closer:
        # A closer look at some of the dice: others are cut off or out of the picture.
        middle = points[int(rng.integers(len(points)))]
        distance = edge * focal / rng.uniform(45, 110)
    else:
        margin = rng.uniform(0.02, 0.12)
        low, high = edge * 2, 4000.0
        for _ in range(40):
            distance = (low + high) / 2
            seen = (points - (middle - ahead * distance)) @ turn.T
            at = seen[:, :2] / np.maximum(seen[:, 2:], 1e-6) * focal / np.array([width, height])
            fits = (seen[:, 2] > edge).all() and (np.abs(at) < 0.5 - margin).all()
            low, high = (low, distance) if fits else (distance, high)
        # Few dice would fill the picture: a real camera stands off further.
        distance = max(distance, edge * focal / 130) * rng.choice([1.0, rng.uniform(0.9, 1.35)])
        if (
            rng.random() < 0.85
        ):  # dice too small to be read are no use; some pictures have them all the same
            distance = min(distance, max(edge * focal / LEAST_PX, low * 0.6))
    position = middle - ahead * distance
    return Lens(
        preset=preset,
        position=(float(position[0]), float(position[1]), float(position[2])),
        turn=tuple((float(r[0]), float(r[1]), float(r[2])) for r in turn),
        focal_px=float(focal),
        distortion=(float(k1), float(rng.normal(0, 0.01)), 0.0, 0.0),
        width=width,
        height=height,
        mirrored=bool(rng.random() < 0.15),
    )


def random_hand(rng: np.random.Generator, dice: list[tuple[float, float]]) -> Hand | None:
    """A hand that reaches in from outside, over or beside one of the dice."""
    if not dice:
        return None
    size = rng.uniform(0.85, 1.1)
    x, y = dice[int(rng.integers(len(dice)))]
    x, y = x + rng.normal(0, 25), y + rng.normal(0, 25)
    toward = rng.uniform(0, 2 * math.pi)  # the direction in which the fingers point
    lift = rng.uniform(18, 70)
    ahead = np.array([math.cos(toward), math.sin(toward), 0.0])
    side = np.array([-ahead[1], ahead[0], 0.0]) * (1 if rng.random() < 0.5 else -1)
    up = np.array([0, 0, 1.0])
    palm = np.array([x, y, 0.0]) - ahead * 85 * size + up * (lift + 14)
    bars = []

    def bar(a: Array, b: Array, ra: float, rb: float) -> None:
        bars.append(
            (
                (float(a[0]), float(a[1]), float(a[2])),
                (float(b[0]), float(b[1]), float(b[2])),
                float(ra),
                float(rb),
            )
        )

    spread, curl = rng.uniform(0.02, 0.2), rng.uniform(0.1, 0.9)
    for number in range(4):
        across = (number - 1.5) * 19 * size
        knuckle = palm + ahead * 42 * size + side * across
        bar(palm - ahead * 32 * size + side * across * 0.7, knuckle, 15 * size, 12 * size)
        out = ahead + side * (number - 1.5) * spread
        length = (44, 50, 46, 36)[number] * size
        bend = curl * rng.uniform(0.6, 1.2)
        for share, radius in ((0.45, 10.0), (0.32, 9.0), (0.23, 8.0)):
            step = out * math.cos(bend) - up * math.sin(bend)
            end = knuckle + step / np.linalg.norm(step) * length * share * 1.9
            end[2] = max(end[2], radius * size + 19.0)  # over the dice, not through them
            bar(knuckle, end, radius * size, (radius - 1) * size)
            knuckle, bend = end, bend + curl * 0.45
    thumb = palm - ahead * 15 * size - side * 30 * size
    joint = thumb + (ahead * 0.75 - side * 0.65) * 38 * size - up * 6
    bar(palm - ahead * 28 * size, thumb, 15 * size, 14 * size)
    bar(thumb, joint, 13 * size, 11 * size)
    bar(joint, joint + (ahead * 0.95 - side * 0.1) * 30 * size - up * 6, 11 * size, 9 * size)
    wrist = palm - ahead * 62 * size + up * 4
    bar(palm - ahead * 30 * size, wrist, 22 * size, 24 * size)
    elbow = wrist - ahead * 260 + up * rng.uniform(20, 120)
    bar(wrist, elbow, 25 * size, 40 * size)
    hue, tone = rng.uniform(0.03, 0.075), rng.uniform(0.25, 0.92)
    skin = colorsys.hsv_to_rgb(hue, rng.uniform(0.3, 0.42) + 0.25 * (1 - tone), tone)
    sleeve = colorsys.hsv_to_rgb(rng.uniform(0, 1), rng.uniform(0, 0.7), rng.uniform(0.05, 0.8))
    return Hand(tuple(bars), skin, sleeve if rng.random() < 0.6 else skin)
