"""Python looks for circles seldom where many views are told: in the command, and in its processes."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
from click.testing import CliRunner

from engine.garbage import NEW_OBJECTS, collect_seldom
from engine.processes import spread
from lawn import main


@pytest.fixture(autouse=True)
def as_python_has_it() -> Iterator[None]:
    before = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    yield
    gc.set_threshold(*before)


def threshold(_: int) -> int:
    return gc.get_threshold()[0]


def test_circles_are_still_looked_for_but_seldom() -> None:
    collect_seldom()
    assert gc.isenabled()
    assert threshold(0) == NEW_OBJECTS


def test_every_command_looks_for_them_seldom() -> None:
    CliRunner().invoke(main, ["check", "nothing.lawn"])
    assert threshold(0) == NEW_OBJECTS


def test_so_do_the_processes_that_share_its_work() -> None:
    assert set(spread(threshold, range(4), 2)) == {NEW_OBJECTS}
