"""The graph of the scores over a recording, as SVG that both the report's file and the page show."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from webui.paints import paint

WIDTH, HEIGHT = 720, 300
LEFT, RIGHT, TOP, BOTTOM = 48, 64, 16, 36
DASHES = ("", "8 4", "2 4")
"""A pattern for each seat beside its colour, for who does not tell colours apart."""


@dataclass(frozen=True)
class Line:
    """A player's points over time. points: (s, points), in order; letter: at the line's end; colour: of the dice."""

    seat: int
    colour: str
    label: str
    letter: str
    points: tuple[tuple[float, int], ...]


def score_graph(lines: Sequence[Line], duration_s: float, title: str, time_label: str) -> Markup:
    """Steps from turn to turn, time from left to right, points upwards."""
    most = max((points for line in lines for _, points in line.points), default=0)
    step = _step(most)
    top = max(step, step * math.ceil(most / step))
    span = max(duration_s, 1.0)

    def x(time_s: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * min(time_s, span) / span

    def y(points: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * points / top

    parts = [
        f'<svg class="graph" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{_plain(title)}">'
    ]
    for points in range(0, top + 1, step):
        parts.append(
            f'<path class="grid" d="M{LEFT} {y(points):.1f}H{WIDTH - RIGHT}"/>'
            f'<text class="tick" x="{LEFT - 8}" y="{y(points) + 4:.1f}" text-anchor="end">{points}</text>'
        )
    minutes = _step(span / 60, (1, 2, 5, 10, 20, 30, 60))
    for minute in range(0, int(span / 60) + 1, minutes):
        parts.append(
            f'<text class="tick" x="{x(60 * minute):.1f}" y="{HEIGHT - 14}" text-anchor="middle">{minute}:00</text>'
        )
    parts.append(
        f'<text class="tick" x="{WIDTH - RIGHT}" y="{HEIGHT - 1}" text-anchor="end">{_plain(time_label)}</text>'
    )
    taken: list[float] = []
    for line in lines:
        if not line.points:
            continue
        path = f"M{x(line.points[0][0]):.1f} {y(line.points[0][1]):.1f}"
        for time_s, points in line.points[1:]:
            path += f"H{x(time_s):.1f}V{y(points):.1f}"
        path += f"H{WIDTH - RIGHT}"
        dash = f' stroke-dasharray="{DASHES[line.seat % 3]}"' if line.seat else ""
        body, _ = paint(line.colour)
        parts.append(
            f'<path class="casing" d="{path}"{dash}/>'
            f'<path class="curve" d="{path}" stroke="{body}"{dash}/>'
        )
        at = y(line.points[-1][1]) + 5
        while any(abs(at - other) < 16 for other in taken):
            at -= 16
        taken.append(at)
        end = f"{line.letter} {line.points[-1][1]}"
        parts.append(f'<text class="end" x="{WIDTH - RIGHT + 8}" y="{at:.1f}">{_plain(end)}</text>')
    return Markup("".join(parts) + "</svg>")


def _step(most: float, steps: Sequence[int] = (5, 10, 20, 25, 50, 100, 200, 250, 500)) -> int:
    return next((step for step in steps if most / step <= 6), steps[-1])


def _plain(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
