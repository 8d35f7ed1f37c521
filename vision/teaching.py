"""Show the product your dice: how well they are read, what colours they have, and a reader tuned to them.

All dice of a lesson show the same face ("turn all dice to 6"), so nobody has to label anything. What is said about the
tuned reader is measured on dice that it was not tuned on (each third of the dice is read by a layer learned from the
other two), and it is kept only when it reads more of them rightly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.dice import FACES
from vision.closeup import NO_DIE, close_up
from vision.colours import ColourNamer, sample_die
from vision.detect import Detection
from vision.find import DiceFinder
from vision.heads import Head, learn_head
from vision.owners import players as owners_of
from vision.reading import UNSURE_FACE
from vision.set_colours import SetColours, dice_in_match

FEWEST_DICE = 3
"""A lesson that shows fewer dice teaches nothing."""
MOST_DICE = 30
"""More than a set of 24, with a few to spare, means that other things were taken for dice."""
FOLDS = 3
VARIANTS = 12
"""Close-ups of each die that are learned from: a little shifted and zoomed, and mirrored."""


class TeachingError(ValueError):
    """A lesson that cannot be used; the message says which, and what to do."""


@dataclass(frozen=True)
class Lesson:
    """A picture (H, W, 3) uint8 BGR in which all dice show `face`; name: as the person knows it."""

    name: str
    image: NDArray[np.uint8]
    face: int


@dataclass(frozen=True)
class Mark:
    """How the dice of a lesson were read: seen, of these right, and of these right ones not surely."""

    name: str
    face: int
    dice: int
    right: int
    unsure: int


@dataclass(frozen=True)
class Taught:
    """What was learned.

    marks: as the dice are read untaught; tuned_right: how many of all the dice a tuned reader reads
    rightly that never saw them, or None when tuning was not asked for; head: the tuned layer where that is better;
    colours: the sets' colours where the players' were given and all sets were seen."""

    marks: tuple[Mark, ...]
    tuned_right: int | None
    head: Head | None
    colours: SetColours | None

    @property
    def dice(self) -> int:
        return sum(mark.dice for mark in self.marks)

    @property
    def right(self) -> int:
        return sum(mark.right for mark in self.marks)


def teach(
    lessons: Sequence[Lesson],
    finder: DiceFinder,
    players: Sequence[str] = (),
    tune: bool = False,
    seed: int = 0,
) -> Taught:
    """Read the lessons, learn the sets' colours when `players` names them, and tune the reader when asked to.

    Raises TeachingError when there are no lessons or one cannot be used, OwnerError for impossible colours,
    ModelError when the close-up network cannot be tuned.
    """
    if not lessons:
        raise TeachingError("There is nothing to learn from; give a photo for at least one face.")
    looked = [look(lesson, finder) for lesson in lessons]
    marks, found = tuple(mark for mark, _ in looked), [dice for _, dice in looked]
    tuned_right, head = _tuned(lessons, found, finder, seed) if tune else (None, None)
    untaught = sum(mark.right for mark in marks)
    better = tuned_right is not None and tuned_right > untaught
    return Taught(marks, tuned_right, head if better else None, _colours(lessons, found, players))


def look(lesson: Lesson, finder: DiceFinder) -> tuple[Mark, list[Detection]]:
    """How the dice of one lesson are read, and the dice. Raises TeachingError when too few or too many are seen."""
    dice = finder.find(lesson.image)
    if not FEWEST_DICE <= len(dice) <= MOST_DICE:
        raise TeachingError(
            f"{lesson.name}: {len(dice)} dice are seen here; lay {FEWEST_DICE} to {MOST_DICE} dice "
            "apart from each other, nothing else beside them, and take the photo again."
        )
    return _mark(lesson, dice), dice


def _mark(lesson: Lesson, dice: Sequence[Detection]) -> Mark:
    right = [die for die in dice if int(np.argmax(die.face_p)) + 1 == lesson.face]
    unsure = sum(bool(max(die.face_p) < UNSURE_FACE) for die in right)
    return Mark(lesson.name, lesson.face, len(dice), len(right), unsure)


def _colours(
    lessons: Sequence[Lesson], found: Sequence[Sequence[Detection]], players: Sequence[str]
) -> SetColours | None:
    """From the first lesson that shows enough dice of every set."""
    if not players:
        return None
    owners, namer = owners_of(players), ColourNamer()
    for lesson, dice in zip(lessons, found, strict=True):
        looks = [(die.box, sample_die(lesson.image, die.box)) for die in dice]
        boxes = [box for box, look in looks if look is not None]
        names = namer.name(lesson.image, boxes)
        said = np.array([owners.owner_p(name) for name in names]).reshape(-1, 4)
        samples = [look for _, look in looks if look is not None]
        names_of = {owner: name for name, owner in owners.colours.items()}
        learned = SetColours.learn(samples, said, dice_in_match(len(players)), names_of)
        if learned is not None:
            return learned
    return None


def _tuned(
    lessons: Sequence[Lesson],
    found: Sequence[Sequence[Detection]],
    finder: DiceFinder,
    seed: int,
) -> tuple[int, Head]:
    """How many dice a layer reads rightly that was learned from the other dice, and the layer learned from all."""
    if len({lesson.face for lesson in lessons}) < len(FACES):
        missing = sorted(set(FACES) - {lesson.face for lesson in lessons})
        raise TeachingError(
            f"For tuning, show every face; missing: {', '.join(map(str, missing))}."
        )
    rng = np.random.default_rng(seed)
    start = finder.closeup.shipped_head()
    plain, faces, varied, fold, own = [], [], [], [], []
    for lesson, dice in zip(lessons, found, strict=True):
        for index, die in enumerate(dice):
            plain.append(finder.closeup.features([close_up(lesson.image, die.box)])[0])
            varied.append(finder.closeup.features(_variants(lesson.image, die, rng)))
            faces.append(lesson.face)
            fold.append(index % FOLDS)
            own.append(die.face_p)
    folds, true = np.array(fold), np.array(faces, np.int64)
    right = 0
    for held in range(FOLDS):
        others = np.flatnonzero(folds != held)
        head = learn_head(
            np.concatenate([varied[i] for i in others]), np.repeat(true[others], VARIANTS), start
        )
        for i in np.flatnonzero(folds == held):
            logits = head.logits(plain[i][None])[0, :NO_DIE]
            right += int(np.argmax(logits)) + 1 == int(true[i])
    everything = learn_head(np.concatenate(varied), np.repeat(true, VARIANTS), start)
    return right, everything


def _variants(
    image: NDArray[np.uint8], die: Detection, rng: np.random.Generator
) -> list[NDArray[np.uint8]]:
    crops = []
    for number in range(VARIANTS):
        shift = (float(rng.normal(0, 0.03)), float(rng.normal(0, 0.03)))
        crop = close_up(image, die.box, shift=shift, zoom=float(np.exp(rng.normal(0, 0.05))))
        crops.append(np.ascontiguousarray(crop[:, ::-1]) if number % 2 else crop)
    return crops
