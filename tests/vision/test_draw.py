"""A picture with its reading drawn on it: every die marked, words readable, doubt plain."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.table import ELSEWHERE, LawnPlace, SeenDie, TableView
from tests.vision.made_up import die, reading
from vision.draw import (
    AMBER,
    LEAST_SIDE_PX,
    DrawingError,
    DrawingFolder,
    annotate,
    annotate_view,
    label_text,
    view_label,
)
from vision.reading import COLOURS


def plain(width: int, height: int, level: int = 128) -> np.ndarray:
    return np.full((height, width, 3), level, np.uint8)


def amber_pixels(picture: np.ndarray) -> int:
    return int((picture == AMBER).all(axis=2).sum())


def test_the_picture_that_was_read_stays_as_it_was() -> None:
    image = plain(1000, 800)
    annotate(image, reading(die((100, 100, 160, 160)), width=1000, height=800))
    assert (image == 128).all()


def test_a_picture_without_dice_is_only_copied() -> None:
    image = np.random.default_rng(1).integers(0, 255, (700, 1000, 3), np.uint8)
    copy = annotate(image, reading(width=1000, height=700))
    assert (copy == image).all()
    copy[:] = 0
    assert image.any()


@pytest.mark.parametrize("level", [0, 90, 128, 200, 255])
def test_the_outline_stands_out_on_any_ground(level: int) -> None:
    drawn = annotate(
        plain(1000, 800, level), reading(die((300, 300, 400, 400)), width=1000, height=800)
    )
    for edge in (drawn[350, 285:315], drawn[285:315, 380], drawn[350, 385:415]):
        assert int(edge.max()) - int(edge.min()) > 120
        assert np.abs(edge.astype(int) - level).max() > 120


@pytest.mark.parametrize(("width", "height"), [(160, 120), (640, 480), (1280, 720), (6000, 4000)])
def test_words_are_large_enough_when_the_picture_fills_a_screen(width: int, height: int) -> None:
    # On a screen of 1000 px, whatever the picture's own size, the ink of a label must be some 9 px high.
    size = width / 12
    box = (width / 2, height / 2, width / 2 + size, height / 2 + size)
    drawn = annotate(
        plain(width, height), reading(die(box, colour="black"), width=width, height=height)
    )
    grown = drawn.shape[1] / width
    outside = drawn[: int((box[1] - size * 0.1) * grown)]
    ink = np.flatnonzero((outside.min(axis=2) > 240).any(axis=1))
    assert np.ptp(ink) / drawn.shape[1] * 1000 >= 9


def test_a_small_picture_is_enlarged_by_a_whole_number() -> None:
    drawn = annotate(plain(320, 240), reading(die((10, 10, 40, 40)), width=320, height=240))
    assert drawn.shape == (720, 960, 3)
    assert max(drawn.shape) >= LEAST_SIDE_PX
    assert annotate(plain(1280, 720), reading(width=1280, height=720)).shape == (720, 1280, 3)


def test_boxes_are_scaled_to_a_smaller_copy_of_the_picture() -> None:
    whole = reading(die((2000, 1500, 2400, 1900)), width=4000, height=3000)
    drawn = annotate(plain(1000, 750), whole)
    changed = np.argwhere((drawn != 128).any(axis=2))
    assert changed[:, 0].max() == pytest.approx(475, abs=8)
    assert changed[:, 1].max() >= 598


def test_the_label_shows_face_and_colour_and_where_the_doubt_is() -> None:
    box = (0, 0, 10, 10)
    assert label_text(die(box)) == "5 red"
    assert label_text(die(box, face_p=0.6, unsure=True)) == "5? red"
    assert label_text(die(box, colour_p=0.3, unsure=True)) == "5 red?"
    assert label_text(die(box, face_p=0.6, colour_p=0.3, unsure=True)) == "5? red?"
    assert label_text(die(box, face=None, unsure=True)) == "? red"
    assert label_text(die(box, found_p=0.3, unsure=True)) == "die? 5 red"
    assert label_text(die(box, unsure=True)) == "5 red ?"


def test_doubt_is_drawn_in_amber_and_certainty_is_not() -> None:
    box = (300.0, 300.0, 400.0, 400.0)
    sure = annotate(plain(1000, 800), reading(die(box), width=1000, height=800))
    unsure = annotate(
        plain(1000, 800), reading(die(box, face_p=0.5, unsure=True), width=1000, height=800)
    )
    assert amber_pixels(sure) == 0
    assert amber_pixels(unsure) > 200


@pytest.mark.parametrize("colour", COLOURS)
def test_the_labels_ink_stands_out_from_its_ground(colour: str) -> None:
    drawn = annotate(
        plain(1000, 800), reading(die((300, 300, 400, 400), colour=colour), width=1000, height=800)
    )
    label = cv2.cvtColor(drawn[:288], cv2.COLOR_BGR2GRAY)
    label = label[label != 128]
    assert int(label.max()) - int(label.min()) > 90


def test_a_label_leaves_a_neighbours_face_free() -> None:
    # A lower die close under another: the place above it is taken, so its label goes elsewhere.
    upper, lower = (400.0, 300.0, 460.0, 360.0), (400.0, 366.0, 460.0, 426.0)
    drawn = annotate(plain(1000, 800), reading(die(upper), die(lower), width=1000, height=800))
    for x0, y0, x1, y1 in (upper, lower):
        inside = drawn[int(y0) + 8 : int(y1) - 8, int(x0) + 8 : int(x1) - 8]
        assert (inside == 128).all()


@pytest.mark.parametrize("box", [(-30, -20, 30, 40), (960, 760, 1040, 830), (0, 0, 1000, 800)])
def test_a_die_at_the_edge_keeps_its_whole_label_in_the_picture(box: tuple[int, ...]) -> None:
    x0, y0, x1, y1 = box
    whole = annotate(plain(1000, 800), reading(die((450, 450, 510, 510)), width=1000, height=800))
    at_edge = annotate(plain(1000, 800), reading(die((x0, y0, x1, y1)), width=1000, height=800))

    def red(picture: np.ndarray) -> int:
        return int(((picture[..., 2] > 150) & (picture[..., 1] < 60)).sum())

    assert red(at_edge) >= 0.95 * red(whole)


def test_the_smallest_pictures_do_no_harm() -> None:
    assert annotate(plain(1, 1), reading(die((0, 0, 1, 1)), width=1, height=1)).shape == (
        900,
        900,
        3,
    )
    assert annotate(plain(2000, 2), reading(die((5, 0, 9, 2)), width=2000, height=2)).shape == (
        2,
        2000,
        3,
    )


def test_a_folder_for_drawings_is_made_and_drawings_of_one_run_do_not_replace_each_other(
    tmp_path: Path,
) -> None:
    photos = [tmp_path / "one" / "a.jpg", tmp_path / "two" / "a.png", tmp_path / "two" / "A.jpg"]
    folder = DrawingFolder(tmp_path / "new" / "drawn", photos)
    names = [folder.write(photo, plain(40, 30, i * 100)).name for i, photo in enumerate(photos)]
    assert names == ["a-read.jpg", "a-read-2.jpg", "A-read-3.jpg"]
    for i, name in enumerate(names):
        back = cv2.imread(str(tmp_path / "new" / "drawn" / name))
        assert back.shape == (30, 40, 3)
        assert abs(int(back.mean()) - i * 100) < 3


def test_a_second_run_replaces_its_drawings_but_never_a_photo(tmp_path: Path) -> None:
    photo = tmp_path / "a.jpg"
    photo.write_bytes(b"a photo")
    assert DrawingFolder(tmp_path, [photo]).write(photo, plain(9, 9)).name == "a-read.jpg"
    assert DrawingFolder(tmp_path, [photo]).write(photo, plain(9, 9)).name == "a-read.jpg"
    # Now the drawing itself is among the photos, named another way.
    drawing = tmp_path / "." / "a-read.jpg"
    before = drawing.read_bytes()
    folder = DrawingFolder(tmp_path, [photo, drawing])
    assert folder.write(photo, plain(9, 9)).name == "a-read-2.jpg"
    assert folder.write(drawing, plain(9, 9)).name == "a-read-read.jpg"
    assert drawing.read_bytes() == before
    assert photo.read_bytes() == b"a photo"


def test_says_where_a_drawing_cannot_be_kept(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(DrawingError, match=r"cannot be made .*; name another one"):
        DrawingFolder(tmp_path / "file", [])
    folder = DrawingFolder(tmp_path / "drawn", [])
    (tmp_path / "drawn" / "a-read.jpg").mkdir()
    with pytest.raises(DrawingError, match="cannot be written"):
        folder.write(Path("a.jpg"), plain(9, 9))
    with pytest.raises(DrawingError, match="crop it"):
        folder.write(Path("b.jpg"), plain(70_000, 1))


def seen(
    place: object = LawnPlace(3, "left"), face_p: float = 0.95, flags: tuple[str, ...] = ()
) -> SeenDie:
    rest = (1 - face_p) / 5
    return SeenDie(
        key=1,
        face_p=(rest, rest, face_p, rest, rest, rest),
        owner_p=(0.9, 0.05, 0.0, 0.0),
        place_p=((place, 1.0),),  # type: ignore[arg-type]
        box=(400.0, 300.0, 450.0, 350.0),
        flags=frozenset(flags),  # type: ignore[arg-type]
    )


def test_a_views_die_is_labelled_with_face_place_and_what_is_wrong() -> None:
    assert view_label(seen()) == "3 3L"
    assert view_label(seen(ELSEWHERE)) == "3"
    assert view_label(seen(face_p=0.5)) == "3? 3L"
    assert view_label(seen(flags=("cocked",))) == "3 3L cocked"


def test_a_view_is_drawn_with_its_lawn_its_dice_and_what_is_hidden() -> None:
    image = plain(1000, 800)
    hidden = np.array([[700, 500], [900, 500], [900, 700], [700, 700]], np.float32)
    corners = [[300, 200], [600, 200], [600, 700], [300, 700]]
    view = TableView(1.0, (seen(), seen(flags=("cocked",))))
    drawn = annotate_view(
        image, view, (1000, 800), corners=corners, hidden=[hidden], colours={0: "red"}
    )
    assert (image == 128).all()
    changed = (drawn != 128).any(axis=2)
    assert changed[510:690, 710:890].mean() > 0.9  # veiled
    assert not changed[720:, 720:].any()
    assert changed[280:700, 299:302].any()  # the lawn's left line
    assert amber_pixels(drawn) > 50  # the leaning die
    assert ((drawn[..., 2] > 150) & (drawn[..., 1] < 60)).sum() > 100  # a red label


def test_what_is_hidden_is_drawn_over_a_smaller_copy_of_the_picture() -> None:
    hidden = np.array([[1400, 1000], [1800, 1000], [1800, 1400], [1400, 1400]], np.float32)
    drawn = annotate_view(plain(1000, 800), TableView(0.0, ()), (2000, 1600), hidden=[hidden])
    rows, columns = np.nonzero((drawn != 128).any(axis=2))
    assert (rows.min(), columns.min()) == pytest.approx((500, 700), abs=3)
    assert (rows.max(), columns.max()) == pytest.approx((700, 900), abs=3)
