"""Tables with a drawn, printed or cloth grid of 6 x 3 cells without our markers, and tables that only look like one.

Every picture comes with exact truth: where the grid's corners are in it, and where its dice. `lawn evaluate --grids`
measures the grid finder on them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.compose import HEIGHT, WIDTH, Sheet, draw, view_of
from datasets.die import Lamp
from datasets.scenes import Camera, PlacedDie, Scene, random_sets

PX_PER_MM = 4
QUIET_SURFACES = ("wood", "cloth", "felt", "paper", "carpet")
STYLES = ("pencil", "pen", "printed", "thick", "chalk", "boxes", "cloth", "tape")
LOOKALIKES = (
    "bare", "planks", "tiles", "checked", "keyboard", "chessboard", "ruled", "calendar", "bricks", "pattern", "rows",
)  # fmt: skip

Array = NDArray[np.float64]


@dataclass(frozen=True)
class GridLook:
    """How a grid is made: a style of STYLES, cell (width, height) mm, line width mm, ink and its opacity 0..1,
    how far a hand-drawn line strays (mm), whether row numbers stand beside it, and whether it lies on a sheet."""

    style: str
    cell_mm: tuple[float, float]
    line_mm: float
    ink: tuple[float, float, float]
    opacity: float
    stray_mm: float
    numbers: bool
    sheet: tuple[float, float, float] | None


@dataclass(frozen=True)
class GridTable:
    """A picture (H, W, 3) uint8 BGR and its truth.

    corners: (4, 2) px of row 1 left, row 1 right, row 6 right, row 6 left; to_px: (3, 3) mat mm to px before the
    lens bent it; dice: (box px, face); name: style or kind, for reports; numbers: whether row numbers stand beside it.
    """

    image: NDArray[np.uint8]
    corners: Array | None
    to_px: Array | None
    cell_mm: tuple[float, float]
    dice: tuple[tuple[tuple[float, float, float, float], int], ...]
    name: str
    elevation_deg: float
    numbers: bool = False


def random_look(rng: np.random.Generator, style: str | None = None) -> GridLook:
    """A grid of that style (default: any), its cells 24 to 48 mm and 0.6 to 1.8 times as wide as high."""
    style = style or str(rng.choice(STYLES))
    ratio = math.exp(rng.uniform(math.log(0.6), math.log(1.8)))
    side = rng.uniform(30, 42)
    cell = (side * math.sqrt(ratio), side / math.sqrt(ratio))
    dark = tuple(rng.uniform(0.02, 0.25, 3))
    white = (0.95, 0.94, 0.9)
    widths = {"pencil": 0.6, "pen": 0.9, "printed": 1.2, "thick": 3.0, "chalk": 2.0, "boxes": 1.0}
    line = widths.get(style, 2.5) * rng.uniform(0.8, 1.25)
    ink, opacity, stray = dark, 0.95, 0.0
    sheet: tuple[float, float, float] | None = None
    if style in ("pencil", "pen"):
        sheet, stray = (0.93, 0.92, 0.88), rng.uniform(0, 0.6)
        ink, opacity = (0.3, 0.3, 0.32), rng.uniform(0.4, 0.7) if style == "pencil" else 0.9
    elif style in ("printed", "boxes"):
        sheet = tuple(rng.uniform(0.75, 0.97, 3)) if rng.random() < 0.6 else (0.2, 0.42, 0.22)
        ink = white if sum(sheet) < 1.5 else dark
    elif style == "chalk":
        ink, opacity, stray = white, 0.75, 0.6
        sheet = (0.15, 0.17, 0.16)
    elif style == "cloth":
        sheet = tuple(rng.uniform(0.15, 0.6, 3))
        ink = white
    elif style == "tape":
        ink, line = (0.88, 0.8, 0.55), 5.0 * rng.uniform(0.8, 1.2)
    return GridLook(style, cell, line, ink, opacity, stray, bool(rng.random() < 0.4), sheet)


def grid_sheet(look: GridLook, rng: np.random.Generator) -> Sheet:
    """The grid on its sheet, the lawn's middle at the table's origin, row 1 away from the side y < 0."""
    wide, high = look.cell_mm
    margin = float(rng.uniform(14, 30))
    size = (3 * wide + 2 * margin, 6 * high + 2 * margin)
    px = (round(size[0] * PX_PER_MM), round(size[1] * PX_PER_MM))
    ink = np.zeros((px[1], px[0]), np.uint8)

    def spot(x: float, y: float) -> tuple[int, int]:
        """Lawn mm to px, in 1/16 px as cv2.line(shift=4) takes them."""
        return round((x + margin) * PX_PER_MM * 16), round((y + margin) * PX_PER_MM * 16)

    def stroke(start: tuple[float, float], end: tuple[float, float]) -> None:
        bow = rng.normal(0, look.stray_mm / 2, 2)
        ends = np.array([start, end]) + rng.normal(0, look.stray_mm / 3, (2, 2))
        steps = np.linspace(0, 1, 9)[:, None]
        path = ends[0] + (ends[1] - ends[0]) * steps + np.sin(np.pi * steps) * bow
        points = np.array([spot(x, y) for x, y in path], np.int32)
        width = max(1, round(look.line_mm * PX_PER_MM))
        cv2.polylines(ink, [points], False, 255, width, cv2.LINE_AA, shift=4)

    if look.style == "boxes":
        gap = 1.5
        for row in range(6):
            for column in range(3):
                x0, y0 = column * wide + gap, row * high + gap
                x1, y1 = (column + 1) * wide - gap, (row + 1) * high - gap
                around = [(x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0)]
                for start, end in pairwise(around):
                    stroke(start, end)
    else:
        for column in range(4):
            stroke((column * wide, 0), (column * wide, 6 * high))
        for row in range(7):
            stroke((0, row * high), (3 * wide, row * high))
    if look.numbers:
        scale = min(high, 30) / 30
        for row in range(6):
            where = (
                round((margin - 11) * PX_PER_MM),
                round((margin + (row + 0.65) * high) * PX_PER_MM),
            )
            cv2.putText(
                ink, str(row + 1), where, cv2.FONT_HERSHEY_DUPLEX, 1.6 * scale, 255, 3, cv2.LINE_AA
            )
    cover = ink.astype(np.float32) / 255 * look.opacity
    rgba = np.zeros((*ink.shape, 4), np.float32)
    if look.sheet is None:
        rgba[..., :3], rgba[..., 3] = look.ink, cover
    else:
        fibre = rng.normal(0, 0.015, ink.shape).astype(np.float32)
        share = cover[..., None]
        blend = np.array(look.sheet) * (1 - share) + np.array(look.ink) * share
        rgba[..., :3], rgba[..., 3] = np.clip(blend + fibre[..., None], 0, 1), 1.0
    step, x0, y0 = 1 / PX_PER_MM, -margin - 1.5 * wide, margin + 3 * high
    return Sheet(rgba, np.array([[step, 0, x0], [0, -step, y0], [0, 0, 1.0]]))


def grid_table(
    seed: int,
    style: str | None = None,
    elevation_deg: float | None = None,
    dice: int | None = None,
    neutral: bool = False,
    surface: str | None = None,
    bend: float | None = None,
    clean: bool = False,
) -> GridTable:
    """A table with a grid, the same for the same arguments; what is not given is drawn by lot.

    dice: how many lie on the lawn, 0 to 18; neutral: the six of the two-player set-up lie in the centers (1:2.C);
    bend: the lens's first radial coefficient in units of the picture's half diagonal.
    """
    rng = np.random.default_rng([seed, 11])
    look = random_look(rng, style)
    sheet = grid_sheet(look, rng)
    lying = lawn_dice(
        rng, look.cell_mm, int(rng.integers(0, 15)) if dice is None else dice, neutral
    )
    elevation = rng.uniform(25, 90) if elevation_deg is None else elevation_deg
    camera = camera_for(look.cell_mm, float(elevation), rng)
    dark = look.sheet is None and look.ink[0] > 0.5
    tops = ("wood", "felt", "carpet") if dark else QUIET_SURFACES
    scene = Scene(
        "lawn", tuple(lying), camera, _lamp(rng), surface or str(rng.choice(tops)), False, seed
    )
    drawn = draw(scene, clean=clean, sheet=sheet)
    view = view_of(camera, WIDTH, HEIGHT)
    to_px = view.homography() @ lawn_to_table(look.cell_mm)
    corners = np.asarray(cv2.perspectiveTransform(lawn_corners(look.cell_mm)[None], to_px)[0])
    k = float(rng.uniform(-0.06, 0.03)) if bend is None else bend
    image, boxes = drawn.image, [die.box for die in drawn.dice]
    if k:
        image, corners = bent_picture(image, k), bent(corners, k)
        boxes = [tuple(bent(np.reshape(box, (2, 2)), k).ravel()) for box in boxes]  # type: ignore[misc]
    truth = tuple((box, die.face) for box, die in zip(boxes, drawn.dice, strict=True))
    angle = float(elevation)
    return GridTable(image, corners, to_px, look.cell_mm, truth, look.style, angle, look.numbers)


BUMPS = ("move", "tilt", "roll")


def bumped_tables(
    seed: int, surface: str, bump: str, sheet: bool = True, size: float = 1.0
) -> tuple[GridTable, GridTable]:
    """The same table before and after its camera was bumped, with other noise and exposure.

    bump: "move" 50 mm along the table, "tilt" or "roll" 10 degrees; size: so many times that. sheet: whether there
    is a printed grid at all; without one, `corners` are where the lawn is only said to be.
    """
    rng = np.random.default_rng([seed, 13])
    look = random_look(rng, "printed")
    grid = grid_sheet(look, rng)
    dice = tuple(lawn_dice(rng, look.cell_mm, int(rng.integers(0, 10)), False))
    camera = camera_for(look.cell_mm, float(rng.uniform(40, 85)), rng)
    camera = replace(camera, distance_mm=1.15 * camera.distance_mm)
    way = rng.uniform(0, 2 * math.pi)
    if bump == "move":
        at = np.array(camera.look_at) + 50 * size * np.array([math.cos(way), math.sin(way)])
        moved = replace(camera, look_at=(float(at[0]), float(at[1])))
    elif bump == "roll":
        moved = replace(camera, roll=camera.roll + math.radians(10 * size) * (1 if way < 3 else -1))
    else:
        moved = _tilted(camera, math.radians(10 * size))
    lamp = _lamp(rng)
    shots = []
    for number, each in enumerate((camera, moved)):
        scene = Scene("lawn", dice, each, lamp, surface, False, seed)
        drawn = draw(scene, clean=True, sheet=grid if sheet else None)
        light = drawn.image.astype(np.float32) * (1.0, 0.9)[number]
        light += rng.normal(0, 2.5, light.shape).astype(np.float32)
        image = np.asarray(np.clip(light, 0, 255), np.uint8)
        to_px = view_of(each, WIDTH, HEIGHT).homography() @ lawn_to_table(look.cell_mm)
        corners = np.asarray(cv2.perspectiveTransform(lawn_corners(look.cell_mm)[None], to_px)[0])
        truth = tuple((die.box, die.face) for die in drawn.dice)
        angle = 90 - math.degrees(each.tilt)
        shots.append(GridTable(image, corners, to_px, look.cell_mm, truth, surface, angle))
    return shots[0], shots[1]


def _tilted(camera: Camera, angle: float) -> Camera:
    """The camera turned upwards or downwards where it stands (towards straight down if it can)."""
    tilt = camera.tilt - angle if camera.tilt > angle else camera.tilt + angle
    height = camera.distance_mm * math.cos(camera.tilt)
    way = np.array([math.cos(camera.azimuth), math.sin(camera.azimuth)])
    at = np.array(camera.look_at) + height * (math.tan(camera.tilt) - math.tan(tilt)) * way
    return replace(
        camera, tilt=tilt, distance_mm=height / math.cos(tilt), look_at=(float(at[0]), float(at[1]))
    )


def lawn_corners(cell_mm: tuple[float, float]) -> Array:
    """(4, 2) mat mm: row 1 left, row 1 right, row 6 right, row 6 left."""
    return np.asarray(np.array([[0, 0], [3, 0], [3, 6], [0, 6]]) * np.array(cell_mm))


def lawn_to_table(cell_mm: tuple[float, float]) -> Array:
    """(3, 3) from mat mm to this package's table mm (y away from the camera's side)."""
    shift = np.array([-1.5 * cell_mm[0], 3 * cell_mm[1]])
    return np.array([[1, 0, shift[0]], [0, -1, shift[1]], [0, 0, 1.0]])


def lawn_dice(
    rng: np.random.Generator, cell_mm: tuple[float, float], count: int, neutral: bool
) -> list[PlacedDie]:
    """Dice on `count` places of the lawn showing their rows' faces, and the rest of two sets around it."""
    sets = [replace(style, edge_mm=16.0) for style in random_sets(3, rng)]
    wide, high = cell_mm
    slack = max(min(cell_mm) - 18, 2) / 4
    dice = []
    places = [(row, column) for row in range(6) for column in range(3)]
    chosen = [places[i] for i in rng.permutation(18)[:count]]
    if neutral:
        chosen = [(row, 1) for row in range(6)] + [place for place in chosen if place[1] != 1]
    for row, column in chosen:
        style = sets[2] if neutral and column == 1 else sets[int(rng.integers(2))]
        x = (column - 1) * wide + rng.uniform(-slack, slack)
        y = (2.5 - row) * high + rng.uniform(-slack, slack)
        dice.append(PlacedDie(style, row + 1, x, y, rng.normal(0, 0.4)))
    for seat, side in enumerate((-1, 1)):
        for index in range(int(rng.integers(0, 9))):
            y = (index - 3.5) * 21 + rng.normal(0, 1)
            x = side * (1.5 * wide + 45) + rng.normal(0, 2)
            dice.append(PlacedDie(sets[seat], int(rng.integers(1, 7)), x, y, rng.normal(0, 0.3)))
    return dice


