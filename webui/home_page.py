"""The first page: the match being played or left, a new one, and where everything else is."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from flask import Blueprint, render_template

from engine.errors import JournalError
from engine.journal_file import is_written_elsewhere
from engine.journal_shelf import Shelf, Shelved
from webui.archive_page import outcome_of, players_of
from webui.catalogue import Speaker, speaker

LATEST = 6
"""So many of the last matches are shown."""


def home_routes(shelf: Shelf, playing: Callable[[], str]) -> Blueprint:
    """GET /. playing: the id of the match that is being played now, or ""."""
    routes = Blueprint("home", __name__)

    @routes.get("/")
    def page() -> str:
        says, problem = speaker(), ""
        try:
            latest = [each for each in shelf.newest(LATEST) if not each.info.problem]
        except JournalError as error:
            latest, problem = [], str(error)
        now = playing()
        being_played = next((each for each in latest if each.id == now), None)
        left = [each for each in latest if not each.info.over]
        offered = left[0] if left and not now else None
        return render_template(
            "home.html",
            playing=being_played and _shown(says, being_played),
            left=offered and _shown(says, offered),
            latest=[
                _shown(says, each) for each in latest if each.id != now and each is not offered
            ],
            problem=problem,
        )

    return routes


def _shown(says: Speaker, shelved: Shelved) -> dict[str, Any]:
    info = shelved.info
    players = players_of(says, info)
    return {
        "id": shelved.id,
        "info": info,
        "players": players,
        "outcome": outcome_of(says, info, players),
        "when": when(says, info.last_s, datetime.now().timestamp()),
        "elsewhere": not info.over and is_written_elsewhere(info.path),
    }


def when(says: Speaker, seconds: float, now: float) -> str:
    """The key of the text that says from which day something is: today, yesterday, earlier."""
    days = (datetime.fromtimestamp(now).date() - datetime.fromtimestamp(seconds).date()).days
    key = {0: "home.go-on-today", 1: "home.go-on-yesterday"}.get(days, "home.go-on-day")
    return says.t(key, day=says.day(seconds))
