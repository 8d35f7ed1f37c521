"""A person's corners and a bumped camera."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vision.frames import Image
from vision.kept_corners import CornersStore, corners_from
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


def test_the_corners_kept_for_a_camera_are_its_mat_until_it_is_moved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.mat_keeper.CornersStore", lambda: CornersStore(tmp_path))
    CornersStore(tmp_path).save("camera 0", corners_from(CORNERS, 640, 360))
    assert MatKeeper.of("camera 1").find(BARE) is None
    keeper = MatKeeper.of("camera 0")
    found = keeper.find(BARE)
    assert found is not None
    assert (found.by, found.corners.tolist()) == ("corners", CORNERS.tolist())
    assert keeper.find_again(BARE, found) is None
    assert keeper.find(BARE) is None
