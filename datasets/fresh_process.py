"""A process that does one job after another and is renewed every few: Blender keeps memory."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import ParamSpec, Self, TypeVar

P = ParamSpec("P")
Result = TypeVar("Result")


class FreshProcess:
    """jobs: after so many of them the process is ended and another one begun.

    ProcessPoolExecutor's own max_tasks_per_child is not used: with it Python 3.11 waits for ever once the first
    process has done its share.
    """

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._left = 0
        self._pool: ProcessPoolExecutor | None = None

    def do(self, work: Callable[P, Result], *args: P.args, **named: P.kwargs) -> Result:
        """The result of the work, done in the process; it and what it is given must be fit for pickling.

        Raises:
            BrokenProcessPool: the process was ended from outside.
        """
        if self._pool is None or not self._left:
            self.close()
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(1, context, initializer=_leave_ctrl_c_to_the_parent)
            self._left = self._jobs
        self._left -= 1
        return self._pool.submit(work, *args, **named).result()

    def close(self, wait: bool = True) -> None:
        """End the process, once its job is done."""
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=wait, cancel_futures=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close(wait=error[0] is None)


def _leave_ctrl_c_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
