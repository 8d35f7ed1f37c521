"""The pages beside the table, put together: home, rules, archive, statistics, scoreboard and settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Flask, Request

from engine.journal_shelf import Shelf
from webui.archive_page import archive_routes
from webui.catalogue import speaker
from webui.home_page import home_routes
from webui.paints import PAINTS, PIPS, paint
from webui.rule_book import rule_link
from webui.rules_page import rules_routes
from webui.said import said
from webui.scoreboard_page import scoreboard_routes
from webui.settings_page import settings_routes
from webui.statistics_page import statistics_routes


def add_pages(
    app: Flask, shelf: Shelf, playing: Callable[[], str], is_host: Callable[[Request], bool]
) -> None:
    """Register these pages.

    shelf: the matches. playing: the id of the one that is being played, or "". is_host: whether a
    request comes from this very computer.
    """

    @app.context_processor
    def of_the_engine() -> dict[str, Any]:
        says = speaker()
        return {"said": lambda text: said(says, text)}

    app.jinja_env.globals.update(paint=paint, paints=PAINTS, pips=PIPS, rule_link=rule_link)
    for routes in (
        home_routes(shelf, playing),
        rules_routes(),
        archive_routes(shelf),
        statistics_routes(shelf),
        scoreboard_routes(),
        settings_routes(shelf, is_host),
    ):
        app.register_blueprint(routes)
