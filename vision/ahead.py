"""Work done ahead of who takes its results, in a thread, and no further ahead than he has room for."""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Generator
from typing import TypeVar

T = TypeVar("T")

AWAKE_S = 0.2
"""How soon the thread notices that nobody takes anything any more, s."""


def ahead(items: Generator[T | None], most: int, name: str) -> Generator[T]:
    """The items in order, up to `most` of them made before they are taken. None is nothing to hand over.

    An error of theirs comes out here, in its turn. Once the taker stops, so do they, at the next item or None.
    """
    waiting: queue.Queue[tuple[T | None, BaseException | None]] = queue.Queue(most)
    stop = threading.Event()

    def put(item: T | None, error: BaseException | None) -> None:
        while not stop.is_set():
            with contextlib.suppress(queue.Full):
                waiting.put((item, error), timeout=AWAKE_S)
                return

    def make() -> None:
        try:
            with contextlib.closing(items):
                for item in items:
                    if item is not None:
                        put(item, None)
                    if stop.is_set():
                        return
            put(None, None)
        except BaseException as error:  # handed to the taker; a thread's own would be lost
            put(None, error)

    thread = threading.Thread(target=make, name=name, daemon=True)
    thread.start()
    try:
        while True:
            item, error = waiting.get()
            if error is not None:
                raise error
            if item is None:
                return
            yield item
    finally:
        stop.set()
        with contextlib.suppress(queue.Empty):
            while True:
                waiting.get_nowait()
        thread.join()
