"""The same work on many parts, in one process or in many; Ctrl+C ends them all at once."""

from __future__ import annotations

import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from multiprocessing import get_context
from typing import TypeVar

from engine.errors import LawnError
from engine.garbage import collect_seldom

Part = TypeVar("Part")
Result = TypeVar("Result")

MOST_JOBS = 61
"""More processes than Windows can wait for."""


class ProcessError(LawnError):
    """A process was ended from outside."""


def spread(work: Callable[[Part], Result], parts: Iterable[Part], jobs: int) -> Iterator[Result]:
    """The results of `work` for each part, in order; `jobs` processes share the parts.

    `work`, the parts and the results must be fit for pickling when there are several jobs.

    Raises:
        ProcessError: a process was ended from outside.
    """
    if jobs == 1:
        yield from map(work, parts)
        return
    parts = iter(parts)
    # Fresh processes on every system: a copy of a process with threads may never come up.
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), initializer=_begin)
    try:
        with _ctrl_c_held_back():  # else a process could start that nobody knows of
            waiting: deque[Future[Result]] = deque(
                pool.submit(work, part) for part in islice(parts, 2 * jobs)
            )
        while waiting:
            yield waiting.popleft().result()
            waiting.extend(pool.submit(work, part) for part in islice(parts, 1))
    except BrokenProcessPool as error:
        raise ProcessError(
            "One of the processes was ended from outside; try again with fewer --jobs."
        ) from error
    finally:
        try:
            _close(pool)
        except KeyboardInterrupt:  # a second Ctrl+C before the first was held back
            _close(pool)
            raise


def _begin() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the parent
    collect_seldom()


def _close(pool: ProcessPoolExecutor) -> None:
    """End the pool's processes at once, whatever they play; nobody waits for it any more."""
    with _ctrl_c_held_back():
        # Python 3.14 has kill_workers; before, shutdown alone waits for the parts being played.
        for process in list((pool._processes or {}).values()):
            process.kill()
        pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _ctrl_c_held_back() -> Iterator[None]:
    """A Ctrl+C in here has its effect afterwards; processes that are started in here get none."""
    if threading.current_thread() is not threading.main_thread():
        yield  # Ctrl+C never interrupts another thread
        return
    came: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    # The handler alone would not do: a new process has it no more, but keeps the mask.
    masked = hasattr(signal, "pthread_sigmask")  # not on Windows
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if masked else set()
    try:
        yield
    finally:
        if masked:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        signal.signal(signal.SIGINT, before)
        if came:
            signal.raise_signal(signal.SIGINT)
