"""A drawn die: a rounded cube, ray-marched with numpy and shaded under one lamp and a sky.

Cheap (about 10 ms a die) and exact: it knows the silhouette, so boxes and visibility need no labelling. Distances to
rounded boxes follow Inigo Quilez, "Distance functions" (iquilezles.org). Path-traced dice are for `datasets.render`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

STEPS = 22
"""Marching steps; rays start at the cube's surface, so only rounded edges need more than a few."""

# The side faces seen going round counter-clockwise from +x when the key is on top (Western, right-handed die:
# 1, 2, 3 run counter-clockwise about their corner). A left-handed die goes round the other way.
AROUND = {
    1: (2, 3, 5, 4),
    6: (2, 4, 5, 3),
    2: (1, 4, 6, 3),
    5: (1, 3, 6, 4),
    3: (1, 2, 6, 5),
    4: (1, 5, 6, 2),
}


@dataclass(frozen=True)
class DieStyle:
    """How a set of dice looks.

    colour: its name, one of vision.reading.COLOURS; body, pips, ace: sRGB 0..1 (ace: the pip of the 1).
    edge_mm: length of an edge; rounding: edge radius as a share of half an edge, 0 (sharp) to 0.6;
    ball: radius of the sphere that cuts the corners, in half edges (1.73 cuts nothing);
    pip_radius and pip_spread: in half edges; ace_scale: size of the 1's pip to the others;
    gloss: strength of the highlight 0..1; marble: strength of its pattern 0..1; left_handed: chirality;
    turned: whether the 2, 3 and 6 lie along the other diagonal or direction.
    """

    colour: str
    body: tuple[float, float, float]
    pips: tuple[float, float, float]
    ace: tuple[float, float, float]
    edge_mm: float = 16.0
    rounding: float = 0.25
    ball: float = 1.6
    pip_radius: float = 0.18
    pip_spread: float = 0.5
    ace_scale: float = 1.0
    gloss: float = 0.4
    marble: float = 0.0
    left_handed: bool = False
    turned: bool = False


@dataclass(frozen=True)
class Lamp:
    """Light on the table: unit `direction` towards the lamp, its share of the light, and both colours (linear rgb)."""

    direction: tuple[float, float, float]
    strength: float = 0.7
    colour: tuple[float, float, float] = (1.0, 1.0, 1.0)
    sky: tuple[float, float, float] = (1.0, 1.0, 1.0)


def pip_places(face: int, spread: float, turned: bool) -> Array:
    """Centres (face, 2) of a face's pips on the square -1..1."""
    s = spread
    corner = [(-s, -s), (s, s)]
    others = [(-s, s), (s, -s)]
    if turned:
        corner, others = others, corner
    middle = [(-s, 0.0), (s, 0.0)] if not turned else [(0.0, -s), (0.0, s)]
    places: dict[int, list[tuple[float, float]]] = {
        1: [(0.0, 0.0)],
        2: corner,
        3: [*corner, (0.0, 0.0)],
        4: [*corner, *others],
        5: [*corner, *others, (0.0, 0.0)],
        6: [*corner, *others, *middle],
    }
    return np.array(places[face])


def side_faces(top: int, style: DieStyle) -> tuple[int, int, int, int]:
    """Faces at +x, +y, -x, -y of a die that shows `top`."""
    around = AROUND[top]
    return (around[0], around[3], around[2], around[1]) if style.left_handed else around


def march(origin: Array, rays: Array, style: DieStyle) -> tuple[Array, NDArray[np.bool_]]:
    """Where rays meet the die whose half edge is 1 and whose centre is the origin.

    origin (3,) and unit rays (N, 3) in the die's own axes. Returns points (N, 3) and which rays hit (N,).
    """
    # Coordinate by coordinate, here and below: numpy is slow with rows of three.
    ways = np.ascontiguousarray(rays.T)
    with np.errstate(divide="ignore", invalid="ignore"):
        near = (-np.sign(ways) - origin[:, None]) / ways
        far = (np.sign(ways) - origin[:, None]) / ways
    start = np.where(ways == 0, -np.inf, near).max(0)
    end = np.where(ways == 0, np.inf, far).min(0)
    hit = (start < end) & (start > 0)
    t = np.where(hit, start, 0.0)
    radius = style.rounding
    distance = np.full(len(rays), np.inf)
    # Most rays meet a flat face and stand still at once: only those that still move are followed.
    moving = np.flatnonzero(hit)
    along, at, last = ways[:, moving], t[moving], end[moving] + 0.05
    for _ in range(STEPS):
        points = [from_where + way * at for from_where, way in zip(origin, along, strict=True)]
        q = [np.abs(each) - (1 - radius) for each in points]
        outside = np.sqrt(_of_squares([np.maximum(each, 0) for each in q]))
        gap = outside + np.minimum(np.maximum(np.maximum(q[0], q[1]), q[2]), 0) - radius
        gap = np.maximum(gap, np.sqrt(_of_squares(points)) - style.ball)
        before, at = at, at + gap
        t[moving], distance[moving] = at, gap
        missed = at >= last
        hit[moving[missed]] = False
        on = (at != before) & ~missed
        moving, along, at, last = moving[on], along[:, on], at[on], last[on]
    hit &= distance < 0.01
    return origin + rays * t[:, None], hit


