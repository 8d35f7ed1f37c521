"""Charts as places and paths, for templates to draw as SVG; lengths are px of the drawing, y downwards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

Point = tuple[float, float]

WIDTH, HEIGHT = 720.0, 280.0
LEFT, RIGHT, TOP, BOTTOM = 44.0, 130.0, 14.0, 34.0
LABEL_GAP = 19.0
"""Names at the ends of lines are kept so far apart."""


@dataclass(frozen=True)
class Tick:
    at: float
    value: float


@dataclass(frozen=True)
class Line:
    """A line: its path, its points, and where its name stands (y); style counts from 0."""

    label: str
    path: str
    points: tuple[Point, ...]
    label_y: float
    style: int


@dataclass(frozen=True)
class LineChart:
    """Lines over time. x_ticks: s since 1970; y_ticks: values."""

    lines: tuple[Line, ...]
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    width: float = WIDTH
    height: float = HEIGHT
    left: float = LEFT
    right: float = WIDTH - RIGHT
    top: float = TOP
    bottom: float = HEIGHT - BOTTOM


def line_chart(series: Sequence[tuple[str, Sequence[Point]]], x_ticks: int = 3) -> LineChart | None:
    """A chart of (label, points (x, y) by x) each; None when there is no point."""
    points = [point for _, each in series for point in each]
    if not points:
        return None
    xs, ys = [x for x, _ in points], [y for _, y in points]
    values = round_ticks(min(ys), max(ys))
    low_x, high_x = min(xs), max(xs)
    low_y, high_y = values[0], values[-1]

    def place(x: float, y: float) -> Point:
        across = (x - low_x) / (high_x - low_x) if high_x > low_x else 0.5
        up = (y - low_y) / (high_y - low_y)
        return (
            round(LEFT + 12 + across * (WIDTH - LEFT - RIGHT - 24), 1),
            round(HEIGHT - BOTTOM - up * (HEIGHT - TOP - BOTTOM), 1),
        )

    placed = [tuple(place(x, y) for x, y in each) for _, each in series]
    ends = spread_out([each[-1][1] if each else 0.0 for each in placed], LABEL_GAP)
    lines = [
        Line(label, "M" + "L".join(f"{x} {y}" for x, y in each), each, end, style)
        for style, ((label, _), each, end) in enumerate(zip(series, placed, ends, strict=True))
        if each
    ]
    count = x_ticks if high_x > low_x else 1
    times = [low_x + (high_x - low_x) * at / max(1, count - 1) for at in range(count)]
    return LineChart(
        tuple(lines),
        tuple(Tick(place(time, low_y)[0], time) for time in times),
        tuple(Tick(place(low_x, value)[1], value) for value in values),
    )


def round_ticks(low: float, high: float, about: int = 5) -> list[float]:
    """About so many round whole numbers, evenly spaced, the first at most `low` and the last at least `high`."""
    rough = max(1.0, (high - low) / max(1, about - 1))
    size = 10 ** floor(log10(rough))
    steps = (1, 2, 2.5, 5, 10) if size > 1 else (1, 2, 5, 10)
    step = next(int(step * size) for step in steps if step * size >= rough * 0.999)
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    if first == last:
        last += 1
    return [float(at * step) for at in range(first, last + 1)]


def spread_out(places: Sequence[float], gap: float) -> list[float]:
    """The places moved apart as little as a pass from the top needs, in the order they were given in."""
    moved = list(places)
    above: float | None = None
    for index in sorted(range(len(moved)), key=lambda at: moved[at]):
        if above is not None:
            moved[index] = max(moved[index], above + gap)
        above = moved[index]
    return [round(each, 1) for each in moved]


@dataclass(frozen=True)
class Bar:
    """A bar from the ground up; label: what it counts."""

    label: str
    count: int
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class BarChart:
    """Bars beside each other, and the height at which all would stand if they were alike."""

    bars: tuple[Bar, ...]
    even_y: float
    width: float
    height: float
    ground: float


def face_chart(
    counts: Sequence[int], expected: float, width: float = 300.0, height: float = 150.0
) -> BarChart:
    """How often each face came, with a line for the expectation."""
    ground, room = height - 22, height - 44
    most = max(*counts, expected, 1e-9)
    wide = width / len(counts)
    bars = tuple(
        Bar(
            str(at + 1),
            count,
            round(at * wide + wide * 0.16, 1),
            round(ground - room * count / most, 1),
            round(wide * 0.68, 1),
            round(room * count / most, 1),
        )
        for at, count in enumerate(counts)
    )
    return BarChart(bars, round(ground - room * expected / most, 1), width, height, ground)


@dataclass(frozen=True)
class Against:
    """A share with its interval against what is expected, on a scale from 0 to the drawing's width."""

    share: float
    low: float
    high: float
    expected: float


def against(
    share: float, interval: tuple[float, float], expected: float, most: float, width: float = 300.0
) -> Against:
    """The four places of one row; `most` is the value at the right edge."""
    scale = width / most if most else 0.0
    found = (min(width, round(value * scale, 1)) for value in (share, *interval, expected))
    return Against(*found)
