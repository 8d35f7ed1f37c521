"""The table of a made clip: where the mat has what, where dice lie, and where thrown ones can come to rest.

Lengths are mm in the mat's frame: origin at the outer corner of row 1's left place, x to the right flank, y to row 6.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.compose import View, view_of
from datasets.scenes import Camera
from engine.actions import Side
from engine.lawn import Owner
from engine.table import LawnPlace, Place
from vision.layout import MatLayout, Rect

XY = tuple[float, float]

GAP = 1.5
"""Thrown dice come to rest at least this many edges from the centre of every other die."""


@dataclass(frozen=True)
class MatPlan:
    """A mat and where the players of a clip keep their dice on or beside it.

    layout: what is printed; rows, captured: each seat's Player Row and spots for captured dice, printed or not;
    outward: for each seat the unit vector from the Lawn to that player.
    """

    layout: MatLayout
    rows: tuple[Rect, ...]
    captured: tuple[tuple[Rect, ...], ...]
    outward: tuple[XY, ...]

    def centre(self, row: int, side: Side) -> XY:
        """The middle of a place of the Lawn."""
        return self.layout.cell(LawnPlace(row, side)).centre

    def place_of(self, xy: XY) -> Place:
        """The place in which a die with that centre lies."""
        return self.layout.place_of(xy)[0]

    def rightward(self, seat: int) -> XY:
        """Unit vector to the right hand of a player who faces the Lawn."""
        ox, oy = self.outward[seat]
        return oy, -ox

    @property
    def areas(self) -> tuple[Rect, ...]:
        """What thrown dice keep clear of: the Lawn, Player Rows, captured dice."""
        spots = [spot for each in self.captured for spot in each]
        printed = [area.rect for area in self.layout.areas]
        return (self.layout.lawn, *self.rows, *spots, *printed)

    def to_scene(self, xy: XY) -> XY:
        """Mat mm to the axes of datasets.scenes: the Lawn's middle is the origin and y goes to row 1."""
        middle = self.layout.lawn.centre
        return xy[0] - middle[0], middle[1] - xy[1]


OUTWARD: dict[str, XY] = {"bottom": (0.0, 1.0), "top": (0.0, -1.0), "right": (1.0, 0.0)}


def mat_plan(layout: MatLayout, players: int) -> MatPlan:
    """Where that many players put their dice on this mat; beside it when it is only a lawn."""
    if layout.areas:
        rows = [area for area in layout.areas if area.area.kind == "row"][:players]
        piles = [area for area in layout.areas if area.area.kind == "captured"]
        return MatPlan(
            layout,
            tuple(area.rect for area in rows),
            tuple(area.spots for area in piles) if players == 2 else (),
            tuple(OUTWARD[area.up] for area in rows),
        )
    edge, lawn = layout.dice_mm, layout.lawn
    half, deep, off = 5 * edge, 1.7 * edge, 1.9 * edge
    mx, my = lawn.centre
    strips = (
        Rect(mx - half, lawn.y1 + off, mx + half, lawn.y1 + off + deep),
        Rect(mx - half, lawn.y0 - off - deep, mx + half, lawn.y0 - off),
        Rect(lawn.x1 + off, my - half, lawn.x1 + off + deep, my + half),
    )
    pile, left = 3.6 * edge, lawn.x0 - 1.5 * edge
    trays = (
        Rect(left - 2.4 * edge, lawn.y1 - pile, left, lawn.y1).split(2, 3),
        Rect(left - 2.4 * edge, lawn.y0, left, lawn.y0 + pile).split(2, 3),
    )
    return MatPlan(
        layout, strips[:players], trays if players == 2 else (), tuple(OUTWARD.values())[:players]
    )


@dataclass(frozen=True)
class Die:
    """A die that lies on the table.

    number: its own, the same through the clip; owner: a seat or engine.lawn.NEUTRAL; face: on top;
    xy: centre, mm on the mat; yaw: radians, counter-clockwise seen from above in the scene's axes.
    """

    number: int
    owner: Owner
    face: int
    xy: XY
    yaw: float

    def square(self, edge_mm: float, mat: MatPlan) -> NDArray[np.float32]:
        """Its outline on the table (4, 2), scene mm."""
        c, s = math.cos(self.yaw) * edge_mm / 2, math.sin(self.yaw) * edge_mm / 2
        x, y = mat.to_scene(self.xy)
        return np.array(
            [[x + c - s, y + s + c], [x - c - s, y - s + c], [x - c + s, y - s - c], [x + c + s, y + s - c]],
            np.float32,
        )  # fmt: skip


