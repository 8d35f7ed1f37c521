"""`lawn demo` and `lawn serve` as processes: the page comes up, answers, and ends when told to."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.end_to_end.processes import SAMPLE, command, complaint, lawn


@contextmanager
def serving(*words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A running `lawn` that serves, and the address that it printed."""
    process = subprocess.Popen(
        [command(), *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert "http://" in line, (line, process.stderr and process.stderr.read())
        yield process, next(word for word in line.split() if word.startswith("http://"))
    finally:
        process.kill()
        process.communicate()


def test_the_demo_page_is_up_when_its_address_is_printed() -> None:
    with (
        serving("demo", "--port", "0") as (process, address),
        urllib.request.urlopen(address, timeout=30) as page,
    ):
        assert address.startswith("http://127.0.0.1:")
        assert page.status == 200
        assert b"<html" in page.read().lower()
        root = address.removesuffix("live")
        with urllib.request.urlopen(f"{root}api/v1/state", timeout=30) as answer:
            state = json.load(answer)
        assert process.stdout is not None
        link = process.stdout.readline().split()[-1]
        with urllib.request.urlopen(link, timeout=30) as review:
            html = review.read().decode()
    # What the review made of the same recording is one click away.
    assert link == f"{root}review/demo/"
    assert "round.mp4" in html
    assert html.count('<li class="turn') == 28  # two Big Rolls and 26 turns
    # A whole round is shown as a match in progress.
    assert state["table"]["source"]["name"] == "round.mp4"
    assert [each["name"] for each in state["match"]["players"]] == ["Anna", "Ben"]
    assert state["match"]["watched"] is True


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends Ctrl+C another way")
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_serving_ends_cleanly_when_told_to(sent: signal.Signals) -> None:
    with serving("serve", "--camera", str(SAMPLE), "--port", "0") as (process, _):
        process.send_signal(sent)
        _, errors = process.communicate(timeout=30)
        assert (process.returncode, errors) == (0, "")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends Ctrl+C another way")
@pytest.mark.parametrize("pause_s", [0.001, 0.05, 0.2])
def test_an_impatient_second_ctrl_c_does_no_harm(pause_s: float) -> None:
    with serving("demo", "--port", "0") as (process, _):
        process.send_signal(signal.SIGINT)
        time.sleep(pause_s)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
        assert errors == ""
        # Python itself takes its leave after everything is closed; an interrupt then ends it a moment sooner.
        assert process.returncode in (0, -signal.SIGINT)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="only Unix has named pipes")
def test_a_pipe_is_no_camera(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    words = ("serve", "--port", "0", "--camera", "pipe")
    assert "no ordinary file" in complaint(lawn(*words, cwd=tmp_path))


def test_a_taken_port_is_one_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert f"ort {port}" in complaint(lawn("demo", "--port", str(port)))


def test_a_source_that_cannot_be_opened_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "text.jpg").write_text("These are no pixels.\n")
    for source in ("missing.mp4", "text.jpg"):
        words = ("serve", "--port", "0", "--camera", source)
        assert source in complaint(lawn(*words, cwd=tmp_path))


def test_an_address_of_another_machine_is_one_sentence() -> None:
    words = ("serve", "--camera", str(SAMPLE), "--port", "0", "--host", "192.0.2.1")
    assert "192.0.2.1" in complaint(lawn(*words))


def test_players_that_cannot_be_are_one_sentence() -> None:
    words = ("serve", "--camera", str(SAMPLE), "--port", "0", "--players")
    assert "two or three different colours" in complaint(lawn(*words, "red"))
    assert "'teal' is no colour of dice here" in complaint(lawn(*words, "red,teal"))
