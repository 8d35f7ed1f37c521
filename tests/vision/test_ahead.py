"""Work ahead in a thread: in order, bounded, with its errors, and over when nobody takes anything any more."""

from __future__ import annotations

import threading
import time
from collections.abc import Generator

import pytest

from vision.ahead import ahead


def test_everything_comes_in_order_without_the_gaps() -> None:
    assert list(ahead((n if n % 2 else None for n in range(9)), 2, "odd")) == [1, 3, 5, 7]


def test_no_more_is_made_than_there_is_room_for() -> None:
    made: list[int] = []

    def items() -> Generator[int | None]:
        for n in range(100):
            made.append(n)
            yield n

    taken = ahead(items(), 3, "bounded")
    assert next(taken) == 0
    time.sleep(0.3)
    assert len(made) <= 5  # one taken, three waiting, one in hand
    assert list(taken) == list(range(1, 100))


def test_an_error_comes_out_after_what_was_made_before_it() -> None:
    def items() -> Generator[int | None]:
        yield 1
        raise ValueError("the film is torn")

    taken = ahead(items(), 2, "torn")
    assert next(taken) == 1
    with pytest.raises(ValueError, match="torn"):
        next(taken)


def test_when_the_taker_stops_the_work_is_closed_and_its_thread_ends() -> None:
    closed = threading.Event()

    def items() -> Generator[int | None]:
        try:
            while True:
                yield 1
        finally:
            closed.set()

    taken = ahead(items(), 2, "endless")
    next(taken)
    taken.close()
    assert closed.is_set()
    assert "endless" not in [thread.name for thread in threading.enumerate()]
