"""Where the time of a review goes."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

NETWORKS = "of it reading dice"


class Timed:
    """A reader of dice whose calls are timed; else it is that reader."""

    def __init__(self, reader: Any, spent: dict[str, float]) -> None:
        self._reader, self._spent = reader, spent

    def __getattr__(self, name: str) -> Any:
        asked = getattr(self._reader, name)
        if not callable(asked):
            return asked

        def timed(*args: Any, **more: Any) -> Any:
            at = time.perf_counter()
            try:
                return asked(*args, **more)
            finally:
                passed = time.perf_counter() - at
                self._spent[NETWORKS] = self._spent.get(NETWORKS, 0.0) + passed

        return timed


def profile(spent: Mapping[str, float], film_s: float) -> str:
    """The share of each stage, and how many times faster than the recording plays it was."""
    whole = spent.get("all", 0.0) or sum(v for k, v in spent.items() if k != NETWORKS)
    lines = []
    for stage, seconds in spent.items():
        if stage != "all":
            lines.append(
                f"  {stage:24} {seconds:8.1f} s  {100 * seconds / max(whole, 1e-9):5.1f} %"
            )
    speed = film_s / max(whole, 1e-9)
    lines.append(
        f"  {'all':24} {whole:8.1f} s  {speed:.2f} times as fast as it plays ({film_s:.0f} s)"
    )
    return "\n".join(lines)
