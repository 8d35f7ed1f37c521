"""`lawn evaluate --mat` on two small sets with known truth."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import lawn
from datasets.mat_tables import MatShot, draw_shot, write_mat_table
from datasets.real import CollectionError
from models.evaluate_mat import evaluate_mat, report_mat


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("mats")
    write_mat_table(draw_shot(MatShot(elevation=55, dice=12, seed=7)), out, "good")
    # Three markers are hidden from this one: a mat that cannot be found must be told.
    table = draw_shot(MatShot(elevation=55, dice=2, seed=8))
    height = table.image.shape[0]
    table.image[: int(height * 0.97)] = 90
    write_mat_table(table, out, "gone")
    return out


def test_true_boxes_give_the_error_of_the_geometry(folder: Path) -> None:
    result = evaluate_mat(folder, read=False)
    assert (result["pictures"], result["found"], result["missed"]) == (2, 1, ["gone"])
    assert result["wrong_mat"] == []
    row = result["true boxes"]
    assert row["dice"] >= 10
    assert row["p95_mm"] < 3.0
    assert row["right_place_percent"] == 100.0
    assert "read boxes" not in result
    assert "Mats: 1 of 2 found" in report_mat(result)
    assert "Not found: gone." in report_mat(result)


def test_a_wrong_truth_shows_as_an_error(folder: Path, tmp_path: Path) -> None:
    for kind in ("images", "truth"):
        (tmp_path / kind).mkdir()
    (tmp_path / "images" / "good.jpg").write_bytes((folder / "images" / "good.jpg").read_bytes())
    truth = json.loads((folder / "truth" / "good.json").read_text())
    for die in truth["dice"]:
        die["xy_mm"][0] += 40
    (tmp_path / "truth" / "good.json").write_text(json.dumps(truth))
    row = evaluate_mat(tmp_path, read=False)["true boxes"]
    assert row["median_mm"] == pytest.approx(40, abs=2)
    assert row["right_place_percent"] < 10


def test_the_command_measures_the_readers_boxes_too(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "result.json"
    done = CliRunner().invoke(lawn.main, ["evaluate", "--mat", str(folder), "--out", str(out)])
    assert done.exit_code == 0, done.output
    assert "read boxes" in done.stdout
    assert json.loads(out.read_text())["read boxes"]["dice"] >= 6


def test_a_folder_without_mats_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CollectionError, match="no tables with a mat here"):
        evaluate_mat(tmp_path)
