"""The pictures of docs/camera.md come out of the repository, small."""

from __future__ import annotations

from pathlib import Path

import cv2

from datasets import placement

DOCS = Path(__file__).parent.parent.parent / "docs"


def test_every_picture_of_the_page_is_one_that_is_drawn() -> None:
    text = (DOCS / "camera.md").read_text(encoding="utf-8")
    for name in placement.SHOTS:
        assert f"images/{name}.jpg" in text
        shown = cv2.imread(str(DOCS / "images" / f"{name}.jpg"))
        assert shown.shape == (360, 640, 3)
        assert (DOCS / "images" / f"{name}.jpg").stat().st_size < 60_000


def test_a_dark_picture_is_dark_and_always_the_same() -> None:
    image = placement.picture("camera-dark")
    assert image.mean() < 30
    assert (placement.picture("camera-dark") == image).all()
