"""Write a mat as a true-size PDF, all vectors: one sheet, or the A3 mat on four A4 sheets to be glued."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import cv2
from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from vision.layout import PAPERS, SHEETS_MM, MatLayout, Point, Rect, printed
from vision.mat_design import Style, shapes
from vision.mat_drawing import draw_mat
from vision.mat_shapes import Box, Font, Line, Polygon, Shape, font_file

OVERLAP_MM = 10.0
"""How much of the mat neighbouring sheets both show: the strip for glue."""
MARK_MM = 5.0
PICTURE_PX_PER_MM = 3.0
FONTS: tuple[Font, ...] = get_args(Font)


class MatFileError(ValueError):
    """A mat cannot be written; the message names the file."""


@dataclass(frozen=True)
class Sheet:
    """A page: its size, which part of the mat it shows, and where that part's corner lies on it (mm)."""

    size: Point
    part: Rect
    corner: Point
    words: str = ""


def write_mat(
    out: Path, paper: str = "A4", dice_mm: int = 16, style: Style = "colour"
) -> tuple[MatLayout, int]:
    """Write the mat's PDF, or a picture of it if `out` ends in .png; returns its layout and how many sheets it has.

    paper: one of vision.layout.PAPERS, in any case. Raises vision.layout.LayoutError when the mat does not fit and
    MatFileError when the file cannot be written.
    """
    paper = next((known for known in PAPERS if known.casefold() == paper.casefold()), paper)
    layout = printed(paper, dice_mm)
    if out.suffix.lower() == ".png":
        _, packed = cv2.imencode(".png", draw_mat(layout, PICTURE_PX_PER_MM, style))
        _write(out, packed.tobytes())
        return layout, 1
    for font in FONTS:
        pdfmetrics.registerFont(TTFont(font, str(font_file(font))))
    sheets = tiles(layout) if paper == "tiles" else [whole(layout)]
    canvas = Canvas(str(out), pageCompression=1, invariant=1)
    canvas.setTitle(f"Get Off My Lawn: {layout.name}")
    canvas.setAuthor("Get Off My Lawn")
    canvas.setViewerPreference("PrintScaling", "None")
    for sheet in sheets:
        _page(canvas, sheet, layout, style)
    _write(out, canvas.getpdfdata())
    return layout, len(sheets)


def _write(out: Path, data: bytes) -> None:
    try:
        out.write_bytes(data)
    except OSError as error:
        raise MatFileError(f"{out}: the mat cannot be written ({error.strerror}).") from error


def whole(layout: MatLayout) -> Sheet:
    """The mat on one sheet."""
    extent = layout.extent
    return Sheet((extent.width, extent.height), extent, (0.0, 0.0))


def tiles(layout: MatLayout) -> list[Sheet]:
    """The mat on two by two A4 sheets that overlap, each part in the middle of its sheet."""
    size = SHEETS_MM["A4"]
    extent, half = layout.extent, OVERLAP_MM / 2
    middle = extent.centre
    columns = ((extent.x0, middle[0] + half), (middle[0] - half, extent.x1))
    rows = ((extent.y0, middle[1] + half), (middle[1] - half, extent.y1))
    sheets = []
    for down, (y0, y1) in enumerate(rows):
        for across, (x0, x1) in enumerate(columns):
            part = Rect(x0, y0, x1, y1)
            corner = ((size[0] - part.width) / 2, (size[1] - part.height) / 2)
            name = f"{('top', 'bottom')[down]} {('left', 'right')[across]}"
            words = (
                f"Sheet {2 * down + across + 1} of 4 ({name}). Print at 100 %. Cut along the marks, "
                f"lay the sheets over one another by {OVERLAP_MM:g} mm so that the picture goes on, and glue."
            )
            sheets.append(Sheet(size, part, corner, words))
    return sheets


def _page(canvas: Canvas, sheet: Sheet, layout: MatLayout, style: Style) -> None:
    """Draw a page. The canvas is turned to mm with y down, as the mat's frame has it."""
    canvas.setPageSize((sheet.size[0] * mm, sheet.size[1] * mm))
    canvas.saveState()
    canvas.translate(0, sheet.size[1] * mm)
    canvas.scale(mm, -mm)
    if sheet.words:
        _crop_marks(canvas, sheet)
    canvas.saveState()
    canvas.translate(sheet.corner[0] - sheet.part.x0, sheet.corner[1] - sheet.part.y0)
    clip = canvas.beginPath()
    clip.rect(sheet.part.x0, sheet.part.y0, sheet.part.width, sheet.part.height)
    canvas.clipPath(clip, stroke=0, fill=0)
    for shape in shapes(layout, style):
        _paint(canvas, shape)
    canvas.restoreState()
    canvas.restoreState()
    canvas.showPage()


def _crop_marks(canvas: Canvas, sheet: Sheet) -> None:
    """Cutting marks at the part's corners, and what to do in words below."""
    (x0, y0), part = sheet.corner, sheet.part
    x1, y1 = x0 + part.width, y0 + part.height
    canvas.setStrokeColor(HexColor("#000000"))
    canvas.setLineWidth(0.15)
    for x, away in ((x0, -1), (x1, 1)):
        for y, off in ((y0, -1), (y1, 1)):
            canvas.line(x + away, y, x + away * (1 + MARK_MM), y)
            canvas.line(x, y + off, x, y + off * (1 + MARK_MM))
    _words(canvas, (sheet.size[0] / 2, y1 + 12.0), sheet.words, "Caladea-Regular", 3.0, "222222")


def _paint(canvas: Canvas, shape: Shape) -> None:
    if isinstance(shape, Box):
        if shape.fill:
            canvas.setFillColor(HexColor(f"#{shape.fill}"))
        if shape.line:
            canvas.setStrokeColor(HexColor(f"#{shape.line}"))
            canvas.setLineWidth(shape.line_mm)
        fill, stroke = int(shape.fill is not None), int(shape.line is not None)
        rect = shape.rect
        spot = (rect.x0, rect.y0, rect.width, rect.height)
        if shape.radius_mm:
            canvas.roundRect(*spot, shape.radius_mm, fill=fill, stroke=stroke)
        elif fill or stroke:
            canvas.rect(*spot, fill=fill, stroke=stroke)
    elif isinstance(shape, Line):
        canvas.setStrokeColor(HexColor(f"#{shape.colour}"))
        canvas.setLineWidth(shape.width_mm)
        canvas.line(*shape.start, *shape.end)
    elif isinstance(shape, Polygon):
        path = canvas.beginPath()
        path.moveTo(*shape.points[0])
        for point in shape.points[1:]:
            path.lineTo(*point)
        path.close()
        canvas.setFillColor(HexColor(f"#{shape.fill}"))
        canvas.drawPath(path, fill=1, stroke=0)
    else:
        _words(canvas, shape.at, shape.words, shape.font, shape.size_mm, shape.colour, shape.turn)


def _words(
    canvas: Canvas, at: Point, words: str, font: str, size: float, colour: str, turn: int = 0
) -> None:
    canvas.saveState()
    canvas.translate(*at)
    canvas.rotate(90 * turn)
    canvas.scale(1, -1)  # letters stand upright although y runs down
    canvas.setFillColor(HexColor(f"#{colour}"))
    canvas.setFont(font, size)
    canvas.drawCentredString(0, 0, words)
    canvas.restoreState()
