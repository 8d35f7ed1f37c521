"""What `lawn doctor` finds wrong with a camera and its table, and that it says what to do."""

from __future__ import annotations

import json
from dataclasses import replace

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from numpy.typing import NDArray

import lawn
from tests.vision.clip import Clip, die, in_place, lawn_corners, table
from tests.vision.made_up import die as read_die
from tests.vision.made_up import reading
from vision.doctor import (
    Report,
    camera_check,
    dice_check,
    examine,
    flicker,
    glare_px,
    light_checks,
    mat_checks,
    sharpness_check,
)
from vision.frames import Frame, Image
from vision.mat import FoundMat, mat_of_corners
from vision.reading import Reading

TABLE = table(
    in_place("red", 3, "left"), in_place("blue", 3, "center"), die("red", 6, -100, -60), width=1280
).image
MAT = mat_of_corners(lawn_corners(width=1280), (1280, 720))


class ReadsDice:
    """Stands for the networks: dice of a given size."""

    def __init__(self, size_px: float, count: int = 3) -> None:
        self.dice = [read_die((50 * i, 10, 50 * i + size_px, 10 + size_px)) for i in range(count)]

    def read(self, image: Image, name: str) -> Reading:
        return replace(reading(*self.dice), image=name, width=image.shape[1])


def frames(image: NDArray[np.uint8], fps: float = 30.0, count: int = 10) -> list[Frame]:
    clip = Clip(fps=fps, noise=2)
    return [
        Frame(picture, at, index, "camera 0")
        for index, (picture, at) in enumerate(clip.frames(image, count / fps))
    ]


def found(image: Image) -> FoundMat | None:  # noqa: ARG001
    return MAT


def levels(report: Report) -> dict[str, str]:
    return {check.name: check.level for check in report.checks}


def test_a_good_table_is_good_in_everything() -> None:
    report = examine("camera 0", frames(TABLE), ReadsDice(45.0), found)
    assert set(levels(report).values()) == {"good"}, report.text()
    assert report.usable
    assert "1280 x 720 px, 30.0 a second" in report.text()
    assert report.text().splitlines()[-1] == "  All is well: play."
    assert json.loads(json.dumps(report.to_json()))["usable"] is True


def test_no_picture_is_said() -> None:
    report = examine("camera 0", [], ReadsDice(45.0), found)
    assert not report.usable
    assert "cable" in report.text()


def test_the_rate_that_came_is_told_not_the_one_that_was_asked_for() -> None:
    check = camera_check(frames(TABLE, fps=3, count=6), True)
    assert check.values["fps"] == pytest.approx(3.0)
    assert check.level == "improve"
    small = [Frame(np.zeros((240, 320, 3), np.uint8), 0.0, 0, "a")]
    assert "larger picture" in camera_check(small, True).says


@pytest.mark.parametrize(("gain", "level"), [(0.15, "bad"), (0.4, "improve"), (1.0, "good")])
def test_darkness_is_said(gain: float, level: str) -> None:
    dark = (TABLE * gain).astype(np.uint8)
    assert light_checks([dark], 45.0)[0].level == level


def test_washed_out_pictures_are_said() -> None:
    bright = np.clip(TABLE.astype(np.float32) * 5, 0, 255).astype(np.uint8)
    assert "white beyond measure" in light_checks([bright], 45.0)[0].says


def test_bands_of_a_flickering_lamp_are_noticed_and_a_steady_one_is_not() -> None:
    rows = np.arange(720)[:, None, None] / 720

    def lit(index: int, strength: float) -> NDArray[np.uint8]:
        return np.clip(TABLE * (1 + strength * np.sin(14 * rows + 2.1 * index)), 0, 255).astype(
            np.uint8
        )

    assert flicker([lit(i, 0.1) for i in range(8)]) > 0.03
    assert flicker([lit(i, 0.0) for i in range(8)]) < 0.005
    assert flicker([(TABLE * gain).astype(np.uint8) for gain in (1, 0.9, 0.8, 0.7)]) < 0.02
    checks = light_checks([lit(i, 0.15) for i in range(8)], 45.0)
    assert [check.name for check in checks] == ["light", "flicker"]


def test_a_mirrored_lamp_is_noticed() -> None:
    glaring = TABLE.copy()
    cv2.ellipse(glaring, (700, 300), (60, 40), 0, 0, 360, (255, 255, 255), -1)
    assert glare_px(glaring) == pytest.approx(80, abs=6)
    assert [check.name for check in light_checks([glaring], 45.0)] == ["light", "glare"]
    assert glare_px(TABLE) < 30


@pytest.mark.parametrize(("blur", "level"), [(0.0, "good"), (3.0, "improve"), (7.0, "bad")])
def test_blur_is_measured_by_the_dice(blur: float, level: str) -> None:
    image = TABLE if blur == 0 else cv2.GaussianBlur(TABLE, (0, 0), blur)
    assert sharpness_check(np.asarray(image, np.uint8), 45.0).level == level


def test_dice_from_22_px_up_are_large_enough() -> None:
    assert dice_check(reading(read_die((0, 0, 22, 22))), 22.0).level == "good"
    small = dice_check(reading(read_die((0, 0, 20, 20))), 20.0)
    assert small.level == "bad"
    assert "too small, move the camera closer" in small.says


def test_without_dice_their_size_follows_from_the_mat() -> None:
    report = examine("camera 0", frames(TABLE), ReadsDice(45.0, count=0), found)
    (check,) = (each for each in report.checks if each.name == "dice")
    assert check.level == "good"
    assert 30 < check.values["die_px"] < 60
    nothing = examine("camera 0", frames(TABLE), ReadsDice(45.0, count=0), lambda _: None)
    assert "put some on the table" in nothing.text()
    assert "lawn mat" in nothing.text()
    assert nothing.usable


def test_a_lawn_that_leaves_the_picture_is_bad_and_a_flat_view_too() -> None:
    outside = mat_of_corners(lawn_corners(width=1280) + np.array([500, 0]), (1280, 720))
    (check,) = mat_checks(outside, TABLE)
    assert check.level == "bad"
    flat = mat_of_corners(np.array([[560.0, 300], [720, 300], [800, 380], [480, 380]]), (1280, 720))
    (check,) = mat_checks(flat, TABLE)
    assert "raise the camera" in check.says or "more steeply" in check.says


def test_the_command_ends_with_0_when_usable_and_with_1_when_not() -> None:
    sample = str(lawn.Path(lawn.__file__).parent / "webui" / "samples" / "demo-table.jpg")
    done = CliRunner().invoke(lawn.main, ["doctor", sample, "--json"])
    assert done.exit_code == 0, done.output
    assert {check["check"] for check in json.loads(done.output)["checks"]} >= {"camera", "light"}
    missing = CliRunner().invoke(lawn.main, ["doctor", "nowhere.mp4"])
    assert missing.exit_code == 1
    assert "there is no such file" in missing.output
