"""Tables on our printed mat, drawn with exact truth: dice on the Lawn, in rows, captured and elsewhere.

They measure how well the mat is found and dice are located on it (`lawn evaluate --mat`). The truth has what
`datasets.compose` writes and, as path-traced tables have it, for every die its centre on the mat `xy_mm`, its `place`
and `edge_mm`, and for the picture `mat` (corners px, paper, dice) and `mirrored`.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.compose import HEIGHT, WIDTH, Sheet, View, draw, view_of
from datasets.die import Lamp
from datasets.scenes import FAINT, Camera, PlacedDie, Scene, faint_style, random_style
from datasets.table_files import make_missing, write_files
from engine.table import LawnPlace, Place
from vision.layout import MatLayout, Point, Rect, lawn_places, printed
from vision.mat_design import Style
from vision.mat_drawing import draw_mat

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

PX_PER_MM = 4.0
HARSH_HEIGHT, HARSH_STRENGTH = (0.3, 0.8), (0.6, 0.95)
"""Sine of a harsh lamp's height over the table, and its share of the light."""
SMALL = (854, 480)
"""Size of most pictures of dice with faint pips, px."""
SURFACES = ("wood", "cloth", "felt", "paper", "tiles", "carpet", "pattern")


@dataclass(frozen=True)
class LocatedDie:
    """Truth of a drawn die: box px, face, colour, centre of its footprint on the mat mm, and its place."""

    box: tuple[float, float, float, float]
    face: int
    colour: str
    xy_mm: Point
    place: Place
    edge_mm: float


@dataclass(frozen=True)
class MatTable:
    """A picture (H, W, 3) uint8 BGR of a mat with dice, and its truth.

    view: the camera, in the table's axes (see `to_table`); corners: (4, 2) px of the Lawn's corners.
    """

    image: Image
    layout: MatLayout
    view: View
    corners: Array
    dice: tuple[LocatedDie, ...]
    paper: str
    mirrored: bool = False


@dataclass(frozen=True)
class MatShot:
    """What to draw: mat, camera and how crowded. elevation and turn in degrees; cover: how many markers are covered."""

    paper: str = "A4"
    dice_mm: int = 16
    style: Style = "colour"
    elevation: float = 60.0
    turn: float = 0.0
    roll: float = 0.0
    focal: float = 0.9
    spare: float = 1.03
    """How much farther away the camera is than to see just all of the mat."""
    surface: str = "wood"
    dice: int = 20
    cover: int = 0
    mirrored: bool = False
    clean: bool = True
    blur: float = 0.0
    harsh: bool = False
    """A low, bare lamp: long, dark shadows."""
    faint: bool = False
    """Two of the three sets of dice have pips that contrast little with the body."""
    quality: int = 0
    """JPEG's, for a picture that is spoiled as films are, by compression; 0 for none."""
    seed: int = 0


def random_shot(seed: int) -> MatShot:
    """Any mat under any camera that a person would set up, the same for the same seed."""
    rng = np.random.default_rng([seed, 31])
    paper = str(rng.choice(["A4", "A4", "Letter", "A3"]))
    most = {"A4": 20, "Letter": 17, "A3": 25}[paper]
    dice = int(rng.choice([d for d in (12, 14, 16, 16, 16, 18, 19, 22) if d <= most]))
    return MatShot(
        paper=paper,
        dice_mm=dice,
        style="ink-saving" if rng.random() < 0.25 else "colour",
        elevation=float(rng.uniform(25, 90)),
        turn=float(rng.uniform(-180, 180)),
        roll=float(rng.normal(0, 4)),
        focal=float(rng.uniform(0.65, 1.1)),
        spare=float(rng.uniform(1.0, 1.25)),
        surface=str(rng.choice(SURFACES)),
        dice=int(rng.integers(8, 25)),
        cover=int(rng.choice([0, 0, 0, 1, 2])),
        mirrored=bool(rng.random() < 0.1),
        clean=False,
        seed=seed,
    )


