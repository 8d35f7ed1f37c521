"""`lawn simulate` as people run it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time

import pytest

from tests.end_to_end.processes import command, complaint, lawn

QUICK = ("simulate", "--matches", "6", "--threshold", "120", "--seed", "4")


def test_the_same_seed_prints_the_same_whatever_the_number_of_processes() -> None:
    words = (*QUICK, "--players", "3", "--bots", "random,greedy,random", "--json")
    alone, both = (lawn(*words, "--jobs", jobs) for jobs in ("1", "2"))
    assert alone.returncode == 0, alone.stderr.decode()
    assert (alone.stdout, alone.stderr) == (both.stdout, both.stderr)
    found = json.loads(alone.stdout)
    assert set(found) == {
        "players", "matches", "threshold", "seed", "options", "shared_wins", "bots", "turn_order",
        "turn_order_close", "rounds", "bonuses", "any_bonus", "actions",
    }  # fmt: skip
    assert (found["players"], found["matches"], found["threshold"]) == (3, 6, 120)
    assert len(found["bots"]) == len(found["turn_order"]) == 3
    assert set(found["bots"][0]) == {
        "bot", "match_wins", "rounds", "round_wins", "score", "play_margin"
    }  # fmt: skip
    assert set(found["rounds"]) == {"count", "a_match", "turns", "lost_turns", "ends"}


def test_the_text_says_who_won_and_by_which_rulings() -> None:
    done = lawn(*QUICK, "--bots", "greedy,planner", "--options", "grind=at-once", "--jobs", "1")
    assert done.returncode == 0, done.stderr.decode()
    lines = done.stdout.decode().splitlines()
    assert lines[0].startswith("6 matches to 120 points, 2 players, ")
    assert "grind=at-once" in lines[0]
    shown = [line.split() for line in lines if line.startswith(("  greedy ", "  planner "))]
    assert sum(int(words[1]) for words in shown[:2]) == 6


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--bots", "greedy,chess"], "no bot 'chess'; the bots are random, greedy, planner"),
        (["--bots", "greedy"], "2 players need 2 bots, not 1"),
        (["--bots", "random,random", "--options", "ending=never"], "Option ending takes"),
        (["--bots", "random,random", "--options", "ending"], "written as name=value"),
        (["--bots", "random,random", "--threshold", "0"], "threshold"),
    ],
)
def test_what_cannot_be_played_is_one_sentence(words: list[str], said: str) -> None:
    done = lawn("simulate", *words)
    assert said in complaint(done)
    assert done.stdout == b""


def group_is_gone(group: int, seconds: float) -> bool:
    """Whether no process of the group is left, waiting so long for the last."""
    until = time.monotonic() + seconds
    while True:
        listed = subprocess.run(
            ["ps", "-A", "-o", "pgid=,stat="], check=True, capture_output=True, text=True
        )
        rows = [line.split() for line in listed.stdout.splitlines()]
        # A process that has ended may stay listed as Z until somebody asks how.
        if not any(pgid == str(group) and not stat.startswith("Z") for pgid, stat in rows):
            return True
        if time.monotonic() > until:
            return False
        time.sleep(0.05)


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("ps"), reason="the processes of a group are listed by ps")
@pytest.mark.parametrize("after", [0.7, 3.0])  # while the processes come up, and while they play
def test_two_ctrl_c_in_a_row_end_it_and_every_process_of_it(after: float) -> None:
    words = ("simulate", "--bots", "random,random", "--matches", "100000", "--jobs", "2")
    running = subprocess.Popen(
        [command(), *words],
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        time.sleep(after)
        assert running.poll() is None
        os.killpg(running.pid, signal.SIGINT)
        time.sleep(0.02)
        os.killpg(running.pid, signal.SIGINT)
        said, _ = running.communicate(timeout=10)
        assert said == b""
        assert running.returncode != 0
        assert group_is_gone(running.pid, seconds=5)
    finally:
        if not group_is_gone(running.pid, seconds=0):
            os.killpg(running.pid, signal.SIGKILL)
            running.communicate()
