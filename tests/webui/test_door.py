"""Which connections are closed when there are too many of them, and which have been silent too long."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from webui.door import (
    BODY_S,
    CONNECTIONS,
    HOSTS_OWN,
    KEPT_S,
    LEAST_BYTES_PER_S,
    MOST_OF_ONE,
    SILENT_S,
    STUCK_S,
    Connection,
    Door,
)
from webui.guard import is_loopback

NOW_S = 1000.0


class Told(Connection):
    """A connection of which the test tells all that the door asks for."""

    def __init__(self, address: str, at_s: float = 0.0, **more: Any) -> None:
        told = {"addr": (address, 1), "is_local": is_loopback(address), "requests": [], **more}
        self.__dict__.update(creation_time=at_s, last_activity=at_s, will_close=False, **told)
        self.adj = SimpleNamespace(outbuf_high_watermark=1000)


def body(came_bytes: int) -> SimpleNamespace:
    """A request whose head is whole and of whose body so much has come."""
    return SimpleNamespace(headers_finished=True, body_bytes_received=came_bytes)


def leaving(there: list[Told]) -> list[Told]:
    """Those that leave when the last of them comes."""
    Door().came(there[-1], there)
    return [each for each in there if each.will_close]


def test_one_device_holds_only_some_connections_and_its_longest_silent_one_leaves() -> None:
    there = [Told("10.0.0.5", at_s) for at_s in range(MOST_OF_ONE)]
    assert leaving(there) == []
    there.insert(0, Told("10.0.0.6", -1))
    there.append(Told("10.0.0.5", MOST_OF_ONE))
    assert leaving(there) == [there[1]]


def test_who_is_being_answered_stays_and_the_newest_leaves_where_all_are() -> None:
    there = [Told("10.0.0.5", at_s, requests=["one"]) for at_s in range(MOST_OF_ONE + 1)]
    assert leaving(there) == [there[-1]]
    there = [Told("10.0.0.5", at_s, requests=["one"][: at_s % 2]) for at_s in range(1, 34)]
    assert leaving(there) == [there[1]]


def test_others_never_take_the_places_of_this_machine() -> None:
    others = [Told(f"10.0.{i}.1", i) for i in range(CONNECTIONS - HOSTS_OWN)]
    assert leaving(others) == []
    assert leaving([*others, Told("10.1.1.1", 999)]) == [others[0]]
    others[0].will_close = False
    assert leaving([*others, Told("127.0.0.1", 999)]) == []


@pytest.mark.parametrize(
    ("told", "overdue_after_s"),
    [
        ({"asked": False, "request": None}, SILENT_S),
        ({"asked": True, "request": None}, KEPT_S),
        ({"asked": True, "request": body(10_000_000)}, SILENT_S),
        ({"requests": ["one"], "total_outbufs_len": 1001}, STUCK_S),
    ],
)
def test_a_silent_connection_is_overdue(told: dict[str, Any], overdue_after_s: float) -> None:
    quiet = Told("10.0.0.5", NOW_S, began=NOW_S, **told)
    assert not quiet.is_overdue(NOW_S + overdue_after_s)
    assert quiet.is_overdue(NOW_S + overdue_after_s + 0.1)


def test_a_head_that_drips_is_overdue_and_an_answer_that_takes_its_time_is_not() -> None:
    head = SimpleNamespace(headers_finished=False)
    drips = Told("10.0.0.5", NOW_S, began=NOW_S - SILENT_S - 1, request=head)
    assert drips.is_overdue(NOW_S)
    assert not Told("10.0.0.5", 0.0, requests=["a stream"]).is_overdue(NOW_S)


@pytest.mark.parametrize(
    ("came_bytes", "may_take_s"),
    [(0, BODY_S), (100, BODY_S), (LEAST_BYTES_PER_S * 60, BODY_S + 60.0)],
)
def test_a_body_that_drips_is_overdue_and_a_large_one_has_longer(
    came_bytes: int, may_take_s: float
) -> None:
    began = NOW_S - may_take_s
    drips = Told("10.0.0.5", NOW_S, began=began, asked=False, request=body(came_bytes))
    assert not drips.is_overdue(NOW_S)
    drips.last_activity = NOW_S + 1
    assert drips.is_overdue(NOW_S + 1)
