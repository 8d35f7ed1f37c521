"""Short ways to a journal for a test, and the writer that is killed."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from engine.actions import Action
from engine.game_events import Noted
from engine.game_steps import Played, Started
from engine.journal import Journal
from engine.journal_events import Draft
from engine.match import Match
from engine.match_log import Entry
from engine.options import Options
from engine.table import LawnPlace, SeenDie, TableView
from tests.engine.matches import random_match

JPEG = b"\xff\xd8\xff\xe0 no picture, but it begins as one \xff\xd9"
STARTED = Started(("red", "blue"), ("Anna", "Ben"), Options(), 100)
NOBODY = 65534


def ticking(start: float = 1_795_996_800.0) -> Callable[[], float]:
    """A clock that goes on by a second each time it is read."""
    seconds = itertools.count()
    return lambda: start + next(seconds)


def opened(path: Path) -> Journal:
    return Journal.open(path, clock=ticking())


def a_view(face: int = 3, time_s: float = 1.0) -> TableView:
    """One red die on the Lawn, as a camera believes."""
    belief = tuple(0.95 if each == face else 0.01 for each in range(1, 7))
    place = LawnPlace(face, "left")
    die = SeenDie(
        7, belief, (0.97, 0.01, 0.01, 0.01), ((place, 0.9), (LawnPlace(face, "center"), 0.1))
    )
    return TableView(time_s, (die,))


def scripted_drafts(seed: int = 1) -> list[Draft]:
    """The journal of a whole match: one entry for the players, then one a step, with its picture."""
    match = random_match(seed)
    drafts = [Draft(STARTED.kind, STARTED.body())]
    for number, entry in enumerate(match.log):
        played = Played((entry,))
        view = a_view(1 + number % 6, number / 10) if number % 3 == 0 else None
        drafts.append(Draft(played.kind, played.body(), view, JPEG if view else None))
    return drafts


def write_on(path: str, acknowledge: int) -> None:
    """Go on writing the scripted match from where the journal stands; a byte after each entry."""
    with Journal.open(Path(path), clock=ticking()) as journal:
        drafts = scripted_drafts()
        for draft in drafts[len(journal.events()) :]:
            journal.append(draft)
            os.write(acknowledge, b".")


def note(text: str) -> Draft:
    return Draft(Noted.kind, Noted(text).body())


def entry(action: Action, by: str) -> Played:
    return Played((Entry(action, by),))


def fresh_match() -> Match:
    return Match.start(colours=STARTED.colours, threshold=STARTED.threshold)


@contextmanager
def without_rights(folder: Path) -> Iterator[None]:
    """The folder takes no writing, also when the tests run as the administrator."""
    modes = {each: each.stat().st_mode for each in (folder, *folder.parents)}
    as_root = os.geteuid() == 0
    for each, mode in modes.items():
        if as_root and not mode & 0o001:
            each.chmod(mode | 0o011)  # so that nobody can get there at all
    folder.chmod(0o555)
    if as_root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if as_root:
            os.seteuid(0)
        for each in (folder, *folder.parents):
            if each.stat().st_mode != modes[each]:
                each.chmod(modes[each])
