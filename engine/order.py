"""What the dice's spots tell: whether a Player Row lies in order (3:3.A, 4:1.C), and whether a die
lies beside the Lawn as a push leaves it (5:1.B)."""

from __future__ import annotations

from dataclasses import dataclass

from engine.evidence import Die
from engine.sight import Sight

_OFF_LINE_MM = 5.0  # a die further off the line of its row lies as it was rolled
_LEAST = 3  # dice that show along which line a row lies


@dataclass(frozen=True, slots=True)
class Line:
    """The line of a Player Row: along x (0) or y (1), at that coordinate of the other axis, mm."""

    axis: int
    across: float


def line_of(dice: list[Die]) -> Line | None:
    """The line along which at least three dice lie in order, or None."""
    spots = [die.xy_mm for die in dice if die.xy_mm is not None]
    if len(spots) < _LEAST or len(spots) < len(dice):
        return None
    wide = [max(s[axis] for s in spots) - min(s[axis] for s in spots) for axis in (0, 1)]
    axis = 0 if wide[0] >= wide[1] else 1
    across = sorted(spot[1 - axis] for spot in spots)
    line = Line(axis, across[len(across) // 2])
    return line if is_ordered(dice, line) else None


def is_ordered(dice: list[Die], line: Line | None) -> bool | None:
    """Whether all dice lie on the line, faces ascending; None where that cannot be said."""
    if any(die.xy_mm is None for die in dice):
        return None
    if line is None:
        return None if len(dice) < _LEAST else line_of_any(dice)
    along = []
    for die in dice:
        assert die.xy_mm is not None
        if abs(die.xy_mm[1 - line.axis] - line.across) > _OFF_LINE_MM:
            return False
        along.append((die.xy_mm[line.axis], die.likeliest_face))
    faces = [face for _, face in sorted(along)]
    return faces in (sorted(faces), sorted(faces, reverse=True))


def line_of_any(dice: list[Die]) -> bool:
    """Whether there is a line on which the dice lie in order."""
    return line_of(dice) is not None


# --- beside the Lawn ----------------------------------------------------------------------------

_ROW_OFF = 0.75  # of a row's height: further off a die does not lie beside that row
_FAR_OUT = 1.3  # of a place's width: a push moves the row by one place, and the die that falls off not much further


def lies_beside(sight: Sight, owner: int, row: int) -> bool | None:
    """Whether a die of that owner lies beside a flank of the Lawn's row, where a push leaves it;
    None where it cannot be said how the Lawn lies."""
    spots = [
        (spot // 3, spot % 3, die.xy_mm)
        for spot in range(18)
        for die in sight.lying(spot)
        if die.xy_mm is not None
    ]
    down = _fitted([(float(line), xy[1]) for line, _, xy in spots])
    if down is None:
        return None
    first, height = down
    across = _fitted([(float(side), xy[0]) for _, side, xy in spots])
    if across is None:
        middle = sum(xy[0] for _, _, xy in spots) / len(spots)
        across = middle - height * spots[0][1], height
    left, width = across
    for die in sight.off_lawn(owner):
        if die.xy_mm is None:
            return None
        x, y = die.xy_mm
        out = max((left - width / 2) - x, x - (left + 2.5 * width))
        if abs(y - (first + (row - 1) * height)) < _ROW_OFF * height and out < _FAR_OUT * width:
            return True
    return False


def _fitted(points: list[tuple[float, float]]) -> tuple[float, float] | None:
    """(a, b) of the line a + b * x through the points, b > 0; None where they do not show it."""
    count = len(points)
    if not count:
        return None
    mean_x = sum(x for x, _ in points) / count
    mean_y = sum(y for _, y in points) / count
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    if spread == 0:
        return None
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / spread
    return (mean_y - slope * mean_x, slope) if slope > 0 else None
