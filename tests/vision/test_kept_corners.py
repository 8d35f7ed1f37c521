"""The lawn's corners that a person gave: kept whole, per camera, and refused when they are none."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.kept_corners import Corners, CornersStore, corners_from
from vision.mat import MatError

SQUARE = np.array([[100, 80], [500, 90], [520, 400], [90, 390]], np.float64)


@pytest.fixture
def store(tmp_path: Path) -> CornersStore:
    return CornersStore(tmp_path / "corners")


def test_what_was_kept_is_loaded_again_for_that_camera_only(store: CornersStore) -> None:
    kept = corners_from(SQUARE, 640, 480)
    store.save("camera 0", kept)
    assert store.load("camera 0") == kept
    assert store.load("camera-0") is None, "names that look alike are different cameras"
    assert store.load("rtsp://user:secret@house/stream?a=1") is None


def test_keeping_again_replaces_the_file_and_leaves_nothing_beside_it(store: CornersStore) -> None:
    store.save("camera 0", corners_from(SQUARE, 640, 480))
    store.save("camera 0", corners_from(SQUARE + 10, 640, 480))
    assert store.load("camera 0") == corners_from(SQUARE + 10, 640, 480)
    assert len(list(store.folder.iterdir())) == 1


def test_a_write_that_fails_leaves_what_was_kept(
    store: CornersStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.save("camera 0", corners_from(SQUARE, 640, 480))

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        store.save("camera 0", corners_from(SQUARE + 10, 640, 480))
    assert store.load("camera 0") == corners_from(SQUARE, 640, 480)
    assert len(list(store.folder.iterdir())) == 1


@pytest.mark.parametrize(
    "damage",
    [
        *(b"", b"{", b"\xff\xfe\x00", b"[]", b'{"corners": {"width": 640}}', b'{"corners": null}'),
        b"[" * 100_000,
    ],
    ids=lambda damage: repr(damage[:20]),
)
def test_a_damaged_file_is_set_aside_and_never_deleted(store: CornersStore, damage: bytes) -> None:
    for _ in range(2):
        store.save("camera 0", corners_from(SQUARE, 640, 480))
        (file,) = (path for path in store.folder.iterdir() if ".damaged" not in path.name)
        file.write_bytes(damage)
        assert store.load("camera 0") is None
    aside = [path for path in store.folder.iterdir() if ".damaged" in path.name]
    assert [path.read_bytes() for path in aside] == [damage, damage]


def test_kept_corners_that_are_no_lawn_are_set_aside_too(store: CornersStore) -> None:
    store.save("camera 0", corners_from(SQUARE, 640, 480))
    (file,) = store.folder.iterdir()
    data = json.loads(file.read_text())
    data["corners"]["corners"][0] = [-5, 0]
    file.write_text(json.dumps(data))
    assert store.load("camera 0") is None


@pytest.mark.parametrize(
    ("points", "says"),
    [
        ([[100, 80], [520, 400], [500, 90], [90, 390]], "cross"),
        ([[100, 80], [300, 85], [500, 90], [90, 390]], "on one line"),
        ([[100, 80], [100, 80], [500, 390], [90, 390]], "the same point"),
        ([[100, 80], [700, 90], [520, 400], [90, 390]], "outside the picture"),
        ([[100, 80], [120, 80], [120, 100], [100, 100]], "too small"),
    ],
)
def test_corners_that_are_no_lawn_are_refused_in_one_sentence(
    points: list[list[float]], says: str
) -> None:
    with pytest.raises(MatError, match=says) as refused:
        corners_from(np.array(points, np.float64), 640, 480).mat()
    assert str(refused.value).count(".") == 1


def test_corners_follow_the_picture_to_another_size_but_not_to_another_shape() -> None:
    kept = corners_from(SQUARE, 640, 480)
    larger = kept.scaled(1280, 960)
    assert larger is not None
    np.testing.assert_allclose(larger.corners, SQUARE * 2)
    assert kept.scaled(1280, 720) is None


@given(st.lists(st.floats(0, 640), min_size=8, max_size=8))
def test_any_four_points_are_refused_or_mapped_onto_the_lawns_corners(numbers: list[float]) -> None:
    corners = Corners(width=640, height=640, corners=np.reshape(numbers, (4, 2)).tolist())
    try:
        mat = corners.mat()
    except MatError:
        return
    w, h = mat.layout.cell_mm
    goal = np.array([[0, 0], [3 * w, 0], [3 * w, 6 * h], [0, 6 * h]])
    np.testing.assert_allclose(mat.to_mm(np.array(corners.corners)), goal, atol=0.5)
