"""The page that begins a match: who plays, by which rulings, and how the table is seen."""

from __future__ import annotations

from flask import Blueprint, render_template

from engine.dice import DEFAULT_COLOURS, NEUTRAL_COLOUR
from engine.match import MAX_THRESHOLD, STANDARD_THRESHOLD
from engine.options import RULINGS
from vision.reading import COLOURS

THRESHOLDS = (150, 300, STANDARD_THRESHOLD, 1000)
"""Offered with one tap; any other can be typed."""


def new_routes() -> Blueprint:
    """GET /new."""
    routes = Blueprint("new", __name__)

    @routes.get("/new")
    def page() -> str:
        return render_template(
            "new.html",
            rulings=[ruling for ruling in RULINGS if len(ruling.values) > 1],
            fixed_rulings=[ruling for ruling in RULINGS if len(ruling.values) == 1],
            colours=[colour for colour in COLOURS if colour != NEUTRAL_COLOUR],
            defaults=DEFAULT_COLOURS,
            thresholds=THRESHOLDS,
            standard=STANDARD_THRESHOLD,
            most=MAX_THRESHOLD,
        )

    return routes