def _of_squares(parts: list[Array]) -> Array:
    """The sum of the squares of three coordinates, each (N,)."""
    x, y, z = parts
    return x * x + y * y + z * z


def normals(points: Array, style: DieStyle) -> Array:
    """Unit outward normals (N, 3) at surface points (N, 3)."""
    q = np.abs(points) - (1 - style.rounding)
    edge = np.maximum(q, 0)
    flat = (q >= q.max(1, keepdims=True)).astype(float)
    inward = np.where((q.max(1) <= 0)[:, None], flat, edge) * np.sign(points)
    inward /= np.maximum(np.linalg.norm(inward, axis=1, keepdims=True), 1e-9)
    length = np.linalg.norm(points, axis=1, keepdims=True)
    return np.where(length > style.ball - 0.01, points / np.maximum(length, 1e-9), inward)


def paint(points: Array, top: int, style: DieStyle, pattern: Array) -> tuple[Array, Array, Array]:
    """Colours of the surface.

    points (N, 3); top: the face on +z; pattern (K, 4): wave vectors and phases of the marbling.
    Returns sRGB (N, 3), how much of each point is pip (N,), and where in its pip it lies (N, 3) (-1..1, in the die's
    axes), by which the recess is shaded.
    """
    body = np.array(style.body)
    colours = np.tile(body, (len(points), 1))
    if style.marble > 0:
        waves = np.sin(points @ pattern[:, :3].T + pattern[:, 3]).mean(1)
        colours = np.clip(colours * (1 + style.marble * waves[:, None] * 2.2), 0, 1)
    sides = side_faces(top, style)
    faces = {(2, 1): top, (2, -1): 7 - top, (0, 1): sides[0], (1, 1): sides[1]}
    faces |= {(0, -1): sides[2], (1, -1): sides[3]}
    axis = np.abs(points).argmax(1)
    sign = np.where(points[np.arange(len(points)), axis] > 0, 1, -1)
    amount = np.zeros(len(points))
    offset = np.zeros((len(points), 3))
    for (which, side), face in faces.items():
        chosen = np.flatnonzero((axis == which) & (sign == side))
        if not len(chosen):
            continue
        across = [a for a in range(3) if a != which]
        uv = points[chosen][:, across]
        radius = style.pip_radius * (style.ace_scale if face == 1 else 1.0)
        delta = uv[:, None] - pip_places(face, style.pip_spread, style.turned)
        gap = np.sqrt((delta**2).sum(2))
        nearest = gap.argmin(1)
        least = gap[np.arange(len(chosen)), nearest]
        share = np.clip((radius - least) / 0.05 + 0.5, 0, 1)
        ink = np.array(style.ace if face == 1 else style.pips)
        colours[chosen] = colours[chosen] * (1 - share[:, None]) + ink * share[:, None]
        amount[chosen] = share
        offset[chosen[:, None], across] = delta[np.arange(len(chosen)), nearest] / radius
    return colours, amount, offset


def shade(
    colours: Array, normal: Array, view: Array, lamp: Lamp, gloss: float, turn: Array
) -> Array:
    """Light on surface points; all in the die's axes, `turn` (3, 3) takes those to the table's.

    colours (N, 3) sRGB; normal, view (N, 3) unit vectors. Returns linear rgb (N, 3).
    """
    albedo = colours**2.2
    up = (normal @ turn.T)[:, 2]
    light = np.array(lamp.direction) @ turn
    facing = np.maximum(normal @ light, 0)
    sky = (1 - lamp.strength) * (0.55 + 0.45 * up)
    diffuse = sky[:, None] * np.array(lamp.sky) + (lamp.strength * facing)[:, None] * np.array(
        lamp.colour
    )
    half = light + view
    half /= np.linalg.norm(half, axis=1, keepdims=True)
    shine = gloss * np.maximum((normal * half).sum(1), 0) ** 40
    return np.asarray(albedo * diffuse + shine[:, None] * np.array(lamp.colour) * 0.6)


def draw_die(
    origin: Array,
    rays: Array,
    turn: Array,
    top: int,
    style: DieStyle,
    lamp: Lamp,
    pattern: Array,
) -> tuple[Array, Array]:
    """Colour and cover of the die along camera rays.

    origin (3,): the camera in table mm relative to the die's centre; rays (N, 3) unit vectors in table axes;
    turn (3, 3): the die's axes to the table's. Returns linear rgb (N, 3) and cover (N,) of 0 or 1.
    """
    half = style.edge_mm / 2
    own_rays = rays @ turn
    points, hit = march(origin @ turn / half, own_rays, style)
    rgb = np.zeros((len(rays), 3))
    if hit.any():
        on = points[hit]
        normal = normals(on, style)
        colours, amount, offset = paint(on, top, style, pattern)
        # A pip is a shallow bowl: its wall leans towards its middle.
        bent = normal - 0.55 * offset * (amount * (np.abs(offset).max(1) < 1.3))[:, None]
        bent /= np.linalg.norm(bent, axis=1, keepdims=True)
        rgb[hit] = shade(colours, bent, -own_rays[hit], lamp, style.gloss, turn)
    return rgb, hit.astype(float)
