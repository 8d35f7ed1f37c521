"""What is true of a planned table in its picture: projections, who hides whom, and the record that is written.

Needs no renderer: dice and things are convex, so a silhouette is the hull of the projected mesh, and what lies in front
is told by where the pixels' rays meet each body's box. Pixel coordinates run from the picture's upper left corner (the
middle of the first pixel is 0.5, 0.5).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.compose import LOOSE
from datasets.render_die import die_mesh, turn_to
from datasets.render_records import Hand, LaidDie, Lens, Plan

Array = NDArray[np.float64]
MAT_MM = 0.4
"""Height of a flat mat's upper side over the table, mm."""
LEAST_TOP = 0.6
"""A die of whose top face less is visible is told in the truth, but is no label: its face cannot be asked for."""


def matrices(lens: Lens) -> tuple[Array, Array, Array, Array]:
    """K (3, 3), distortion (4,), R (3, 3) and t (3,) of OpenCV's model, before any mirroring."""
    k = np.array(
        [[lens.focal_px, 0, lens.width / 2], [0, lens.focal_px, lens.height / 2], [0, 0, 1.0]]
    )
    turn = np.array(lens.turn)
    return k, np.array(lens.distortion), turn, -turn @ np.array(lens.position)


def project(lens: Lens, points: Array) -> Array:
    """Table points (N, 3) mm to px (N, 2) of the final picture, mirrored where it is."""
    k, distortion, turn, shift = matrices(lens)
    seen = points @ turn.T + shift
    at, _ = cv2.projectPoints(
        np.ascontiguousarray(seen[:, None]), np.zeros(3), np.zeros(3), k, distortion
    )
    out = np.asarray(at[:, 0], np.float64)
    if lens.mirrored:
        out[:, 0] = lens.width - out[:, 0]
    return out


def pixel_rays(lens: Lens) -> Array:
    """Where each pixel of the un-mirrored picture looks, (H, W, 2): x and y at depth 1 in the camera's axes."""
    k, distortion, _, _ = matrices(lens)
    x, y = np.meshgrid(np.arange(lens.width) + 0.5, np.arange(lens.height) + 0.5)
    points = np.stack([x, y], axis=-1).reshape(-1, 1, 2)
    rays = cv2.undistortPoints(points, k, distortion)
    return np.asarray(rays.reshape(lens.height, lens.width, 2), np.float64)


@dataclass(frozen=True)
class Body:
    """A convex body: mesh points (N, 3) mm, and its box: middle (3,), axes (3, 3) as rows, half sizes (3,)."""

    points: Array
    middle: Array
    axes: Array
    half: Array


def die_pose(die: LaidDie, plan: Plan) -> tuple[Array, Array]:
    """Rotation (3, 3) from the die's own axes (face 1 up) to the table's, and its centre (3,) mm."""
    look = plan.looks[die.look]
    c, s = math.cos(die.yaw), math.sin(die.yaw)
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]]) @ turn_to(die.face, look)
    z = look.style.edge_mm / 2
    lean = np.eye(3)
    if plan.mat is not None:
        half = plan.mat.half_mm
        if abs(die.x_mm) < half[0] and abs(die.y_mm) < half[1]:
            x, y, d = die.x_mm, die.y_mm, 4.0
            heights = plan.mat.height(
                np.array([x, x + d, x - d, x, x]), np.array([y, y, y, y + d, y - d])
            )
            z += float(heights[0])
            normal = np.array(
                [(heights[2] - heights[1]) / 2 / d, (heights[4] - heights[3]) / 2 / d, 1.0]
            )
            normal /= np.linalg.norm(normal)
            axis = np.cross([0, 0, 1.0], normal)
            lean = cv2.Rodrigues(axis)[0]
    return lean @ turn, np.array([die.x_mm, die.y_mm, z])


def die_body(die: LaidDie, plan: Plan, meshes: dict[int, Array]) -> Body:
    """The body of a die; `meshes` keeps the points of each look's mesh."""
    look = plan.looks[die.look]
    if die.look not in meshes:
        meshes[die.look] = die_mesh(look).points
    turn, centre = die_pose(die, plan)
    half = look.style.edge_mm / 2
    return Body(meshes[die.look] @ turn.T * half + centre, centre, turn.T, np.full(3, half))


def hand_bodies(hand: Hand) -> list[Body]:
    """One body a bar of a hand."""
    sphere = np.array(
        [
            [math.cos(a) * math.cos(b), math.sin(a) * math.cos(b), math.sin(b)]
            for a in np.linspace(0, 2 * math.pi, 10, endpoint=False)
            for b in np.linspace(-1.4, 1.4, 7)
        ]
    )
    bodies = []
    for a, b, ra, rb in hand.bars:
        start, end = np.array(a), np.array(b)
        along = (end - start) / max(np.linalg.norm(end - start), 1e-9)
        other = np.cross(along, [0.3, 0.5, 0.8])
        other /= np.linalg.norm(other)
        axes = np.array([along, other, np.cross(along, other)])
        radius = max(ra, rb)
        half = np.array(
            [np.linalg.norm(end - start) / 2 + radius * 0.8, radius * 0.8, radius * 0.8]
        )
        points = np.concatenate([start + sphere * ra, end + sphere * rb])
        bodies.append(Body(points, (start + end) / 2, axes, half))
    return bodies


