"""Readings made up for tests that need no pixels and no model."""

from __future__ import annotations

from collections.abc import Sequence

from vision.reading import COLOURS, DieReading, Reading


def die(
    box: tuple[float, float, float, float] = (0, 0, 40, 40),
    face: int | None = 5,
    colour: str = "red",
    face_p: float = 0.99,
    colour_p: float = 0.99,
    unsure: bool = False,
    found_p: float = 0.9,
) -> DieReading:
    """A die whose likeliest face and colour have these probabilities."""
    others = (1 - face_p) / 5
    faces = tuple(face_p if value == face else others for value in range(1, 7))
    rest = (1 - colour_p) / (len(COLOURS) - 1)
    colours = {name: colour_p if name == colour else rest for name in COLOURS}
    return DieReading(box, face, faces, colour, colours, found_p, unsure=unsure)


def rolled(colour: str, faces: Sequence[int], unsure: int = 0) -> list[DieReading]:
    """Dice of one colour in a row, the first `unsure` of them unsure."""
    return [
        die((50 * i, 10, 50 * i + 40, 50), face, colour, unsure=i < unsure)
        for i, face in enumerate(faces)
    ]


def reading(
    *dice: DieReading, width: int = 1000, height: int = 800, image: str = "a.jpg"
) -> Reading:
    """A reading of these dice."""
    return Reading(image, width, height, dice)
