"""Hands with their arms, and heads: painted once as flat cut-outs in mm, then put into every frame by a homography.

A hand is a union of capsules (bones with flesh around them) seen from above; its height field gives outline and
shading. Its own frame: the fingertips touch at the origin, x points from the arm to them, y to the thumb's side.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.clips_motion import Body, Key
from datasets.clips_stage import Box, Image, Stage
from datasets.clips_table import XY

PX_PER_MM = 1.6
GRIPS = 9
"""How many grips between the open hand and the fist are painted."""
REACH_MM = 1000.0
"""Length of hand and arm: always longer than what the picture shows of them."""
BEFORE_MM, HALF_WIDTH_MM = 60.0, 95.0
HEAD_MM = 150.0
"""Height of a leaning head's outline above the table."""

Bone = tuple[tuple[float, float, float, float], tuple[float, float, float, float]]


@dataclass(frozen=True)
class Person:
    """Colours of a player, sRGB 0..1: skin, sleeve, hair; sleeve_mm: where the sleeve begins behind the fingertips;
    size: of the hand, 1 is a grown person's."""

    skin: tuple[float, float, float]
    sleeve: tuple[float, float, float]
    hair: tuple[float, float, float]
    sleeve_mm: float
    size: float


SKINS = (
    (0.93, 0.76, 0.66),
    (0.87, 0.67, 0.54),
    (0.76, 0.55, 0.42),
    (0.55, 0.37, 0.27),
    (0.38, 0.25, 0.18),
)


def random_person(rng: np.random.Generator) -> Person:
    """Somebody."""
    skin = np.array(SKINS[int(rng.integers(len(SKINS)))]) * rng.uniform(0.94, 1.05)
    hair = np.array([0.35, 0.24, 0.16]) * rng.uniform(0.2, 1.9)
    sleeve = rng.uniform(0.06, 0.85, 3)
    return Person(
        tuple(np.clip(skin, 0, 1)), tuple(sleeve), tuple(np.clip(hair, 0, 1)),
        float(rng.uniform(150, 330)), float(rng.uniform(0.9, 1.08)),
    )  # fmt: skip


# Fingertips of the open hand, of the pinch that holds a die, and of the fist: x, y, z in mm.
_TIPS: dict[str, tuple[tuple[float, float, float], ...]] = {
    "thumb": ((-38, 52, 8), (-6, 13, 8), (-24, 17, 26)),
    "index": ((12, 26, 8), (7, -3, 10), (-16, 20, 30)),
    "middle": ((18, 4, 8), (3, -14, 10), (-12, 3, 31)),
    "ring": ((8, -16, 8), (-10, -22, 12), (-16, -13, 29)),
    "little": ((-14, -37, 8), (-28, -30, 14), (-26, -28, 26)),
}
_ROOTS = {
    "thumb": (-98.0, 30.0, 30.0, 13.0),
    "index": (-66.0, 23.0, 40.0, 11.0),
    "middle": (-62.0, 5.0, 42.0, 11.0),
    "ring": (-66.0, -13.0, 40.0, 10.5),
    "little": (-74.0, -29.0, 36.0, 9.5),
}
_RADII = {"thumb": 9.5, "index": 8.0, "middle": 8.3, "ring": 7.8, "little": 6.8}


def _bones(grip: float) -> list[Bone]:
    """Capsules of the hand: two ends x, y, z, radius each (mm)."""
    at, share = (0, grip * 2) if grip < 0.5 else (1, grip * 2 - 1)
    bones: list[Bone] = []
    for name, tips in _TIPS.items():
        tip = np.array(tips[at]) * (1 - share) + np.array(tips[at + 1]) * share
        root, radius = np.array(_ROOTS[name]), _RADII[name]
        # A bent finger's middle joint stands up and a little outwards.
        length = float(np.linalg.norm(root[:3] - tip))
        joint = root[:3] * 0.45 + tip * 0.55
        joint[2] += max(0.0, 70 - length) * 0.35 + 6
        middle = (*joint, radius + 0.7)
        bones.append(((*root,), middle))
        bones.append((middle, (*tip, radius)))
    wrist = (-128.0, 2.0, 34.0, 27.0)
    for name in ("index", "middle", "ring", "little"):
        x, y, z, _ = _ROOTS[name]
        bones.append(((-118.0, y * 0.5, 30.0, 21.0), (x, y, z - 4, 14.0)))
    bones.append(((-118.0, 14.0, 28.0, 20.0), (-92.0, 30.0, 28.0, 14.0)))
    bones.append((wrist, (-340.0, 6.0, 45.0, 40.0)))
    bones.append(((-340.0, 6.0, 45.0, 40.0), (-REACH_MM, 6.0, 90.0, 55.0)))
    return bones