def faint_shot(seed: int) -> tuple[MatShot, tuple[int, int]]:
    """Dice with faint pips on any mat, seen from at most 30 degrees off straight above, and the picture's size px."""
    rng = np.random.default_rng([seed, 33])
    shot = replace(
        random_shot(seed),
        elevation=float(rng.uniform(60, 90)),
        spare=float(rng.uniform(1.0, 1.15)),
        mirrored=False,
        faint=True,
    )
    if rng.random() < 0.6:
        shot = replace(shot, clean=True, quality=int(rng.integers(40, 80)))
    # On the largest mat a small picture would leave a die fewer pixels than its pips need.
    small = shot.paper != "A3" and rng.random() < 0.6
    return shot, SMALL if small else (WIDTH, HEIGHT)


def to_table(layout: MatLayout, points: Array) -> Array:
    """Mat mm (N, 2) to the axes of datasets.scenes, mm (N, 2): the Lawn's middle is the origin, y goes to row 1."""
    x, y = layout.lawn.centre
    return np.column_stack([points[:, 0] - x, y - points[:, 1]])


def mat_sheet(layout: MatLayout, style: Style = "colour", px_per_mm: float = PX_PER_MM) -> Sheet:
    """The printed mat for `datasets.compose.draw`, with row 1 away from the camera's side."""
    rgba, to_mat = _drawing(layout.name, style, px_per_mm, _Keyed(layout))
    x, y = layout.lawn.centre
    return Sheet(rgba, np.array([[1, 0, -x], [0, -1, y], [0, 0, 1.0]]) @ to_mat)


class _Keyed:
    """A layout that a cache does not look into: its name says all."""

    def __init__(self, layout: MatLayout) -> None:
        self.layout = layout

    def __hash__(self) -> int:
        return hash(self.layout.name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Keyed) and self.layout.name == other.layout.name


@lru_cache(maxsize=6)
def _drawing(
    _name: str, style: Style, px_per_mm: float, keyed: _Keyed
) -> tuple[NDArray[np.float32], Array]:
    extent = keyed.layout.extent
    picture = draw_mat(keyed.layout, px_per_mm, style)[..., ::-1].astype(np.float32) / 255
    rgba = np.dstack([picture, np.ones(picture.shape[:2], np.float32)])
    scale = 1 / px_per_mm
    to_mat = np.array(
        [
            [scale, 0, extent.x0 + scale / 2],
            [0, scale, extent.y0 + scale / 2],
            [0, 0, 1.0],
        ]
    )
    return rgba, to_mat


def camera_on(layout: MatLayout, shot: MatShot, size: tuple[int, int]) -> Camera:
    """The nearest camera in the shot's direction that sees the whole sheet, and `spare` times farther away."""
    points = to_table(layout, np.array(layout.extent.corners))
    points = np.column_stack([points, np.zeros(4)])
    middle = points.mean(0)
    camera = Camera(
        250.0,
        math.radians(90 - shot.elevation),
        math.radians(shot.turn - 90),
        math.radians(shot.roll),
        shot.focal,
        (float(middle[0]), float(middle[1])),
    )
    while True:
        seen = view_of(camera, *size).project(points)
        if (seen > 4).all() and (seen < np.array(size) - 4).all():
            break
        camera = replace(camera, distance_mm=camera.distance_mm + 5)
    return replace(camera, distance_mm=camera.distance_mm * shot.spare)