class Silhouettes:
    """Which body is seen at every pixel of the un-mirrored picture."""

    def __init__(self, lens: Lens) -> None:
        self.lens = lens
        self.rays = pixel_rays(lens)
        self.depth = np.full((lens.height, lens.width), np.inf)
        self.owner = np.full((lens.height, lens.width), -1, np.int32)
        self.turn = np.array(lens.turn)
        self.position = np.array(lens.position)
        k, self.distortion, _, self.shift = matrices(lens)
        self.k = k

    def flat(self, points: Array) -> Array:
        """Table points (N, 3) to px of the un-mirrored picture."""
        out = project(self.lens, points)
        if self.lens.mirrored:
            out[:, 0] = self.lens.width - out[:, 0]
        return out

    def inside(self, polygon: Array) -> tuple[slice, slice, NDArray[np.bool_]]:
        """The pixels whose middle lies in a convex polygon (N, 2): rows, columns and mask; empty off the picture."""
        hull = cv2.convexHull(polygon.astype(np.float32))[:, 0].astype(np.float64)
        x0, y0 = np.floor(hull.min(0)).astype(int)
        x1, y1 = np.ceil(hull.max(0)).astype(int)
        x0, y0 = max(x0, 0), max(y0, 0)
        x1, y1 = min(x1, self.lens.width), min(y1, self.lens.height)
        if x1 <= x0 or y1 <= y0:
            return slice(0, 0), slice(0, 0), np.zeros((0, 0), bool)
        x, y = np.meshgrid(np.arange(x0, x1) + 0.5, np.arange(y0, y1) + 0.5)
        mask = np.ones(x.shape, bool)
        edges = np.roll(hull, -1, 0) - hull
        area = (hull[:, 0] * np.roll(hull[:, 1], -1) - hull[:, 1] * np.roll(hull[:, 0], -1)).sum()
        for (px, py), (ex, ey) in zip(hull, edges, strict=True):
            mask &= (ex * (y - py) - ey * (x - px)) * area >= 0
        return slice(y0, y1), slice(x0, x1), mask

    def add(self, body: Body, name: int) -> Array:
        """Put a body in front of all that lies behind it; returns its outline (N, 2) px."""
        ahead = (body.points @ self.turn.T + self.shift)[:, 2]
        if (ahead <= 1.0).any():
            return np.zeros((0, 2))
        outline = self.flat(body.points)
        rows, columns, mask = self.inside(outline)
        if mask.any():
            depth = np.where(mask, self._depth(rows, columns, body), np.inf)
            nearer = depth < self.depth[rows, columns]
            self.depth[rows, columns][nearer] = depth[nearer]
            self.owner[rows, columns][nearer] = name
        return outline

    def _depth(self, rows: slice, columns: slice, body: Body) -> Array:
        flat = self.rays[rows, columns]
        rays = np.concatenate([flat, np.ones((*flat.shape[:2], 1))], axis=-1) @ self.turn
        own, origin = rays @ body.axes.T, (self.position - body.middle) @ body.axes.T
        with np.errstate(divide="ignore", invalid="ignore"):
            one, two = (-body.half - origin) / own, (body.half - origin) / own
        near = np.nanmax(np.minimum(one, two), axis=-1)
        far = np.nanmin(np.maximum(one, two), axis=-1)
        middle = float((body.middle - self.position) @ self.turn[2])
        return np.asarray(np.where(near <= far, near, middle))

    def shown(self, polygon: Array, name: int) -> float:
        """Share of a convex polygon that nothing else covers and that lies in the picture."""
        rows, columns, mask = self.inside(polygon)
        count = int(mask.sum())
        if count == 0:
            return 0.0
        owners = self.owner[rows, columns][mask]
        free = ((owners == name) | (owners == -1)).mean()
        whole = cv2.convexHull(polygon.astype(np.float32))
        clipped, _ = cv2.intersectConvexConvex(
            whole,
            np.array(
                [
                    [0, 0],
                    [self.lens.width, 0],
                    [self.lens.width, self.lens.height],
                    [0, self.lens.height],
                ],
                np.float32,
            ),
        )
        within = min(1.0, clipped / max(cv2.contourArea(whole), 1e-9))
        return float(free * within)


def mat_xy(plan: Plan, x: float, y: float) -> tuple[float, float]:
    """Table to the mat's frame: from the outer corner of row 1's Left place, x to the right flank, y to row 6."""
    return round(x + 1.5 * plan.pitch_mm[0], 2), round(3 * plan.pitch_mm[1] - y, 2)


