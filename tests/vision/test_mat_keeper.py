"""A person's corners and a bumped camera."""

from __future__ import annotations

import numpy as np

from vision.frames import Image
from vision.mat import FoundMat
from vision.mat_keeper import MatKeeper

CORNERS = np.array([[100.0, 60], [400, 70], [420, 300], [90, 310]])
BARE = np.full((360, 640, 3), 120, np.uint8)


class Blind:
    """A finder that finds nothing, and counts."""

    asked = 0

    def find(self, image: Image, previous: FoundMat | None = None) -> FoundMat | None:  # noqa: ARG002
        self.asked += 1
        return None


def test_a_persons_corners_go_before_any_finder() -> None:
    finder = Blind()
    found = MatKeeper(finder, CORNERS).find(BARE)
    assert found is not None
    assert found.corners.tolist() == CORNERS.tolist()
    assert finder.asked == 0


def test_after_a_bump_the_corners_of_another_picture_are_never_used_again() -> None:
    finder = Blind()
    keeper = MatKeeper(finder, CORNERS)
    before = keeper.find(BARE)
    assert keeper.find_again(BARE, before) is None
    assert keeper.find(BARE) is None
    assert finder.asked == 2