def _heights(bones: list[Bone], size: float) -> NDArray[np.float32]:
    """Height of the uppermost flesh over each pixel of the cut-out, mm; below 0 where there is none."""
    wide = round((REACH_MM + BEFORE_MM) * PX_PER_MM)
    high = round(2 * HALF_WIDTH_MM * PX_PER_MM)
    x = (np.arange(wide, dtype=np.float32) + 0.5) / PX_PER_MM - REACH_MM
    y = (np.arange(high, dtype=np.float32) + 0.5) / PX_PER_MM - HALF_WIDTH_MM
    top = np.full((high, wide), -1.0, np.float32)
    for start, end in bones:
        a, b = np.array(start) * size, np.array(end) * size
        r = max(a[3], b[3])
        i0, i1 = np.searchsorted(x, (min(a[0], b[0]) - r, max(a[0], b[0]) + r))
        j0, j1 = np.searchsorted(y, (min(a[1], b[1]) - r, max(a[1], b[1]) + r))
        px, py = np.meshgrid(x[i0:i1], y[j0:j1])
        along = b[:2] - a[:2]
        length = max(float(along @ along), 1e-6)
        t = np.clip(((px - a[0]) * along[0] + (py - a[1]) * along[1]) / length, 0, 1)
        away = (px - a[0] - t * along[0]) ** 2 + (py - a[1] - t * along[1]) ** 2
        radius = a[3] + (b[3] - a[3]) * t
        inside = radius**2 - away
        height = a[2] + (b[2] - a[2]) * t + np.sqrt(np.maximum(inside, 0)) * 1.0
        region = top[j0:j1, i0:i1]
        np.maximum(region, np.where(inside > 0, height, -1), out=region)
    return top


@dataclass(frozen=True)
class CutOut:
    """BGR weighted by cover, and cover (h, w, 4) uint8; its soft shadow (h, w) uint8; its place in mm (3, 3)."""

    bgra: Image
    shade: Image
    to_mm: NDArray[np.float64]


