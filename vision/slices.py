"""Long work in slices: a generator that yields between them and returns its result, so that frames go on meanwhile."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeAlias, TypeVar

T = TypeVar("T")
Slices: TypeAlias = Generator[None, None, T]


def at_once(work: Slices[T]) -> T:
    """Do all slices one after the other; the result."""
    while True:
        try:
            next(work)
        except StopIteration as done:
            return done.value  # type: ignore[no-any-return]
