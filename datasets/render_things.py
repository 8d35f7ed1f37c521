"""Things on the table that must not be read as six-sided dice with pips: their shapes and painted skins.

Numbered and symbol dice, polyhedra, coins, buttons, dominoes, checkers and screws. Every shape is convex, rests on the
table and is given in mm about its own foot.
"""

from __future__ import annotations

import colorsys
import itertools
import math
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.render_records import Thing
from datasets.render_truth import Body

Array = NDArray[np.float64]
CELL = 96
Colour = tuple[float, float, float]


@dataclass(frozen=True)
class Shape:
    """points (N, 3) mm on the table; faces: indices counter-clockwise from outside; uv: one (k, 2) a face; skin
    (H, W, 3) sRGB 0..1, row 0 below; roughness, metal 0..1."""

    points: Array
    faces: list[list[int]]
    uv: list[Array]
    skin: NDArray[np.float32]
    roughness: float
    metal: float
    smooth: bool

    def body(self) -> Body:
        """What it hides."""
        low, high = self.points.min(0), self.points.max(0)
        return Body(self.points, (low + high) / 2, np.eye(3), (high - low) / 2)


def hull_faces(points: Array) -> list[list[int]]:
    """Faces of the convex hull of a few points, each an outward counter-clockwise polygon."""
    middle = points.mean(0)
    size = np.abs(points - middle).max()
    found: dict[tuple[int, ...], list[int]] = {}
    for i, j, k in itertools.combinations(range(len(points)), 3):
        normal = np.cross(points[j] - points[i], points[k] - points[i])
        length = np.linalg.norm(normal)
        if length < 1e-9 * size * size:
            continue
        normal /= length
        side = (points - points[i]) @ normal
        if side.max() > 1e-6 * size and side.min() < -1e-6 * size:
            continue
        if (middle - points[i]) @ normal > 0:
            normal = -normal
        flat = tuple(np.flatnonzero(np.abs(side) <= 1e-6 * size).tolist())
        if flat in found:
            continue
        centre = points[list(flat)].mean(0)
        u = points[flat[0]] - centre
        u /= np.linalg.norm(u)
        v = np.cross(normal, u)
        angles = [math.atan2((points[f] - centre) @ v, (points[f] - centre) @ u) for f in flat]
        found[flat] = [f for _, f in sorted(zip(angles, flat, strict=True))]
    return list(found.values())


def _solid(kind: str) -> Array:
    """Corners of a polyhedron of about unit radius."""
    g = (1 + math.sqrt(5)) / 2
    if kind == "d4":
        return np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1.0]]) / math.sqrt(3)
    if kind == "d8":
        return np.array([*np.eye(3), *-np.eye(3)])
    if kind == "d10":
        ring = [
            [math.cos(i * math.pi / 5), math.sin(i * math.pi / 5), 0.105 * (-1) ** i]
            for i in range(10)
        ]
        c = math.cos(math.pi / 5)
        tip = 0.105 * (1 + c) / (1 - c)  # what makes the kites flat
        return np.array([*ring, [0, 0, tip], [0, 0, -tip]])
    if kind == "d12":
        cube = [[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)]
        rest = [
            p
            for a in (-1, 1)
            for b in (-1, 1)
            for p in ([0, a / g, b * g], [a / g, b * g, 0], [a * g, 0, b / g])
        ]
        return np.array(cube + rest, float) / math.sqrt(3)
    rest = [
        p for a in (-1, 1) for b in (-1, 1) for p in ([0, a, b * g], [a, b * g, 0], [a * g, 0, b])
    ]
    return np.array(rest, float) / math.sqrt(1 + g * g)


def _lay_down(points: Array, faces: list[list[int]], which: int) -> Array:
    """Turn a solid so that a face lies on z = 0."""
    corner = points[faces[which]]
    normal = np.cross(corner[1] - corner[0], corner[2] - corner[1])
    normal /= np.linalg.norm(normal)
    axis = np.cross(normal, [0, 0, -1.0])
    length = np.linalg.norm(axis)
    if length > 1e-9:
        turn = cv2.Rodrigues(axis / length * math.atan2(length, -normal[2]))[0]
    else:
        turn = np.eye(3) if normal[2] < 0 else np.diag([1.0, -1, -1])
    laid = points @ turn.T
    return np.asarray(laid - [0, 0, laid[:, 2].min()])


