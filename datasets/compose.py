"""Draw tables of `datasets.scenes` in about half a second each, with exact truth.

Every die is ray-marched on its own (datasets.die), put over the table top with its shadow, nearest last, and the whole
is spoiled as a cheap camera would. `lawn render` writes them in the layout that training reads::

    OUT/images/NAME.jpg     1280x720
    OUT/labels/NAME.txt     YOLO lines, class 0..5 = top face 1..6, box of the whole visible die
    OUT/truth/NAME.json     {"dice": [{"box", "face", "colour", "visible"}], "seed", "kind"}
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.die import draw_die
from datasets.scenes import Camera, PlacedDie, Scene, random_scene
from datasets.surfaces import SURFACE_MM, SURFACE_PX, SURFACES, print_lawn
from datasets.table_files import make_missing, write_files
from datasets.tiles import spoil

WIDTH, HEIGHT = 1280, 720
SAMPLES = 2
"""Rays per pixel and direction."""
LOOSE = 0.04
"""Boxes are this much wider than the silhouette on each side, as those of the real photographs are."""
LEAST_VISIBLE = 0.6
"""A die of which less is visible is not in the truth: its face cannot be told."""


@dataclass(frozen=True)
class View:
    """A camera's matrices: `position` (3,) mm, `turn` (3, 3) table axes to camera axes (x right, y down, z ahead),
    `focal` px and picture centre px."""

    position: NDArray[np.float64]
    turn: NDArray[np.float64]
    focal: float
    centre: tuple[float, float]

    def project(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Table points (N, 3) mm to picture points (N, 2) px."""
        seen = (points - self.position) @ self.turn.T
        return np.asarray(seen[:, :2] / seen[:, 2:] * self.focal + np.array(self.centre))

    def homography(self) -> NDArray[np.float64]:
        """(3, 3) from table x, y mm (z = 0) to picture px."""
        k = np.array(
            [[self.focal, 0, self.centre[0]], [0, self.focal, self.centre[1]], [0, 0, 1.0]]
        )
        columns = np.column_stack([self.turn[:, 0], self.turn[:, 1], -self.turn @ self.position])
        return np.asarray(k @ columns)


def view_of(camera: Camera, width: int, height: int) -> View:
    """The matrices of a scene's camera for pictures of that size."""
    target = np.array([*camera.look_at, 0.0])
    away = np.array(
        [
            math.sin(camera.tilt) * math.cos(camera.azimuth),
            math.sin(camera.tilt) * math.sin(camera.azimuth),
            math.cos(camera.tilt),
        ]
    )
    position = target + away * camera.distance_mm
    ahead = -away
    # Seen from straight above, the side that faces away from the camera is up in the picture.
    up = np.array([-math.cos(camera.azimuth), -math.sin(camera.azimuth), 0.0])
    right = np.cross(ahead, up)
    right /= np.linalg.norm(right)
    down = np.cross(ahead, right)
    c, s = math.cos(camera.roll), math.sin(camera.roll)
    turn = np.array([c * right + s * down, -s * right + c * down, ahead])
    return View(position, turn, camera.focal * width, (width / 2, height / 2))


@dataclass(frozen=True)
class DrawnDie:
    """Truth of a drawn die: box x0 y0 x1 y1 px, top face, colour name, visible share 0..1, centre on the table mm."""

    box: tuple[float, float, float, float]
    face: int
    colour: str
    visible: float
    xy_mm: tuple[float, float]


@dataclass(frozen=True)
class DrawnTable:
    """A drawn picture, (H, W, 3) uint8 BGR, and the truth of its dice."""

    image: NDArray[np.uint8]
    dice: tuple[DrawnDie, ...]


@dataclass(frozen=True)
class Sheet:
    """Something flat that lies on the table top.

    rgba (h, w, 4) float32 sRGB and cover, 0..1; to_mm (3, 3): its pixels (whole numbers are their middles) to table mm.
    """

    rgba: NDArray[np.float32]
    to_mm: NDArray[np.float64]


