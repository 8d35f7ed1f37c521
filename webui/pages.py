"""The pages beside the table, put together: home, rules, archive, statistics, scoreboard and settings."""

from __future__ import annotations

from pathlib import Path

from flask import Flask

from engine.journal_shelf import Shelf
from webui.archive_page import archive_routes
from webui.paints import PIPS, paint
from webui.rule_book import rule_link
from webui.rules_page import rules_routes
from webui.statistics_page import statistics_routes


def add_pages(app: Flask, folder: Path) -> None:
    """Register these pages. folder: where the matches are kept; it need not be there yet."""
    app.jinja_env.globals.update(paint=paint, pips=PIPS, rule_link=rule_link)
    shelf = Shelf(folder)
    app.register_blueprint(archive_routes(shelf))
    app.register_blueprint(rules_routes())
    app.register_blueprint(statistics_routes(shelf))