def _write(cell: NDArray[Any], words: str, ink: Colour, share: float) -> None:
    """Write in the middle of a cell whose row 0 is below."""
    mask = np.zeros(cell.shape[:2], np.uint8)
    scale = cell.shape[0] * share / 22 * (1.0 if len(words) == 1 else 0.75)
    thick = max(1, round(scale * 2.2))
    (w, h), _ = cv2.getTextSize(words, cv2.FONT_HERSHEY_DUPLEX, scale, thick)
    at = ((cell.shape[1] - w) // 2, (cell.shape[0] + h) // 2)
    cv2.putText(mask, words, at, cv2.FONT_HERSHEY_DUPLEX, scale, 255, thick, cv2.LINE_AA)
    amount = mask[::-1, :, None] / 255.0
    cell[:] = cell * (1 - amount) + np.array(ink) * amount


def _symbol(cell: NDArray[Any], which: int, ink: Colour) -> None:
    """A sign that is no pip pattern: cross, square, triangle, ring, star, bars."""
    n = cell.shape[0]
    picture = np.ascontiguousarray(cell, np.float32)
    mid, r = n // 2, int(n * 0.28)
    if which % 6 == 0:
        cv2.line(picture, (mid - r, mid - r), (mid + r, mid + r), ink, n // 10, cv2.LINE_AA)
        cv2.line(picture, (mid - r, mid + r), (mid + r, mid - r), ink, n // 10, cv2.LINE_AA)
    elif which % 6 == 1:
        cv2.rectangle(picture, (mid - r, mid - r), (mid + r, mid + r), ink, n // 12)
    elif which % 6 == 2:
        corners = np.array([[mid, mid + r], [mid - r, mid - r], [mid + r, mid - r]])
        cv2.fillPoly(picture, [corners], ink, cv2.LINE_AA)
    elif which % 6 == 3:
        cv2.circle(picture, (mid, mid), r, ink, n // 10, cv2.LINE_AA)
    elif which % 6 == 4:
        turn = np.arange(10) * math.pi / 5
        radius = np.where(np.arange(10) % 2, r * 0.45, r * 1.1)
        star = np.stack([mid + radius * np.sin(turn), mid + radius * np.cos(turn)], axis=-1)
        cv2.fillPoly(picture, [np.rint(star).astype(np.int32)], ink, cv2.LINE_AA)
    else:
        for shift in (-r // 2, r // 2):
            cv2.line(
                picture, (mid - r, mid + shift), (mid + r, mid + shift), ink, n // 9, cv2.LINE_AA
            )
    cell[:] = picture


def _numbered(thing: Thing, rng: np.random.Generator, body: Colour, ink: Colour) -> Shape:
    """A polyhedron, or a cube with digits or signs."""
    cube = thing.kind in ("digit-die", "symbol-die")
    if cube:
        corner = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1.0)])
        inset = rng.uniform(0.8, 0.93)  # bevelled: each corner becomes three
        points = np.concatenate(
            [corner * row for row in (np.ones((3, 3)) * inset + np.eye(3) * (1 - inset))]
        )
    else:
        points = _solid(thing.kind)
    faces = hull_faces(points)
    faces.sort(key=len, reverse=True)
    count = 6 if cube else len(faces)
    big = faces[:6] if cube else faces
    if cube:
        areas = [_area(points[f]) for f in faces]
        big = [faces[i] for i in np.argsort(areas)[::-1][:6]]
        faces = big + [f for f in faces if f not in big]
    points = _lay_down(points, faces, int(rng.integers(count)))
    points = points * thing.size_mm / (np.ptp(points[:, 2]) if cube else 2 * 0.8)
    side = math.ceil(math.sqrt(count))
    skin = np.empty((side * CELL, side * CELL, 3))
    skin[:] = body
    numbers = rng.permutation(count) + 1
    first = int(rng.integers(6))
    uv = []
    for index, face in enumerate(faces):
        corner = points[face]
        centre = corner.mean(0)
        normal = np.cross(corner[1] - corner[0], corner[2] - corner[1])
        normal /= np.linalg.norm(normal)
        u = corner[0] - centre
        u /= np.linalg.norm(u)
        if cube:  # level writing
            one, two = corner[1] - corner[0], corner[2] - corner[1]
            u = one if np.linalg.norm(one) > np.linalg.norm(two) else two
            u /= np.linalg.norm(u)
        v = np.cross(normal, u)
        reach = np.linalg.norm(corner - centre, axis=1).max()
        flat = np.stack([(corner - centre) @ u, (corner - centre) @ v], axis=-1) / reach
        cell = index if index < count else 0
        place = np.array([cell % side, cell // side])
        shown = flat if index < count else flat * 0.02 + 0.93  # bevels show an empty corner
        uv.append((place + (shown * 0.98 + 1) / 2) / side)
        if index < count:
            part = skin[
                place[1] * CELL : (place[1] + 1) * CELL, place[0] * CELL : (place[0] + 1) * CELL
            ]
            if thing.kind == "symbol-die":
                _symbol(part, first + index * int(1 + thing.seed % 2), ink)
            else:
                _write(part, str(numbers[index]), ink, 0.5 if cube else 0.33)
    return Shape(points, faces, uv, skin.astype(np.float32), rng.uniform(0.1, 0.5), 0.0, False)


def _area(corner: Array) -> float:
    rolled = np.roll(corner, -1, 0)
    return float(np.linalg.norm(np.cross(corner, rolled).sum(0)) / 2)


def _disc(
    radius: float,
    height: float,
    skin: NDArray[np.float32],
    rough: float,
    metal: float,
    sides: int = 40,
) -> Shape:
    """A flat cylinder with a picture on its upper side; its rim shows the picture's edge."""
    turn = np.linspace(0, 2 * math.pi, sides, endpoint=False)
    ring = np.stack([np.cos(turn), np.sin(turn)], axis=-1)
    bevel = min(height * 0.25, radius * 0.08)
    levels = [
        (radius - bevel, 0.0),
        (radius, bevel),
        (radius, height - bevel),
        (radius - bevel, height),
    ]
    points = np.concatenate([np.column_stack([ring * r, np.full(sides, z)]) for r, z in levels])
    faces = [list(range(3 * sides, 4 * sides)), list(range(sides))[::-1]]
    uv = [0.5 + ring * 0.485, 0.5 + ring[::-1] * 0.49]
    for level in range(3):
        for i in range(sides):
            j = (i + 1) % sides
            faces.append(
                [
                    level * sides + i,
                    level * sides + j,
                    (level + 1) * sides + j,
                    (level + 1) * sides + i,
                ]
            )
            uv.append(0.5 + ring[[i, j, j, i]] * 0.495)
    return Shape(points, faces, uv, skin.astype(np.float32), rough, metal, False)


def _round_skin(rng: np.random.Generator, kind: str, body: Colour) -> NDArray[np.float32]:
    """The upper side of a coin, button or checker."""
    n = 192
    skin = np.empty((n, n, 3), np.float32)
    skin[:] = body
    dark: Colour = (body[0] * 0.55, body[1] * 0.55, body[2] * 0.55)
    light = tuple(min(1.0, v * 1.25) for v in body)
    mid = n // 2
    if kind == "coin":
        cv2.circle(skin, (mid, mid), int(n * 0.45), dark, 3, cv2.LINE_AA)
        if rng.random() < 0.3:  # two metals
            cv2.circle(skin, (mid, mid), int(n * 0.33), (0.75, 0.75, 0.76), -1, cv2.LINE_AA)
        _write(skin, str(rng.choice(["1", "2", "5", "10", "20", "50"])), dark, 0.4)
        for angle in np.linspace(0, 6.28, 12, endpoint=False):
            at = (int(mid + n * 0.39 * math.cos(angle)), int(mid + n * 0.39 * math.sin(angle)))
            cv2.circle(skin, at, 4, light, -1, cv2.LINE_AA)
    elif kind == "button":
        cv2.circle(skin, (mid, mid), int(n * 0.36), dark, 5, cv2.LINE_AA)
        holes = 2 if rng.random() < 0.4 else 4
        for i in range(holes):
            angle = i * 2 * math.pi / holes + math.pi / 4
            at = (int(mid + n * 0.13 * math.cos(angle)), int(mid + n * 0.13 * math.sin(angle)))
            cv2.circle(skin, at, int(n * 0.05), (0.03, 0.03, 0.03), -1, cv2.LINE_AA)
    else:
        for share in (0.44, 0.36, 0.28, 0.2, 0.12):
            cv2.circle(
                skin,
                (mid, mid),
                int(n * share),
                dark if rng.random() < 0.5 else light,
                4,
                cv2.LINE_AA,
            )
    return skin


def _domino(thing: Thing, rng: np.random.Generator, body: Colour, ink: Colour) -> Shape:
    long, wide, high = thing.size_mm, thing.size_mm / 2, thing.size_mm * 0.17
    skin = np.empty((160, 320, 3), np.float32)
    skin[:] = body
    cv2.line(skin, (160, 14), (160, 146), ink, 4)
    spots = {0: [], 1: [(0, 0)], 2: [(-1, -1), (1, 1)], 4: [(-1, -1), (1, 1), (-1, 1), (1, -1)]}
    spots[3], spots[5], spots[6] = (
        spots[2] + spots[1],
        spots[4] + spots[1],
        [*spots[4], (0, -1), (0, 1)],
    )
    for half in (80, 240):
        for i, j in spots[int(rng.integers(7))]:
            cv2.circle(skin, (half + i * 40, 80 + j * 40), 13, ink, -1, cv2.LINE_AA)
    return _slab(long, wide, high, skin, 0.25)


def _slab(long: float, wide: float, high: float, skin: NDArray[np.float32], rough: float) -> Shape:
    """A flat box with a picture on its upper side; its other sides have the colour of the picture's corner."""
    a, b, e = long / 2, wide / 2, min(0.8, high / 4)
    a, b, e = long / 2, wide / 2, 0.8
    points = []
    for inset, z in ((e, 0.0), (0.0, e), (0.0, high - e), (e, high)):
        x, y = a - inset, b - inset
        points += [[-x, -y, z], [x, -y, z], [x, y, z], [-x, y, z]]
    faces, uv = [[12, 13, 14, 15], [3, 2, 1, 0]], [np.array([[0, 0], [1, 0], [1, 1], [0, 1.0]])]
    plain = np.array([[0.01, 0.01], [0.03, 0.01], [0.03, 0.03], [0.01, 0.03]])
    uv.append(plain)
    for level in range(3):
        for i in range(4):
            j = (i + 1) % 4
            faces.append([level * 4 + i, level * 4 + j, level * 4 + 4 + j, level * 4 + 4 + i])
            uv.append(plain)
    return Shape(np.array(points), faces, uv, skin, rough, 0.0, False)


def _card(thing: Thing, rng: np.random.Generator) -> Shape:
    """A playing card: spots of one suit, never laid out as pips in a square."""
    skin = np.full((180, 252, 3), 0.95, np.float32)
    ink: Colour = (0.75, 0.05, 0.08) if rng.random() < 0.5 else (0.05, 0.05, 0.06)
    if rng.random() < 0.25:  # its back
        skin[8:-8, 8:-8] = colorsys.hsv_to_rgb(rng.random(), 0.7, 0.6)
        skin[8:-8:6, 8:-8] *= 0.7
        skin[8:-8, 8:-8:6] *= 0.7
    else:
        for x in np.linspace(50, 200, int(rng.integers(1, 5))):
            for y in (55, 125) if rng.random() < 0.7 else (90,):
                corners = np.array([[x - 12, y], [x, y + 15], [x + 12, y], [x, y - 15]])
                cv2.fillPoly(skin, [np.rint(corners).astype(np.int32)], ink, cv2.LINE_AA)
    return _slab(thing.size_mm, thing.size_mm * 0.71, 0.5, skin, 0.35)


def _pen(thing: Thing, rng: np.random.Generator, body: Colour) -> Shape:
    """A pen that lies on the table, its tip of another colour."""
    radius, length = rng.uniform(3.5, 6.0), thing.size_mm
    turn = np.linspace(0, 2 * math.pi, 14, endpoint=False)
    rings = [(-length / 2, radius), (length / 2 - 18, radius), (length / 2, 0.8)]
    points = np.concatenate(
        [np.column_stack([np.full(14, x), r * np.cos(turn), r * np.sin(turn)]) for x, r in rings]
    )
    points[:, 2] += radius
    faces = [list(range(14)), list(range(28, 42))[::-1]]
    for level in range(2):
        for i in range(14):
            j = (i + 1) % 14
            faces.append([level * 14 + i, level * 14 + 14 + i, level * 14 + 14 + j, level * 14 + j])
    skin = np.empty((16, 128, 3), np.float32)
    skin[:] = body
    skin[:, 108:] = (0.7, 0.7, 0.7)
    uv = [np.column_stack([points[f][:, 0] / length + 0.5, np.full(len(f), 0.5)]) for f in faces]
    return Shape(points, faces, uv, skin, 0.25, 0.0, True)


def _phone(thing: Thing, rng: np.random.Generator) -> Shape:
    """A telephone with a dark glass."""
    skin = np.full((64, 128, 3), rng.uniform(0.05, 0.6), np.float32)
    skin[3:-3, 3:-3] = rng.uniform(0.01, 0.06)
    return _slab(thing.size_mm, thing.size_mm * 0.48, 8.0, skin, 0.06)


def _screw(thing: Thing, rng: np.random.Generator) -> Shape:
    """A screw that lies on its side: a thin bar with a head, as one convex hull of its two ends' rings."""
    length, thick = thing.size_mm, rng.uniform(2.0, 4.0)
    head = thick * 1.0
    turn = np.linspace(0, 2 * math.pi, 10, endpoint=False)
    rings = [
        (-length / 2, head),
        (-length / 2 + 1.5, head),
        (length / 2 - 2, thick / 2),
        (length / 2, 0.3),
    ]
    points = np.concatenate(
        [np.column_stack([np.full(10, x), r * np.cos(turn), r * np.sin(turn)]) for x, r in rings]
    )
    points[:, 2] += head
    faces = [list(range(10)), list(range(30, 40))[::-1]]
    for level in range(3):
        for i in range(10):
            j = (i + 1) % 10
            faces.append([level * 10 + i, level * 10 + 10 + i, level * 10 + 10 + j, level * 10 + j])
    tone = rng.uniform(0.45, 0.8)
    skin = np.full((64, 64, 3), tone, np.float32)
    skin[:, ::5] *= 0.5
    uv = []
    for face in faces:
        x = points[face][:, 0] / length + 0.5
        uv.append(np.column_stack([x.clip(0, 1), np.linspace(0, 0.2, len(face))]))
    return Shape(points, faces, uv, skin, 0.3, 0.9, True)


def shape_of(thing: Thing) -> Shape:
    """The shape of a planned thing, where it lies on the table."""
    rng = np.random.default_rng([thing.seed, 3])
    body = colorsys.hsv_to_rgb(rng.random(), rng.choice([0.1, 0.8]), rng.uniform(0.05, 0.95))
    ink: Colour = (
        (0.95, 0.95, 0.9)
        if 0.3 * body[0] + 0.6 * body[1] + 0.1 * body[2] < 0.5
        else (0.05, 0.05, 0.08)
    )
    if thing.kind == "coin":
        metal: Colour = [(0.75, 0.74, 0.72), (0.78, 0.6, 0.3), (0.7, 0.42, 0.28)][
            int(rng.integers(3))
        ]
        shape = _disc(
            thing.size_mm / 2, rng.uniform(1.4, 2.2), _round_skin(rng, "coin", metal), 0.3, 0.9
        )
    elif thing.kind == "button":
        shape = _disc(
            thing.size_mm / 2, rng.uniform(2, 3.5), _round_skin(rng, "button", body), 0.3, 0.0
        )
    elif thing.kind == "checker":
        shape = _disc(
            thing.size_mm / 2, rng.uniform(5, 9), _round_skin(rng, "checker", body), 0.3, 0.0
        )
    elif thing.kind == "domino":
        pale = bool(rng.random() < 0.6)
        ivory, black = (0.92, 0.9, 0.82), (0.04, 0.04, 0.05)
        shape = _domino(thing, rng, ivory if pale else black, black if pale else ivory)
    elif thing.kind == "screw":
        shape = _screw(thing, rng)
    elif thing.kind == "card":
        shape = _card(thing, rng)
    elif thing.kind == "pen":
        shape = _pen(thing, rng, body)
    elif thing.kind == "phone":
        shape = _phone(thing, rng)
    elif thing.kind == "cup":
        skin = _round_skin(rng, "checker", body)
        skin[30:-30, 30:-30] *= 0.2  # what it holds
        shape = _disc(thing.size_mm / 2, rng.uniform(40, 100), skin, 0.3, 0.0)
    else:
        shape = _numbered(thing, rng, body, ink)
    c, s = math.cos(thing.yaw), math.sin(thing.yaw)
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
    points = shape.points - [*((shape.points.min(0) + shape.points.max(0)) / 2)[:2], 0.0]
    points = points @ turn.T + [thing.x_mm, thing.y_mm, 0.0]
    return Shape(
        points, shape.faces, shape.uv, shape.skin, shape.roughness, shape.metal, shape.smooth
    )