def truth_of(plan: Plan, thing_bodies: list[Body]) -> dict[str, Any]:
    """The truth of a plan as it is written (see DATASET_CARD.md). thing_bodies: of its things, in their order."""
    lens = plan.lens
    seen = Silhouettes(lens)
    meshes: dict[int, Array] = {}
    outlines = []
    for number, die in enumerate(plan.dice):
        outlines.append(seen.add(die_body(die, plan, meshes), number))
    for offset, body in enumerate(thing_bodies):
        seen.add(body, 1000 + offset)
    for offset, body in enumerate(hand_bodies(plan.hand) if plan.hand else []):
        seen.add(body, 5000 + offset)
    dice, ignored = [], []
    for number, (die, outline) in enumerate(zip(plan.dice, outlines, strict=True)):
        record = _die_record(plan, seen, number, die, outline)
        if record is None:
            continue
        if record["cut_off"] or record["top_visible"] < LEAST_TOP:
            ignored.append(record["box"])
            record["labelled"] = False
        dice.append(record)
    k, distortion, turn, shift = matrices(lens)
    corners = _corners_px(lens, plan.mat.half_mm) if plan.mat else None
    lawn = (1.5 * plan.pitch_mm[0], 3 * plan.pitch_mm[1])
    return {
        "dice": dice,
        "ignore": ignored,
        "things": [t.kind for t in plan.things],
        "seed": plan.seed,
        "kind": plan.kind,
        "surface": plan.table,
        "presets": {
            "split": plan.split,
            "mat": plan.mat.design if plan.mat else None,
            "table": plan.table,
            "light": plan.light,
            "camera": lens.preset,
            "dice": [look.preset for look in plan.looks],
        },
        "players": [look.style.colour for look in plan.looks],
        "neutral": next((look.style.colour for look in plan.looks if look.neutral), None),
        "hand": plan.hand is not None,
        "mirrored": lens.mirrored,
        "mat": {
            "corners": corners,
            "lawn_corners": _corners_px(lens, lawn) if plan.mat else None,
            "pitch_mm": [round(v, 3) for v in plan.pitch_mm],
            "margin_mm": [round(v, 3) for v in plan.mat.margin_mm] if plan.mat else None,
            "wave_mm": round(plan.mat.wave_mm, 3) if plan.mat else None,
        },
        "camera": {
            "K": k.round(4).tolist(),
            "distortion": distortion.round(6).tolist(),
            "R": turn.round(8).tolist(),
            "t": shift.round(4).tolist(),
        },
    }


def _corners_px(lens: Lens, half: tuple[float, float]) -> list[list[float]] | None:
    """Row 1 left, row 1 right, row 6 right, row 6 left of a rectangle of that half size (mm) on the table, px.

    None if the camera has one of them beside or behind it."""
    around = ((-1, 1), (1, 1), (1, -1), (-1, -1))
    points = np.array([[i * half[0], j * half[1], MAT_MM] for i, j in around])
    _, _, turn, shift = matrices(lens)
    if (((points @ turn.T) + shift)[:, 2] <= 1.0).any():
        return None
    return [[round(float(x), 2), round(float(y), 2)] for x, y in project(lens, points)]


def _die_record(
    plan: Plan, seen: Silhouettes, number: int, die: LaidDie, outline: Array
) -> dict[str, Any] | None:
    """Truth of one die; None if nothing of it is in the picture."""
    lens = plan.lens
    if not len(outline):
        return None
    (x0, y0), (x1, y1) = outline.min(0), outline.max(0)
    if x1 <= 0 or y1 <= 0 or x0 >= lens.width or y0 >= lens.height:
        return None
    cut_off = bool(x0 < 0 or y0 < 0 or x1 > lens.width or y1 > lens.height)
    look = plan.looks[die.look]
    turn, centre = die_pose(die, plan)
    up = turn_to(die.face, look)
    style = look.style
    half = style.edge_mm / 2
    square = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1.0]])
    own = square[:, :1] * up[0] + square[:, 1:] * up[1]
    reach = 1 - style.rounding / 2
    top = seen.flat((own * reach + up[2]) * half @ turn.T + centre)
    # Where a ball cuts the corners, the square's own corners are no part of the die.
    within = min(reach, float(np.sqrt(max(style.ball**2 - 1, 0) / 2)))
    asked = seen.flat((own * within + up[2]) * half @ turn.T + centre)
    visible, top_visible = seen.shown(outline, number), seen.shown(asked, number)
    dx, dy = (x1 - x0) * LOOSE, (y1 - y0) * LOOSE
    left, right = max(0.0, x0 - dx), min(float(lens.width), x1 + dx)
    if lens.mirrored:
        left, right = lens.width - right, lens.width - left
        top[:, 0] = lens.width - top[:, 0]
    box = [left, max(0.0, y0 - dy), right, min(float(lens.height), y1 + dy)]
    place = die.place
    return {
        "box": [round(float(v), 1) for v in box],
        "face": die.face,
        "colour": look.style.colour,
        "visible": round(visible, 3),
        "top_visible": round(top_visible, 3),
        "top": top.round(2).tolist(),
        "cut_off": cut_off,
        "labelled": True,
        "place": {
            "area": place.area,
            "row": place.row,
            "side": place.side,
            "player": place.player,
        },
        "neutral": look.neutral,
        "xy_mm": list(mat_xy(plan, die.x_mm, die.y_mm)),
        "edge_mm": round(look.style.edge_mm, 2),
        "style": look.preset,
    }
