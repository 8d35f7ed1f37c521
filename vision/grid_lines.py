"""Straight lines of a picture, and the grids of 6 x 3 cells that they could be.

Two families of lines, each meeting in its own vanishing point, are made parallel to the axes; there the grid's lines
are two combs, of four and of seven evenly spaced teeth. What comes out are only proposals: `vision.grid` proves them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Image
from vision.slices import Slices

Array: TypeAlias = NDArray[np.float64]

LONGEST_PX = 1280
"""Larger pictures are looked at in this size, px: it is enough for lines and bounds the time."""
MOST_SEGMENTS = 400
SMALLEST_PX = 32
"""A picture smaller than this, px, shows no grid."""
SHORTEST_PX = 14.0
MOST_CONTRAST = 40.0
"""A line need not be stronger than this, grey levels, to count fully."""
VANISHING_POINTS = 5
TRIES = 600
ALONG_RAD = 0.030
"""A segment that points further than this past a vanishing point is not of its family."""
TEETH = (3, 6)
"""Cells across (left to right) and down (row 1 to row 6): one less than the lines, rule 1:2.B."""
COMBS_KEPT = 9
TOOTH = 0.10
"""A line this far (in teeth) from a tooth still is that tooth's."""


@dataclass(frozen=True)
class Proposal:
    """A grid that there may be.

    to_px: (3, 3) float64, grid units (x 0..3 across, y 0..6 down) to picture px; cover: 0..1, how much of its lines
    was found, less what goes on beyond it.
    """

    to_px: Array
    cover: float


