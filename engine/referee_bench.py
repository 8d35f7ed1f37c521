"""The referee's proof: many simulated rounds and infringements, seeded, in many processes.

Every round and every infringement has a source of chance of its own, made of the seed and its
number, so the same plan gives the same results whoever runs which part. Results are kept line by
line in a file while they come, and a bench that was cut off goes on from there.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias

from engine.errors import LawnError
from engine.mock_camera import Noise
from engine.processes import MOST_JOBS, spread
from engine.referee_fault_trial import try_fault
from engine.referee_trial import try_round
from engine.verdict import KINDS, Kind

RATE = 0.005
"""The rate of wrong faces, a die and view, at which the bars hold."""

RATES = (0.001, 0.002, RATE, 0.01, 0.02, 0.05)

_CHUNK = 4


class BenchError(LawnError):
    """A bench that cannot be run, or whose kept results do not fit."""


Task: TypeAlias = tuple[str, int, str]
"""What is tried ("round" or a kind of infringement), its number, and the rate of wrong faces."""

Results: TypeAlias = dict[Task, dict[str, Any]]


@dataclass(frozen=True)
class Bench:
    """What is tried.

    Attributes:
        rounds: how many rounds at RATE, half of them for two players.
        curve: how many at each other rate.
        faults: how many infringements of each kind, at RATE.
        kinds: of which kinds.
        seed: of all chance.
    """

    rounds: int = 1000
    curve: int = 200
    faults: int = 200
    seed: int = 0
    kinds: tuple[Kind, ...] = KINDS

    def tasks(self) -> list[Task]:
        """All that is to be done, the rounds at RATE and the infringements first."""
        tasks = [("round", number, str(RATE)) for number in range(self.rounds)]
        tasks += [(kind, number, str(RATE)) for kind in self.kinds for number in range(self.faults)]
        for rate in RATES:
            if rate != RATE:
                tasks += [("round", number, str(rate)) for number in range(self.curve)]
        return tasks


QUICK = Bench(rounds=2, curve=0, faults=1, kinds=("wrong-row", "lawn-die-moved", "out-of-turn"))
"""Some seconds: for the tests."""


def run(
    bench: Bench, evaluation: Mapping[str, Any], jobs: int | None = None, keep: Path | None = None
) -> Iterator[Results]:
    """Try everything and yield the results of each part; first of all those kept from before.

    Arguments:
        evaluation: what `lawn evaluate` found of the detector (models/evaluation.json).
        jobs: processes; None: one a core.
        keep: a file in which results are kept while they come, and from which to go on.

    Raises:
        BenchError: the kept results come from another bench, detector or referee.
        TableError: the evaluation is none.
        ProcessError: a process was ended from outside.
    """
    noise = {str(rate): Noise.fitted(evaluation, rate) for rate in RATES}
    tasks = bench.tasks()
    done = _kept(keep, _header(bench, evaluation)) if keep else {}
    done = {task: done[task] for task in tasks if task in done}
    if done:
        yield done
    left = [task for task in tasks if task not in done]
    parts = [left[at : at + _CHUNK] for at in range(0, len(left), _CHUNK)]
    jobs = max(1, min(jobs or os.cpu_count() or 1, MOST_JOBS, len(parts)))
    for results in spread(partial(tried, noise, str(bench.seed)), parts, jobs):
        if keep:
            lines = [json.dumps({"task": task, "result": results[task]}) for task in results]
            with keep.open("a", encoding="utf-8") as file:
                file.write("\n".join(lines) + "\n")
        yield results


def tried(noise: Mapping[str, Noise], seed: str, tasks: list[Task]) -> Results:
    """The results of these tasks."""
    results: Results = {}
    for task in tasks:
        what, number, rate = task
        if what == "round":
            results[task] = try_round(noise[rate], seed, number).to_json()
        else:
            kind = next(kind for kind in KINDS if kind == what)
            results[task] = try_fault(noise[rate], seed, kind, number).to_json()
    return results


def _header(bench: Bench, evaluation: Mapping[str, Any]) -> dict[str, Any]:
    """What results depend on besides their task: mixed results would prove nothing."""
    code = sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        if path.name not in ("referee_bench.py", "referee_report.py"):
            code.update(path.read_bytes())
    detector = sha256(json.dumps(evaluation, sort_keys=True).encode())
    return {"seed": bench.seed, "engine": code.hexdigest(), "detector": detector.hexdigest()}


def _kept(keep: Path, header: dict[str, Any]) -> Results:
    """The results in the file; a new file is begun with the header."""
    if not keep.exists():
        keep.parent.mkdir(parents=True, exist_ok=True)
        keep.write_text(json.dumps(header) + "\n", encoding="utf-8")
        return {}
    results: Results = {}
    whole, _, cut_off = keep.read_text("utf-8").rpartition("\n")
    try:
        first, *lines = [json.loads(line) for line in whole.split("\n")]
        for line in lines:
            what, number, rate = line["task"]
            results[what, number, rate] = line["result"]
    except (ValueError, KeyError, TypeError) as error:
        raise BenchError(f"{keep}: these are no results of 'lawn referee-bench'.") from error
    if first != header:
        raise BenchError(
            f"{keep}: these results come from another seed, detector or engine; "
            "give another file, or delete this one."
        )
    if cut_off:
        keep.write_text(whole + "\n", encoding="utf-8")
    return results