def draw(
    scene: Scene,
    width: int = WIDTH,
    height: int = HEIGHT,
    clean: bool = False,
    sheet: Sheet | None = None,
) -> DrawnTable:
    """Draw a scene; the same scene gives the same picture.

    clean: without the camera's faults. sheet: lies on the table top, below the dice.
    """
    rng = np.random.default_rng([scene.seed, 7])
    view = view_of(scene.camera, width, height)
    picture = table_top(scene, view, width, height, rng, sheet)
    picture *= _shadows(scene, view, width, height)[..., None]
    pattern = np.column_stack([rng.normal(0, 3.0, (6, 3)), rng.uniform(0, 2 * math.pi, 6)])
    near_last = sorted(
        scene.dice,
        key=lambda die: (
            -float(np.linalg.norm(view.position - [die.x_mm, die.y_mm, die.style.edge_mm / 2]))
        ),
    )
    covers: list[tuple[PlacedDie, tuple[int, int, int, int], NDArray[np.float64]]] = []
    for die in near_last:
        drawn = _draw_one(die, scene, view, pattern, width, height)
        if drawn is None:
            continue
        (x0, y0, x1, y1), rgb, cover = drawn
        region = picture[y0:y1, x0:x1]
        region *= (1 - cover)[..., None]
        region += rgb
        covers.append((die, (x0, y0, x1, y1), cover))
    exposed = np.clip(picture * rng.uniform(0.85, 1.2), 0, 1) ** (1 / 2.2)
    image = np.ascontiguousarray((exposed[..., ::-1] * 255).astype(np.uint8))
    return DrawnTable(image if clean else spoil(image, rng), tuple(_truth(covers, width, height)))


def table_top(
    scene: Scene,
    view: View,
    width: int,
    height: int,
    rng: np.random.Generator,
    sheet: Sheet | None = None,
) -> NDArray[np.float64]:
    """The lit table without dice, linear rgb (H, W, 3)."""
    top = np.ascontiguousarray(SURFACES[scene.surface](rng), np.float32)
    if scene.mat:
        print_lawn(top, rng)
    scale = SURFACE_MM / SURFACE_PX
    to_mm = np.array([[scale, 0, -SURFACE_MM / 2], [0, -scale, SURFACE_MM / 2], [0, 0, 1.0]])
    warped = cv2.warpPerspective(
        top,
        view.homography() @ to_mm,
        (width, height),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REFLECT,
    )
    if sheet is not None:
        laid = _laid(sheet, view, width, height)
        warped = warped * (1 - laid[..., 3:]) + laid[..., :3]
    lamp = scene.lamp
    light = lamp.strength * lamp.direction[2] * np.array(lamp.colour) + (
        1 - lamp.strength
    ) * np.array(lamp.sky)
    falloff = 1 + 0.25 * rng.uniform(-1, 1) * np.linspace(-1, 1, width)[None, :, None]
    return np.asarray(np.clip(warped, 0, 1).astype(np.float64) ** 2.2 * light * falloff)


def _laid(sheet: Sheet, view: View, width: int, height: int) -> NDArray[np.float32]:
    """The sheet as the camera sees it (H, W, 4), colours weighted by cover; four rays a pixel keep thin lines."""
    # `View` counts from the first pixel's corner, OpenCV from its middle.
    twice = np.array([[2, 0, -0.5], [0, 2, -0.5], [0, 0, 1.0]]) @ view.homography() @ sheet.to_mm
    weighted = np.dstack([sheet.rgba[..., :3] * sheet.rgba[..., 3:], sheet.rgba[..., 3]])
    large = cv2.warpPerspective(weighted, twice, (2 * width, 2 * height), flags=cv2.INTER_LINEAR)
    return np.asarray(cv2.resize(large, (width, height), interpolation=cv2.INTER_AREA))


def _shadows(scene: Scene, view: View, width: int, height: int) -> NDArray[np.float64]:
    """How much light reaches the table at each pixel (H, W), 0..1."""
    lamp = scene.lamp
    slope = np.array(lamp.direction[:2]) / lamp.direction[2]
    hard = np.zeros((height, width), np.float32)
    contact = np.zeros((height, width), np.float32)
    for die in scene.dice:
        edge = die.style.edge_mm
        corners = _corners(die)
        ground = corners.copy()
        ground[:, :2] -= slope * ground[:, 2:]
        ground[:, 2] = 0
        hull = cv2.convexHull(view.project(ground).astype(np.float32)).astype(np.int32)
        cv2.fillConvexPoly(hard, hull, 1.0)
        foot = corners.copy()
        foot[:, 2] = 0
        foot[:, :2] += (foot[:, :2] - [die.x_mm, die.y_mm]) * 0.15
        cv2.fillConvexPoly(
            contact, cv2.convexHull(view.project(foot).astype(np.float32)).astype(np.int32), 1.0
        )
        size = edge * view.focal / scene.camera.distance_mm
    softness = max(0.6, size * (0.05 + 0.25 * (1 - lamp.strength))) if scene.dice else 1.0
    hard = cv2.GaussianBlur(hard, (0, 0), softness)
    contact = cv2.GaussianBlur(contact, (0, 0), max(0.6, size * 0.12) if scene.dice else 1.0)
    return np.asarray((1 - lamp.strength * 0.85 * hard) * (1 - 0.45 * contact), np.float64)


