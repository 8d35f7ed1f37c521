"""The score sheet of a match on paper: A4, every round with the three components of rule 7:2."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from reportlab.lib import colors
from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer, Table

from engine.match import Match
from vision.mat_shapes import Font, font_file
from webui.catalogue import Speaker

REGULAR: Font = "Caladea-Regular"
ITALIC: Font = "Caladea-Italic"
GREEN, TINT = colors.HexColor("#2f6b3c"), colors.HexColor("#e2eedd")
NAME_SIZE, SMALLEST_NAME = 13.0, 9.0
"""Of names at the head, pt: a long one is written smaller, and what is longer still goes on in another line."""
PARTS = ("base", "bonus", "captured", "lawn", "total")
OF_THREE = ("base", "bonus", "lawn", "total")
"""With three players nothing is captured (7:2.B)."""


def score_sheet(says: Speaker, match: Match, labels: Sequence[str], began_s: float) -> bytes:
    """The PDF. labels: the players' names in seat order; began_s: s since 1970.

    Rounds that do not fit one sheet go on, under the same head, on the next.
    """
    for font in (REGULAR, ITALIC):
        pdfmetrics.registerFont(TTFont(font, str(font_file(font))))
    title = ParagraphStyle("title", fontName=REGULAR, fontSize=22, leading=27, textColor=GREEN)
    plain = ParagraphStyle("plain", fontName=REGULAR, fontSize=11, leading=15)
    small = ParagraphStyle("small", fontName=ITALIC, fontSize=9, leading=12)
    written = io.BytesIO()
    # reportlab's paragraphs read markup, and names are not meant as any.
    names = [_plain(label) for label in labels]
    document = SimpleDocTemplate(
        written,
        pagesize=landscape(A4),
        leftMargin=15 * mm,
        rightMargin=15 * mm,
        topMargin=14 * mm,
        bottomMargin=14 * mm,
        title=f"Get Off My Lawn – {' / '.join(labels)}",
        author="Get Off My Lawn",
        invariant=1,
    )
    document.build(
        [
            Paragraph("Get Off My Lawn", title),
            Paragraph(f"{says.day(began_s)} · {' · '.join(names)}", plain),
            Paragraph(says.t("archive.sheet-plays-to", points=match.threshold), plain),
            Spacer(0, 5 * mm),
            _table(says, match, labels),
            Spacer(0, 4 * mm),
            Paragraph(says.t("archive.sheet-parts-paper"), small),
        ]
    )
    return written.getvalue()


def _plain(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def name_head(label: str, room: float) -> Paragraph:
    """A player's name in so many pt, none of it cut off."""
    wide = pdfmetrics.stringWidth(label, REGULAR, NAME_SIZE)
    size = max(SMALLEST_NAME, min(NAME_SIZE, NAME_SIZE * room / max(wide, 1.0)))
    style = ParagraphStyle(
        "name", fontName=REGULAR, fontSize=size, leading=1.2 * size, textColor=colors.white
    )
    style.splitLongWords = 1
    return Paragraph(_plain(label), style)


def _table(says: Speaker, match: Match, labels: Sequence[str]) -> Table:
    parts = PARTS if len(labels) == 2 else OF_THREE
    heads = [says.t(f"archive.sheet-{part}") for part in parts]
    rows: list[list[Any]] = [[""], [says.t("archive.sheet-round")]]
    share = 267 * mm - 20 * mm
    for label in labels:
        rows[0] += [name_head(label, share / len(labels) - 12), *[""] * (len(parts) - 1)]
        rows[1] += heads
    sheets = [(f"{each.number}", each.scores) for each in match.rounds]
    if not match.is_between_rounds:
        sheets.append((f"({len(match.rounds) + 1})", match.position.scores()))
    for number, scores in sheets:
        rows.append([number, *(getattr(s, part) for s in scores for part in parts)])
    rows.append([says.t("game.total")])
    for total in match.running_totals:
        rows[-1] += [*[""] * (len(parts) - 1), total]
    widths = [20 * mm, *[share / (len(labels) * len(parts))] * (len(labels) * len(parts))]
    table = Table(rows, colWidths=widths, repeatRows=2)
    last = len(rows) - 1
    style: list[tuple[Any, ...]] = [
        ("FONT", (0, 0), (-1, -1), REGULAR, 10),
        ("FONTSIZE", (0, 1), (-1, 1), 8),
        ("FONTSIZE", (0, last), (-1, last), 14),
        ("BOTTOMPADDING", (0, 0), (-1, 0), 7),
        ("TOPPADDING", (0, last), (-1, last), 7),
        ("BOTTOMPADDING", (0, last), (-1, last), 9),
        ("ALIGN", (1, 1), (-1, -1), "RIGHT"),
        ("BACKGROUND", (0, 0), (-1, 0), GREEN),
        ("TEXTCOLOR", (0, 0), (-1, 0), colors.white),
        ("BACKGROUND", (0, 1), (-1, 1), TINT),
        ("LINEABOVE", (0, last), (-1, last), 1.2, GREEN),
        ("LINEBELOW", (0, 1), (-1, -2), 0.3, colors.HexColor("#9fb3a3")),
    ]
    for seat in range(len(labels)):
        first = 1 + seat * len(parts)
        style += [
            ("SPAN", (first, 0), (first + len(parts) - 1, 0)),
            ("LINEBEFORE", (first, 0), (first, -1), 0.8, GREEN),
            ("BACKGROUND", (first + len(parts) - 1, 2), (first + len(parts) - 1, -1), TINT),
        ]
    table.setStyle(style)
    return table
