"""The front door's own doing: what it prints, refuses and returns. A made-up reader stands in for the model."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from click.testing import CliRunner, Result
from PIL import Image

import lawn
from engine.errors import DiceError
from tests.vision.made_up import die, rolled
from vision.reading import DieReading, Reading

RED_AND_BLUE = [
    *rolled("red", [1, 2, 3, 4, 5, 6, 6, 6]),
    *rolled("blue", [1, 1, 2, 2, 3, 3, 4, 5], unsure=1),
    die(colour="green"),
]

Lawn = Callable[..., Result]


class MadeUpReader:
    """Sees the same dice in every picture."""

    dice: tuple[DieReading, ...] = tuple(RED_AND_BLUE)

    def __init__(self, weights: Path | None = None, backend: str = "onnxruntime") -> None:
        pass

    def read(self, image: np.ndarray, name: str, corners: object = None) -> Reading:  # noqa: ARG002
        height, width = image.shape[:2]
        return Reading(name, width, height, self.dice)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Lawn:
    """Run `lawn` in an empty folder, with the made-up reader."""
    module = ModuleType("vision.reader")
    module.TableReader = MadeUpReader  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "vision.reader", module)
    monkeypatch.chdir(tmp_path)

    def run_lawn(*words: str) -> Result:
        return CliRunner().invoke(lawn.main, list(words))

    return run_lawn


@pytest.fixture
def photos(tmp_path: Path) -> list[str]:
    """Three photos: one of the same name in another folder, one on its side, one with foreign letters."""
    names = ["a.jpg", "more/a.jpg", "Würfel 骰子.png"]
    (tmp_path / "more").mkdir()
    exif = Image.Exif()
    exif[0x0112] = 6
    Image.new("RGB", (80, 60)).save(tmp_path / names[0])
    Image.new("RGB", (80, 60)).save(tmp_path / names[1], exif=exif)
    Image.new("RGB", (80, 60)).save(tmp_path / names[2])
    return names


def test_read_prints_one_object_a_photo_one_a_line(run: Lawn, photos: list[str]) -> None:
    result = run("read", "--json", *photos, "./a.jpg")
    assert result.exit_code == 0
    assert result.stderr == ""
    objects = [json.loads(line) for line in result.stdout.splitlines()]
    assert [each["image"] for each in objects] == [*photos, "./a.jpg"]
    assert [(each["width"], each["height"]) for each in objects[:2]] == [(80, 60), (60, 80)]
    for each in objects:
        assert set(each) >= {"image", "width", "height", "mat", "dice"}
        assert len(each["dice"]) == len(RED_AND_BLUE)
        for shown in each["dice"]:
            assert set(shown) == {
                "box", "face", "face_p", "colour", "colour_p", "place", "unsure"
            }  # fmt: skip
            assert sum(shown["face_p"]) == pytest.approx(1, abs=1e-9)
            assert sum(shown["colour_p"].values()) == pytest.approx(1, abs=1e-9)


def test_read_prints_a_table_for_people(run: Lawn, photos: list[str]) -> None:
    lines = run("read", *photos).stdout.splitlines()
    assert lines[0] == "a.jpg (80 x 60 px): 17 dice: 8 blue, 8 red, 1 green; 1 unsure."
    assert len([line for line in lines if "unsure: " in line]) == len(photos)
    assert any(line.startswith("Würfel 骰子.png (80 x 60 px)") for line in lines)


def test_a_bad_photo_is_named_and_the_others_are_read(run: Lawn, photos: list[str]) -> None:
    for command in ("read", "score"):
        result = run(command, "--json", "missing.jpg", photos[0], "more", photos[1])
        assert result.exit_code == 2
        assert [json.loads(line)["image"] for line in result.stdout.splitlines()] == photos[:2]
        errors = result.stderr.splitlines()
        assert len(errors) == 2
        assert errors[0].startswith("Error: missing.jpg: there is no such file")
        assert errors[1].startswith("Error: more: this is a folder")


def test_drawings_go_to_the_folder_and_photos_stay(run: Lawn, photos: list[str]) -> None:
    before = {name: Path(name).read_bytes() for name in photos}
    result = run("read", "--draw", "drawn/here", *photos)
    assert result.exit_code == 0
    drawn = sorted(path.name for path in Path("drawn/here").iterdir())
    assert drawn == ["Würfel 骰子-read.jpg", "a-read-2.jpg", "a-read.jpg"]
    with Image.open("drawn/here/a-read-2.jpg") as upright:
        assert upright.width < upright.height
    assert {name: Path(name).read_bytes() for name in photos} == before
    assert f"  drawn in {Path('drawn/here/a-read.jpg')}" in result.stdout.splitlines()


def test_a_folder_that_cannot_be_made_is_said_before_anything_is_read(
    run: Lawn, photos: list[str]
) -> None:
    Path("taken").touch()
    result = run("read", "--draw", "taken", *photos)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("Error: taken: this folder cannot be made")
    assert len(result.stderr.splitlines()) == 1


def test_score_prints_the_big_rolls_for_people(run: Lawn, photos: list[str]) -> None:
    result = run("score", photos[0])
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert "    six-dice straight 21 (1 2 3 4 5 6)" in lines  # rule 3:2.B
    assert "    total 54" in lines
    assert "    total 21, unsure" in lines
    assert "    1 green die seen; a Big Roll has 8, so it is not scored." in lines
    assert lines[-1] == "  Turn order: red (54), then blue (21)."


def test_score_prints_one_object_a_photo_one_a_line(run: Lawn, photos: list[str]) -> None:
    result = run("score", "--json", *photos)
    objects = [json.loads(line) for line in result.stdout.splitlines()]
    assert [each["image"] for each in objects] == photos
    colours = {each["colour"]: each for each in objects[0]["colours"]}
    assert (colours["red"]["base"], colours["red"]["total"]) == (33, 54)
    assert (colours["blue"]["total"], colours["blue"]["unsure"]) == (21, 1)
    assert colours["green"]["total"] is None
    assert objects[0]["order"] == [["red"], ["blue"]]


def test_a_missing_model_is_one_sentence(
    run: Lawn, photos: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from vision.networks import ModelError

    def broken(*_: object) -> None:
        raise ModelError("The detector's weights are missing; install the product again.")

    monkeypatch.setattr(MadeUpReader, "__init__", broken)
    result = run("read", photos[0])
    assert result.exit_code == 2
    assert result.stderr == (
        "Error: The detector's weights are missing; install the product again.\n"
    )


def test_errors_of_our_own_are_sentences_and_faults_keep_their_traceback(
    run: Lawn, photos: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def raising(error: Exception) -> None:
        def read(*_: object) -> None:
            raise error

        monkeypatch.setattr(MadeUpReader, "read", read)

    raising(DiceError("A die shows a face from 1 to 6, not 7."))
    assert run("read", photos[0]).stderr == "Error: A die shows a face from 1 to 6, not 7.\n"
    raising(OSError(28, "No space left on device", "a.db"))
    assert run("read", photos[0]).stderr == "Error: a.db: No space left on device.\n"
    raising(ModuleNotFoundError("No module named 'torch'", name="torch"))
    assert "pip install -e '.[train]'" in run("read", photos[0]).stderr
    for fault in (ValueError("a fault"), ModuleNotFoundError("no", name="vision.nothing")):
        raising(fault)
        assert run("read", photos[0]).exception is fault


@pytest.mark.parametrize(
    "words",
    [
        ["read"],
        ["score"],
        ["read", "--nonsense", "a.jpg"],
        ["serve", "--port", "70000"],
        ["demo", "--port", "x"],
        ["render", "out"],
        ["render", "--count", "0", "out"],
        ["nonsense"],
    ],
)
def test_a_wrong_command_line_is_refused_with_code_two(run: Lawn, words: list[str]) -> None:
    result = run(*words)
    assert result.exit_code == 2
    assert result.stderr.splitlines()[-1].startswith("Error: ")
