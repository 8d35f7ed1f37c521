"""The pixels of a clip's table: the empty table once, each lying die once, their shadows, and what they make together.

Everything is composed in the picture's own sRGB values: a shadow multiplies light, so it multiplies there by the same
factor to the power 1/2.2.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.clips_motion import Flying, about_z
from datasets.clips_table import XY, Die, MatPlan
from datasets.compose import LOOSE, Sheet, table_top, view_of
from datasets.die import DieStyle, Lamp, draw_die
from datasets.grids import lawn_to_table
from datasets.scenes import Camera, Scene
from engine.lawn import Owner
from vision.layout import MatLayout
from vision.mat_drawing import draw_mat

GAMMA = 1 / 2.2
SHEET_PX_PER_MM = 5.0

Image = NDArray[np.uint8]
Box = tuple[int, int, int, int]


@dataclass(frozen=True)
class Look:
    """How a clip's table looks.

    surface: a key of surfaces.SURFACES; sheet: what is printed; styles: the dice by owner; exposure: gain of the light.
    """

    mat: MatPlan
    surface: str
    sheet: Sheet
    lamp: Lamp
    styles: Mapping[Owner, DieStyle]
    exposure: float
    seed: int

    @property
    def edge_mm(self) -> float:
        return next(iter(self.styles.values())).edge_mm


@dataclass(frozen=True)
class Sprite:
    """A drawn die: its region x0 y0 x1 y1 px, BGR weighted by cover (h, w, 3) 0..255, cover (h, w) 0..1."""

    region: Box
    bgr: NDArray[np.float32]
    cover: NDArray[np.float32]


class Painter(Protocol):
    """Paints the table at rest. `Stage` composes it; a path-traced one only has to bring this method."""

    def still(self, dice: Sequence[Die]) -> Image:
        """The table with these dice lying on it, (H, W, 3) uint8 BGR, not to be changed by the caller."""
        ...


def mat_sheet(layout: MatLayout) -> Sheet:
    """The printed mat as a sheet on the table of datasets.scenes, the Lawn's middle at the origin."""
    bgr = draw_mat(layout, SHEET_PX_PER_MM)
    rgba = np.ones((*bgr.shape[:2], 4), np.float32)
    rgba[..., :3] = bgr[..., ::-1].astype(np.float32) / 255 * 0.93
    step, extent = 1 / SHEET_PX_PER_MM, layout.extent
    to_mat = np.array(
        [[step, 0, extent.x0 + step / 2], [0, step, extent.y0 + step / 2], [0, 0, 1.0]]
    )
    return Sheet(rgba, lawn_to_table(layout.cell_mm) @ to_mat)


