"""Read a picture of a table: every die's box, face and colour, with how sure each is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.colours import ColourNamer, colourless
from vision.detect import Detection
from vision.find import DiceFinder
from vision.grid_finder import ASK_ROW_1, GridFinder, box_array
from vision.located import mat_notices, placed
from vision.mat import NOT_FOUND, Finder, FoundMat, mat_of_corners
from vision.mat_finder import MatFinder
from vision.mat_keeper import FEWEST_DICE
from vision.mat_white import white_of_markers
from vision.networks import Backend
from vision.print_finder import PrintFinder
from vision.reading import UNSURE_COLOUR, UNSURE_FACE, UNSURE_FOUND, DieReading, Reading
from vision.tables_kept import KeptTable, TableKeepingError

LEAST_DIE_PX = 22.0
"""Dice smaller than this in the picture are read badly; the person is asked to move the camera closer."""


class TableReader:
    """Reads pictures; holds the networks, so make one and keep it.

    weights: an .onnx of the face detector, or None for the shipped one. Raises vision.networks.ModelError when it is
    unusable. mats: finds the mat, default by its markers; where it finds none, a grid's lines are looked for among at
    least FEWEST_DICE dice, for which a second is taken. Not to be used from two threads at once.
    """

    def __init__(
        self,
        weights: Path | None = None,
        backend: Backend = "onnxruntime",
        mats: Finder | None = None,
    ) -> None:
        self._finder = DiceFinder(weights, backend=backend)
        self._namer = ColourNamer()
        self._mats = mats or MatFinder()
        self._grids = GridFinder()
        self._prints = PrintFinder()
        self.table: KeptTable | None = None
        """What was taught for the table that is read."""

    @property
    def finder(self) -> DiceFinder:
        """The networks that find and read dice, for who reads parts of pictures with them."""
        return self._finder

    def use(self, table: KeptTable | None) -> None:
        """Read as was taught for this table, None as shipped.

        Raises TableKeepingError when it was taught to another network.
        """
        head = None if table is None else table.head
        if (
            table is not None
            and head is not None
            and table.closeup != self._finder.closeup.fingerprint
        ):
            raise TableKeepingError(
                f"Table '{table.name}' was taught to another version of the reader; run 'lawn teach' again."
            )
        self._finder.closeup.taught = head
        self.table = table

    def read(
        self,
        image: NDArray[np.uint8],
        name: str,
        corners: NDArray[np.float64] | None = None,
        mats: Finder | None = None,
    ) -> Reading:
        """Read an upright picture, (H, W, 3) uint8 BGR, that the user knows as `name`.

        corners: (4, 2) px of the Lawn's corners, if a person gave them: row 1 left, row 1 right, row 6 right, row 6
        left. mats: finds the mat of this picture instead. Dice come in reading order: from the top of the picture to
        its bottom, and from left to right.
        """
        found = self._finder.find(image)
        found.sort(key=lambda die: (die.box[1] + die.box[3], die.box[0] + die.box[2]))
        height, width = image.shape[:2]
        notices = _notices(image, found)
        if corners is not None:
            mat: FoundMat | None = mat_of_corners(corners, (width, height))
        else:
            mat = (mats or self._mats).find(image)
            if mat is None and len(found) >= FEWEST_DICE:
                mat = self._grids.find_among(image, found)
                if mat is None:
                    mat = self._prints.find_among(image, box_array(found))
                if mat is None and self._grids.unsure:
                    notices = (*notices, ASK_ROW_1)
        boxes = [die.box for die in found]
        white = None if mat is None else white_of_markers(image, mat, boxes)
        colours = self._namer.name(image, boxes, white)
        dice = [_reading(die, colour_p) for die, colour_p in zip(found, colours, strict=True)]
        if mat is None:
            return Reading(name, width, height, tuple(dice), NOT_FOUND, notices)
        located, mat = placed(dice, mat, self._grids.numbered)
        return Reading(name, width, height, located, mat.to_json(), (*notices, *mat_notices(mat)))


def _reading(die: Detection, colour_p: dict[str, float]) -> DieReading:
    face = int(np.argmax(die.face_p)) + 1
    colour = max(colour_p, key=lambda name: colour_p[name])
    unsure = (
        max(die.face_p) < UNSURE_FACE
        or colour_p[colour] < UNSURE_COLOUR
        or die.found_p < UNSURE_FOUND
    )
    return DieReading(
        box=die.box,
        face=face,
        face_p=die.face_p,
        colour=colour,
        colour_p=colour_p,
        found_p=die.found_p,
        unsure=unsure,
    )


def _notices(image: NDArray[np.uint8], found: list[Detection]) -> tuple[str, ...]:
    """What a person should know about the picture as a whole."""
    if not found:
        return ("No dice are seen in this picture.",)
    notices = []
    size = float(np.median([die.size_px for die in found]))
    if size < LEAST_DIE_PX:
        notices.append(
            f"The dice are only {size:.0f} px large; move the camera closer until they are at least "
            f"{LEAST_DIE_PX:.0f} px."
        )
    if colourless(image):
        notices.append(
            "This picture has no colours, so nobody's dice can be told; use a colour camera."
        )
    return tuple(notices)
