"""The rules: the designer's text with its numbers, the house's rulings and options, and how the game is built."""

from __future__ import annotations

from flask import Blueprint, render_template

from engine.options import RULINGS
from webui.catalogue import speaker
from webui.measured import measured
from webui.rule_book import RULINGS_OF, anchor, rule_book

DESIGN = ("deque", "feedback", "locks", "scheduling")
"""The parts of the section on the game's design."""


def rules_routes() -> Blueprint:
    """GET /rules."""
    routes = Blueprint("rules", __name__)

    @routes.get("/rules")
    def page() -> str:
        of_ruling: dict[str, list[str]] = {ruling.number: [] for ruling in RULINGS}
        for rule, rulings in RULINGS_OF.items():
            for ruling in rulings:
                of_ruling[ruling].append(rule)
        return render_template(
            "rules.html",
            chapters=rule_book(speaker().language),
            rulings=RULINGS,
            of_ruling=of_ruling,
            anchor=anchor,
            design=DESIGN,
            measured=measured(),
        )

    return routes
