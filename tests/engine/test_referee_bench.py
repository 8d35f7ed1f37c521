"""The referee's bench: its plan, its kept results, its page."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from engine import referee_bench
from engine.referee_bench import KINDS, RATES, Bench, BenchError, Results, Task, run
from engine.referee_report import page, summary
from tests.engine.mock_games import evaluation

SMALL = Bench(rounds=6, curve=1, faults=1, seed=3)


def a_result(task: Task, **changes: Any) -> dict[str, Any]:
    common = {
        "views": 10, "cpu_ms": {"12": 9, "250": 1}, "questions": 0, "desyncs": 0,
        "accusations": [], "notes": [],
    }  # fmt: skip
    if task[0] == "round":
        return {"outcome": "right", "twins": 0, **common, **changes}
    fault = {
        "kind": task[0], "seats": [0], "said": [task[0], "red"], "right": True, "asked": False,
        "first": [task[0], "red"], "after": "mended", "after_right": True,
    }  # fmt: skip
    return {**fault, **common, **changes}


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> Counter[Task]:
    """Counts what is tried; every trial has a made result."""
    seen: Counter[Task] = Counter()

    def made(_noise: object, _seed: str, tasks: list[Task]) -> Results:
        seen.update(tasks)
        return {task: a_result(task) for task in tasks}

    monkeypatch.setattr(referee_bench, "tried", made)
    return seen


def all_of(bench: Bench, keep: Path | None) -> Results:
    results: Results = {}
    for part in run(bench, evaluation(), 1, keep):
        results |= part
    return results


def test_every_rate_and_every_kind_is_tried() -> None:
    tasks = SMALL.tasks()
    assert len(set(tasks)) == len(tasks) == 6 + len(KINDS) + (len(RATES) - 1)
    assert {task[2] for task in tasks} == set(map(str, RATES))
    assert set(KINDS) < {task[0] for task in tasks}


def test_a_bench_that_was_cut_off_goes_on_where_it_was(
    tmp_path: Path, tried: Counter[Task]
) -> None:
    keep = tmp_path / "runs" / "bench.jsonl"
    parts = run(SMALL, evaluation(), 1, keep)
    first = next(parts)
    parts.close()  # type: ignore[attr-defined]
    assert len(first) == 4
    with keep.open("a") as file:
        file.write('{"task": ["round", 4, "0.0')  # cut off while it was written
    results = all_of(SMALL, keep)
    assert set(results) == set(SMALL.tasks())
    assert set(tried.values()) == {1}
    assert all_of(SMALL, keep) == results
    assert set(tried.values()) == {1}


def test_results_of_another_bench_are_not_mixed_in(tmp_path: Path, tried: Counter[Task]) -> None:
    keep = tmp_path / "bench.jsonl"
    all_of(SMALL, keep)
    with pytest.raises(BenchError, match="another seed"):
        all_of(Bench(rounds=6, seed=4), keep)
    other = evaluation()
    other["all"]["found"] -= 1
    with pytest.raises(BenchError, match="detector"):
        list(run(SMALL, other, 1, keep))
    keep.write_text("no json\n")
    with pytest.raises(BenchError, match="no results"):
        all_of(SMALL, keep)
    assert tried


def test_the_page_says_which_bars_are_missed() -> None:
    results = {task: a_result(task) for task in SMALL.tasks()}
    good = page(summary(results))
    assert "meets the bar of 99.5 %" in good
    assert "Below the bar of 97 %: none" in good
    wrong = ("round", 0, "0.005")
    results[wrong] = a_result(wrong, outcome="wrong", accusations=[["out-of-turn", "red"]])
    missed = ("wrong-row", 0, "0.005")
    results[missed] = a_result(missed, right=False, said=["out-of-turn", "blue"])
    found = summary(results)
    bad = page(found)
    assert "**misses** the bar of 99.5 %" in bad
    assert "**misses** that of no accusation" in bad
    assert "Below the bar of 97 %: wrong-row" in bad
    assert "out-of-turn 1" in bad
    assert found["rounds"]["0.005"]["wrong"]["count"] == 1
    assert json.loads(json.dumps(found)) == found


def test_what_is_named_only_after_a_question_has_a_column_of_its_own() -> None:
    results = {task: a_result(task) for task in SMALL.tasks()}
    results["wrong-row", 0, "0.005"] = a_result(("wrong-row", 0, "0.005"), asked=True)
    text = page(summary(results))
    assert "| named right | after a question |" in text
    line = next(each for each in text.splitlines() if each.startswith("| wrong-row |"))
    named, after = line.split(" | ")[3:5]
    assert named.startswith("100.00 %")
    assert after.startswith("100.00 %")
    other = next(each for each in text.splitlines() if each.startswith("| out-of-turn |"))
    assert other.split(" | ")[4].startswith("0.00 %")


def test_times_are_counted_view_by_view() -> None:
    results = {task: a_result(task) for task in SMALL.tasks()}
    times = summary(results)["time"]["three players (24 dice)"]
    assert times["mean_ms"] == pytest.approx(0.9 * 1.2 + 0.1 * 25)
    assert times["most_ms"] == 25
    assert times["over_20_ms"]["share"] == pytest.approx(0.1)