def draw_shot(shot: MatShot, size: tuple[int, int] = (WIDTH, HEIGHT)) -> MatTable:
    """Draw a table; the same shot gives the same picture."""
    rng = np.random.default_rng([shot.seed, 32])
    layout = printed(shot.paper, shot.dice_mm)
    camera = camera_on(layout, shot, size)
    spots = _spots(layout, shot.dice, rng)
    colours = rng.choice(["red", "blue", "white", "black", "yellow", "purple"], 3, replace=False)
    styles = [random_style(str(colour), rng, float(shot.dice_mm)) for colour in colours]
    if shot.faint:
        faint = rng.choice(FAINT, 2, replace=False)
        styles[1:] = [faint_style(str(colour), rng, float(shot.dice_mm)) for colour in faint]
    placed = []
    for x, y in to_table(layout, spots):
        style = styles[int(rng.integers(3))]
        face, yaw = int(rng.integers(1, 7)), float(rng.uniform(0, 2 * math.pi))
        placed.append(PlacedDie(style, face, float(x), float(y), yaw))
    height = rng.uniform(*(HARSH_HEIGHT if shot.harsh else (0.55, 1.0)))
    around = rng.uniform(0, 2 * math.pi)
    flat = math.sqrt(1 - height**2)
    lamp = Lamp(
        direction=(flat * math.cos(around), flat * math.sin(around), height),
        strength=float(rng.uniform(*(HARSH_STRENGTH if shot.harsh else (0.25, 0.7)))),
    )
    scene = Scene("mat", tuple(placed), camera, lamp, shot.surface, False, shot.seed)
    drawn = draw(scene, *size, clean=shot.clean, sheet=mat_sheet(layout, shot.style))
    view = view_of(camera, *size)
    boxes = np.array([die.box for die in drawn.dice]).reshape(-1, 4)
    image = _cover(drawn.image, layout, view, shot.cover, boxes, rng)
    if shot.blur:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), shot.blur))
    if shot.quality:
        image = _filmed(image, shot.quality, rng)
    outline = to_table(layout, np.array(layout.corners))
    corners = view.project(np.column_stack([outline, np.zeros(4)]))
    dice = []
    x0, y0 = layout.lawn.centre
    for die in drawn.dice:
        xy = (die.xy_mm[0] + x0, y0 - die.xy_mm[1])
        place = layout.place_of(xy)[0]
        dice.append(LocatedDie(die.box, die.face, die.colour, xy, place, float(shot.dice_mm)))
    table = MatTable(image, layout, view, corners, tuple(dice), shot.paper)
    return _mirrored(table) if shot.mirrored else table


def _spots(layout: MatLayout, count: int, rng: np.random.Generator) -> Array:
    """Centres (N, 2) mm: mostly anywhere in places of the Lawn, some in rows, captured and on the sheet's rest."""
    places = list(lawn_places())
    rng.shuffle(places)
    markers = [Rect(*corners[0], *corners[2]) for corners in layout.markers.values()]
    found: list[Point] = []
    tries = 0
    while len(found) < count and tries < 4000:
        tries += 1
        kind = rng.random()
        if kind < 0.6:
            rect = layout.cell(places[tries % len(places)])
        elif kind < 0.9:
            area = layout.areas[int(rng.integers(len(layout.areas)))]
            rect = area.spots[int(rng.integers(len(area.spots)))]
        else:
            rect = layout.extent.grown(-layout.dice_mm, -layout.dice_mm)
        spot = (float(rng.uniform(rect.x0, rect.x1)), float(rng.uniform(rect.y0, rect.y1)))
        if any(marker.clearance(spot) > -layout.dice_mm for marker in markers):
            continue
        if all(math.dist(spot, other) > 1.45 * layout.dice_mm for other in found):
            found.append(spot)
    return np.array(found)


def _cover(
    image: Image,
    layout: MatLayout,
    view: View,
    count: int,
    boxes: Array,
    rng: np.random.Generator,
) -> Image:
    """Put something plain over that many markers, so that two are left of those that no die (boxes, px) hides."""
    outlines = {number: _marker_px(layout, view, number) for number in layout.markers}
    hidden = [number for number, outline in outlines.items() if _meets(outline, boxes)]
    free = [number for number in outlines if number not in hidden]
    chosen = rng.permutation(free)[: max(0, min(count - len(hidden), len(free) - 2))]
    out = image.copy()
    for number in chosen:
        outline = outlines[int(number)]
        middle = outline.mean(0)
        blob = middle + (outline - middle) * rng.uniform(0.9, 1.5, (4, 1))
        colour = [int(v) for v in rng.integers(40, 220, 3)]
        hull = cv2.convexHull(blob.astype(np.float32)).astype(np.int32)
        cv2.fillConvexPoly(out, hull, colour, cv2.LINE_AA)
    return out