def segments_of(image: Image, dice: NDArray[np.float64] | None = None) -> Slices[Array]:
    """In slices: straight segments (N, 5) of a picture (H, W, 3) uint8 BGR: x0 y0 x1 y1 px, weight; weightiest first.

    The weight is length times contrast: the grain of wood has many lines, but each is faint.

    Looked for in two sizes: fine for thin lines, coarse for faint ones that drown in the grain; and in the colour
    that varies most, where lines are as bright as what they are drawn on. dice: boxes (M, 4) px; segments that lie
    in one are edges of dice.
    """
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    if min(grey.shape) < SMALLEST_PX:
        return np.zeros((0, 5))
    found = []
    finder = cv2.createLineSegmentDetector(cv2.LSD_REFINE_STD)
    first = min(1.0, LONGEST_PX / max(grey.shape))
    for look, scale in ((grey, first), (grey, first / 2), (_tint(image), first / 2)):
        shown = cv2.resize(look, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        lines = finder.detect(_stretched(shown))[0]
        yield
        if lines is not None:
            lines = lines.reshape(-1, 4).astype(np.float64)
            found.append((lines + 0.5) / scale - 0.5)
    if not found:
        return np.zeros((0, 5))
    lines = np.concatenate(found)
    length = np.hypot(lines[:, 2] - lines[:, 0], lines[:, 3] - lines[:, 1])
    keep = length >= SHORTEST_PX * max(1.0, max(grey.shape) / LONGEST_PX)
    if dice is not None and len(dice):
        middle = (lines[:, :2] + lines[:, 2:]) / 2
        inside = (middle[:, None] >= dice[None, :, :2]) & (middle[:, None] <= dice[None, :, 2:])
        size = (dice[:, 2:] - dice[:, :2]).max(1)
        keep &= ~(inside.all(2) & (length[:, None] < 1.2 * size[None])).any(1)
    lines = lines[keep]
    weight = length[keep] * np.minimum(_contrast(image, lines, 2.0 / first), MOST_CONTRAST)
    order = np.argsort(-weight, kind="stable")[:MOST_SEGMENTS]
    return np.column_stack([lines, weight])[order]


def _contrast(image: Image, lines: Array, away_px: float) -> Array:
    """How much the colour differs between both sides of segments (N, 4), in grey levels, (N,)."""
    start, end = lines[:, :2], lines[:, 2:4]
    along = end - start
    normal = (
        np.column_stack([-along[:, 1], along[:, 0]]) / np.maximum(np.hypot(*along.T), 1e-9)[:, None]
    )
    at = start[:, None] + along[:, None] * np.linspace(0.1, 0.9, 9)[None, :, None]
    sides = []
    for side in (-away_px, away_px):
        spots = (at + side * normal[:, None]).astype(np.float32)
        seen = cv2.remap(image, spots, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        sides.append(seen.reshape(*at.shape[:2], 3).astype(np.float64).mean(1))
    return np.asarray(np.abs(sides[0] - sides[1]).max(1))


def _stretched(picture: Image) -> Image:
    """The picture (H, W) with its contrast spread over all of 0..255, at most fourfold."""
    low, high = (np.uint8(level) for level in np.percentile(picture[::4, ::4], (2, 98)))
    gain = min(4.0, 255.0 / max(float(high) - float(low), 1.0))
    return np.asarray(cv2.convertScaleAbs(np.maximum(picture, low) - low, alpha=gain), np.uint8)


def _tint(image: Image) -> Image:
    """The colour direction (H, W) in which a picture (H, W, 3) BGR varies most, apart from its brightness."""
    lab = cv2.cvtColor(image, cv2.COLOR_BGR2LAB)[..., 1:].astype(np.float32)
    sample = lab[::8, ::8].reshape(-1, 2)
    axis = np.linalg.eigh(np.cov(sample.T))[1][:, 1]
    tint = (lab - sample.mean(0)) @ axis.astype(np.float32)
    return np.asarray(np.clip(128 + 2 * tint, 0, 255), np.uint8)


def proposals(lines: Array, shape: tuple[int, int], seed: int = 0) -> Slices[list[Proposal]]:
    """In slices: the grids that segments (N, 5) px of a picture of that shape (H, W) could be, best covered first."""
    if len(lines) < 8:
        return []
    points = vanishing_points(lines, shape, np.random.default_rng(seed))
    yield
    found: list[Proposal] = []
    for i in range(len(points)):
        for j in range(len(points)):
            if i < j:
                found += list(_grids_of(points[i], points[j], lines, shape))
                if (i + j) % 2:
                    yield
    found.sort(key=lambda proposal: -proposal.cover)
    return _different(found)


def vanishing_points(lines: Array, shape: tuple[int, int], rng: np.random.Generator) -> list[Array]:
    """Where the largest families of parallel segments meet: unit vectors (3,), in px from the picture's middle.

    Found one after the other: the point that most length of segments points to, refined, its segments taken away.
    """
    frame = _Frame(lines, shape)
    left = np.ones(len(lines), bool)
    points: list[Array] = []
    for _ in range(VANISHING_POINTS):
        alive = np.flatnonzero(left)
        if len(alive) < 3:
            break
        weight = frame.weight[alive]
        pairs = rng.choice(alive, (TRIES, 2), p=weight / weight.sum())
        meet = np.cross(frame.normal[pairs[:, 0]], frame.normal[pairs[:, 1]])
        size = np.linalg.norm(meet, axis=1)
        meet = meet[size > 1e-9] / size[size > 1e-9, None]
        if not len(meet):
            break
        votes = (frame.along(meet)[:, alive] < ALONG_RAD) @ np.minimum(
            weight, MOST_CONTRAST * frame.reach / 4
        )
        best = meet[int(np.argmax(votes))]
        for tolerance in (ALONG_RAD, ALONG_RAD / 2):
            near = frame.along(best[None])[0] < tolerance
            near &= left
            if near.sum() >= 2:
                weighted = frame.normal[near] * frame.weight[near, None]
                best = np.linalg.svd(weighted)[2][-1]
        points.append(best)
        left &= frame.along(best[None])[0] >= ALONG_RAD
    return points


class _Frame:
    """Segments in px from the picture's middle, scaled by half its longest side so that numbers stay near 1."""

    def __init__(self, lines: Array, shape: tuple[int, int]) -> None:
        self.reach = max(shape) / 2
        middle = np.array([shape[1], shape[0]]) / 2
        self.to_unit = np.array(
            [[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, self.reach]]
        ) / self.reach  # fmt: skip
        ends = (lines[:, :4].reshape(-1, 2, 2) - middle) / self.reach
        self.weight = lines[:, 4]
        one = np.ones((len(lines), 1))
        self.a, self.b = np.hstack([ends[:, 0], one]), np.hstack([ends[:, 1], one])
        self.middle = (self.a + self.b) / 2
        self.length = np.hypot(*(ends[:, 1] - ends[:, 0]).T) * self.reach
        normal = np.cross(self.a, self.b)
        self.normal = normal / np.maximum(np.linalg.norm(normal[:, :2], axis=1), 1e-12)[:, None]

    def along(self, points: Array) -> Array:
        """Angle (M, N) rad between each segment and the line from its middle to each vanishing point (M, 3)."""
        to = points[:, None, :2] - points[:, None, 2:] * self.middle[None, :, :2]
        to /= np.maximum(np.linalg.norm(to, axis=2, keepdims=True), 1e-12)
        return np.asarray(np.arcsin(np.clip(np.abs((to * self.normal[None, :, :2]).sum(2)), 0, 1)))


@dataclass(frozen=True)
class _Marks:
    """Lines of one family where they are parallel to an axis: where, from, to, weight, and one px there; each (N,)."""

    at: Array
    low: Array
    high: Array
    weight: Array
    px: Array


def _grids_of(
    first: Array, second: Array, lines: Array, shape: tuple[int, int]
) -> Iterator[Proposal]:
    """Proposals whose lines run to these two vanishing points."""
    frame = _Frame(lines, shape)
    of_first = frame.along(first[None])[0] < ALONG_RAD
    of_second = frame.along(second[None])[0] < ALONG_RAD
    of_first &= ~of_second
    if of_first.sum() < 4 or of_second.sum() < 4:
        return
    centre = np.average(
        frame.middle[of_first | of_second], axis=0, weights=frame.length[of_first | of_second]
    )
    basis = np.column_stack([second, first, centre])
    if abs(np.linalg.det(basis)) < 1e-4:
        return
    # Straightened: x runs to `second`, y to `first`, so the first family's lines are x = constant.
    straighten = np.linalg.inv(basis)
    horizon = straighten[2]
    side = np.sign(frame.middle @ horizon)
    main = np.sign(centre @ horizon)
    a, b, middle = (p @ straighten.T for p in (frame.a, frame.b, frame.middle))
    ahead = (a[:, 2] * main > 0.03) & (b[:, 2] * main > 0.03) & (side == main)
    vertical = _marks(a, b, middle, of_first & ahead, 0, straighten, frame)
    horizontal = _marks(a, b, middle, of_second & ahead, 1, straighten, frame)
    if len(vertical.at) < 3 or len(horizontal.at) < 3:
        return
    back = np.linalg.inv(frame.to_unit) @ basis
    for across, down, turned in ((vertical, horizontal, False), (horizontal, vertical, True)):
        combs = [_combs(across, TEETH[0]), _combs(down, TEETH[1])]
        best: list[tuple[float, Array]] = []
        for x0, dx in combs[0]:
            for y0, dy in combs[1]:
                cover = _cover(across, down, x0, dx, y0, dy)
                if cover > 0.3:
                    axes = np.array([[dx, 0, x0], [0, dy, y0], [0, 0, 1.0]])
                    best.append((cover, axes))
        best.sort(key=lambda pair: -pair[0])
        swap = np.array([[0, 1, 0], [1, 0, 0], [0, 0, 1.0]]) if turned else np.eye(3)
        for cover, axes in best[:6]:
            yield Proposal(back @ swap @ axes, cover)


def _marks(
    a: Array, b: Array, middle: Array, chosen: NDArray[np.bool_], axis: int, straighten: Array, frame: _Frame
) -> _Marks:  # fmt: skip
    """The chosen segments as marks of that axis (0: x = constant)."""
    a, b, m = (p[chosen] / p[chosen, 2:] for p in (a, b, middle))
    other = 1 - axis
    ends = np.sort(np.column_stack([a[:, other], b[:, other]]), axis=1)
    # How far one px is across the line, at its middle.
    step = frame.middle[chosen].copy()
    step[:, :2] += frame.normal[chosen, :2] / frame.reach
    moved = step @ straighten.T
    px = np.abs(moved[:, axis] / moved[:, 2] - m[:, axis])
    return _Marks(m[:, axis], ends[:, 0], ends[:, 1], frame.weight[chosen], px)


def _combs(marks: _Marks, teeth: int) -> list[tuple[float, float]]:
    """The likeliest (first, step) of `teeth` + 1 evenly spaced lines among marks, best first."""
    length = (marks.high - marks.low) / np.maximum(
        marks.px, 1e-12
    )  # in units that count px along, nearly
    order = np.argsort(-length, kind="stable")
    at, weight = marks.at[order], np.sqrt(length[order])
    px = marks.px[order]
    # Segments of the same line are one tooth.
    lines: list[list[float]] = []
    for x, w, p in zip(at, weight, px, strict=True):
        for line in lines:
            if abs(line[0] - x) < 2.5 * max(p, line[2]):
                line[0] = (line[0] * line[1] + x * w) / (line[1] + w)
                line[1] += w
                break
        else:
            lines.append([float(x), float(w), float(p)])
    lines.sort(key=lambda line: -line[1])
    lines = lines[:36]
    spots = np.array([line[0] for line in lines])
    weights = np.array([line[1] for line in lines])
    least = 8.0 * float(np.median([line[2] for line in lines]))
    i, j = np.triu_indices(len(spots), 1)
    starts, steps = [], []
    for apart in range(1, teeth + 1):
        step = np.abs(spots[j] - spots[i]) / apart
        low = np.minimum(spots[i], spots[j])
        for index in range(teeth + 1 - apart):
            starts.append(low - index * step)
            steps.append(step)
    start, step = np.concatenate(starts), np.concatenate(steps)
    good = step > least
    start, step = start[good], step[good]
    if not len(start):
        return []
    places = start[:, None] + step[:, None] * np.arange(teeth + 1)
    # Nearly all combs lack teeth: those are told by their nearest lines, at a tenth of the cost.
    ordered = np.sort(spots)
    after = np.clip(np.searchsorted(ordered, places), 1, len(ordered) - 1)
    nearest = np.minimum(np.abs(ordered[after - 1] - places), np.abs(ordered[after] - places))
    enough = (nearest < 1.001 * TOOTH * step[:, None]).sum(1) >= teeth - (teeth > 4)
    start, step, places = start[enough], step[enough], places[enough]
    score = np.zeros(len(start))
    hits = np.zeros(len(start))
    for tooth in range(teeth + 1):
        off = np.abs(spots[None] - places[:, tooth, None]) / step[:, None]
        hit = np.where(off < TOOTH, weights[None] * (1 - (off / TOOTH) ** 2 / 2), 0).max(1)
        score += np.minimum(hit, np.median(weights) * 3)
        hits += hit > 0
    score[hits < teeth - (teeth > 4)] = 0
    kept: list[tuple[float, float]] = []
    for index in np.argsort(-score, kind="stable"):
        if score[index] <= 0 or len(kept) == COMBS_KEPT:
            break
        x, d = float(start[index]), float(step[index])
        if all(abs(x - a) + abs(x + teeth * d - a - teeth * b) > 0.2 * d for a, b in kept):
            kept.append((x, d))
    return kept


def _cover(across: _Marks, down: _Marks, x0: float, dx: float, y0: float, dy: float) -> float:
    """How much of the grid's lines the marks cover, less what goes on beyond its rim; at most 1."""
    inside = beyond = 0.0
    for marks, first, step, teeth, low, unit, cells in (
        (across, x0, dx, TEETH[0], y0, dy, TEETH[1]),
        (down, y0, dy, TEETH[1], x0, dx, TEETH[0]),
    ):
        tooth = (marks.at - first) / step
        index = np.round(tooth)
        near = np.abs(tooth - index) < np.maximum(TOOTH, 2.0 * marks.px / step)
        near &= (index >= -1) & (index <= teeth + 1)
        covered = np.zeros((teeth + 3, (cells + 2) * 8), bool)
        low_at = np.clip(((marks.low[near] - low) / unit + 1) * 8, 0, covered.shape[1])
        high_at = np.clip(((marks.high[near] - low) / unit + 1) * 8, 0, covered.shape[1])
        for row, start, end in zip(index[near].astype(int) + 1, low_at, high_at, strict=True):
            covered[row, round(start) : round(end)] = True
        within = covered[1:-1, 8:-8].mean(1)
        inside += float(within.mean() + within.min()) / 2
        over = covered[1:-1, :8].mean(), covered[1:-1, -8:].mean()
        rim = covered[0, 8:-8].mean(), covered[-1, 8:-8].mean()
        beyond += float(max(over) + max(rim)) / 2
    return inside / 2 - 0.5 * beyond / 2


def _different(found: list[Proposal], most: int = 24) -> list[Proposal]:
    """The best proposals, without those whose corners lie where a better one's do."""
    kept: list[tuple[Proposal, Array]] = []
    unit = np.array([[0, 0, 1], [3, 0, 1], [3, 6, 1], [0, 6, 1.0]])
    for proposal in found:
        ends = unit @ proposal.to_px.T
        if np.ptp(np.sign(ends[:, 2])):
            continue
        corners = ends[:, :2] / ends[:, 2:]
        near = np.linalg.norm(corners[0] - corners[2]) / 40
        if all(_apart(corners, other) > near for _, other in kept):
            kept.append((proposal, corners))
        if len(kept) == most:
            break
    return [proposal for proposal, _ in kept]


def _apart(a: Array, b: Array) -> float:
    """Mean distance of two grids' corners, px, whichever way round either is named."""
    orders = ([0, 1, 2, 3], [2, 3, 0, 1], [1, 0, 3, 2], [3, 2, 1, 0])
    return float(min(np.linalg.norm(a - b[order], axis=1).mean() for order in orders))
