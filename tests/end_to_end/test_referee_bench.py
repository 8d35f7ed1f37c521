"""`lawn referee-bench` as people run it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.end_to_end.processes import complaint, lawn

ONE_ROUND = ("referee-bench", "--quick", "--rounds", "1", "--jobs", "1")


@pytest.mark.slow
def test_it_prints_the_page_writes_it_and_goes_on_from_what_was_kept(tmp_path: Path) -> None:
    kept, page = tmp_path / "kept.jsonl", tmp_path / "referee.md"
    first = lawn(*ONE_ROUND, "--keep", str(kept), "--out", str(page), timeout=600)
    assert first.returncode == 0, first.stderr.decode()
    assert page.read_text(encoding="utf-8").strip() == first.stdout.decode("utf-8").strip()
    for heading in (
        "# How well the referee sees",
        "## Whole rounds",
        "## Infringements",
        "## Time",
    ):
        assert heading in first.stdout.decode("utf-8")
    lines = len(kept.read_text().splitlines())
    again = lawn(*ONE_ROUND, "--keep", str(kept), "--json")
    found = json.loads(again.stdout)
    assert len(kept.read_text().splitlines()) == lines  # nothing was tried again
    assert found["rounds"]["0.005"]["count"] == 1
    assert found["rounds"]["0.005"]["wrong"]["count"] == 0
    assert set(found["faults"]) == {"wrong-row", "lawn-die-moved", "out-of-turn"}


def test_results_of_another_seed_are_refused_in_one_sentence(tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    kept.write_text('{"seed": 7}\n')
    done = lawn(*ONE_ROUND, "--keep", str(kept))
    assert done.returncode == 2
    assert "another seed, detector or engine" in complaint(done)


def test_a_page_that_cannot_be_written_is_said_before_the_hours_of_work(tmp_path: Path) -> None:
    (tmp_path / "a-file").touch()
    done = lawn("referee-bench", "--out", str(tmp_path / "a-file" / "referee.md"))
    assert done.returncode == 2
    assert "referee.md" in complaint(done)
