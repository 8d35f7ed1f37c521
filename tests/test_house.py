"""The house itself: which room may know which, what is installed, and how large a module may grow."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
MAY_KNOW = {
    "engine": {"engine"},
    "vision": {"engine", "vision"},
    "webui": {"engine", "vision", "webui"},
    "models": {"engine", "vision", "models", "datasets"},
    "datasets": {"engine", "vision", "models", "datasets"},
}
ROOMS = set(MAY_KNOW)
WORKSHOP = {"torch", "torchvision", "ultralytics", "onnx", "models", "datasets"}


def modules(room: str) -> list[Path]:
    return sorted((ROOT / room).rglob("*.py"))


def imported(path: Path) -> set[str]:
    """The first part of every module that a file imports, at its top or inside a function."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            names.add(node.module or "")
    return {name.partition(".")[0] for name in names}


def loaded_after(statement: str) -> set[str]:
    """The first part of every module that a fresh interpreter holds after the statement."""
    code = f"{statement}\nimport json, sys; print(json.dumps(list(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return {name.partition(".")[0] for name in json.loads(done.stdout.splitlines()[-1])}


@pytest.mark.parametrize("room", MAY_KNOW)
def test_imports_run_one_way(room: str) -> None:
    assert modules(room)
    for path in modules(room):
        strangers = imported(path) & (ROOMS | {"lawn", "tests"}) - MAY_KNOW[room]
        assert not strangers, f"{path.relative_to(ROOT)} may not import {strangers}"


def test_the_engine_imports_nothing_from_outside() -> None:
    for path in modules("engine"):
        assert imported(path) <= {"engine"} | sys.stdlib_module_names, path


def test_the_running_product_never_loads_the_workshop() -> None:
    product = [
        ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for room in ("engine", "vision", "webui")
        for path in modules(room)
    ]
    loaded = loaded_after(f"import lawn, {', '.join(product)}")
    assert {"engine", "vision", "webui", "numpy", "cv2"} <= loaded
    assert not loaded & WORKSHOP


def test_the_front_door_opens_without_loading_anything_heavy() -> None:
    loaded = loaded_after("import lawn")
    assert "click" in loaded
    assert not loaded & (WORKSHOP | ROOMS | {"numpy", "cv2", "onnxruntime", "flask", "PIL"})


def test_no_module_grows_over_five_hundred_lines() -> None:
    for path in [ROOT / "lawn.py", *(path for room in (*ROOMS, "tests") for path in modules(room))]:
        lines = len(path.read_text(encoding="utf-8").splitlines())
        assert lines <= 500, f"{path.relative_to(ROOT)} has {lines} lines"


@pytest.mark.parametrize("room", [*MAY_KNOW, "tests"])
def test_every_package_says_in_one_line_what_it_is(room: str) -> None:
    for path in (ROOT / room).rglob("__init__.py"):
        if path.parent.parent.name == "tests":
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        assert len((ast.get_docstring(tree, clean=False) or "\n").splitlines()) == 1, path


def test_the_core_install_brings_no_training_and_only_one_opencv() -> None:
    def names(requirements: list[str]) -> set[str]:
        return {
            requirement.partition(";")[0].split(">")[0].split("=")[0].split("[")[0].strip()
            for requirement in requirements
        }

    core = names(PROJECT["project"]["dependencies"])
    assert "opencv-python" in core
    assert not core & {"torch", "torchvision", "ultralytics", "onnx", "opencv-python-headless"}
    extras = PROJECT["project"]["optional-dependencies"]
    assert {"train", "render", "video", "openvino", "test"} <= set(extras)
    assert {"torch", "ultralytics"} <= names(extras["train"])
    for requirements in extras.values():
        assert not any("headless" in name for name in names(requirements))


@pytest.fixture(scope="module")
def wheel_files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, int]:
    """Name and size of every file in a wheel built, without a network, from a copy of the house."""
    copy = tmp_path_factory.mktemp("house")
    for name in (*ROOMS, "tests"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "lawn.py", "LICENSE", "README.md"):
        shutil.copyfile(ROOT / name, copy / name)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps"]
    subprocess.run(
        [*command, "--no-build-isolation", "--wheel-dir", "wheel", "."], cwd=copy, check=True
    )
    (wheel,) = (copy / "wheel").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        return {each.filename: each.file_size for each in archive.infolist()}


def test_every_module_is_in_the_wheel(wheel_files: dict[str, int]) -> None:
    ours = {
        path.relative_to(ROOT).as_posix() for room in (*ROOMS, "tests") for path in modules(room)
    }
    assert ours | {"lawn.py"} <= set(wheel_files)


def test_every_other_file_of_a_room_is_in_the_wheel(wheel_files: dict[str, int]) -> None:
    # Weights, recipes, templates, samples, cards: setuptools leaves out what package-data forgets.
    ours = {
        path.relative_to(ROOT).as_posix()
        for room in ROOMS
        for path in (ROOT / room).rglob("*")
        if path.is_file() and path.suffix not in {".py", ".pyc"}
    }
    assert {"webui/samples/demo-table.jpg", "models/face-detector.onnx"} <= ours
    assert ours <= set(wheel_files)
    assert not [name for name in wheel_files if name.endswith((".pt", ".npz"))]
