"""A match as a table for other programs: one line of CSV for every player and round (RFC 4180)."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from datetime import UTC, datetime

from engine.match import Match

COLUMNS = (
    "match",
    "began",
    "round",
    "finished",
    "seat",
    "colour",
    "name",
    "base",
    "bonus_category",
    "bonus",
    "captured",
    "lawn",
    "round_total",
    "match_total",
)
"""began: ISO 8601, UTC; finished: whether the round is over; match_total: with this round."""

_STARTS_A_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def score_csv(match: Match, *, name: str, names: Sequence[str], began_s: float) -> str:
    """All rounds of a match, the one being played too; lines end with CR LF.

    name: of the match. A text that a spreadsheet would run as a formula gets an apostrophe before it.
    """
    began = datetime.fromtimestamp(began_s, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    written = io.StringIO()
    lines = csv.writer(written)
    lines.writerow(COLUMNS)
    sheets = [(each.number, True, each.scores, each.totals) for each in match.rounds]
    if not match.is_between_rounds:
        running = match.position.scores(), match.running_totals
        sheets.append((len(match.rounds) + 1, False, *running))
    for number, finished, scores, totals in sheets:
        for seat, (score, total) in enumerate(zip(scores, totals, strict=True)):
            lines.writerow(
                (
                    _harmless(name),
                    began,
                    number,
                    "yes" if finished else "no",
                    seat + 1,
                    match.colours[seat],
                    _harmless(names[seat]) if seat < len(names) else "",
                    score.base,
                    score.category,
                    score.bonus,
                    score.captured,
                    score.lawn,
                    score.total,
                    total,
                )
            )
    return written.getvalue()


def _harmless(text: str) -> str:
    return f"'{text}" if text.startswith(_STARTS_A_FORMULA) else text
