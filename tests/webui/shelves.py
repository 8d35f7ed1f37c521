"""Folders of matches that bots have played, and the pages beside the table on a real server, without a table."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
from flask import Flask
from werkzeug.serving import make_server

from engine.bots import greedy_bot
from engine.game_events import Noted
from engine.game_steps import Played, Started, TableRuling
from engine.journal import Journal
from engine.journal_events import Draft
from engine.journal_shelf import Shelf
from engine.match import Match
from engine.match_log import Entry
from engine.options import Options
from webui import source_page
from webui.about import version
from webui.answers import answers
from webui.catalogue import speak
from webui.guard import guard
from webui.pages import add_pages

DAY_S = 86_400.0
NOW_S = 1_795_996_800.0  # 30 November 2026
SAMPLE = Path(__file__).parent.parent.parent / "webui" / "samples" / "demo-table.jpg"


def small_jpeg() -> bytes:
    image = cv2.imread(str(SAMPLE))
    assert image is not None
    return cv2.imencode(".jpg", cv2.resize(image, (320, 180)))[1].tobytes()


def turns_of(match: Match) -> Iterator[tuple[Entry, ...]]:
    """The log of a match cut where somebody is about to choose an edge or to roll a Big Roll."""
    replay = Match.start(colours=match.colours, options=match.options, threshold=match.threshold)
    turn: list[Entry] = []
    for entry in match.log:
        replay = replay.apply(entry.action)
        turn.append(entry)
        if replay.position.phase not in ("boundary-roll", "placement", "re-entry", "bonus-choice"):
            yield tuple(turn)
            turn = []
    if turn:
        yield tuple(turn)


def play(
    seed: int, colours: tuple[str, ...], threshold: int, part: float, options: Options
) -> Match:
    """The first part of a match of greedy bots."""
    rng = random.Random(seed)
    match = Match.start(colours=colours, threshold=threshold, options=options)
    while not match.is_over:
        here = match.position
        match = match.apply(here.throw(rng) if here.is_chance else greedy_bot(here, rng))
    log = list(match.log[: max(1, int(len(match.log) * part))])
    start = Match.start(colours=colours, threshold=threshold, options=options)
    # A table ruling leaves no dice in the air, and a break comes between turns.
    while start.played(log).position.phase in ("boundary-roll", "placement", "re-entry"):
        log.pop()
    return start.played(log)


def shelve(
    folder: Path,
    name: str,
    *,
    seed: int = 1,
    people: dict[str, str] | None = None,
    threshold: int = 150,
    part: float = 1.0,
    at_s: float = NOW_S,
    jpeg: bytes | None = None,
    options: Options | None = None,
    ruled: str = "",
    note: str = "",
) -> Match:
    """Keep a match: people are name by colour, a turn takes half a minute."""
    people = people or {"red": "Anna", "blue": "Ben"}
    options = options or Options()
    match = play(seed, tuple(people), threshold, part, options)
    started = Started(tuple(people), tuple(people.values()), options, threshold)
    drafts = [
        Draft("played", Played(turn, by_person=at % 17 == 5).body(), jpeg=jpeg)
        for at, turn in enumerate(turns_of(match))
    ]
    if note:
        drafts.append(Draft("note", Noted(note).body()))
    if ruled:
        drafts.append(Draft("ruling", TableRuling(match.position, ruled).body()))
    folder.mkdir(parents=True, exist_ok=True)
    with Journal.open(folder / f"{name}.match", clock=lambda: at_s) as journal:
        journal.append(Draft("started", started.body()), *drafts)
    return match


def pages_app(folder: Path, playing: str = "", is_host: bool = True) -> Flask:
    """The pages of this folder's matches, guarded as in the product, without a table."""
    app = Flask("webui")
    app.jinja_env.globals["version"] = version()
    speak(app)
    guard(app, "127.0.0.1")
    answers(app)
    app.register_blueprint(source_page.routes)
    add_pages(app, Shelf(folder), lambda: playing, lambda _: is_host)
    return app


@contextmanager
def serving(app: Flask) -> Iterator[str]:
    """The address of a server that runs the application."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