def _corners(die: PlacedDie) -> NDArray[np.float64]:
    """The eight corners (8, 3) of a die's cube on the table, mm."""
    half = die.style.edge_mm / 2
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    turned = signs * half @ _turn(die.yaw).T
    return np.asarray(turned + np.array([die.x_mm, die.y_mm, half]))


def _turn(yaw: float) -> NDArray[np.float64]:
    c, s = math.cos(yaw), math.sin(yaw)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])


def _draw_one(
    die: PlacedDie, scene: Scene, view: View, pattern: NDArray[np.float64], width: int, height: int
) -> tuple[tuple[int, int, int, int], NDArray[np.float64], NDArray[np.float64]] | None:
    """A die's pixel region x0 y0 x1 y1, its light (h, w, 3) already weighted by its cover (h, w); None off picture."""
    outline = view.project(_corners(die))
    x0, y0 = np.floor(outline.min(0)).astype(int) - 1
    x1, y1 = np.ceil(outline.max(0)).astype(int) + 2
    x0, y0, x1, y1 = max(int(x0), 0), max(int(y0), 0), min(int(x1), width), min(int(y1), height)
    if x1 <= x0 or y1 <= y0:
        return None
    across = (np.arange((x1 - x0) * SAMPLES) + 0.5) / SAMPLES + x0
    down = (np.arange((y1 - y0) * SAMPLES) + 0.5) / SAMPLES + y0
    u, v = np.meshgrid(across, down)
    rays = np.stack(
        [(u - view.centre[0]) / view.focal, (v - view.centre[1]) / view.focal, np.ones_like(u)],
        axis=-1,
    ).reshape(-1, 3)
    rays /= np.linalg.norm(rays, axis=1, keepdims=True)
    centre = np.array([die.x_mm, die.y_mm, die.style.edge_mm / 2])
    rgb, cover = draw_die(
        view.position - centre,
        rays @ view.turn,
        _turn(die.yaw),
        die.face,
        die.style,
        scene.lamp,
        pattern,
    )
    shape = (y1 - y0, SAMPLES, x1 - x0, SAMPLES)
    return (
        (x0, y0, x1, y1),
        rgb.reshape(*shape, 3).mean((1, 3)),
        cover.reshape(shape).mean((1, 3)),
    )


def _truth(
    covers: list[tuple[PlacedDie, tuple[int, int, int, int], NDArray[np.float64]]],
    width: int,
    height: int,
) -> list[DrawnDie]:
    """Truth of the dice, drawn in this order (later ones hide earlier ones)."""
    hidden = np.zeros((height, width))
    found = []
    for die, (x0, y0, x1, y1), cover in reversed(covers):
        region = hidden[y0:y1, x0:x1]
        total = cover.sum()
        visible = (cover * (1 - region)).sum() / max(total, 1e-9)
        np.maximum(region, cover, out=region)
        at_edge = x0 == 0 or y0 == 0 or x1 == width or y1 == height
        rows, columns = np.flatnonzero(cover.max(1) > 0.5), np.flatnonzero(cover.max(0) > 0.5)
        if visible < LEAST_VISIBLE or at_edge or not len(rows):
            continue
        left, right = x0 + columns[0], x0 + columns[-1] + 1
        above, below = y0 + rows[0], y0 + rows[-1] + 1
        dx, dy = (right - left) * LOOSE, (below - above) * LOOSE
        box = (
            max(0.0, float(left - dx)),
            max(0.0, float(above - dy)),
            min(float(width), float(right + dx)),
            min(float(height), float(below + dy)),
        )
        share = round(float(visible), 3)
        found.append(DrawnDie(box, die.face, die.style.colour, share, (die.x_mm, die.y_mm)))
    return found[::-1]


def write_table(table: DrawnTable, scene: Scene, out: Path, name: str) -> None:
    """Write picture, labels and truth below `out`. Raises RenderError."""
    dice = [
        {
            "box": [round(v, 1) for v in die.box],
            "face": die.face,
            "colour": die.colour,
            "visible": die.visible,
        }
        for die in table.dice
    ]
    truth = {"dice": dice, "seed": scene.seed, "kind": scene.kind, "surface": scene.surface}
    write_files(table.image, [(die.box, die.face) for die in table.dice], truth, out, name)


def render(count: int, seed: int, out: Path) -> int:
    """Draw `count` tables from `seed` on into `out`; those already there are kept. Returns how many were drawn.

    Raises RenderError when `out` cannot be written.
    """

    def make(number: int, name: str) -> None:
        scene = random_scene(number)
        write_table(draw(scene), scene, out, name)

    return make_missing(range(seed, seed + count), out, "table", "drawing tables", make)