class Stage:
    """A camera's view of the table. look, camera: as the names say; size: width and height, px."""

    def __init__(self, look: Look, camera: Camera, size: tuple[int, int]) -> None:
        self.look, self.camera, self.size = look, camera, size
        self.view = view_of(camera, *size)
        scene = Scene("lawn", (), camera, look.lamp, look.surface, False, look.seed)
        rng = np.random.default_rng([look.seed, 7])
        light = table_top(scene, self.view, *size, rng, look.sheet) * look.exposure
        self.table: Image = np.ascontiguousarray(
            (np.clip(light, 0, 1) ** GAMMA * 255)[..., ::-1].astype(np.uint8)
        )
        pattern = np.random.default_rng([look.seed, 8])
        self.pattern = np.column_stack(
            [pattern.normal(0, 3.0, (6, 3)), pattern.uniform(0, 2 * math.pi, 6)]
        )
        self._sprites: dict[Die, Sprite | None] = {}
        self._shadows: dict[Die, tuple[Box, NDArray[np.float32]] | None] = {}
        self._shown: tuple[Die, ...] = ()
        self._picture = self.table.copy()

    # --- geometry -------------------------------------------------------------------------

    def to_px(self) -> NDArray[np.float64]:
        """Homography (3, 3) from the mat's mm to px, whole numbers being the middles of pixels."""
        half = np.array([[1, 0, -0.5], [0, 1, -0.5], [0, 0, 1.0]])
        return np.asarray(
            half @ self.view.homography() @ lawn_to_table(self.look.mat.layout.cell_mm)
        )

    def plane(self, height_mm: float) -> NDArray[np.float64]:
        """Homography (3, 3) from scene x, y mm at that height above the table to px from the first pixel's corner."""
        view = self.view
        k = np.array(
            [[view.focal, 0, view.centre[0]], [0, view.focal, view.centre[1]], [0, 0, 1.0]]
        )
        third = view.turn[:, 2] * height_mm - view.turn @ view.position
        return np.asarray(k @ np.column_stack([view.turn[:, 0], view.turn[:, 1], third]))

    def px_per_mm(self, xy: XY) -> float:
        """The scale of the picture at a point of the mat."""
        x, y = self.look.mat.to_scene(xy)
        away = float(np.linalg.norm(self.view.position - [x, y, 0.0]))
        return self.view.focal / away

    def clipped(self, box: Sequence[float]) -> Box | None:
        """Whole pixels around a box, inside the picture; None when nothing is left."""
        x0, y0 = max(0, math.floor(box[0])), max(0, math.floor(box[1]))
        x1, y1 = min(self.size[0], math.ceil(box[2])), min(self.size[1], math.ceil(box[3]))
        return (x0, y0, x1, y1) if x1 > x0 and y1 > y0 else None

    def _cube(self, centre: NDArray[np.float64], turn: NDArray[np.float64]) -> NDArray[np.float64]:
        half = self.look.edge_mm / 2
        signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
        return np.asarray(signs * half @ turn.T + centre)

    def _scene(self, centre: Sequence[float]) -> NDArray[np.float64]:
        return np.array([*self.look.mat.to_scene((centre[0], centre[1])), centre[2]])

    # --- one die --------------------------------------------------------------------------

    def sprite(
        self, die: Die, centre: Sequence[float], turn: NDArray[np.float64], samples: int = 2
    ) -> Sprite | None:
        """Draw a die. centre: mat x, y and height of its middle, mm; turn (3, 3): its axes to the scene's."""
        middle = self._scene(centre)
        outline = self.view.project(self._cube(middle, turn))
        region = self.clipped((*(outline.min(0) - 1), *(outline.max(0) + 1)))
        if region is None:
            return None
        x0, y0, x1, y1 = region
        u, v = np.meshgrid(
            (np.arange((x1 - x0) * samples) + 0.5) / samples + x0 - self.view.centre[0],
            (np.arange((y1 - y0) * samples) + 0.5) / samples + y0 - self.view.centre[1],
        )
        rays = np.stack([u, v, np.full_like(u, self.view.focal)], -1).reshape(-1, 3)
        rays /= np.linalg.norm(rays, axis=1, keepdims=True)
        rgb, cover = draw_die(
            self.view.position - middle,
            rays @ self.view.turn,
            turn,
            die.face,
            self.look.styles[die.owner],
            self.look.lamp,
            self.pattern,
        )
        shape = (y1 - y0, samples, x1 - x0, samples)
        share = cover.reshape(shape).mean((1, 3))
        light = rgb.reshape(*shape, 3).mean((1, 3)) * self.look.exposure
        own = light / np.maximum(share, 1e-6)[..., None]
        bgr = (np.clip(own, 0, 1) ** GAMMA * 255)[..., ::-1] * share[..., None]
        return Sprite(region, bgr.astype(np.float32), share.astype(np.float32))

    def shadow(
        self, centre: Sequence[float], turn: NDArray[np.float64]
    ) -> tuple[Box, NDArray[np.float32]] | None:
        """By which factor (h, w) a die darkens the picture around its foot."""
        lamp, half = self.look.lamp, self.look.edge_mm / 2
        middle = self._scene(centre)
        corners = self._cube(middle, turn)
        slope = np.array(lamp.direction[:2]) / lamp.direction[2]
        ground = corners.copy()
        ground[:, :2] -= slope * ground[:, 2:]
        ground[:, 2] = 0
        foot = corners.copy()
        foot[:, 2] = 0
        foot[:, :2] += (foot[:, :2] - middle[:2]) * 0.15
        hull, under = self.view.project(ground), self.view.project(foot)
        lift = max(0.0, float(centre[2]) - half)
        size = 2 * half * self.px_per_mm((centre[0], centre[1]))
        soft = max(0.6, size * (0.05 + 0.25 * (1 - lamp.strength)) * (1 + lift / 12))
        reach = 3 * max(soft, 0.12 * size)
        both = np.vstack([hull, under])
        region = self.clipped((*(both.min(0) - reach), *(both.max(0) + reach)))
        if region is None:
            return None
        x0, y0, x1, y1 = region
        hard, contact = np.zeros((2, y1 - y0, x1 - x0), np.float32)
        for mask, points in ((hard, hull), (contact, under)):
            shape = cv2.convexHull(((points - [x0, y0]) * 16).astype(np.int32).astype(np.float32))
            cv2.fillConvexPoly(mask, shape.astype(np.int32), 1.0, cv2.LINE_8, 4)
        hard = cv2.GaussianBlur(hard, (0, 0), soft)
        contact = cv2.GaussianBlur(contact, (0, 0), max(0.6, size * 0.12))
        near = 0.45 * math.exp(-lift / 5)
        return region, (((1 - lamp.strength * 0.85 * hard) * (1 - near * contact)) ** GAMMA).astype(
            np.float32
        )

    def lying(self, die: Die) -> Sprite | None:
        """The sprite of a die that lies on the table, drawn once."""
        if die not in self._sprites:
            centre = (*die.xy, self.look.edge_mm / 2)
            self._sprites[die] = self.sprite(die, centre, about_z(die.yaw))
            self._shadows[die] = self.shadow(centre, about_z(die.yaw))
        return self._sprites[die]

    def box(self, die: Die) -> tuple[float, float, float, float] | None:
        """The truth's box of a lying die, px: its silhouette and a little more, as on the training pictures."""
        drawn = self.lying(die)
        if drawn is None:
            return None
        rows = np.flatnonzero(drawn.cover.max(1) > 0.5)
        columns = np.flatnonzero(drawn.cover.max(0) > 0.5)
        if not len(rows) or not len(columns):
            return None
        x0, y0 = drawn.region[:2]
        left, right = float(x0 + columns[0]), float(x0 + columns[-1] + 1)
        above, below = float(y0 + rows[0]), float(y0 + rows[-1] + 1)
        dx, dy = (right - left) * LOOSE, (below - above) * LOOSE
        return (
            max(0.0, left - dx),
            max(0.0, above - dy),
            min(float(self.size[0]), right + dx),
            min(float(self.size[1]), below + dy),
        )

    # --- all dice -------------------------------------------------------------------------

    def far_first(self, dice: Iterable[Die]) -> list[Die]:
        """Nearer dice are painted over farther ones."""
        half = self.look.edge_mm / 2

        def away(die: Die) -> float:
            return -float(np.linalg.norm(self.view.position - self._scene((*die.xy, half))))

        return sorted(dice, key=lambda die: (away(die), die.number))

    def still(self, dice: Sequence[Die]) -> Image:
        """The table with these dice; only what changed since the last call is painted anew."""
        changed = set(dice) ^ set(self._shown)
        order = self.far_first(dice)
        for die in (*dice, *changed):
            self.lying(die)
        for die in changed:
            region = self._around(die)
            if region is not None:
                self._paint(region, order)
        self._shown = tuple(dice)
        return self._picture

    def _around(self, die: Die) -> Box | None:
        sprite, shadow = self._sprites[die], self._shadows[die]
        boxes = [b for b in (sprite and sprite.region, shadow and shadow[0]) if b]
        if not boxes:
            return None
        x0, y0, x1, y1 = zip(*boxes, strict=True)
        return min(x0), min(y0), max(x1), max(y1)

    def _paint(self, region: Box, order: Sequence[Die]) -> None:
        x0, y0, x1, y1 = region
        crop = self.table[y0:y1, x0:x1].astype(np.float32)
        for die in order:
            shadow = self._shadows[die]
            if shadow is not None:
                darken(crop, (x0, y0), *shadow)
        for die in order:
            sprite = self._sprites[die]
            if sprite is not None:
                cover_up(crop, (x0, y0), sprite)
        self._picture[y0:y1, x0:x1] = np.rint(crop).astype(np.uint8)

    def fly(self, picture: Image, dice: Sequence[Flying], shutter_s: float = 0.016) -> None:
        """Paint dice on their way over a picture, in place; fast ones are smeared."""
        for flying in dice:
            shadow = self.shadow(flying.centre, flying.turn)
            if shadow is not None:
                _on(picture, shadow[0], lambda crop, at, s=shadow: darken(crop, at, *s))
        for flying in dice:
            sprite = self.sprite(flying.die, flying.centre, flying.turn, samples=1)
            if sprite is None:
                continue
            smear = flying.speed * shutter_s * self.px_per_mm((flying.centre[0], flying.centre[1]))
            if smear > 1.5:
                sprite = _smeared(sprite, smear, self.size)
            _on(picture, sprite.region, lambda crop, at, s=sprite: cover_up(crop, at, s))


