"""The mat as it is painted and printed: true size, legible, its markers where the layout says."""

from __future__ import annotations

import re
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

import lawn
from vision.layout import MatLayout, lawn_only, printed
from vision.mat_design import DICTIONARY, STYLES, Style, shapes
from vision.mat_drawing import draw_mat
from vision.mat_pdf import tiles, write_mat
from vision.mat_shapes import Line, Text, font_file

POINTS_A_MM = 72 / 25.4


def found_markers(picture: np.ndarray) -> dict[int, np.ndarray]:
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY))
    corners, numbers, _ = detector.detectMarkers(picture)
    return {int(n): c[0] for n, c in zip(numbers.ravel(), corners, strict=True)}


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("layout", [printed("A4", 16), printed("A3", 25)], ids=lambda m: m.name)
def test_the_painted_markers_are_where_the_layout_says(layout: MatLayout, style: Style) -> None:
    scale = 4.0
    found = found_markers(draw_mat(layout, scale, style))
    assert set(found) == set(layout.markers)
    origin = (layout.extent.x0, layout.extent.y0)
    for number, corners in layout.markers.items():
        wanted = (np.array(corners) - origin) * scale - 0.5
        assert np.abs(found[number] - wanted).max() < 1.0


def test_a_picture_has_the_size_of_the_sheet() -> None:
    assert draw_mat(printed("A4"), 2.0).shape == (594, 420, 3)
    assert draw_mat(lawn_only((30, 26)), 2.0).shape == (312, 180, 3)


def test_every_word_lies_on_the_sheet_and_is_large_enough_to_read() -> None:
    layout = printed("Letter", 17)
    words = [shape for shape in shapes(layout) if isinstance(shape, Text)]
    assert {"Left Flank", "Center", "Right Flank", "1", "6"} <= {text.words for text in words}
    assert any("100 %" in text.words for text in words)
    for text in words:
        assert layout.extent.clearance(text.at) > 5
        assert text.size_mm >= 2.8  # 8 points


def test_the_check_ruler_is_100_mm_long() -> None:
    lines = [shape for shape in shapes(printed()) if isinstance(shape, Line)]
    ticks = sorted({line.start[0] for line in lines if abs(line.start[1] - line.end[1]) == 4.0})
    assert len(ticks) == 11
    assert ticks[-1] - ticks[0] == pytest.approx(100)
    assert np.diff(ticks) == pytest.approx(10)


def pages(pdf: bytes) -> list[tuple[float, float]]:
    boxes = re.findall(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", pdf)
    return [(float(w) / POINTS_A_MM, float(h) / POINTS_A_MM) for w, h in boxes]


@pytest.mark.parametrize(
    ("paper", "sheets"),
    [
        ("A4", [(210, 297)]),
        ("Letter", [(215.9, 279.4)]),
        ("letter", [(215.9, 279.4)]),
        ("A3", [(297, 420)]),
        ("tiles", [(210, 297)] * 4),
    ],
)
def test_the_pdf_has_sheets_of_true_size(
    tmp_path: Path, paper: str, sheets: list[tuple[float, float]]
) -> None:
    out = tmp_path / "mat.pdf"
    write_mat(out, paper)
    for found, wanted in zip(pages(out.read_bytes()), sheets, strict=True):
        assert found == pytest.approx(wanted, abs=0.1)


def test_a_name_that_ends_in_png_gets_a_picture(tmp_path: Path) -> None:
    out = tmp_path / "mat.PNG"
    write_mat(out)
    assert cv2.imread(str(out)).shape == (891, 630, 3)


def test_tiles_cover_the_mat_and_overlap() -> None:
    layout = printed("tiles")
    parts = [sheet.part for sheet in tiles(layout)]
    for corner in layout.extent.corners:
        assert any(part.clearance(corner) >= 0 for part in parts)
    assert all(part.clearance(layout.extent.centre) == pytest.approx(5) for part in parts)
    for sheet in tiles(layout):  # whole on the sheet, with room for the marks
        assert min(sheet.corner) > 6
        assert sheet.corner[0] + sheet.part.width < sheet.size[0] - 6


def test_lawn_mat_says_what_it_made_and_refuses_what_does_not_fit(tmp_path: Path) -> None:
    out = tmp_path / "mat.pdf"
    done = CliRunner().invoke(lawn.main, ["mat", str(out), "--dice", "19", "--ink-saving"])
    assert done.exit_code == 0
    assert "A4 mat for 19 mm dice. Print it at 100 %" in done.stdout
    assert out.read_bytes().startswith(b"%PDF")
    for words, says in (
        (["--dice", "25"], "does not fit on A4; take A3 or tiles."),
        (["--paper", "A5"], "There is no mat for the paper A5"),
    ):
        refused = CliRunner().invoke(lawn.main, ["mat", str(out), *words])
        assert refused.exit_code == 2
        assert says in refused.stderr
    refused = CliRunner().invoke(lawn.main, ["mat", str(tmp_path / "no" / "mat.pdf")])
    assert refused.exit_code == 2
    assert "cannot be written" in refused.stderr


def test_fonts_come_with_their_licence() -> None:
    for font in ("Caladea-Regular", "Caladea-Italic"):
        assert font_file(font).is_file()
    assert (
        "Apache License"
        in (font_file("Caladea-Regular").parent / "LICENSE-Caladea.txt").read_text()
    )