def paint_hand(person: Person, grip: float, lamp: XY, rng: np.random.Generator) -> CutOut:
    """A hand and its arm. lamp: level part of the light's direction in the hand's own frame."""
    top = _heights(_bones(grip), person.size)
    cover = (top > 0).astype(np.float32)
    filled = cv2.GaussianBlur(np.where(top > 0, top, 0), (0, 0), 1.0)
    dy, dx = np.gradient(filled * PX_PER_MM)
    steep = 0.45
    normal = np.dstack([-dx * steep, -dy * steep, np.ones_like(dx)])
    normal /= np.linalg.norm(normal, axis=2, keepdims=True)
    direction = np.array([lamp[0], lamp[1], 0.85])
    direction /= np.linalg.norm(direction)
    light = 0.5 + 0.5 * np.clip(normal @ direction, 0, 1)
    high, wide = top.shape
    x = (np.arange(wide) + 0.5) / PX_PER_MM - REACH_MM
    grain = cv2.resize(rng.normal(0, 1, (high // 3, wide // 3)).astype(np.float32), (wide, high))
    skin = np.array(person.skin) * (1 + 0.012 * grain[..., None])
    # Knuckles and fingertips are redder.
    tip = np.clip((x + 35) / 40, 0, 1)[None, :, None]
    skin = skin * (1 - tip * np.array([0.0, 0.07, 0.08]))
    weave = 1 + 0.05 * grain + 0.06 * np.sin(x / 9 + 1.5 * np.sin(x / 41))[None]
    sleeved = np.clip((-person.sleeve_mm - x) / 1.5, 0, 1)[None, :, None]
    hem = 1 - 0.35 * np.exp(-(((x + person.sleeve_mm) / 4) ** 2))[None, :, None]
    rgb = (skin * (1 - sleeved) + np.array(person.sleeve) * weave[..., None] * sleeved) * hem
    rgb = np.clip(rgb * light[..., None] ** 0.8, 0, 1)
    edge = cv2.GaussianBlur(cover, (0, 0), 0.7)
    return _cut(rgb, edge, cv2.GaussianBlur(cover, (0, 0), 6 * PX_PER_MM), _to_mm())


def paint_head(person: Person, rng: np.random.Generator) -> CutOut:
    """A head from above with hair, and the shoulders behind it; the head's middle is at the origin."""
    wide = round((REACH_MM + BEFORE_MM + 60) * PX_PER_MM)
    high = round(2 * 260 * PX_PER_MM)
    x, y = np.meshgrid(
        (np.arange(wide) + 0.5) / PX_PER_MM - REACH_MM, (np.arange(high) + 0.5) / PX_PER_MM - 260
    )
    swirl = np.arctan2(y, x - 10)
    head = (x / 100) ** 2 + (y / 78) ** 2
    body = np.maximum(((x + 330) / 230) ** 2 + (y / 235) ** 4, 0)
    body = np.where(x < -330, (y / 235) ** 4, body)
    coarse = cv2.resize(rng.normal(0, 1, (40, 90)).astype(np.float32), (wide, high))
    fine = rng.normal(0, 1, head.shape)
    strands = cv2.GaussianBlur(fine, (0, 0), 1.2) * 0.35 + 0.05 * np.sin(swirl * 40 + coarse * 3)
    hair = 0.75 + strands + 0.3 * np.clip(1 - head, 0, 1)
    rgb = np.array(person.sleeve) * (0.7 + 0.1 * coarse)[..., None]
    rgb = np.where((head < 1)[..., None], np.array(person.hair) * hair[..., None], rgb)
    cover = ((head < 1) | (body < 1)).astype(np.float32)
    edge = cv2.GaussianBlur(cover, (0, 0), 2.0 * PX_PER_MM)  # nearer than what is in focus
    soft = cv2.GaussianBlur(np.clip(rgb, 0, 1).astype(np.float32), (0, 0), 1.5)
    to_mm = _to_mm()
    to_mm[1, 2] = -260 + 0.5 / PX_PER_MM
    return _cut(soft, edge, cv2.GaussianBlur(cover, (0, 0), 22 * PX_PER_MM), to_mm)


def _cut(
    rgb: NDArray[np.floating], edge: NDArray[np.floating], shade: NDArray[np.floating],
    to_mm: NDArray[np.float64],
) -> CutOut:  # fmt: skip
    weighted = np.dstack([rgb[..., ::-1] * edge[..., None], edge])
    return CutOut(
        np.rint(weighted * 255).astype(np.uint8), np.rint(shade * 255).astype(np.uint8), to_mm
    )


def _to_mm() -> NDArray[np.float64]:
    step = 1 / PX_PER_MM
    return np.array(
        [[step, 0, -REACH_MM + step / 2], [0, step, -HALF_WIDTH_MM + step / 2], [0, 0, 1.0]]
    )


class Bodies:
    """All hands and heads of a clip's players. shoulders: for each seat where the arm comes from, mat mm."""

    def __init__(
        self, people: tuple[Person, ...], shoulders: tuple[XY, ...], stage: Stage, seed: int
    ) -> None:
        self.people, self.shoulders, self.seed = people, shoulders, seed
        self.lamp = stage.look.lamp
        self.mat = stage.look.mat
        self._cut: dict[tuple[Body, int, int], CutOut] = {}

    def _cut_out(self, body: Body, seat: int, grip: float) -> CutOut:
        step = round(min(max(grip, 0.0), 1.0) * (GRIPS - 1)) if body == "hand" else 0
        key = (body, seat, step)
        if key not in self._cut:
            rng = np.random.default_rng([self.seed, seat, 9])
            if body == "head":
                self._cut[key] = paint_head(self.people[seat], rng)
            else:
                turn = self._turn(seat, self.mat.layout.lawn.centre)
                level = np.array(self.lamp.direction[:2]) @ turn
                self._cut[key] = paint_hand(
                    self.people[seat], step / (GRIPS - 1), (level[0], level[1]), rng
                )
        return self._cut[key]

    def _turn(self, seat: int, xy: XY) -> NDArray[np.float64]:
        """(2, 2) from the hand's frame to the scene's, with the hand at xy."""
        tip = np.array(self.mat.to_scene(xy))
        ahead = tip - np.array(self.mat.to_scene(self.shoulders[seat]))
        ahead /= max(float(np.linalg.norm(ahead)), 1e-6)
        # A right hand seen from above has its thumb to the left of where it points.
        return np.array([[ahead[0], -ahead[1]], [ahead[1], ahead[0]]])

    def paint(
        self, picture: Image, stage: Stage, body: Body, seat: int, key: Key
    ) -> Covering | None:
        """Put a hand or head over a picture, in place. Returns what it covers, None when it is out of sight."""
        cut = self._cut_out(body, seat, key.grip)
        turn = self._turn(seat, (key.x, key.y))
        x, y = self.mat.to_scene((key.x, key.y))
        lift = HEAD_MM if body == "head" else key.z + 12
        slope = np.array(self.lamp.direction[:2]) / self.lamp.direction[2]
        place = np.eye(3)
        place[:2, :2], place[:2, 2] = turn, (x, y)
        half = np.array([[1, 0, -0.5], [0, 1, -0.5], [0, 0, 1.0]])
        ground = place.copy()
        ground[:2, 2] -= slope * (lift + 25)
        strength = 0.75 * self.lamp.strength * (0.6 if body == "head" else 1.0)
        cast = _warped(cut.shade, half @ stage.plane(0.0) @ ground @ cut.to_mm, stage, 24)
        if cast is not None:
            (x0, y0, x1, y1), soft = cast
            light = (1 - strength * np.arange(256) / 255) ** (1 / 2.2) * 255
            factor = cv2.LUT(soft, np.rint(light).astype(np.uint8))
            crop = picture[y0:y1, x0:x1]
            crop[:] = cv2.multiply(crop, cv2.merge([factor] * 3), scale=1 / 255)
        laid = _warped(cut.bgra, half @ stage.plane(lift) @ place @ cut.to_mm, stage, 2)
        if laid is None:
            return None
        (x0, y0, x1, y1), bgra = laid
        crop = picture[y0:y1, x0:x1]
        alpha = np.ascontiguousarray(bgra[..., 3])
        kept = cv2.multiply(crop, cv2.merge([255 - alpha] * 3), scale=1 / 255)
        colours = np.ascontiguousarray(bgra[..., :3])
        gain = stage.look.exposure ** (1 / 2.2)
        crop[:] = cv2.scaleAdd(colours.astype(np.float32), gain, kept.astype(np.float32)).clip(
            0, 255
        )
        return Covering((x0, y0, x1, y1), alpha)


@dataclass(frozen=True)
class Covering:
    """What a body hides of a picture: a region x0 y0 x1 y1 px and its cover (h, w) uint8."""

    region: Box
    alpha: Image

    def over(self, box: Box) -> NDArray[np.float32]:
        """The cover (h, w), 0..1, of another region of the picture."""
        x0, y0, x1, y1 = box
        part = np.zeros((y1 - y0, x1 - x0), np.float32)
        a0, b0 = max(x0, self.region[0]), max(y0, self.region[1])
        a1, b1 = min(x1, self.region[2]), min(y1, self.region[3])
        if a1 > a0 and b1 > b0:
            own = self.alpha[
                b0 - self.region[1] : b1 - self.region[1], a0 - self.region[0] : a1 - self.region[0]
            ]
            part[b0 - y0 : b1 - y0, a0 - x0 : a1 - x0] = own.astype(np.float32) / 255
        return part

    def polygon(self) -> list[list[float]]:
        """Its outline in px, a few dozen points at most."""
        mask = np.pad((self.alpha > 127).astype(np.uint8), 1)
        outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        if not outlines:
            return []
        largest = cv2.approxPolyDP(max(outlines, key=cv2.contourArea), 2.5, True)
        corner = np.array([self.region[0] - 1, self.region[1] - 1])
        return [[float(u), float(v)] for u, v in largest.reshape(-1, 2) + corner]


def _warped(
    layer: Image, to_px: NDArray[np.float64], stage: Stage, pad: int
) -> tuple[Box, Image] | None:
    """The layer as the camera sees it, cut to where it is in the picture."""
    high, wide = layer.shape[:2]
    # The far end of an arm can lie behind the camera's plane: look at points along it and keep those in front.
    columns = np.linspace(0, wide - 1, 25)
    points = np.array([[c, r, 1.0] for c in columns for r in (0.0, (high - 1) / 2, high - 1.0)])
    seen = points @ to_px.T
    seen = seen[seen[:, 2] > 1e-9]
    if not len(seen):
        return None
    flat = seen[:, :2] / seen[:, 2:]
    region = stage.clipped((*(flat.min(0) - pad), *(flat.max(0) + pad)))
    if region is None:
        return None
    x0, y0, x1, y1 = region
    shift = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1.0]])
    warped = cv2.warpPerspective(
        layer, shift @ to_px, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR, borderValue=0
    )
    return region, np.asarray(warped, np.uint8)
