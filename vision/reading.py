"""What was read in one picture: records only, no pixels and no model."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

COLOURS = (
    "white", "black", "grey", "red", "orange", "yellow", "green", "blue", "purple", "pink", "brown",
)  # fmt: skip
"""The names a die's colour can have: the eleven basic colour terms of Berlin and Kay (1969)."""

UNSURE_FACE = 0.80
"""A face whose probability is below this is shown as unsure."""
UNSURE_COLOUR = 0.50
"""A colour whose probability is below this is shown as unsure."""
UNSURE_FOUND = 0.45
"""Where the detector is less confident than this that there is a die at all, the die is shown as unsure."""


@dataclass(frozen=True)
class DieReading:
    """One die as read.

    box: x0, y0, x1, y1 in px of the upright picture.
    face: 1..6, the likeliest, or None when nothing can be said; face_p: six probabilities that sum to 1.
    colour: the likeliest name of COLOURS; colour_p: a probability for each of them, summing to 1.
    found_p: the detector's confidence that there is a die at all, 0..1.
    place: where it lies on the mat: {"row": 1-6, "side": "left"|"center"|"right"} on the Lawn,
    {"area": "row"|"captured"|"elsewhere"} off it, or None without a mat.
    unsure: face or colour is below its confidence: show it and ask, never count on it silently.
    """

    box: tuple[float, float, float, float]
    face: int | None
    face_p: tuple[float, ...]
    colour: str
    colour_p: dict[str, float]
    found_p: float
    place: dict[str, Any] | None = None
    unsure: bool = False

    def to_json(self) -> dict[str, Any]:
        """The object that `lawn read --json` prints for a die; probabilities are rounded to 4 places."""
        return {
            "box": [round(edge, 1) for edge in self.box],
            "face": self.face,
            "face_p": rounded_to_one(self.face_p),
            "colour": self.colour,
            "colour_p": dict(
                zip(self.colour_p, rounded_to_one(tuple(self.colour_p.values())), strict=True)
            ),
            "place": self.place,
            "unsure": self.unsure,
        }


def rounded_to_one(probabilities: tuple[float, ...]) -> list[float]:
    """Round probabilities to 4 places and give the rounding error to the largest, so that they still sum to 1."""
    rounded = [round(p, 4) for p in probabilities]
    if rounded:
        largest = rounded.index(max(rounded))
        rounded[largest] = round(rounded[largest] + 1 - sum(rounded), 4)
    return rounded


@dataclass(frozen=True)
class Reading:
    """All that was read in one picture of `width` x `height` px; `image` names it as the user knows it.

    mat: {"found": true, "by": "markers"|"print"|"grid"|"corners"|"features", "corners": the Lawn's, px (row 1 left,
    row 1 right, row 6 right, row 6 left), "error_mm"}; without one found is false and the rest None. None: nobody
    looked.
    notices: plain sentences for the person about the picture as a whole ("The dice are too small ...").
    """

    image: str
    width: int
    height: int
    dice: tuple[DieReading, ...]
    mat: dict[str, Any] | None = None
    notices: tuple[str, ...] = field(default=())

    def to_json(self) -> dict[str, Any]:
        """The object that `lawn read --json` prints for a picture."""
        return {
            "image": self.image,
            "width": self.width,
            "height": self.height,
            "mat": self.mat,
            "dice": [die.to_json() for die in self.dice],
            "notices": list(self.notices),
        }
