"""kill -9 at any moment of a match loses at most the entry being written."""

from __future__ import annotations

import multiprocessing
import os
import random
import time
from pathlib import Path

import pytest

from engine.game_log import GameLog, replayed
from engine.journal import Journal
from engine.journal_events import Draft
from tests.engine.journals import opened, scripted_drafts, write_on


def killed_over_and_over(folder: Path, kills: int, seed: int) -> tuple[int, int]:
    """Kill a writer of the scripted match at random moments; kills while writing, and at opening.

    After each kill the journal must hold every entry that its writer had acknowledged, at most one
    more, and be the beginning of the script; the next writer goes on in the same file.
    """
    rng = random.Random(seed)
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.engine.journals"])
    drafts = scripted_drafts()
    path, matches, done, midway, early = folder / "0.match", 0, 0, 0, 0
    while midway + early < kills:
        reading, writing = os.pipe()
        # spawn-like contexts take file descriptors only as connections
        acknowledge = multiprocessing.connection.Connection(writing, readable=False)
        writer = context.Process(target=_write, args=(str(path), acknowledge))
        writer.start()
        acknowledge.close()
        wrote = len(os.read(reading, 1)) if rng.random() < 0.9 else 0
        # The others are killed while they still open the file.
        time.sleep(rng.expovariate(1 / 0.004))
        writer.kill()
        writer.join()
        acknowledged = done + wrote
        while more := os.read(reading, 65536):
            acknowledged += len(more)
        os.close(reading)
        finished = writer.exitcode == 0
        with opened(path) as journal:
            assert journal.said == ""
            events = journal.events()
            assert acknowledged <= len(events) <= acknowledged + 1
            assert same(journal, drafts[: len(events)])
        if not finished:
            midway, early = midway + wrote, early + 1 - wrote
        done = len(events)
        if finished or done == len(drafts):
            matches, done = matches + 1, 0
            path = folder / f"{matches}.match"
    return midway, early


def _write(path: str, acknowledge: multiprocessing.connection.Connection) -> None:
    write_on(path, acknowledge.fileno())


def same(journal: Journal, drafts: list[Draft]) -> bool:
    """Whether the journal's entries are exactly these, with views and pictures."""
    events = journal.events()
    for event, draft in zip(events, drafts, strict=True):
        assert (event.kind, dict(event.body)) == (draft.kind, dict(draft.body))
        assert (event.view is None) == (draft.view is None)
    if events and events[-1].view is not None and events[-1].picture is not None:
        assert journal.view(events[-1].view) == drafts[-1].view
        assert journal.picture(events[-1].picture) == drafts[-1].jpeg
    if events:
        log = replayed(events)
        assert isinstance(log, GameLog)
        assert log.game.match.length == len(events) - 1
        assert not log.game.misfits
    return True


def test_a_killed_writer_loses_at_most_the_entry_being_written(tmp_path: Path) -> None:
    midway, early = killed_over_and_over(tmp_path, 30, seed=1)
    assert midway + early == 30
    assert midway > 10


@pytest.mark.slow
def test_two_hundred_kills_lose_at_most_the_entry_being_written(tmp_path: Path) -> None:
    midway, early = killed_over_and_over(tmp_path, 200, seed=2)
    assert midway + early == 200
    assert midway > 100