def darken(
    crop: NDArray[np.float32], at: tuple[int, int], region: Box, factor: NDArray[np.float32]
) -> None:
    """Multiply the part of a crop (its corner lies at `at`) that a shadow's region covers."""
    x0, y0 = max(region[0], at[0]), max(region[1], at[1])
    x1 = min(region[2], at[0] + crop.shape[1])
    y1 = min(region[3], at[1] + crop.shape[0])
    if x1 > x0 and y1 > y0:
        part = factor[y0 - region[1] : y1 - region[1], x0 - region[0] : x1 - region[0]]
        crop[y0 - at[1] : y1 - at[1], x0 - at[0] : x1 - at[0]] *= part[..., None]


def cover_up(crop: NDArray[np.float32], at: tuple[int, int], sprite: Sprite) -> None:
    """Put a sprite over the part of a crop that it covers."""
    region = sprite.region
    x0, y0 = max(region[0], at[0]), max(region[1], at[1])
    x1 = min(region[2], at[0] + crop.shape[1])
    y1 = min(region[3], at[1] + crop.shape[0])
    if x1 > x0 and y1 > y0:
        rows = slice(y0 - region[1], y1 - region[1])
        columns = slice(x0 - region[0], x1 - region[0])
        target = crop[y0 - at[1] : y1 - at[1], x0 - at[0] : x1 - at[0]]
        target *= 1 - sprite.cover[rows, columns][..., None]
        target += sprite.bgr[rows, columns]