def _marker_px(layout: MatLayout, view: View, number: int) -> Array:
    corners = to_table(layout, np.array(layout.markers[number]))
    return view.project(np.column_stack([corners, np.zeros(4)]))


def _meets(outline: Array, boxes: Array) -> bool:
    """Whether a die's box reaches into a marker's outline or its white border (4, 2) px."""
    side = float(np.sqrt(abs(cv2.contourArea(outline.astype(np.float32))))) / 6
    low, high = outline.min(0) - side, outline.max(0) + side
    if not len(boxes):
        return False
    return bool(((boxes[:, :2] < high) & (boxes[:, 2:] > low)).all(1).any())


def _filmed(image: Image, quality: int, rng: np.random.Generator) -> Image:
    """A little noise, then compression at the picture's own size, which smears colours over the pips."""
    noisy = image + rng.normal(0, rng.uniform(0.5, 2.5), image.shape)
    whole = np.clip(noisy, 0, 255).astype(np.uint8)
    _, packed = cv2.imencode(".jpg", whole, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def _mirrored(table: MatTable) -> MatTable:
    width = table.image.shape[1]
    flipped = [
        replace(die, box=(width - die.box[2], die.box[1], width - die.box[0], die.box[3]))
        for die in table.dice
    ]
    corners = np.column_stack([width - table.corners[:, 0], table.corners[:, 1]])
    image = np.ascontiguousarray(table.image[:, ::-1])
    return replace(table, image=image, corners=corners, dice=tuple(flipped), mirrored=True)


def write_mat_table(table: MatTable, out: Path, name: str) -> None:
    """Write picture, labels and truth below `out`. Raises RenderError."""
    dice = [
        {
            "box": [round(v, 2) for v in die.box],
            "face": die.face,
            "colour": die.colour,
            "xy_mm": [round(v, 3) for v in die.xy_mm],
            "place": _place_json(die.place),
            "edge_mm": die.edge_mm,
        }
        for die in table.dice
    ]
    truth = {
        "dice": dice,
        "kind": "mat",
        "mirrored": table.mirrored,
        "mat": {
            "corners": table.corners.round(2).tolist(),
            "paper": table.paper,
            "dice_mm": table.layout.dice_mm,
        },
    }
    write_files(table.image, [(die.box, die.face) for die in table.dice], truth, out, name)


def _place_json(place: Place) -> dict[str, Any]:
    if isinstance(place, LawnPlace):
        return {"area": "lawn", "row": place.row, "side": place.side, "player": None}
    return {"area": place.kind, "row": None, "side": None, "player": place.seat}


def render_mats(
    count: int,
    seed: int,
    out: Path,
    style: Style | None = None,
    harsh: bool = False,
    faint: bool = False,
) -> int:
    """Draw `count` tables from `seed` on into `out`; those already there are kept. Returns how many were drawn.

    style: only of the seeds whose mat is printed so. harsh: all under low, bare lamps. faint: with dice whose pips
    contrast little, see `faint_shot`. Raises RenderError when `out` cannot be written.
    """
    numbers = (n for n in itertools.count(seed) if style in (None, random_shot(n).style))

    def make(number: int, name: str) -> None:
        shot, size = faint_shot(number) if faint else (random_shot(number), (WIDTH, HEIGHT))
        write_mat_table(draw_shot(replace(shot, harsh=harsh), size), out, name)

    chosen = list(itertools.islice(numbers, count))
    return make_missing(chosen, out, "mat", "drawing mats", make)
