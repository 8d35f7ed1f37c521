"""What `lawn evaluate` counts, checked on pictures small enough to count by hand."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.real import CollectionError
from models.evaluate import (
    Picture,
    Tally,
    calibration_error,
    match,
    overlaps,
    pictures_of,
    report,
    tallies,
    tally_picture,
)
from vision.detect import Detection


def die(x: float, face: int, p: float = 0.9) -> Detection:
    """A found 10 px die at x with that face."""
    rest = (1 - p) / 5
    return Detection((x, 0, x + 10, 10), 0.9, tuple(p if f == face else rest for f in range(1, 7)))


BOXES = np.array([[0, 0, 10, 10], [20, 0, 30, 10], [40, 0, 50, 10]], np.float32)
FACES = np.array([1, 2, 3])


def test_overlap_is_intersection_over_union() -> None:
    iou = overlaps(
        np.array([[0, 0, 10, 10]], np.float32),
        np.array([[5, 0, 15, 10], [50, 0, 60, 10]], np.float32),
    )
    assert np.allclose(iou, [[1 / 3, 0]])


def test_a_die_is_matched_once_and_best_first() -> None:
    found = np.array([[1, 0, 11, 10], [0, 0, 10, 10]], np.float32)
    assert match(found, BOXES) == [(1, 0)]


@pytest.mark.parametrize(
    ("found", "counts"),
    [
        ([die(0, 1), die(20, 2), die(40, 3)], (3, 3, 0, 1)),  # all right
        ([die(0, 1), die(20, 5), die(40, 3)], (3, 2, 0, 0)),  # one face wrong
        ([die(0, 1), die(20, 2)], (2, 2, 0, 0)),  # one missed
        ([die(0, 1), die(20, 2), die(40, 3), die(70, 4)], (3, 3, 1, 0)),  # one too many
        ([], (0, 0, 0, 0)),  # nothing found
        ([die(0, 1), die(1, 1), die(20, 2), die(40, 3)], (3, 3, 1, 0)),  # one die found twice
    ],
)
def test_found_right_and_false_are_counted(
    found: list[Detection], counts: tuple[int, int, int, int]
) -> None:
    tally = tally_picture("p", found, BOXES, FACES)
    assert (tally.found, tally.face_right, tally.false_boxes, tally.exactly_right) == counts
    assert tally.dice == 3
    assert tally.confusion.sum() == tally.found


def test_a_picture_without_dice_is_right_when_nothing_is_found() -> None:
    empty = np.zeros((0, 4), np.float32), np.zeros(0, np.int64)
    assert tally_picture("p", [], *empty).exactly_right == 1
    assert tally_picture("p", [die(0, 1)], *empty).false_boxes == 1


def test_a_box_on_a_die_that_the_labels_leave_out_is_false_and_said_to_be_one() -> None:
    left_out = np.array([[71, 0, 81, 10]], np.float32)
    found = [die(0, 1), die(20, 2), die(40, 3), die(70, 4), die(90, 4)]
    tally = tally_picture("p", found, BOXES, FACES, left_out)
    assert (tally.false_boxes, tally.on_unlabelled_dice, tally.exactly_right) == (2, 1, 0)


def test_the_confusion_table_has_the_true_face_down_and_the_read_face_across() -> None:
    tally = tally_picture("p", [die(20, 5)], BOXES, FACES)
    assert tally.confusion[1, 4] == 1


def test_calibration_error_is_the_gap_between_said_and_right() -> None:
    assert calibration_error([(0.9, True)] * 9 + [(0.9, False)]) == pytest.approx(0)
    assert calibration_error([(0.9, False)] * 10) == pytest.approx(0.9)
    assert calibration_error([]) is None


def test_worst_pictures_come_first_and_the_report_names_every_source() -> None:
    total = Tally()
    total.add(tally_picture("few", [die(0, 1), die(20, 2)], BOXES, FACES))
    total.add(tally_picture("many", [], BOXES, FACES))
    counts = total.to_json()
    assert counts["worst"] == ["many", "few"]
    assert counts["found_percent"] == pytest.approx(33.33)
    text = report({"sources": {"desk": counts}, "all": counts, "colours": {}})
    assert "desk" in text
    assert "Confusion" in text


def test_pictures_are_read_and_compared_in_their_own_pixels(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), np.zeros((20, 100, 3), np.uint8))
    picture = Picture(tmp_path / "a.png", "desk", BOXES / np.array([100, 20, 100, 20]), FACES)
    ((source, tally),) = tallies([picture], lambda _: [die(0, 1), die(20, 2), die(40, 3)])
    assert source == "desk"
    assert tally.exactly_right == 1


def test_nothing_to_evaluate_on_is_said(tmp_path: Path) -> None:
    with pytest.raises(CollectionError, match="No pictures"):
        pictures_of(None, "val", [])
    with pytest.raises(CollectionError, match="no drawn tables"):
        pictures_of(None, "val", [tmp_path])