def _on(picture: Image, region: Box, change: object) -> None:
    x0, y0, x1, y1 = region
    crop = picture[y0:y1, x0:x1].astype(np.float32)
    change(crop, (x0, y0))  # type: ignore[operator]
    picture[y0:y1, x0:x1] = np.rint(np.clip(crop, 0, 255)).astype(np.uint8)


def _smeared(sprite: Sprite, length: float, size: tuple[int, int]) -> Sprite:
    """The sprite as a moving thing is seen while the shutter is open: blurred by about its way."""
    pad = math.ceil(length)
    x0, y0, x1, y1 = sprite.region
    grown = (max(0, x0 - pad), max(0, y0 - pad), min(size[0], x1 + pad), min(size[1], y1 + pad))
    around = (y0 - grown[1], grown[3] - y1, x0 - grown[0], grown[2] - x1)
    sigma = max(0.4, length / 3.5)
    bgr = cv2.copyMakeBorder(sprite.bgr, *around, cv2.BORDER_CONSTANT, value=0)
    cover = cv2.copyMakeBorder(sprite.cover, *around, cv2.BORDER_CONSTANT, value=0)
    return Sprite(
        grown,
        np.asarray(cv2.GaussianBlur(bgr, (0, 0), sigma), np.float32),
        np.asarray(cv2.GaussianBlur(cover, (0, 0), sigma), np.float32),
    )