def camera_for(
    cell_mm: tuple[float, float], elevation_deg: float, rng: np.random.Generator
) -> Camera:
    """A camera at that elevation which sees the whole lawn, filling 45 to 80 % of the picture one way or the other."""
    corners = np.column_stack(
        [lawn_corners(cell_mm) - [1.5 * cell_mm[0], 3 * cell_mm[1]], np.zeros(4)]
    )
    fill = rng.uniform(0.45, 0.8)
    camera = Camera(
        distance_mm=900.0,
        tilt=math.radians(90 - elevation_deg),
        azimuth=rng.uniform(-math.pi, math.pi),
        roll=rng.uniform(-0.2, 0.2),
        focal=rng.uniform(0.8, 1.2),
        look_at=(rng.uniform(-10, 10), rng.uniform(-10, 10)),
    )
    for _ in range(4):
        seen = view_of(camera, WIDTH, HEIGHT).project(corners)
        half = np.abs(seen - [WIDTH / 2, HEIGHT / 2]).max(0) / [WIDTH / 2, HEIGHT / 2]
        camera = replace(camera, distance_mm=camera.distance_mm * float(half.max()) / fill)
    return camera


def lookalike(seed: int, kind: str | None = None) -> GridTable:
    """A table without a 6 x 3 grid, of a kind of LOOKALIKES; dice lie on most of them."""
    rng = np.random.default_rng([seed, 12])
    kind = kind or str(rng.choice(LOOKALIKES))
    cell = (float(rng.uniform(26, 44)), float(rng.uniform(26, 44)))
    camera = camera_for(cell, float(rng.uniform(25, 90)), rng)
    dice = lawn_dice(rng, cell, int(rng.integers(0, 12)), False)
    surfaces = {"planks": "wood", "tiles": "tiles", "pattern": "pattern"}
    surface = surfaces.get(kind, str(rng.choice(QUIET_SURFACES)))
    scene = Scene("lawn", tuple(dice), camera, _lamp(rng), surface, False, seed)
    sheet = _LOOKALIKE_SHEETS[kind](rng) if kind in _LOOKALIKE_SHEETS else None
    drawn = draw(scene, sheet=sheet)
    truth = tuple((die.box, die.face) for die in drawn.dice)
    return GridTable(drawn.image, None, None, cell, truth, kind, 90 - math.degrees(camera.tilt))


