"""The mat where a person said that it is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vision.kept_corners import CornersStore, corners_from
from vision.kept_finder import KeptCornersFinder
from vision.kept_reader import KeptCornersReader
from vision.reader import TableReader

CORNERS = np.array([[100.0, 60], [400, 70], [420, 300], [90, 310]])
IMAGE = np.zeros((360, 640, 3), np.uint8)


@pytest.fixture
def store(tmp_path: Path) -> CornersStore:
    kept = CornersStore(tmp_path)
    kept.save("camera 0", corners_from(CORNERS, 640, 360))
    return kept


def test_kept_corners_are_that_cameras_mat_at_any_size_of_its_pictures(store: CornersStore) -> None:
    found = KeptCornersFinder(store, "camera 0").find(IMAGE)
    assert found is not None
    assert (found.by, found.corners.tolist()) == ("corners", CORNERS.tolist())
    larger = KeptCornersFinder(store, "camera 0").find(np.zeros((720, 1280, 3), np.uint8))
    assert larger is not None
    assert np.allclose(larger.corners, 2 * CORNERS)


def test_nothing_is_found_for_other_cameras_and_other_shapes_of_pictures(
    store: CornersStore,
) -> None:
    assert KeptCornersFinder(store, "camera 1").find(IMAGE) is None
    assert KeptCornersFinder(store, "camera 0").find(np.zeros((640, 360, 3), np.uint8)) is None


def test_after_the_camera_was_moved_only_new_corners_count(store: CornersStore) -> None:
    finder = KeptCornersFinder(store, "camera 0")
    before = finder.find(IMAGE)
    assert before is not None
    assert finder.find(IMAGE, before) is None
    assert finder.find(IMAGE) is None
    store.save("camera 0", corners_from(CORNERS + 5, 640, 360))
    again = finder.find(IMAGE)
    assert again is not None
    assert again.corners.tolist() == (CORNERS + 5).tolist()


def test_photos_of_that_camera_are_read_by_its_kept_corners_and_others_are_not(
    store: CornersStore,
) -> None:
    reader = TableReader()
    mat = KeptCornersReader(reader, "camera 0", store).read(IMAGE, "one.jpg").mat
    assert mat is not None
    assert (mat["by"], mat["corners"]) == ("corners", CORNERS.tolist())
    for other in (KeptCornersReader(reader, "camera 1", store), reader):
        mat = other.read(IMAGE, "one.jpg").mat
        assert mat is not None
        assert not mat["found"]
