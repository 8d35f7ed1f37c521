"""A server that is killed in the middle of a match: started again, it goes on where it was."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from engine.match import Match
from tests.end_to_end.processes import command


class Page:
    """What a page of ours asks of a real server."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.token = self.get("/state")["you"]["csrf"]

    def get(self, path: str) -> Any:
        with urllib.request.urlopen(f"{self.address}api/v1{path}", timeout=30) as answer:
            return json.load(answer)

    def post(self, path: str, data: Any = None) -> Any:
        request = urllib.request.Request(
            f"{self.address}api/v1{path}",
            json.dumps(data or {}).encode(),
            {"Content-Type": "application/json", "X-Lawn": "1", "X-CSRF-Token": self.token},
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)


@contextmanager
def serving(folder: Path) -> Iterator[tuple[subprocess.Popen[str], Page]]:
    """A server without a camera, and a page of it; it is killed in the end."""
    words = [command(), "serve", "--camera", "none", "--port", "0", "--matches", str(folder)]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert "http://" in line, process.stderr and process.stderr.read()
        yield process, Page(next(word for word in line.split() if word.startswith("http://")))
    finally:
        process.kill()
        process.communicate()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no kill -9")
def test_after_a_kill_in_the_middle_of_a_match_it_goes_on_with_the_same_state(
    tmp_path: Path,
) -> None:
    rng = random.Random(4)
    match = Match.start(2)
    with serving(tmp_path / "matches") as (process, page):
        players = [{"name": "Anna", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
        name = page.post("/matches", {"players": players, "threshold": 150})["id"]
        for _ in range(25):
            here = match.position
            action = here.throw(rng) if here.is_chance else rng.choice(here.legal_actions())
            page.post("/match/actions", {"action": str(action)})
            match = match.apply(action)
        page.post("/match/undo")
        page.post("/match/note", {"text": "The lamp fell."})
        before = page.get("/state")["match"]
        process.kill()  # without a word, as a power cut does
        process.wait()
    with serving(tmp_path / "matches") as (_, page):
        state = page.get("/state")
        assert state["match"] is None
        assert [each["id"] for each in state["offer"]] == [name]
        page.post(f"/matches/{name}/resume")
        after = page.get("/state")["match"]
        same = set(before) - {"version", "remarks", "heard", "note"}
        assert {key: after[key] for key in same} == {key: before[key] for key in same}
        assert after["remarks"][:1] == before["remarks"][-1:]
        page.post("/match/redo")
        assert page.get("/state")["match"]["line"] == match.position.to_string()