def _in_the_middle(rgba: NDArray[np.float32], px_per_mm: float) -> Sheet:
    """A sheet (h, w, 4) whose middle lies at the table's origin."""
    height, width = rgba.shape[:2]
    x0, y0, step = (1 - width) / 2 / px_per_mm, (height - 1) / 2 / px_per_mm, 1 / px_per_mm
    return Sheet(rgba, np.array([[step, 0, x0], [0, -step, y0], [0, 0, 1.0]]))


def _lines_sheet(
    rng: np.random.Generator,
    columns: int,
    rows: int,
    cell: tuple[float, float],
    fill: Callable[[int, int], bool] | None = None,
) -> Sheet:
    """A sheet of columns x rows cells with lines around them, or filled where `fill` says so."""
    px = (round(columns * cell[0] * PX_PER_MM), round(rows * cell[1] * PX_PER_MM))
    edge = 4 * PX_PER_MM
    ground, ink = rng.uniform(0.7, 0.97, 3), rng.uniform(0.02, 0.5, 3)
    rgba = np.ones((px[1] + 2 * edge, px[0] + 2 * edge, 4), np.float32)
    rgba[..., :3] = ground
    width = int(rng.integers(2, 9))
    for column in range(columns + 1):
        x = edge + round(column * cell[0] * PX_PER_MM)
        if fill is None:
            rgba[edge : edge + px[1], max(0, x - width // 2) : x + width // 2 + 1, :3] = ink
        for row in range(rows) if column < columns and fill is not None else ():
            if fill is not None and fill(column, row):
                y = edge + round(row * cell[1] * PX_PER_MM)
                rgba[y : y + round(cell[1] * PX_PER_MM), x : x + round(cell[0] * PX_PER_MM), :3] = (
                    ink
                )
    for row in range(rows + 1 if fill is None else 0):
        y = edge + round(row * cell[1] * PX_PER_MM)
        rgba[max(0, y - width // 2) : y + width // 2 + 1, edge : edge + px[0], :3] = ink
    return _in_the_middle(rgba, PX_PER_MM)


def _checked(rng: np.random.Generator) -> Sheet:
    """A checked table cloth: wide stripes both ways that darken where they cross, without an end in the picture."""
    side = float(rng.uniform(18, 50))
    count = int(1600 / side)
    line = (np.arange(count * side) // side).astype(int) % 2
    colour = rng.uniform(0.1, 0.7, 3)
    share = (line[:, None] + line[None, :]) / 2
    rgba = np.ones((*share.shape, 4), np.float32)
    rgba[..., :3] = 0.93 * (1 - share[..., None]) + colour * share[..., None]
    return _in_the_middle(rgba, 1)


def _keyboard(rng: np.random.Generator) -> Sheet:
    """Rows of keys, each row shifted as on a keyboard, or straight as on a calculator."""
    key = float(rng.uniform(17, 22))
    columns, rows = (int(rng.integers(4, 15)), int(rng.integers(4, 6)))
    shift = float(rng.choice([0.0, key / 4]))
    px = (round((columns + 1.5) * key * PX_PER_MM), round((rows + 0.5) * key * PX_PER_MM))
    rgba = np.ones((px[1], px[0], 4), np.float32)
    rgba[..., :3] = rng.uniform(0.05, 0.9)
    cap = rng.uniform(0.05, 0.95, 3)
    for row in range(rows):
        for column in range(columns):
            x = round((column + 0.3) * key * PX_PER_MM + row * shift * PX_PER_MM)
            y = round((row + 0.25) * key * PX_PER_MM)
            end = round((key - 2.5) * PX_PER_MM)
            rgba[y : y + end, x : x + end, :3] = cap
    return _in_the_middle(rgba, PX_PER_MM)


def _bricks(rng: np.random.Generator) -> Sheet:
    """Rows of bricks, every other one shifted by half."""
    wide, high = float(rng.uniform(50, 90)), float(rng.uniform(22, 40))
    px = 1400
    rgba = np.ones((px, px, 4), np.float32)
    rgba[..., :3] = rng.uniform(0.3, 0.8, 3)
    for row in range(int(px / high) + 1):
        y = round(row * high)
        rgba[y : y + 3, :, :3] = 0.9
        for column in range(int(px / wide) + 1):
            x = round((column + 0.5 * (row % 2)) * wide)
            rgba[y : y + round(high), x : x + 3, :3] = 0.9
    return _in_the_middle(rgba, 1)


def _other_grid(rng: np.random.Generator) -> Sheet:
    """A grid that is not the lawn's: a calendar's 7 x 5, 4 x 6, 3 x 5, 5 x 5, 3 x 7 ..."""
    shapes = [(7, 5), (7, 6), (4, 6), (3, 5), (5, 5), (3, 7), (2, 6), (8, 8)]
    columns, rows = shapes[int(rng.integers(len(shapes)))]
    return _lines_sheet(
        rng, columns, rows, (float(rng.uniform(20, 36)), float(rng.uniform(20, 36)))
    )


_LOOKALIKE_SHEETS: dict[str, Callable[[np.random.Generator], Sheet]] = {
    "checked": _checked,
    "keyboard": _keyboard,
    "chessboard": lambda rng: _lines_sheet(rng, 8, 8, (30.0, 30.0), lambda c, r: (c + r) % 2 == 0),
    "ruled": lambda rng: _lines_sheet(rng, 1, int(rng.integers(18, 30)), (190.0, 9.0)),
    "rows": lambda rng: _lines_sheet(rng, 1, 6, (120.0, float(rng.uniform(24, 36)))),
    "calendar": _other_grid,
    "bricks": _bricks,
}


def _lamp(rng: np.random.Generator) -> Lamp:
    turn, height = rng.uniform(0, 2 * math.pi), rng.uniform(0.5, 1.0)
    flat = math.sqrt(1 - height**2)
    direction = (flat * math.cos(turn), flat * math.sin(turn), float(height))
    return Lamp(direction, float(rng.uniform(0.25, 0.75)), (1.0, 1.0, 1.0), (1.0, 1.0, 1.0))


def bent(points: Array, k: float, width: int = WIDTH, height: int = HEIGHT) -> Array:
    """Straight picture points (N, 2) px to where a lens of radial coefficient k shows them."""
    middle, reach = np.array([width / 2, height / 2]), math.hypot(width, height) / 2
    away = (np.asarray(points, np.float64) - middle) / reach
    return np.asarray(middle + away * (1 + k * (away**2).sum(1, keepdims=True)) * reach)


def bent_picture(image: NDArray[np.uint8], k: float) -> NDArray[np.uint8]:
    """The picture (H, W, 3) as a lens of radial coefficient k shows it."""
    height, width = image.shape[:2]
    grid = np.stack(np.meshgrid(np.arange(width), np.arange(height)), -1).reshape(-1, 2)
    middle, reach = np.array([width / 2, height / 2]), math.hypot(width, height) / 2
    goal = (grid + 0.5 - middle) / reach
    straight = goal.copy()
    for _ in range(6):  # fixed point of straight * (1 + k r^2) = goal
        straight = goal / (1 + k * (straight**2).sum(1, keepdims=True))
    source = (straight * reach + middle - 0.5).astype(np.float32).reshape(height, width, 2)
    seen = cv2.remap(image, source, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.uint8)