def overlap(one: Die, other: Die, edge_mm: float, mat: MatPlan) -> float:
    """The area, mm², that two dice share on the table."""
    if math.dist(one.xy, other.xy) > edge_mm * math.sqrt(2):
        return 0.0
    area, _ = cv2.intersectConvexConvex(one.square(edge_mm, mat), other.square(edge_mm, mat))
    return float(area)


def fitted_view(
    mat: MatPlan,
    size: tuple[int, int],
    tilt: float,
    azimuth: float,
    roll: float,
    focal: float,
) -> tuple[Camera, View]:
    """The nearest camera, with that tilt and turn (radians), whose picture shows the whole mat."""
    shown = (*mat.areas, mat.layout.extent)
    points = [corner for area in shown for corner in area.corners]
    scene = np.array([[*mat.to_scene(xy), 0.0] for xy in points])
    middle = (scene.min(0) + scene.max(0)) / 2
    margin = 0.012 * size[0]
    distance = 250.0
    while True:
        camera = Camera(distance, tilt, azimuth, roll, focal, (float(middle[0]), float(middle[1])))
        view = view_of(camera, *size)
        seen = view.project(scene)
        if (seen > margin).all() and (seen < np.array(size) - margin).all():
            return camera, view
        distance += 5


class Room:
    """Where dice may be thrown: table that the camera sees (from all its views), off the mat's areas."""

    def __init__(
        self, mat: MatPlan, views: Sequence[View], size: tuple[int, int], edge_mm: float
    ) -> None:
        self.mat, self.views, self.size, self.edge_mm = mat, tuple(views), size, edge_mm
        self.view = self.views[0]

    def border(self, xy: XY) -> float:
        """How far inside the picture a point of the table lies, px; negative outside."""
        point = np.array([[*self.mat.to_scene(xy), 0.0]])
        least = math.inf
        for view in self.views:
            ((u, v),) = view.project(point)
            least = min(least, float(min(u, v, self.size[0] - u, self.size[1] - v)))
        return least

    def is_free(self, xy: XY) -> bool:
        """Whether a die may lie there: clear of every area and of the picture's edge."""
        clear = 0.85 * self.edge_mm
        px = 1.6 * self.edge_mm * self.view.focal / float(np.linalg.norm(self.view.position))
        return self.border(xy) > px and all(-a.clearance(xy) > clear for a in self.mat.areas)

    def target(self, seat: int) -> XY:
        """Where that player throws: roomy, and near the own row."""
        cx, cy = self.mat.rows[seat].centre
        best, spot = -1e9, (cx, cy)
        others = [r for s, r in enumerate(self.mat.rows) if s != seat]
        for dx in np.arange(-260, 261, 10.0):
            for dy in np.arange(-260, 261, 10.0):
                xy = (float(cx + dx), float(cy + dy))
                if not self.is_free(xy):
                    continue
                px = self.view.focal / float(np.linalg.norm(self.view.position))
                clear = min(self.border(xy) / px, *(-a.clearance(xy) for a in self.mat.areas), 60.0)
                away = min((-r.clearance(xy) for r in others), default=0.0)
                value = clear - 0.3 * math.hypot(dx, dy) + 0.1 * min(away, 200)
                if value > best:
                    best, spot = value, xy
        return spot

    def landing(
        self,
        count: int,
        target: XY,
        lying: Iterable[Die],
        rng: np.random.Generator,
        free: Callable[[XY], bool] | None = None,
    ) -> list[XY]:
        """Centres at which `count` dice thrown at the target come to rest, clear of all that lie already."""
        taken = [die.xy for die in lying]
        spots: list[XY] = []
        spread = 0.9 * self.edge_mm * math.sqrt(count + 0.5)
        tries = 0
        while len(spots) < count:
            tries += 1
            reach = spread * (1 + tries / 150)
            xy = (
                float(target[0] + rng.normal(0, 0.75) * reach),
                float(target[1] + rng.normal(0, 0.75) * reach),
            )
            close = any(math.dist(xy, other) < GAP * self.edge_mm for other in taken)
            if not close and (free or self.is_free)(xy):
                spots.append(xy)
                taken.append(xy)
        return spots
