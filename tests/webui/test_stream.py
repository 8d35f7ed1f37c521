"""The event stream as text: framing, ids, signs of life, its end, and the limit of streams."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import pytest

from tests.webui.companions import app_of, companion_of
from tests.webui.tables import FedSource, ToldReader, die, picture, reading
from webui import stream
from webui.live import LiveTable

YOU = {"controls": True, "host": True, "lan": False, "csrf": "token"}


def never() -> bool:
    return False


def stream_of(
    table: LiveTable, gone: Callable[[], bool] = never, seen: str = ""
) -> Iterator[bytes]:
    return stream.event_stream(companion_of(table), gone, YOU, seen)


def fields(block: bytes) -> dict[str, str]:
    """The fields of one event; a stream's block ends with an empty line."""
    text = block.decode()
    assert text.endswith("\n\n")
    return dict(line.split(": ", 1) for line in text.strip().split("\n") if line[0] != ":")


def data(block: bytes) -> dict[str, Any]:
    return dict(json.loads(fields(block)["data"]))


def test_the_whole_state_comes_at_once_with_its_version_as_id(table: LiveTable) -> None:
    companion = companion_of(table)
    retry, first = islice(stream.event_stream(companion, never, YOU), 2)
    assert fields(retry) == {"retry": "2000"}
    assert fields(first)["id"] == companion.now({}).version
    assert data(first) == {
        "table": table.state.data,
        "match": None,
        "offer": [],
        "camera": {"spec": "0", "name": "camera 0", "kind": "camera", "phone": None},
        "you": YOU,
    }


def test_of_a_new_state_only_what_has_changed_follows(table: LiveTable, source: FedSource) -> None:
    events = stream_of(table)
    next(events)
    whole = data(next(events))["table"]
    source.feed(picture())
    news = data(next(events))
    assert set(news) == {"table"}
    assert news["table"]["picture"] is not None
    assert "source" not in news["table"]
    assert whole | news["table"] == table.state.data


def test_states_in_between_are_skipped_for_a_slow_client(
    table: LiveTable, source: FedSource
) -> None:
    events = stream_of(table)
    next(events), next(events)
    for value in (1, 2, 3):
        version = table.state.version
        source.feed(picture(value))
        assert table.wait_other(version, 5) is not None
    assert data(next(events))["table"]["picture"]["time_s"] == 2


def test_a_client_that_comes_back_is_sent_only_what_it_has_not_seen(
    table: LiveTable, source: FedSource
) -> None:
    companion = companion_of(table)
    seen = companion.now({}).version
    events = stream.event_stream(companion, never, YOU, seen)
    next(events)
    source.feed(picture())
    event = next(events)
    assert fields(event)["id"] != seen
    assert set(data(event)) == {"table"}


def test_a_client_that_missed_something_is_sent_everything(
    table: LiveTable, source: FedSource
) -> None:
    companion = companion_of(table)
    seen = companion.now({}).version
    version = table.state.version
    source.feed(picture())
    assert table.wait_other(version, 5) is not None
    events = stream.event_stream(companion, never, YOU, seen)
    next(events)
    assert data(next(events))["table"] == table.state.data


def test_with_many_pages_each_gets_fewer_pictures_but_all_else_at_once(
    table: LiveTable, source: FedSource, reader: ToldReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webui.live.SHOW_S", 0.0)
    companion = companion_of(table)
    companion.viewers = 24
    now_s = [0.0]
    events = stream.event_stream(companion, never, YOU, clock=lambda: now_s[0])
    next(events), next(events)
    shown = []
    for index in range(10):
        now_s[0] += 0.1
        version = table.state.version
        if index == 5:
            reader.answer = reading([die(3, "red")])
        source.feed(picture(index))
        assert table.wait_other(version, 5) is not None
        if index == 5:
            shown.append(data(next(events))["table"]["picture"]["time_s"])
    now_s[0] += 0.5
    shown.append(data(next(events))["table"]["picture"]["time_s"])
    # 24 pages share 30 pictures a second: each gets one in 0.8 s; but the die is told at once.
    assert shown == [5.0, 9.0]


@pytest.mark.parametrize("seen", ["x", "-3", "9" * 5000, "٣"])
def test_a_strange_last_id_is_as_good_as_none(table: LiveTable, seen: str) -> None:
    _, first = islice(stream_of(table, seen=seen), 2)
    assert data(first)["table"] == table.state.data


def test_a_quiet_stream_gives_signs_of_life(
    table: LiveTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "KEEP_ALIVE_S", 0.05)
    monkeypatch.setattr(stream, "LOOK_S", 0.02)
    events = stream_of(table)
    next(events), next(events)
    sign = next(events)
    assert sign.startswith(b": keep-alive\n"), "a comment, which clients pass over"
    assert fields(sign) == {"event": "alive", "data": "1"}


def test_the_stream_ends_when_its_client_leaves(table: LiveTable) -> None:
    left = [False]
    events = stream_of(table, lambda: left[0])
    next(events), next(events)
    left[0] = True
    assert list(events) == []


def test_the_stream_ends_when_the_table_stops(table: LiveTable) -> None:
    events = stream_of(table)
    next(events), next(events)
    table.stop()
    assert list(events) == []


def test_the_answer_is_an_event_stream_that_nobody_caches(table: LiveTable) -> None:
    with app_of(table).test_client().get("/api/v1/events") as answer:
        assert answer.status_code == 200
        assert answer.mimetype == "text/event-stream"
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["X-Accel-Buffering"] == "no"


def test_too_many_streams_are_refused_until_one_ends(
    table: LiveTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "MAX_STREAMS", 2)
    client = app_of(table).test_client()
    first, second = client.get("/api/v1/events"), client.get("/api/v1/events")
    refused = client.get("/api/v1/events")
    assert refused.status_code == 503
    assert "Too many pages" in refused.text
    first.close()
    third = client.get("/api/v1/events")
    assert third.status_code == 200
    second.close()
    third.close()


def test_other_devices_lock_neither_the_host_nor_one_another_out() -> None:
    counts: list[int] = []
    streams = stream.Streams(counts.append)
    assert [streams.enter("10.0.0.9") for _ in range(7)] == [True] * 6 + [False]
    others = [f"10.0.0.{number}" for number in range(10, 40)]
    assert sum(map(streams.enter, others)) == 14  # 20 with the six
    assert [streams.enter(stream.HOST) for _ in range(5)] == [True] * 4 + [False]
    streams.leave(others[0])
    assert streams.enter(stream.HOST)
    assert counts[-3:] == [24, 23, 24]


def test_people_behind_a_proxy_are_not_taken_for_one() -> None:
    streams = stream.Streams(lambda _: None)
    assert sum(streams.enter("127.0.0.1") for _ in range(30)) == 20


def test_a_phone_is_refused_its_seventh_stream_and_the_host_is_not(table: LiveTable) -> None:
    client = app_of(table).test_client()
    phone = {"REMOTE_ADDR": "192.168.1.23"}
    answers = [client.get("/api/v1/events", environ_base=phone) for _ in range(7)]
    answers.append(client.get("/api/v1/events"))
    assert [answer.status_code for answer in answers] == [200] * 6 + [503, 200]
    for answer in answers:
        answer.close()


def test_asking_for_the_head_only_takes_no_stream(
    table: LiveTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "MAX_STREAMS", 1)
    client = app_of(table).test_client()
    for _ in range(3):
        assert client.head("/api/v1/events").status_code == 200
    with client.get("/api/v1/events") as answer:
        assert answer.status_code == 200
